#include "bench_memory.h"

#include <stdio.h>
#include <stdlib.h>

void *bench_allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fprintf(stderr, "graze_bench: no memory for %zu elements of %zu bytes\n", count, size);
        exit(1);
    }
    return memory;
}
