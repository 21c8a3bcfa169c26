#define _POSIX_C_SOURCE 200112L

#include "support/busy_world.h"
#include "support/record_kit.h"

#include "failing_allocator.h"
#include "golden_scenes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// What is recorded is what happens, and recording it changes nothing. What replays find in a record
// that differs or is damaged is in test_replay.c.

enum { SESSIONS = 2, SEEDS = 3, FRAMES = 90, CALLS = 2500 };

#define STEP (1.0f / 60.0f)

// --- whole sessions ---

static void start_session(graze_world *world, void *user)
{
    kit_record_start(user, world);
}

static tape play_session(uint64_t seed, kit_record *record)
{
    tape run = {.name = "session", .stays = true};
    run.started = record ? start_session : NULL;
    run.started_user = record;
    golden_session_of(&run, seed, CALLS);
    return run;
}

// Returns how many steps came out the same; they must be all.
static uint64_t replay_elsewhere(const kit_record *record, uint64_t seed)
{
    failing_allocator memory = {0};
    graze_replay *replay;
    graze_world_def def = graze_world_def_default();
    def.allocator = failing_allocator_interface(&memory);
    def.parallel = kit_run_backwards;
    def.worker_count = (uint32_t)seed % 5;
    def.body_capacity = (uint32_t)seed * 100;
    assert_int_equal(graze_replay_create(&def, record->bytes, record->size, &replay), GRAZE_OK);
    while (graze_replay_advance(replay) == GRAZE_REPLAY_STEPPED) {
    }
    const uint64_t steps = graze_replay_step_count(replay);
    kit_replay_to_end(replay, steps, seed);
    graze_replay_destroy(replay);
    failing_allocator_assert_empty(&memory);
    return steps;
}

static void thousands_of_random_calls_are_done_again_in_another_world(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SESSIONS; ++seed) {
        kit_record record = {0};
        const tape recorded = play_session(seed, &record);
        const tape plain = play_session(seed, NULL);
        assert_true(recorded.hash == plain.hash);
        // Steps of no seconds fail, and are not in the record.
        assert_in_range(replay_elsewhere(&record, seed), recorded.steps * 9 / 10, recorded.steps);
        kit_record_free(&record);
    }
}

// The recording starts in the middle, when there are contacts, and bodies that are gone.
static void every_step_of_a_busy_world_has_the_same_hash_again(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        kit_record record = {0};
        uint64_t hashes[FRAMES];
        random_state random = random_seed(seed);
        graze_world_def def = busy_def();
        graze_world *world = graze_world_create(&def);
        busy_fill(world, &random);
        for (uint32_t frame = 0; frame < 30; ++frame) {
            busy_frame(world, &random);
        }
        kit_record_start(&record, world);
        for (uint32_t frame = 0; frame < FRAMES; ++frame) {
            busy_frame(world, &random);
            hashes[frame] = graze_world_hash(world);
        }
        assert_int_equal(graze_record_stop(world), GRAZE_OK);
        graze_replay *replay = kit_replay(&record);
        for (uint32_t frame = 0; frame < FRAMES; ++frame) {
            assert_int_equal(graze_replay_advance(replay), GRAZE_REPLAY_STEPPED);
            assert_true(graze_world_hash(graze_replay_world(replay)) == hashes[frame]);
        }
        kit_replay_to_end(replay, FRAMES, seed);
        busy_assert_same(world, graze_replay_world(replay), seed);
        graze_replay_destroy(replay);
        graze_world_destroy(world);
        kit_record_free(&record);
    }
}

// --- each call ---

static graze_body_id add_rect(graze_world *world)
{
    graze_body_def def = kit_rect(0, 0, 1, 0.5f);
    def.response = GRAZE_BOUNCE;
    def.restitution = 0.5f;
    def.friction = 0.25f;
    def.mass = 3;
    def.hit_limit = 9;
    def.lifetime = 5;
    def.angle = 1;
    def.spin = -1;
    def.sensor = true;
    def.filter.category = 7;
    def.filter.mask = 0xFF;
    def.filter.group = -3;
    def.user_data = UINT64_C(0x123456789ABCDEF0);
    return kit_add(world, def);
}

