#include "narrow_checks.h"

#include "exact.h"
#include "exact_shapes.h"

#include <graze/cast.h>
#include <graze/cross.h>
#include <graze/orient.h>
#include <graze/overlap.h>
#include <graze/sweep.h>

#include <math.h>

enum { REACH = 8, MAX_POINTS = 8 };

// --- Sides and crossings ---

static bool is_finite(graze_vec2 v)
{
    return isfinite(v.x) && isfinite(v.y);
}

static void expect_sides(graze_vec2 a, graze_vec2 b, graze_vec2 p)
{
    const int side = exact_orient(a, b, p);
    FUZZ_CHECK(graze_orient(a, b, p) == side, "orient: not %d", side);
    FUZZ_CHECK(graze_orient(b, a, p) == -side, "orient, swapped: not %d", -side);
    FUZZ_CHECK(graze_orient(b, p, a) == side, "orient, rotated: not %d", side);
}

static void expect_sweep(graze_vec2 from, graze_vec2 to, graze_segment wall, bool on_grid)
{
    const graze_sweep sweep = graze_sweep_point_segment(from, to, wall);
    FUZZ_CHECK(sweep.hit == graze_crosses(from, to, wall), "the sweep says %d", sweep.hit);
    if (!sweep.hit) {
        return;
    }
    FUZZ_CHECK(sweep.time >= 0 && sweep.time <= 1, "time %a", sweep.time);
    narrow_expect_unit(sweep.normal.x, sweep.normal.y);
    if (on_grid && !exact_are_parallel(from, to, wall.a, wall.b)) {
        const double time = exact_place_of_crossing(from, to, wall.a, wall.b);
        FUZZ_CHECK(fabs(sweep.time - time) < 1e-14, "time %a, not %a", sweep.time, time);
    }
}

static void expect_cast(graze_vec2 from, graze_vec2 to, graze_segment wall)
{
    const graze_ray ray = {from, graze_vec2_sub(to, from)};
    const graze_vec2 end = graze_vec2_add(from, ray.delta);
    const graze_hit hit = graze_cast_ray_segment(ray, wall);
    const bool crosses = is_finite(ray.delta) && is_finite(end) && graze_crosses(from, end, wall);
    FUZZ_CHECK(hit.hit == crosses, "the cast says %d", hit.hit);
    if (hit.hit) {
        FUZZ_CHECK(hit.time >= 0 && hit.time <= 1, "time %a", (double)hit.time);
        narrow_expect_unit((double)hit.normal.x, (double)hit.normal.y);
    }
}

void narrow_check_sides(fuzz_bytes *bytes, const fuzz_ground *ground)
{
    const graze_segment wall = narrow_draw_segment(bytes, ground);
    const graze_segment back = {wall.b, wall.a};
    const graze_segment move = narrow_draw_segment(bytes, ground);
    expect_sides(wall.a, wall.b, move.a);
    const bool crosses = exact_crosses(move.a, move.b, wall.a, wall.b);
    FUZZ_CHECK(graze_crosses(move.a, move.b, wall) == crosses, "crosses: not %d", crosses);
    FUZZ_CHECK(graze_crosses(move.b, move.a, wall) == crosses, "crosses back: not %d", crosses);
    FUZZ_CHECK(graze_crosses(move.a, move.b, back) == crosses, "wall turned: not %d", crosses);
    expect_sweep(move.a, move.b, wall, fuzz_ground_is_exact(ground));
    expect_cast(move.a, move.b, wall);
}

void narrow_check_parity(fuzz_bytes *bytes, const fuzz_ground *ground)
{
    graze_vec2 loop[MAX_POINTS];
    graze_vec2 way[MAX_POINTS];
    const uint32_t manner = fuzz_byte(bytes);
    const uint32_t loop_count = 3 + manner % (MAX_POINTS - 2);
    const uint32_t way_count = 3 + manner / MAX_POINTS % 2;
    for (uint32_t i = 0; i < loop_count; ++i) {
        loop[i] = fuzz_place(bytes, ground, REACH);
    }
    for (uint32_t i = 0; i < way_count; ++i) {
        way[i] = fuzz_place(bytes, ground, REACH);
    }
    uint32_t crossings = 0;
    for (uint32_t i = 0; i < loop_count * way_count; ++i) {
        const uint32_t k = i % loop_count;
        const uint32_t m = i / loop_count;
        const graze_segment wall = {loop[k], loop[(k + 1) % loop_count]};
        crossings += graze_crosses(way[m], way[(m + 1) % way_count], wall);
    }
    FUZZ_CHECK(crossings % 2 == 0, "%u crossings", (unsigned)crossings);
}

// --- Segments and lines ---

// Whether a point is where its parameter on a segment says, as well as float can tell.
static void expect_at(graze_vec2 point, graze_segment segment, float along)
{
    const double share = (double)along;
    const double x = (1 - share) * (double)segment.a.x + share * (double)segment.b.x;
    const double y = (1 - share) * (double)segment.a.y + share * (double)segment.b.y;
    const double slack = 2e-6 * (1 + fabs(x) + fabs(y));
    FUZZ_CHECK(fabs(x - (double)point.x) <= slack && fabs(y - (double)point.y) <= slack,
               "a point (%a, %a) at %a", (double)point.x, (double)point.y, (double)along);
}

