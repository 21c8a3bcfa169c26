// Shapes, rotations, and rects from and to their corners.

#include <graze/shape.h>

#include "direction.h"
#include "touch.h"
#include "vec2d.h"

#include <float.h>
#include <string.h>

graze_shape graze_shape_circle(float radius)
{
    const graze_shape shape = {GRAZE_SHAPE_CIRCLE, radius, {0, 0}};
    return shape;
}

graze_shape graze_shape_rect(float half_x, float half_y)
{
    const graze_shape shape = {GRAZE_SHAPE_RECT, 0, {half_x, half_y}};
    return shape;
}

graze_shape graze_shape_ray(void)
{
    const graze_shape shape = {GRAZE_SHAPE_RAY, 0, {0, 0}};
    return shape;
}

static const double half_pi = 0x1.921fb54442d18p+0;

// Returns 32 binary digits of 2/pi, the first of them with the weight 2^(31 - start).
static uint64_t two_over_pi_digits(uint32_t start)
{
    static const uint32_t digits[] = {0x00000000u, 0xA2F9836Eu, 0x4E441529u, 0xFC2757D1u,
                                      0xF534DDC0u, 0xDB629599u, 0x3C439041u, 0xFE5163ABu};
    const uint32_t word = start / 32;
    const uint64_t pair = (uint64_t)digits[word] << 32 | digits[word + 1];
    return (pair << (start % 32)) >> 32 & 0xFFFFFFFFu;
}

// The angle is m * 2^(exponent - 150). Digits of 2/pi whose product with it is a multiple of four
// turns are left out, so `turns` is m times 96 digits, modulo 4, with 62 digits after the point.
static quarter_turns reduce_large_angle(float radians)
{
    uint32_t bits;
    memcpy(&bits, &radians, sizeof bits);
    const uint32_t start = (bits >> 23 & 0xFFu) - 120;
    const uint64_t m = (bits & 0x7FFFFFu) | 0x800000u;
    const uint64_t turns = (m * two_over_pi_digits(start) << 32) +
                           m * two_over_pi_digits(start + 32) +
                           (m * two_over_pi_digits(start + 64) >> 32);
    const uint64_t half_turn = (uint64_t)1 << 61;
    const uint64_t rounded = turns + half_turn;
    const int64_t rest = (int64_t)(rounded & (2 * half_turn - 1)) - (int64_t)half_turn;
    const quarter_turns reduced = {(uint32_t)(rounded >> 62), (double)rest * 0x1p-62 * half_pi};
    return reduced;
}

static quarter_turns reduce_angle(float radians)
{
    if (absolute((double)radians) < grz_moderate_angle) {
        return reduce_moderate_angle((double)radians);
    }
    const quarter_turns reduced = reduce_large_angle(radians);
    const quarter_turns reversed = {(4 - reduced.count) & 3u, -reduced.rest};
    return radians < 0 ? reversed : reduced;
}

graze_rotation graze_rotation_from_angle(float radians)
{
    if (!(radians - radians == 0)) {
        const graze_rotation none = {1, 0};
        return none;
    }
    const graze_vec2d direction = direction_of(reduce_angle(radians));
    const graze_rotation rotation = {(float)direction.x, (float)direction.y};
    return rotation;
}

void graze_rect_get_vertices(graze_rect rect, graze_vec2 vertices[4])
{
    const graze_vec2d center = widen(rect.center);
    const graze_vec2d x = scale(axis_u(rect.rotation), (double)rect.half.x);
    const graze_vec2d y = scale(axis_v(rect.rotation), (double)rect.half.y);
    vertices[0] = narrow(subtract(subtract(center, x), y));
    vertices[1] = narrow(subtract(add(center, x), y));
    vertices[2] = narrow(add(add(center, x), y));
    vertices[3] = narrow(add(subtract(center, x), y));
}

// If each of the four corners is at most d away from the corner of some rectangle, those of the
// rectangle made here are at most 1.6181 d away from them (a square is worst).
#define GRZ_FIT_SHARE 1.65

// Two opposite sides of a quadrilateral, averaged.
static graze_vec2d average_sides(graze_vec2 from, graze_vec2 to, graze_vec2 from_2, graze_vec2 to_2)
{
    return scale(add(offset(to, from), offset(to_2, from_2)), 0.5);
}

// Returns the side nearest to `other` that is perpendicular to `side`.
static graze_vec2d make_perpendicular(graze_vec2d side, graze_vec2d other)
{
    const graze_vec2d normal = left_of(side);
    return scale(normal, dot(other, normal) / dot(normal, normal));
}

static double largest_coordinate(const graze_vec2 vertices[4])
{
    double largest = 0;
    for (int i = 0; i < 4; ++i) {
        const graze_vec2d vertex = widen(vertices[i]);
        largest = max_double(largest, max_double(absolute(vertex.x), absolute(vertex.y)));
    }
    return largest;
}

// Whether the corners center -x -y, +x -y, +x +y, -x +y are where the vertices are.
static bool has_corners_at(const graze_vec2 vertices[4], graze_vec2d center, graze_vec2d x,
                           graze_vec2d y, double tolerance)
{
    const graze_vec2d rising = add(x, y);
    const graze_vec2d falling = subtract(x, y);
    const graze_vec2d corners[4] = {negate(rising), falling, rising, negate(falling)};
    for (int i = 0; i < 4; ++i) {
        const graze_vec2d miss = subtract(widen(vertices[i]), add(center, corners[i]));
        if (!(dot(miss, miss) <= squared(tolerance))) {
            return false;
        }
    }
    return true;
}

graze_status graze_rect_from_vertices(const graze_vec2 vertices[4], graze_rect *rect)
{
    graze_vec2d x = average_sides(vertices[0], vertices[1], vertices[3], vertices[2]);
    graze_vec2d y = average_sides(vertices[1], vertices[2], vertices[0], vertices[3]);
    const bool x_is_longer = dot(x, x) >= dot(y, y);
    if (x_is_longer) {
        y = make_perpendicular(x, y);
    } else {
        x = make_perpendicular(y, x);
    }
    const double width = length_of(x);
    const double height = length_of(y);
    const graze_vec2d center = scale(add(add(widen(vertices[0]), widen(vertices[1])),
                                         add(widen(vertices[2]), widen(vertices[3]))),
                                     0.25);
    const double allowed =
        1e-5 * max_double(width, height) + 2 * (double)FLT_EPSILON * largest_coordinate(vertices);
    const graze_vec2 half = {(float)(width / 2), (float)(height / 2)};
    if (!is_finite(half) || !(half.x > 0 && half.y > 0) ||
        !has_corners_at(vertices, center, scale(x, 0.5), scale(y, 0.5), GRZ_FIT_SHARE * allowed)) {
        return GRAZE_ERROR_ARGUMENT;
    }
    rect->center = narrow(center);
    rect->half = half;
    rect->rotation.cosine = (float)(x.x / width);
    rect->rotation.sine = (float)(x.y / width);
    return GRAZE_OK;
}
