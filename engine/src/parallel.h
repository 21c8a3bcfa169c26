/// @file parallel.h
/// Loops cut into blocks, which the world's `parallel` callback may run on several threads.
///
/// Where the cuts are depends on the number of elements alone, never on the number of threads: what
/// each block writes, and the order in which the blocks' results are put together, is the same
/// whether they run at once or one after the other.
#ifndef GRZ_PARALLEL_H
#define GRZ_PARALLEL_H

#include "state.h"

enum {
    GRZ_BLOCK_ROWS = 4096 ///< A block of rows: some tens of microseconds of work.
};

/// Does elements first to end - 1, which are block `block`. Runs on any thread, beside other
/// blocks: it writes nothing that another block reads or writes, and takes no memory.
typedef void grz_block_fn(void *context, uint32_t block, uint32_t first, uint32_t end);

/// Returns how many blocks of `size` elements there are; the last may be shorter.
static inline uint32_t grz_count_blocks(uint32_t count, uint32_t size)
{
    return count / size + (count % size != 0);
}

/// Runs all blocks and returns when they are done: by the callback when there is one and there is
/// more than one block, else one after the other.
void grz_run_blocks(const graze_world *world, uint32_t count, uint32_t size, grz_block_fn *run,
                    void *context);

#endif
