#include "segment_grid_table.h"

#include "asserts.h"
#include "bounds.h"

#include <string.h>

enum {
    EXPONENT_LOW = -150, ///< Of bucket 0.
    CELLS_MAX = 256,     ///< For each segment in the box around all.
    CROWD_MAX = 2,       ///< Segments in a cell, if they were spread evenly.
    JOIN_SHARE = 64,     ///< A 64th of the segments may join the next coarser level,
    JOIN_LIMIT = 256     ///< if they are few: all might lie in one of its cells.
};

double grz_power_of_two(int exponent)
{
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

// The bits of |v|: ordered like the numbers, and the exponent is on top.
static uint64_t magnitude_bits(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits & (UINT64_MAX >> 1);
}

int grz_segment_bucket(const grz_segment *segment)
{
    const uint64_t width = magnitude_bits((double)segment->bx - (double)segment->ax);
    const uint64_t height = magnitude_bits((double)segment->by - (double)segment->ay);
    int bucket = (int)((width > height ? width : height) >> 52) - 1023 - EXPONENT_LOW;
    bucket = bucket > 0 ? bucket : 0;
    return bucket < GRZ_BUCKETS ? bucket : GRZ_BUCKETS - 1;
}

void grz_segment_census_add(grz_segment_census *census, int bucket, const grz_segment *segment)
{
    graze_aabb *box = &census->boxes[bucket];
    if (census->counts[bucket] == 0) {
        *box = box_of_point(grz_segment_start(segment));
    }
    extend_by_point(box, grz_segment_start(segment));
    extend_by_point(box, grz_segment_end(segment));
    ++census->counts[bucket];
    ++census->total;
}

void grz_segment_census_remove(grz_segment_census *census, int bucket)
{
    --census->counts[bucket];
    --census->total;
}

static uint32_t count_from(const grz_segment_census *census, int first)
{
    uint32_t count = 0;
    for (int bucket = first; bucket < GRZ_BUCKETS; ++bucket) {
        count += census->counts[bucket];
    }
    return count;
}

// Returns the lowest bucket for which a level is made: those below it hold too few to be worth a
// level, which every walk would have to visit.
static int skip_few(const grz_segment_census *census, int first)
{
    uint32_t few = count_from(census, first) / JOIN_SHARE;
    few = few < JOIN_LIMIT ? few : JOIN_LIMIT;
    uint32_t skipped = 0;
    int bucket = first;
    while (skipped + census->counts[bucket] <= few) {
        skipped += census->counts[bucket];
        ++bucket;
    }
    return bucket;
}

static int median_bucket(const grz_segment_census *census, const grz_level_plan *plan, int first)
{
    int median = first;
    uint32_t below = census->counts[median];
    while (below < plan->count - below) {
        ++median;
        below += census->counts[median];
    }
    return median;
}

static double cells_in_box(const grz_level_plan *plan, int side_exponent)
{
    const double scale = grz_power_of_two(-side_exponent);
    const double width = (double)plan->box.upper.x - (double)plan->box.lower.x;
    const double height = (double)plan->box.upper.y - (double)plan->box.lower.y;
    return (width * scale + 1.0) * (height * scale + 1.0);
}

// Twice to four times the median length: two to four segments of a long line in a cell. Longer if
// segments are small and far apart, or walks would pass too many empty cells. Shorter where they
// crowd, but not so short that the longest would lie in too many cells.
static int choose_side(const grz_segment_census *census, const grz_level_plan *plan, int first)
{
    const double count = (double)plan->count;
    const int least = plan->bucket_high + 1 - GRZ_SIDES_MAX_BITS + EXPONENT_LOW;
    int side = median_bucket(census, plan, first) + 2 + EXPONENT_LOW;
    side = side > least ? side : least;
    while (cells_in_box(plan, side) > count * CELLS_MAX) {
        ++side;
    }
    while (side > least && cells_in_box(plan, side) * CROWD_MAX < count) {
        --side;
    }
    return side;
}

// Longer segments may come later: the level takes them up to what its cells allow.
static int bucket_admitted(const grz_level_plan *plan)
{
    const int end = plan->bucket_low + GRZ_LEVEL_BUCKETS;
    const int end_by_side = plan->side_exponent - EXPONENT_LOW + GRZ_SIDES_MAX_BITS;
    return (end < end_by_side ? end : end_by_side) - 1;
}

static void add_bucket(grz_level_plan *plan, const grz_segment_census *census, int bucket)
{
    const graze_aabb *box = &census->boxes[bucket];
    plan->box = plan->count == 0 ? *box : plan->box;
    extend_by_box(&plan->box, *box);
    plan->count += census->counts[bucket];
    plan->bucket_high = bucket;
}

static grz_level_plan plan_level(const grz_segment_census *census, int first)
{
    grz_level_plan plan;
    memset(&plan, 0, sizeof plan);
    plan.bucket_low = skip_few(census, first);
    int end = plan.bucket_low + GRZ_LEVEL_BUCKETS;
    end = end < GRZ_BUCKETS ? end : GRZ_BUCKETS;
    for (int bucket = first; bucket < end; ++bucket) {
        if (census->counts[bucket] > 0) {
            add_bucket(&plan, census, bucket);
        }
    }
    plan.side_exponent = choose_side(census, &plan, first);
    plan.bucket_high = bucket_admitted(&plan);
    return plan;
}

// Of the four buckets from its first one on a level admits all that hold any. So each begins four
// after the one before, or later.
uint32_t grz_segment_plan(const grz_segment_census *census, int first,
                          grz_level_plan plans[GRZ_LEVELS_MAX])
{
    uint32_t count = 0;
    while (first < GRZ_BUCKETS && count_from(census, first) > 0) {
        GRZ_ASSERT(count < GRZ_LEVELS_MAX);
        plans[count] = plan_level(census, first);
        first = plans[count].bucket_high + 1;
        ++count;
    }
    return count;
}
