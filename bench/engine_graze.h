/// @file engine_graze.h
/// Ours, for the benchmarks.
#ifndef GRAZE_BENCH_ENGINE_GRAZE_H
#define GRAZE_BENCH_ENGINE_GRAZE_H

#include "engine.h"
#include "worker_pool.h"

#include <graze/graze.h>

extern const engine engine_graze;

/// Worlds created from now on step on `pool`, of `count` threads; null and 1: on the caller's.
void engine_graze_use_workers(worker_pool *pool, uint32_t count);

/// The same with any callback.
void engine_graze_use_parallel(graze_parallel_fn *parallel, void *user, uint32_t count);

/// Ends the program with a line that says `what`, such as "no world", unless a call has succeeded.
void engine_graze_require(bool succeeded, const char *what);

/// Returns the world inside what engine_graze.create() made.
graze_world *engine_graze_world(void *world);

#endif
