#include "families.h"

#include "exact.h"
#include "hard_points.h"

#include <graze/orient.h>
#include <graze/sweep.h>

#include <math.h>

enum { MOVES = 32 };

// Sides of sum of products are known to 2^-32 of their value, and so is a share of two of them.
static const double time_tolerance = 0x1p-30;

static void check_sides(soak_case *test, const graze_vec2 *p)
{
    const int expected = exact_orient(p[0], p[1], p[2]);
    if (graze_orient(p[0], p[1], p[2]) != expected || graze_orient(p[1], p[0], p[2]) != -expected) {
        soak_fail(test, "the side of the third point is %d", expected);
    }
}

// A move that crosses by the fill rule alone starts or ends on the wall's line: at 0 or 1 then.
static void check_time(soak_case *test, const graze_vec2 *p, double time)
{
    if (exact_are_parallel(p[0], p[1], p[2], p[3])) {
        soak_fail(test, "a move crosses a wall that is parallel to it");
        return;
    }
    const double exact = exact_place_of_crossing(p[0], p[1], p[2], p[3]);
    if (!(fabs(time - exact) <= time_tolerance * exact)) {
        soak_fail(test, "crossed at %.17g, not at %.17g", time, exact);
    }
}

static void check_crossing(soak_case *test, const graze_vec2 *p)
{
    const graze_segment wall = {p[2], p[3]};
    const bool expected = exact_crosses(p[0], p[1], p[2], p[3]);
    const graze_sweep sweep = graze_sweep_point_segment(p[0], p[1], wall);
    if (graze_crosses(p[0], p[1], wall) != expected || sweep.hit != expected) {
        soak_fail(test, "the move (first two) and the wall (last two) %s",
                  expected ? "cross" : "do not cross");
    } else if (sweep.hit) {
        check_time(test, p, sweep.time);
    }
}

// hard_points.h draws from a generator of its own, which one choice seeds.
void soak_run_exact(soak_case *test)
{
    const hard_kind kind = (hard_kind)soak_pick(test, HARD_KIND_COUNT);
    random_state random = random_seed(soak_pick(test, UINT32_MAX));
    for (int i = 0; i < MOVES && !test->failed; ++i) {
        graze_vec2 points[4];
        hard_points_make(&random, kind, points, 4);
        ++test->trials;
        check_sides(test, points);
        check_crossing(test, points);
        if (test->failed) {
            soak_tell_points(test, "points", points, 4);
        }
    }
}
