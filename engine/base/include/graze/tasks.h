/// @file tasks.h
/// Work in tasks, which a game may spread over its threads.
#ifndef GRAZE_TASKS_H
#define GRAZE_TASKS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Runs `task(context, i)` for every i in [0, count), on any threads in any order, and returns when
/// all are done. Results do not depend on how it does that. A step calls it some times, from the
/// thread that called the step, when there are more than some thousand bodies; a task is some tens
/// of microseconds of work, calls neither the allocator, nor the log, nor the game's filter, and
/// sets its thread's rounding for itself. engine/examples has two: POSIX threads and OpenMP.
typedef void graze_parallel_fn(void (*task)(void *context, uint32_t index), void *context,
                               uint32_t count, void *user);

#ifdef __cplusplus
}
#endif

#endif
