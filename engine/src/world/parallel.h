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
    uint32_t *count, *capacity;
    size_t item_size;
} grz_filled;

/// Names an array as such a list.
#define GRZ_FILLED(array)                                                                          \
    ((grz_filled){&(array)->memory, &(array)->count, &(array)->capacity, sizeof *(array)->data})

/// What blocks find.
typedef struct grz_finding {
    /// Returns how many items a block may have, or is expected to have.
    uint32_t (*room)(const graze_world *world, uint32_t block);
    /// Finds the items of a block and puts them into a list, from place `first` on. Returns how
    /// many they are. Those for which there is no room are only counted: the block is then searched
    /// again, with room for all. Runs as a grz_block_fn does.
    uint32_t (*find)(graze_world *world, uint32_t block, void *items, uint32_t first,
                     uint32_t room);
    /// Null, or told that the items of a block come to lie so many places farther (modulo 2^32).
    void (*move)(graze_world *world, uint32_t block, uint32_t by);
    bool in_turn; ///< One block after the other, on the caller's thread.
} grz_finding;

/// Returns the room for what a block found in the last step, and some more. `ranges` are of that.
uint32_t grz_room_as_before(const grz_ranges *ranges, uint32_t block);

/// Appends what all blocks find to a list, in the order of blocks. On threads they find it apart,
/// in ranges of their own; then these are closed up. Afterwards the ranges say what each block has,
/// and the caller takes the data of both lists from their memory. Returns false if memory runs out;
/// the ranges are then forgotten, so that the next step need not ask for as much.
bool grz_find_in_blocks(graze_world *world, const grz_finding *finding, uint32_t blocks,
                        grz_ranges *ranges, grz_filled list, grz_filled apart);

#endif