static void create_one(graze_world *world)
{
    add_rect(world);
}

static void create_many(graze_world *world)
{
    const graze_body_def defs[3] = {kit_circle(1, 1, 1), kit_rect(2, 2, 1, 1),
                                    kit_bullet(3, 3, 4, 4)};
    graze_body_id ids[3];
    assert_int_equal(graze_body_create_many(world, defs, 3, ids), 3);
    assert_int_equal(graze_body_create_many(world, defs, 2, NULL), 2);
    assert_int_equal(graze_body_create_many(world, defs, 0, NULL), 0);
}

static void destroy_one(graze_world *world)
{
    graze_body_destroy(world, graze_world_body_at(world, 1));
}

static void set_position(graze_world *world)
{
    graze_body_set_position(world, graze_world_body_at(world, 2), (graze_vec2){-4, 2.5f});
}

static void set_velocity(graze_world *world)
{
    graze_body_set_velocity(world, graze_world_body_at(world, 2), (graze_vec2){-4, 2.5f});
}

static void set_angle(graze_world *world)
{
    graze_body_set_angle(world, graze_world_body_at(world, 0), 2.5f);
}

static void set_spin(graze_world *world)
{
    graze_body_set_spin(world, graze_world_body_at(world, 0), 2.5f);
}

static void set_filter(graze_world *world)
{
    const graze_filter filter = {5, 6, -7};
    graze_body_set_filter(world, graze_world_body_at(world, 0), filter);
}

static void set_response(graze_world *world)
{
    graze_body_set_response(world, graze_world_body_at(world, 2), GRAZE_SLIDE);
}

static void set_user_data(graze_world *world)
{
    graze_body_set_user_data(world, graze_world_body_at(world, 2), UINT64_MAX - 1);
}

static void create_chain(graze_world *world)
{
    const graze_vec2 points[3] = {{-3, -3}, {3, -3}, {3, 3}};
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 3;
    def.loop = true;
    def.one_sided = true;
    def.sensor = true;
    def.filter.mask = 3;
    def.user_data = 77;
    graze_chain_create(world, &def);
}

static void destroy_chain(graze_world *world)
{
    graze_chain_destroy(world, (graze_chain_id){0, 1});
}

static void sort(graze_world *world)
{
    assert_int_equal(graze_world_sort(world), GRAZE_OK);
}

static void load(graze_world *world)
{
    size_t size;
    void *snapshot = busy_save(world, &size);
    add_rect(world);
    kit_step(world, STEP);
    assert_int_equal(graze_world_load(world, snapshot, size), GRAZE_OK);
    free(snapshot);
}

static void step_longer(graze_world *world)
{
    kit_step(world, 0.25f);
}

static void call_wrongly(graze_world *world)
{
    graze_body_def def = kit_circle(0, 0, -1);
    graze_chain_def chain = graze_chain_def_default();
    const graze_body_id body = graze_world_body_at(world, 0);
    assert_true(kit_is_none(graze_body_create(world, &def)));
    assert_int_equal(graze_body_create_many(world, &def, 1, NULL), 0);
    assert_int_equal(graze_chain_create(world, &chain).generation, 0);
    assert_int_not_equal(graze_world_step(world, 0), GRAZE_OK);
    assert_int_not_equal(graze_world_load(world, "", 0), GRAZE_OK);
    assert_int_not_equal(graze_body_destroy(world, (graze_body_id){9, 9}), GRAZE_OK);
    assert_int_not_equal(graze_body_set_response(world, body, (graze_response)9), GRAZE_OK);
    assert_int_not_equal(graze_chain_destroy(world, (graze_chain_id){9, 9}), GRAZE_OK);
}

