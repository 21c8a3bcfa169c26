// What the solver keeps is part of the world's state: in snapshots, hashes and records, and safe
// from steps that fail.

#include "failing_allocator.h"
#include "lane_sets.h"
#include "record_kit.h"
#include "world_kit.h"

#include "world/world_state.h"

#include <stdlib.h>
#include <string.h>

#define DT (1.0f / 60)

enum { YARDS = 5, YARD = 14, FALLEN = 260 };

static void let_sleep_soon(graze_world *world)
{
    world->sleep.least = 1;
    world->sleep.patience = 1;
}

static graze_world *make_world(const graze_allocator *allocator)
{
    graze_world_def def = graze_world_def_default();
    def.gravity.y = -10;
    def.allocator = allocator ? *allocator : def.allocator;
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    let_sleep_soon(world);
    return world;
}

static graze_body_id add_crate(graze_world *world, float x, float y)
{
    return kit_add(world, kit_moving(kit_rect(x, y, 0.5f, 0.5f), 0, 0, GRAZE_RIGID));
}

static void add_stack(graze_world *world, float x)
{
    for (int k = 0; k < 5; ++k) {
        add_crate(world, x, 0.5f + (float)k);
    }
}

// Discs and crates in turn.
static void add_heap(graze_world *world, float x)
{
    for (int k = 0; k < 8; ++k) {
        const float at = x + 0.7f * (float)(k % 3), y = 1 + 0.8f * (float)k;
        graze_body_def def = k % 2 ? kit_circle(at, y, 0.5f) : kit_rect(at, y, 0.5f, 0.4f);
        def.response = GRAZE_RIGID;
        def.surface.rolling_resistance = 0.1f;
        kit_add(world, def);
    }
}

// A plank on a wedge, and a crate that falls on one end of it.
static void add_seesaw(graze_world *world, float x)
{
    const graze_vec2 wedge[] = {{x - 0.5f, 0}, {x + 0.5f, 0}, {x, 1}};
    kit_loop(world, wedge, 3);
    kit_add(world, kit_moving(kit_rect(x, 1.1f, 2, 0.1f), 0, 0, GRAZE_RIGID));
    add_crate(world, x + 1.5f, 3);
}

// A lift that goes up with a crate, and a crate on a belt.
static void add_lift(graze_world *world, float x)
{
    graze_body_def lift = kit_moving(kit_rect(x, 0.5f, 2, 0.25f), 0, 0.5f, GRAZE_PASS);
    lift.mass = 0;
    lift.surface.friction = 0.6f;
    kit_add(world, lift);
    add_crate(world, x, 1.25f);
    const graze_chain_id belt = kit_wall(world, x - 5, 1, x - 3, 1);
    graze_chain_set_surface(world, belt, 0, (graze_surface){0.6f, 0, 0, 1});
    add_crate(world, x - 4, 1.5f);
}

static graze_world *make_yards(const graze_allocator *allocator)
{
    graze_world *world = make_world(allocator);
    kit_wall(world, -10, 0, YARDS * YARD, 0);
    add_stack(world, 0);
    add_heap(world, YARD);
    add_seesaw(world, 2 * YARD);
    add_lift(world, 3 * YARD);
    add_stack(world, 4 * YARD - 4);
    return world;
}

static void assert_same(const graze_world *one, const graze_world *other, const char *when,
                        uint32_t step)
{
    const char *difference = kit_find_difference(one, other);
    if (difference) {
        fail_msg("%s, step %u: %s", when, (unsigned)step, difference);
    }
    kit_assert_same_bytes(one, other);
}

static uint32_t count_asleep(const graze_world *world)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < world->bodies.count; ++k) {
        count += graze_body_is_asleep(world, graze_world_body_at(world, k));
    }
    return count;
}

// --- Snapshots ---

// What hits a stack late wakes it.
static void disturb(graze_world *world, uint32_t step)
{
    if (step == FALLEN / 2) {
        kit_add(world, kit_moving(kit_circle(-6, 3, 0.3f), 12, 0, GRAZE_RIGID));
    }
}

// Every few steps the second world is replaced by a new one that loads what the first has saved.
static void go_on_from_snapshots(uint32_t every, grz_lane_set lanes)
{
    graze_world *world = make_yards(NULL), *other = make_yards(NULL);
    uint32_t most_asleep = 0, most_still = 0;
    for (uint32_t step = 0; step < FALLEN; ++step) {
        if (step % every == 0) {
            size_t size;
            void *bytes = kit_save(world, &size);
            graze_world_destroy(other);
            other = make_world(NULL);
            other->config.lanes = lanes;
            kit_load(other, bytes, size);
            kit_assert_saves(other, bytes, size);
            free(bytes);
        }
        disturb(world, step);
        disturb(other, step);
        kit_step(world, DT);
        kit_step(other, DT);
        assert_same(world, other, "after a load", step);
        const uint32_t asleep = count_asleep(world),
                       still = world->bodies.count - world->bodies.active_count;
        most_asleep = asleep > most_asleep ? asleep : most_asleep;
        most_still = still > most_still ? still : most_still;
    }
    assert_true(most_asleep > 8 && most_still > 4);
    graze_world_destroy(world);
    graze_world_destroy(other);
}