static void expect_points(const graze_crossing *crossing, graze_segment a, graze_segment b)
{
    for (uint32_t i = 0; i < crossing->count; ++i) {
        const float along_a = crossing->along_a[i];
        const float along_b = crossing->along_b[i];
        FUZZ_CHECK(along_a >= 0 && along_a <= 1 && along_b >= 0 && along_b <= 1, "at %a and %a",
                   (double)along_a, (double)along_b);
        expect_at(crossing->points[i], a, along_a);
        expect_at(crossing->points[i], b, along_b);
    }
}

static void expect_lines(graze_segment a, graze_segment b, bool parallel, bool moderate)
{
    const graze_line first = {a.a, a.b};
    const graze_line second = {b.a, b.b};
    const graze_crossing crossing = graze_cross_lines(first, second);
    FUZZ_CHECK(crossing.parallel == parallel, "lines: not parallel %d", parallel);
    FUZZ_CHECK(!parallel || crossing.count == 0, "parallel lines cross");
    if (moderate && !parallel) {
        const double place = exact_place_of_crossing(a.a, a.b, b.a, b.b);
        FUZZ_CHECK(crossing.count == 1, "lines that are not parallel do not cross");
        FUZZ_CHECK(fabs((double)crossing.along_a[0] - place) <= 1e-6 * (1 + fabs(place)),
                   "lines cross at %a, not %a", (double)crossing.along_a[0], place);
    }
}

void narrow_check_segments(fuzz_bytes *bytes, const fuzz_ground *ground)
{
    const graze_segment a = narrow_draw_segment(bytes, ground);
    const graze_segment b = narrow_draw_segment(bytes, ground);
    const bool moderate = ground->kind != FUZZ_ANY;
    const bool meet = exact_segments_meet(a.a, a.b, b.a, b.b);
    const bool parallel = exact_are_parallel(a.a, a.b, b.a, b.b);
    FUZZ_CHECK(graze_overlap_segments(a, b) == meet, "segments overlap: not %d", meet);
    FUZZ_CHECK(graze_overlap_segments(b, a) == meet, "swapped: not %d", meet);
    const graze_crossing crossing = graze_cross_segments(a, b);
    FUZZ_CHECK((crossing.count > 0) == meet, "segments cross: not %d", meet);
    FUZZ_CHECK(crossing.parallel == parallel, "segments: not parallel %d", parallel);
    if (moderate) {
        expect_points(&crossing, a, b);
    }
    expect_lines(a, b, parallel, moderate);
}

// --- Polygons ---

static void expect_ray_polygon(graze_ray ray, const graze_polygon *polygon,
                               const graze_polygon *hull, bool on_grid)
{
    const graze_vec2 ends[2] = {ray.origin, graze_vec2_add(ray.origin, ray.delta)};
    const graze_hit hit = graze_cast_ray_polygon(ray, polygon);
    if (!is_finite(ends[1])) {
        FUZZ_CHECK(!hit.hit, "a ray that is not finite hits");
        return;
    }
    const graze_polygon path = exact_hull(ends, 2);
    if (hull->count > 2 || on_grid) {
        const bool meets = exact_polygons_meet(&path, hull);
        FUZZ_CHECK(hit.hit == meets, "a ray hits a polygon: not %d", meets);
    }
    if (hit.hit) {
        FUZZ_CHECK(hit.time >= 0 && hit.time <= 1, "time %a", (double)hit.time);
        narrow_expect_unit((double)hit.normal.x, (double)hit.normal.y);
    }
}

void narrow_check_polygons(fuzz_bytes *bytes, const fuzz_ground *ground)
{
    const graze_polygon a = narrow_draw_polygon(bytes, ground);
    const graze_polygon b = narrow_draw_polygon(bytes, ground);
    const graze_segment segment = narrow_draw_segment(bytes, ground);
    const graze_vec2 ends[2] = {segment.a, segment.b};
    const graze_polygon hull_a = exact_hull(a.vertices, (int)a.count);
    const graze_polygon hull_b = exact_hull(b.vertices, (int)b.count);
    const graze_polygon path = exact_hull(ends, 2);
    const graze_polygon point = exact_hull(ends, 1);
    const bool polygons = exact_polygons_meet(&hull_a, &hull_b);
    FUZZ_CHECK(graze_overlap_polygons(&a, &b) == polygons, "polygons overlap: not %d", polygons);
    FUZZ_CHECK(graze_overlap_polygons(&b, &a) == polygons, "swapped: not %d", polygons);
    const bool segments = exact_polygons_meet(&path, &hull_a);
    FUZZ_CHECK(graze_overlap_polygon_segment(&a, segment) == segments,
               "a polygon and a segment overlap: not %d", segments);
    const bool points = exact_polygons_meet(&point, &hull_a);
    FUZZ_CHECK(graze_overlap_point_polygon(segment.a, &a) == points,
               "a point is in a polygon: not %d", points);
    const graze_ray ray = {segment.a, graze_vec2_sub(segment.b, segment.a)};
    expect_ray_polygon(ray, &a, &hull_a, fuzz_ground_is_exact(ground));
}
