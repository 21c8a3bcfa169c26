// Threads, by OpenMP: a world needs only a loop. If other programs use the processors, set
// OMP_WAIT_POLICY=passive: by default waiting threads spin, and take time from those that work.
#include "crowd.h"

#include <inttypes.h>
#include <stdio.h>

static void run_tasks(void (*task)(void *context, uint32_t index), void *context, uint32_t count,
                      void *user)
{
    (void)user;
#pragma omp parallel for schedule(dynamic, 1)
    for (int64_t i = 0; i < (int64_t)count; ++i) {
        task(context, (uint32_t)i);
    }
}

int main(void)
{
    graze_world_def def = graze_world_def_default();
    const uint64_t alone = crowd_run(&def);
    def.parallel = run_tasks;
    const uint64_t together = crowd_run(&def);
    printf("one thread %016" PRIx64 ", OpenMP %016" PRIx64 "\n", alone, together);
    return alone != 0 && alone == together ? 0 : 1;
}
