#include "hard_points.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static graze_vec2 make_grid_point(random_state *random)
{
    const graze_vec2 point = {(float)random_integer(random, -3, 3),
                              (float)random_integer(random, -3, 3)};
    return point;
}

static void make_scaled_grid(random_state *random, graze_vec2 *points, int count)
{
    const float factor = ldexpf(0.1f, random_integer(random, -40, 40));
    const graze_vec2 origin = graze_vec2_scale(make_grid_point(random), factor);
    for (int i = 0; i < count; ++i) {
        points[i] = graze_vec2_add(origin, graze_vec2_scale(make_grid_point(random), factor));
    }
}

static void make_far_grid(random_state *random, graze_vec2 *points, int count)
{
    const graze_vec2 origin = {1e5f, -1e6f};
    for (int i = 0; i < count; ++i) {
        points[i] = graze_vec2_add(origin, graze_vec2_scale(make_grid_point(random), 0.125f));
    }
}

static float step_beside(random_state *random, float value)
{
    const int step = random_integer(random, -1, 1);
    return step == 0 ? value : nextafterf(value, step < 0 ? -FLT_MAX : FLT_MAX);
}

static void make_neighbours(random_state *random, graze_vec2 *points, int count)
{
    const graze_vec2 origin = {random_float(random, -100, 100), random_float(random, -100, 100)};
    const graze_vec2 direction = {random_float(random, -10, 10), random_float(random, -10, 10)};
    for (int i = 0; i < count; ++i) {
        const double t = (double)random_float(random, -4, 4);
        points[i].x = step_beside(random, (float)((double)origin.x + t * (double)direction.x));
        points[i].y = step_beside(random, (float)((double)origin.y + t * (double)direction.y));
    }
}

// Small multiples of a short vector are exact; others are on the line to within rounding.
// Differences of the sizes here do not fit a double.
static void make_spread(random_state *random, graze_vec2 *points, int count)
{
    const graze_vec2 direction = {(float)random_integer(random, -999, 999),
                                  (float)random_integer(random, -999, 999)};
    for (int i = 0; i < count; ++i) {
        const float exact = (float)random_integer(random, -9, 9);
        const float factor = random_below(random, 2) == 0 ? exact : random_float(random, -1, 1);
        points[i] = graze_vec2_scale(direction, ldexpf(factor, random_integer(random, -40, 0)));
    }
}

static float make_mixed_number(random_state *random)
{
    const float fraction = random_float(random, -1, 1);
    return ldexpf(fraction, random_integer(random, -60, 60));
}

static float make_denormal_number(random_state *random)
{
    const int exponent = random_below(random, 8) == 0 ? random_integer(random, -149, 20) : -149;
    return ldexpf((float)random_integer(random, -3, 3), exponent);
}

static float make_huge_number(random_state *random)
{
    const float sign = random_below(random, 2) == 0 ? -1.0f : 1.0f;
    if (random_below(random, 8) == 0) {
        return make_denormal_number(random);
    }
    const float step = ldexpf((float)random_integer(random, 0, 3), 104);
    return sign * (FLT_MAX - step);
}

static graze_vec2 make_point_of(random_state *random, float (*make)(random_state *random))
{
    const float x = make(random);
    const graze_vec2 point = {x, make(random)};
    return point;
}

static graze_vec2 make_single(random_state *random, hard_kind kind)
{
    switch (kind) {
    case HARD_MIXED:
        return make_point_of(random, make_mixed_number);
    case HARD_DENORMAL:
        return make_point_of(random, make_denormal_number);
    case HARD_HUGE:
        return make_point_of(random, make_huge_number);
    default:
        return make_grid_point(random);
    }
}

void hard_points_make(random_state *random, hard_kind kind, graze_vec2 *points, int count)
{
    switch (kind) {
    case HARD_SCALED_GRID:
        make_scaled_grid(random, points, count);
        return;
    case HARD_FAR_GRID:
        make_far_grid(random, points, count);
        return;
    case HARD_SPREAD:
        make_spread(random, points, count);
        return;
    case HARD_NEIGHBOURS:
        make_neighbours(random, points, count);
        return;
    default:
        for (int i = 0; i < count; ++i) {
            points[i] = make_single(random, kind);
        }
    }
}

void hard_points_show(uint64_t seed, hard_kind kind, const graze_vec2 *points, int count)
{
    fprintf(stderr, "seed %llu, kind %d:\n", (unsigned long long)seed, (int)kind);
    for (int i = 0; i < count; ++i) {
        fprintf(stderr, "    (%a, %a)\n", (double)points[i].x, (double)points[i].y);
    }
}
