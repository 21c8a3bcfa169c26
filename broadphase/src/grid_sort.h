/// @file grid_sort.h
/// The counting sort of a build: count the items of each cell, make prefix sums, put each item in
/// its place. It is done as a whole, or in parts by several threads.
///
/// A part is a range of cells: it counts and places the items of these alone, so that no two parts
/// write to the same place. Items come in chunks with a known least and greatest cell. Where items
/// come nearly in order, few chunks belong to more than one part; where they come in no order, each
/// part has a list of its items instead. The cuts between parts affect no result: the items of a
/// cell stay in the order in which they came.
#ifndef GRZ_GRID_SORT_H
#define GRZ_GRID_SORT_H

#include "grid_plan.h"
#include "runner.h"

enum {
    GRZ_GRID_PARTS = 16,        ///< At most, of a build: no more threads take part.
    GRZ_GRID_CHUNK = 256,       ///< Items.
    GRZ_GRID_SHARED_MIN = 16384 ///< Items from which on several threads pay.
};

typedef struct grz_grid_sort {
    grz_runner runner;
    const graze_grid_items *items;
    uint32_t *keys;      ///< By item: its cell.
    grz_key_span *spans; ///< By chunk.
    uint32_t chunk_size, chunk_count;
    uint32_t part_count;
    uint32_t cuts[GRZ_GRID_PARTS + 1];        ///< Part k has the cells from cuts[k] to cuts[k + 1].
    uint32_t counts[GRZ_GRID_PARTS];          ///< Of each part's items.
    const uint32_t *lists;                    ///< Of each part's items, or null: see grid_sort.c.
    uint32_t list_firsts[GRZ_GRID_PARTS + 1]; ///< By part: where its list begins.
    uint64_t squares[GRZ_GRID_PARTS][GRZ_GRID_MAX_CLASSES]; ///< Sums of its cells' counts squared.
} grz_grid_sort;

/// Returns how many chunks `count` items make, in a build in parts or as a whole.
uint32_t grz_grid_count_chunks(uint32_t count);

/// Returns how many items a block has. Threads share the work by blocks before there are parts: at
/// most GRZ_GRID_PARTS blocks, which begin where chunks do.
uint32_t grz_grid_block_size(uint32_t count);

/// Counts the items in each cell, once `keys`, and `spans` if the build is in parts, are known: the
/// grid's starts are sums then, one ahead, as grz_grid_refine expects them. Stores the classes'
/// crowding.
void grz_grid_count_items(graze_grid *grid, grz_grid_sort *sort, grz_grid_plan *plan);

/// Puts each item in its place, after they have been counted.
void grz_grid_place_items(graze_grid *grid, grz_grid_sort *sort);

#endif