static void each_kind_of_call_is_recorded(void **state)
{
    (void)state;
    static void (*const calls[])(graze_world *) = {
        create_one, create_many, destroy_one,  set_position,  set_velocity, set_angle,
        set_spin,   set_filter,  set_response, set_user_data, create_chain, destroy_chain,
        sort,       load,        step_longer,  call_wrongly,
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
        kit_record record = {0};
        graze_world *world = kit_world();
        add_rect(world);
        kit_add(world, kit_moving(kit_circle(4, 0, 1), -6, 0, GRAZE_STOP));
        kit_add(world, kit_moving(kit_circle(9, 0, 1), -6, 0, GRAZE_BOUNCE));
        kit_wall(world, 0, -9, 0, 9);
        kit_record_start(&record, world);
        kit_step(world, STEP);
        calls[i](world);
        kit_step(world, STEP);
        assert_int_equal(graze_record_stop(world), GRAZE_OK);
        graze_replay *replay = kit_replay(&record);
        kit_replay_to_end(replay, calls[i] == load || calls[i] == step_longer ? 3 : 2, i);
        busy_assert_same(world, graze_replay_world(replay), i);
        graze_replay_destroy(replay);
        graze_world_destroy(world);
        kit_record_free(&record);
    }
}

// --- what the filter callback answers ---

/// A rule of the game that no world knows.
typedef struct game_rule {
    uint32_t step;
    uint32_t asked, vetoed;
} game_rule;

static bool ask_rule(const graze_world *world, graze_body_id a, graze_body_id b,
                     graze_segment_id segment, void *user)
{
    game_rule *rule = user;
    (void)world;
    const uint32_t other = b.generation ? b.index : 1000 + segment.chain.index;
    const bool is_allowed = (a.index + other + rule->step) % 3 != 0;
    ++rule->asked;
    rule->vetoed += !is_allowed;
    return is_allowed;
}

static void replays_answer_as_the_callback_did(void **state)
{
    (void)state;
    kit_record record = {0};
    game_rule rule = {0};
    random_state random = random_seed(3);
    graze_world_def def = busy_def();
    def.filter = ask_rule;
    def.filter_user = &rule;
    setenv("GRAZE_LANES", "scalar", 1); // Others ask about other pairs, in another order.
    graze_world *world = graze_world_create(&def);
    unsetenv("GRAZE_LANES");
    busy_fill(world, &random);
    kit_record_start(&record, world);
    for (; rule.step < FRAMES; ++rule.step) {
        busy_frame(world, &random);
    }
    assert_int_equal(graze_record_stop(world), GRAZE_OK);
    assert_true(rule.vetoed > 100);
    assert_true(replay_elsewhere(&record, 1) == FRAMES);
    const uint32_t asked = rule.asked;
    kit_step(world, STEP);
    assert_true(rule.asked > asked); // It has its callback back.
    graze_world_destroy(world);
    kit_record_free(&record);
}

// --- what stops a recording ---

// The others are of calls that busy_frame() makes wrongly.
static void keep_write_errors(graze_status status, const char *message, void *user)
{
    if (status == GRAZE_ERROR_WRITE) {
        kit_write_log(status, message, user);
    }
}

static void a_writer_that_fails_stops_the_recording_and_nothing_else(void **state)
{
    (void)state;
    for (uint32_t fail_at = 1; fail_at < 40; fail_at += 1 + fail_at / 3) {
        kit_record record = {.fail_at = fail_at};
        kit_log log = {0};
        graze_world_def defs[2] = {busy_def(), busy_def()};
        defs[0].log = keep_write_errors;
        defs[0].log_user = &log;
        graze_world *worlds[2] = {graze_world_create(&defs[0]), graze_world_create(&defs[1])};
        random_state randoms[2] = {random_seed(5), random_seed(5)};
        graze_record_def def = graze_record_def_default();
        def.write = kit_record_write;
        def.write_user = &record;
        const graze_status started = graze_record_start(worlds[0], &def);
        assert_int_equal(started, fail_at < 3 ? GRAZE_ERROR_WRITE : GRAZE_OK);
        for (uint32_t i = 0; i < 2; ++i) {
            busy_fill(worlds[i], &randoms[i]);
            for (uint32_t frame = 0; frame < 45; ++frame) {
                busy_frame(worlds[i], &randoms[i]);
            }
        }
        kit_assert_logged(&log, GRAZE_ERROR_WRITE, "graze_record|writer|stopped");
        assert_false(graze_record_is_on(worlds[0]));
        assert_int_equal(graze_record_status(worlds[0]), GRAZE_ERROR_WRITE);
        assert_int_equal(graze_record_stop(worlds[0]), GRAZE_ERROR_WRITE);
        assert_int_equal(record.writes, fail_at);
        busy_assert_same(worlds[0], worlds[1], fail_at);
        graze_world_destroy(worlds[0]);
        graze_world_destroy(worlds[1]);
        kit_record_free(&record);
    }
}

