/// @file worker_pool.h
/// Threads for a world's `parallel` callback, on POSIX threads: two files to copy and to change.
///
/// The threads are made once and wait; worker_pool_run() shares out the tasks of one loop among
/// them and the thread that calls, and returns when all are done. A step calls it several times
/// within a millisecond, so idle workers look for work for a moment before they sleep.
///
/// Threads    One run at a time: a pool serves the worlds of one thread.
#ifndef GRAZE_EXAMPLES_WORKER_POOL_H
#define GRAZE_EXAMPLES_WORKER_POOL_H

#include <stdint.h>

typedef struct worker_pool worker_pool;

/// Returns a pool of `thread_count` threads, the caller's being one of them (0 is taken as 1); null
/// when there is no memory or no thread can be made. The caller owns it: worker_pool_destroy().
worker_pool *worker_pool_create(uint32_t thread_count);

/// Ends the threads and frees the pool. Null is allowed.
void worker_pool_destroy(worker_pool *pool);

/// A graze_parallel_fn; `user` is the pool.
void worker_pool_run(void (*task)(void *context, uint32_t index), void *context, uint32_t count,
                     void *user);

#endif
