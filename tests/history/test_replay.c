#include "failing_allocator.h"
#include "replay_kit.h"

#include "history/state_hash.h"

// What a replay finds: the first step and body that differ. Records that are damaged are in
// test_replay_damage.c.

// --- What differs ---

static void nudge_five(graze_world *world)
{
    const graze_body_id body = graze_world_body_at(world, 5);
    graze_vec2 position = graze_body_position(world, body);
    position.x += 1e-6f;
    graze_body_set_position(world, body, position);
}

static void push_eighty(graze_world *world)
{
    graze_body_set_velocity(world, graze_world_body_at(world, 80), (graze_vec2){1, 2});
}

static void push_three(graze_world *world)
{
    for (uint32_t i = 20; i < 80; i += 25) { // 45 is of the block of 20, 70 of the next one.
        graze_body_set_velocity(world, graze_world_body_at(world, i), (graze_vec2){1, 2});
    }
}

static void destroy_nine(graze_world *world)
{
    graze_body_destroy(world, graze_world_body_at(world, 9));
}

static void create_far_ahead(graze_world *world)
{
    graze_body_def defs[40];
    for (uint32_t i = 0; i < 40; ++i) {
        defs[i] = kit_circle(0, 100, 1);
    }
    graze_body_create_many(world, defs, 40, NULL);
}

static void filter_three(graze_world *world)
{
    const graze_filter ghost = {0, 0, 0, 0};
    graze_body_set_filter(world, graze_world_body_at(world, 3), ghost);
}

