/// @file lanes_vectors.h
/// What lanes_operations.h is written in, by the vectors that gcc and clang add to C. Included by
/// lanes_begin.h alone; lanes_scalar.h has the same in plain C.
#ifndef GRZ_LANES_VECTORS_H
#define GRZ_LANES_VECTORS_H

#define GRZ_VECTOR __attribute__((vector_size(4 * GRZ_WIDTH)))

typedef float floats GRZ_VECTOR;
typedef double doubles GRZ_VECTOR;
typedef uint32_t ints GRZ_VECTOR;
typedef int32_t signed_ints GRZ_VECTOR;
typedef uint64_t longs GRZ_VECTOR;

// From and to any address.
#define GRZ_ANYWHERE(type)                                                                         \
    typedef type type##_anywhere __attribute__((aligned(1), may_alias));                           \
                                                                                                   \
    static inline type read_##type(const void *from)                                               \
    {                                                                                              \
        return *(const type##_anywhere *)from;                                                     \
    }                                                                                              \
                                                                                                   \
    static inline void write_##type(void *to, type a)                                              \
    {                                                                                              \
        *(type##_anywhere *)to = a;                                                                \
    }

GRZ_ANYWHERE(floats)
GRZ_ANYWHERE(doubles)
GRZ_ANYWHERE(ints)
#undef GRZ_ANYWHERE

// By an expression of vectors, a and b.
#define GRZ_FLOATS(name, expression)  GRZ_BINARY(floats, name, floats, expression)
#define GRZ_DOUBLES(name, expression) GRZ_BINARY(doubles, name, doubles, expression)
#define GRZ_INTS(name, expression)    GRZ_BINARY(ints, name, ints, expression)

// Vectors of lanes that are listed, and those that two have in the listed places: GRZ_WIDTH + k is
// lane k of the second. LANE makes a place of a lane's number: see GRZ_PLACES.
#define GRZ_LIST(type, LANE) ((type){GRZ_PLACES_##type(LANE)})
#define GRZ_LANE(a, k)       (a)[k]
#if defined(__clang__)
#define GRZ_MIX(a, b, LANE)   __builtin_shufflevector(a, b, GRZ_PLACES(LANE))
#define GRZ_MIX_D(a, b, LANE) __builtin_shufflevector(a, b, GRZ_PLACES_D(LANE))
#else
#define GRZ_MIX(a, b, LANE)   __builtin_shuffle(a, b, (ints){GRZ_PLACES(LANE)})
#define GRZ_MIX_D(a, b, LANE) __builtin_shuffle(a, b, (longs){GRZ_PLACES_D(LANE)})
#endif

GRZ_UNARY(ints, bits_of_floats, floats, (ints)a)
GRZ_UNARY(floats, floats_of_bits, ints, (floats)a)
GRZ_UNARY(doubles, floats_in_twos, floats, (doubles)a)
GRZ_UNARY(floats, twos_as_floats, doubles, (floats)a)

static inline ints shift_left(ints a, uint32_t count)
{
    return a << count;
}

static inline ints shift_right(ints a, uint32_t count)
{
    return a >> count;
}

GRZ_UNARY(doubles, negate_doubles, doubles, -a)

// Masks of these sets are integers whose bits are all set or none.
#if GRZ_LANES == GRZ_LANES_NEON || GRZ_LANES == GRZ_LANES_SIMD128

typedef ints floats_mask;
typedef longs doubles_mask;

GRZ_SELECT(floats, floats_mask, (floats)((mask & (ints)a) | (~mask & (ints)b)))
GRZ_SELECT(doubles, doubles_mask, (doubles)((mask & (longs)a) | (~mask & (longs)b)))
GRZ_SELECT(ints, floats_mask, (mask & a) | (~mask & b))

#endif

#endif
