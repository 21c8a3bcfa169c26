/// @file parallel.h
/// Loops over rows, cut into blocks that the world's `parallel` callback may run: see runner.h.
#ifndef GRZ_PARALLEL_H
#define GRZ_PARALLEL_H

#include "runner.h"
#include "world/world_state.h"

enum {
    GRZ_BLOCK_ROWS = 4096 ///< A block of rows: some tens of microseconds of work.
};

/// Runs all blocks, by the world's callback if it has one: grz_runner_run.
static inline void grz_run_blocks(const graze_world *world, uint32_t count, uint32_t size,
                                  grz_block_fn *run, void *context)
{
    const grz_runner runner = {world->config.parallel, world->config.parallel_user};
    grz_runner_run(runner, count, size, run, context);
}

#endif
