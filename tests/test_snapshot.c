#include "support/busy_world.h"
#include "support/failing_allocator.h"

#include <stdlib.h>
#include <string.h>

static graze_world *new_world(void)
{
    graze_world_def def = busy_def();
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    return world;
}

static graze_world *new_busy_world(uint64_t seed, uint32_t frames)
{
    graze_world *world = new_world();
    random_state random = random_seed(seed);
    busy_fill(world, &random);
    for (uint32_t i = 0; i < frames; ++i) {
        busy_frame(world, &random);
    }
    return world;
}

static void load(graze_world *world, const void *bytes, size_t size)
{
    assert_int_equal(graze_world_load(world, bytes, size), GRAZE_OK);
}

// --- What a loaded world is ---

static void a_loaded_world_answers_every_call_as_the_saved_one(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        graze_world *saved = new_busy_world(seed, (uint32_t)seed % 20);
        graze_world *loaded = new_world();
        size_t size;
        void *bytes = busy_save(saved, &size);
        load(loaded, bytes, size);
        busy_assert_same(saved, loaded, seed);
        free(bytes);
        graze_world_destroy(saved);
        graze_world_destroy(loaded);
    }
}

// The one that was never saved, and three that were loaded: into a fresh world, into one that had
// other contents, and into the world itself after it had gone on.
static void go_on_from(uint64_t seed, uint32_t frames)
{
    graze_world *worlds[] = {new_busy_world(seed, frames), new_world(),
                             new_busy_world(seed + 1000, 7), new_busy_world(seed, frames)};
    random_state random = random_seed(seed + 5);
    size_t size;
    void *bytes = busy_save(worlds[3], &size);
    for (uint32_t i = 0; i < 5; ++i) {
        busy_frame(worlds[3], &random);
    }
    for (uint32_t i = 1; i < 4; ++i) {
        load(worlds[i], bytes, size);
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
        graze_world *world = new_busy_world(seed, 20);
        graze_world *other = new_busy_world(seed + 1, 3);
        size_t size, other_size;
        void *bytes = busy_save(world, &size);
        load(other, bytes, size);
        void *other_bytes = busy_save(other, &other_size);
        assert_int_equal(size, other_size);
        assert_memory_equal(bytes, other_bytes, size);
        free(bytes);
        free(other_bytes);
        graze_world_destroy(world);
        graze_world_destroy(other);
    }
}

static void an_empty_world_empties_what_it_is_loaded_into(void **state)
{
    (void)state;
    graze_world *empty = new_world();
    graze_world *full = new_busy_world(1, 10);
    size_t size;
    void *bytes = busy_save(empty, &size);
    assert_int_equal(size, 112);
    load(full, bytes, size);
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
    graze_world *world = new_world();
    graze_body_id gone = kit_add(world, kit_circle(0, 0, 1));
    graze_body_id kept = kit_add(world, kit_circle(5, 0, 1));
    graze_chain_id old_chain = kit_wall(world, 0, 0, 1, 1);
    graze_chain_id chain = kit_wall(world, 0, 0, 2, 2);
    graze_body_destroy(world, gone);
    graze_chain_destroy(world, old_chain);
    size_t size;
    void *bytes = busy_save(world, &size);
    graze_body_id later = kit_add(world, kit_circle(0, 0, 1));
    graze_chain_id later_chain = kit_wall(world, 0, 0, 3, 3);
    graze_body_destroy(world, kept);
    graze_chain_destroy(world, chain);
    load(world, bytes, size);
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
    graze_world *world = new_busy_world(1, 10);
    graze_world *logging = kit_world_logging(&log);
    size_t size;
    void *bytes = busy_save(world, &size);
    load(logging, bytes, size);
    const graze_body_id none = {0, 0};
    assert_int_equal(graze_body_destroy(logging, none), GRAZE_ERROR_STALE_ID);
    kit_assert_logged(&log, GRAZE_ERROR_STALE_ID, "graze_body_destroy");
    free(bytes);
    graze_world_destroy(world);
    graze_world_destroy(logging);
}

// --- Size and buffer ---

