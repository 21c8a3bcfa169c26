#include "lanes_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

enum { ROUNDS = 5000 };

static void check(grz_lane_set set)
{
    uint32_t round;
    if (!grz_lanes_has(set)) {
        print_message("The machine has no %s\n", grz_lanes_name(set));
        skip();
    }
    const char *wrong = lanes_check_set(set, ROUNDS, &round);
    if (wrong) {
        fail_msg("%s: %s in round %u", grz_lanes_name(set), wrong, (unsigned)round);
    }
}

static void scalar_lanes_do_what_plain_c_does(void **state)
{
    (void)state;
    check(GRZ_SET_SCALAR);
}

static void the_builds_own_lanes_do_what_plain_c_does(void **state)
{
    (void)state;
#if GRZ_LANES_BASE != GRZ_LANES_SCALAR
    check(GRZ_SET_BASE);
#else
    skip();
#endif
}

static void avx2_lanes_do_what_plain_c_does(void **state)
{
    (void)state;
#if GRZ_LANES_MANY
    check(GRZ_SET_AVX2);
#else
    skip();
#endif
}

static void avx512_lanes_do_what_plain_c_does(void **state)
{
    (void)state;
#if GRZ_LANES_MANY
    check(GRZ_SET_AVX512);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalar_lanes_do_what_plain_c_does),
        cmocka_unit_test(the_builds_own_lanes_do_what_plain_c_does),
        cmocka_unit_test(avx2_lanes_do_what_plain_c_does),
        cmocka_unit_test(avx512_lanes_do_what_plain_c_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
