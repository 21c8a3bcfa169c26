/// @file segment_grid_table.h
/// The contents of a segment grid: levels of cells, which list segments in a pool.
///
/// A level is a torus of cells, a power of two of them each way; cell (i, j) of the unbounded plane
/// is stored at (i mod columns, j mod rows). Its side is a power of two, so that a float divided by
/// it is exact in double, and with it the cell of every point. A cell owns the points
/// i <= x < i + 1, j <= y < j + 1 (in sides): each point of the plane lies in exactly one.
///
/// Invariant  A segment lies in one level, and there in every cell that owns one of its points,
///            perhaps in some more beside them. So a move or box needs to visit only the cells that
///            own its points: no margin is needed anywhere else.
/// Invariant  A segment is shorter than 8 sides each way. It passes at most 9 columns and in each
///            at most 3 cells: 27 copies, however long it is; usually 1 to 3.
/// Invariant  A level has at least 16 cells each way, more than any of its segments passes: so a
///            segment is at most once in a cell, and once in that of its first point.
#ifndef GRZ_SEGMENT_GRID_TABLE_H
#define GRZ_SEGMENT_GRID_TABLE_H

#include "lanes_choice.h"
#include "memory.h"
#include "segment_grid_pool.h"

enum {
    GRZ_COPIES_MAX = 27,    ///< Of a segment.
    GRZ_CELL_BITS_MIN = 4,  ///< At least 16 cells each way.
    GRZ_CELL_BITS_MAX = 28, ///< Of both ways together.
    GRZ_LEVELS_LATER = 8,   ///< A table with no more may get another plan's levels.
    GRZ_SEGMENTS_MAX = 1 << 27,
    GRZ_COUNT_BITS = 5,                        ///< Of a head: as many as GRZ_QUADS_MAX leaves.
    GRZ_COUNT_MANY = (1 << GRZ_COUNT_BITS) - 1 ///< So many or more: the cell has the count.
};

/// A segment's length here is the longer side of its box. Lengths are counted in buckets, one for
/// each power of two.
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
int grz_segment_bucket(const grz_segment *segment);

/// Counts a segment in the bucket of its length.
void grz_segment_census_add(grz_segment_census *census, int bucket, const grz_segment *segment);

/// Uncounts a segment; the bucket's box stays as wide as it is.
void grz_segment_census_remove(grz_segment_census *census, int bucket);

/// Plans the levels for the buckets from `first` on, the finest first; returns how many: none when
/// nothing was counted there.
uint32_t grz_segment_plan(const grz_segment_census *census, int first,
                          grz_level_plan plans[GRZ_LEVELS_MAX]);

typedef struct grz_segment_level {
    grz_segment_cell *cells; ///< Row after row.
    /// By cell, its head for lookups: its first quad << GRZ_COUNT_BITS | its count, at most
    /// GRZ_COUNT_MANY. Heads take half the bytes of cells: more of them stay in the nearer caches.
    uint32_t *heads;
    /// By cell: bits for itself (1), its right neighbour (2) and the two above (4, 8), if these
    /// hold anything.
    uint8_t *around;
    double inverse_side;
    uint32_t x_mask, y_mask, x_bits;
    uint32_t count;                       ///< Segments.
    int64_t x_low, x_high, y_low, y_high; ///< Cells of all segments ever added; low > high: none.
    int bucket_low, bucket_high;          ///< Lengths it is made for; it may hold shorter.
    grz_block memory;                     ///< Of cells, then of heads, then of around.
} grz_segment_level;

typedef struct grz_segment_table {
    graze_allocator allocator;
    grz_lane_set lanes;    ///< Used by its wide loops.
    grz_block memory;      ///< Of this very structure.
    grz_segment_pool pool; ///< What the cells list.
    uint32_t count;        ///< Segments.
    uint32_t planned;      ///< Segments that the levels were planned for.
    uint32_t misfits;      ///< Misfits added since then.
    uint32_t level_count;
    grz_segment_census census; ///< Of the segments; its boxes do not shrink.
    grz_segment_level levels[GRZ_LEVELS_LATER + GRZ_LEVELS_MAX]; ///< The finest first.
} grz_segment_table;

