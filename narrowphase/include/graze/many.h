/// @file many.h
/// The tests that games run by the thousand, for arrays of pairs: element i of the first array is
/// tested against element i of the second. (For one shape against many, repeat it.) The structs are
/// those of the single tests, so that an array can go through either.
///
/// Units      The game's own.
/// Exactness  Each answer has the bits that the single test of that name gives for the pair, with
///            any SIMD instructions, whatever stands beside it in the arrays. (Only the bits of a
///            NaN may differ.)
/// Arrays     `count` elements each; they must not overlap, may be null when count is 0, and stay
///            the caller's. All answers are written, misses too.
/// Returns    How many pairs touch: manifolds with a count above 0, hits with `hit` true, overlaps
///            that are true.
/// Threads    Pure functions: any number of threads, each with its own answers. They read the
///            environment variable GRAZE_LANES, which no thread may be changing.
/// Errors     As in the single tests.
/// Cost       Several pairs go through the same instructions: 2 at a time with SSE2, NEON or
///            simd128, 4 with AVX2, 8 with AVX-512. What the machine has is asked on each call, so
///            short arrays are better taken one by one. Pairs that need rare care go through the
///            single test. With 2 at a time most of the gain is that no branch is mispredicted:
///            there rects that all touch, or all miss, are better taken one by one. Benchmarks
///            compare both ways for each function: narrowphase/collide_rects_many beside
///            narrowphase/collide_rects_each, and so on.
#ifndef GRAZE_MANY_H
#define GRAZE_MANY_H

#include <graze/aabb.h>
#include <graze/cast.h>
#include <graze/collide.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Writes graze_overlap_aabbs(a[i], b[i]) to overlaps[i]: 4, 8 or 16 at a time; with 8 or 16 as
/// fast as memory delivers the boxes. The single test is inline: in a loop that the compiler
/// vectorizes it goes 4 at a time.
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