static void the_first_step_and_body_that_differ_are_named(void **state)
{
    (void)state;
    static const struct {
        replay_change *change;
        uint32_t body, count;
        bool is_known;
        const char *words;
    } cases[] = {
        {nudge_five, 5, 1, true,
         "step 5 is the first that differs, in body 5 of generation 1; position "},
        {push_eighty, 80, 1, true, "velocity was (1, "},
        {push_three, 20, 3, false, "in body 20 of generation 1 and 2 more: it is now at (60, "},
        {destroy_nine, 9, 1, true, "in body 9 of generation 1: it was not there, and is now at"},
        {create_far_ahead, 50, 40, true, "in body 50 of generation 2 and 39 more: it was at (0, "},
        {filter_three, 3, 1, true,
         "in body 3 of generation 1; what a step changes of it is the same"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        kit_record record = replay_record(cases[i].change, true);
        const graze_replay_difference found = replay_find_difference(&record, cases[i].words);
        assert_int_equal(found.kind, GRAZE_DIFFERENCE_BODY);
        assert_int_equal(found.step, REPLAY_CHANGED_STEP);
        assert_int_equal(found.index, cases[i].body);
        assert_int_equal(found.body_count, cases[i].count);
        assert_int_equal(found.is_known, cases[i].is_known);
        kit_record_free(&record);
    }
}

static void both_values_of_the_body_are_given(void **state)
{
    (void)state;
    kit_record record = replay_record(push_eighty, true);
    const graze_replay_difference found = replay_find_difference(&record, "position was (");
    graze_world *world = replay_world();
    for (uint32_t step = 1; step <= REPLAY_CHANGED_STEP; ++step) {
        if (step == REPLAY_CHANGED_STEP) {
            push_eighty(world);
        }
        kit_step(world, REPLAY_STEP);
    }
    const graze_body_id body = graze_world_body_at(world, 80);
    assert_int_equal(found.recorded.generation, 1);
    kit_assert_same_vec2(found.recorded.position, graze_body_position(world, body));
    kit_assert_same_vec2(found.recorded.velocity, graze_body_velocity(world, body));
    assert_true(found.replayed.velocity.x == 0);
    graze_world_destroy(world);
    kit_record_free(&record);
}

static void without_what_names_bodies_the_step_is_found(void **state)
{
    (void)state;
    kit_record long_one = replay_record(nudge_five, true);
    kit_record record = replay_record(nudge_five, false);
    const graze_replay_difference found = replay_find_difference(
        &record, "step 5 is the first that differs; made without names_bodies");
    assert_int_equal(found.kind, GRAZE_DIFFERENCE_STATE);
    assert_int_equal(found.step, REPLAY_CHANGED_STEP);
    assert_int_equal(long_one.size - record.size, REPLAY_STEPS * 2 * sizeof(grz_state_hash_block));
    kit_record_free(&record);
    kit_record_free(&long_one);
}

static void destroy_the_wall(graze_world *world)
{
    graze_chain_destroy(world, (graze_chain_id){0, 1});
}

static void terrain_that_differs_is_told_at_the_end(void **state)
{
    (void)state;
    kit_record record = replay_record(destroy_the_wall, true);
    const graze_replay_difference found = replay_find_difference(&record, "terrain");
    assert_int_equal(found.kind, GRAZE_DIFFERENCE_WHOLE);
    assert_int_equal(found.step, REPLAY_STEPS);
    kit_record_free(&record);
}

static void make_next_generation(graze_world *world)
{
    const graze_body_id body = kit_add(world, kit_circle(0, 50, 1));
    graze_body_destroy(world, body);
}

// Bodies that are gone show by the ids of those that come.
static void an_id_that_differs_is_a_call_that_does(void **state)
{
    (void)state;
    kit_record record = {0};
    graze_world *world = replay_world();
    kit_record_start(&record, world);
    kit_step(world, REPLAY_STEP);
    replay_change_unseen(world, make_next_generation);
    kit_step(world, REPLAY_STEP);
    destroy_nine(world);
    kit_add(world, kit_circle(0, 0, 1));
    kit_add(world, kit_circle(0, 0, 1));
    graze_world_destroy(world);
    const graze_replay_difference found = replay_find_difference(
        &record, "after step 2: call 3, graze_body_create, returned {100, 2} when "
                 "it was recorded, and returns {100, 1} now");
    assert_int_equal(found.kind, GRAZE_DIFFERENCE_CALL);
    assert_int_equal(found.step, 2);
    kit_record_free(&record);
}

// --- Refusals ---

static void assert_refused(const unsigned char *bytes, size_t size, graze_status status,
                           const char *words)
{
    kit_log log = {0};
    graze_world_def def = graze_world_def_default();
    graze_replay *replay = (graze_replay *)&log;
    def.log = kit_write_log;
    def.log_user = &log;
    assert_int_equal(graze_replay_create(&def, bytes, size, &replay), status);
    assert_null(replay);
    kit_assert_logged(&log, status, words);
}

static void what_is_no_record_is_refused(void **state)
{
    (void)state;
    kit_record record = replay_record(NULL, true);
    assert_refused(record.bytes, 0, GRAZE_ERROR_FORMAT, "graze_replay_create|not a record");
    assert_refused((const unsigned char *)"a text of some length", 21, GRAZE_ERROR_FORMAT,
                   "not a record");
    assert_refused(record.bytes, 8, GRAZE_ERROR_FORMAT, "cut short after 8 bytes");
    assert_refused(record.bytes, 99, GRAZE_ERROR_FORMAT, "cut short|at byte 16");
    assert_refused(NULL, 99, GRAZE_ERROR_ARGUMENT, "bytes is null");
    record.bytes[8] ^= 5;
    assert_refused(record.bytes, record.size, GRAZE_ERROR_FORMAT, "another byte order");
    record.bytes[8] ^= 5;
    record.bytes[12] += 1;
    assert_refused(record.bytes, record.size, GRAZE_ERROR_FORMAT, "version 8|reads version 7");
    record.bytes[12] -= 2;
    assert_refused(record.bytes, record.size, GRAZE_ERROR_FORMAT, "version 6|reads version 7");
    kit_record_free(&record);
}

static void a_replay_for_which_there_is_no_memory_says_so_in_one_line(void **state)
{
    (void)state;
    kit_record record = replay_record(NULL, true);
    failing_allocator memory = {0};
    graze_status status = GRAZE_ERROR_OUT_OF_MEMORY;
    for (size_t n = 1; status != GRAZE_OK; ++n) {
        kit_log log = {0};
        graze_world_def def = graze_world_def_default();
        graze_replay *replay = (graze_replay *)&log;
        def.log = kit_write_log;
        def.log_user = &log;
        def.allocator = failing_allocator_interface(&memory);
        failing_allocator_arm(&memory, n);
        status = graze_replay_create(&def, record.bytes, record.size, &replay);
        failing_allocator_disarm(&memory);
        if (status != GRAZE_OK) {
            kit_assert_logged(&log, GRAZE_ERROR_OUT_OF_MEMORY, "graze_replay_create: ");
            assert_null(replay);
        }
        graze_replay_destroy(replay);
        failing_allocator_assert_empty(&memory);
    }
    kit_record_free(&record);
}

static void bad_defs_are_refused(void **state)
{
    (void)state;
    graze_world_def def = graze_world_def_default();
    graze_replay *replay;
    assert_int_equal(graze_replay_create(NULL, "", 0, &replay), GRAZE_ERROR_ARGUMENT);
    kit_log log = {0};
    def.log = kit_write_log;
    def.log_user = &log;
    assert_int_equal(graze_replay_create(&def, "", 0, NULL), GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_replay_create|replay is null");
    def.cookie = 0;
    assert_int_equal(graze_replay_create(&def, "", 0, &replay), GRAZE_ERROR_ARGUMENT);
    assert_null(replay);
    graze_replay_destroy(NULL);
}

static void a_fixed_capacity_does_not_limit_a_replay(void **state)
{
    (void)state;
    kit_record record = replay_record(NULL, true);
    graze_world_def def = graze_world_def_default();
    def.fixed_capacity = true;
    def.body_capacity = 1;
    def.contact_capacity = 1;
    graze_replay *replay;
    assert_int_equal(graze_replay_create(&def, record.bytes, record.size, &replay), GRAZE_OK);
    kit_replay_to_end(replay, REPLAY_STEPS, 0);
    graze_replay_destroy(replay);
    kit_record_free(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_step_and_body_that_differ_are_named),
        cmocka_unit_test(both_values_of_the_body_are_given),
        cmocka_unit_test(without_what_names_bodies_the_step_is_found),
        cmocka_unit_test(terrain_that_differs_is_told_at_the_end),
        cmocka_unit_test(an_id_that_differs_is_a_call_that_does),
        cmocka_unit_test(what_is_no_record_is_refused),
        cmocka_unit_test(a_replay_for_which_there_is_no_memory_says_so_in_one_line),
        cmocka_unit_test(bad_defs_are_refused),
        cmocka_unit_test(a_fixed_capacity_does_not_limit_a_replay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
