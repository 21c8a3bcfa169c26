/// @file lanes_scalar.h
/// The operations of lanes.h one lane after the other, on any machine. Included by lanes_begin.h
/// alone.
#ifndef GRZ_LANES_SCALAR_H
#define GRZ_LANES_SCALAR_H

#include "lanes.h"
#include "root.h"

#include <math.h>
#include <string.h>

#define GRZ_WIDTH   4
#define GRZ_WIDTH_D 2

typedef struct floats {
    float lane[GRZ_WIDTH];
} floats;

typedef struct doubles {
    double lane[GRZ_WIDTH_D];
} doubles;

typedef struct ints {
    uint32_t lane[GRZ_WIDTH];
} ints;

typedef uint32_t floats_mask;
typedef uint32_t doubles_mask;

// The next lanes in memory, to and from; one number in every lane.
#define GRZ_MEMORY(type, number, width)                                                            \
    static inline type load_##type(const number *from)                                             \
    {                                                                                              \
        type c;                                                                                    \
        for (uint32_t k = 0; k < width; ++k) {                                                     \
            c.lane[k] = from[k];                                                                   \
        }                                                                                          \
        return c;                                                                                  \
    }                                                                                              \
                                                                                                   \
    static inline void store_##type(number *to, type a)                                            \
    {                                                                                              \
        for (uint32_t k = 0; k < width; ++k) {                                                     \
            to[k] = a.lane[k];                                                                     \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static inline type fill_##type(number x)                                                       \
    {                                                                                              \
        type c;                                                                                    \
        for (uint32_t k = 0; k < width; ++k) {                                                     \
            c.lane[k] = x;                                                                         \
        }                                                                                          \
        return c;                                                                                  \
    }

// An operation on a by the expression for each lane, whose number is x.
#define GRZ_EACH_OF_ONE(type, number, width, name, expression)                                     \
    static inline type name(type a)                                                                \
    {                                                                                              \
        type c;                                                                                    \
        for (uint32_t k = 0; k < width; ++k) {                                                     \
            const number x = a.lane[k];                                                            \
            c.lane[k] = expression;                                                                \
        }                                                                                          \
        return c;                                                                                  \
    }

// a where the mask is set, else b.
#define GRZ_SELECT(type, mask_type, width)                                                         \
    static inline type select_##type(mask_type mask, type a, type b)                               \
    {                                                                                              \
        type c;                                                                                    \
        for (uint32_t k = 0; k < width; ++k) {                                                     \
            c.lane[k] = mask >> k & 1 ? a.lane[k] : b.lane[k];                                     \
        }                                                                                          \
        return c;                                                                                  \
    }

// An operation on a and b by the expression for each lane, whose numbers are x and y.
#define GRZ_EACH_OF_TWO(type, number, width, name, expression)                                     \
    static inline type name(type a, type b)                                                        \
    {                                                                                              \
        type c;                                                                                    \
        for (uint32_t k = 0; k < width; ++k) {                                                     \
            const number x = a.lane[k], y = b.lane[k];                                             \
            c.lane[k] = expression;                                                                \
        }                                                                                          \
        return c;                                                                                  \
    }
#define GRZ_FLOATS(name, expression) GRZ_EACH_OF_TWO(floats, float, GRZ_WIDTH, name, expression)
#define GRZ_DOUBLES(name, expression)                                                              \
    GRZ_EACH_OF_TWO(doubles, double, GRZ_WIDTH_D, name, expression)
#define GRZ_INTS(name, expression) GRZ_EACH_OF_TWO(ints, uint32_t, GRZ_WIDTH, name, expression)

// Likewise a mask, by the condition that sets a lane's bit.
#define GRZ_EACH_BIT(type, number, width, name, condition)                                         \
    static inline uint32_t name(type a, type b)                                                    \
    {                                                                                              \
        uint32_t mask = 0;                                                                         \
        for (uint32_t k = 0; k < width; ++k) {                                                     \
            const number x = a.lane[k], y = b.lane[k];                                             \
            mask |= (uint32_t)(condition) << k;                                                    \
        }                                                                                          \
        return mask;                                                                               \
    }
#define GRZ_FLOATS_MASK(name, condition) GRZ_EACH_BIT(floats, float, GRZ_WIDTH, name, condition)
#define GRZ_DOUBLES_MASK(name, condition)                                                          \
    GRZ_EACH_BIT(doubles, double, GRZ_WIDTH_D, name, condition)
#define GRZ_INTS_MASK(name, condition) GRZ_EACH_BIT(ints, uint32_t, GRZ_WIDTH, name, condition)

// --- Floats ---

GRZ_MEMORY(floats, float, GRZ_WIDTH)
GRZ_FLOATS(add_floats, x + y)
GRZ_FLOATS(sub_floats, x - y)
GRZ_FLOATS(mul_floats, (x * y))
GRZ_FLOATS(div_floats, x / y)
GRZ_EACH_OF_ONE(floats, float, GRZ_WIDTH, sqrt_floats, (float)grz_sqrt((double)x))
GRZ_FLOATS(min_floats, x < y ? x : y)
GRZ_FLOATS(max_floats, x > y ? x : y)
GRZ_FLOATS_MASK(less_floats, x < y)
GRZ_FLOATS_MASK(at_most_floats, x <= y)
GRZ_SELECT(floats, floats_mask, GRZ_WIDTH)

// --- Doubles ---

GRZ_MEMORY(doubles, double, GRZ_WIDTH_D)
GRZ_DOUBLES(add_doubles, x + y)
GRZ_DOUBLES(sub_doubles, x - y)
GRZ_DOUBLES(mul_doubles, (x * y))
GRZ_DOUBLES(div_doubles, x / y)
GRZ_EACH_OF_ONE(doubles, double, GRZ_WIDTH_D, sqrt_doubles, grz_sqrt(x))
GRZ_EACH_OF_ONE(doubles, double, GRZ_WIDTH_D, negate_doubles, -x)
GRZ_EACH_OF_ONE(doubles, double, GRZ_WIDTH_D, absolute_doubles, fabs(x))
GRZ_DOUBLES(min_doubles, x < y ? x : y)
GRZ_DOUBLES(max_doubles, x > y ? x : y)
GRZ_DOUBLES_MASK(less_doubles, x < y)
GRZ_DOUBLES_MASK(at_most_doubles, x <= y)
GRZ_SELECT(doubles, doubles_mask, GRZ_WIDTH_D)

// --- Integers ---

GRZ_MEMORY(ints, uint32_t, GRZ_WIDTH)

static inline ints read_ints(const void *from)
{
    ints c;
    memcpy(c.lane, from, sizeof c.lane);
    return c;
}

static inline void write_ints(void *to, ints a)
{
    memcpy(to, a.lane, sizeof a.lane);
}

static inline ints hold_ints(uint32_t number)
{
    return fill_ints(number);
}

GRZ_INTS(add_ints, x + y)
GRZ_INTS(sub_ints, x - y)
GRZ_INTS(mul_ints, (x * y))
GRZ_INTS(and_ints, (x & y))
GRZ_INTS(or_ints, x | y)
GRZ_INTS(min_ints, (int32_t)x < (int32_t)y ? x : y)
GRZ_INTS(min_unsigned, x < y ? x : y)
GRZ_INTS_MASK(equal_ints, x == y)
GRZ_INTS_MASK(less_ints, (int32_t)x < (int32_t)y)
GRZ_SELECT(ints, floats_mask, GRZ_WIDTH)

static inline ints keep_ints(floats_mask mask, ints a)
{
    return select_ints(mask, a, fill_ints(0));
}

static inline ints shift_left(ints a, uint32_t count)
{
    ints c;
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        c.lane[k] = a.lane[k] << count;
    }
    return c;
}

static inline ints shift_right(ints a, uint32_t count)
{
    ints c;
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        c.lane[k] = a.lane[k] >> count;
    }
    return c;
}

