#include "allocator_fixture.h"
#include "memory.h"

#include <string.h>

static void fill(grz_block *block)
{
    unsigned char *bytes = block->data;
    for (size_t i = 0; i < block->size; ++i) {
        bytes[i] = (unsigned char)(i * 7 + 1);
    }
}

static void assert_filled(const grz_block *block, size_t count)
{
    const unsigned char *bytes = block->data;
    for (size_t i = 0; i < count; ++i) {
        assert_int_equal(bytes[i], (unsigned char)(i * 7 + 1));
    }
}

static void assert_padding_is_zero(const grz_block *block)
{
    const unsigned char *padding = (const unsigned char *)block->data + block->size;
    for (size_t i = 0; i < GRZ_PADDING; ++i) {
        assert_int_equal(padding[i], 0);
    }
}

static void reserving_nothing_allocates_nothing(void **state)
{
    (void)state;
    grz_block block = {0};
    assert_true(grz_block_reserve(&block, &allocator, 0));
    assert_true(grz_block_reserve_scratch(&block, &allocator, 0));
    assert_null(block.data);
    grz_block_free(&block, &allocator);
    assert_int_equal(memory.calls, 0);
}

static void blocks_are_aligned_and_padded_at_every_size(void **state)
{
    (void)state;
    for (size_t size = 1; size < 600; ++size) {
        grz_block block = {0};
        assert_true(grz_block_reserve(&block, &allocator, size));
        assert_true(block.size >= size);
        assert_int_equal((uintptr_t)block.data % GRZ_ALIGNMENT, 0);
        fill(&block);
        assert_padding_is_zero(&block);
        grz_block_free(&block, &allocator);
        assert_null(block.data);
        assert_int_equal(block.size, 0);
    }
    failing_allocator_assert_empty(&memory);
}

static void a_block_that_grows_keeps_what_it_held(void **state)
{
    (void)state;
    grz_block block = {0};
    for (size_t size = 1; size < 100000; size = size * 5 / 3 + 1) {
        size_t held = block.size;
        assert_true(grz_block_reserve(&block, &allocator, size));
        assert_filled(&block, held);
        fill(&block);
        assert_padding_is_zero(&block);
    }
    grz_block_free(&block, &allocator);
    failing_allocator_assert_empty(&memory);
}

static void a_block_that_is_large_enough_stays_where_it_is(void **state)
{
    (void)state;
    grz_block block = {0};
    assert_true(grz_block_reserve(&block, &allocator, 1000));
    const grz_block before = block;
    for (size_t size = 0; size <= block.size; ++size) {
        assert_true(grz_block_reserve(&block, &allocator, size));
        assert_true(grz_block_reserve_scratch(&block, &allocator, size));
    }
    assert_ptr_equal(block.data, before.data);
    assert_int_equal(block.size, before.size);
    assert_int_equal(memory.calls, 1);
    grz_block_free(&block, &allocator);
}

static void growth_is_geometric(void **state)
{
    (void)state;
    grz_block block = {0};
    for (size_t size = 1; size <= 1000000; ++size) {
        assert_true(grz_block_reserve(&block, &allocator, size));
    }
    assert_in_range(memory.calls, 10, 40);
    assert_true(block.size < 2 * 1000000);
    grz_block_free(&block, &allocator);
}

static void scratch_grows_without_keeping(void **state)
{
    (void)state;
    grz_block block = {0};
    assert_true(grz_block_reserve_scratch(&block, &allocator, 100));
    fill(&block);
    assert_true(grz_block_reserve_scratch(&block, &allocator, 10000));
    assert_true(block.size >= 10000);
    assert_int_equal((uintptr_t)block.data % GRZ_ALIGNMENT, 0);
    assert_padding_is_zero(&block);
    assert_int_equal(memory.live_blocks, 1);
    grz_block_free(&block, &allocator);
    failing_allocator_assert_empty(&memory);
}

static void a_failed_allocation_leaves_the_block_unchanged(void **state)
{
    (void)state;
    grz_block block = {0};
    failing_allocator_arm(&memory, 1);
    assert_false(grz_block_reserve(&block, &allocator, 100));
    assert_null(block.data);
    assert_true(grz_block_reserve(&block, &allocator, 100));
    fill(&block);
    const grz_block before = block;
    failing_allocator_arm(&memory, 1);
    assert_false(grz_block_reserve(&block, &allocator, 5000));
    failing_allocator_arm(&memory, 1);
    assert_false(grz_block_reserve_scratch(&block, &allocator, 5000));
    assert_ptr_equal(block.data, before.data);
    assert_int_equal(block.size, before.size);
    assert_filled(&block, block.size);
    grz_block_free(&block, &allocator);
    failing_allocator_assert_empty(&memory);
}

