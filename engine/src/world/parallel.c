#include "world/parallel.h"

void grz_run_blocks(const graze_world *world, uint32_t count, uint32_t size, grz_block_fn *run,
                    void *context)
{
    const grz_runner runner = {world->config.parallel, world->config.parallel_user};
    grz_runner_run(runner, count, size, run, context);
}