static inline ints rotate_ints(ints a, uint32_t count)
{
    ints c;
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        c.lane[k] = a.lane[k] << count | a.lane[k] >> (32 - count);
    }
    return c;
}

static inline ints swap_shorts(ints a)
{
    return rotate_ints(a, 16);
}

static inline ints number_lanes(void)
{
    ints c;
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        c.lane[k] = k;
    }
    return c;
}

// --- Masks ---

GRZ_BINARY(floats_mask, mask_and, floats_mask, (a & b))
GRZ_BINARY(floats_mask, mask_or, floats_mask, a | b)
GRZ_BINARY(floats_mask, mask_but_not, floats_mask, a & ~b)

static inline uint32_t mask_bits(floats_mask mask)
{
    return mask;
}

GRZ_BINARY(doubles_mask, mask_and_d, doubles_mask, (a & b))
GRZ_BINARY(doubles_mask, mask_or_d, doubles_mask, a | b)
GRZ_BINARY(doubles_mask, mask_but_not_d, doubles_mask, a & ~b)

static inline uint32_t mask_bits_d(doubles_mask mask)
{
    return mask;
}

static inline floats_mask first_lanes(uint32_t count)
{
    return (1u << count) - 1;
}

static inline ints count_in(ints a, floats_mask mask)
{
    ints c;
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        c.lane[k] = a.lane[k] + (mask >> k & 1);
    }
    return c;
}

