/// @file lanes_scalar.h
/// What lanes_operations.h is written in, one lane after the other: for any compiler and machine.
/// Included by lanes_begin.h alone.
#ifndef GRZ_LANES_SCALAR_H
#define GRZ_LANES_SCALAR_H

#include "root.h"

#include <math.h>

typedef struct floats {
    float lane[GRZ_WIDTH];
} floats;

typedef struct doubles {
    double lane[GRZ_WIDTH_D];
} doubles;

typedef struct ints {
    uint32_t lane[GRZ_WIDTH];
} ints;

typedef uint32_t floats_mask; ///< A bit for each lane.
typedef uint32_t doubles_mask;

#define GRZ_ANYWHERE(type)                                                                         \
    static inline type read_##type(const void *from)                                               \
    {                                                                                              \
        type a;                                                                                    \
        memcpy(&a, from, sizeof a);                                                                \
        return a;                                                                                  \
    }                                                                                              \
                                                                                                   \
    static inline void write_##type(void *to, type a)                                              \
    {                                                                                              \
        memcpy(to, &a, sizeof a);                                                                  \
    }

GRZ_ANYWHERE(floats)
GRZ_ANYWHERE(doubles)
GRZ_ANYWHERE(ints)
#undef GRZ_ANYWHERE

#define GRZ_EACH_LANE(width) for (uint32_t k = 0; k < (width); ++k)

// By the expression for each lane, whose numbers are a and b; a mask by the condition that sets a
// lane's bit.
#define GRZ_EACH_OF_TWO(type, number, width, name, expression)                                     \
    static inline type name(type first, type second)                                               \
    {                                                                                              \
        type result;                                                                               \
        GRZ_EACH_LANE(width)                                                                       \
        {                                                                                          \
            const number a = first.lane[k], b = second.lane[k];                                    \
            result.lane[k] = expression;                                                           \
        }                                                                                          \
        return result;                                                                             \
    }
#define GRZ_EACH_OF_ONE(type, number, width, name, expression)                                     \
    static inline type name(type first)                                                            \
    {                                                                                              \
        type result;                                                                               \
        GRZ_EACH_LANE(width)                                                                       \
        {                                                                                          \
            const number a = first.lane[k];                                                        \
            result.lane[k] = expression;                                                           \
        }                                                                                          \
        return result;                                                                             \
    }
#define GRZ_EACH_BIT(type, number, width, name, condition)                                         \
    static inline uint32_t name(type first, type second)                                           \
    {                                                                                              \
        uint32_t mask = 0;                                                                         \
        GRZ_EACH_LANE(width)                                                                       \
        {                                                                                          \
            const number a = (number)first.lane[k], b = (number)second.lane[k];                    \
            mask |= (uint32_t)(condition) << k;                                                    \
        }                                                                                          \
        return mask;                                                                               \
    }
#define GRZ_FLOATS(name, expression) GRZ_EACH_OF_TWO(floats, float, GRZ_WIDTH, name, expression)
#define GRZ_DOUBLES(name, expression)                                                              \
    GRZ_EACH_OF_TWO(doubles, double, GRZ_WIDTH_D, name, expression)
#define GRZ_INTS(name, expression) GRZ_EACH_OF_TWO(ints, uint32_t, GRZ_WIDTH, name, expression)

GRZ_EACH_OF_ONE(doubles, double, GRZ_WIDTH_D, sqrt_doubles, grz_sqrt(a))
GRZ_EACH_OF_ONE(doubles, double, GRZ_WIDTH_D, negate_doubles, -a)
GRZ_EACH_OF_ONE(doubles, double, GRZ_WIDTH_D, absolute_doubles, fabs(a))

#define GRZ_SHIFT(name, shifted)                                                                   \
    static inline ints name(ints a, uint32_t count)                                                \
    {                                                                                              \
        GRZ_EACH_LANE(GRZ_WIDTH)                                                                   \
        {                                                                                          \
            a.lane[k] = shifted;                                                                   \
        }                                                                                          \
        return a;                                                                                  \
    }

GRZ_SHIFT(shift_left, a.lane[k] << count)
GRZ_SHIFT(shift_right, a.lane[k] >> count)

// --- Masks ---

GRZ_EACH_BIT(floats, float, GRZ_WIDTH, less_floats, a < b)
GRZ_EACH_BIT(floats, float, GRZ_WIDTH, at_most_floats, a <= b)
GRZ_EACH_BIT(doubles, double, GRZ_WIDTH_D, less_doubles, a < b)
GRZ_EACH_BIT(doubles, double, GRZ_WIDTH_D, at_most_doubles, a <= b)
GRZ_EACH_BIT(ints, uint32_t, GRZ_WIDTH, equal_ints, a == b)
GRZ_EACH_BIT(ints, int32_t, GRZ_WIDTH, less_ints, a < b)

