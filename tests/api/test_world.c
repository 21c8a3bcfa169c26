#include "failing_allocator.h"
#include "world_kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- Making a world ---

static void refuse_world(kit_log *log, graze_world_def def, const char *words)
{
    def.log = kit_write_log;
    def.log_user = log;
    assert_null(graze_world_create(&def));
    kit_assert_logged(log, GRAZE_ERROR_ARGUMENT, words);
}

static void a_bad_world_def_is_refused_by_the_name_of_its_field(void **state)
{
    (void)state;
    kit_log log = {.count = 0};
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (uint32_t i = 0; i < 3; ++i) {
        graze_world_def def = graze_world_def_default();
        def.gravity.x = bad[i];
        refuse_world(&log, def, i == 0 ? "graze_world_create|gravity.x|nan" : "gravity.x|inf");
        def = graze_world_def_default();
        def.gravity.y = bad[i];
        refuse_world(&log, def, "graze_world_create|gravity.y");
    }
    failing_allocator memory = {.calls = 0};
    graze_world_def def = graze_world_def_default();
    def.allocator = failing_allocator_interface(&memory);
    def.allocator.release = NULL;
    refuse_world(&log, def, "allocator");
    def = graze_world_def_default();
    def.fixed_capacity = true;
    def.segment_capacity = 1;
    def.contact_capacity = 1;
    refuse_world(&log, def, "body_capacity|0");
    def.body_capacity = 1;
    def.contact_capacity = 0;
    refuse_world(&log, def, "contact_capacity|0");
}

static void a_world_def_without_its_cookie_or_null_is_refused(void **state)
{
    (void)state;
    graze_world_def def;
    memset(&def, 0, sizeof def);
    assert_null(graze_world_create(&def));
    assert_null(graze_world_create(NULL));
    graze_world_destroy(NULL);
}

static void lanes_that_cannot_be_had_are_named_in_the_log_and_others_used(void **state)
{
    (void)state;
    const char *set = getenv("GRAZE_LANES");
    char *before = set ? strdup(set) : NULL;
    assert_int_equal(setenv("GRAZE_LANES", "abacus", 1), 0);
    kit_log log = {.count = 0};
    graze_world_def def = graze_world_def_default();
    def.log = kit_write_log;
    def.log_user = &log;
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_world_create|GRAZE_LANES|abacus");
    graze_world_destroy(world);
    assert_int_equal(setenv("GRAZE_LANES", "scalar", 1), 0);
    world = graze_world_create(&def);
    assert_int_equal(log.count, 0);
    assert_string_equal(graze_world_get_stats(world).lanes, "scalar");
    graze_world_destroy(world);
    assert_int_equal(before ? setenv("GRAZE_LANES", before, 1) : unsetenv("GRAZE_LANES"), 0);
    free(before);
}

static void a_new_world_is_empty(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_world_stats stats = graze_world_get_stats(world);
    assert_int_equal(stats.body_count, 0);
    assert_int_equal(stats.chain_count, 0);
    assert_int_equal(stats.segment_count, 0);
    assert_int_equal(stats.step_count, 0);
    assert_int_equal(graze_world_contacts(world).count, 0);
    uint32_t count = 1;
    assert_null(graze_world_positions(world, &count));
    assert_int_equal(count, 0);
    assert_null(graze_world_velocities(world, NULL));
    assert_null(graze_world_angles(world, NULL));
    assert_null(graze_world_indices(world, NULL));
    kit_step(world, 1);
    kit_step(world, 1);
    assert_int_equal(graze_world_get_stats(world).step_count, 2);
    graze_world_destroy(world);
}

// --- Stepping ---

static void a_step_takes_only_a_finite_time_above_0(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    kit_add(world, kit_moving(kit_circle(0, 0, 1), 1, 0, GRAZE_PASS));
    uint64_t hash = graze_world_hash(world);
    const float bad[] = {0, -0.0f, -1, NAN, INFINITY, -INFINITY};
    for (uint32_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        assert_int_equal(graze_world_step(world, bad[i]), GRAZE_ERROR_ARGUMENT);
        kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_world_step|dt is");
        assert_true(graze_world_hash(world) == hash);
    }
    assert_int_equal(graze_world_get_stats(world).step_count, 0);
    graze_world_destroy(world);
}

