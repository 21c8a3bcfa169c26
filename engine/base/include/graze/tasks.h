/// @file tasks.h
/// Parallel work as tasks, which a game may spread over its threads. engine/examples has a callback
/// for POSIX threads (threads_posix.c with worker_pool.c) and one for OpenMP (threads_openmp.c).
/// The simplest one, without other threads:
///
///     static void run(void (*task)(void *, uint32_t), void *context, uint32_t count, void *user)
///     {
///         for (uint32_t i = 0; i < count; ++i) {
///             task(context, i);
///         }
///     }
///     ... def.parallel = run; ...
///
/// Threads    Graze creates none. Without a callback all work is done by the caller's thread.
/// Errors     None: a callback cannot fail. If no other thread is available it runs the tasks
///            itself, one after the other.
#ifndef GRAZE_TASKS_H
#define GRAZE_TASKS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A function of the game that runs `task(context, i)` once for every i from 0 to count - 1, on any
/// threads and in any order. It returns when all of them are done. What the tasks wrote must be
/// visible to the caller then. No result depends on the number of threads or on the order.
///
/// task       Valid during the call, and never null.
/// context    Likewise. It is to be passed on as it is.
/// count      At least 2. It depends on what the world or grid holds, never on threads.
/// user       The pointer that was given with the function; may be null.
/// Calls      A step of more than some thousand bodies calls it several times, and so do
///            graze_world_sort() and graze_grid_build_parallel(). They call it on the thread that
///            called them, with some tens of microseconds of work per task.
/// Tasks      A task calls neither the allocator nor the log nor the game's filter callback, and
///            waits for no other task. It sets the rounding mode of its thread and restores it.
/// Re-entry   The callback must return to its caller (no longjmp, no exception), and must not call
///            any function on the world or grid.
typedef void graze_parallel_fn(void (*task)(void *context, uint32_t index), void *context,
                               uint32_t count, void *user);

#ifdef __cplusplus
}
#endif

#endif
