#include "runner.h"

#include "fp_environment.h"
#include "min_max.h"

/// Shared by the tasks of one loop.
typedef struct block_loop {
    grz_block_fn *run;
    void *context;
    uint32_t count, size;
} block_loop;

static void run_block(const block_loop *loop, uint32_t block)
{
    const uint32_t first = block * loop->size;
    const uint32_t rest = loop->count - first;
    loop->run(loop->context, block, first, first + min_u32(rest, loop->size));
}

// The rounding mode is a setting of each thread, and may be any.
static void run_task(void *context, uint32_t block)
{
    const grz_fp_environment before = grz_fp_enter();
    run_block(context, block);
    grz_fp_leave(before);
}

void grz_runner_run(grz_runner runner, uint32_t count, uint32_t size, grz_block_fn *run,
                    void *context)
{
    block_loop all = {run, context, count, size};
    const uint32_t blocks = grz_count_blocks(count, size);
    if (runner.parallel && blocks > 1) {
        runner.parallel(run_task, &all, blocks, runner.user);
        return;
    }
    for (uint32_t block = 0; block < blocks; ++block) {
        run_block(&all, block);
    }
}
