/// @file random.h
/// Seeded random numbers for tests, scenes and benchmarks: the same sequence on every machine.
///
/// Source     PCG32: M. E. O'Neill 2014, "PCG: A Family of Simple Fast Space-Efficient
///            Statistically Good Algorithms for Random Number Generation".
#ifndef GRAZE_TESTS_RANDOM_H
#define GRAZE_TESTS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

typedef struct random_state {
    uint64_t state;
} random_state;

/// Returns a generator; equal seeds give equal sequences.
random_state random_seed(uint64_t seed);

/// Returns 32 random bits.
uint32_t random_bits(random_state *random);

/// Returns an integer in [0, count); 0 when count is 0.
uint32_t random_below(random_state *random, uint32_t count);

/// Returns an integer in [low, high].
int random_integer(random_state *random, int low, int high);

/// Returns a float in [low, high), on a grid of 2^24 steps.
float random_float(random_state *random, float low, float high);

/// Fills memory with random bytes.
void random_fill(random_state *random, void *memory, size_t size);

#endif
