/// @file find_retired.h
/// Finds retired bodies by index: a loop over lanes, see lanes.h.
#ifndef GRZ_FIND_RETIRED_H
#define GRZ_FIND_RETIRED_H

#include "lanes_choice.h"

#include <stdint.h>

/// Returns a bit for each of `count` elements of row_of_index, at most 64: whether it is of a
/// retired body.
typedef uint64_t grz_find_retired_fn(const uint32_t *rows, uint32_t count);

/// The loops that exist for each set of lanes.
typedef struct grz_retired_loops {
    grz_find_retired_fn *find;
} grz_retired_loops;

GRZ_DECLARE_WIDE(grz_retired_loops, grz_retired_loops);

#endif