static void a_loaded_world_goes_on_as_the_saved_one(void **state)
{
    (void)state;
    go_on_from_snapshots(1, grz_lanes_choose());
    go_on_from_snapshots(7, grz_lanes_choose());
    go_on_from_snapshots(90, grz_lanes_choose());
}

// What has mass 0 is driven while it stands, and the solver's while it moves: which of both follows
// from the state. Terrain stops it, and a game starts it.
static void drive_block(graze_world *world, graze_body_id block, uint32_t step)
{
    if (step % 60 == 40) {
        const float speed = step % 120 == 40 ? 2.0f : 0.0f;
        graze_body_set_velocity(world, block, (graze_vec2){step > 120 ? speed : 0, speed});
        graze_body_set_spin(world, block, step % 240 == 100 ? 0.5f : 0);
    }
}

static void a_loaded_block_goes_on_as_the_saved_one(void **state)
{
    (void)state;
    graze_world *world = make_world(NULL), *other = make_world(NULL);
    kit_wall(world, -9, 0, 9, 0);
    graze_body_def def = kit_moving(kit_rect(0, 2.2f, 2, 0.5f), 0, -6, GRAZE_RIGID);
    def.mass = 0;
    const graze_body_id block = kit_add(world, def);
    add_crate(world, 0.3f, 3.3f);
    kit_add(world, kit_moving(kit_circle(-0.9f, 3.5f, 0.5f), 0, 0, GRAZE_RIGID));
    uint32_t stood = 0, moved = 0;
    for (uint32_t step = 0; step < 300; ++step) {
        size_t size;
        void *bytes = kit_save(world, &size);
        kit_load(other, bytes, size);
        kit_assert_saves(other, bytes, size);
        free(bytes);
        drive_block(world, block, step);
        drive_block(other, block, step);
        kit_step(world, DT);
        kit_step(other, DT);
        assert_same(world, other, "with a block", step);
        const graze_vec2 velocity = graze_body_velocity(world, block);
        const bool stands = velocity.x == 0 && velocity.y == 0;
        stood += stands;
        moved += !stands;
    }
    assert_true(stood > 60 && moved > 60);
    graze_world_destroy(world);
    graze_world_destroy(other);
}

static void lanes_do_not_show(void **state)
{
    (void)state;
    for (int set = 0; set < GRZ_SET_COUNT; ++set) {
        if (grz_lanes_has((grz_lane_set)set)) {
            go_on_from_snapshots(40, (grz_lane_set)set);
        }
    }
}

static void what_the_solver_keeps_is_hashed(void **state)
{
    (void)state;
    graze_world *world = make_yards(NULL);
    kit_step(world, DT);
    assert_true(world->solve.cache.count > 0);
    const uint64_t before = graze_world_hash(world);
    world->solve.cache.data[0].impulses[0] += 1;
    assert_true(graze_world_hash(world) != before);
    graze_world_destroy(world);
}

// --- Records ---

static void record_some(graze_world *world, uint32_t first, uint32_t end)
{
    for (uint32_t step = first; step < end; ++step) {
        disturb(world, step);
        kit_step(world, DT);
    }
    graze_world_set_gravity(world, (graze_vec2){0.5f, -10});
    for (uint32_t step = 0; step < 20; ++step) {
        kit_step(world, DT);
    }
    graze_record_stop(world);
}

// From the fall on, or from when most of it sleeps: a record begins with a snapshot.
static void a_replay_does_the_same(void **state)
{
    (void)state;
    for (uint32_t first = 0; first <= 100; first += 50) {
        graze_world *world = make_yards(NULL);
        for (uint32_t step = 0; step < first; ++step) {
            kit_step(world, DT);
        }
        kit_record record = {0};
        kit_record_start(&record, world);
        record_some(world, first, FALLEN);
        graze_replay *replay = kit_replay(&record);
        kit_replay_to_end(replay, FALLEN - first + 20, first);
        assert_same(world, graze_replay_world(replay), "replayed", first);
        graze_replay_destroy(replay);
        assert_int_equal(kit_replay_elsewhere(&record, first), FALLEN - first + 20);
        kit_record_free(&record);
        graze_world_destroy(world);
    }
}

