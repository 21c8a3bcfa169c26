/// @file find_retired_wide.h
/// Finding retired bodies, many indices at a time: see find_retired.h and lanes.h.

#include "world/bodies.h"
#include "world/find_retired.h"

_Static_assert(GRZ_NONE == INT32_MAX, "the sign tells which rows are of retired bodies");

// HOT. bench: engine/step/bullets-bodies
//
// Data    4 bytes of each index read, in order.
// Branch  None.
static uint64_t find_retired(const uint32_t *rows, uint32_t count)
{
    uint64_t retired = 0;
    uint32_t k = 0;
    for (; count - k >= GRZ_WIDTH; k += GRZ_WIDTH) {
        const floats_mask some = less_ints(load_ints(rows + k), fill_ints(0));
        retired |= (uint64_t)mask_bits(some) << k;
    }
    for (; k < count; ++k) {
        retired |= (uint64_t)grz_is_retired(rows[k]) << k;
    }
    return retired;
}

const grz_retired_loops GRZ_WIDE(grz_retired_loops) = {find_retired};
