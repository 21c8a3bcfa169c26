/// @file worker_pool.h
/// Threads for a world's `parallel` callback, on POSIX threads: two files to copy and to change.
///
/// The threads are created once and wait; worker_pool_run() divides the tasks of one loop among
/// them and the calling thread, and returns when all are done. A step calls it several times within
/// a millisecond, so idle workers spin for a moment before they sleep.
///
/// Threads    One run at a time: a pool serves the worlds of one thread.
#ifndef GRAZE_EXAMPLES_WORKER_POOL_H
#define GRAZE_EXAMPLES_WORKER_POOL_H

#include <stdint.h>

typedef struct worker_pool worker_pool;

/// Returns a pool of `thread_count` threads, one of which is the caller's (0 counts as 1); null if
/// memory runs out or no thread can be created. The caller owns it: worker_pool_destroy().
worker_pool *worker_pool_create(uint32_t thread_count);

/// Ends the threads and frees the pool. Null is allowed.
void worker_pool_destroy(worker_pool *pool);

/// A graze_parallel_fn; `user` is the pool.
void worker_pool_run(void (*task)(void *context, uint32_t index), void *context, uint32_t count,
                     void *user);

#endif
