#include "lane_sets.h"
#include "lanes_check.h"

enum { ROUNDS = 5000 };

static void check(grz_lane_set set)
{
    uint32_t round;
    const char *wrong = lanes_check_set(set, ROUNDS, &round);
    if (wrong) {
        fail_msg("%s: %s in round %u", grz_lanes_name(set), wrong, (unsigned)round);
    }
}

static void scalar_lanes_do_what_plain_c_does(void **state)
{
    (void)state;
    check(lane_set_or_skip("scalar"));
}

static void the_builds_own_lanes_do_what_plain_c_does(void **state)
{
    (void)state;
    check(lane_set_of_build_or_skip());
}

static void avx2_lanes_do_what_plain_c_does(void **state)
{
    (void)state;
    check(lane_set_or_skip("avx2"));
}

static void avx512_lanes_do_what_plain_c_does(void **state)
{
    (void)state;
    check(lane_set_or_skip("avx512"));
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
