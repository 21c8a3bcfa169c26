#include "narrow_checks.h"

#include "exact.h"
#include "exact_shapes.h"
#include "solid.h"

#include <graze/collide.h>
#include <graze/cross.h>
#include <graze/overlap.h>

#include <math.h>

static graze_polygon polygon_of(graze_vec2 a, graze_vec2 b)
{
    const graze_vec2 ends[2] = {a, b};
    return exact_hull(ends, 2);
}

// --- Discs ---

// Every foot of a place on the grid's lines is within 64 lengths of the segment.
static graze_segment lengthen(graze_segment segment)
{
    const graze_vec2 way = graze_vec2_scale(graze_vec2_sub(segment.b, segment.a), 64);
    const graze_segment longer = {graze_vec2_sub(segment.a, way), graze_vec2_add(segment.b, way)};
    return longer;
}

static void expect_disc_segment(graze_circle disc, graze_segment segment)
{
    const double radius = (double)disc.radius;
    const int nearest = exact_compare_distance(disc.center, segment.a, segment.b, radius);
    const bool overlaps = graze_overlap_circle_segment(disc, segment);
    FUZZ_CHECK(overlaps == (nearest <= 0), "a disc and a segment overlap: not %d", nearest <= 0);
    const bool reaches_out =
        exact_compare_distance(segment.a, disc.center, disc.center, radius) >= 0 ||
        exact_compare_distance(segment.b, disc.center, disc.center, radius) >= 0;
    const graze_crossing rim = graze_cross_segment_circle(segment, disc);
    FUZZ_CHECK((rim.count > 0) == (nearest <= 0 && reaches_out),
               "a segment meets a rim in %u points", (unsigned)rim.count);
    const graze_segment longer = lengthen(segment);
    const graze_line line = {segment.a, segment.b};
    const int height = exact_compare_distance(disc.center, longer.a, longer.b, radius);
    FUZZ_CHECK(graze_overlap_circle_line(disc, line) == (height <= 0),
               "a disc and a line overlap: not %d", height <= 0);
}

void narrow_check_discs(fuzz_bytes *bytes, const fuzz_ground *ground)
{
    const graze_circle a = narrow_draw_circle(bytes, ground);
    const graze_circle b = narrow_draw_circle(bytes, ground);
    const bool circles = graze_overlap_circles(a, b);
    FUZZ_CHECK(graze_overlap_circles(b, a) == circles, "discs, swapped: not %d", circles);
    if (!fuzz_ground_is_exact(ground)) {
        return;
    }
    const double reach = (double)a.radius + (double)b.radius;
    const int apart = exact_compare_distance(a.center, b.center, b.center, reach);
    FUZZ_CHECK(circles == (apart <= 0), "discs overlap: not %d", apart <= 0);
    const int inside = exact_compare_distance(a.center, b.center, b.center, (double)b.radius);
    FUZZ_CHECK(graze_overlap_point_circle(a.center, b) == (inside <= 0),
               "a point is in a disc: not %d", inside <= 0);
    expect_disc_segment(a, narrow_draw_segment(bytes, ground));
    const graze_rect rect = narrow_draw_rect(bytes, ground);
    const graze_polygon polygon = narrow_draw_polygon(bytes, ground);
    const graze_polygon centre = polygon_of(a.center, a.center);
    const graze_polygon box = exact_rect(&rect);
    const graze_polygon hull = exact_hull(polygon.vertices, (int)polygon.count);
    const int to_rect = exact_compare_gap(&centre, &box, (double)a.radius);
    FUZZ_CHECK(graze_overlap_circle_rect(a, rect) == (to_rect <= 0),
               "a disc and a rect overlap: not %d", to_rect <= 0);
    const int to_hull = exact_compare_gap(&centre, &hull, (double)a.radius);
    FUZZ_CHECK(graze_overlap_circle_polygon(a, &polygon) == (to_hull <= 0),
               "a disc and a polygon overlap: not %d", to_hull <= 0);
}

// --- Rects ---

