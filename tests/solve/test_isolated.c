// Lone bodies that blocks answer, in any order, move as they do one after the other: also where the
// room of a block does not do, and where sensors are near.

#include "world_kit.h"

#include "world/world_state.h"

#include "solve/apply_impact.h"

#include "random.h"

enum { BODIES = 900, COLUMNS = 30, TREADS = 1200, STEPS = 60 };

#define STRIDE 4.0f ///< From one body to the next: they do not meet.
#define STOREY 8.0f

// A floor with walls at its ends, of treads as long as a body, or so short that it touches dozens.
static void add_floor(graze_world *world, uint32_t floor, random_state *random)
{
    graze_vec2 points[TREADS];
    const bool is_fine = floor % 10 == 3;
    const uint32_t count = is_fine ? TREADS : TREADS / 10;
    const float width = STRIDE * COLUMNS, bottom = STOREY * (float)floor;
    for (uint32_t k = 0; k < count; ++k) {
        points[k].x = width * (float)k / (float)(count - 1);
        points[k].y = bottom + random_float(random, 0, is_fine ? 0.001f : 0.4f);
    }
    points[0].y = points[count - 1].y = bottom + STOREY / 2;
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = count;
    def.one_sided = floor % 7 == 2;
    def.surface.friction = random_float(random, 0, 0.5f);
    assert_true(graze_chain_is_valid(world, graze_chain_create(world, &def)));
}

static void add_body(graze_world *world, uint32_t k, random_state *random)
{
    static const graze_response responses[] = {GRAZE_SLIDE, GRAZE_SLIDE, GRAZE_BOUNCE, GRAZE_STOP,
                                               GRAZE_RIGID};
    const float x = STRIDE * ((float)(k % COLUMNS) + 0.5f) + random_float(random, -0.5f, 0.5f);
    const float y = STOREY * (float)(k / COLUMNS) + 1.2f;
    graze_body_def def = k % 2 ? kit_circle(x, y, 0.5f) : kit_rect(x, y, 0.5f, 0.4f);
    def.response = responses[random_below(random, 5)];
    def.mass = 1;
    def.restitution = 0.5f;
    def.hit_limit = random_below(random, 8) ? 0 : 3;
    def.spin = random_below(random, 8) ? 0 : 2;
    def.velocity.x = random_float(random, -3, 3);
    kit_add(world, def);
    if (k % 50 == 0) {
        graze_body_def zone = kit_circle(x, y, 1);
        zone.sensor = true;
        zone.response = GRAZE_PASS;
        zone.mass = 0;
        kit_add(world, zone);
    }
}

static graze_world *make_world(graze_parallel_fn *parallel)
{
    graze_world_def def = graze_world_def_default();
    def.gravity.y = -10;
    def.parallel = parallel;
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    random_state random = random_seed(5);
    for (uint32_t floor = 0; floor < BODIES / COLUMNS; ++floor) {
        add_floor(world, floor, &random);
    }
    for (uint32_t k = 0; k < BODIES; ++k) {
        add_body(world, k, &random);
    }
    return world;
}

// Whether a block was left before its end.
static bool is_any_left(const graze_world *world)
{
    for (uint32_t block = 0; block < world->impacts.isolated_blocks.count; ++block) {
        const uint32_t end = (block + 1) * GRZ_BLOCK_TRAJECTORIES,
                       all = world->impacts.trajectories.count;
        if (world->impacts.isolated_blocks.data[block].left < (end < all ? end : all)) {
            return true;
        }
    }
    return false;
}

static void blocks_answer_lone_bodies_as_one_thread_does(void **state)
{
    (void)state;
    graze_world *alone = make_world(NULL);
    graze_world *blocks = make_world(kit_run_backwards);
    bool is_left = false;
    for (uint32_t step = 0; step < STEPS; ++step) {
        kit_step(alone, 1.0f / 60);
        kit_step(blocks, 1.0f / 60);
        const char *difference = kit_find_difference(alone, blocks);
        if (difference) {
            fail_msg("step %u: %s differ", (unsigned)step, difference);
        }
        assert_int_equal(graze_world_get_stats(alone).hit_count,
                         graze_world_get_stats(blocks).hit_count);
        is_left |= is_any_left(blocks);
    }
    assert_int_equal(alone->impacts.isolated_blocks.count, 0);
    assert_true(blocks->impacts.isolated_blocks.count > 1);
    assert_true(is_left);
    assert_true(graze_world_get_stats(alone).hit_count > 0);
    graze_world_destroy(alone);
    graze_world_destroy(blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_answer_lone_bodies_as_one_thread_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
