/// @file grid.h
/// The broadphase of moving things: a uniform grid without bounds. It is rebuilt from all its items
/// by a counting sort, streams the pairs of overlapping boxes, and answers box and ray queries.
///
///     graze_grid *grid;
///     graze_grid_create(NULL, &grid);
///     graze_grid_build(grid, &(graze_grid_items){.boxes = boxes, .count = count});
///     graze_grid_cursor cursor = graze_grid_begin_pairs(grid);
///     graze_pair pairs[256];
///     for (uint32_t n; (n = graze_grid_next_pairs(grid, &cursor, pairs, 256)) > 0;) {
///         ... n pairs of places: graze_grid_order(grid)[pairs[0].a] is the index of a box ...
///     }
///     graze_grid_destroy(grid);
///
/// An item is a closed box. A build sorts the items by size class and cell, and gives each a place,
/// from 0 to count - 1. All results of the grid are places. Callers that keep their own data in the
/// same order (see graze_grid_order) access it almost sequentially.
///
/// Units      The game's own. Any finite coordinates: there are no bounds and no cell size to set.
/// Exactness  Boxes are compared as stored, which is exact. Overlapping boxes are always found. The
///            size of the cells affects the order of results, but never what is found.
/// Threads    Functions that take a const grid may run on any number of threads at once, each with
///            its own cursor. All others exclude every other call on the grid.
/// Errors     GRAZE_ERROR_ARGUMENT for boxes that are not finite or inverted, GRAZE_ERROR_LIMIT
///            above 2^30 items, GRAZE_ERROR_OUT_OF_MEMORY. In all cases the grid is as it was.
///            Pointers must not be null unless a function says that they may be.
/// Memory     All memory comes from the grid's allocator. Only creating, reserving, building and
///            destroying call it. Items, boxes and rays stay the caller's.
/// Rounding   Builds set their own rounding mode and flush-to-zero setting, and restore the
///            caller's. Streams of pairs and places expect the default: round to nearest, denormals
///            kept.
/// Source     Counting sort of a cell list: M. Hoetzlein 2014, "Fast Fixed-Radius Nearest
///            Neighbors: Interactive Million-Particle Fluids". Size classes: C. Ericson 2005,
///            "Real-Time Collision Detection", 7.2 (hierarchical grids).
#ifndef GRAZE_GRID_H
#define GRAZE_GRID_H

#include <graze/aabb.h>
#include <graze/allocator.h>
#include <graze/status.h>
#include <graze/tasks.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A grid; opaque.
typedef struct graze_grid graze_grid;

enum {
    GRAZE_GRID_KINDS = 256,                       ///< Of items, at most.
    GRAZE_GRID_KIND_WORDS = GRAZE_GRID_KINDS / 32 ///< Of a set of kinds.
};

/// Which kinds of items pair with which. A set of kinds has bit k % 32 of word k / 32 for kind k.
///
/// Items of a kind that does not pair with itself, such as bullets, are kept apart from others.
/// They are never compared with each other, however crowded they are. There are up to four such
/// lists. Kinds share a list if none of them pairs with another, those with most items first. What
/// finds no list is compared with all, like kinds that pair with themselves.
typedef struct graze_grid_meets {
    uint32_t count; ///< All kinds are below it; 1 to GRAZE_GRID_KINDS.
    /// By kind: the set of those that it pairs with. Symmetric. Not read from `count` on.
    uint32_t rows[GRAZE_GRID_KINDS][GRAZE_GRID_KIND_WORDS];
    /// The set of kinds that are as good as points, such as bullets: see graze_grid_moves, Passing.
    uint32_t points[GRAZE_GRID_KIND_WORDS];
} graze_grid_meets;

/// The input of a build: arrays of `count` values each. The grid keeps none of these pointers.
typedef struct graze_grid_items {
    /// Closed boxes: finite, lower <= upper. A box of size 0 is a point, which is fine.
    const graze_aabb *boxes;
    const uint8_t *kinds;          ///< The kind of each item. Null: all pair with all.
    const graze_grid_meets *meets; ///< Which of these kinds pair; ignored if `kinds` is null.
    uint32_t count;                ///< At most 2^30; if 0, the arrays may be null.
    /// The straight move that each box encloses: see graze_grid_moves. Finite; null: none is known.
    /// They affect no result, only how the grid searches for the pairs of long moves.
    const graze_vec2 *from, *to;
} graze_grid_items;

