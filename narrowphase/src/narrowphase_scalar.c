// The kernels that take arrays of pairs, where there are no lanes: the single ones in a row. Lanes
// one after the other would take two to three times as long. bench: narrowphase/collide_rects_many

#include <graze/overlap.h>

#include "many_table.h"

static uint32_t overlap_aabbs(const graze_aabb *a, const graze_aabb *b, uint32_t count,
                              bool *overlaps)
{
    uint32_t hits = 0;
    for (uint32_t i = 0; i < count; ++i) {
        overlaps[i] = graze_overlap_aabbs(a[i], b[i]);
        hits += overlaps[i];
    }
    return hits;
}

static uint32_t overlap_circles(const graze_circle *a, const graze_circle *b, uint32_t count,
                                bool *overlaps)
{
    uint32_t hits = 0;
    for (uint32_t i = 0; i < count; ++i) {
        overlaps[i] = graze_overlap_circles(a[i], b[i]);
        hits += overlaps[i];
    }
    return hits;
}

static uint32_t collide_circles(const graze_circle *a, const graze_circle *b, uint32_t count,
                                graze_manifold *manifolds)
{
    uint32_t hits = 0;
    for (uint32_t i = 0; i < count; ++i) {
        manifolds[i] = graze_collide_circles(a[i], b[i]);
        hits += manifolds[i].count > 0;
    }
    return hits;
}

static uint32_t collide_circle_segment(const graze_circle *a, const graze_segment *b,
                                       uint32_t count, graze_manifold *manifolds)
{
    uint32_t hits = 0;
    for (uint32_t i = 0; i < count; ++i) {
        manifolds[i] = graze_collide_circle_segment(a[i], b[i]);
        hits += manifolds[i].count > 0;
    }
    return hits;
}

static uint32_t collide_circle_rect(const graze_circle *a, const graze_rect *b, uint32_t count,
                                    graze_manifold *manifolds)
{
    uint32_t hits = 0;
    for (uint32_t i = 0; i < count; ++i) {
        manifolds[i] = graze_collide_circle_rect(a[i], b[i]);
        hits += manifolds[i].count > 0;
    }
    return hits;
}

static uint32_t collide_rects(const graze_rect *a, const graze_rect *b, uint32_t count,
                              graze_manifold *manifolds)
{
    uint32_t hits = 0;
    for (uint32_t i = 0; i < count; ++i) {
        manifolds[i] = graze_collide_rects(a[i], b[i]);
        hits += manifolds[i].count > 0;
    }
    return hits;
}

static uint32_t cast_ray_segment(const graze_ray *rays, const graze_segment *segments,
                                 uint32_t count, graze_hit *hits)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; ++i) {
        hits[i] = graze_cast_ray_segment(rays[i], segments[i]);
        found += hits[i].hit;
    }
    return found;
}

static uint32_t cast_ray_circle(const graze_ray *rays, const graze_circle *circles, uint32_t count,
                                graze_hit *hits)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; ++i) {
        hits[i] = graze_cast_ray_circle(rays[i], circles[i]);
        found += hits[i].hit;
    }
    return found;
}

static uint32_t cast_circle_circle(const graze_circle *movers, const graze_vec2 *deltas,
                                   const graze_circle *targets, uint32_t count, graze_hit *hits)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; ++i) {
        hits[i] = graze_cast_circle_circle(movers[i], deltas[i], targets[i]);
        found += hits[i].hit;
    }
    return found;
}

const grz_many_table grz_many_scalar = {
    overlap_aabbs, overlap_circles,  collide_circles, collide_circle_segment, collide_circle_rect,
    collide_rects, cast_ray_segment, cast_ray_circle, cast_circle_circle};
