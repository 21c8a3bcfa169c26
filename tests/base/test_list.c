#include "allocator_fixture.h"
#include "list.h"

#include <string.h>

typedef struct element {
    uint64_t key;
    char name[24];
} element;

static int *numbers_below(int count)
{
    int *numbers = NULL;
    for (int i = 0; i < count; ++i) {
        assert_true(grz_list_reserve(numbers, &allocator, 1));
        grz_list_push(numbers, i);
    }
    return numbers;
}

static void assert_numbers_below(const int *numbers, int count)
{
    assert_int_equal(grz_list_count(numbers), count);
    for (int i = 0; i < count; ++i) {
        assert_int_equal(numbers[i], i);
    }
}

static void an_empty_list_is_null_and_owns_nothing(void **state)
{
    (void)state;
    int *numbers = NULL;
    assert_int_equal(grz_list_count(numbers), 0);
    assert_true(grz_list_reserve(numbers, &allocator, 0));
    assert_null(numbers);
    grz_list_clear(numbers);
    grz_list_free(numbers);
    assert_null(numbers);
    assert_int_equal(memory.calls, 0);
}

static void pushed_elements_are_kept_in_order_while_the_list_grows(void **state)
{
    (void)state;
    int *numbers = numbers_below(1000);
    assert_numbers_below(numbers, 1000);
    grz_list_free(numbers);
    assert_null(numbers);
    failing_allocator_assert_empty(&memory);
}

static void growth_is_geometric(void **state)
{
    (void)state;
    int *numbers = numbers_below(100000);
    assert_in_range(memory.calls, 10, 30);
    grz_list_free(numbers);
    failing_allocator_assert_empty(&memory);
}

static void reserved_room_is_not_reserved_again(void **state)
{
    (void)state;
    int *numbers = NULL;
    assert_true(grz_list_reserve(numbers, &allocator, 500));
    const int *first = numbers;
    assert_int_equal(memory.calls, 1);
    for (int i = 0; i < 500; ++i) {
        assert_true(grz_list_has_room(numbers, 1));
        grz_list_push(numbers, i);
    }
    assert_ptr_equal(numbers, first);
    assert_int_equal(memory.calls, 1);
    assert_numbers_below(numbers, 500);
    grz_list_free(numbers);
}

static void popping_yields_the_last_pushed(void **state)
{
    (void)state;
    int *numbers = numbers_below(10);
    for (int i = 9; i >= 0; --i) {
        assert_int_equal(grz_list_pop(numbers), i);
        assert_int_equal(grz_list_count(numbers), i);
    }
    grz_list_free(numbers);
}

static void clearing_keeps_the_memory(void **state)
{
    (void)state;
    int *numbers = numbers_below(64);
    size_t calls = memory.calls;
    grz_list_clear(numbers);
    assert_int_equal(grz_list_count(numbers), 0);
    assert_true(grz_list_reserve(numbers, &allocator, 64));
    assert_int_equal(memory.calls, calls);
    grz_list_free(numbers);
}

static void elements_are_aligned_for_any_type(void **state)
{
    (void)state;
    for (size_t count = 1; count < 200; ++count) {
        max_align_t *values = NULL;
        assert_true(grz_list_reserve(values, &allocator, count));
        assert_int_equal((uintptr_t)values % 16, 0);
        grz_list_free(values);
    }
    failing_allocator_assert_empty(&memory);
}

static void structures_are_stored_by_value(void **state)
{
    (void)state;
    element *elements = NULL;
    element source = {7, "seven"};
    for (int i = 0; i < 50; ++i) {
        assert_true(grz_list_reserve(elements, &allocator, 1));
        grz_list_push(elements, source);
    }
    memset(&source, 0, sizeof source);
    assert_int_equal(elements[49].key, 7);
    assert_string_equal(elements[49].name, "seven");
    grz_list_free(elements);
}

