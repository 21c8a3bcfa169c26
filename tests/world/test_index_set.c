#include "world/index_set.h"

#include "failing_allocator.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

// A set, compared with a plain array of flags.

enum { MOST = 20000, ROUNDS = 200 };

static bool flags[MOST];

static void assert_same(const grz_index_set *set, uint32_t count)
{
    uint32_t found = grz_index_set_next(set, 0);
    for (uint32_t index = 0; index < count; ++index) {
        assert_int_equal(grz_index_set_has(set, index), flags[index]);
        if (flags[index]) {
            assert_int_equal(found, index);
            found = grz_index_set_next(set, index + 1);
        }
    }
    assert_int_equal(found, UINT32_MAX);
}

static void a_set_has_what_was_put_into_it_and_lists_it_in_order(void **state)
{
    (void)state;
    failing_allocator memory = {0};
    const graze_allocator allocator = failing_allocator_interface(&memory);
    random_state random = random_seed(1);
    grz_index_set set = {0};
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        const uint32_t count = 1 + random_below(&random, MOST);
        assert_true(grz_index_set_reserve(&set, &allocator, count));
        memset(flags, 0, sizeof flags);
        grz_index_set_clear(&set);
        assert_int_equal(grz_index_set_next(&set, 0), UINT32_MAX);
        for (uint32_t k = random_below(&random, round % 4 ? 20 : 20000); k > 0; --k) {
            const uint32_t index = random_below(&random, count);
            flags[index] = true;
            grz_index_set_add(&set, index);
        }
        assert_same(&set, count);
        for (uint32_t k = random_below(&random, round % 4 ? 20 : 20000); k > 0; --k) {
            const uint32_t index = grz_index_set_next(&set, random_below(&random, count));
            const uint32_t gone = index == UINT32_MAX ? random_below(&random, count) : index;
            flags[gone] = false;
            grz_index_set_remove(&set, gone);
        }
        assert_same(&set, count);
    }
    grz_index_set_free(&set, &allocator);
    failing_allocator_assert_empty(&memory);
}

static void what_is_in_a_set_stays_when_it_grows(void **state)
{
    (void)state;
    failing_allocator memory = {0};
    const graze_allocator allocator = failing_allocator_interface(&memory);
    grz_index_set set = {0};
    memset(flags, 0, sizeof flags);
    assert_true(grz_index_set_reserve(&set, &allocator, 64));
    flags[0] = flags[63] = true;
    grz_index_set_add(&set, 0);
    grz_index_set_add(&set, 63);
    failing_allocator_arm(&memory, 1);
    assert_false(grz_index_set_reserve(&set, &allocator, MOST));
    assert_true(failing_allocator_disarm(&memory));
    assert_same(&set, 64);
    assert_true(grz_index_set_reserve(&set, &allocator, MOST));
    assert_same(&set, MOST);
    flags[MOST - 1] = true;
    grz_index_set_add(&set, MOST - 1);
    assert_same(&set, MOST);
    grz_index_set_free(&set, &allocator);
    failing_allocator_assert_empty(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_has_what_was_put_into_it_and_lists_it_in_order),
        cmocka_unit_test(what_is_in_a_set_stays_when_it_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