// --- From one type to another ---

static inline doubles widen_low(floats a)
{
    doubles c;
    for (uint32_t k = 0; k < GRZ_WIDTH_D; ++k) {
        c.lane[k] = (double)a.lane[k];
    }
    return c;
}

static inline doubles widen_high(floats a)
{
    doubles c;
    for (uint32_t k = 0; k < GRZ_WIDTH_D; ++k) {
        c.lane[k] = (double)a.lane[GRZ_WIDTH_D + k];
    }
    return c;
}

static inline floats narrow_doubles(doubles low, doubles high)
{
    floats c;
    for (uint32_t k = 0; k < GRZ_WIDTH_D; ++k) {
        c.lane[k] = (float)low.lane[k];
        c.lane[GRZ_WIDTH_D + k] = (float)high.lane[k];
    }
    return c;
}

static inline ints truncate_doubles(doubles low, doubles high)
{
    ints c;
    for (uint32_t k = 0; k < GRZ_WIDTH_D; ++k) {
        c.lane[k] = (uint32_t)(int32_t)low.lane[k];
        c.lane[GRZ_WIDTH_D + k] = (uint32_t)(int32_t)high.lane[k];
    }
    return c;
}

static inline ints floor_doubles(doubles low, doubles high)
{
    ints c = truncate_doubles(low, high);
    for (uint32_t k = 0; k < GRZ_WIDTH_D; ++k) {
        c.lane[k] -= low.lane[k] < (double)(int32_t)c.lane[k];
        c.lane[GRZ_WIDTH_D + k] -= high.lane[k] < (double)(int32_t)c.lane[GRZ_WIDTH_D + k];
    }
    return c;
}

// --- Other orders in memory ---

static inline void load_points(const graze_vec2 *from, floats *x, floats *y)
{
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        x->lane[k] = from[k].x;
        y->lane[k] = from[k].y;
    }
}

static inline void store_points(graze_vec2 *to, floats x, floats y)
{
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        to[k].x = x.lane[k];
        to[k].y = y.lane[k];
    }
}

static inline void load_boxes(const graze_aabb *from, floats *lower_x, floats *lower_y,
                              floats *upper_x, floats *upper_y)
{
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        lower_x->lane[k] = from[k].lower.x;
        lower_y->lane[k] = from[k].lower.y;
        upper_x->lane[k] = from[k].upper.x;
        upper_y->lane[k] = from[k].upper.y;
    }
}

static inline void gather_boxes(const graze_aabb *from, const uint32_t *index, floats *lower_x,
                                floats *lower_y, floats *upper_x, floats *upper_y)
{
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        lower_x->lane[k] = from[index[k]].lower.x;
        lower_y->lane[k] = from[index[k]].lower.y;
        upper_x->lane[k] = from[index[k]].upper.x;
        upper_y->lane[k] = from[index[k]].upper.y;
    }
}

static inline void store_boxes(graze_aabb *to, floats lower_x, floats lower_y, floats upper_x,
                               floats upper_y)
{
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        to[k].lower.x = lower_x.lane[k];
        to[k].lower.y = lower_y.lane[k];
        to[k].upper.x = upper_x.lane[k];
        to[k].upper.y = upper_y.lane[k];
    }
}

static inline void gather_points(const graze_vec2 *from, const uint32_t *index, doubles *x,
                                 doubles *y)
{
    for (uint32_t k = 0; k < GRZ_WIDTH_D; ++k) {
        x->lane[k] = (double)from[index[k]].x;
        y->lane[k] = (double)from[index[k]].y;
    }
}

static inline void gather_pairs(const double *from, const uint32_t *index, doubles *x, doubles *y)
{
    for (uint32_t k = 0; k < GRZ_WIDTH_D; ++k) {
        x->lane[k] = from[index[k]];
        y->lane[k] = from[index[k] + 1];
    }
}

static inline void scatter_pairs(double *to, const uint32_t *index, doubles x, doubles y)
{
    for (uint32_t k = 0; k < GRZ_WIDTH_D; ++k) {
        to[index[k]] = x.lane[k];
        to[index[k] + 1] = y.lane[k];
    }
}

static inline ints gather_vectors(const graze_vec2 *from, const uint32_t *index)
{
    ints c;
    for (uint32_t k = 0; k < GRZ_WIDTH_D; ++k) {
        memcpy(&c.lane[2 * k], &from[index[k]], sizeof *from);
    }
    return c;
}