static void gravity_moves_all_bodies_but_those_without_mass(void **state)
{
    (void)state;
    graze_world_def def = graze_world_def_default();
    def.gravity.y = -8;
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    graze_body_id falling = kit_add(world, kit_circle(0, 0, 1));
    graze_body_def fixed_def = kit_rect(10, 0, 1, 1);
    fixed_def.mass = 0;
    graze_body_id fixed = kit_add(world, fixed_def);
    kit_step(world, 0.5f);
    kit_assert_near_vec2(graze_body_velocity(world, falling), 0, -4, 0);
    kit_assert_near_vec2(graze_body_position(world, falling), 0, -2, 0);
    kit_assert_near_vec2(graze_body_position(world, fixed), 10, 0, 0);
    kit_assert_near_vec2(graze_body_velocity(world, fixed), 0, 0, 0);
    graze_world_destroy(world);
}

static void a_body_that_would_leave_the_range_of_float_is_stopped_kept_and_reported(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    graze_body_id far = kit_add(world, kit_moving(kit_circle(3e38f, 5, 1), 3e38f, 1, GRAZE_PASS));
    graze_body_id fast = kit_add(world, kit_moving(kit_bullet(0, 0, 0, 0), 0, 1e38f, GRAZE_STOP));
    graze_body_id fine = kit_add(world, kit_moving(kit_circle(0, 50, 1), 1, 0, GRAZE_PASS));
    kit_step(world, 100);
    kit_assert_logged(&log, GRAZE_ERROR_LIMIT, "graze_world_step|2 bodies|float");
    assert_int_equal(graze_world_get_stats(world).overflow_count, 2);
    const graze_vec2 rest = {0, 0};
    const graze_vec2 place = {3e38f, 5};
    kit_assert_same_vec2(graze_body_position(world, far), place);
    kit_assert_same_vec2(graze_body_velocity(world, far), rest);
    assert_true(graze_body_is_valid(world, fast));
    kit_assert_same_vec2(graze_body_position(world, fast), rest);
    kit_assert_near_vec2(graze_body_position(world, fine), 100, 50, 0);
    kit_step(world, 1);
    assert_int_equal(graze_world_get_stats(world).overflow_count, 0);
    assert_int_equal(log.count, 0);
    graze_world_destroy(world);
}

static void a_body_whose_motion_and_push_both_leave_the_range_of_float_is_counted_once(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    graze_body_def fixed = kit_circle(3.2e38f, 0, 1e38f);
    fixed.mass = 0;
    kit_add(world, fixed);
    const graze_body_def held = kit_moving(kit_circle(3.3e38f, 0, 1e38f), 3e38f, 0, GRAZE_SLIDE);
    const graze_body_id held_id = kit_add(world, held);
    kit_step(world, 1);
    assert_int_equal(graze_world_get_stats(world).overflow_count, 1);
    kit_assert_logged(&log, GRAZE_ERROR_LIMIT, "graze_world_step|1 body|float");
    kit_assert_same_vec2(graze_body_position(world, held_id), held.position);
    kit_step(world, 1); // Now only the push leads out.
    assert_int_equal(graze_world_get_stats(world).overflow_count, 1);
    kit_assert_same_vec2(graze_body_position(world, held_id), held.position);
    graze_world_destroy(world);
}

static void gravity_past_the_range_of_float_does_not_touch_what_it_does_not_move(void **state)
{
    (void)state;
    kit_log log = {0};
    graze_world_def def = graze_world_def_default();
    def.gravity.x = 3e38f;
    def.gravity.y = -3e38f;
    def.log = kit_write_log;
    def.log_user = &log;
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    const graze_body_id falling = kit_add(world, kit_circle(0, 0, 1));
    graze_body_def lift = kit_moving(kit_rect(10, 0, 1, 1), 1, 2, GRAZE_SLIDE);
    lift.mass = 0;
    const graze_body_id rising = kit_add(world, lift);
    kit_step(world, 4);
    kit_assert_logged(&log, GRAZE_ERROR_LIMIT, "graze_world_step|1 body|float");
    kit_assert_near_vec2(graze_body_position(world, falling), 0, 0, 0);
    kit_assert_near_vec2(graze_body_position(world, rising), 14, 8, 0);
    kit_assert_near_vec2(graze_body_velocity(world, rising), 1, 2, 0);
    graze_world_destroy(world);
}