void narrow_check_rects(fuzz_bytes *bytes, const fuzz_ground *ground)
{
    const graze_rect a = narrow_draw_rect(bytes, ground);
    const graze_rect b = narrow_draw_rect(bytes, ground);
    const graze_segment segment = narrow_draw_segment(bytes, ground);
    const bool rects = graze_overlap_rects(a, b);
    FUZZ_CHECK(graze_overlap_rects(b, a) == rects, "rects, swapped: not %d", rects);
    if (!fuzz_ground_is_exact(ground)) {
        return;
    }
    const graze_polygon box_a = exact_rect(&a);
    const graze_polygon box_b = exact_rect(&b);
    const bool meet = exact_polygons_meet(&box_a, &box_b);
    FUZZ_CHECK(rects == meet, "rects overlap: not %d", meet);
    const graze_aabb aabb_a = {box_a.vertices[0], box_a.vertices[2]};
    const graze_aabb aabb_b = {box_b.vertices[0], box_b.vertices[2]};
    FUZZ_CHECK(graze_overlap_aabbs(aabb_a, aabb_b) == meet, "boxes overlap: not %d", meet);
    const graze_polygon path = polygon_of(segment.a, segment.b);
    const bool crossed = exact_polygons_meet(&path, &box_a);
    FUZZ_CHECK(graze_overlap_rect_segment(a, segment) == crossed,
               "a rect and a segment overlap: not %d", crossed);
    const graze_polygon point = polygon_of(segment.a, segment.a);
    const bool inside = exact_polygons_meet(&point, &box_a);
    FUZZ_CHECK(graze_overlap_point_rect(segment.a, a) == inside, "a point is in a rect: not %d",
               inside);
}

// --- Manifolds ---

static double largest_depth(const graze_manifold *manifold)
{
    const float second = manifold->count > 1 ? manifold->depths[1] : 0;
    return (double)(manifold->depths[0] > second ? manifold->depths[0] : second);
}

// Two that overlap must just touch when a has gone out along -normal.
static void expect_way_out(const graze_manifold *manifold, solid a, solid b, double size)
{
    const double slack = 4e-6 * size;
    const solid out = solid_moved(a, manifold->normal, (long double)-largest_depth(manifold));
    const long double gap = solid_gap(&out, &b);
    FUZZ_CHECK(fabsl(gap) <= (long double)slack, "a gap of %Lg when pushed out by %g", gap,
               largest_depth(manifold));
}

static void expect_manifold(const graze_manifold *manifold, bool overlaps)
{
    FUZZ_CHECK((manifold->count > 0) == overlaps, "%u points, overlap %d",
               (unsigned)manifold->count, overlaps);
    for (uint32_t i = 0; i < manifold->count; ++i) {
        FUZZ_CHECK(manifold->depths[i] >= 0, "depth %a", (double)manifold->depths[i]);
    }
    if (overlaps) {
        narrow_expect_unit((double)manifold->normal.x, (double)manifold->normal.y);
    }
}

void narrow_check_manifolds(fuzz_bytes *bytes, const fuzz_ground *ground)
{
    const uint32_t kind = fuzz_below(bytes, 5);
    const graze_circle circle = narrow_draw_circle(bytes, ground);
    const graze_circle disc = narrow_draw_circle(bytes, ground);
    const graze_rect rect = narrow_draw_rect(bytes, ground);
    const graze_rect box = narrow_draw_rect(bytes, ground);
    const graze_segment segment = narrow_draw_segment(bytes, ground);
    const graze_manifold manifolds[5] = {
        graze_collide_circles(circle, disc),       graze_collide_circle_segment(circle, segment),
        graze_collide_circle_rect(circle, rect),   graze_collide_rects(rect, box),
        graze_collide_rect_segment(rect, segment),
    };
    const bool overlaps[5] = {
        graze_overlap_circles(circle, disc),       graze_overlap_circle_segment(circle, segment),
        graze_overlap_circle_rect(circle, rect),   graze_overlap_rects(rect, box),
        graze_overlap_rect_segment(rect, segment),
    };
    const solid movers[5] = {solid_of_circle(circle), solid_of_circle(circle),
                             solid_of_circle(circle), solid_of_rect(rect), solid_of_rect(rect)};
    const solid targets[5] = {solid_of_circle(disc), solid_of_segment(segment), solid_of_rect(rect),
                              solid_of_rect(box), solid_of_segment(segment)};
    expect_manifold(&manifolds[kind], overlaps[kind]);
    if (overlaps[kind] && ground->kind != FUZZ_ANY) {
        expect_way_out(&manifolds[kind], movers[kind], targets[kind],
                       1 + 32 * (double)ground->unit);
    }
}
