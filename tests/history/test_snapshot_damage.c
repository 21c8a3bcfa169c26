#include "victim.h"

#include "history/snapshot.h"

#include <stdlib.h>

// Damaged snapshots are refused, with a line in the log and the world as it was. (Those whose
// checksum was made to fit are in test_snapshot_forgery.c.)

static void every_byte_changed_is_damage(void **state)
{
    (void)state;
    victim one;
    size_t size;
    victim_make(&one);
    unsigned char *bytes = busy_snapshot(5, 9, &size);
    victim_assert_every_byte_counts(&one, bytes, size);
    for (size_t place = 0; place < 8 * sizeof(grz_snapshot_header); ++place) {
        bytes[place / 8] ^= (unsigned char)(1 << place % 8);
        victim_assert_refuses(&one, bytes, size, "bit", place);
        bytes[place / 8] ^= (unsigned char)(1 << place % 8);
    }
    victim_assert_unchanged(&one, "after byte", size);
    kit_load(one.world, bytes, size);
    free(bytes);
    victim_free(&one);
}

static void every_shorter_length_is_cut_short(void **state)
{
    (void)state;
    victim one;
    size_t size;
    victim_make(&one);
    unsigned char *bytes = busy_snapshot(6, 9, &size);
    for (size_t length = 0; length < size; ++length) {
        victim_assert_refuses_start(&one, bytes, length);
    }
    victim_assert_unchanged(&one, "after length", size);
    free(bytes);
    victim_free(&one);
}

// --- After a load that failed ---

static void add_grid_of(graze_world *world, uint32_t count, float apart, graze_vec2 velocity)
{
    for (uint32_t i = 0; i < count; ++i) {
        graze_body_def def = i % 3 ? kit_circle(0, 0, 0.4f) : kit_rect(0, 0, 0.4f, 0.3f);
        def.position.x = apart * (float)(i % 16);
        def.position.y = apart * (float)(i / 16);
        def.angle = i % 3 ? 0 : 0.1f * (float)(i % 9);
        def.velocity = velocity;
        def.hit_limit = i % 5 == 0 ? 2 : 0;
        (void)kit_add(world, def);
    }
}

static void assert_damage_refused(graze_world *world, unsigned char *bytes, size_t size,
                                  size_t place)
{
    bytes[place] ^= 1;
    assert_int_equal(graze_world_load(world, bytes, size), GRAZE_ERROR_FORMAT);
    bytes[place] ^= 1;
}

// After a load that failed, what was copied is void. Meanwhile bodies come to rest, and snapshots
// of more and of fewer bodies are loaded.
static void after_a_failed_load_all_goes_on_as_if_there_had_been_none(void **state)
{
    (void)state;
    graze_world *one = kit_world(), *twin = kit_world();
    const graze_vec2 none = {0, 0}, way = {0.3f, 0.2f};
    add_grid_of(one, 20, 2.5f, way);
    add_grid_of(one, 400, 2, none);
    size_t size, small_size;
    unsigned char *bytes = kit_save(one, &size);
    graze_world *few = kit_world();
    add_grid_of(few, 90, 3, way);
    unsigned char *small = kit_save(few, &small_size);
    kit_load(twin, bytes, size);
    uint32_t rested = 0;
    for (uint32_t frame = 0; frame < 90; ++frame) {
        assert_damage_refused(one, bytes, size, size - 1 - frame * size / 90);
        assert_damage_refused(one, small, small_size, small_size - 1);
        if (frame % 29 == 28) {
            const bool whole = frame % 2;
            kit_load(one, whole ? bytes : small, whole ? size : small_size);
            kit_load(twin, whole ? bytes : small, whole ? size : small_size);
        }
        kit_step(one, 1.0f / 8);
        kit_step(twin, 1.0f / 8);
        rested += one->bodies.active_count < one->bodies.count;
        kit_assert_same_bytes(one, twin);
    }
    assert_true(rested > 10);
    graze_world_destroy(one);
    graze_world_destroy(twin);
    graze_world_destroy(few);
    free(bytes);
    free(small);
}

/// What a refused snapshot may have written over.
typedef struct row_copy {
    uint32_t *index, *generation, *traits;
} row_copy;

static uint32_t *copy_column(const uint32_t *column, uint32_t count)
{
    uint32_t *copy = malloc(count * sizeof *copy + 1);
    assert_non_null(copy);
    memcpy(copy, column, count * sizeof *copy);
    return copy;
}

static row_copy copy_rows(const graze_world *world)
{
    const row_copy copy = {copy_column(world->bodies.rows.index, world->bodies.count),
                           copy_column(world->bodies.rows.generation, world->bodies.count),
                           copy_column(world->bodies.rows.traits, world->bodies.count)};
    return copy;
}

static void assert_rows_are(const graze_world *world, row_copy copy)
{
    const size_t size = world->bodies.count * sizeof *copy.index;
    assert_memory_equal(world->bodies.rows.index, copy.index, size);
    assert_memory_equal(world->bodies.rows.generation, copy.generation, size);
    assert_memory_equal(world->bodies.rows.traits, copy.traits, size);
    free(copy.index);
    free(copy.generation);
    free(copy.traits);
}

// Bodies of all kinds, in another order than their indices.
static void rows_are_what_they_were_when_a_snapshot_is_refused(void **state)
{
    (void)state;
    random_state random = random_seed(31);
    size_t size;
    unsigned char *bytes = busy_snapshot(32, 20, &size);
    graze_world *world = busy_world_after(33, 10);
    uint32_t filled = 0;
    for (uint32_t frame = 0; frame < 60; ++frame) {
        const row_copy copy = copy_rows(world);
        assert_damage_refused(world, bytes, size, random_below(&random, (uint32_t)size));
        assert_rows_are(world, copy);
        filled += world->bodies.count > 20;
        busy_frame(world, &random);
    }
    assert_true(filled > 30);
    graze_world_destroy(world);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_changed_is_damage),
        cmocka_unit_test(every_shorter_length_is_cut_short),
        cmocka_unit_test(after_a_failed_load_all_goes_on_as_if_there_had_been_none),
        cmocka_unit_test(rows_are_what_they_were_when_a_snapshot_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
