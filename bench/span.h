/// @file span.h
/// What work takes that several workers share, by the instructions of its pieces: its span.
///
/// The tasks of a loop are counted one by one, on one thread, and dealt out on paper: whoever has
/// done least so far takes the next, and all wait for the last. What lies between loops is done by
/// one while the others wait. So the span is what threads would take that cost each other nothing:
/// it does not see memory that they share, nor how long they take to be woken.
#ifndef GRAZE_BENCH_SPAN_H
#define GRAZE_BENCH_SPAN_H

#include <stdint.h>
#include <stdio.h>

/// Returns the span, for so many workers (1 to 8), of what callgrind has written into a file: it
/// dumped its count before each call of the functions `task`, with which a task begins, and `end`,
/// which comes after the last of a loop.
uint64_t span_read(FILE *file, const char *task, const char *end, uint32_t workers);

#endif
