/// @file segment_grid_plan.h
/// Which levels a segment grid has: cell sides chosen from the lengths of what it stores.
///
/// A segment's length here is the longer side of its box. Lengths are counted in buckets, one for
/// each power of two.
#ifndef GRZ_SEGMENT_GRID_PLAN_H
#define GRZ_SEGMENT_GRID_PLAN_H

#include <graze/aabb.h>

#include <stdint.h>

enum {
    GRZ_BUCKETS = 280,     ///< From float's least difference, 2^-149, to its largest, below 2^129.
    GRZ_LEVEL_BUCKETS = 4, ///< Of one level: lengths up to 16 times its shortest.
    GRZ_LEVELS_MAX = GRZ_BUCKETS / GRZ_LEVEL_BUCKETS, ///< Of one plan.
    GRZ_SIDES_MAX_BITS = 3 ///< A segment is shorter than 2^this sides of its level's cells.
};

typedef struct grz_segment_census {
    uint32_t total;
    uint32_t counts[GRZ_BUCKETS];
    graze_aabb boxes[GRZ_BUCKETS]; ///< Around each bucket's segments; unset while it has none.
} grz_segment_census;

typedef struct grz_level_plan {
    int bucket_low, bucket_high; ///< Lengths it is made for; shorter ones may join.
    int side_exponent;           ///< The cells' side is 2^this.
    uint32_t count;              ///< Segments expected.
    graze_aabb box;              ///< Around them.
} grz_level_plan;

/// Returns 2^exponent, for -1022 to 1023.
double grz_power_of_two(int exponent);

/// Returns the bucket of the length of a segment; 0 for a point.
int grz_segment_bucket(graze_vec2 a, graze_vec2 b);

/// Counts a segment in the bucket of its length.
void grz_segment_census_add(grz_segment_census *census, int bucket, graze_vec2 a, graze_vec2 b);

/// Uncounts a segment; the bucket's box stays as wide as it is.
void grz_segment_census_remove(grz_segment_census *census, int bucket);

/// Plans the levels for the buckets from `first` on, the finest first; returns how many: none when
/// nothing was counted there.
uint32_t grz_segment_plan(const grz_segment_census *census, int first,
                          grz_level_plan plans[GRZ_LEVELS_MAX]);

#endif
