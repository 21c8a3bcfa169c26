/// @file segment_grid.h
/// A grid of static segments, which can be edited: a level's terrain is looked up in it.
///
/// It knows nothing of a segment but its end points and two 32-bit values: whether it is really hit
/// is for the caller to decide. A lookup is a walk that hands out one cell after another, each as
/// plain arrays.
///
/// Units      The game's own. Coordinates are any finite floats: there are no bounds to set.
/// Exactness  A walk never misses: see graze_segment_walk_next. It hands out more than asked for,
///            and some segments several times. How much more depends on the grid's tuning, which
///            follows what is stored, never a clock.
/// Threads    Functions with a const grid may run on any number of threads at once. Adding and
///            removing exclude all others, and end every walk begun before.
/// Errors     Adding returns a status; nothing else can fail.
/// Memory     Comes from the allocator of the grid and only while adding. Walks allocate nothing.
/// Source     Cells that a move passes, in its order: J. Amanatides, A. Woo 1987, "A Fast Voxel
///            Traversal Algorithm for Ray Tracing"; here a column of cells at a time and without
///            sums that drift.
#ifndef GRAZE_SEGMENT_GRID_H
#define GRAZE_SEGMENT_GRID_H

#include <graze/aabb.h>
#include <graze/allocator.h>
#include <graze/status.h>
#include <graze/vec2.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct grz_segment_table;
struct grz_segment_level;

/// The grid, in the caller's memory; its fields are private.
typedef struct graze_segment_grid {
    graze_allocator allocator;
    struct grz_segment_table *table; ///< Null while nothing was ever added.
} graze_segment_grid;

/// A line of segments: points[i] to points[i + 1], and back from the last point to the first when
/// it loops. That makes count - 1 segments, or count when it loops; none when count is 0.
/// Points may repeat: a segment of length 0 is a point and is found like any other.
typedef struct graze_polyline {
    const graze_vec2 *points; ///< count points, the caller's; read during the call only.
    uint32_t count;
    bool loop;
} graze_polyline;

/// The segments of one cell, as parallel arrays of `count` elements, in no particular order. They
/// belong to the grid and stay as they are until the grid is edited. Up to the next multiple of 16
/// elements may be read from each array, for loads that overshoot; what lies there is unspecified.
typedef struct graze_segment_span {
    const float *ax, *ay, *bx, *by; ///< From a to b, exactly as added.
    const uint32_t *owner;          ///< What was given to graze_segment_grid_add.
    const uint32_t *item;           ///< The segment's index in its line.
    uint32_t count;                 ///< At least 1.
} graze_segment_span;

/// A walk under way: all that it remembers. Its fields are private. It may be copied; the copies go
/// on independently. It is valid until the grid is edited.
typedef struct graze_segment_walk {
    const struct grz_segment_table *table;
    const struct grz_segment_level *level; ///< Being walked; null before the first.
    double x0, y0, x1, y1;                 ///< Ends of the move or corners of the box.
    uint32_t levels_left;                  ///< Not yet begun; the finest comes first.
    bool is_box;                           ///< A box is walked, not a move.
    bool is_far;                           ///< More than 2 x 2 cells in this level: see below.
    uint8_t near_mask;                     ///< Which of the near cells are still to come.
    uint32_t near_cells[4];
    /// The rest is of use while is_far. Columns are counted along u, the axis of the longer way,
    /// and rows along v, the other one.
    bool steep;                                             ///< u is y, not x.
    bool forward, upward;                                   ///< Columns, rows count up.
    bool is_straight;                                       ///< Every column has the same rows.
    bool is_ordered;                                        ///< Cells come in order of time.
    uint32_t u_mask, v_mask, u_shift, v_shift, column_base; ///< To compute a cell's index.
    double u_start, v_start, u_end, v_end;                  ///< In cells.
    double slope;                                           ///< Of v over u.
    int64_t first_column, last_column;                      ///< Before clipping to the level.
    int64_t row_low, row_high;                              ///< Clipped to the level.
    int64_t column, row;                                    ///< The next ones,
    uint64_t columns_left, rows_left;                       ///< and how many of them are left.
} graze_segment_walk;

/// What a grid holds; for tests, tuning and reports.
typedef struct graze_segment_grid_stats {
    uint32_t segments; ///< graze_segment_grid_count.
    uint32_t levels;   ///< Levels of cells that hold any segment: each walk looks into all of them.
    uint64_t cells;    ///< Of all levels.
    uint64_t used;     ///< Cells that hold any segment.
    uint64_t copies;   ///< Segments summed over all cells.
    uint64_t bytes;    ///< Memory held.
} graze_segment_grid_stats;

/// Makes `grid` an empty grid, whatever it was. Allocates nothing.
///
/// allocator  Copied. Null or all zero: malloc and free.
/// Returns    GRAZE_OK, or GRAZE_ERROR_ARGUMENT, and `grid` unchanged, when the allocator has only
///            one of its two functions.
graze_status graze_segment_grid_init(graze_segment_grid *grid, const graze_allocator *allocator);

/// Gives all memory back. The grid is empty then and may be used again; a zeroed grid is fine too.
void graze_segment_grid_free(graze_segment_grid *grid);

