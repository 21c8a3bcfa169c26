/// @file array.h
/// Growing arrays for the hot paths: a typed view of a block (memory.h), all zero when empty.
#ifndef GRZ_ARRAY_H
#define GRZ_ARRAY_H

#include "memory.h"

#include <stdint.h>

#define GRZ_ARRAY(type)                                                                            \
    struct {                                                                                       \
        type *data;                                                                                \
        uint32_t count;                                                                            \
        uint32_t capacity;                                                                         \
        grz_block memory;                                                                          \
    }

// All of these evaluate the array more than once, each other argument once.

/// Makes room for `wanted` elements in all, and keeps the contents. Yields false, with the array as
/// it was, if memory runs out, or 32 bits cannot count the elements.
#define grz_array_reserve(array, allocator, wanted)                                                \
    GRZ_ARRAY_RESERVE(grz_block_reserve, array, allocator, wanted)

/// The same, but with an eighth to spare: grz_block_reserve_tight.
#define grz_array_reserve_tight(array, allocator, wanted)                                          \
    GRZ_ARRAY_RESERVE(grz_block_reserve_tight, array, allocator, wanted)

/// The same, but without spare room.
#define grz_array_reserve_exact(array, allocator, wanted)                                          \
    GRZ_ARRAY_RESERVE(grz_block_reserve_exact, array, allocator, wanted)

#define GRZ_ARRAY_RESERVE(reserve, array, allocator, wanted)                                       \
    (grz_array_grow(&(array)->memory, &(array)->capacity, sizeof *(array)->data, (allocator),      \
                    (wanted), reserve) &&                                                          \
     ((array)->data = (array)->memory.data, true))

/// Makes room for `extra` more elements.
#define grz_array_reserve_more(array, allocator, extra)                                            \
    grz_array_reserve((array), (allocator), (size_t)(array)->count + (extra))

/// Frees the memory; the array is then empty.
#define grz_array_free(array, allocator)                                                           \
    (grz_block_free(&(array)->memory, (allocator)), (array)->data = NULL, (array)->count = 0,      \
     (array)->capacity = 0)

/// Returns the size of an array; SIZE_MAX, which no block has, if it is too large.
static inline size_t grz_array_bytes(size_t wanted, size_t element_size)
{
    bool fits = wanted <= UINT32_MAX && wanted <= SIZE_MAX / element_size;
    return fits ? wanted * element_size : SIZE_MAX;
}

static inline uint32_t grz_array_capacity(size_t elements)
{
    return elements < UINT32_MAX ? (uint32_t)elements : UINT32_MAX;
}

/// Narrows [low, high) down to the first number, or the end, that is not before what is searched:
/// `before` is an expression of `middle`, and true of the numbers up to there.
#define GRZ_BISECT(low, high, before)                                                              \
    while ((low) < (high)) {                                                                       \
        const uint32_t middle = (low) + ((high) - (low)) / 2;                                      \
        const bool is_before = (before);                                                           \
        (low) = is_before ? middle + 1 : (low);                                                    \
        (high) = is_before ? (high) : middle;                                                      \
    }

typedef bool grz_block_reserve_fn(grz_block *block, const graze_allocator *allocator, size_t size);

/// The work of the reserving macros on the block and the capacity of an array.
static inline bool grz_array_grow(grz_block *block, uint32_t *capacity, size_t element_size,
                                  const graze_allocator *source, size_t wanted,
                                  grz_block_reserve_fn *reserve)
{
    if (wanted <= *capacity) {
        return true;
    }
    if (!reserve(block, source, grz_array_bytes(wanted, element_size))) {
        return false;
    }
    *capacity = grz_array_capacity(block->size / element_size);
    return true;
}

#endif
