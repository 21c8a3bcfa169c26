/// @file fuzz_bytes.h
/// What every fuzz target shares: bytes become numbers that make ties, and a check that ends the
/// program.
///
/// A target is a file with LLVMFuzzerTestOneInput(). Under clang with -fsanitize=fuzzer the fuzzer
/// calls it; otherwise replay_main.c does, with the inputs kept in corpus/ and random ones.
#ifndef GRAZE_TESTS_FUZZ_BYTES_H
#define GRAZE_TESTS_FUZZ_BYTES_H

#include <graze/vec2.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Tries one input. Returns 0; whatever does not hold ends the program.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// What is left of an input. All that is drawn beyond its end is 0.
typedef struct fuzz_bytes {
    const uint8_t *data;
    size_t size;
} fuzz_bytes;

uint8_t fuzz_byte(fuzz_bytes *bytes);

/// Returns an integer in [0, count), made of one byte; count is 1 to 256.
uint32_t fuzz_below(fuzz_bytes *bytes, uint32_t count);

/// Returns an integer in [-reach, reach], made of one byte; reach is at most 127.
int fuzz_integer(fuzz_bytes *bytes, int reach);

/// Returns whichever float the next four bytes are: NaN and infinity, too.
float fuzz_any_float(fuzz_bytes *bytes);

/// How bytes become coordinates.
typedef enum fuzz_kind {
    FUZZ_GRID,     ///< Small integers times a power of two: ties, exact in double, too.
    FUZZ_FAR_GRID, ///< The same, beside a far origin.
    FUZZ_ROUNDED,  ///< Small integers times 0.1: ties spoilt by rounding.
    FUZZ_ANY,      ///< Any floats that are finite.
    FUZZ_KIND_COUNT
} fuzz_kind;

typedef struct fuzz_ground {
    fuzz_kind kind;
    graze_vec2 origin;
    float unit; ///< Between neighbours of the grid.
} fuzz_ground;

/// Draws a kind and its numbers.
fuzz_ground fuzz_ground_draw(fuzz_bytes *bytes);

/// Returns whether ties are ties in double, too: the grids.
bool fuzz_ground_is_exact(const fuzz_ground *ground);

/// Returns a finite number that is no coordinate: up to `reach` units of the grid, or any.
float fuzz_number(fuzz_bytes *bytes, const fuzz_ground *ground, int reach);

/// Returns a way: two such numbers.
graze_vec2 fuzz_way(fuzz_bytes *bytes, const fuzz_ground *ground, int reach);

/// Returns a size of 1 to `reach` units, or any above 0.
float fuzz_size(fuzz_bytes *bytes, const fuzz_ground *ground, int reach);

/// Returns a place: the origin and a way.
graze_vec2 fuzz_place(fuzz_bytes *bytes, const fuzz_ground *ground, int reach);

/// Prints where and what, and ends the program. The format is that of printf.
_Noreturn void fuzz_fail(const char *file, int line, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/// FUZZ_CHECK(CONDITION, FORMAT, VALUES...): ends the program, and says so, unless it holds.
#define FUZZ_CHECK(condition, ...)                                                                 \
    ((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, __VA_ARGS__))

#endif