#define GRZ_SELECT_LANES(type, width)                                                              \
    static inline type select_##type(uint32_t mask, type a, type b)                                \
    {                                                                                              \
        GRZ_EACH_LANE(width)                                                                       \
        {                                                                                          \
            a.lane[k] = mask >> k & 1 ? a.lane[k] : b.lane[k];                                     \
        }                                                                                          \
        return a;                                                                                  \
    }

GRZ_SELECT_LANES(floats, GRZ_WIDTH)
GRZ_SELECT_LANES(doubles, GRZ_WIDTH_D)
GRZ_SELECT_LANES(ints, GRZ_WIDTH)
GRZ_UNARY(uint32_t, mask_bits, floats_mask, a)
GRZ_UNARY(uint32_t, mask_bits_d, doubles_mask, a)
GRZ_UNARY(floats_mask, first_lanes, uint32_t, (1u << a) - 1)

// --- Lanes that are listed: see lanes_vectors.h ---

#define GRZ_LIST(type, LANE)  ((type){{GRZ_PLACES_##type(LANE)}})
#define GRZ_LANE(a, k)        (a).lane[k]
#define GRZ_MIX(a, b, LANE)   mix_floats(a, b, (const uint32_t[]){GRZ_PLACES(LANE)})
#define GRZ_MIX_D(a, b, LANE) mix_doubles(a, b, (const uint32_t[]){GRZ_PLACES_D(LANE)})

#define GRZ_MIX_LANES(type, width)                                                                 \
    static inline type mix_##type(type a, type b, const uint32_t places[width])                    \
    {                                                                                              \
        type mixed;                                                                                \
        GRZ_EACH_LANE(width)                                                                       \
        {                                                                                          \
            const uint32_t place = places[k];                                                      \
            mixed.lane[k] = place < (width) ? a.lane[place] : b.lane[place - (width)];             \
        }                                                                                          \
        return mixed;                                                                              \
    }

GRZ_MIX_LANES(floats, GRZ_WIDTH)
GRZ_MIX_LANES(doubles, GRZ_WIDTH_D)

#define GRZ_SAME_BITS(to, name, from)                                                              \
    static inline to name(from a)                                                                  \
    {                                                                                              \
        to same;                                                                                   \
        memcpy(&same, &a, sizeof same);                                                            \
        return same;                                                                               \
    }

GRZ_SAME_BITS(ints, bits_of_floats, floats)
GRZ_SAME_BITS(floats, floats_of_bits, ints)
GRZ_SAME_BITS(doubles, floats_in_twos, floats)
GRZ_SAME_BITS(floats, twos_as_floats, doubles)

// --- From one type to another ---

#define GRZ_WIDE_LOW(k)  (double)a.lane[k]
#define GRZ_WIDE_HIGH(k) (double)a.lane[GRZ_WIDTH_D + (k)]
#define GRZ_OF_BOTH(k)                                                                             \
    ((k) < GRZ_WIDTH_D ? low.lane[(k) % GRZ_WIDTH_D] : high.lane[(k) % GRZ_WIDTH_D])
#define GRZ_NARROWED(k)  (float)GRZ_OF_BOTH(k)
#define GRZ_TRUNCATED(k) (uint32_t)(int32_t) GRZ_OF_BOTH(k)

GRZ_UNARY(doubles, widen_low, floats, GRZ_LIST(doubles, GRZ_WIDE_LOW))
GRZ_UNARY(doubles, widen_high, floats, GRZ_LIST(doubles, GRZ_WIDE_HIGH))

static inline floats narrow_doubles(doubles low, doubles high)
{
    return GRZ_LIST(floats, GRZ_NARROWED);
}

static inline ints truncate_doubles(doubles low, doubles high)
{
    return GRZ_LIST(ints, GRZ_TRUNCATED);
}

static inline ints floor_doubles(doubles low, doubles high)
{
    ints whole = truncate_doubles(low, high);
    GRZ_EACH_LANE(GRZ_WIDTH_D)
    {
        whole.lane[k] -= low.lane[k] < (double)(int32_t)whole.lane[k];
        whole.lane[k + 2] -= high.lane[k] < (double)(int32_t)whole.lane[k + 2];
    }
    return whole;
}

#undef GRZ_EACH_OF_ONE
#undef GRZ_EACH_BIT
#undef GRZ_SELECT_LANES
#undef GRZ_MIX_LANES
#undef GRZ_SAME_BITS

#endif
