#include "world_kit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const graze_vec2 corners[4] = {{0, 0}, {4, 0}, {4, 3}, {0, 3}};

static graze_chain_def chain_def(const graze_vec2 *points, uint32_t count)
{
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = count;
    return def;
}

static bool is_none(graze_chain_id chain)
{
    return chain.index == 0 && chain.generation == 0;
}

static void refuse_chain(graze_world *world, kit_log *log, graze_chain_def def, const char *words)
{
    uint64_t hash = graze_world_hash(world);
    assert_true(is_none(graze_chain_create(world, &def)));
    assert_int_equal(graze_world_last_status(world), GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(log, GRAZE_ERROR_ARGUMENT, words);
    assert_true(graze_world_hash(world) == hash);
}

static void every_bad_field_of_a_def_is_refused_by_its_name(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    refuse_chain(world, &log, chain_def(NULL, 4), "graze_chain_create|points|null");
    refuse_chain(world, &log, chain_def(corners, 0), "graze_chain_create|count is 0");
    refuse_chain(world, &log, chain_def(corners, 1), "graze_chain_create|count is 1");
    graze_chain_def def = chain_def(corners, 4);
    def.cookie = 1;
    refuse_chain(world, &log, def, "graze_chain_create|cookie is 1|graze_chain_def_default");
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (uint32_t i = 0; i < 3; ++i) {
        graze_vec2 points[3] = {{0, 0}, {1, 1}, {2, 2}};
        points[i].x = bad[i];
        char words[64];
        snprintf(words, sizeof words, "graze_chain_create|points[%u] is", (unsigned)i);
        refuse_chain(world, &log, chain_def(points, 3), words);
        points[i].x = 0;
        points[i].y = bad[i];
        refuse_chain(world, &log, chain_def(points, 3), words);
    }
    assert_true(is_none(graze_chain_create(world, NULL)));
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_chain_create|def|null");
    graze_world_destroy(world);
}

// The count is refused before a point is read: it may have overflowed in the caller.
static void a_count_past_all_limits_is_refused_by_itself(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    const uint64_t hash = graze_world_hash(world);
    const uint32_t counts[] = {UINT32_MAX, (1u << 27) + 2};
    for (uint32_t i = 0; i < 2; ++i) {
        const graze_chain_def def = chain_def(corners, counts[i]);
        assert_true(is_none(graze_chain_create(world, &def)));
        assert_int_equal(graze_world_last_status(world), GRAZE_ERROR_LIMIT);
        char words[64];
        snprintf(words, sizeof words, "graze_chain_create|%u more segments", counts[i] - 1);
        kit_assert_logged(&log, GRAZE_ERROR_LIMIT, words);
    }
    assert_true(graze_world_hash(world) == hash);
    graze_world_destroy(world);
}

static void the_least_vacant_index_is_used_again_also_after_loading(void **state)
{
    (void)state;
    enum { COUNT = 5000, SIZE = 1 << 19 };
    static unsigned char bytes[SIZE];
    static graze_chain_id ids[COUNT];
    graze_world *world = kit_world();
    graze_world *loaded = kit_world();
    for (uint32_t i = 0; i < COUNT; ++i) {
        ids[i] = kit_wall(world, (float)i, 0, (float)i, 1);
    }
    static const uint32_t gone[] = {4500, 70, 4097, 3};
    for (uint32_t i = 0; i < 4; ++i) {
        assert_int_equal(graze_chain_destroy(world, ids[gone[i]]), GRAZE_OK);
    }
    assert_int_equal(graze_world_save(world, bytes, SIZE), GRAZE_OK);
    (void)kit_wall(loaded, 0, 0, 1, 1);
    assert_int_equal(graze_world_load(loaded, bytes, SIZE), GRAZE_OK);
    static const uint32_t expected[] = {3, 70, 4097, 4500, COUNT};
    for (uint32_t i = 0; i < 5; ++i) {
        assert_int_equal(kit_wall(world, 0, -1, 1, -1).index, expected[i]);
        assert_int_equal(kit_wall(loaded, 0, -1, 1, -1).index, expected[i]);
    }
    graze_world_destroy(world);
    graze_world_destroy(loaded);
}

static void the_world_keeps_its_own_copy(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_vec2 points[4];
    memcpy(points, corners, sizeof points);
    graze_chain_def def = chain_def(points, 4);
    def.loop = true;
    def.one_sided = true;
    def.sensor = true;
    def.filter.category = 6;
    def.user_data = 42;
    graze_chain_id chain = graze_chain_create(world, &def);
    memset(points, 0, sizeof points);
    graze_chain_def read = graze_chain_get_def(world, chain);
    assert_int_equal(read.count, 4);
    assert_memory_equal(read.points, corners, sizeof corners);
    assert_true(read.loop && read.one_sided && read.sensor);
    assert_int_equal(read.filter.category, 6);
    assert_int_equal(read.user_data, 42);
    graze_chain_id copy = graze_chain_create(world, &read);
    assert_true(graze_chain_is_valid(world, copy));
    graze_world_destroy(world);
}

static void a_chain_has_a_segment_less_than_points_and_as_many_when_it_loops(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_chain_def def = chain_def(corners, 4);
    graze_chain_id open = graze_chain_create(world, &def);
    assert_int_equal(graze_world_get_stats(world).segment_count, 3);
    def.loop = true;
    graze_chain_create(world, &def);
    assert_int_equal(graze_world_get_stats(world).segment_count, 7);
    assert_int_equal(graze_world_get_stats(world).chain_count, 2);
    assert_int_equal(graze_chain_destroy(world, open), GRAZE_OK);
    assert_int_equal(graze_world_get_stats(world).segment_count, 4);
    assert_int_equal(graze_world_get_stats(world).chain_count, 1);
    graze_world_destroy(world);
}

static void stale_chain_ids_are_refused_everywhere(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    graze_chain_id gone = kit_wall(world, 0, 0, 1, 1);
    assert_int_equal(graze_chain_destroy(world, gone), GRAZE_OK);
    graze_chain_id reused = kit_wall(world, 0, 0, 1, 1);
    assert_int_equal(reused.index, gone.index);
    const graze_chain_id ids[] = {
        {0, 0}, gone, {0, reused.generation + 1}, {1, 1}, {UINT32_MAX, 1}};
    for (uint32_t i = 0; i < sizeof ids / sizeof *ids; ++i) {
        assert_false(graze_chain_is_valid(world, ids[i]));
        assert_int_equal(graze_chain_destroy(world, ids[i]), GRAZE_ERROR_STALE_ID);
        kit_assert_logged(&log, GRAZE_ERROR_STALE_ID, "graze_chain_destroy|not in the world");
        assert_null(graze_chain_get_def(world, ids[i]).points);
    }
    assert_true(graze_chain_is_valid(world, reused));
    graze_world_destroy(world);
}

static void contacts_name_the_segment(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_chain_def def = chain_def(corners, 4);
    def.loop = true;
    graze_chain_id chain = graze_chain_create(world, &def);
    const graze_vec2 ways[] = {{0, -9}, {9, 0}, {0, 9}, {-9, 0}};
    for (uint32_t i = 0; i < 4; ++i) {
        graze_body_id bullet = kit_add(world, kit_bullet(2, 1, ways[i].x, ways[i].y));
        kit_step(world, 1);
        const graze_contact *contact = kit_find_wall_contact(world, bullet, chain);
        assert_non_null(contact);
        assert_int_equal(contact->segment.index, i);
        kit_assert_near_vec2(contact->normal, ways[i].x / 9, ways[i].y / 9, 1e-6f);
    }
    graze_world_destroy(world);
}

static void repeated_points_make_segments_that_stop_nobody(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const graze_vec2 points[] = {{5, 0}, {5, 0}, {5, 0}};
    graze_chain_def def = chain_def(points, 3);
    graze_chain_create(world, &def);
    graze_body_def def_of_bullet = kit_bullet(0, 0, 10, 0);
    def_of_bullet.filter.group = -1;
    graze_body_def def_of_disc = kit_moving(kit_circle(0, 0.5f, 1), 10, 0, GRAZE_PASS);
    def_of_disc.filter.group = -1;
    graze_body_id bullet = kit_add(world, def_of_bullet);
    graze_body_id disc = kit_add(world, def_of_disc);
    kit_step(world, 1);
    assert_true(graze_body_is_valid(world, bullet));
    assert_int_equal(kit_count_contacts(world, bullet), 0);
    assert_int_equal(kit_count_contacts(world, disc), 2);
    graze_world_destroy(world);
}

static void a_chain_meets_only_whom_its_filter_allows(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const graze_vec2 points[] = {{5, -5}, {5, 5}};
    graze_chain_def def = chain_def(points, 2);
    def.filter.category = 2;
    def.filter.mask = 4;
    graze_chain_id chain = graze_chain_create(world, &def);
    graze_body_def bullet = kit_bullet(0, 0, 10, 0);
    graze_body_id stranger = kit_add(world, bullet);
    bullet.filter.category = 4;
    graze_body_id met = kit_add(world, bullet);
    kit_step(world, 1);
    assert_null(kit_find_wall_contact(world, stranger, chain));
    assert_non_null(kit_find_wall_contact(world, met, chain));
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bad_field_of_a_def_is_refused_by_its_name),
        cmocka_unit_test(a_count_past_all_limits_is_refused_by_itself),
        cmocka_unit_test(the_least_vacant_index_is_used_again_also_after_loading),
        cmocka_unit_test(the_world_keeps_its_own_copy),
        cmocka_unit_test(a_chain_has_a_segment_less_than_points_and_as_many_when_it_loops),
        cmocka_unit_test(stale_chain_ids_are_refused_everywhere),
        cmocka_unit_test(contacts_name_the_segment),
        cmocka_unit_test(repeated_points_make_segments_that_stop_nobody),
        cmocka_unit_test(a_chain_meets_only_whom_its_filter_allows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
