#include "hard_loop.h"

#include "fixed_point.h"

#include <float.h>
#include <math.h>

/// A grid goes this many steps from its middle.
enum { GRID_REACH = 3 };

static graze_vec2 pick_grid_point(soak_case *test, int reach)
{
    const float x = (float)soak_pick_integer(test, reach);
    const graze_vec2 point = {x, (float)soak_pick_integer(test, reach)};
    return point;
}

static graze_vec2 pick_signed_point(soak_case *test, float reach)
{
    const float x = soak_pick_signed(test, reach);
    const graze_vec2 point = {x, soak_pick_signed(test, reach)};
    return point;
}

static float pick_power(soak_case *test, int low, int high)
{
    return ldexpf(1, low + (int)soak_pick(test, (uint32_t)(high - low + 1)));
}

static graze_vec2 pick_far_origin(soak_case *test)
{
    static const float distances[] = {1e3f, 1e5f, 1e6f};
    const float distance = distances[soak_pick(test, 3)];
    const graze_vec2 corner = pick_grid_point(test, 1);
    return graze_vec2_scale(corner, distance);
}

// A grid far out has steps of at least what float can tell there.
static float pick_unit(soak_case *test, ground_kind kind)
{
    static const float reaches[] = {1, 10, 1e3f, 1e6f};
    switch (kind) {
    case GROUND_ROUNDED:
        return 0.1f * pick_power(test, -3, 3);
    case GROUND_FAR_GRID:
        return pick_power(test, -3, 0);
    case GROUND_UNIFORM:
        return reaches[soak_pick(test, 4)];
    default:
        return pick_power(test, 0, 4) / 4;
    }
}

ground ground_pick(soak_case *test)
{
    ground place = {.kind = (ground_kind)soak_pick(test, GROUND_KIND_COUNT)};
    place.unit = pick_unit(test, place.kind);
    switch (place.kind) {
    case GROUND_FAR_GRID:
        place.origin = pick_far_origin(test);
        break;
    case GROUND_LINE:
        place.origin = pick_signed_point(test, 100);
        place.direction = pick_signed_point(test, 10);
        break;
    case GROUND_SPREAD:
        place.direction = pick_grid_point(test, 999);
        break;
    case GROUND_STEPS:
        place.origin = fixed_round(pick_signed_point(test, pick_power(test, -1, 10)));
        place.direction = pick_grid_point(test, 24);
        break;
    default:
        break;
    }
    return place;
}

static float step_float(float value, int steps)
{
    for (; steps > 0; --steps) {
        value = nextafterf(value, FLT_MAX);
    }
    for (; steps < 0; ++steps) {
        value = nextafterf(value, -FLT_MAX);
    }
    return value;
}

static graze_vec2 step_beside(soak_case *test, graze_vec2 point, int reach)
{
    point.x = step_float(point.x, soak_pick_integer(test, reach));
    point.y = step_float(point.y, soak_pick_integer(test, reach));
    return point;
}

// base + share * way, as a float computed in double.
static graze_vec2 go_along(graze_vec2 base, graze_vec2 way, double share)
{
    const graze_vec2 point = {(float)((double)base.x + share * (double)way.x),
                              (float)((double)base.y + share * (double)way.y)};
    return point;
}

static graze_vec2 pick_line_point(soak_case *test, const ground *place)
{
    const double share = (double)soak_pick_signed(test, 4);
    return step_beside(test, go_along(place->origin, place->direction, share), 1);
}

static graze_vec2 pick_step_point(soak_case *test, const ground *place)
{
    if (soak_chance(test, 4)) {
        return go_along(place->origin, place->direction, soak_pick_integer(test, 2));
    }
    return step_beside(test, place->origin, GRID_REACH);
}

// Small multiples of the direction, halved many times, are exact; others are as near as float can
// tell. Differences of the sizes here do not fit a double.
static graze_vec2 pick_spread_point(soak_case *test, const ground *place)
{
    const float exact = (float)soak_pick_integer(test, 9);
    const float factor = soak_pick(test, 2) == 0 ? exact : soak_pick_signed(test, 1);
    const float share = factor * pick_power(test, -30, 6);
    const graze_vec2 point = graze_vec2_scale(place->direction, share);
    return soak_chance(test, 4) ? step_beside(test, point, 1) : point;
}

static float pick_mixed_number(soak_case *test)
{
    return soak_pick_signed(test, pick_power(test, -17, 19));
}

static graze_vec2 pick_point(soak_case *test, const ground *place)
{
    switch (place->kind) {
    case GROUND_LINE:
        return pick_line_point(test, place);
    case GROUND_STEPS:
        return pick_step_point(test, place);
    case GROUND_SPREAD:
        return pick_spread_point(test, place);
    case GROUND_UNIFORM:
        return pick_signed_point(test, place->unit);
    case GROUND_MIXED: {
        const float x = pick_mixed_number(test);
        const graze_vec2 point = {x, pick_mixed_number(test)};
        return point;
    }
    default:
        return go_along(place->origin, pick_grid_point(test, GRID_REACH), (double)place->unit);
    }
}

graze_vec2 ground_point(soak_case *test, const ground *place)
{
    return fixed_round(pick_point(test, place));
}

static graze_vec2 mirror(graze_vec2 point, graze_vec2 centre)
{
    const graze_vec2 way = graze_vec2_sub(centre, point);
    return go_along(point, way, 2);
}

static graze_vec2 middle_of(graze_vec2 a, graze_vec2 b)
{
    return go_along(a, graze_vec2_sub(b, a), 0.5);
}

// The next point of a chain that has at least two.
static graze_vec2 pick_next_point(soak_case *test, const ground *place, const hard_loop *loop)
{
    const graze_vec2 last = loop->points[loop->count - 1];
    const graze_vec2 before = loop->points[loop->count - 2];
    switch (soak_pick(test, 16)) {
    case 11:
        return last;
    case 12:
        return before;
    case 13:
        return middle_of(before, last);
    case 14:
        return mirror(before, last);
    case 15:
        return step_beside(test, loop->points[soak_pick(test, loop->count)], 1);
    default:
        return pick_point(test, place);
    }
}

void hard_loop_pick(soak_case *test, const ground *place, hard_loop *loop)
{
    loop->count = 0;
    for (int i = 0; i < 3; ++i) {
        loop->points[loop->count++] = ground_point(test, place);
    }
    while (loop->count < HARD_LOOP_CAPACITY && soak_more(test, 2)) {
        loop->points[loop->count] = fixed_round(pick_next_point(test, place, loop));
        ++loop->count;
    }
}

static graze_vec2 pick_aim(soak_case *test, const ground *place, const hard_loop *loop,
                           graze_vec2 last)
{
    const uint32_t kind = soak_pick(test, 8);
    if (kind < 2) {
        return pick_point(test, place);
    }
    const uint32_t i = soak_pick(test, loop->count);
    const graze_vec2 a = loop->points[i];
    const graze_vec2 b = loop->points[(i + 1) % loop->count];
    switch (kind) {
    case 2:
        return a;
    case 3:
        return middle_of(a, b);
    case 4:
        return mirror(a, b);
    case 5:
        return mirror(last, a);
    case 6:
        return step_beside(test, a, 1);
    default:
        return go_along(a, graze_vec2_sub(b, a), (double)soak_pick_float(test, 0, 1));
    }
}

graze_vec2 hard_loop_aim(soak_case *test, const ground *place, const hard_loop *loop,
                         graze_vec2 last)
{
    return fixed_round(pick_aim(test, place, loop, last));
}
