#include "fp_environment.h"

#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// This program is optimised as one where the compiler can do so (-flto). The setting begins and
// ends where the code says all the same: no arithmetic slips out of it.

typedef struct quotient {
    float above, below;
} quotient;

// Inlined into its callers, as the insides of calls of the library may be.
static inline float divide(const quotient *of)
{
    return of->above / of->below;
}

static float divide_value(quotient of)
{
    const grz_fp_environment caller = grz_fp_enter();
    const float result = divide(&of);
    grz_fp_leave(caller);
    return result;
}

static float divide_at(const quotient *of)
{
    const grz_fp_environment caller = grz_fp_enter();
    const float result = divide(of);
    grz_fp_leave(caller);
    return result;
}

static void divide_many(const quotient *of, float *results, uint32_t count)
{
    const grz_fp_environment caller = grz_fp_enter();
    for (uint32_t i = 0; i < count; ++i) {
        results[i] = divide(of);
    }
    grz_fp_leave(caller);
}

// Called through these, so that they stay functions.
static float (*volatile by_value)(quotient of) = divide_value;
static float (*volatile by_address)(const quotient *of) = divide_at;
static void (*volatile many)(const quotient *of, float *results, uint32_t count) = divide_many;

enum { MANY = 3 };

static void check_under(int rounding, quotient of, float nearest)
{
    float results[2 + MANY];
    const int before = fegetround();
    fesetround(rounding);
    results[0] = by_value(of);
    results[1] = by_address(&of);
    many(&of, results + 2, MANY);
    fesetround(before);
    for (uint32_t i = 0; i < 2 + MANY; ++i) {
        assert_true(results[i] == nearest);
    }
}

static void no_arithmetic_leaves_the_setting(void **state)
{
    (void)state;
    static const int roundings[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    volatile float one = 1;
    for (uint32_t below = 2; below < 50; ++below) {
        const quotient of = {one, (float)below};
        const float nearest = of.above / of.below;
        for (uint32_t i = 0; i < sizeof roundings / sizeof *roundings; ++i) {
            check_under(roundings[i], of, nearest);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_arithmetic_leaves_the_setting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
