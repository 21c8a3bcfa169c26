/// @file bench_memory.h
/// Memory for benchmarks; the program ends if it runs out.
#ifndef GRAZE_BENCH_MEMORY_H
#define GRAZE_BENCH_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns `count` zeroed elements of `size` bytes; free() them. Not null, even for 0.
void *bench_allocate(size_t count, size_t size);

#ifdef __cplusplus
}
#endif

#endif
