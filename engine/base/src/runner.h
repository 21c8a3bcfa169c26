/// @file runner.h
/// Loops that are cut into blocks, which a callback may run on several threads.
///
/// The cuts depend on the number of elements alone, never on the number of threads, and the results
/// of blocks are joined in their order. So the result is the same whether blocks run in parallel or
/// one after the other.
#ifndef GRZ_RUNNER_H
#define GRZ_RUNNER_H

#include <graze/tasks.h>

/// Runs blocks: a callback and its user pointer. Null: they run one after the other.
typedef struct grz_runner {
    graze_parallel_fn *parallel;
    void *user;
} grz_runner;

/// Processes elements first to end - 1, which are block `block`. Runs on any thread, in parallel
/// with other blocks: it writes nothing that another block reads or writes, and allocates nothing.
typedef void grz_block_fn(void *context, uint32_t block, uint32_t first, uint32_t end);

/// Returns how many blocks of `size` elements there are; the last may be shorter.
static inline uint32_t grz_count_blocks(uint32_t count, uint32_t size)
{
    return count / size + (count % size != 0);
}

/// Runs all blocks and returns when they are done: by the callback if there is one and more than
/// one block, else one after the other. Threads get the rounding mode of the caller, who has called
/// grz_fp_enter().
void grz_runner_run(grz_runner runner, uint32_t count, uint32_t size, grz_block_fn *run,
                    void *context);

#endif
