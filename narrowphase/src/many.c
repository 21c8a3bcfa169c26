// The batch tests of many.h: each call chooses its lanes; the loops are in many_wide.h.

#include "many_table.h"

// Asked on each call, which takes some tens of nanoseconds: the library keeps no state outside of
// worlds and grids.
static const grz_many_table *choose_table(void)
{
    static const grz_many_table *const tables[] = GRZ_WIDE_TABLES(grz_many);
    return tables[grz_lanes_choose()];
}

uint32_t graze_overlap_aabbs_many(const graze_aabb *a, const graze_aabb *b, uint32_t count,
                                  bool *overlaps)
{
    return choose_table()->overlap_aabbs(a, b, count, overlaps);
}

uint32_t graze_overlap_circles_many(const graze_circle *a, const graze_circle *b, uint32_t count,
                                    bool *overlaps)
{
    return choose_table()->overlap_circles(a, b, count, overlaps);
}

uint32_t graze_collide_circles_many(const graze_circle *a, const graze_circle *b, uint32_t count,
                                    graze_manifold *manifolds)
{
    return choose_table()->collide_circles(a, b, count, manifolds);
}

uint32_t graze_collide_circle_segment_many(const graze_circle *a, const graze_segment *b,
                                           uint32_t count, graze_manifold *manifolds)
{
    return choose_table()->collide_circle_segment(a, b, count, manifolds);
}

uint32_t graze_collide_circle_rect_many(const graze_circle *a, const graze_rect *b, uint32_t count,
                                        graze_manifold *manifolds)
{
    return choose_table()->collide_circle_rect(a, b, count, manifolds);
}

uint32_t graze_collide_rects_many(const graze_rect *a, const graze_rect *b, uint32_t count,
                                  graze_manifold *manifolds)
{
    return choose_table()->collide_rects(a, b, count, manifolds);
}

uint32_t graze_cast_ray_segment_many(const graze_ray *rays, const graze_segment *segments,
                                     uint32_t count, graze_hit *hits)
{
    return choose_table()->cast_ray_segment(rays, segments, count, hits);
}

uint32_t graze_cast_ray_circle_many(const graze_ray *rays, const graze_circle *circles,
                                    uint32_t count, graze_hit *hits)
{
    return choose_table()->cast_ray_circle(rays, circles, count, hits);
}

uint32_t graze_cast_circle_circle_many(const graze_circle *movers, const graze_vec2 *deltas,
                                       const graze_circle *targets, uint32_t count, graze_hit *hits)
{
    return choose_table()->cast_circle_circle(movers, deltas, targets, count, hits);
}
