// Worlds whose allocator has no more to give.

#include "failing_allocator.h"
#include "world_kit.h"

#include <string.h>

enum { MOVERS = 30000, SEGMENTS = 5000, CAPACITY = 200, ROUNDS = 20 };

#define STEP 0.25f

static graze_world *make_world(failing_allocator *memory, uint32_t fixed_capacity)
{
    graze_world_def def = graze_world_def_default();
    def.allocator = failing_allocator_interface(memory);
    def.fixed_capacity = fixed_capacity > 0;
    def.body_capacity = fixed_capacity;
    def.contact_capacity = fixed_capacity;
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    return world;
}

static void end_world(graze_world *world, const failing_allocator *memory)
{
    graze_world_destroy(world);
    failing_allocator_assert_empty(memory);
}

// --- What one body finds ---

static void add_movers(graze_world *world)
{
    static graze_body_def defs[MOVERS];
    for (uint32_t i = 0; i < MOVERS; ++i) {
        const float x = 10 * (float)(i % 200), y = 1000 + 10 * (float)(i / 200);
        defs[i] = kit_moving(kit_circle(x, y, 0.5f), 0.01f, 0, GRAZE_PASS);
    }
    assert_int_equal(graze_body_create_many(world, defs, MOVERS, NULL), MOVERS);
}

static void add_scribble(graze_world *world)
{
    static graze_vec2 points[SEGMENTS + 1];
    for (uint32_t i = 0; i <= SEGMENTS; ++i) {
        points[i].x = (float)(i % 2);
        points[i].y = -500 - 0.004f * (float)i;
    }
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = SEGMENTS + 1;
    graze_chain_create(world, &def);
    assert_int_equal(graze_world_last_status(world), GRAZE_OK);
}

/// A world in which one body, a zone, may touch all of the terrain. No mover is near.
typedef struct open_world {
    failing_allocator memory;
    graze_world *world;
    graze_body_id zone;
} open_world;

static void move_zone(const open_world *open, float x)
{
    const graze_vec2 position = {x, -510};
    assert_int_equal(graze_body_set_position(open->world, open->zone, position), GRAZE_OK);
}

static void begin_open_world(open_world *open)
{
    memset(open, 0, sizeof *open);
    open->world = make_world(&open->memory, 0);
    add_movers(open->world);
    add_scribble(open->world);
    graze_body_def zone = kit_circle(-1000, -510, 100);
    zone.mass = 0;
    open->zone = kit_add(open->world, zone);
    kit_step(open->world, STEP);
    assert_int_equal(graze_world_get_stats(open->world).contact_count, 0);
}

// A segment is found in each of its cells: here in five or so.
static void what_one_body_touches_takes_no_memory_for_all_others(void **state)
{
    (void)state;
    open_world open;
    begin_open_world(&open);
    const size_t before = open.memory.live_bytes;
    move_zone(&open, 0);
    kit_step(open.world, STEP);
    kit_step(open.world, STEP);
    assert_int_equal(graze_world_get_stats(open.world).contact_count, SEGMENTS);
    assert_true(open.memory.live_bytes - before < SEGMENTS * 1200);
    end_world(open.world, &open.memory);
}

static void once_what_needed_too_much_is_gone_steps_succeed(void **state)
{
    (void)state;
    open_world open;
    begin_open_world(&open);
    open.memory.most_bytes = open.memory.live_bytes + SEGMENTS * 100;
    move_zone(&open, 0);
    const uint64_t hash = graze_world_hash(open.world);
    for (uint32_t attempt = 0; attempt < 3; ++attempt) {
        assert_int_equal(graze_world_step(open.world, STEP), GRAZE_ERROR_OUT_OF_MEMORY);
        assert_true(graze_world_hash(open.world) == hash);
    }
    move_zone(&open, -1000);
    kit_step(open.world, STEP);
    open.memory.most_bytes = 0;
    move_zone(&open, 0);
    kit_step(open.world, STEP);
    assert_int_equal(graze_world_get_stats(open.world).contact_count, SEGMENTS);
    end_world(open.world, &open.memory);
}

// --- A fixed capacity ---

static void fill(graze_body_def *defs, float lifetime)
{
    for (uint32_t i = 0; i < CAPACITY; ++i) {
        defs[i] = kit_moving(kit_circle(10 * (float)i, 0, 1), 1, 0, GRAZE_PASS);
        defs[i].lifetime = lifetime;
    }
}

static void bodies_come_and_go_in_the_room_of_a_fixed_capacity(void **state)
{
    (void)state;
    failing_allocator memory = {.calls = 0};
    graze_world *world = make_world(&memory, CAPACITY);
    graze_body_def defs[CAPACITY];
    graze_body_id ids[CAPACITY];
    fill(defs, 0);
    memory.most_bytes = memory.live_bytes;
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        assert_int_equal(graze_body_create_many(world, defs, CAPACITY, ids), CAPACITY);
        for (uint32_t i = 0; i < CAPACITY; i += 1 + round % 3) {
            assert_int_equal(graze_body_destroy(world, ids[i]), GRAZE_OK);
            kit_add(world, defs[i]);
        }
        for (uint32_t i = 0; i < CAPACITY; ++i) {
            const graze_body_id id = graze_world_body_at(world, i);
            assert_int_equal(graze_body_destroy(world, id), GRAZE_OK);
        }
    }
    end_world(world, &memory);
}

// Those that a step removes can be read until the next one, and others may come meanwhile.
static void bodies_replace_those_that_a_step_removed(void **state)
{
    (void)state;
    failing_allocator memory = {.calls = 0};
    graze_world *world = make_world(&memory, CAPACITY);
    graze_body_def defs[CAPACITY];
    graze_body_id ids[CAPACITY], others[CAPACITY];
    fill(defs, STEP);
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        assert_int_equal(graze_body_create_many(world, defs, CAPACITY, ids), CAPACITY);
        kit_step(world, STEP);
        assert_int_equal(graze_world_get_stats(world).removed_count, CAPACITY);
        memory.most_bytes = memory.live_bytes;
        assert_int_equal(graze_body_create_many(world, defs, CAPACITY, others), CAPACITY);
        memory.most_bytes = 0;
        assert_true(graze_body_position(world, ids[9]).x > 90);
        for (uint32_t i = 0; i < CAPACITY; ++i) {
            assert_int_equal(graze_body_destroy(world, others[i]), GRAZE_OK);
        }
    }
    end_world(world, &memory);
}

// --- Sizes past all memory ---

static void a_capacity_past_all_limits_is_refused(void **state)
{
    (void)state;
    kit_log log = {.count = 0};
    graze_world_def def = graze_world_def_default();
    def.log = kit_write_log;
    def.log_user = &log;
    def.body_capacity = UINT32_C(1) << 30;
    assert_null(graze_world_create(&def));
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "body_capacity is 1073741824|below 2^30");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_one_body_touches_takes_no_memory_for_all_others),
        cmocka_unit_test(once_what_needed_too_much_is_gone_steps_succeed),
        cmocka_unit_test(bodies_come_and_go_in_the_room_of_a_fixed_capacity),
        cmocka_unit_test(bodies_replace_those_that_a_step_removed),
        cmocka_unit_test(a_capacity_past_all_limits_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
