/// @file many_wide.h
/// The kernels that take arrays of pairs: see lanes.h.
///
/// Each block_... tests GRZ_BLOCK pairs and mirrors the single kernel of that name, operation by
/// operation; where that one branches, lanes select. Rare cases are left to the single kernel,
/// which tests those lanes again, one by one. A block returns which lanes hit, as bits; its results
/// for the other lanes are masked.
///
/// HOT. bench: narrowphase/collide_circles_many, narrowphase/collide_rects_many
///
/// Data    Structs as users have them, turned into columns by shuffles: 16 to 24 bytes per shape
///         are read, 24 or 36 per answer written.
/// Branch  None but for rare lanes.
/// Order   By pairs; pairs are independent.
#ifndef GRZ_MANY_WIDE_H
#define GRZ_MANY_WIDE_H

#include <graze/overlap.h>

#include "face_tolerance.h"
#include "likely.h"
#include "many_table.h"
#include "sweep_point.h"

#include <float.h>
#include <stddef.h>
#include <string.h>

#if GRZ_LANES == GRZ_LANES_AVX512
#define GRZ_BLOCK_VECTORS 2
#else
#define GRZ_BLOCK_VECTORS 1
#endif

#include "discs_wide.h"
#include "rects_wide.h"

#include "many_rows_wide.h"

#include "many_casts_wide.h"
#include "many_discs_wide.h"
#include "many_overlaps_wide.h"
#include "many_rects_wide.h"

// Takes block after block while at least one element follows, because blocks read past their end;
// the last one, full or not, from a copy padded with zeros, which are not counted. All blocks are
// called from one place, so that they are inlined into the loop.
#define GRZ_MANY_PAIRS(name, width, type_a, type_b, type_answer)                                   \
    static uint32_t many_##name(const type_a *a, const type_b *b, uint32_t count,                  \
                                type_answer *answers)                                              \
    {                                                                                              \
        type_a last_a[width + 1] = {0};                                                            \
        type_b last_b[width + 1] = {0};                                                            \
        type_answer last_answers[width], *to = answers;                                            \
        uint32_t hits = 0, bits = 0, left = count;                                                 \
        while (left > 0) {                                                                         \
            if (left <= width) {                                                                   \
                a = memcpy(last_a, a, left * sizeof *a);                                           \
                b = memcpy(last_b, b, left * sizeof *b);                                           \
                to = last_answers;                                                                 \
            }                                                                                      \
            bits = block_##name(a, b, to);                                                         \
            hits += count_bits(bits);                                                              \
            if (left <= width) {                                                                   \
                break;                                                                             \
            }                                                                                      \
            a += width, b += width, to += width, left -= width;                                    \
        }                                                                                          \
        if (left > 0) {                                                                            \
            memcpy(answers + (count - left), last_answers, left * sizeof *answers);                \
        }                                                                                          \
        return hits - count_bits(bits >> left);                                                    \
    }

GRZ_MANY_PAIRS(overlap_circles, GRZ_WIDTH, graze_circle, graze_circle, bool)
GRZ_MANY_PAIRS(collide_circles, GRZ_BLOCK, graze_circle, graze_circle, graze_manifold)
GRZ_MANY_PAIRS(collide_circle_segment, GRZ_BLOCK, graze_circle, graze_segment, graze_manifold)
GRZ_MANY_PAIRS(collide_circle_rect, GRZ_BLOCK, graze_circle, graze_rect, graze_manifold)
GRZ_MANY_PAIRS(collide_rects, GRZ_BLOCK, graze_rect, graze_rect, graze_manifold)
GRZ_MANY_PAIRS(cast_ray_segment, GRZ_BLOCK, graze_ray, graze_segment, graze_hit)
GRZ_MANY_PAIRS(cast_ray_circle, GRZ_BLOCK, graze_ray, graze_circle, graze_hit)

#undef GRZ_MANY_PAIRS

// The same with three arrays.
static uint32_t many_cast_circle_circle(const graze_circle *movers, const graze_vec2 *deltas,
                                        const graze_circle *targets, uint32_t count,
                                        graze_hit *hits)
{
    graze_circle last_movers[GRZ_BLOCK + 1] = {{{0, 0}, 0}};
    graze_circle last_targets[GRZ_BLOCK + 1] = {{{0, 0}, 0}};
    graze_vec2 last_deltas[GRZ_BLOCK + 1] = {{0, 0}};
    graze_hit last_hits[GRZ_BLOCK], *to = hits;
    uint32_t found = 0, bits = 0, left = count;
    while (left > 0) {
        if (left <= GRZ_BLOCK) {
            movers = memcpy(last_movers, movers, left * sizeof *movers);
            targets = memcpy(last_targets, targets, left * sizeof *targets);
            deltas = memcpy(last_deltas, deltas, left * sizeof *deltas);
            to = last_hits;
        }
        bits = block_cast_circle_circle(movers, deltas, targets, to);
        found += count_bits(bits);
        if (left <= GRZ_BLOCK) {
            break;
        }
        movers += GRZ_BLOCK, targets += GRZ_BLOCK, deltas += GRZ_BLOCK;
        to += GRZ_BLOCK, left -= GRZ_BLOCK;
    }
    if (left > 0) {
        memcpy(hits + (count - left), last_hits, left * sizeof *hits);
    }
    return found - count_bits(bits >> left);
}

const grz_many_table GRZ_WIDE(grz_many) = {
    many_overlap_aabbs,          many_overlap_circles,     many_collide_circles,
    many_collide_circle_segment, many_collide_circle_rect, many_collide_rects,
    many_cast_ray_segment,       many_cast_ray_circle,     many_cast_circle_circle};

#endif
