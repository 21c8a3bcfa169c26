/// @file step_check.h
/// Checks the contacts and hits of an engine's step by brute force and hull.h, which share nothing
/// with any engine.
#ifndef GRAZE_BENCH_STEP_CHECK_H
#define GRAZE_BENCH_STEP_CHECK_H

#include "engine.h"

#include <stdbool.h>
#include <stddef.h>

/// Runs one step of a world made from `place` by `tested` and checks it:
///   - contacts between movers: their number, against all pairs whose boxes overlap;
///   - bullets: of the first thousand, which ones hit something, against all movers and segments.
/// Within 0.001 units of touching either result is right. Returns whether all is right; otherwise
/// `message`, of `size` bytes, says what is wrong.
bool check_step(const engine *tested, void *world, const scene *place, char *message, size_t size);

#endif