// Nothing meets anything, so that a step takes no memory itself.
static graze_world *make_world_with(failing_allocator *memory, kit_log *log)
{
    graze_world_def def = busy_def();
    def.allocator = failing_allocator_interface(memory);
    def.log = kit_write_log;
    def.log_user = log;
    graze_world *world = graze_world_create(&def);
    for (int i = 0; i < 100; ++i) {
        kit_add(world, kit_moving(kit_circle(3 * (float)i, 0, 0.6f), 1, 0, GRAZE_PASS));
    }
    kit_wall(world, -9, 500, 9, 509);
    for (int i = 0; i < 10; ++i) {
        kit_step(world, STEP);
    }
    return world;
}

static void without_memory_nothing_is_recorded_and_the_world_goes_on(void **state)
{
    (void)state;
    failing_allocator memory = {0};
    kit_log log = {0};
    graze_world *world = make_world_with(&memory, &log);
    kit_record record = {0};
    graze_record_def def = graze_record_def_default();
    def.write = kit_record_write;
    def.write_user = &record;
    const size_t bytes = memory.live_bytes;
    uint32_t failures = 0;
    for (size_t n = 1;; ++n) {
        failing_allocator_arm(&memory, n);
        const graze_status status = graze_record_start(world, &def);
        if (!failing_allocator_disarm(&memory)) {
            break;
        }
        ++failures;
        assert_int_equal(status, GRAZE_ERROR_OUT_OF_MEMORY);
        assert_false(graze_record_is_on(world));
        assert_int_equal(memory.live_bytes, bytes);
        kit_assert_logged(&log, GRAZE_ERROR_OUT_OF_MEMORY, "record|memory");
    }
    assert_in_range(failures, 2, 10);
    failing_allocator_arm(&memory, 1);
    kit_step(world, STEP); // It does not take any memory itself: its recording does.
    assert_true(failing_allocator_disarm(&memory));
    assert_int_equal(graze_record_stop(world), GRAZE_ERROR_OUT_OF_MEMORY);
    kit_assert_logged(&log, GRAZE_ERROR_OUT_OF_MEMORY, "graze_record|memory|stopped");
    assert_int_equal(memory.live_bytes, bytes);
    graze_world_destroy(world);
    failing_allocator_assert_empty(&memory);
    kit_record_free(&record);
}

static void a_step_that_is_recorded_allocates_nothing_after_the_first_ones(void **state)
{
    (void)state;
    failing_allocator memory = {0};
    kit_log log = {0};
    kit_record record = {0};
    graze_world *world = make_world_with(&memory, &log);
    kit_record_start(&record, world);
    set_velocity(world);
    kit_step(world, STEP);
    const size_t calls = memory.calls;
    for (int i = 0; i < 50; ++i) {
        set_position(world);
        kit_step(world, STEP);
    }
    assert_int_equal(memory.calls, calls);
    graze_world_destroy(world); // It ends the record.
    failing_allocator_assert_empty(&memory);
    graze_replay *replay = kit_replay(&record);
    kit_replay_to_end(replay, 51, 0);
    graze_replay_destroy(replay);
    kit_record_free(&record);
}

// --- refusals ---

