/// @file grid.h
/// Which boxes overlap? A uniform grid without bounds, rebuilt from all its items by a counting
/// sort, that streams overlapping pairs and answers box and ray queries.
///
/// An item is a closed box. A build sorts the items by size class and cell and gives each a place,
/// 0 to count - 1; everything the grid says after that names places. Callers that keep their own
/// columns in the same order (see graze_grid_order) read them by place, nearly in sequence.
///
/// Units      The game's own. Any finite coordinates: there are no bounds and no cell size to set.
/// Exactness  Boxes are compared as stored: exact. Cells never part two boxes that overlap; how big
///            they are changes the order in which things are found, never what is found.
/// Threads    Functions that take a const grid may run on any number of threads at once, each with
///            a cursor of its own. All others exclude every other call on the grid.
/// Errors     Non-finite or inverted boxes: GRAZE_ERROR_ARGUMENT. No memory:
///            GRAZE_ERROR_OUT_OF_MEMORY. In both cases the grid is as it was.
/// Source     Counting sort of a cell list: M. Hoetzlein 2014, "Fast Fixed-Radius Nearest
///            Neighbors: Interactive Million-Particle Fluids". Size classes: C. Ericson 2005,
///            "Real-Time Collision Detection", 7.2 (hierarchical grids).
#ifndef GRAZE_GRID_H
#define GRAZE_GRID_H

#include <graze/aabb.h>
#include <graze/allocator.h>
#include <graze/status.h>
#include <graze/tasks.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A grid; opaque. Made by graze_grid_create, given back by graze_grid_destroy.
typedef struct graze_grid graze_grid;

/// What a build reads: columns of `count` values each. The grid keeps none of these pointers.
typedef struct graze_grid_items {
    /// Closed boxes: finite, min <= max. A box of no size is a point and is fine.
    const float *min_x, *min_y, *max_x, *max_y;
    /// Nonzero: does not pair with other quiet items (bullets). Null: none is quiet.
    const uint8_t *quiet;
    uint32_t count; ///< At most 2^30; the columns may be null when it is 0.
} graze_grid_items;

/// Two places whose boxes overlap; never equal. Which of the two is `a` is unspecified, and the
/// same whenever the same builds have been made, whatever the machine's lanes are.
typedef struct graze_pair {
    uint32_t a, b;
} graze_pair;

/// Where a stream of pairs or places stands: by value, owning nothing; a copy goes on from the same
/// point. Good until the next build. The fields are the grid's own, but for `tested`.
typedef struct graze_grid_cursor {
    uint64_t tested; ///< Boxes compared so far: what the stream has cost.
    graze_aabb box;
    graze_vec2 from, to;
    uint32_t stage, item, row, part, next, last_stage, last_item;
} graze_grid_cursor;

/// What the last build made, and why. What reading it costs is in each cursor's `tested`.
typedef struct graze_grid_stats {
    uint32_t class_count; ///< Size classes in use, quiet ones counted apart.
    uint32_t kept_count;  ///< Classes that kept the cells of the build before.
    /// Classes whose cells are finer than in an even world, because items crowd.
    uint32_t refined_count;
    uint32_t cell_count;  ///< Cells of all classes.
    double smallest_cell; ///< Shortest side of a cell, units; 0 when there are no items.
    double largest_cell;  ///< Longest side of a cell, units; 0 when there are no items.
    /// The mean number of items in an item's own cell, itself included, in the cells that the build
    /// began with; 0 when there are no items. About 3 in an even world; from 6 on other cells are
    /// tried.
    double first_crowding;
    double crowding;       ///< The same in the cells that it chose.
    uint64_t memory_bytes; ///< Memory held, scratch included.
} graze_grid_stats;

/// Makes an empty grid and stores it in `*grid`. `allocator` is copied; null or all zero means
/// malloc and free; it serves the grid until graze_grid_destroy. Returns GRAZE_ERROR_ARGUMENT when
/// only one of its functions is set, GRAZE_ERROR_OUT_OF_MEMORY; `*grid` is null then.
graze_status graze_grid_create(const graze_allocator *allocator, graze_grid **grid);

/// Gives all memory back. Null is fine.
void graze_grid_destroy(graze_grid *grid);

/// Makes room for builds of up to `count` items and no more; without it builds reserve more than
/// they need. Returns GRAZE_OK; GRAZE_ERROR_LIMIT above 2^30; GRAZE_ERROR_OUT_OF_MEMORY. The
/// contents stay as they are.
graze_status graze_grid_reserve(graze_grid *grid, uint32_t count);

/// Replaces the contents by `items`; places, pairs and cursors of the build before are void.
/// Returns GRAZE_ERROR_ARGUMENT when a box is not finite or inverted, GRAZE_ERROR_LIMIT when there
/// are more than 2^30 items, GRAZE_ERROR_OUT_OF_MEMORY; the old contents stay as they were then.
///
/// Cost       O(count): one look at the items, a count and a copy while they are much like those of
///            the build before, up to eight times that when they are not. Cheapest when they come
///            in the order of that build. Allocates only while count grows past its largest.
graze_status graze_grid_build(graze_grid *grid, const graze_grid_items *items);

/// graze_grid_build on the threads that `parallel` lends: it is called with `user`, several times
/// (tasks.h). Places, and all else that the grid says, are those of graze_grid_build, whatever the
/// number of threads. With a null `parallel` the caller's thread does all of it.
///
/// Cost       As graze_grid_build on one thread below some ten thousand items, and when the items
///            are not in an order near that of the build before.
graze_status graze_grid_build_parallel(graze_grid *grid, const graze_grid_items *items,
                                       graze_parallel_fn *parallel, void *user);

/// Returns how many items the last build had; 0 before the first.
uint32_t graze_grid_count(const graze_grid *grid);

