// Lines and boxes: what the filter of box.h decides is what the exact test of four corners says.

#include "collide/box.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

enum { LINES = 200000 };

static float nudge(random_state *random, float number)
{
    const uint32_t which = random_below(random, 3);
    return which == 0 ? number : nextafterf(number, which == 1 ? INFINITY : -INFINITY);
}

static graze_vec2 corner_of(const graze_aabb *box, uint32_t corner)
{
    const graze_vec2 point = {corner & 1 ? box->upper.x : box->lower.x,
                              corner & 2 ? box->upper.y : box->lower.y};
    return point;
}

static bool meets_by_corners(graze_vec2 a, graze_vec2 b, const graze_aabb *box)
{
    const int first = graze_orient(a, b, corner_of(box, 0));
    bool is_apart = first != 0;
    for (uint32_t corner = 1; corner < 4; ++corner) {
        is_apart = is_apart && graze_orient(a, b, corner_of(box, corner)) == first;
    }
    return !is_apart;
}

static void check_line(graze_vec2 a, graze_vec2 b, graze_aabb box)
{
    if (grz_line_meets_box(a, b, &box) != meets_by_corners(a, b, &box)) {
        fail_msg("(%.9g, %.9g) to (%.9g, %.9g), box at %.9g, %.9g", (double)a.x, (double)a.y,
                 (double)b.x, (double)b.y, (double)box.lower.x, (double)box.lower.y);
    }
}

// Some of the lines are points.
static void lines_past_a_corner_by_the_last_bit_of_a_float(void **state)
{
    (void)state;
    random_state random = random_seed(7);
    for (int i = 0; i < LINES; ++i) {
        const float far = (float)random_below(&random, 2) * 10000;
        const graze_vec2 lower = {far + random_float(&random, -4, 4),
                                  far + random_float(&random, -4, 4)};
        const graze_aabb box = {lower, {lower.x + random_float(&random, 0, 2), lower.y + 1}};
        const graze_vec2 corner = corner_of(&box, random_below(&random, 4));
        const graze_vec2 way = {random_float(&random, -8, 8), random_float(&random, -8, 8)};
        const float times = (float)random_below(&random, 3);
        const graze_vec2 a = {corner.x - way.x, corner.y - way.y};
        const graze_vec2 b = {nudge(&random, corner.x + way.x * times),
                              nudge(&random, corner.y + way.y * times)};
        check_line(a, b, box);
    }
}

// Lines through the origin, so close to a corner that doubles round the difference.
static void lines_past_a_corner_by_less_than_doubles_tell(void **state)
{
    (void)state;
    random_state random = random_seed(8);
    for (int i = 0; i < LINES; ++i) {
        const float tiny = ldexpf(1, -40 - (int)random_below(&random, 20));
        const graze_vec2 corner = {tiny * random_float(&random, -1, 1),
                                   tiny * random_float(&random, -1, 1)};
        const graze_vec2 opposite = {random_float(&random, -4, 4), random_float(&random, -4, 4)};
        const graze_aabb box = {{fminf(corner.x, opposite.x), fminf(corner.y, opposite.y)},
                                {fmaxf(corner.x, opposite.x), fmaxf(corner.y, opposite.y)}};
        const graze_vec2 way = {(float)random_below(&random, 1 << 16) - (1 << 15),
                                (float)random_below(&random, 1 << 16) - (1 << 15)};
        const float times = (float)random_below(&random, 256);
        const graze_vec2 a = {-way.x / 3, -way.y / 3};
        const graze_vec2 b = {a.x * -times, a.y * -times};
        check_line(a, b, box);
        check_line((graze_vec2){-way.x, -way.y}, (graze_vec2){way.x * times, way.y * times}, box);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_past_a_corner_by_the_last_bit_of_a_float),
        cmocka_unit_test(lines_past_a_corner_by_less_than_doubles_tell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