static void the_size_is_what_the_header_says(void **state)
{
    (void)state;
    graze_world *world = new_world();
    assert_int_equal(graze_world_snapshot_size(world), 112);
    graze_body_id first = kit_add(world, kit_circle(0, 0, 1));
    kit_add(world, kit_circle(0.5f, 0, 1));
    const size_t two = 112 + 8 + 2 * 32;
    assert_int_equal(graze_world_snapshot_size(world), two);
    kit_wall(world, 50, 0, 50, 9);
    const size_t wall = 32 + 2 * 8;
    assert_int_equal(graze_world_snapshot_size(world), two + wall);
    kit_step(world, 1);
    assert_int_equal(graze_world_snapshot_size(world), two + wall + 60);
    graze_body_destroy(world, first);
    kit_step(world, 1);
    const size_t one = 112 + 8 + 32 + 8;
    assert_int_equal(graze_world_snapshot_size(world), one + wall + 28);
    graze_world_destroy(world);
}

static size_t size_with(void (*change)(graze_body_def *def))
{
    graze_world *world = new_world();
    graze_body_def def = kit_circle(0, 0, 1);
    kit_add(world, def);
    change(&def);
    graze_body_id changed = kit_add(world, def);
    const size_t size = graze_world_snapshot_size(world);
    graze_body_destroy(world, changed);
    assert_int_equal(graze_world_snapshot_size(world), 112 + 8 + 32 + 8);
    graze_world_destroy(world);
    return size;
}

static void make_rect(graze_body_def *def)
{
    def->shape = graze_shape_rect(1, 1);
}

static void make_heavy(graze_body_def *def)
{
    def->mass = 2;
}

static void make_mortal(graze_body_def *def)
{
    def->lifetime = 2;
}

static void make_picky(graze_body_def *def)
{
    def->filter.mask = 3;
}

static void make_known(graze_body_def *def)
{
    def->user_data = 5;
}

static void what_differs_from_the_default_takes_room_where_there_is_any(void **state)
{
    (void)state;
    const size_t plain = 112 + 8 + 2 * 32;
    assert_int_equal(size_with(make_rect), plain + 2 * 8);
    assert_int_equal(size_with(make_heavy), plain + 2 * 12);
    assert_int_equal(size_with(make_mortal), plain + 2 * 12);
    assert_int_equal(size_with(make_picky), plain + 2 * 12);
    assert_int_equal(size_with(make_known), plain + 2 * 8);
}

// The one that is gone takes what it had along, and needs its index told.
static void a_body_that_a_step_removed_takes_room_until_the_next(void **state)
{
    (void)state;
    graze_world *world = new_world();
    graze_body_def def = kit_rect(0, 0, 1, 1);
    def.lifetime = 0.5f;
    def.filter.group = -1;
    kit_add(world, def);
    kit_add(world, kit_circle(9, 0, 1));
    kit_step(world, 1);
    assert_int_equal(graze_world_snapshot_size(world), 112 + 8 + 2 * (32 + 8 + 12) + 4);
    graze_world *other = new_world();
    size_t size, other_size;
    void *bytes = busy_save(world, &size);
    load(other, bytes, size);
    busy_assert_same(world, other, 0);
    void *again = busy_save(other, &other_size);
    assert_int_equal(other_size, size);
    assert_memory_equal(again, bytes, size);
    free(again);
    kit_step(world, 1);
    kit_step(other, 1);
    busy_assert_same(world, other, 1);
    assert_int_equal(graze_world_snapshot_size(other), 112 + 8 + 32 + 8);
    free(bytes);
    graze_world_destroy(world);
    graze_world_destroy(other);
}