/// Returns the index in the build's `items` of the item at each place: count values, each index
/// once; null when count is 0. Valid until the next build. Items of one cell keep their order.
const uint32_t *graze_grid_order(const graze_grid *grid);

/// Returns room for a number of the caller's own for each item, by its index in the build's
/// `items`: count values; null before the first build. It costs no memory, being scratch of the
/// next build: what is written there stays until a build begins that does not return
/// GRAZE_ERROR_LIMIT or GRAZE_ERROR_OUT_OF_MEMORY.
uint32_t *graze_grid_notes(const graze_grid *grid);

/// Makes the box at `place` (below the count) empty: until the next build it is not found any more,
/// not even by cursors that were begun before. Removing twice is fine. Cost: O(1).
void graze_grid_remove(graze_grid *grid, uint32_t place);

/// Returns a cursor before the first of all pairs.
graze_grid_cursor graze_grid_begin_pairs(const graze_grid *grid);

/// Returns a cursor before the first of the pairs in part `part` of `part_count` (at least 1, above
/// `part`). The streams of parts 0 to part_count - 1, one after the other, are exactly the stream
/// of all pairs, in the same order; a stream ends where the next begins. In an even world parts are
/// about equal in work; a part may have no pairs.
///
/// Cost       O(1) for each two size classes.
graze_grid_cursor graze_grid_begin_pairs_part(const graze_grid *grid, uint32_t part,
                                              uint32_t part_count);

/// Writes the next pairs, at most `capacity` (at least 1) of them, and returns how many; 0 when
/// there are no more. Over all calls each unordered pair of overlapping boxes that are not both
/// quiet comes exactly once, in the same order for any capacities. What `pairs` holds past the
/// returned count, within the capacity, is unspecified.
///
/// Cost       Linear in the numbers of items and pairs: at most about 40 boxes compared an item and
///            12 a pair. That holds for crowds anywhere, boxes that are all long the same way,
///            positions aimed at the grid's period, and any mix of sizes. It does not hold where
///            two things that ask for different cells meet: boxes long one way among others as long
///            the other way, crowds of different density but equal sizes, or items further apart
///            than 2^30 sides of the cells that their crowds ask for. A capacity below 64 is
///            slower.
uint32_t graze_grid_next_pairs(const graze_grid *grid, graze_grid_cursor *cursor, graze_pair *pairs,
                               uint32_t capacity);

/// Returns a cursor before the first of the places whose boxes overlap `box`: closed, touching
/// counts. A box with a NaN side or lower > upper overlaps nothing; infinite sides are fine.
graze_grid_cursor graze_grid_begin_box(const graze_grid *grid, graze_aabb box);

/// Writes the next places, at most `capacity` (at least 1), and returns how many; 0 when there are
/// no more. Over all calls each place whose box overlaps comes exactly once, in no order to rely
/// on. What `places` holds past the returned count, within the capacity, is unspecified.
///
/// Cost       The cells under the box and the items in them, once for each size class.
uint32_t graze_grid_next_box(const graze_grid *grid, graze_grid_cursor *cursor, uint32_t *places,
                             uint32_t capacity);

/// Prefetches the cells that a query of this box reads. It waits for nothing and changes nothing.
/// To look up many boxes in a grid that is not in the cache, ask for the cells of each box some
/// queries ahead, and once these have arrived, for the boxes in them.
///
/// Cost       Some nanoseconds, once for each size class. bench: engine/step/rest
void graze_grid_ask_for_cells(const graze_grid *grid, graze_aabb box);

/// Prefetches the boxes in those cells.
void graze_grid_ask_for_boxes(const graze_grid *grid, graze_aabb box);

/// Returns a cursor before the first of the places whose boxes the closed segment from->to meets.
/// `from == to` is a point. A segment that is not finite meets nothing.
graze_grid_cursor graze_grid_begin_ray(const graze_grid *grid, graze_vec2 from, graze_vec2 to);

/// Writes the next places, at most `capacity` (at least 1), and returns how many; 0 when there are
/// no more. Over all calls each place comes at most once, in no particular order. No place is
/// missed whose closed box shares a point with the segment, in exact arithmetic. A few more may
/// come: boxes that overlap the segment's bounding box, but miss its line by no more than rounding
/// in double hides (4e-15 of the products of its extent and the coordinates). What `places` holds
/// past the returned count, within the capacity, is unspecified.
///
/// Cost       The cells along the segment, row by row, and the items in them, once for each size
///            class; at worst one look at every item.
uint32_t graze_grid_next_ray(const graze_grid *grid, graze_grid_cursor *cursor, uint32_t *places,
                             uint32_t capacity);

/// Receives `count` pairs: `a` is the index of a ray, `b` a place. They are valid during the call
/// only. It must not change the grid.
typedef void graze_grid_pair_sink(void *context, const graze_pair *pairs, uint32_t count);

/// Finds the places near each of `count` rays from[i] -> to[i], whose ends must be finite, and
/// hands them to `sink`, with `context`. No place is missed whose closed box shares a point with
/// the ray, and none comes twice for one ray. A few more may come, whose boxes overlap the ray's
/// bounding box. The order is unspecified.
///
/// Cost       Nothing is allocated. A short ray (a bullet's step) costs the few cells under its
///            bounding box, several boxes at a time; a long slanting one what graze_grid_next_ray
///            costs.
void graze_grid_find_rays(const graze_grid *grid, const graze_vec2 *from, const graze_vec2 *to,
                          uint32_t count, graze_grid_pair_sink *sink, void *context);

/// Returns what the last build made, and why.
graze_grid_stats graze_grid_get_stats(const graze_grid *grid);

#ifdef __cplusplus
}
#endif

#endif