static void bad_defs_are_refused(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    graze_record_def def = graze_record_def_default();
    assert_int_equal(graze_record_start(world, &def), GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_record_start|write is null");
    def.write = kit_record_write;
    def.cookie = 0;
    assert_int_equal(graze_record_start(world, &def), GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_record_start|cookie");
    assert_int_equal(graze_record_start(world, NULL), GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_record_start|null");
    assert_false(graze_record_is_on(world));
    assert_int_equal(graze_record_stop(world), GRAZE_OK);
    graze_world_destroy(world);
}

static void one_recording_goes_on_at_a_time(void **state)
{
    (void)state;
    kit_record record = {0};
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    graze_record_def def = graze_record_def_default();
    def.write = kit_record_write;
    def.write_user = &record;
    kit_record_start(&record, world);
    assert_true(graze_record_is_on(world));
    assert_int_equal(graze_record_start(world, &def), GRAZE_ERROR_BUSY);
    kit_assert_logged(&log, GRAZE_ERROR_BUSY, "graze_record_start|already");
    assert_int_equal(graze_record_stop(world), GRAZE_OK);
    assert_false(graze_record_is_on(world));
    record.size = 0;
    assert_int_equal(graze_record_start(world, &def), GRAZE_OK);
    assert_int_equal(graze_record_stop(world), GRAZE_OK);
    graze_replay *replay = kit_replay(&record);
    kit_replay_to_end(replay, 0, 0);
    graze_replay_destroy(replay);
    graze_world_destroy(world);
    kit_record_free(&record);
}

// Everything that is refused there, from inside a step.
static bool meddle_inside(const graze_world *world, graze_body_id a, graze_body_id b,
                          graze_segment_id segment, void *user)
{
    graze_world *changeable = *(graze_world **)user;
    graze_record_def def = graze_record_def_default();
    def.write = kit_record_write;
    (void)segment;
    assert_ptr_equal(world, changeable);
    assert_int_equal(graze_record_start(changeable, &def), GRAZE_ERROR_BUSY);
    assert_int_equal(graze_record_stop(changeable), GRAZE_ERROR_BUSY);
    assert_int_equal(graze_world_step(changeable, STEP), GRAZE_ERROR_BUSY);
    assert_int_equal(graze_body_destroy(changeable, a), GRAZE_ERROR_BUSY);
    return b.index % 2;
}

static void calls_from_inside_a_step_do_not_disturb_the_recording(void **state)
{
    (void)state;
    kit_record record = {0};
    graze_world *world;
    graze_world_def def = graze_world_def_default();
    def.filter = meddle_inside;
    def.filter_user = &world;
    world = graze_world_create(&def);
    for (int i = 0; i < 20; ++i) {
        kit_add(world, kit_moving(kit_circle(0.1f * (float)i, 0, 1), (float)i, 0, GRAZE_BOUNCE));
    }
    kit_record_start(&record, world);
    for (int i = 0; i < 9; ++i) {
        kit_step(world, STEP);
    }
    assert_int_equal(graze_record_stop(world), GRAZE_OK);
    assert_true(replay_elsewhere(&record, 2) == 9);
    graze_world_destroy(world);
    kit_record_free(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thousands_of_random_calls_are_done_again_in_another_world),
        cmocka_unit_test(every_step_of_a_busy_world_has_the_same_hash_again),
        cmocka_unit_test(each_kind_of_call_is_recorded),
        cmocka_unit_test(replays_answer_as_the_callback_did),
        cmocka_unit_test(a_writer_that_fails_stops_the_recording_and_nothing_else),
        cmocka_unit_test(without_memory_nothing_is_recorded_and_the_world_goes_on),
        cmocka_unit_test(a_step_that_is_recorded_allocates_nothing_after_the_first_ones),
        cmocka_unit_test(bad_defs_are_refused),
        cmocka_unit_test(one_recording_goes_on_at_a_time),
        cmocka_unit_test(calls_from_inside_a_step_do_not_disturb_the_recording),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
