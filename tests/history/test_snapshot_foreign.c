#include "failing_allocator.h"
#include "forgery.h"
#include "victim.h"

#include <stdlib.h>

// Snapshots of a machine of the other byte order.

static unsigned char *copy_as_foreign(const unsigned char *bytes, size_t size)
{
    unsigned char *foreign = victim_copy(bytes, size);
    unsigned char *room = victim_copy(bytes, size);
    forge_foreign(foreign, room, size);
    free(room);
    return foreign;
}

static void a_snapshot_of_the_other_byte_order_is_the_same_world(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        victim one;
        size_t size;
        victim_make(&one);
        unsigned char *bytes = busy_snapshot(seed, (uint32_t)seed, &size);
        unsigned char *foreign = copy_as_foreign(bytes, size);
        assert_memory_not_equal(foreign, bytes, size);
        kit_load(one.world, foreign, size);
        kit_assert_saves(one.world, bytes, size);
        free(foreign);
        free(bytes);
        victim_free(&one);
    }
}

static void every_foreign_byte_changed_is_damage(void **state)
{
    (void)state;
    victim one;
    size_t size;
    victim_make(&one);
    unsigned char *own = busy_snapshot(5, 9, &size);
    unsigned char *bytes = copy_as_foreign(own, size);
    victim_assert_every_byte_counts(&one, bytes, size);
    for (size_t length = 0; length < size; length += 1 + length / 16) {
        victim_assert_refuses_start(&one, bytes, length);
    }
    victim_assert_unchanged(&one, "after byte", size);
    free(own);
    free(bytes);
    victim_free(&one);
}

// Whatever is taken for it is given back.
static void without_memory_a_foreign_snapshot_changes_nothing(void **state)
{
    (void)state;
    failing_allocator memory = {.calls = 0};
    graze_world_def def = busy_def();
    size_t size;
    unsigned char *own = busy_snapshot(5, 9, &size);
    unsigned char *bytes = copy_as_foreign(own, size);
    def.allocator = failing_allocator_interface(&memory);
    graze_world *world = graze_world_create(&def);
    bool failed = true;
    for (size_t n = 1; failed; ++n) {
        const uint64_t hash = graze_world_hash(world);
        failing_allocator_arm(&memory, n);
        const graze_status status = graze_world_load(world, bytes, size);
        failed = failing_allocator_disarm(&memory);
        assert_int_equal(status, failed ? GRAZE_ERROR_OUT_OF_MEMORY : GRAZE_OK);
        assert_true(!failed || graze_world_hash(world) == hash);
        assert_int_equal(graze_world_get_stats(world).byte_count, memory.live_bytes);
    }
    free(own);
    free(bytes);
    graze_world_destroy(world);
    failing_allocator_assert_empty(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_snapshot_of_the_other_byte_order_is_the_same_world),
        cmocka_unit_test(every_foreign_byte_changed_is_damage),
        cmocka_unit_test(without_memory_a_foreign_snapshot_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
