#include "parallel_kit.h"

// Whatever runs the blocks of a step, a world of bullets stays the same.

enum { BODIES = 20000 };

static void many_bullets_are_the_same_whatever_runs_their_blocks(void **state)
{
    (void)state;
    parallel_assert_same(scene_make_bullet_hell(4, BODIES / 10, BODIES, 2000));
}

static void many_bullets_that_hit_are_the_same_whatever_runs_their_blocks(void **state)
{
    (void)state;
    parallel_assert_same(scene_make_bullets_bodies(10, BODIES / 10, BODIES));
}

static void many_targets_are_the_same_whatever_runs_their_blocks(void **state)
{
    (void)state;
    parallel_assert_same(scene_make_bullet_hell(5, BODIES, BODIES / 4, 2 * BODIES));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_bullets_are_the_same_whatever_runs_their_blocks),
        cmocka_unit_test(many_bullets_that_hit_are_the_same_whatever_runs_their_blocks),
        cmocka_unit_test(many_targets_are_the_same_whatever_runs_their_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
