// A world so large that its contacts are streamed.

#include "world_kit.h"

#include "stream.h"

#include "random.h"

#include <stdlib.h>

enum {
    BODIES = 2 * GRZ_STREAMED_ITEMS,
    A_ROW = 512,          ///< Of pairs.
    SCATTER = 0x1E3779B1, ///< Odd: its multiples, modulo a power of two, are all different.
    STEPS = 3
};

_Static_assert((BODIES & (BODIES - 1)) == 0, "see SCATTER");

static const float gravity = 0.5f, step = 1.0f / 60;

// Bodies 2k and 2k + 1 overlap, and go the same way; no others come near. Their ids are anywhere.
static uint32_t index_of(uint32_t number)
{
    return number * (uint32_t)SCATTER % BODIES;
}

static graze_body_def *define_pairs(void)
{
    random_state random = random_seed(3);
    graze_body_def *defs = calloc(BODIES, sizeof *defs);
    assert_non_null(defs);
    for (uint32_t pair = 0; pair < BODIES / 2; ++pair) {
        const float x = (float)(pair % A_ROW) * 8, y = (float)(pair / A_ROW) * 8;
        const graze_vec2 velocity = {random_float(&random, -9, 9), random_float(&random, -9, 9)};
        for (uint32_t k = 0; k < 2; ++k) {
            graze_body_def *def = &defs[index_of(2 * pair + k)];
            *def = kit_circle(x + 1.5f * (float)k, y, 1);
            def->velocity = velocity;
        }
    }
    return defs;
}

static void assert_bodies_moved(graze_world *world, graze_body_def *defs, const graze_body_id *ids)
{
    for (uint32_t i = 0; i < BODIES; ++i) {
        defs[i].velocity.y += gravity * step;
        defs[i].position.x += defs[i].velocity.x * step;
        defs[i].position.y += defs[i].velocity.y * step;
        const graze_vec2 position = graze_body_position(world, ids[i]);
        const graze_vec2 velocity = graze_body_velocity(world, ids[i]);
        assert_memory_equal(&position, &defs[i].position, sizeof position);
        assert_memory_equal(&velocity, &defs[i].velocity, sizeof velocity);
    }
}

static void assert_pairs_met(const graze_world *world, const graze_body_id *ids, bool before)
{
    const graze_contact_list list = graze_world_contacts(world);
    const uint32_t phase = before ? GRAZE_CONTACT_STAY : GRAZE_CONTACT_BEGIN;
    uint32_t *partner = calloc(BODIES, sizeof *partner), found = 0;
    assert_non_null(partner);
    for (uint32_t number = 0; number < BODIES; ++number) {
        partner[index_of(number)] = index_of(number ^ 1);
    }
    assert_int_equal(list.count, BODIES / 2);
    for (uint32_t i = 0; i < BODIES; ++i) {
        if (partner[i] > i) {
            const graze_contact *contact = &list.data[found++];
            assert_int_equal(contact->a.index, ids[i].index);
            assert_int_equal(contact->b.index, ids[partner[i]].index);
            assert_int_equal(contact->a.generation, ids[i].generation);
            assert_int_equal(contact->phase, phase);
            assert_true(contact->time == 0 && contact->depth > 0.4f && contact->depth < 0.6f);
        }
    }
    free(partner);
}

static void run_large_world(graze_parallel_fn *parallel)
{
    graze_world_def def = graze_world_def_default();
    def.gravity.y = gravity;
    def.parallel = parallel;
    def.worker_count = parallel ? 2 : 1;
    graze_world *world = graze_world_create(&def);
    graze_body_def *defs = define_pairs();
    graze_body_id *ids = calloc(BODIES, sizeof *ids);
    assert_non_null(world);
    assert_non_null(ids);
    assert_int_equal(graze_body_create_many(world, defs, BODIES, ids), BODIES);
    for (uint32_t i = 0; i < STEPS; ++i) {
        assert_int_equal(graze_world_step(world, step), GRAZE_OK);
        assert_bodies_moved(world, defs, ids);
        assert_pairs_met(world, ids, i > 0);
    }
    graze_world_destroy(world);
    free(defs);
    free(ids);
}

static void large_worlds_move_and_report_as_small_ones(void **state)
{
    (void)state;
    run_large_world(NULL);
}

static void large_worlds_do_so_in_blocks(void **state)
{
    (void)state;
    run_large_world(kit_run_backwards);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_worlds_move_and_report_as_small_ones),
        cmocka_unit_test(large_worlds_do_so_in_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
