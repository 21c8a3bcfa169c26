// Fuzz target: the kernels of the narrowphase against exact arithmetic.
//
// The first byte picks a check, the second the numbers that the shapes are made of.

#include "exact_shapes.h"
#include "fuzz_bytes.h"
#include "narrow_checks.h"

#include <math.h>

/// Places are at most this many units of a grid from its origin.
enum { PLACE_REACH = 8, SIZE_REACH = 4, MAX_CORNERS = 6 };

graze_rect narrow_draw_rect(fuzz_bytes *bytes, const fuzz_ground *ground)
{
    static const graze_rotation quarters[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    graze_rect rect = {fuzz_place(bytes, ground, PLACE_REACH), {0, 0}, {1, 0}};
    rect.half.x = fuzz_size(bytes, ground, SIZE_REACH);
    rect.half.y = fuzz_size(bytes, ground, SIZE_REACH);
    const int turn = fuzz_integer(bytes, 127);
    if (fuzz_ground_is_exact(ground)) {
        rect.rotation = quarters[turn & 3];
    } else if (turn != 0) {
        rect.rotation = graze_rotation_from_angle((float)turn * 0.1f);
    }
    return rect;
}

graze_segment narrow_draw_segment(fuzz_bytes *bytes, const fuzz_ground *ground)
{
    const graze_vec2 a = fuzz_place(bytes, ground, PLACE_REACH);
    const graze_segment segment = {a, fuzz_place(bytes, ground, PLACE_REACH)};
    return segment;
}

graze_circle narrow_draw_circle(fuzz_bytes *bytes, const fuzz_ground *ground)
{
    const graze_vec2 center = fuzz_place(bytes, ground, PLACE_REACH);
    const bool is_point = fuzz_below(bytes, 8) == 7;
    const graze_circle circle = {center, is_point ? 0 : fuzz_size(bytes, ground, 2 * SIZE_REACH)};
    return circle;
}

static graze_polygon turn_around(const graze_polygon *polygon)
{
    graze_polygon turned = {{{0, 0}}, polygon->count};
    for (uint32_t i = 0; i < polygon->count; ++i) {
        turned.vertices[polygon->count - 1 - i] = polygon->vertices[i];
    }
    return turned;
}

graze_polygon narrow_draw_polygon(fuzz_bytes *bytes, const fuzz_ground *ground)
{
    graze_vec2 points[MAX_CORNERS];
    const uint32_t manner = fuzz_byte(bytes);
    const int count = 1 + (int)(manner / 4 % MAX_CORNERS);
    for (int i = 0; i < count; ++i) {
        points[i] = fuzz_place(bytes, ground, PLACE_REACH);
    }
    graze_polygon polygon = exact_hull(points, count);
    if (manner & 1) {
        polygon = turn_around(&polygon);
    }
    if (manner & 2) {
        polygon.vertices[polygon.count] = polygon.vertices[polygon.count - 1];
        ++polygon.count;
    }
    return polygon;
}

void narrow_expect_unit(double x, double y)
{
    FUZZ_CHECK(fabs(x * x + y * y - 1) < 1e-6, "the normal (%a, %a) has no length of 1", x, y);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static narrow_check_fn *const checks[] = {
        narrow_check_sides, narrow_check_parity, narrow_check_segments,  narrow_check_polygons,
        narrow_check_discs, narrow_check_rects,  narrow_check_manifolds, narrow_check_sweeps,
        narrow_check_casts, narrow_check_wild,
    };
    fuzz_bytes bytes = {data, size};
    narrow_check_fn *const check = checks[fuzz_below(&bytes, sizeof checks / sizeof *checks)];
    const fuzz_ground ground = fuzz_ground_draw(&bytes);
    check(&bytes, &ground);
    return 0;
}
