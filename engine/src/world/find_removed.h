/// @file find_removed.h
/// Finds removed bodies by index: a loop over lanes, see lanes.h.
#ifndef GRZ_FIND_REMOVED_H
#define GRZ_FIND_REMOVED_H

#include "lanes_choice.h"

#include <stdint.h>

/// Returns a bit for each of `count` elements of row_of_index, at most 64: whether it is of a
/// removed body.
typedef uint64_t grz_find_removed_fn(const uint32_t *rows, uint32_t count);

/// The loops that exist for each set of lanes.
typedef struct grz_removed_loops {
    grz_find_removed_fn *find;
} grz_removed_loops;

GRZ_DECLARE_WIDE(grz_removed_loops, grz_removed_loops);

#endif
