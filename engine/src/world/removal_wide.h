/// @file removal_wide.h
/// Finding removed bodies, many elements at a time: see bodies.h and lanes.h.

#include "world/bodies.h"

_Static_assert(GRZ_NONE == INT32_MAX, "the sign tells which rows are of removed bodies");

// HOT. bench: engine/step/bullets-bodies
//
// Data    4 bytes of each index read, in order.
// Branch  None.
static uint64_t find_removed(const uint32_t *rows, uint32_t count)
{
    uint64_t removed = 0;
    uint32_t k = 0;
    for (; count - k >= GRZ_WIDTH; k += GRZ_WIDTH) {
        const floats_mask some = less_ints(load_ints(rows + k), fill_ints(0));
        removed |= (uint64_t)mask_bits(some) << k;
    }
    for (; k < count; ++k) {
        removed |= (uint64_t)grz_is_removed(rows[k]) << k;
    }
    return removed;
}

const grz_removal_loops GRZ_WIDE(grz_removal_loops) = {find_removed};
