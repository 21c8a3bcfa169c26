/// @file span.h
/// The span of work that several workers share, from the instructions of its pieces.
///
/// The tasks of a loop are counted one by one, on one thread, and scheduled by computation: the
/// worker that has done least takes the next task, and all wait for the last. Between loops one
/// works while the others wait. So the span is the time of ideal threads: without contention for
/// memory, and without the time to wake them.
#ifndef GRAZE_BENCH_SPAN_H
#define GRAZE_BENCH_SPAN_H

#include <stdint.h>
#include <stdio.h>

/// Returns the span, for `workers` workers (1 to 8), from a file of callgrind's dumps: one before
/// each call of the functions `task`, with which a task begins, and `end`, which comes after the
/// last task of a loop.
uint64_t span_read(FILE *file, const char *task, const char *end, uint32_t workers);

#endif
