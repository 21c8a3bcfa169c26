// Failures that stop a recording, and calls that it refuses: neither disturbs the world.

#include "busy_world.h"
#include "record_kit.h"

#include "failing_allocator.h"

#define STEP (1.0f / 60.0f)

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
        kit_assert_logged(&log, GRAZE_ERROR_WRITE,
                          started ? "graze_record_start: |writer|stopped"
                                  : "graze_world_step: |writer|stopped");
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

// No bodies meet, so a step by itself takes no memory.
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
        kit_assert_logged(&log, GRAZE_ERROR_OUT_OF_MEMORY, "graze_record_start: |memory");
    }
    assert_in_range(failures, 2, 10);
    failing_allocator_arm(&memory, 1);
    kit_step(world, STEP); // It does not take any memory itself: its recording does.
    assert_true(failing_allocator_disarm(&memory));
    assert_int_equal(graze_record_stop(world), GRAZE_ERROR_OUT_OF_MEMORY);
    kit_assert_logged(&log, GRAZE_ERROR_OUT_OF_MEMORY, "graze_world_step: |memory|stopped");
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
    const graze_vec2 somewhere = {-4, 2.5f};
    graze_body_set_velocity(world, graze_world_body_at(world, 2), somewhere);
    kit_step(world, STEP);
    const size_t calls = memory.calls;
    for (int i = 0; i < 50; ++i) {
        graze_body_set_position(world, graze_world_body_at(world, 2), somewhere);
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
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT,
                      "graze_record_start|cookie is 0|graze_record_def_default");
    assert_int_equal(graze_record_start(world, NULL), GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_record_start|def is null");
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
    assert_true(kit_replay_elsewhere(&record, 2) == 9);
    graze_world_destroy(world);
    kit_record_free(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_writer_that_fails_stops_the_recording_and_nothing_else),
        cmocka_unit_test(without_memory_nothing_is_recorded_and_the_world_goes_on),
        cmocka_unit_test(a_step_that_is_recorded_allocates_nothing_after_the_first_ones),
        cmocka_unit_test(bad_defs_are_refused),
        cmocka_unit_test(one_recording_goes_on_at_a_time),
        cmocka_unit_test(calls_from_inside_a_step_do_not_disturb_the_recording),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
