#include "parallel_kit.h"

#include "random.h"
#include "scene_defs.h"
#include "world/world_state.h"

#include <stdlib.h>

// Whatever runs the blocks of a step, a world of gas stays the same; and what a callback is asked.

enum { BODIES = 20000 };

static void gas_is_the_same_whatever_runs_its_blocks(void **state)
{
    (void)state;
    parallel_assert_same(scene_make_gas(1, BODIES));
}

static void mixed_gas_is_the_same_whatever_runs_its_blocks(void **state)
{
    (void)state;
    parallel_assert_same(scene_make_gas_mixed(2, BODIES));
}

static void gas_of_all_sizes_is_the_same_whatever_runs_its_blocks(void **state)
{
    (void)state;
    parallel_assert_same(scene_make_gas_power_sizes(3, BODIES));
}

/// Counts what a callback is asked to do.
typedef struct tally {
    uint32_t calls, tasks;
} tally;

static void run_counted(void (*task)(void *context, uint32_t index), void *context, uint32_t count,
                        void *user)
{
    tally *counted = user;
    counted->calls += 1;
    counted->tasks += count;
    kit_run_backwards(task, context, count, NULL);
}

static void the_callback_gets_the_work_of_a_big_world_and_none_of_a_small_one(void **state)
{
    (void)state;
    tally counted = {0, 0};
    const parallel_runner counting = {"counted", run_counted, &counted};
    scene small = scene_make_gas(1, 100), big = scene_make_gas(1, BODIES);
    graze_world *world = parallel_make_world(&small, &counting);
    assert_int_equal(graze_world_step(world, SCENE_STEP), GRAZE_OK);
    assert_int_equal(counted.calls, 0);
    graze_world_destroy(world);
    world = parallel_make_world(&big, &counting);
    assert_int_equal(graze_world_step(world, SCENE_STEP), GRAZE_OK);
    assert_true(counted.calls > 0 && counted.tasks > counted.calls);
    graze_world_destroy(world);
    scene_free(&small);
    scene_free(&big);
}

/// Counts the loops of `tasks` tasks.
typedef struct loop_count {
    uint32_t tasks, loops;
} loop_count;

static void run_counting_loops(void (*task)(void *context, uint32_t index), void *context,
                               uint32_t count, void *user)
{
    loop_count *counted = user;
    counted->loops += count == counted->tasks;
    kit_run_backwards(task, context, count, NULL);
}

static void add_bullet(graze_world *world, const scene *place, random_state *random)
{
    const scene_body bullet = scene_new_bullet(place, random);
    graze_body_def body = scene_body_def(&bullet);
    body.response = GRAZE_STOP;
    body.hit_limit = 1;
    body.mass = 1e-6f; // It moves nobody.
    kit_add(world, body);
}

// Pairs of circles are found by the first of the parts, those of bullets by the others, and the
// border between them moves as bullets come and go.
static void once_warm_a_step_finds_its_pairs_once(void **state)
{
    (void)state;
    enum { CIRCLES = 8000, BULLETS = 36000, PARTS = 12, WARM_UP = 1 };
    loop_count counted = {PARTS, 0}; // No other loop has as many tasks.
    scene place = scene_make_bullets_bodies(8, CIRCLES, 0);
    const parallel_runner counting = {"counting loops", run_counting_loops, &counted};
    graze_world *world = parallel_make_world(&place, &counting);
    random_state random = random_seed(9);
    for (uint32_t step = 0; step < 9; ++step) {
        while (graze_world_get_stats(world).body_count < CIRCLES + BULLETS) {
            add_bullet(world, &place, &random);
        }
        counted.loops = 0;
        kit_step(world, SCENE_STEP);
        const bool anew = step < WARM_UP || world->found.carries; // (carry.c)
        assert_true(counted.loops == 2 || (counted.loops > 2 && anew));
    }
    graze_world_destroy(world);
    scene_free(&place);
}

/// What a game's callbacks are asked, and whether by a task.
typedef struct listener {
    bool in_task;
    uint32_t allocations, lines, questions;
} listener;

static void run_heard(void (*task)(void *context, uint32_t index), void *context, uint32_t count,
                      void *user)
{
    listener *heard = user;
    assert_false(heard->in_task);
    heard->in_task = true;
    kit_run_backwards(task, context, count, NULL);
    heard->in_task = false;
}

static void *allocate_heard(size_t size, size_t alignment, void *user)
{
    listener *heard = user;
    assert_false(heard->in_task);
    heard->allocations += 1;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release_heard(void *memory, size_t size, void *user)
{
    const listener *heard = user;
    (void)size;
    assert_false(heard->in_task);
    free(memory);
}

static void hear_line(graze_status status, const char *message, void *user)
{
    listener *heard = user;
    (void)status, (void)message;
    assert_false(heard->in_task);
    heard->lines += 1;
}

static bool hear_question(const graze_world *world, graze_body_id a, graze_body_id b,
                          graze_segment_id segment, void *user)
{
    listener *heard = user;
    (void)world, (void)a, (void)b, (void)segment;
    assert_false(heard->in_task);
    heard->questions += 1;
    return true;
}

// One body in each step would leave the range of float, so that there is something to log.
static void a_task_asks_nothing_of_the_games_callbacks(void **state)
{
    (void)state;
    scene crowd = scene_make_bullet_hell(6, BODIES, BODIES / 4, 2000);
    for (int has_filter = 0; has_filter < 2; ++has_filter) {
        listener heard = {false, 0, 0, 0};
        graze_world_def def = graze_world_def_default();
        def.parallel = run_heard;
        def.allocator = (graze_allocator){allocate_heard, release_heard, &heard};
        def.log = hear_line;
        def.filter = has_filter ? hear_question : NULL;
        def.parallel_user = def.log_user = def.filter_user = &heard;
        graze_world *world = parallel_make_world_of(&def, &crowd);
        kit_add(world, kit_moving(kit_circle(3.3e38f, 0, 1), 3e38f, 0, GRAZE_PASS));
        const uint32_t before = heard.allocations;
        for (uint32_t step = 0; step < 3; ++step) {
            graze_body_set_velocity(world, graze_world_body_at(world, crowd.body_count),
                                    (graze_vec2){3e38f, 0});
            kit_step(world, 0.1f);
        }
        assert_true(heard.allocations > before && heard.lines > 0);
        assert_true((heard.questions > 0) == has_filter);
        graze_world_destroy(world);
    }
    scene_free(&crowd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gas_is_the_same_whatever_runs_its_blocks),
        cmocka_unit_test(mixed_gas_is_the_same_whatever_runs_its_blocks),
        cmocka_unit_test(gas_of_all_sizes_is_the_same_whatever_runs_its_blocks),
        cmocka_unit_test(the_callback_gets_the_work_of_a_big_world_and_none_of_a_small_one),
        cmocka_unit_test(once_warm_a_step_finds_its_pairs_once),
        cmocka_unit_test(a_task_asks_nothing_of_the_games_callbacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