static void the_largest_world_that_float_allows_works(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const float far = 3.4e38f;
    kit_add(world, kit_circle(far, far, far));
    kit_add(world, kit_circle(-far, -far, 0));
    kit_add(world, kit_rect(-far, far, far, far));
    kit_add(world, kit_moving(kit_bullet(far, -far, 0, 0), -far, far, GRAZE_PASS));
    kit_square(world, -far, far);
    for (uint32_t step = 0; step < 3; ++step) {
        kit_step(world, 1);
    }
    graze_contact_list contacts = graze_world_contacts(world);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        const graze_contact *contact = &contacts.data[i];
        assert_true(contact->time >= 0 && contact->time <= 1 && contact->depth >= 0);
        kit_assert_near(graze_vec2_length(contact->normal), 1, 1e-5f);
    }
    graze_world_destroy(world);
}

// --- Limits ---

static graze_world *fixed_world(kit_log *log, uint32_t bodies, uint32_t segments, uint32_t contacts)
{
    memset(log, 0, sizeof *log);
    graze_world_def def = graze_world_def_default();
    def.fixed_capacity = true;
    def.body_capacity = bodies;
    def.segment_capacity = segments;
    def.contact_capacity = contacts;
    def.log = kit_write_log;
    def.log_user = log;
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    return world;
}

static void past_the_limit_of_bodies_nothing_changes(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = fixed_world(&log, 3, 1, 100);
    graze_body_def defs[4];
    for (uint32_t i = 0; i < 4; ++i) {
        defs[i] = kit_circle(10 * (float)i, 0, 1);
    }
    graze_body_id ids[4] = {{7, 7}, {7, 7}, {7, 7}, {7, 7}};
    uint64_t hash = graze_world_hash(world);
    assert_int_equal(graze_body_create_many(world, defs, 4, ids), 0);
    assert_int_equal(graze_world_last_status(world), GRAZE_ERROR_LIMIT);
    kit_assert_logged(&log, GRAZE_ERROR_LIMIT,
                      "graze_body_create_many|4 more bodies|body_capacity is ");
    assert_int_equal(ids[0].index, 7);
    assert_true(graze_world_hash(world) == hash);
    assert_int_equal(graze_body_create_many(world, defs, 3, ids), 3);
    hash = graze_world_hash(world);
    assert_true(kit_is_none(graze_body_create(world, &defs[3])));
    kit_assert_logged(&log, GRAZE_ERROR_LIMIT, "graze_body_create");
    assert_true(graze_world_hash(world) == hash);
    assert_int_equal(graze_body_destroy(world, ids[1]), GRAZE_OK);
    kit_add(world, defs[3]);
    for (uint32_t i = 0; i < 200; ++i) {
        assert_int_equal(graze_body_destroy(world, graze_world_body_at(world, 0)), GRAZE_OK);
        kit_add(world, defs[0]);
    }
    graze_world_destroy(world);
}

// Before a def is read: the count may be one that has gone wrong.
static void a_count_past_all_limits_is_refused_by_itself(void **state)
{
    (void)state;
    kit_log log;
    graze_world *growing = kit_world_logging(&log);
    const graze_body_def def = kit_circle(0, 0, 1);
    assert_int_equal(graze_body_create_many(growing, &def, UINT32_MAX, NULL), 0);
    assert_int_equal(graze_world_last_status(growing), GRAZE_ERROR_LIMIT);
    kit_assert_logged(&log, GRAZE_ERROR_LIMIT, "graze_body_create_many|4294967295 more bodies");
    graze_world_destroy(growing);
    graze_world *fixed = fixed_world(&log, 3, 1, 100);
    assert_int_equal(graze_body_create_many(fixed, &def, 4, NULL), 0);
    assert_int_equal(graze_world_last_status(fixed), GRAZE_ERROR_LIMIT);
    kit_assert_logged(&log, GRAZE_ERROR_LIMIT, "graze_body_create_many|4 more bodies");
    graze_world_destroy(fixed);
}

