#include "busy_world.h"
#include "failing_allocator.h"

#include <stdlib.h>
#include <string.h>

// The room that a snapshot takes, and what a load needs: buffers, capacities, memory.

// --- Size and buffer ---

// With the surface that takes no room.
static graze_body_def plain_circle(float x, float y, float radius)
{
    graze_body_def def = kit_circle(x, y, radius);
    def.surface = graze_body_def_default().surface;
    return def;
}

static void the_size_is_what_the_header_says(void **state)
{
    (void)state;
    graze_world *world = busy_empty_world();
    assert_int_equal(graze_world_snapshot_size(world), 128);
    graze_body_id first = kit_add(world, plain_circle(0, 0, 1));
    kit_add(world, plain_circle(0.5f, 0, 1));
    const size_t two = 128 + 8 + 2 * 32;
    assert_int_equal(graze_world_snapshot_size(world), two);
    kit_wall(world, 50, 0, 50, 9);
    const size_t wall = 56 + 2 * 8;
    assert_int_equal(graze_world_snapshot_size(world), two + wall);
    kit_step(world, 1);
    assert_int_equal(graze_world_snapshot_size(world), two + wall + 68);
    graze_body_destroy(world, first);
    kit_step(world, 1);
    const size_t one = 128 + 8 + 32 + 8;
    assert_int_equal(graze_world_snapshot_size(world), one + wall + 28);
    graze_world_destroy(world);
}

