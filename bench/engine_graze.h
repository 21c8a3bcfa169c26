/// @file engine_graze.h
/// Ours, for the benchmarks.
#ifndef GRAZE_BENCH_ENGINE_GRAZE_H
#define GRAZE_BENCH_ENGINE_GRAZE_H

#include "engine.h"

#include <graze/graze.h>

extern const engine engine_graze;

/// Returns the world inside what engine_graze.create() made.
graze_world *engine_graze_world(void *world);

#endif