// --- Memory ---

// Lets the first `n` allocations of a step succeed and the next fail, for each n, in a world that
// has just been loaded: so it has no memory yet. Returns how often a step failed.
static uint32_t fail_steps_after(uint32_t steps)
{
    graze_world *reference = make_yards(NULL);
    for (uint32_t step = 0; step < steps; ++step) {
        disturb(reference, step);
        kit_step(reference, DT);
    }
    size_t size;
    void *bytes = kit_save(reference, &size);
    kit_step(reference, DT);
    uint32_t failures = 0;
    for (bool failed = true; failed;) {
        failing_allocator memory = {0};
        const graze_allocator allocator = failing_allocator_interface(&memory);
        graze_world *world = make_world(&allocator);
        kit_load(world, bytes, size);
        failing_allocator_arm(&memory, failures + 1);
        const graze_status status = graze_world_step(world, DT);
        failed = failing_allocator_disarm(&memory);
        assert_int_equal(status, failed ? GRAZE_ERROR_OUT_OF_MEMORY : GRAZE_OK);
        if (failed) {
            kit_assert_saves(world, bytes, size);
            kit_step(world, DT);
            ++failures;
        }
        assert_same(reference, world, "after a failure", failures);
        graze_world_destroy(world);
        failing_allocator_assert_empty(&memory);
    }
    free(bytes);
    graze_world_destroy(reference);
    return failures;
}

static void a_step_that_fails_changes_nothing(void **state)
{
    (void)state;
    assert_true(fail_steps_after(0) > 20);
    assert_true(fail_steps_after(30) > 20);
    assert_true(fail_steps_after(FALLEN / 2 - 2) > 20);
}

// Every step fails once, at its first allocation, if it has one: also those in which bodies become
// still, or wake.
static void steps_that_fail_now_and_then_lead_to_the_same(void **state)
{
    (void)state;
    failing_allocator memory = {0};
    const graze_allocator allocator = failing_allocator_interface(&memory);
    graze_world *reference = make_yards(NULL), *world = make_yards(&allocator);
    uint32_t failures = 0;
    for (uint32_t step = 0; step < FALLEN; ++step) {
        disturb(reference, step);
        disturb(world, step);
        bool failed = true;
        for (size_t n = 1; failed && n < 4; ++n) {
            failing_allocator_arm(&memory, n);
            const graze_status status = graze_world_step(world, DT);
            failed = failing_allocator_disarm(&memory) && status;
            failures += failed;
        }
        if (failed) {
            kit_step(world, DT);
        }
        kit_step(reference, DT);
        assert_same(reference, world, "with failures", step);
    }
    assert_true(failures > 10);
    graze_world_destroy(reference);
    graze_world_destroy(world);
    failing_allocator_assert_empty(&memory);
}

static void after_warm_up_a_step_allocates_nothing(void **state)
{
    (void)state;
    failing_allocator memory = {0};
    const graze_allocator allocator = failing_allocator_interface(&memory);
    graze_world *world = make_yards(&allocator);
    for (uint32_t step = 0; step < 4 * FALLEN; ++step) {
        kit_step(world, DT);
    }
    const size_t calls = memory.calls;
    for (uint32_t step = 0; step < 60; ++step) {
        kit_step(world, DT);
    }
    assert_int_equal(memory.calls, calls);
    assert_int_equal(graze_world_get_stats(world).byte_count, memory.live_bytes);
    graze_world_destroy(world);
    failing_allocator_assert_empty(&memory);
}

// --- Sleep ---

static graze_world *make_sleeping_stack(graze_body_id crates[3], bool on_body,
                                        graze_body_id *ground)
{
    graze_world *world = make_world(NULL);
    if (on_body) {
        *ground = kit_add(world, kit_moving(kit_rect(0, -0.5f, 9, 0.5f), 0, 0, GRAZE_PASS));
        graze_body_set_mass(world, *ground, 0);
    } else {
        kit_wall(world, -9, 0, 9, 0);
    }
    for (uint32_t k = 0; k < 3; ++k) {
        crates[k] = add_crate(world, 0, 0.5f + (float)k);
    }
    for (uint32_t step = 0; step < 90; ++step) {
        kit_step(world, DT);
    }
    assert_int_equal(count_asleep(world), 3);
    return world;
}

/// What may wake a stack, or not.
typedef void event_fn(graze_world *world, const graze_body_id crates[3], graze_body_id ground);

static void do_nothing(graze_world *world, const graze_body_id crates[3], graze_body_id ground)
{
    (void)world, (void)crates, (void)ground;
}

static void turn_gravity(graze_world *world, const graze_body_id crates[3], graze_body_id ground)
{
    (void)crates, (void)ground;
    graze_world_set_gravity(world, (graze_vec2){1, -10});
}

