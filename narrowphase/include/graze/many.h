/// @file many.h
/// Batch forms of the tests that games run by the thousand. Element i of the first array is tested
/// against element i of the second. (To test one shape against many, repeat it.) The structs are
/// those of the single tests.
///
///     graze_hit hits[1000];
///     uint32_t hit_count = graze_cast_ray_circle_many(rays, circles, 1000, hits);
///
/// Units      The game's own.
/// Exactness  Each result has the same bits as that of the single test of that name. That holds
///            with any SIMD instructions and whatever the other elements are. (Only the bits of a
///            NaN may differ.)
/// Arrays     `count` elements each, owned by the caller. They must not overlap; they may be null
///            if count is 0. All results are written, misses too.
/// Returns    The number of pairs that touch: overlaps that are true, manifolds with a count above
///            0, hits with `hit` true.
/// Threads    Pure functions: any number of threads, each with its own results. They read the
///            environment variable GRAZE_LANES, which no thread may change meanwhile.
/// Errors     As in the single tests.
/// Cost       Several pairs are tested at a time: 2 with SSE2, NEON or simd128, 4 with AVX2, 16
///            with AVX-512. For overlap tests of circles it is 4, 8 and 16. Each call chooses the
///            set of instructions. That takes some tens of nanoseconds (it reads the environment),
///            so for short arrays the single tests are faster. Rare cases are passed on to the
///            single test. Benchmarks compare both ways for each function, where half of the pairs
///            touch, such as bench: narrowphase/collide_rects_many, narrowphase/collide_rects_each
/// Source     As in the single tests.
#ifndef GRAZE_MANY_H
#define GRAZE_MANY_H

#include <graze/aabb.h>
#include <graze/cast.h>
#include <graze/collide.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Writes graze_overlap_aabbs(a[i], b[i]) to overlaps[i]: 4, 8 or 16 at a time. (The single test is
/// inline: compilers may vectorize a loop over it.) bench: narrowphase/overlap_aabbs_many
uint32_t graze_overlap_aabbs_many(const graze_aabb *a, const graze_aabb *b, uint32_t count,
                                  bool *overlaps);

/// Writes graze_overlap_circles(a[i], b[i]) to overlaps[i].
uint32_t graze_overlap_circles_many(const graze_circle *a, const graze_circle *b, uint32_t count,
                                    bool *overlaps);

/// Writes graze_collide_circles(a[i], b[i]) to manifolds[i].
uint32_t graze_collide_circles_many(const graze_circle *a, const graze_circle *b, uint32_t count,
                                    graze_manifold *manifolds);

/// Writes graze_collide_circle_segment(a[i], b[i]) to manifolds[i].
uint32_t graze_collide_circle_segment_many(const graze_circle *a, const graze_segment *b,
                                           uint32_t count, graze_manifold *manifolds);

/// Writes graze_collide_circle_rect(a[i], b[i]) to manifolds[i].
uint32_t graze_collide_circle_rect_many(const graze_circle *a, const graze_rect *b, uint32_t count,
                                        graze_manifold *manifolds);

/// Writes graze_collide_rects(a[i], b[i]) to manifolds[i].
uint32_t graze_collide_rects_many(const graze_rect *a, const graze_rect *b, uint32_t count,
                                  graze_manifold *manifolds);

/// Writes graze_cast_ray_segment(rays[i], segments[i]) to hits[i].
uint32_t graze_cast_ray_segment_many(const graze_ray *rays, const graze_segment *segments,
                                     uint32_t count, graze_hit *hits);

/// Writes graze_cast_ray_circle(rays[i], circles[i]) to hits[i].
uint32_t graze_cast_ray_circle_many(const graze_ray *rays, const graze_circle *circles,
                                    uint32_t count, graze_hit *hits);

/// Writes graze_cast_circle_circle(movers[i], deltas[i], targets[i]) to hits[i].
uint32_t graze_cast_circle_circle_many(const graze_circle *movers, const graze_vec2 *deltas,
                                       const graze_circle *targets, uint32_t count,
                                       graze_hit *hits);

#ifdef __cplusplus
}
#endif

#endif