static void past_the_limit_of_segments_nothing_changes(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = fixed_world(&log, 3, 4, 100);
    graze_chain_id square = kit_square(world, 0, 1);
    uint64_t hash = graze_world_hash(world);
    const graze_vec2 points[] = {{0, 0}, {5, 5}};
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 2;
    graze_chain_id refused = graze_chain_create(world, &def);
    assert_false(graze_chain_is_valid(world, refused));
    assert_int_equal(refused.generation, 0);
    assert_int_equal(graze_world_last_status(world), GRAZE_ERROR_LIMIT);
    kit_assert_logged(&log, GRAZE_ERROR_LIMIT,
                      "graze_chain_create|1 more segment|segment_capacity is ");
    assert_true(graze_world_hash(world) == hash);
    assert_int_equal(graze_chain_destroy(world, square), GRAZE_OK);
    kit_wall(world, 0, 0, 5, 5);
    graze_world_destroy(world);
}

static void a_capacity_of_segments_reserves_nothing(void **state)
{
    (void)state;
    graze_world_def def = graze_world_def_default();
    graze_world *plain = graze_world_create(&def);
    def.segment_capacity = UINT32_MAX;
    graze_world *roomy = graze_world_create(&def);
    assert_non_null(roomy);
    assert_int_equal(graze_world_get_stats(roomy).byte_count,
                     graze_world_get_stats(plain).byte_count);
    graze_world_destroy(roomy);
    graze_world_destroy(plain);
}

static void past_the_limit_of_contacts_the_step_has_not_happened(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = fixed_world(&log, 8, 4, 3);
    graze_body_id ids[4];
    for (uint32_t i = 0; i < 4; ++i) {
        graze_response response = i % 2 ? GRAZE_STOP : GRAZE_PASS;
        ids[i] = kit_add(world, kit_moving(kit_circle((float)i, 10, 0.6f), 0, -1, response));
    }
    kit_step(world, 1);
    assert_int_equal(graze_world_contacts(world).count, 3);
    graze_body_id intruder = kit_add(world, kit_circle(0.5f, 9, 0.1f));
    uint64_t hash = graze_world_hash(world);
    graze_contact before[3];
    memcpy(before, graze_world_contacts(world).data, sizeof before);
    const graze_world_stats stats = graze_world_get_stats(world);
    for (uint32_t attempt = 0; attempt < 3; ++attempt) {
        assert_int_equal(graze_world_step(world, 1), GRAZE_ERROR_LIMIT);
        kit_assert_logged(&log, GRAZE_ERROR_LIMIT, "graze_world_step|contact_capacity|3");
        assert_true(graze_world_hash(world) == hash);
        assert_int_equal(graze_world_contacts(world).count, 3);
        assert_memory_equal(graze_world_contacts(world).data, before, sizeof before);
        const graze_world_stats now = graze_world_get_stats(world);
        assert_int_equal(now.step_count, 1);
        assert_int_equal(now.pair_count, stats.pair_count);
        assert_memory_equal(now.phase_seconds, stats.phase_seconds, sizeof stats.phase_seconds);
    }
    assert_int_equal(graze_body_destroy(world, intruder), GRAZE_OK);
    kit_step(world, 1);
    assert_int_equal(graze_world_get_stats(world).step_count, 2);
    assert_true(graze_body_is_valid(world, ids[3]));
    graze_world_destroy(world);
}

// --- Stats ---

static void stats_count_what_there_is_and_what_happened(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    kit_add(world, kit_circle(0, 0, 1));
    kit_add(world, kit_circle(1, 0, 1));
    kit_add(world, kit_circle(50, 0, 1));
    kit_add(world, kit_bullet(5, 0, -10, 0));
    graze_body_def mortal = kit_circle(90, 0, 1);
    mortal.lifetime = 1;
    kit_add(world, mortal);
    kit_square(world, -99, 99);
    kit_wall(world, 200, 0, 201, 0);
    kit_step(world, 1);
    graze_world_stats stats = graze_world_get_stats(world);
    assert_int_equal(stats.step_count, 1);
    assert_int_equal(stats.body_count, 3);
    assert_int_equal(stats.chain_count, 2);
    assert_int_equal(stats.segment_count, 5);
    assert_int_equal(stats.contact_count, 2);
    assert_int_equal(stats.begin_count, 2);
    assert_int_equal(stats.end_count, 0);
    assert_int_equal(stats.hit_count, 1);
    assert_int_equal(stats.removed_count, 2);
    assert_true(stats.pair_count >= 2);
    assert_true(stats.byte_count > 0);
    for (int phase = 0; phase < GRAZE_PHASE_COUNT; ++phase) {
        assert_true(stats.phase_seconds[phase] >= 0);
    }
    kit_step(world, 1);
    assert_int_equal(graze_world_get_stats(world).end_count, 1);
    assert_int_equal(graze_world_get_stats(world).begin_count, 0);
    graze_world_destroy(world);
}