/// The straight move that each box encloses. The box of a long diagonal move is nearly empty: only
/// what lies near its line matters.
///
/// Reach      How far the box reaches, on each axis, beyond the segment from `from` to `to` (at the
///            end of the axis where it reaches further). At any time of the move the mover must lie
///            around a point of the segment, and reach no further from it than that. This also
///            holds for a box around all that a mover may reach in any direction: it reaches
///            further than the segment is long.
/// Long       A move is long if all of these hold:
///              - It is at least four reaches long on both axes.
///              - It is not nearly parallel to an axis (by a factor of 2^16).
///              - On neither axis is it longer than FLT_MAX / 2. Past that its box may be cut off
///                at both ends of the range of float.
/// Passing    A long move passes a box that is small beside it and lies wholly to one side of the
///            band that the mover covers. Small means that on both axes the move is at least eight
///            times as long as each side of the box. It is 32 times if the kind of the box is one
///            of points. So whether one passes the other depends on these two alone, never on the
///            grid.
typedef struct graze_grid_moves {
    const graze_vec2 *from, *to; ///< Finite; exactly those of the build.
    const uint32_t *index;       ///< By place: which of them is its own. Null: the place.
} graze_grid_moves;

/// Two places whose boxes overlap; never equal. Which of them is `a` is unspecified, but always the
/// same after the same sequence of builds, whatever SIMD lanes the machine has.
typedef struct graze_pair {
    uint32_t a, b;
} graze_pair;

/// The position in a stream of pairs or places. It owns nothing; a copy continues from the same
/// position. Valid until the next build. All fields but `tested` are private.
typedef struct graze_grid_cursor {
    uint64_t tested; ///< Boxes compared so far: the cost of the stream.
    const graze_grid_moves *moves;
    const uint32_t *kinds;
    graze_aabb box;
    graze_vec2 from, to;
    uint32_t stage, item, row, part, next, last_stage, last_item;
} graze_grid_cursor;

/// How the last build stored its items, and why. The cost of reading it is in each cursor's
/// `tested`.
typedef struct graze_grid_stats {
    uint32_t class_count; ///< Size classes in use; each list of kinds has its own.
    uint32_t kept_count;  ///< Classes that kept the cells of the previous build.
    /// Classes whose cells are finer than for evenly spread items, because their items are crowded.
    uint32_t refined_count;
    uint32_t cell_count;  ///< Cells of all classes.
    double smallest_cell; ///< Shortest side of a cell, units; 0 if there are no items.
    double largest_cell;  ///< Longest side of a cell, units; 0 if there are no items.
    /// How crowded the cells were at first: the mean number of items in an item's own cell, itself
    /// included. 0 if there are no items. It is about 3 for evenly spread items. From 6 on other
    /// cells are tried.
    double first_crowding;
    double crowding;       ///< The same for the cells that were chosen.
    uint64_t memory_bytes; ///< Memory held, including scratch.
} graze_grid_stats;

/// Creates an empty grid and stores it in `*grid`. The caller owns it, and frees it by
/// graze_grid_destroy(). `allocator` is copied; null or all zero means malloc and free.
///
/// Errors     GRAZE_ERROR_ARGUMENT if only one of its functions is set; GRAZE_ERROR_OUT_OF_MEMORY.
///            `*grid` is null then.
graze_status graze_grid_create(const graze_allocator *allocator, graze_grid **grid);

/// Frees the grid. Null is allowed.
void graze_grid_destroy(graze_grid *grid);

/// Reserves exactly the memory for builds of up to `count` items; otherwise builds reserve more
/// than they need. Returns GRAZE_OK; GRAZE_ERROR_LIMIT above 2^30; GRAZE_ERROR_OUT_OF_MEMORY. The
/// contents stay as they are.
graze_status graze_grid_reserve(graze_grid *grid, uint32_t count);

/// Replaces the contents by `items`. Places, pairs and cursors of the previous build become
/// invalid.
///
/// Errors     GRAZE_ERROR_ARGUMENT if a box is not finite or inverted, or a kind is not below their
///            count; GRAZE_ERROR_LIMIT above 2^30 items; GRAZE_ERROR_OUT_OF_MEMORY. The old
///            contents stay then.
/// Cost       O(count). If the items are similar to those of the previous build, it is one pass to
///            read them, one to count and one to copy. Otherwise it is up to twenty times that. It
///            is cheapest if items come in the order of the previous build. It allocates only if
///            count exceeds all previous ones.
graze_status graze_grid_build(graze_grid *grid, const graze_grid_items *items);

