/// @file removal_wide.h
/// Finding removed bodies, and closing up columns, many elements at a time: see bodies.h and
/// lanes.h.

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

/// Returns a bit for each of `length` elements from `first` on: whether it stays. They share a
/// word.
static inline uint32_t find_staying(const uint64_t *marked, uint32_t first, uint32_t length)
{
    return (uint32_t)(~marked[first / 64] >> first % 64) & ((1u << length) - 1);
}

/// Returns each of the lower sixteen bits twice, side by side.
static inline uint32_t double_bits(uint32_t bits)
{
    bits = (bits | bits << 8) & 0x00FF00FF;
    bits = (bits | bits << 4) & 0x0F0F0F0F;
    bits = (bits | bits << 2) & 0x33333333;
    bits = (bits | bits << 1) & 0x55555555;
    return bits | bits << 1;
}

// HOT. bench: engine/step/bullets-bodies
//
// Data    Each element is read, and written if it stays.
// Branch  None. All lanes are stored: they end no later than what has been read.
static void close_up_numbers(uint32_t *column, const uint64_t *marked, uint32_t count)
{
    uint32_t *to = column;
    uint32_t first = 0;
    for (; count - first >= GRZ_WIDTH; first += GRZ_WIDTH) {
        const uint32_t staying = find_staying(marked, first, GRZ_WIDTH);
        pack_ints(to, staying, load_ints(column + first));
        to += count_bits(staying);
    }
    for (; first < count; ++first) {
        *to = column[first];
        to += find_staying(marked, first, 1);
    }
}

// HOT. bench: engine/step/bullets-bodies
//
// As above, with two lanes an element.
static void close_up_vectors(graze_vec2 *column, const uint64_t *marked, uint32_t count)
{
    graze_vec2 *to = column;
    uint32_t first = 0;
    for (; count - first >= GRZ_WIDTH_D; first += GRZ_WIDTH_D) {
        const uint32_t staying = find_staying(marked, first, GRZ_WIDTH_D);
        pack_floats(&to->x, double_bits(staying), load_floats(&column[first].x));
        to += count_bits(staying);
    }
    for (; first < count; ++first) {
        *to = column[first];
        to += find_staying(marked, first, 1);
    }
}

const grz_removal_loops GRZ_WIDE(grz_removal_loops) = {find_removed, close_up_numbers,
                                                       close_up_vectors};
