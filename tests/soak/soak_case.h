/// @file soak_case.h
/// One case of a soak family: what it is made from, what it counts, and how it fails.
///
/// Whatever is random in a case comes from a sequence of choices. The sequence is drawn from a seed
/// at first; when the case fails, shorter and smaller sequences are tried (shrink.h). So a family
/// draws such that smaller choices make simpler cases, and keeps together what belongs together:
/// the choices of one wall, or of one body with all that happens to it, are neighbours.
///
/// Threads    A case belongs to one thread. No global state.
#ifndef GRAZE_TESTS_SOAK_CASE_H
#define GRAZE_TESTS_SOAK_CASE_H

#include <graze/shape.h>
#include <graze/vec2.h>

#include "random.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    SOAK_CHOICES = 1 << 16, ///< Those beyond are 0.
    SOAK_REASON = 256
};

typedef struct soak_case {
    random_state random;
    uint32_t *choices; ///< Room for SOAK_CHOICES.
    uint32_t count;    ///< Choices made so far.
    uint32_t given;    ///< When it replays: this many are given, those beyond are 0.
    bool replays;
    uint64_t trials; ///< Done so far.
    bool failed;
    char reason[SOAK_REASON]; ///< The first failure.
    FILE *story;              ///< Where the case tells what it does; null: nowhere.
} soak_case;

/// Runs one case: draws, tries, counts, and returns at the first failure.
typedef void soak_run_fn(soak_case *test);

/// Begins the case of this seed.
void soak_begin(soak_case *test, uint32_t *choices, uint64_t seed);

/// Begins the case that these choices make. It tells its story when `story` is not null.
void soak_begin_again(soak_case *test, uint32_t *choices, uint32_t count, FILE *story);

/// Returns an integer in [0, count); the simplest is 0.
uint32_t soak_pick(soak_case *test, uint32_t count);

/// Returns an integer in [-reach, reach]; the simplest is 0.
int soak_pick_integer(soak_case *test, int reach);

/// Returns a float in [low, high) on a grid of 2^24 steps; the simplest is `low`.
float soak_pick_float(soak_case *test, float low, float high);

/// Returns a float in (-reach, reach) on a grid of 2^24 steps a side; the simplest is 0.
float soak_pick_signed(soak_case *test, float reach);

/// Returns true once in `odds` times; the simplest is false.
bool soak_chance(soak_case *test, uint32_t odds);

/// Returns whether a list gets one more entry: it has `mean` entries on average. The simplest is
/// false.
bool soak_more(soak_case *test, uint32_t mean);

/// Fails the case, unless it has failed already.
void soak_fail(soak_case *test, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/// Adds a line to the story, if there is one.
void soak_tell(const soak_case *test, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/// Adds a line with a name and points to the story. Numbers in it read back as the same floats.
void soak_tell_points(const soak_case *test, const char *name, const graze_vec2 *points,
                      uint32_t count);

#endif