static void a_buffer_too_small_is_refused_and_a_larger_one_is_fine(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    kit_add(world, kit_circle(0, 0, 1));
    const size_t size = graze_world_snapshot_size(world);
    unsigned char *bytes = malloc(size + 100);
    assert_non_null(bytes);
    assert_int_equal(graze_world_save(world, bytes, size - 1), GRAZE_ERROR_LIMIT);
    kit_assert_logged(&log, GRAZE_ERROR_LIMIT, "graze_world_save|151|152");
    assert_int_equal(graze_world_save(world, NULL, size), GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_world_save|buffer");
    assert_int_equal(graze_world_load(world, NULL, size), GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_world_load|buffer");
    memset(bytes, 0xA5, size + 100);
    assert_int_equal(graze_world_save(world, bytes, size + 100), GRAZE_OK);
    for (size_t i = size; i < size + 100; ++i) {
        assert_int_equal(bytes[i], 0xA5);
    }
    load(world, bytes, size + 100);
    free(bytes);
    graze_world_destroy(world);
}

static void a_buffer_may_lie_anywhere(void **state)
{
    (void)state;
    graze_world *world = new_busy_world(3, 12);
    const size_t size = graze_world_snapshot_size(world);
    unsigned char *memory = malloc(size + 8);
    void *aligned = busy_save(world, &(size_t){0});
    assert_non_null(memory);
    for (size_t shift = 0; shift < 8; ++shift) {
        graze_world *other = new_world();
        assert_int_equal(graze_world_save(world, memory + shift, size), GRAZE_OK);
        assert_memory_equal(memory + shift, aligned, size);
        load(other, memory + shift, size);
        busy_assert_same(world, other, shift);
        graze_world_destroy(other);
    }
    free(memory);
    free(aligned);
    graze_world_destroy(world);
}

// --- When it cannot be ---

/// What a filter callback tried inside a step.
typedef struct attempt {
    unsigned char bytes[112];
    graze_world *world;
    graze_status save, load, sort;
} attempt;

static bool try_all(const graze_world *world, graze_body_id a, graze_body_id b,
                    graze_segment_id segment, void *user)
{
    attempt *tried = user;
    (void)a, (void)b, (void)segment;
    tried->save = graze_world_save(world, tried->bytes, sizeof tried->bytes);
    tried->load = graze_world_load(tried->world, tried->bytes, sizeof tried->bytes);
    tried->sort = graze_world_sort(tried->world);
    return true;
}

static void inside_a_step_the_world_is_busy(void **state)
{
    (void)state;
    attempt tried = {.world = NULL};
    graze_world_def def = graze_world_def_default();
    def.filter = try_all;
    def.filter_user = &tried;
    tried.world = graze_world_create(&def);
    assert_int_equal(graze_world_save(tried.world, tried.bytes, sizeof tried.bytes), GRAZE_OK);
    kit_add(tried.world, kit_circle(0, 0, 1));
    kit_add(tried.world, kit_circle(0, 0, 1));
    kit_step(tried.world, 1);
    assert_int_equal(tried.save, GRAZE_ERROR_BUSY);
    assert_int_equal(tried.load, GRAZE_ERROR_BUSY);
    assert_int_equal(tried.sort, GRAZE_ERROR_BUSY);
    assert_int_equal(graze_world_get_stats(tried.world).body_count, 2);
    graze_world_destroy(tried.world);
}

static void a_fixed_capacity_is_a_limit(void **state)
{
    (void)state;
    graze_world *saved = new_world();
    kit_add(saved, kit_circle(0, 0, 1));
    kit_add(saved, kit_circle(0, 0, 1));
    kit_square(saved, -3, 3);
    kit_add(saved, kit_circle(3, 0, 1));
    kit_step(saved, 0.01f);
    const graze_world_stats stats = graze_world_get_stats(saved);
    assert_int_equal(stats.contact_count, 2);
    size_t size;
    void *bytes = busy_save(saved, &size);
    for (uint32_t tight = 0; tight < 4; ++tight) {
        const char *const words[] = {"3 bodies|is 2", "4 segments|is 3", "2 contacts|is 1"};
        kit_log log = {.count = 0};
        graze_world_def def = busy_def();
        def.fixed_capacity = true;
        def.body_capacity = 3 - (tight == 0);
        def.segment_capacity = 4 - (tight == 1);
        def.contact_capacity = 2 - (tight == 2);
        def.log = kit_write_log;
        def.log_user = &log;
        graze_world *world = graze_world_create(&def);
        const uint64_t before = graze_world_hash(world);
        const graze_status status = graze_world_load(world, bytes, size);
        assert_int_equal(status, tight == 3 ? GRAZE_OK : GRAZE_ERROR_LIMIT);
        if (tight < 3) {
            kit_assert_logged(&log, GRAZE_ERROR_LIMIT, words[tight]);
            assert_true(graze_world_hash(world) == before);
        } else {
            busy_assert_same(saved, world, tight);
        }
        graze_world_destroy(world);
    }
    free(bytes);
    graze_world_destroy(saved);
}

// Loads with the n-th allocation failing. Returns false when it has fewer.
static bool fail_once(size_t n, const void *bytes, size_t size, const graze_world *saved)
{
    failing_allocator memory = {.calls = 0};
    graze_world_def def = busy_def();
    def.allocator = failing_allocator_interface(&memory);
    graze_world *world = graze_world_create(&def);
    graze_world *same = new_busy_world(2, 4);
    random_state random = random_seed(2);
    busy_fill(world, &random);
    for (uint32_t i = 0; i < 4; ++i) {
        busy_frame(world, &random);
    }
    const graze_contact *contacts = graze_world_contacts(world).data;
    failing_allocator_arm(&memory, n);
    const graze_status status = graze_world_load(world, bytes, size);
    const bool failed = failing_allocator_disarm(&memory);
    assert_int_equal(status, failed ? GRAZE_ERROR_OUT_OF_MEMORY : GRAZE_OK);
    assert_int_equal(graze_world_get_stats(world).byte_count, memory.live_bytes);
    if (failed) {
        assert_true(graze_world_contacts(world).data == contacts);
        busy_assert_same(world, same, n);
        random_state other = random;
        busy_frame(world, &random);
        busy_frame(same, &other);
        busy_assert_same(world, same, n);
        load(world, bytes, size);
    }
    busy_assert_same(world, saved, n);
    graze_world_destroy(world);
    graze_world_destroy(same);
    failing_allocator_assert_empty(&memory);
    return failed;
}

static void without_memory_nothing_changes_and_the_next_call_succeeds(void **state)
{
    (void)state;
    graze_world *saved = new_busy_world(9, 60);
    size_t size;
    void *bytes = busy_save(saved, &size);
    size_t failures = 0;
    for (size_t n = 1; fail_once(n, bytes, size, saved); ++n) {
        ++failures;
    }
    assert_true(failures > 10);
    free(bytes);
    graze_world_destroy(saved);
}

static void rolling_back_and_forth_allocates_nothing(void **state)
{
    (void)state;
    failing_allocator memory = {.calls = 0};
    graze_world_def def = busy_def();
    def.allocator = failing_allocator_interface(&memory);
    graze_world *world = graze_world_create(&def);
    random_state random = random_seed(4);
    busy_fill(world, &random);
    size_t warm = 0;
    for (uint32_t round = 0; round < 6; ++round) {
        size_t size;
        void *bytes = busy_save(world, &size);
        for (uint32_t i = 0; i < 20; ++i) {
            kit_step(world, 1.0f / 60.0f);
        }
        load(world, bytes, size);
        free(bytes);
        warm = round == 2 ? memory.calls : warm;
    }
    assert_int_equal(memory.calls, warm);
    graze_world_destroy(world);
    failing_allocator_assert_empty(&memory);
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
    graze_world *world = new_world();
    for (uint32_t i = 0; i < 9; ++i) {
        kit_add(world, far_body(places[i], places[i] < 0 ? 0 : places[i]));
        graze_body_def rect = kit_rect(places[i], 0, 1e-45f, 3e38f);
        rect.angle = angles[i];
        rect.spin = angles[i];
        kit_add(world, rect);
    }
    kit_wall(world, -3e38f, 0, 3e38f, 1e-45f);
    for (uint32_t step = 0; step < 5; ++step) {
        graze_world *other = new_world();
        size_t size;
        void *bytes = busy_save(world, &size);
        load(other, bytes, size);
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
            graze_world *world = new_world();
            graze_world *other = new_world();
            graze_chain_def def = graze_chain_def_default();
            def.points = points;
            def.count = from;
            def.loop = from == 6;
            graze_chain_create(world, &def);
            def.count = to;
            def.loop = to == 6;
            graze_chain_create(other, &def);
            size_t size;
            void *bytes = busy_save(other, &size);
            load(world, bytes, size);
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
    graze_world *world = new_world();
    graze_chain_id chain = kit_square(world, -5, 5);
    size_t size;
    void *bytes = busy_save(world, &size);
    kit_square(world, -6, 6);
    const graze_vec2 *points = graze_chain_get_def(world, chain).points;
    load(world, bytes, size);
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
        graze_world *world = new_busy_world(seed, 15);
        graze_world *sorted = new_world();
        size_t size;
        void *bytes = busy_save(world, &size);
        load(sorted, bytes, size);
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
        cmocka_unit_test(the_size_is_what_the_header_says),
        cmocka_unit_test(what_differs_from_the_default_takes_room_where_there_is_any),
        cmocka_unit_test(a_body_that_a_step_removed_takes_room_until_the_next),
        cmocka_unit_test(a_buffer_too_small_is_refused_and_a_larger_one_is_fine),
        cmocka_unit_test(a_buffer_may_lie_anywhere),
        cmocka_unit_test(inside_a_step_the_world_is_busy),
        cmocka_unit_test(a_fixed_capacity_is_a_limit),
        cmocka_unit_test(without_memory_nothing_changes_and_the_next_call_succeeds),
        cmocka_unit_test(rolling_back_and_forth_allocates_nothing),
        cmocka_unit_test(numbers_at_the_ends_of_their_range_are_kept),
        cmocka_unit_test(terrain_that_differs_in_part_is_found_as_it_was),
        cmocka_unit_test(points_of_terrain_that_stays_stay_where_they_are),
        cmocka_unit_test(sorting_changes_nothing_but_the_order_of_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