static void stats_say_what_cells_the_grid_chose_and_why(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    assert_int_equal(graze_world_get_stats(world).grid.cell_count, 0);
    for (int i = 0; i < 400; ++i) {
        const float x = (float)(i % 20) * 3, y = (float)(i / 20) * 3;
        kit_add(world, kit_moving(kit_circle(x, y, 1), 1, 0, GRAZE_PASS));
    }
    for (int i = 0; i < 20; ++i) {
        kit_add(world, kit_moving(kit_circle((float)i * 300, 500, 100), 1, 0, GRAZE_PASS));
    }
    kit_step(world, 1.0f / 60);
    kit_step(world, 1.0f / 60);
    const graze_grid_choice grid = graze_world_get_stats(world).grid;
    assert_int_equal(grid.body_count, 420);
    assert_int_equal(grid.class_count, 2);
    assert_int_equal(grid.kept_count, 2);
    assert_int_equal(grid.refined_count, 1); // The small ones: they fill a corner of what the large
                                             // ones span.
    assert_true(grid.cell_count >= 2 * 16 && grid.cell_count <= 2 * 420 + 2 * 16);
    assert_true(grid.smallest_cell >= 2 && grid.smallest_cell < 20);
    assert_true(grid.largest_cell >= 200 && grid.largest_cell < 2000);
    assert_true(grid.crowding >= 1 && grid.crowding < 6);
    assert_true(grid.first_crowding >= grid.crowding);
    assert_true(grid.tested_count >= graze_world_get_stats(world).pair_count);
    assert_true(grid.tested_count < 420u * 40);
    graze_world_destroy(world);
}

static void every_phase_has_a_name(void **state)
{
    (void)state;
    assert_string_equal(graze_phase_name(GRAZE_PHASE_PREDICT), "predict");
    assert_string_equal(graze_phase_name(GRAZE_PHASE_REPORT), "report");
    assert_string_equal(graze_phase_name(GRAZE_PHASE_COUNT), "unknown");
    assert_string_equal(graze_phase_name((graze_phase)-1), "unknown");
    for (int phase = 0; phase < GRAZE_PHASE_COUNT; ++phase) {
        for (int other = 0; other < phase; ++other) {
            assert_string_not_equal(graze_phase_name((graze_phase)phase),
                                    graze_phase_name((graze_phase)other));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bad_world_def_is_refused_by_the_name_of_its_field),
        cmocka_unit_test(a_world_def_without_its_cookie_or_null_is_refused),
        cmocka_unit_test(lanes_that_cannot_be_had_are_named_in_the_log_and_others_used),
        cmocka_unit_test(a_new_world_is_empty),
        cmocka_unit_test(a_step_takes_only_a_finite_time_above_0),
        cmocka_unit_test(gravity_moves_all_bodies_but_those_without_mass),
        cmocka_unit_test(a_body_that_would_leave_the_range_of_float_is_stopped_kept_and_reported),
        cmocka_unit_test(
            a_body_whose_motion_and_push_both_leave_the_range_of_float_is_counted_once),
        cmocka_unit_test(gravity_past_the_range_of_float_does_not_touch_what_it_does_not_move),
        cmocka_unit_test(the_largest_world_that_float_allows_works),
        cmocka_unit_test(past_the_limit_of_bodies_nothing_changes),
        cmocka_unit_test(a_count_past_all_limits_is_refused_by_itself),
        cmocka_unit_test(past_the_limit_of_segments_nothing_changes),
        cmocka_unit_test(a_capacity_of_segments_reserves_nothing),
        cmocka_unit_test(past_the_limit_of_contacts_the_step_has_not_happened),
        cmocka_unit_test(stats_count_what_there_is_and_what_happened),
        cmocka_unit_test(stats_say_what_cells_the_grid_chose_and_why),
        cmocka_unit_test(every_phase_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