#define GRZ_OUTERMOST_CELL ((int64_t)1 << 52) ///< A power of two within a double's precision.

/// Returns the cell coordinate of v, which is in sides: its floor, clamped to +-2^52. The clamp is
/// monotone, so nothing is lost: all beyond shares the outermost cells.
static inline int64_t grz_cell_coordinate(double v)
{
    const double limit = (double)GRZ_OUTERMOST_CELL;
    v = v > -limit ? v : -limit;
    v = v < limit ? v : limit;
    int64_t truncated = (int64_t)v;
    return truncated - (v < (double)truncated);
}

static inline uint32_t grz_cell_index(const grz_segment_level *level, int64_t x, int64_t y)
{
    uint32_t row = (uint32_t)((uint64_t)y & level->y_mask);
    return (row << level->x_bits) | (uint32_t)((uint64_t)x & level->x_mask);
}

static inline uint32_t grz_level_cell_count(const grz_segment_level *level)
{
    return (level->y_mask + 1) << level->x_bits;
}

/// Returns the first quad of a cell's list, by its head.
static inline uint32_t grz_head_quad(uint32_t head)
{
    return head >> GRZ_COUNT_BITS;
}

/// Returns the count of a cell's list, or GRZ_COUNT_MANY; 0 only if it is empty.
static inline uint32_t grz_head_count(uint32_t head)
{
    return head & GRZ_COUNT_MANY;
}

/// Returns the count of a cell's list.
static inline uint32_t grz_cell_count(const grz_segment_level *level, uint32_t cell)
{
    const uint32_t count = grz_head_count(level->heads[cell]);
    return count < GRZ_COUNT_MANY ? count : level->cells[cell].count;
}

/// Returns a table without levels, or null when there is no memory.
grz_segment_table *grz_segment_table_create(const graze_allocator *allocator);

void grz_segment_table_destroy(grz_segment_table *table);

/// Returns the first bucket that is too long for all levels.
int grz_segment_table_bucket_end(const grz_segment_table *table);

/// Returns whether a segment of that bucket would join a level made for longer ones, too many of
/// which would share a cell. The bucket must be below grz_segment_table_bucket_end.
bool grz_segment_table_is_misfit(const grz_segment_table *table, int bucket);

/// Appends the levels for a census's buckets from grz_segment_table_bucket_end on, to a table that
/// has GRZ_LEVELS_LATER at most. On failure the table may have some of them.
graze_status grz_segment_table_add_levels(grz_segment_table *table,
                                          const grz_segment_census *census);

/// Adds one segment, for whose length there must be a level. On failure nothing was added.
graze_status grz_segment_table_insert(grz_segment_table *table, const grz_segment *segment);

/// Removes one segment with these very values, if there is one.
void grz_segment_table_erase(grz_segment_table *table, const grz_segment *segment);

/// Adds all segments of a table to another, until one fails; returns its status.
graze_status grz_segment_table_copy(grz_segment_table *to, const grz_segment_table *from);

// --- Walks over the cells of one level; those of segment_grid.h go from level to level ---

/// Begins a walk over the cells of the move from -> to in one level only.
graze_segment_walk grz_segment_walk_level(const grz_segment_level *level, graze_vec2 from,
                                          graze_vec2 to);

/// Returns how many cells of its level a walk that has just begun visits at most.
uint64_t grz_segment_walk_cells_most(const graze_segment_walk *walk);

/// Steps to the next cell in the walk's level, whether it holds anything or not.
bool grz_segment_walk_next_cell(graze_segment_walk *walk, uint32_t *cell);

#endif
