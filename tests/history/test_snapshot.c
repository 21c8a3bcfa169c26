#include "busy_world.h"

#include <stdlib.h>
#include <string.h>

// --- What a loaded world is ---

static void a_loaded_world_answers_every_call_as_the_saved_one(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        graze_world *saved = busy_world_after(seed, (uint32_t)seed % 20);
        graze_world *loaded = busy_empty_world();
        size_t size;
        void *bytes = kit_save(saved, &size);
        kit_load(loaded, bytes, size);
        busy_assert_same(saved, loaded, seed);
        free(bytes);
        graze_world_destroy(saved);
        graze_world_destroy(loaded);
    }
}

// A world that was never saved, and three that were loaded: a fresh one, one with other contents,
// and the saved world itself after it had gone on.
static void go_on_from(uint64_t seed, uint32_t frames)
{
    graze_world *worlds[] = {busy_world_after(seed, frames), busy_empty_world(),
                             busy_world_after(seed + 1000, 7), busy_world_after(seed, frames)};
    random_state random = random_seed(seed + 5);
    size_t size;
    void *bytes = kit_save(worlds[3], &size);
    for (uint32_t i = 0; i < 5; ++i) {
        busy_frame(worlds[3], &random);
    }
    for (uint32_t i = 1; i < 4; ++i) {
        kit_load(worlds[i], bytes, size);
    }
    for (uint32_t frame = 0; frame < 40; ++frame) {
        for (uint32_t i = 0; i < 4; ++i) {
            random = random_seed(seed + frame);
            busy_frame(worlds[i], &random);
            busy_assert_same(worlds[0], worlds[i], seed * 1000 + frame);
        }
    }
    for (uint32_t i = 0; i < 4; ++i) {
        graze_world_destroy(worlds[i]);
    }
    free(bytes);
}

static void a_world_goes_on_the_same_from_wherever_it_was_loaded(void **state)
{
    (void)state;
    random_state random = random_seed(1);
    for (uint64_t seed = 1; seed <= 12; ++seed) {
        go_on_from(seed, random_below(&random, 40));
    }
}

static void equal_worlds_give_equal_bytes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        graze_world *world = busy_world_after(seed, 20);
        graze_world *other = busy_world_after(seed + 1, 3);
        size_t size;
        void *bytes = kit_save(world, &size);
        kit_load(other, bytes, size);
        kit_assert_saves(other, bytes, size);
        free(bytes);
        graze_world_destroy(world);
        graze_world_destroy(other);
    }
}

static void an_empty_world_empties_what_it_is_loaded_into(void **state)
{
    (void)state;
    graze_world *empty = busy_empty_world();
    graze_world *full = busy_world_after(1, 10);
    size_t size;
    void *bytes = kit_save(empty, &size);
    assert_int_equal(size, 128);
    kit_load(full, bytes, size);
    busy_assert_same(empty, full, 0);
    kit_step(full, 1);
    assert_int_equal(graze_world_contact_ends(full).count, 0);
    free(bytes);
    graze_world_destroy(empty);
    graze_world_destroy(full);
}

static void ids_stay_valid_and_stale_ones_stale(void **state)
{
    (void)state;
    graze_world *world = busy_empty_world();
    graze_body_id gone = kit_add(world, kit_circle(0, 0, 1));
    graze_body_id kept = kit_add(world, kit_circle(5, 0, 1));
    graze_chain_id old_chain = kit_wall(world, 0, 0, 1, 1);
    graze_chain_id chain = kit_wall(world, 0, 0, 2, 2);
    graze_body_destroy(world, gone);
    graze_chain_destroy(world, old_chain);
    size_t size;
    void *bytes = kit_save(world, &size);
    graze_body_id later = kit_add(world, kit_circle(0, 0, 1));
    graze_chain_id later_chain = kit_wall(world, 0, 0, 3, 3);
    graze_body_destroy(world, kept);
    graze_chain_destroy(world, chain);
    kit_load(world, bytes, size);
    assert_true(graze_body_is_valid(world, kept) && graze_chain_is_valid(world, chain));
    assert_false(graze_body_is_valid(world, gone) || graze_chain_is_valid(world, old_chain));
    assert_false(graze_body_is_valid(world, later) || graze_chain_is_valid(world, later_chain));
    assert_true(kit_is_same(kit_add(world, kit_circle(0, 0, 1)), later));
    graze_chain_id again = kit_wall(world, 0, 0, 3, 3);
    assert_int_equal(again.index, later_chain.index);
    assert_int_equal(again.generation, later_chain.generation);
    free(bytes);
    graze_world_destroy(world);
}

static void what_a_world_is_made_with_stays_its_own(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = busy_world_after(1, 10);
    graze_world *logging = kit_world_logging(&log);
    size_t size;
    void *bytes = kit_save(world, &size);
    kit_load(logging, bytes, size);
    const graze_body_id none = {0, 0};
    assert_int_equal(graze_body_destroy(logging, none), GRAZE_ERROR_STALE_ID);
    kit_assert_logged(&log, GRAZE_ERROR_STALE_ID, "graze_body_destroy");
    free(bytes);
    graze_world_destroy(world);
    graze_world_destroy(logging);
}

// --- Extremes ---

static graze_body_def far_body(float x, float size)
{
    graze_body_def def = kit_circle(x, -x, size);
    def.velocity.x = x / 1000;
    def.response = GRAZE_BOUNCE;
    def.restitution = 1;
    return def;
}

