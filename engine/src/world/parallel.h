/// @file parallel.h
/// Loops over rows, cut into blocks that the world's `parallel` callback may run: see runner.h.
#ifndef GRZ_PARALLEL_H
#define GRZ_PARALLEL_H

#include "runner.h"
#include "world/world_state.h"

enum {
    GRZ_BLOCK_ROWS = 4096 ///< A block of rows: some tens of microseconds of work.
};

/// Runs all blocks, by the world's callback if it has one: grz_runner_run. What is one block is
/// called directly: steps of few bodies have many such loops.
static inline void grz_run_blocks(const graze_world *world, uint32_t count, uint32_t size,
                                  grz_block_fn *run, void *context)
{
    if (count <= size) {
        if (count) {
            run(context, 0, 0, count);
        }
        return;
    }
    const grz_runner runner = {world->config.parallel, world->config.parallel_user};
    grz_runner_run(runner, count, size, run, context);
}

/// A list that blocks fill: see GRZ_FILLED.
typedef struct grz_filled {
    grz_block *memory;
    void *data; ///< Where the array has the address of its first item.
    uint32_t *count, *capacity;
    size_t item_size;
} grz_filled;

/// Names an array as such a list.
#define GRZ_FILLED(array)                                                                          \
    {                                                                                              \
        &(array)->memory, &(array)->data, &(array)->count, &(array)->capacity,                     \
            sizeof *(array)->data                                                                  \
    }

enum { GRZ_FOUND_LISTS = 3 }; ///< Maximum lists that blocks fill together.

/// What blocks find.
typedef struct grz_finding {
    uint32_t list_count;
    grz_filled lists[GRZ_FOUND_LISTS];
    /// Where threads find what belongs into the lists. Without it the ranges of blocks stay where
    /// they are in the list, which then has gaps.
    grz_filled apart[GRZ_FOUND_LISTS];
    /// Returns how many items a block may have, or is expected to have. Null: what it had in the
    /// last step, and some more.
    uint32_t (*room)(const graze_world *world, uint32_t block);
    uint32_t spare; ///< So many more, where `room` is null.
    /// Finds the items of a block, puts them into its ranges of all lists, and sets the counts.
    /// Items for which there is no room are only counted: the block is then searched again, with
    /// room for all. Runs as a grz_block_fn does.
    void (*find)(graze_world *world, uint32_t block, grz_range *ranges);
    /// Null, or told that the items of a block in the first list come to lie so many places farther
    /// (modulo 2^32).
    void (*move)(graze_world *world, uint32_t block, uint32_t by);
    bool in_turn; ///< One block after the other, on the caller's thread.
} grz_finding;

/// Appends what all blocks find to lists, in the order of blocks. On threads they find it in ranges
/// of their own; then these are closed up. `ranges` are those of the last step, by block and list;
/// afterwards they say what each block has. Returns false if memory runs out; the ranges are then
/// forgotten, so that the next step need not ask for as much.
bool grz_find_in_blocks(graze_world *world, const grz_finding *finding, uint32_t blocks,
                        grz_ranges *ranges);

#endif