static size_t size_with(void (*change)(graze_body_def *def))
{
    graze_world *world = busy_empty_world();
    graze_body_def def = plain_circle(0, 0, 1);
    kit_add(world, def);
    change(&def);
    graze_body_id changed = kit_add(world, def);
    const size_t size = graze_world_snapshot_size(world);
    graze_body_destroy(world, changed);
    assert_int_equal(graze_world_snapshot_size(world), 128 + 8 + 32 + 8);
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

static void make_slippery(graze_body_def *def)
{
    def->surface.speed = 3;
}

static void make_light(graze_body_def *def)
{
    def->gravity_scale = 0;
}

static void make_rigid(graze_body_def *def)
{
    def->response = GRAZE_RIGID;
}

static void what_differs_from_the_default_takes_room_where_there_is_any(void **state)
{
    (void)state;
    const size_t plain = 128 + 8 + 2 * 32;
    assert_int_equal(size_with(make_rect), plain + 2 * 8);
    assert_int_equal(size_with(make_heavy), plain + 2 * 20);
    assert_int_equal(size_with(make_mortal), plain + 2 * 12);
    assert_int_equal(size_with(make_picky), plain + 2 * 16);
    assert_int_equal(size_with(make_known), plain + 2 * 8);
    assert_int_equal(size_with(make_slippery), plain + 2 * 20);
    assert_int_equal(size_with(make_light), plain + 2 * 24);
    assert_int_equal(size_with(make_rigid), plain + 2 * 8 + 2 * 24);
}

// A body that is gone takes its properties along, but its index must be saved.
static void a_body_that_a_step_removed_takes_room_until_the_next(void **state)
{
    (void)state;
    graze_world *world = busy_empty_world();
    graze_body_def def = kit_rect(0, 0, 1, 1);
    def.surface = graze_body_def_default().surface;
    def.lifetime = 0.5f;
    def.filter.group = -1;
    kit_add(world, def);
    kit_add(world, plain_circle(9, 0, 1));
    kit_step(world, 1);
    assert_int_equal(graze_world_snapshot_size(world), 128 + 8 + 2 * (32 + 8 + 16) + 4);
    graze_world *other = busy_empty_world();
    size_t size;
    void *bytes = kit_save(world, &size);
    kit_load(other, bytes, size);
    busy_assert_same(world, other, 0);
    kit_assert_saves(other, bytes, size);
    kit_step(world, 1);
    kit_step(other, 1);
    busy_assert_same(world, other, 1);
    assert_int_equal(graze_world_snapshot_size(other), 128 + 8 + 32 + 8);
    free(bytes);
    graze_world_destroy(world);
    graze_world_destroy(other);
}

static void a_buffer_too_small_is_refused_and_a_larger_one_is_fine(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    kit_add(world, plain_circle(0, 0, 1));
    const size_t size = graze_world_snapshot_size(world);
    unsigned char *bytes = malloc(size + 100);
    assert_non_null(bytes);
    assert_int_equal(graze_world_save(world, bytes, size - 1), GRAZE_ERROR_LIMIT);
    kit_assert_logged(&log, GRAZE_ERROR_LIMIT, "graze_world_save|167|168");
    assert_int_equal(graze_world_save(world, NULL, size), GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_world_save|buffer");
    assert_int_equal(graze_world_load(world, NULL, size), GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_world_load|buffer");
    memset(bytes, 0xA5, size + 100);
    assert_int_equal(graze_world_save(world, bytes, size + 100), GRAZE_OK);
    for (size_t i = size; i < size + 100; ++i) {
        assert_int_equal(bytes[i], 0xA5);
    }
    kit_load(world, bytes, size + 100);
    free(bytes);
    graze_world_destroy(world);
}

static void a_buffer_may_lie_anywhere(void **state)
{
    (void)state;
    graze_world *world = busy_world_after(3, 12);
    const size_t size = graze_world_snapshot_size(world);
    unsigned char *memory = malloc(size + 8);
    void *aligned = kit_save(world, &(size_t){0});
    assert_non_null(memory);
    for (size_t shift = 0; shift < 8; ++shift) {
        graze_world *other = busy_empty_world();
        assert_int_equal(graze_world_save(world, memory + shift, size), GRAZE_OK);
        assert_memory_equal(memory + shift, aligned, size);
        kit_load(other, memory + shift, size);
        busy_assert_same(world, other, shift);
        graze_world_destroy(other);
    }
    free(memory);
    free(aligned);
    graze_world_destroy(world);
}

// --- Failures ---

/// What a filter callback tried inside a step.
typedef struct attempt {
    unsigned char bytes[128];
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
    kit_add(tried.world, plain_circle(0, 0, 1));
    kit_add(tried.world, plain_circle(0, 0, 1));
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
    graze_world *saved = busy_empty_world();
    kit_add(saved, plain_circle(0, 0, 1));
    kit_add(saved, plain_circle(0, 0, 1));
    kit_square(saved, -3, 3);
    kit_add(saved, plain_circle(3, 0, 1));
    kit_step(saved, 0.01f);
    const graze_world_stats stats = graze_world_get_stats(saved);
    assert_int_equal(stats.contact_count, 2);
    size_t size;
    void *bytes = kit_save(saved, &size);
    for (uint32_t tight = 0; tight < 4; ++tight) {
        const char *const words[] = {"body_capacity is 2|needs 3", "segment_capacity is 3|needs 4",
                                     "contact_capacity is 1|needs 2"};
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
    graze_world *same = busy_world_after(2, 4);
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
        kit_load(world, bytes, size);
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
    graze_world *saved = busy_world_after(9, 60);
    size_t size;
    void *bytes = kit_save(saved, &size);
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
        void *bytes = kit_save(world, &size);
        for (uint32_t i = 0; i < 20; ++i) {
            kit_step(world, 1.0f / 60.0f);
        }
        kit_load(world, bytes, size);
        free(bytes);
        warm = round == 2 ? memory.calls : warm;
    }
    assert_int_equal(memory.calls, warm);
    graze_world_destroy(world);
    failing_allocator_assert_empty(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_size_is_what_the_header_says),
        cmocka_unit_test(what_differs_from_the_default_takes_room_where_there_is_any),
        cmocka_unit_test(a_body_that_a_step_removed_takes_room_until_the_next),
        cmocka_unit_test(a_buffer_too_small_is_refused_and_a_larger_one_is_fine),
        cmocka_unit_test(a_buffer_may_lie_anywhere),
        cmocka_unit_test(inside_a_step_the_world_is_busy),
        cmocka_unit_test(a_fixed_capacity_is_a_limit),
        cmocka_unit_test(without_memory_nothing_changes_and_the_next_call_succeeds),
        cmocka_unit_test(rolling_back_and_forth_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
