/// @file segment_grid.h
/// The broadphase of terrain: a grid of static segments, which can be added and removed. It knows
/// only the end points of a segment and two 32-bit values. The caller decides whether a segment is
/// really hit. A lookup is a walk that returns what lies in one cell after another, as plain
/// arrays.
///
///     graze_segment_grid grid;
///     graze_segment_grid_init(&grid, NULL);
///     graze_segment_grid_add(&grid, 7, (graze_polyline){points, count, false});
///     graze_segment_walk walk = graze_segment_grid_walk_ray(&grid, from, to);
///     graze_segment_span span;
///     while (graze_segment_walk_next(&walk, 1, &span)) {
///         ... span.count segments, from span.ax[i], span.ay[i] to span.bx[i], span.by[i] ...
///     }
///     graze_segment_grid_free(&grid);
///
/// Units      The game's own. Coordinates may be any finite floats: there are no bounds to set.
/// Exactness  A walk never misses a segment: see graze_segment_walk_next. It returns more segments
///            than asked for, and some of them several times. How many more depends on the grid's
///            tuning, which follows from the contents, never from a clock.
/// Threads    Functions that take a const grid may run on any number of threads at once. Adding and
///            removing exclude all other calls, and invalidate every walk begun before.
/// Rounding   As in grid.h: adding and removing set their own, walks and finds expect the default.
/// Errors     Adding and initialising return a status; nothing else can fail. Pointers must not be
///            null unless a function says that they may be.
/// Memory     Allocated from the grid's allocator, and only while adding. Walks allocate nothing.
/// Source     Visiting the cells along a move, in order: J. Amanatides, A. Woo 1987, "A Fast Voxel
///            Traversal Algorithm for Ray Tracing"; here by whole columns of cells, and without
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
    struct grz_segment_table *table; ///< Null before the first addition.
    uint32_t edits;                  ///< Additions and removals, modulo 2^32.
} graze_segment_grid;

/// A polyline: segments from points[i] to points[i + 1], and from the last point back to the first
/// if it loops. That makes count - 1 segments, or count if it loops; none if count is 0. Points may
/// repeat: a segment of length 0 is a point, and is found like any other.
typedef struct graze_polyline {
    const graze_vec2 *points; ///< `count` points, read during the call only.
    uint32_t count;
    bool loop;
} graze_polyline;

/// Which segment it is.
typedef struct graze_segment_name {
    uint32_t owner; ///< As passed to graze_segment_grid_add.
    uint32_t item;  ///< The segment's index in its polyline.
} graze_segment_name;

/// Some segments of one cell, as parallel arrays of `count` elements, in unspecified order. They
/// belong to the grid and stay valid until it is edited. The arrays of floats may be read up to 16
/// elements, so that SIMD loads need no tail; what lies there is unspecified.
typedef struct graze_segment_span {
    const float *ax, *ay, *bx, *by; ///< From a to b, exactly as added.
    const graze_segment_name *names;
    uint32_t count; ///< 1 to 4.
} graze_segment_span;

/// The state of a walk. Its fields are private. It may be copied; copies continue independently. It
/// is valid until the grid is edited.
typedef struct graze_segment_walk {
    const struct grz_segment_table *table;
    const struct grz_segment_level *level; ///< Being walked; null before the first.
    double x0, y0, x1, y1;                 ///< Ends of the move, or corners of the box.
    uint32_t levels_left;                  ///< Not yet begun; the finest comes first.
    bool is_box;                           ///< The walk is over a box, not a move.
    bool is_far;                           ///< More than 2 x 2 cells in this level.
    uint8_t near_mask;                     ///< Which of near_cells are still to come.
    uint32_t near_cells[4];
    uint32_t quad, segments_left; ///< Of the cell under way: where the next are, and how many.
    /// The rest is used while is_far. Columns are counted along u, the axis along which the move is
    /// longer, and rows along v, the other axis.
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
    uint64_t columns_left, rows_left;                       ///< and how many are left.
} graze_segment_walk;

/// Statistics of a grid, for tests, tuning and reports.
typedef struct graze_segment_grid_stats {
    uint32_t segment_count; ///< graze_segment_grid_count.
    uint32_t level_count;   ///< Levels in use; each walk visits all of them.
    uint64_t cell_count;    ///< Cells of all levels.
    uint64_t used_count;    ///< Cells that are not empty.
    uint64_t copy_count;    ///< Segments summed over all cells.
    uint64_t memory_bytes;  ///< Memory held.
} graze_segment_grid_stats;

/// Initialises an empty grid in `*grid`, overwriting it. Allocates nothing.
///
/// allocator  Copied. Null or all zero: malloc and free.
/// Returns    GRAZE_OK; or GRAZE_ERROR_ARGUMENT, with `grid` unchanged, if the allocator has only
///            one of its two functions.
graze_status graze_segment_grid_init(graze_segment_grid *grid, const graze_allocator *allocator);

/// Frees all memory. The grid is then empty and may be used again; a zeroed grid is allowed, too.
void graze_segment_grid_free(graze_segment_grid *grid);

