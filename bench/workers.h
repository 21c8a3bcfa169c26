/// @file workers.h
/// Threads that stay: what a game gives a world as its `parallel`.
///
/// A pool keeps its threads between calls. They look for new work for some microseconds, as the
/// phases of a step follow each other closely, and then sleep. Tasks are taken one by one, by
/// whoever is free, the caller among them.
///
/// Threads    One call at a time, from one thread.
#ifndef GRAZE_BENCH_WORKERS_H
#define GRAZE_BENCH_WORKERS_H

#include <stdint.h>

typedef struct workers workers;

/// Starts `count` - 1 threads: with the caller there are `count`, at least 1. Ends the program when
/// there are no threads to be had.
workers *workers_create(uint32_t count);

/// Ends the threads.
void workers_destroy(workers *pool);

/// Runs `task(context, i)` for every i in [0, count), and returns when all are done. `user` is the
/// pool: a graze_parallel_fn.
void workers_run(void (*task)(void *context, uint32_t index), void *context, uint32_t count,
                 void *user);

#endif