static void sizes_beyond_memory_are_refused(void **state)
{
    (void)state;
    const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 127, SIZE_MAX / 2, SIZE_MAX / 2 + 1};
    grz_block block = {0};
    assert_true(grz_block_reserve(&block, &allocator, 100));
    fill(&block);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        assert_false(grz_block_reserve(&block, &allocator, sizes[i]));
        assert_false(grz_block_reserve_scratch(&block, &allocator, sizes[i]));
    }
    assert_filled(&block, block.size);
    grz_block_free(&block, &allocator);
}

static void an_allocator_has_both_functions_or_neither(void **state)
{
    (void)state;
    graze_allocator none = {0};
    graze_allocator only_allocate = {allocator.allocate, NULL, NULL};
    graze_allocator only_release = {NULL, allocator.release, NULL};
    assert_true(grz_allocator_is_valid(&none));
    assert_true(grz_allocator_is_valid(&allocator));
    assert_false(grz_allocator_is_valid(&only_allocate));
    assert_false(grz_allocator_is_valid(&only_release));
}

static void a_given_allocator_is_taken_as_it_is(void **state)
{
    (void)state;
    graze_allocator taken = grz_allocator_or_default(allocator);
    assert_ptr_equal(taken.allocate, allocator.allocate);
    assert_ptr_equal(taken.release, allocator.release);
    assert_ptr_equal(taken.user, &memory);
}

static void the_default_allocator_keeps_every_alignment(void **state)
{
    (void)state;
    graze_allocator none = {0};
    graze_allocator standard = grz_allocator_or_default(none);
    for (size_t alignment = 1; alignment <= GRZ_ALIGNMENT; alignment *= 2) {
        for (size_t size = 1; size < 300; size += 7) {
            void *block = standard.allocate(size, alignment, standard.user);
            assert_non_null(block);
            assert_int_equal((uintptr_t)block % alignment, 0);
            memset(block, 0xEE, size);
            standard.release(block, size, standard.user);
        }
    }
}

static void the_default_allocator_refuses_sizes_that_overflow(void **state)
{
    (void)state;
    graze_allocator none = {0};
    graze_allocator standard = grz_allocator_or_default(none);
    assert_null(standard.allocate(SIZE_MAX, 64, standard.user));
    assert_null(standard.allocate(SIZE_MAX - 64, 64, standard.user));
}

// Those of a huge page and more lie on one.
static void the_default_allocator_gives_large_blocks_in_whole(void **state)
{
    (void)state;
    const graze_allocator nothing = {NULL, NULL, NULL};
    const graze_allocator chosen = grz_allocator_or_default(nothing);
    const size_t sizes[] = {1, 4096, (1u << 21) - 1, 1u << 21, (1u << 21) + 64, (5u << 20) + 3};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        unsigned char *block = chosen.allocate(sizes[i], GRZ_ALIGNMENT, chosen.user);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % GRZ_ALIGNMENT, 0);
        memset(block, 0x5a, sizes[i]);
        assert_int_equal(block[0], 0x5a);
        assert_int_equal(block[sizes[i] - 1], 0x5a);
        chosen.release(block, sizes[i], chosen.user);
    }
    assert_null(chosen.allocate(SIZE_MAX - 100, GRZ_ALIGNMENT, chosen.user));
    assert_null(chosen.allocate(SIZE_MAX - (1u << 21), GRZ_ALIGNMENT, chosen.user));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(reserving_nothing_allocates_nothing, make_allocator),
        cmocka_unit_test_setup(blocks_are_aligned_and_padded_at_every_size, make_allocator),
        cmocka_unit_test_setup(a_block_that_grows_keeps_what_it_held, make_allocator),
        cmocka_unit_test_setup(a_block_that_is_large_enough_stays_where_it_is, make_allocator),
        cmocka_unit_test_setup(growth_is_geometric, make_allocator),
        cmocka_unit_test_setup(scratch_grows_without_keeping, make_allocator),
        cmocka_unit_test_setup(a_failed_allocation_leaves_the_block_unchanged, make_allocator),
        cmocka_unit_test_setup(sizes_beyond_memory_are_refused, make_allocator),
        cmocka_unit_test_setup(an_allocator_has_both_functions_or_neither, make_allocator),
        cmocka_unit_test_setup(a_given_allocator_is_taken_as_it_is, make_allocator),
        cmocka_unit_test_setup(the_default_allocator_keeps_every_alignment, make_allocator),
        cmocka_unit_test_setup(the_default_allocator_refuses_sizes_that_overflow, make_allocator),
        cmocka_unit_test(the_default_allocator_gives_large_blocks_in_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