static void push(graze_world *world, const graze_body_id crates[3], graze_body_id ground)
{
    (void)ground;
    graze_body_set_velocity(world, crates[2], (graze_vec2){0.5f, 0});
}

static void make_restless(graze_world *world, const graze_body_id crates[3], graze_body_id ground)
{
    (void)ground;
    graze_body_set_never_sleeps(world, crates[0], true);
}

static void destroy_lowest(graze_world *world, const graze_body_id crates[3], graze_body_id ground)
{
    (void)ground;
    graze_body_destroy(world, crates[0]);
}

static void destroy_ground(graze_world *world, const graze_body_id crates[3], graze_body_id ground)
{
    (void)crates;
    graze_body_destroy(world, ground);
}

static void move_ground(graze_world *world, const graze_body_id crates[3], graze_body_id ground)
{
    (void)crates;
    graze_body_set_velocity(world, ground, (graze_vec2){0.25f, 0});
}

static void teleport_ground(graze_world *world, const graze_body_id crates[3], graze_body_id ground)
{
    (void)crates;
    graze_body_set_position(world, ground, (graze_vec2){0.25f, -0.5f});
}

static void smooth_ground(graze_world *world, const graze_body_id crates[3], graze_body_id ground)
{
    (void)crates;
    graze_body_set_friction(world, ground, 0.1f);
}

static void drop_crate(graze_world *world, const graze_body_id crates[3], graze_body_id ground)
{
    (void)crates, (void)ground;
    add_crate(world, 0.25f, 3.55f);
}

static void cross_with_a_wall(graze_world *world, const graze_body_id crates[3],
                              graze_body_id ground)
{
    (void)crates, (void)ground;
    kit_wall(world, 0.45f, 0.25f, 3, 0.25f);
}

static void stop_what_stands(graze_world *world, const graze_body_id crates[3],
                             graze_body_id ground)
{
    (void)ground;
    graze_body_set_velocity(world, crates[1], (graze_vec2){0, 0});
    graze_body_set_mass(world, crates[1], 1);
}

static void only_what_changes_a_sleeper_wakes_it(void **state)
{
    static const struct {
        event_fn *event;
        bool on_body, wakes;
        float dt;
    } cases[] = {
        {do_nothing, false, false, DT},     {do_nothing, true, false, DT},
        {do_nothing, false, false, DT / 2}, {stop_what_stands, false, false, DT},
        {turn_gravity, false, true, DT},    {push, false, true, DT},
        {make_restless, false, true, DT},   {destroy_lowest, false, true, DT},
        {destroy_ground, true, true, DT},   {move_ground, true, true, DT},
        {teleport_ground, true, true, DT},  {smooth_ground, true, true, DT},
        {drop_crate, false, true, DT},      {cross_with_a_wall, false, true, DT},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        graze_body_id crates[3], ground = {0, 0};
        graze_world *world = make_sleeping_stack(crates, cases[i].on_body, &ground);
        cases[i].event(world, crates, ground);
        for (uint32_t step = 0; step < 10; ++step) {
            kit_step(world, cases[i].dt);
        }
        const bool asleep = graze_body_is_asleep(world, crates[1]);
        if (asleep == cases[i].wakes) {
            fail_msg("case %u: the stack %s", (unsigned)i, asleep ? "sleeps" : "is awake");
        }
        graze_world_destroy(world);
    }
}

static void a_walker_that_is_steered_slowly_does_not_sleep(void **state)
{
    (void)state;
    graze_world *world = make_world(NULL);
    const graze_vec2 slow = {0.001f, 0};
    kit_wall(world, -9, 0, 9, 0);
    const graze_body_id walker = add_crate(world, 0, 0.5f);
    for (uint32_t step = 0; step < 120; ++step) {
        graze_body_set_velocity(world, walker, slow);
        kit_step(world, DT);
        assert_false(graze_body_is_asleep(world, walker));
    }
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loaded_world_goes_on_as_the_saved_one),
        cmocka_unit_test(a_loaded_block_goes_on_as_the_saved_one),
        cmocka_unit_test(lanes_do_not_show),
        cmocka_unit_test(what_the_solver_keeps_is_hashed),
        cmocka_unit_test(a_replay_does_the_same),
        cmocka_unit_test(a_step_that_fails_changes_nothing),
        cmocka_unit_test(steps_that_fail_now_and_then_lead_to_the_same),
        cmocka_unit_test(after_warm_up_a_step_allocates_nothing),
        cmocka_unit_test(only_what_changes_a_sleeper_wakes_it),
        cmocka_unit_test(a_walker_that_is_steered_slowly_does_not_sleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
