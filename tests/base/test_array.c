#include "allocator_fixture.h"
#include "array.h"

typedef GRZ_ARRAY(uint64_t) numbers;

static void push(numbers *array, uint64_t number)
{
    assert_true(grz_array_reserve_more(array, &allocator, 1));
    array->data[array->count++] = number;
}

static void assert_numbers_below(const numbers *array, uint32_t count)
{
    assert_int_equal(array->count, count);
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(array->data[i], i);
    }
}

static void an_empty_array_owns_nothing(void **state)
{
    (void)state;
    numbers array = {0};
    size_t none = 0;
    assert_true(grz_array_reserve(&array, &allocator, none));
    assert_null(array.data);
    grz_array_free(&array, &allocator);
    assert_int_equal(memory.calls, 0);
}

static void an_array_keeps_its_elements_while_it_grows(void **state)
{
    (void)state;
    numbers array = {0};
    for (uint32_t i = 0; i < 10000; ++i) {
        push(&array, i);
    }
    assert_numbers_below(&array, 10000);
    assert_in_range(memory.calls, 5, 30);
    grz_array_free(&array, &allocator);
    assert_null(array.data);
    assert_int_equal(array.capacity, 0);
    failing_allocator_assert_empty(&memory);
}

static void the_capacity_is_all_that_the_block_holds(void **state)
{
    (void)state;
    numbers array = {0};
    assert_true(grz_array_reserve(&array, &allocator, 3u));
    assert_int_equal(array.capacity, array.memory.size / sizeof *array.data);
    assert_true(grz_array_reserve(&array, &allocator, array.capacity));
    assert_int_equal(memory.calls, 1);
    grz_array_free(&array, &allocator);
}

static void a_failed_growth_leaves_the_array_as_it_was(void **state)
{
    (void)state;
    numbers array = {0};
    for (uint32_t i = 0; i < 100; ++i) {
        push(&array, i);
    }
    const numbers before = array;
    failing_allocator_arm(&memory, 1);
    assert_false(grz_array_reserve(&array, &allocator, before.capacity + 1));
    assert_ptr_equal(array.data, before.data);
    assert_int_equal(array.capacity, before.capacity);
    assert_numbers_below(&array, 100);
    grz_array_free(&array, &allocator);
    failing_allocator_assert_empty(&memory);
}

static void sizes_beyond_memory_are_refused(void **state)
{
    (void)state;
    const size_t sizes[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8, SIZE_MAX / 8 + 1, SIZE_MAX / 16};
    numbers array = {0};
    push(&array, 0);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        assert_false(grz_array_reserve(&array, &allocator, sizes[i]));
    }
    assert_numbers_below(&array, 1);
    grz_array_free(&array, &allocator);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(an_empty_array_owns_nothing, make_allocator),
        cmocka_unit_test_setup(an_array_keeps_its_elements_while_it_grows, make_allocator),
        cmocka_unit_test_setup(the_capacity_is_all_that_the_block_holds, make_allocator),
        cmocka_unit_test_setup(a_failed_growth_leaves_the_array_as_it_was, make_allocator),
        cmocka_unit_test_setup(sizes_beyond_memory_are_refused, make_allocator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
