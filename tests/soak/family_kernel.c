#include "families.h"

#include "moving_pair.h"

#include <math.h>

// The gap between two convex shapes, one of which moves straight, is a convex function of time. So
// its least value is found by a search that halves in steady steps, in long double: below 0 the
// kernel must say hit, above 0 it must not; and where it says hit the gap must be 0, or the start.

enum { PAIRS = 16, SEARCH_STEPS = 60 };

static long double stretch_of(graze_rotation rotation)
{
    const long double c = (long double)rotation.cosine;
    const long double s = (long double)rotation.sine;
    return fabsl(c * c + s * s - 1);
}

// Double rounds to 2^-53 of the coordinates, a few times, and the root of a difference of squares
// near 0 doubles the digits lost. A rect's axes are taken as they are: floats, which make a unit
// vector but for 1e-7; its distance to something else, within 20 here, is off by such a share.
static long double tolerance_of(const moving_pair *pair)
{
    const long double rects[PAIR_KIND_COUNT] = {
        [PAIR_CIRCLE_RECT] = stretch_of(pair->b.rotation),
        [PAIR_RECTS] = stretch_of(pair->a.rotation) + stretch_of(pair->b.rotation),
        [PAIR_RECT_SEGMENT] = stretch_of(pair->a.rotation),
    };
    return 1e-9L + 20 * rects[pair->kind];
}

static long double find_least_gap(const moving_pair *pair)
{
    const long double golden = 0.6180339887498948482L;
    long double low = 0;
    long double high = 1;
    long double times[2] = {1 - golden, golden};
    long double gaps[2] = {moving_pair_gap(pair, times[0]), moving_pair_gap(pair, times[1])};
    for (int i = 0; i < SEARCH_STEPS; ++i) {
        const int kept = gaps[0] <= gaps[1] ? 0 : 1;
        low = kept == 0 ? low : times[0];
        high = kept == 0 ? times[1] : high;
        times[1 - kept] = times[kept];
        gaps[1 - kept] = gaps[kept];
        times[kept] = kept == 0 ? high - golden * (high - low) : low + golden * (high - low);
        gaps[kept] = moving_pair_gap(pair, times[kept]);
    }
    const long double ends = fminl(moving_pair_gap(pair, 0), moving_pair_gap(pair, 1));
    return fminl(ends, fminl(gaps[0], gaps[1]));
}

static void fail_pair(soak_case *test, const moving_pair *pair, const char *what, long double gap)
{
    const graze_sweep sweep = moving_pair_sweep(pair);
    const graze_vec2 points[] = {pair->a.center, pair->a.half, pair->b.center, pair->b.half,
                                 pair->wall.a,   pair->wall.b, pair->delta};
    soak_tell_points(test, "a's centre and half, b's, the wall, the way of a:", points, 7);
    soak_tell(test, "rotations (%.9g, %.9g) and (%.9g, %.9g)", (double)pair->a.rotation.cosine,
              (double)pair->a.rotation.sine, (double)pair->b.rotation.cosine,
              (double)pair->b.rotation.sine);
    soak_fail(test, "pair of kind %d: %s: hit %d at time %.17g, gap %.9Lg", (int)pair->kind, what,
              sweep.hit, sweep.time, gap);
}

static void check_hit(soak_case *test, const moving_pair *pair, const graze_sweep *sweep)
{
    const long double slack = tolerance_of(pair);
    const long double gap = moving_pair_gap(pair, (long double)sweep->time);
    const bool overlaps = moving_pair_overlaps(pair);
    if (overlaps != (sweep->time <= 0)) {
        fail_pair(test, pair, overlaps ? "overlaps at the start" : "is apart at the start", gap);
    } else if (sweep->time > 0 && fabsl(gap) > slack) {
        fail_pair(test, pair, "does not touch at that time", gap);
    } else if (fabs(sweep->normal.x * sweep->normal.x + sweep->normal.y * sweep->normal.y - 1) >
               1e-9) {
        fail_pair(test, pair, "the normal is not a unit vector", gap);
    }
}

static void check_pair(soak_case *test, const moving_pair *pair)
{
    const long double slack = tolerance_of(pair);
    const graze_sweep sweep = moving_pair_sweep(pair);
    const long double least = find_least_gap(pair);
    ++test->trials;
    if (sweep.hit ? least > slack : least < -slack) {
        fail_pair(test, pair, sweep.hit ? "must not meet" : "must meet", least);
    } else if (sweep.hit) {
        check_hit(test, pair, &sweep);
    }
}

static void shift(moving_pair *pair, graze_vec2 by)
{
    graze_vec2 *points[] = {&pair->a.center, &pair->b.center, &pair->wall.a, &pair->wall.b};
    for (int i = 0; i < 4; ++i) {
        *points[i] = graze_vec2_add(*points[i], by);
    }
}

// moving_pair.h draws from a generator of its own, which one choice seeds.
void soak_run_kernel(soak_case *test)
{
    static const float distances[] = {0, 1e3f, 1e6f};
    const float distance = distances[soak_pick(test, 3)];
    const bool lattice = soak_chance(test, 4);
    const graze_vec2 by = {distance * (float)soak_pick_integer(test, 1),
                           distance * (float)soak_pick_integer(test, 1)};
    random_state random = random_seed(soak_pick(test, UINT32_MAX));
    for (int i = 0; i < PAIRS && !test->failed; ++i) {
        const pair_kind kind = (pair_kind)(i % PAIR_KIND_COUNT);
        moving_pair pair =
            lattice ? moving_pair_lattice(&random, kind) : moving_pair_random(&random, kind);
        shift(&pair, by);
        check_pair(test, &pair);
    }
}
