/// @file tasks.h
/// Parallel work as tasks, which a game may spread over its threads.
#ifndef GRAZE_TASKS_H
#define GRAZE_TASKS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A function of the game that runs `task(context, i)` once for every i from 0 to count - 1, on any
/// threads and in any order, and returns when all of them are done. No result depends on threads or
/// order.
///
/// Calls      A step of more than some thousand bodies calls it several times, on the thread that
///            called the step, with some tens of microseconds of work per task.
/// Tasks      A task calls neither the allocator nor the log nor the game's filter callback. It
///            sets the rounding mode of its thread and restores it.
/// Examples   engine/examples: threads_posix.c with worker_pool.c, and threads_openmp.c.
typedef void graze_parallel_fn(void (*task)(void *context, uint32_t index), void *context,
                               uint32_t count, void *user);

#ifdef __cplusplus
}
#endif

#endif