/// graze_grid_build on the threads that `parallel` provides: it is called with `user`, several
/// times (tasks.h). Places and all other results are those of graze_grid_build, whatever the number
/// of threads. If `parallel` is null, the caller's thread does all of the work.
///
/// Cost       As graze_grid_build on one thread if there are fewer than some ten thousand items.
///            The same holds if their order is far from that of the previous build.
graze_status graze_grid_build_parallel(graze_grid *grid, const graze_grid_items *items,
                                       graze_parallel_fn *parallel, void *user);

/// Returns the number of items of the last build, removed ones included; 0 before the first.
uint32_t graze_grid_count(const graze_grid *grid);

/// Returns, for each place, the index of its item in the build's `items`: count values, each index
/// once; null if count is 0. Valid until the next build. Items of one cell keep their order.
const uint32_t *graze_grid_order(const graze_grid *grid);

/// Returns scratch space in which the caller may keep one number for each item, by its index in the
/// build's `items`: count values; null before the first build. It takes no extra memory, because
/// the next build uses it. So the values stay until a build begins that does not return
/// GRAZE_ERROR_LIMIT or GRAZE_ERROR_OUT_OF_MEMORY.
uint32_t *graze_grid_notes(graze_grid *grid);

/// Returns the same numbers, to be read; null before the first build.
const uint32_t *graze_grid_read_notes(const graze_grid *grid);

/// Removes the box at `place` (below the count): until the next build it is no longer found, not
/// even by existing cursors. Removing it twice is allowed. Cost: O(1).
void graze_grid_remove(graze_grid *grid, uint32_t place);

/// Returns a cursor at the start of all pairs.
graze_grid_cursor graze_grid_begin_pairs(const graze_grid *grid);

/// Returns a cursor at the start of the pairs of part `part` of `part_count` (at least 1, above
/// `part`). The streams of parts 0 to part_count - 1, one after the other, are exactly the stream
/// of all pairs, in the same order. For evenly spread items the parts take about equal work. A part
/// may have no pairs.
///
/// Cost       O(1) for each pair of size classes.
graze_grid_cursor graze_grid_begin_pairs_part(const graze_grid *grid, uint32_t part,
                                              uint32_t part_count);

/// Makes a stream of pairs, at its start, leave out those of which one has a long move and passes
/// the other: see graze_grid_moves. The build must have had the same moves. They must stay as they
/// are as long as the stream is read.
void graze_grid_set_moves(graze_grid_cursor *cursor, const graze_grid_moves *moves);

/// Writes the next pairs, at most `capacity` (at least 1), and returns their number; 0 at the end
/// of the stream. A whole stream has each unordered pair of overlapping boxes whose kinds pair
/// exactly once, but for those that pass each other. The order is the same for any capacities. The
/// contents of `pairs` between the returned number and the capacity are unspecified.
///
/// Cost       Linear in the numbers of items and pairs: at most about 40 boxes compared per item
///            and 12 per pair. A capacity below 64 is slower.
/// Holds      That holds for crowds anywhere, for boxes that are all long in the same direction,
///            for positions aimed at the grid's period, and for any mix of sizes. With moves it
///            also holds where many move long, in all directions, among small boxes.
/// Limits     It does not hold where things meet that need different cells. These are:
///              - Boxes long in one direction among boxes as long in the other. Such are the swept
///                boxes of many things that fly across the whole world in a step, in all
///                directions. They are no small boxes to each other.
///              - Crowds of different density but equal sizes.
///              - Items further apart than 2^30 times the side of the cells that their crowds need.
uint32_t graze_grid_next_pairs(const graze_grid *grid, graze_grid_cursor *cursor, graze_pair *pairs,
                               uint32_t capacity);

/// Returns a cursor at the start of the places whose boxes overlap `box`; touching counts. A box
/// with a NaN side or lower > upper overlaps nothing; infinite sides are allowed.
graze_grid_cursor graze_grid_begin_box(const graze_grid *grid, graze_aabb box);

/// Makes a stream of places of a box or a ray, at its start, leave out items whose kind is not in a
/// set of kinds (graze_grid_meets). The set must stay as it is as long as the stream is read; null
/// means all. A list that has none of these kinds costs nothing.
///
/// Limits     Items are left out as far as the grid knows their kinds. Where each two lists pair
///            wholly or not at all, it knows the kinds of lists alone, not those of single items.
void graze_grid_set_kinds(graze_grid_cursor *cursor, const uint32_t kinds[GRAZE_GRID_KIND_WORDS]);

/// Writes the next places, at most `capacity` (at least 1), and returns their number; 0 at the end
/// of the stream. A whole stream has each place whose box overlaps exactly once, in unspecified
/// order. The contents of `places` between the returned number and the capacity are unspecified.
///
/// Cost       The cells under the box and the items in them, for each size class.
uint32_t graze_grid_next_box(const graze_grid *grid, graze_grid_cursor *cursor, uint32_t *places,
                             uint32_t capacity);

