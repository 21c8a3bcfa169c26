/// @file close_up.h
/// Removes many elements from a column at once.
#ifndef GRZ_CLOSE_UP_H
#define GRZ_CLOSE_UP_H

#include <graze/vec2.h>

#include "lanes_choice.h"

/// Loops over a column of `count` elements. They remove the elements whose bits in `marks` are set,
/// 64 a word; the others move up, in their order. What is past the last of these is unspecified.
typedef struct grz_close_up_loops {
    void (*numbers)(uint32_t *column, const uint64_t *marks, uint32_t count);
    void (*vectors)(graze_vec2 *column, const uint64_t *marks, uint32_t count);
} grz_close_up_loops;

GRZ_DECLARE_WIDE(grz_close_up_loops, grz_close_up_loops);

#endif