static void a_list_carries_its_own_allocator(void **state)
{
    (void)state;
    failing_allocator other_memory = {0};
    graze_allocator other = failing_allocator_interface(&other_memory);
    int *first = NULL, *second = NULL;
    assert_true(grz_list_reserve(first, &allocator, 10));
    assert_true(grz_list_reserve(second, &other, 10));
    assert_true(grz_list_reserve(first, &other, 1000));
    assert_int_equal(memory.calls, 2);
    assert_int_equal(other_memory.calls, 1);
    grz_list_free(first);
    grz_list_free(second);
    failing_allocator_assert_empty(&memory);
    failing_allocator_assert_empty(&other_memory);
}

static void a_failed_first_growth_leaves_the_list_null(void **state)
{
    (void)state;
    int *numbers = NULL;
    failing_allocator_arm(&memory, 1);
    assert_false(grz_list_reserve(numbers, &allocator, 1));
    assert_null(numbers);
    assert_true(failing_allocator_disarm(&memory));
    assert_true(grz_list_reserve(numbers, &allocator, 1));
    grz_list_free(numbers);
}

// Pushes 0, 1, 2, ..., and tries again where growth fails. Returns the numbers.
static int *push_with_one_failure(size_t n, int count)
{
    int *numbers = NULL;
    failing_allocator_arm(&memory, n);
    for (int i = 0; i < count; ++i) {
        int *before = numbers;
        if (!grz_list_reserve(numbers, &allocator, 1)) {
            assert_ptr_equal(numbers, before);
            assert_numbers_below(numbers, i);
            assert_true(grz_list_reserve(numbers, &allocator, 1));
        }
        grz_list_push(numbers, i);
    }
    return numbers;
}

static void a_failed_growth_leaves_the_list_as_it_was(void **state)
{
    (void)state;
    size_t n = 0;
    bool failed = true;
    while (failed) {
        int *numbers = push_with_one_failure(++n, 300);
        failed = failing_allocator_disarm(&memory);
        assert_numbers_below(numbers, 300);
        grz_list_free(numbers);
        failing_allocator_assert_empty(&memory);
    }
    assert_in_range(n, 5, 30);
}

static void sizes_beyond_memory_are_refused(void **state)
{
    (void)state;
    const size_t sizes[] = {SIZE_MAX,    SIZE_MAX - 9,        SIZE_MAX / 2, SIZE_MAX / sizeof(int),
                            PTRDIFF_MAX, PTRDIFF_MAX / 4 + 1, SIZE_MAX / 8, SIZE_MAX / 4 + 1};
    int *numbers = numbers_below(10);
    size_t calls = memory.calls;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        const int *before = numbers;
        assert_false(grz_list_reserve(numbers, &allocator, sizes[i]));
        assert_ptr_equal(numbers, before);
    }
    assert_in_range(memory.calls, calls, calls + 1);
    assert_numbers_below(numbers, 10);
    grz_list_free(numbers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(an_empty_list_is_null_and_owns_nothing, make_allocator),
        cmocka_unit_test_setup(pushed_elements_are_kept_in_order_while_the_list_grows,
                               make_allocator),
        cmocka_unit_test_setup(growth_is_geometric, make_allocator),
        cmocka_unit_test_setup(reserved_room_is_not_reserved_again, make_allocator),
        cmocka_unit_test_setup(popping_yields_the_last_pushed, make_allocator),
        cmocka_unit_test_setup(clearing_keeps_the_memory, make_allocator),
        cmocka_unit_test_setup(elements_are_aligned_for_any_type, make_allocator),
        cmocka_unit_test_setup(structures_are_stored_by_value, make_allocator),
        cmocka_unit_test_setup(a_list_carries_its_own_allocator, make_allocator),
        cmocka_unit_test_setup(a_failed_first_growth_leaves_the_list_null, make_allocator),
        cmocka_unit_test_setup(a_failed_growth_leaves_the_list_as_it_was, make_allocator),
        cmocka_unit_test_setup(sizes_beyond_memory_are_refused, make_allocator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