/// Returns whether any box in `movers` is so large that a move in it may pass an item of `grid`
/// (see graze_grid_moves). If not, graze_grid_begin_box() finds what graze_grid_begin_move() does,
/// for less. Constant time.
bool graze_grid_may_be_passed(const graze_grid *grid, const graze_grid *movers);

/// As graze_grid_begin_box(), of the box of a straight move (see graze_grid_moves): leaves out the
/// places that it passes.
graze_grid_cursor graze_grid_begin_move(graze_aabb box, graze_vec2 from, graze_vec2 to);

/// As graze_grid_next_box(), of a cursor of graze_grid_begin_move().
///
/// Cost       Of classes whose items are all small beside a long move: the cells along its line.
uint32_t graze_grid_next_move(const graze_grid *grid, graze_grid_cursor *cursor, uint32_t *places,
                              uint32_t capacity);

/// Prefetches the cells that a query of this box reads. It does not wait and changes nothing. It
/// helps to query many boxes in a grid that is not in the cache: prefetch the cells of each box
/// some queries ahead. Once these have arrived, prefetch the boxes in them.
///
/// Cost       Some nanoseconds for each size class. bench: engine/step/rest
void graze_grid_prefetch_cells(const graze_grid *grid, graze_aabb box);

/// Prefetches the boxes in those cells, at most 64 of a row of cells. It reads the cells, and so
/// waits for them if they are not in the cache.
void graze_grid_prefetch_boxes(const graze_grid *grid, graze_aabb box);

/// Returns a cursor at the start of the places whose boxes meet the closed segment from->to. If
/// `from == to` it is a point. A segment that is not finite meets nothing.
graze_grid_cursor graze_grid_begin_ray(const graze_grid *grid, graze_vec2 from, graze_vec2 to);

/// Writes the next places, at most `capacity` (at least 1), and returns their number; 0 at the end
/// of the stream. A whole stream has each place at most once, in unspecified order. The contents of
/// `places` between the returned number and the capacity are unspecified.
///
/// Exactness  Every place is found whose closed box shares a point with the segment in exact
///            arithmetic. A few more may be returned. Their boxes overlap the segment's bounding
///            box, and nearly meet its line. They miss it by no more than the rounding error in
///            double (4e-15 of the products of its extent and the coordinates).
/// Cost       The cells along the segment, row by row, and the items in them, for each size class;
///            at worst a test of every item.
uint32_t graze_grid_next_ray(const graze_grid *grid, graze_grid_cursor *cursor, uint32_t *places,
                             uint32_t capacity);

/// A callback that receives `count` pairs: `a` is the index of a ray, `b` a place. They are valid
/// during the call only. It must not change the grid.
typedef void graze_grid_pair_sink(void *context, const graze_pair *pairs, uint32_t count);

/// Finds the places near each of `count` rays from[i] -> to[i], whose ends must be finite, and
/// passes them to `sink`, with `context`. Every place is found whose closed box shares a point with
/// the ray, and none is passed twice for one ray. A few more may be passed, whose boxes overlap the
/// ray's bounding box. The order is unspecified. If `kinds` is not null, items whose kind is not in
/// this set are left out, as by graze_grid_set_kinds().
///
/// Cost       Nothing is allocated. A short ray (the motion of a bullet in a step) costs the few
///            cells under its bounding box. Several boxes are compared at a time. A long diagonal
///            ray costs what graze_grid_next_ray costs.
void graze_grid_find_rays(const graze_grid *grid, const graze_vec2 *from, const graze_vec2 *to,
                          uint32_t count, const uint32_t *kinds, graze_grid_pair_sink *sink,
                          void *context);

/// Returns the stats of the last build. Cost: O(1) for each size class.
graze_grid_stats graze_grid_get_stats(const graze_grid *grid);

/// A function that is told of a cell: its box, and how many items have the centres of their boxes
/// in it, at least 1.
typedef void graze_grid_cell_fn(graze_aabb cell, uint32_t count, void *user);

/// Calls a function for all cells that hold items of the last build: to draw them, say. Cells of
/// different size classes overlap. Items of one cell may be told in several parts.
///
/// Cost       Linear in cells and items. Nothing is allocated.
void graze_grid_visit_cells(const graze_grid *grid, graze_grid_cell_fn *visit, void *user);

#ifdef __cplusplus
}
#endif

#endif