static inline ints gather_ints(const uint32_t *from, const uint32_t *index, uint32_t stride)
{
    ints c;
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        c.lane[k] = from[index[stride * k]];
    }
    return c;
}

static inline ints gather_halves(const uint32_t *from, const uint32_t *low, const uint32_t *high)
{
    ints c;
    for (uint32_t k = 0; k < GRZ_WIDTH_D; ++k) {
        c.lane[k] = from[low[k]];
        c.lane[GRZ_WIDTH_D + k] = from[high[k]];
    }
    return c;
}

static inline void load_pairs(const void *from, ints *a, ints *b)
{
    uint32_t words[2 * GRZ_WIDTH];
    memcpy(words, from, sizeof words);
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        a->lane[k] = words[2 * k];
        b->lane[k] = words[2 * k + 1];
    }
}

static inline void load_threes(const void *from, ints *a, ints *b, ints *c)
{
    uint32_t words[3 * GRZ_WIDTH];
    memcpy(words, from, sizeof words);
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        a->lane[k] = words[3 * k];
        b->lane[k] = words[3 * k + 1];
        c->lane[k] = words[3 * k + 2];
    }
}

static inline void store_longs(uint64_t *to, ints low, ints high)
{
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        to[k] = low.lane[k] | (uint64_t)high.lane[k] << 32;
    }
}

static inline void load_rows(const float *from, uint32_t stride, doubles columns[4])
{
    for (uint32_t k = 0; k < GRZ_WIDTH_D; ++k) {
        for (uint32_t column = 0; column < 4; ++column) {
            columns[column].lane[k] = (double)from[k * stride + column];
        }
    }
}

static inline void store_rows(float *to, uint32_t stride, doubles a, doubles b, doubles c,
                              doubles d)
{
    for (uint32_t k = 0; k < GRZ_WIDTH_D; ++k) {
        float *row = to + k * stride;
        row[0] = (float)a.lane[k];
        row[1] = (float)b.lane[k];
        row[2] = (float)c.lane[k];
        row[3] = (float)d.lane[k];
    }
}

static inline floats low_halves(floats a, floats b)
{
    const floats c = {{a.lane[0], a.lane[1], b.lane[0], b.lane[1]}};
    return c;
}

static inline floats high_halves(floats a, floats b)
{
    const floats c = {{a.lane[2], a.lane[3], b.lane[2], b.lane[3]}};
    return c;
}

static inline void store_octets(float *to, floats a, floats b, floats c, floats d)
{
    const floats of[4] = {a, b, c, d};
    for (uint32_t k = 0; k < GRZ_WIDTH_D; ++k) {
        for (uint32_t i = 0; i < 4; ++i) {
            to[8 * k + 2 * i] = of[i].lane[k];
            to[8 * k + 2 * i + 1] = of[i].lane[GRZ_WIDTH_D + k];
        }
    }
}

static inline void pack_octets(void *to, uint32_t bits, ints a, floats b, floats c, floats d)
{
    unsigned char *octet = to;
    for (uint32_t k = 0; k < GRZ_WIDTH_D; ++k) {
        const uint32_t wholes[2] = {a.lane[k], a.lane[GRZ_WIDTH_D + k]};
        const float others[6] = {b.lane[k], b.lane[GRZ_WIDTH_D + k],
                                 c.lane[k], c.lane[GRZ_WIDTH_D + k],
                                 d.lane[k], d.lane[GRZ_WIDTH_D + k]};
        memcpy(octet, wholes, sizeof wholes);
        memcpy(octet + sizeof wholes, others, sizeof others);
        octet += (bits >> k & 1) * (sizeof wholes + sizeof others);
    }
}

static inline uint32_t store_fours(bool *to, floats_mask a, floats_mask b, floats_mask c,
                                   floats_mask d)
{
    const floats_mask of[4] = {a, b, c, d};
    uint32_t count = 0;
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        to[k] = of[k] == 15;
        count += to[k];
    }
    return count;
}

#include "lanes_four.h"

#undef GRZ_MEMORY
#undef GRZ_EACH_OF_ONE
#undef GRZ_SELECT
#undef GRZ_EACH_OF_TWO
#undef GRZ_FLOATS
#undef GRZ_DOUBLES
#undef GRZ_INTS
#undef GRZ_EACH_BIT
#undef GRZ_FLOATS_MASK
#undef GRZ_DOUBLES_MASK
#undef GRZ_INTS_MASK

#endif
