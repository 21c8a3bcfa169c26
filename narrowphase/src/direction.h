/// @file direction.h
/// The direction of an angle, in double.
///
/// Source     Taylor polynomials after reduction by multiples of pi/2: sine_cosine.h.
#ifndef GRZ_DIRECTION_H
#define GRZ_DIRECTION_H

#include "sine_cosine.h"
#include "vec2d.h"

#include <stdbool.h>
#include <stdint.h>

/// An angle as a number of quarter turns, modulo 4, and what is left, in [-pi/4, pi/4].
typedef struct quarter_turns {
    uint32_t count;
    double rest;
} quarter_turns;

/// Below this angle, the quarter turns have at most 17 bits.
static const double grz_moderate_angle = 131072.0;

/// Reduces an angle below grz_moderate_angle. Of a larger one, or NaN, the result says nothing, but
/// it is the same on every machine.
static inline quarter_turns reduce_moderate_angle(double radians)
{
    const double turns = (radians * grz_quarters_of_radian + grz_shifter) - grz_shifter;
    const bool fits = turns > -0x1p31 && turns < 0x1p31;
    const quarter_turns reduced = {fits ? (uint32_t)(int32_t)turns & 3u : 0,
                                   (radians - turns * grz_half_pi_head) - turns * grz_half_pi_tail};
    return reduced;
}

static inline double add_up(const double *terms, double z)
{
    double sum = terms[GRZ_SINE_TERMS - 1];
    for (int i = GRZ_SINE_TERMS - 1; i-- > 0;) {
        sum = terms[i] + z * sum;
    }
    return sum;
}

static inline double sine_of_small(double x)
{
    const double z = x * x;
    return x + x * z * add_up(grz_sine_terms, z);
}

static inline double cosine_of_small(double x)
{
    const double z = x * x;
    return 1 + z * add_up(grz_cosine_terms, z);
}

/// Returns the direction to which a reduced angle turns the x axis.
static inline graze_vec2d direction_of(quarter_turns reduced)
{
    // The quarter cannot be predicted: a table replaces a branch.
    static const double cosine_signs[] = {1, -1, -1, 1};
    static const double sine_signs[] = {1, 1, -1, -1};
    const double parts[] = {cosine_of_small(reduced.rest), sine_of_small(reduced.rest)};
    const uint32_t odd = reduced.count & 1;
    return vec2d(parts[odd] * cosine_signs[reduced.count],
                 parts[1 - odd] * sine_signs[reduced.count]);
}

/// Returns a vector turned by the angle of a direction.
static inline graze_vec2d turned_by(graze_vec2d v, graze_vec2d direction)
{
    return vec2d(v.x * direction.x - v.y * direction.y, v.x * direction.y + v.y * direction.x);
}

#endif
