#include "fixed_point.h"

#include <math.h>

__extension__ typedef __int128 wide;

static const double per_unit = 0x1p40;

static float round_coordinate(float value)
{
    if (!(value < FIXED_REACH)) {
        return FIXED_REACH;
    }
    return value > -FIXED_REACH ? (float)(rint((double)value * per_unit) / per_unit) : -FIXED_REACH;
}

graze_vec2 fixed_round(graze_vec2 point)
{
    const graze_vec2 rounded = {round_coordinate(point.x), round_coordinate(point.y)};
    return rounded;
}

fixed_vec2 fixed_from(graze_vec2 point)
{
    const fixed_vec2 fixed = {(int64_t)((double)point.x * per_unit),
                              (int64_t)((double)point.y * per_unit)};
    return fixed;
}

static fixed_vec2 difference(fixed_vec2 a, fixed_vec2 b)
{
    const fixed_vec2 d = {a.x - b.x, a.y - b.y};
    return d;
}

static wide cross(fixed_vec2 a, fixed_vec2 b)
{
    return (wide)a.x * b.y - (wide)a.y * b.x;
}

// An edge from not above the moved point to above it (or back) meets the point's height. There, an
// edge that goes up has the point strictly on its left when it is met to the right; one exactly
// through the point is met left of it, because eps is more than any slope times eps^2.
static bool is_met_to_the_right(fixed_vec2 a, fixed_vec2 b, fixed_vec2 point)
{
    const bool a_is_above = a.y > point.y;
    const bool b_is_above = b.y > point.y;
    if (a_is_above == b_is_above) {
        return false;
    }
    const wide area = cross(difference(b, a), difference(point, a));
    return b_is_above ? area > 0 : area < 0;
}

bool fixed_is_inside(const fixed_vec2 *polygon, uint32_t count, fixed_vec2 point)
{
    bool inside = false;
    for (uint32_t i = 0; i < count; ++i) {
        const fixed_vec2 next = polygon[i + 1 < count ? i + 1 : 0];
        inside ^= is_met_to_the_right(polygon[i], next, point);
    }
    return inside;
}

long double fixed_time(fixed_vec2 from, fixed_vec2 to, fixed_vec2 a, fixed_vec2 b)
{
    const fixed_vec2 wall = difference(b, a);
    return (long double)cross(difference(a, from), wall) /
           (long double)cross(difference(to, from), wall);
}