/// Adds the segments of a line. Segment i is handed out as (owner, i): no two lines in the grid may
/// share an owner, unless the caller never needs to tell them apart.
///
/// Returns    GRAZE_OK, or with the grid holding what it held before:
///            GRAZE_ERROR_ARGUMENT when a coordinate is not finite;
///            GRAZE_ERROR_OUT_OF_MEMORY;
///            GRAZE_ERROR_LIMIT when the grid would hold more than 2^27 segments or run out of its
///            2^29 places for their copies.
/// Cost       One copy in each cell that a segment passes: two as a rule, 27 at most. Whenever the
///            number of segments has grown fourfold, or a good share of them no longer fits the
///            cells, everything is laid out anew: a constant for each segment added, amortised.
graze_status graze_segment_grid_add(graze_segment_grid *grid, uint32_t owner, graze_polyline line);

/// Removes the segments of a line: the same owner, points, count and loop as were added. Segments
/// that were never added are ignored. Cannot fail and allocates nothing; memory is kept for later
/// adding.
///
/// Cost       For each segment a search through the lists of the cells that it passes.
void graze_segment_grid_remove(graze_segment_grid *grid, uint32_t owner, graze_polyline line);

/// Returns the number of segments in the grid.
uint32_t graze_segment_grid_count(const graze_segment_grid *grid);

/// Returns what the grid holds. Cost: a look at every cell.
graze_segment_grid_stats graze_segment_grid_get_stats(const graze_segment_grid *grid);

/// Begins a walk over the cells of a closed box with finite sides, lower <= upper. A box that is
/// wider than the whole grid costs one look at each of its cells.
graze_segment_walk graze_segment_grid_walk_box(const graze_segment_grid *grid, graze_aabb box);

/// Begins a walk over the cells of the closed move from -> to, both finite; they may be equal.
/// Costs a look at each cell that the move passes inside the box of all that was added, or, when
/// that is less, one look at each cell of the grid.
graze_segment_walk graze_segment_grid_walk_ray(const graze_segment_grid *grid, graze_vec2 from,
                                               graze_vec2 to);

/// Steps to the next cell that holds anything. Returns false when there is none left.
///
/// Promise    Every segment that shares a point with the closed box, or with the closed move at any
///            time <= limit, is in one of the spans that the walk returns. The spans of one level
///            come in the order in which the move enters the cells; there are a few levels, for
///            segments of different lengths, and each begins at the move's start again.
/// limit      Of a move: a fraction of it, 0 to 1. Cells entered later than that may be left out,
///            so a caller who looks for the first hit passes the best time so far. It may only fall
///            from call to call. 1: the whole move. Unused for a box.
/// span       Filled when true is returned.
/// Errors     A walk with coordinates that are not finite ends after finding something or nothing.
/// Cost       A look at each cell, empty or not. Moves and boxes within 2 x 2 cells, and so most
///            steps of a bullet, are found in one go.
bool graze_segment_walk_next(graze_segment_walk *walk, double limit, graze_segment_span *span);

enum {
    GRAZE_SEGMENT_FINDS = 256 ///< Handed over at a time, at most.
};

/// Moves and segments whose boxes overlap, as parallel arrays of `count` elements. What lies behind
/// them is unspecified.
typedef struct graze_segment_finds {
    uint32_t count;
    uint32_t move[GRAZE_SEGMENT_FINDS];
    float ax[GRAZE_SEGMENT_FINDS], ay[GRAZE_SEGMENT_FINDS]; ///< From a to b, exactly as added.
    float bx[GRAZE_SEGMENT_FINDS], by[GRAZE_SEGMENT_FINDS];
    uint32_t owner[GRAZE_SEGMENT_FINDS], item[GRAZE_SEGMENT_FINDS];
} graze_segment_finds;

/// Receives some finds, which are valid during the call only.
typedef void graze_segment_sink(void *context, const graze_segment_finds *finds);

/// How much graze_segment_grid_find has handed over for a move.
typedef enum graze_segment_search {
    GRAZE_SEARCHED_BOX,  ///< All segments that share a point with its box.
    GRAZE_SEARCHED_MOVE, ///< All segments that share a point with the move itself.
    GRAZE_NOT_SEARCHED   ///< Only some of them: use a walk to find all.
} graze_segment_search;

/// Finds the segments near each of `count` moves from[i] -> to[i], whose ends must be finite. Hands
/// the segments to `sink`, with `context` and with i as their move, in unspecified order and some
/// of them more than once. Writes to searched[i] (`count` elements) which of them can be relied on,
/// a graze_segment_search; of other segments come only some, and only if their closed box overlaps
/// that of the move. Which search it is depends on the grid's tuning: the box for moves within 2 x
/// 2 cells, the move for longer ones; none for moves through more than about eight cells, or
/// billions of cells away from the origin.
///
/// Returns    The largest value in `searched`: GRAZE_SEARCHED_BOX when that holds for all.
/// Cost       Nothing is allocated. The cells of many moves are looked up together: some
///            nanoseconds for a move and level, a few more for each cell that holds anything.
graze_segment_search graze_segment_grid_find(const graze_segment_grid *grid, const graze_vec2 *from,
                                             const graze_vec2 *to, uint32_t count,
                                             uint8_t *searched, graze_segment_sink *sink,
                                             void *context);

#ifdef __cplusplus
}
#endif

#endif