/// Adds the segments of a polyline. Segment i is returned by lookups as (owner, i). Two polylines
/// may share an owner only if the caller never needs to tell them apart.
///
/// Errors     GRAZE_ERROR_ARGUMENT if a coordinate is not finite; GRAZE_ERROR_OUT_OF_MEMORY;
///            GRAZE_ERROR_LIMIT if the grid would exceed 2^27 segments or 2^29 places for their
///            copies. The grid is as it was then.
/// Cost       One copy in each cell that a segment passes through: usually two, at most 27. The
///            whole grid is rebuilt when the number of segments has grown fourfold, or when many of
///            them no longer suit the cells. Amortised, that is a constant for each segment added.
graze_status graze_segment_grid_add(graze_segment_grid *grid, uint32_t owner, graze_polyline line);

/// Removes the segments of a polyline: pass the same owner, points, count and loop as when adding.
/// Segments that were never added are ignored. Cannot fail and allocates nothing; memory is kept
/// for later additions.
///
/// Cost       For each segment, a search of the lists of the cells that it passes through.
void graze_segment_grid_remove(graze_segment_grid *grid, uint32_t owner, graze_polyline line);

/// Returns the number of segments in the grid. Constant time.
uint32_t graze_segment_grid_count(const graze_segment_grid *grid);

/// Returns the statistics. Cost: a visit to every cell.
graze_segment_grid_stats graze_segment_grid_get_stats(const graze_segment_grid *grid);

/// Begins a walk over the cells of a closed box with finite sides, lower <= upper. A box larger
/// than the whole grid costs one visit to each of its cells.
graze_segment_walk graze_segment_grid_walk_box(const graze_segment_grid *grid, graze_aabb box);

/// Begins a walk over the cells of the closed move from -> to; both are finite and may be equal.
///
/// Cost       A visit to each cell that the move passes through within the bounding box of all that
///            was added. If the grid has fewer cells, a visit to each of those.
graze_segment_walk graze_segment_grid_walk_ray(const graze_segment_grid *grid, graze_vec2 from,
                                               graze_vec2 to);

/// Steps to the next segments of a cell, or to the next cell that is not empty. Returns false at
/// the end of the walk.
///
/// Promise    The walk returns every segment that shares a point with the closed box, or with the
///            closed move at any time <= limit. The spans of one level come in the order in which
///            the move enters their cells. There are a few levels, for segments of different
///            lengths; each is walked from the move's start.
/// limit      For a move, a fraction of it, 0 to 1: cells entered later may be left out. To find
///            the first hit, pass the best time so far. It must not increase from call to call. 1
///            is the whole move. Ignored for a box.
/// span       Written if true is returned.
/// Errors     If coordinates are not finite the walk ends, after returning anything or nothing.
/// Cost       A visit to each cell, empty or not. Moves and boxes within 2 x 2 cells, and so most
///            steps of bullets, are looked up at once.
bool graze_segment_walk_next(graze_segment_walk *walk, double limit, graze_segment_span *span);

enum {
    GRAZE_SEGMENT_FINDS = 256 ///< Maximum passed at a time.
};

/// Moves and segments whose boxes overlap, as parallel arrays of `count` elements. The rest of the
/// arrays is unspecified.
typedef struct graze_segment_finds {
    uint32_t count;
    uint32_t move[GRAZE_SEGMENT_FINDS];
    float ax[GRAZE_SEGMENT_FINDS], ay[GRAZE_SEGMENT_FINDS]; ///< From a to b, exactly as added.
    float bx[GRAZE_SEGMENT_FINDS], by[GRAZE_SEGMENT_FINDS];
    /// Owned by the grid, valid until it is edited. They are stored apart from the ends, and not
    /// read yet: a caller should read only those of segments that are met.
    const graze_segment_name *names[GRAZE_SEGMENT_FINDS];
} graze_segment_finds;

/// A callback that receives some finds, which are valid during the call only.
typedef void graze_segment_sink(void *context, const graze_segment_finds *finds);

/// Which segments graze_segment_grid_find has passed on for a move: a larger value promises less.
typedef enum graze_segment_search {
    GRAZE_SEGMENT_SEARCH_BOX,  ///< All segments that share a point with its box.
    GRAZE_SEGMENT_SEARCH_MOVE, ///< All segments that share a point with the move itself.
    GRAZE_SEGMENT_SEARCH_NONE  ///< Only some segments: use a walk to find all.
} graze_segment_search;

/// Finds the segments near each of `count` moves from[i] -> to[i], whose ends must be finite. It
/// passes them to `sink`, with `context` and with i as their move. The order is unspecified, and
/// some segments are passed more than once.
///
/// searched   `count` elements, which are written: a graze_segment_search for each move. It says
///            which segments are complete for move i. Of the others only some are passed, and only
///            if their closed box overlaps that of the move.
/// Search     Which one is used depends on the grid's tuning. It is the box for moves within 2 x 2
///            cells, or away from all cells that hold anything. It is the move for longer ones. It
///            is none for moves through more than about eight cells, or billions of cells away from
///            the origin.
/// Returns    The largest value in `searched`: GRAZE_SEGMENT_SEARCH_BOX if that holds for all.
/// Cost       Nothing is allocated. The cells of many moves are looked up together. That takes some
///            nanoseconds for each move and level, and a few more for each cell that is not empty.
graze_segment_search graze_segment_grid_find(const graze_segment_grid *grid, const graze_vec2 *from,
                                             const graze_vec2 *to, uint32_t count,
                                             uint8_t *searched, graze_segment_sink *sink,
                                             void *context);

#ifdef __cplusplus
}
#endif

#endif