static void numbers_at_the_ends_of_their_range_are_kept(void **state)
{
    (void)state;
    const float places[] = {0, 1e-45f, 1e-38f, 1, 1e6f, 1e18f, 3e38f, -3e38f, -1e-45f};
    const float angles[] = {0, 1e-30f, 3.14159274f, -3.14159274f, 4, 1e8f, 3e9f, 1e15f, 3e38f};
    graze_world *world = busy_empty_world();
    for (uint32_t i = 0; i < 9; ++i) {
        kit_add(world, far_body(places[i], places[i] < 0 ? 0 : places[i]));
        graze_body_def rect = kit_rect(places[i], 0, 1e-45f, 3e38f);
        rect.angle = angles[i];
        rect.spin = angles[i];
        kit_add(world, rect);
    }
    kit_wall(world, -3e38f, 0, 3e38f, 1e-45f);
    for (uint32_t step = 0; step < 5; ++step) {
        graze_world *other = busy_empty_world();
        size_t size;
        void *bytes = kit_save(world, &size);
        kit_load(other, bytes, size);
        busy_assert_same(world, other, step);
        kit_step(world, 0.5f);
        kit_step(other, 0.5f);
        busy_assert_same(world, other, step);
        free(bytes);
        graze_world_destroy(other);
    }
    graze_world_destroy(world);
}

// --- Terrain ---

// The grid has both lines of a chain for a moment, with segments in common.
static void terrain_that_differs_in_part_is_found_as_it_was(void **state)
{
    (void)state;
    const graze_vec2 points[] = {{-9, 0}, {-3, 0}, {3, 0}, {9, 0}, {9, 6}, {-9, 6}};
    const graze_ray rays[] = {{{-6, 3}, {0, -9}}, {{0, 3}, {0, -9}}, {{6, 3}, {0, -9}},
                              {{6, 3}, {9, 0}},   {{0, 3}, {0, 9}},  {{0, 3}, {-20, 0}}};
    for (uint32_t from = 2; from <= 6; ++from) {
        for (uint32_t to = 2; to <= 6; ++to) {
            graze_world *world = busy_empty_world();
            graze_world *other = busy_empty_world();
            graze_chain_def def = graze_chain_def_default();
            def.points = points;
            def.count = from;
            def.loop = from == 6;
            graze_chain_create(world, &def);
            def.count = to;
            def.loop = to == 6;
            graze_chain_create(other, &def);
            size_t size;
            void *bytes = kit_save(other, &size);
            kit_load(world, bytes, size);
            for (uint32_t i = 0; i < 6; ++i) {
                graze_query_hit hits[2][8];
                memset(hits, 0, sizeof hits);
                const graze_filter filter = graze_filter_default();
                uint32_t count = graze_query_ray_all(world, rays[i], filter, hits[0], 8);
                assert_int_equal(graze_query_ray_all(other, rays[i], filter, hits[1], 8), count);
                assert_memory_equal(hits[0], hits[1], sizeof hits[0]);
            }
            free(bytes);
            graze_world_destroy(world);
            graze_world_destroy(other);
        }
    }
}

static void points_of_terrain_that_stays_stay_where_they_are(void **state)
{
    (void)state;
    graze_world *world = busy_empty_world();
    graze_chain_id chain = kit_square(world, -5, 5);
    size_t size;
    void *bytes = kit_save(world, &size);
    kit_square(world, -6, 6);
    const graze_vec2 *points = graze_chain_get_def(world, chain).points;
    kit_load(world, bytes, size);
    assert_true(graze_chain_get_def(world, chain).points == points);
    assert_int_equal(graze_world_get_stats(world).segment_count, 4);
    free(bytes);
    graze_world_destroy(world);
}

// --- Sorting without a step ---

static void sorting_changes_nothing_but_the_order_of_columns(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        graze_world *world = busy_world_after(seed, 15);
        graze_world *sorted = busy_empty_world();
        size_t size;
        void *bytes = kit_save(world, &size);
        kit_load(sorted, bytes, size);
        for (uint32_t frame = 0; frame < 5; ++frame) {
            assert_int_equal(graze_world_sort(sorted), GRAZE_OK);
            busy_assert_same(world, sorted, seed);
            random_state one = random_seed(seed + frame);
            random_state other = one;
            busy_frame(world, &one);
            busy_frame(sorted, &other);
        }
        free(bytes);
        graze_world_destroy(world);
        graze_world_destroy(sorted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loaded_world_answers_every_call_as_the_saved_one),
        cmocka_unit_test(a_world_goes_on_the_same_from_wherever_it_was_loaded),
        cmocka_unit_test(equal_worlds_give_equal_bytes),
        cmocka_unit_test(an_empty_world_empties_what_it_is_loaded_into),
        cmocka_unit_test(ids_stay_valid_and_stale_ones_stale),
        cmocka_unit_test(what_a_world_is_made_with_stays_its_own),
        cmocka_unit_test(numbers_at_the_ends_of_their_range_are_kept),
        cmocka_unit_test(terrain_that_differs_in_part_is_found_as_it_was),
        cmocka_unit_test(points_of_terrain_that_stays_stay_where_they_are),
        cmocka_unit_test(sorting_changes_nothing_but_the_order_of_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
