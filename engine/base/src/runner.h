/// @file runner.h
/// Loops that are cut into blocks, which a callback may run on several threads.
///
/// The cuts depend on the number of elements alone, never on the number of threads, and the results
/// of blocks are put together in their order. So the result is the same, whether blocks run at once
/// or one after the other.
#ifndef GRZ_RUNNER_H
#define GRZ_RUNNER_H

#include <graze/tasks.h>

/// Who runs blocks: a callback and what it is given. Null: they run one after the other.
typedef struct grz_runner {
    graze_parallel_fn *parallel;
    void *user;
} grz_runner;

/// Does elements first to end - 1, which are block `block`. Runs on any thread, beside other
/// blocks: it writes nothing that another block reads or writes, and takes no memory.
typedef void grz_block_fn(void *context, uint32_t block, uint32_t first, uint32_t end);

/// Returns how many blocks of `size` elements there are; the last may be shorter.
static inline uint32_t grz_count_blocks(uint32_t count, uint32_t size)
{
    return count / size + (count % size != 0);
}

/// Runs all blocks and returns when they are done: by the callback when there is one and there is
/// more than one block, else one after the other. Threads round as the caller does, who has called
/// grz_fp_enter().
void grz_runner_run(grz_runner runner, uint32_t count, uint32_t size, grz_block_fn *run,
                    void *context);

#endif
