/// @file engines.h
/// All engines found when this was built, ours first.
#ifndef GRAZE_BENCH_ENGINES_H
#define GRAZE_BENCH_ENGINES_H

#include "engine.h"

/// The last one is null.
extern const engine *const engines[];

#endif
