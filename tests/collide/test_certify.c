// Points drawn back: the one that is found at once is the one that a plain loop finds.

#include "collide/certify.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOVES = 20000 };

static bool is_at(graze_vec2 a, graze_vec2 b)
{
    return a.x == b.x && a.y == b.y;
}

static graze_vec2 draw_back_by_loop(graze_vec2 from, graze_vec2 to, double fraction,
                                    graze_vec2 point, double *left_out)
{
    graze_vec2 next = point;
    for (; is_at(next, point) && *left_out < 1; *left_out *= 2) {
        next = grz_point_at(from, to, fraction * (1 - *left_out));
    }
    return is_at(next, point) ? from : next;
}

// Far from the origin, or short: then many points are the same.
static void points_are_those_of_a_loop(void **state)
{
    (void)state;
    random_state random = random_seed(1);
    for (uint32_t k = 0; k < MOVES; ++k) {
        const float range = k & 1 ? 1e6f : 10, length = k & 2 ? 1e-3f : 50;
        const graze_vec2 from = {random_float(&random, -range, range),
                                 random_float(&random, -range, range)};
        const graze_vec2 to = {from.x + random_float(&random, -length, length),
                               from.y + random_float(&random, -length, length)};
        const double fraction = (double)random_float(&random, 0, 1);
        double left_out = GRZ_MIN_LEFT_OUT, by_loop = GRZ_MIN_LEFT_OUT;
        graze_vec2 point = grz_point_at(from, to, fraction);
        for (bool last = false; !last; last = is_at(point, from)) {
            const graze_vec2 next = draw_back_by_loop(from, to, fraction, point, &by_loop);
            point = grz_next_point(from, to, fraction, point, &left_out);
            assert_true(is_at(point, next));
            assert_true(left_out == by_loop || (left_out >= 1 && by_loop >= 1));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_those_of_a_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
