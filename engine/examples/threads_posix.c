// Threads, by POSIX threads: the same crowd on one thread and on four gives the same bits.
#include "crowd.h"
#include "worker_pool.h"

#include <inttypes.h>
#include <stdio.h>

enum { THREADS = 4 };

int main(void)
{
    graze_world_def def = graze_world_def_default();
    const uint64_t alone = crowd_run(&def);

    worker_pool *pool = worker_pool_create(THREADS);
    if (!pool) {
        puts("no threads can be made");
        return 1;
    }
    def.parallel = worker_pool_run;
    def.parallel_user = pool;
    def.worker_count = THREADS;
    const uint64_t together = crowd_run(&def);
    worker_pool_destroy(pool);

    printf("one thread %016" PRIx64 ", %d threads %016" PRIx64 "\n", alone, THREADS, together);
    return alone != 0 && alone == together ? 0 : 1;
}
