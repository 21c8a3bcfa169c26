/// @file lanes.h
/// SIMD lanes: vectors of floats, doubles and 32-bit integers behind one set of names, for whatever
/// instruction set a file is compiled for.
///
/// A wide loop is written once, in a header foo_wide.h of its module. The module's files
/// <module>_scalar.c, _base.c, _avx2.c and _avx512.c each define GRZ_LANES and include
/// lanes_begin.h, the wide headers, and lanes_end.h. A wide header ends with a constant table of
/// its functions, named GRZ_WIDE(name). A header foo_lanes.h has what several wide headers share,
/// and ends in no table. A world chooses its table when it is created: see lanes_choice.h.
///
/// Types      floats: GRZ_WIDTH floats. ints: as many 32-bit integers. doubles: GRZ_WIDTH_D
///            doubles, half as many. floats_mask, also for ints, and doubles_mask: for each lane,
///            whether it is set.
/// Sets       GRZ_WIDTH is 4 in the scalar set (plain C), SSE2, NEON and simd128, 8 in AVX2, 16 in
///            AVX-512. Most operations are written once for all sets, in lanes_operations.h, by the
///            vectors that gcc and clang add to C (lanes_vectors.h). What these do not have, or do
///            slowly, each set has of its own: lanes_x86.h, lanes_neon.h, lanes_simd128.h. The
///            scalar set needs no such vectors: lanes_scalar.h does with arrays what they do. So it
///            is the only one that other compilers have.
/// Lanes      Lane k of a vector is element k in memory, and bit k of mask_bits(). The low half of
///            a vector are the lanes below GRZ_WIDTH_D, the high half the others.
/// Bits       Every operation gives the same bits in each lane in all sets, and none adds across
///            lanes. So a loop that treats each element by itself gives the same bits whatever the
///            number of lanes.
/// Rounding   As in IEEE 754: sums, differences, products, quotients, roots, and doubles narrowed
///            to floats are the exact results, rounded once to the nearest (worlds set that mode:
///            fp_environment.h). Nothing is fused or estimated. All other operations are exact.
/// Memory     Loads and stores accept any address that is aligned for the element, unless stated
///            otherwise.
///
/// The operations. In the first tables the columns are the names for each type; p is a pointer, and
/// k runs over the lanes.
///
///   floats           doubles           ints           what
///
/// Vectors and memory
///   load_floats      load_doubles      load_ints      the next elements in memory
///   load_half                                         the next GRZ_WIDTH / 2 floats, then zeros
///   store_floats     store_doubles     store_ints
///                                      read_ints      load_ints, from any address
///                                      write_ints     store_ints, to any address
///   fill_floats      fill_doubles      fill_ints      one number in every lane
///                                      number_lanes   the integers 0, 1, 2 ...
///
/// Arithmetic
///   add_floats       add_doubles       add_ints       integers modulo 2^32,
///   sub_floats       sub_doubles       sub_ints       likewise,
///   mul_floats       mul_doubles       mul_ints       likewise
///   div_floats       div_doubles
///                    sqrt_doubles
///                    negate_doubles                   -a, also of zeros
///                    absolute_doubles
///   min_floats       min_doubles                      a < b ? a : b, also for zeros and NaN
///   max_floats       max_doubles                      a > b ? a : b, also for zeros and NaN
///                                      and_ints, or_ints
///                                      shift_left     (a, n): by n bits, 0 to 31; zeros come in
///                                      shift_right    likewise, as uint32_t
///
/// Masks; the operations on a doubles_mask end in _d: mask_and_d
///   less_floats      less_doubles      less_ints      a < b; false for NaN; ints as int32_t
///   at_most_floats   at_most_doubles                  a <= b; false for NaN
///                                      equal_ints     a == b
///   select_floats    select_doubles    select_ints    (m, a, b): m ? a : b
///   mask_and, mask_or                (a, b): a and b, a or b
///   mask_but_not_d                   (a, b): a and not b
///   mask_bits(m)                     an integer with bit k set if lane k is
///   count_bits(bits)                 the number of these that are set
///   first_lanes(n)                   a floats_mask: the lanes below n
///
/// Conversions
///   widen_low(a), widen_high(a)      the low or high half of floats, as doubles
///   narrow_doubles(low, high)        two halves, rounded to floats
///   truncate_doubles(low, high)      two halves, rounded toward zero to int32_t, as ints; the
///                                    values must be in the range of int32_t
///   floor_doubles(low, high)         two halves, rounded down, likewise
///
/// Compaction: keeps the lanes k whose bit k is set in `bits`, in their order, side by side
///   pack_ints(p, bits, a)            writes GRZ_WIDTH elements in all; those behind the kept ones
///                                    are unspecified
///   store_pairs(p, bits, a, b)       of each kept lane the pair of the integer a and lane k of b;
///                                    returns their number; may write up to GRZ_WIDTH pairs
///   store_places(p, bits, a, n)      the same, with n + k instead of lane k of b
///
/// Structures: vectors, boxes and rows, loaded as columns (one vector of lanes for each member) and
/// stored as structures again. i is an array of indices.
///   load_points(p, &x, &y)           the next GRZ_WIDTH graze_vec2
///   store_points(p, x, y)
///   load_boxes(p, &a, &b, &c, &d)    the next GRZ_WIDTH graze_aabb: lower x and y, upper x and y
///   store_boxes(p, a, b, c, d)
///   gather_boxes(p, n, i, &a, ...)   as load_boxes, of those that begin at the floats p[n * i[k]]
///   scatter_boxes(p, n, i, a, ...)   as store_boxes, likewise; if two lanes have the same index,
///                                    one of the two is stored
///   split_points(p, &a, &b)          of the next GRZ_WIDTH graze_vec2, those in even places to a,
///                                    those in odd places to b, each as x, y, x, y ...
///   load_pairs(p, &a, &b)            the next GRZ_WIDTH pairs of integers, from any address
///   load_threes(p, &a, &b, &c)       the next GRZ_WIDTH triples of integers, likewise
///   load_rows(p, n, columns)         GRZ_WIDTH_D rows, n floats apart: the first four floats of
///                                    each, as four columns of doubles
///   store_rows(p, n, a, b, c, d)     the reverse, rounded to floats, row after row
///   gather_points(p, i, &x, &y)      the graze_vec2 p[i[k]], GRZ_WIDTH_D of them, as doubles
///   gather_vectors(p, i)             the graze_vec2 p[i[k]], GRZ_WIDTH_D of them one after the
///                                    other, their bits as ints
///   gather_ints(p, i, n)             p[i[n * k]]
///   gather_halves(p, q, i)           p[i[k]] in the low half, q[i[k]] in the high half
///
/// Records: whole structures of 32-bit words. Doubles are rounded to floats.
///   store_sixes(p, m, a, b, c, d, e) GRZ_WIDTH_D records of six words: the integer 1, then a, b,
///                                    c, d, e; all words are 0 where the doubles_mask m is not set
///   store_nines(p, m, a, b, c, d, e) likewise nine words: 1, a, b, 0, 0, c, 0, d, e
///   store_octets(p, a, b, c, d)      GRZ_WIDTH_D records of eight floats: lanes k and
///                                    GRZ_WIDTH_D + k of a, then of b, c and d
///   pack_octets(p, n, bits, a, b, c, d)
///                                    the same, n words apart, of the kept k alone (see
///                                    Compaction); writes GRZ_WIDTH_D records in all
///
/// Boxes, each in four lanes: lower x, lower y, upper x, upper y
///   low_halves(a, b)                 of each four lanes, the first two of a, then those of b
///   high_halves(a, b)                likewise the last two of a, then those of b
///   overlap_fours(a, b)              a floats_mask: of each four lanes all are set exactly if the
///                                    box of a overlaps that of b
///   store_fours(p, a, b, c, d)       GRZ_WIDTH bools: for each four lanes of the masks a, then b,
///                                    c and d, whether all are set; returns how many are true
#ifndef GRZ_LANES_H
#define GRZ_LANES_H

#include <graze/aabb.h>

#include <stdbool.h>
#include <stdint.h>

#define GRZ_LANES_SCALAR  0
#define GRZ_LANES_SSE2    1
#define GRZ_LANES_AVX2    2
#define GRZ_LANES_AVX512  3
#define GRZ_LANES_NEON    4
#define GRZ_LANES_SIMD128 5

// The set that the whole build may use without testing the machine.
#if !defined(__GNUC__) && !defined(__clang__)
#define GRZ_LANES_BASE GRZ_LANES_SCALAR
#elif defined(__SSE2__)
#define GRZ_LANES_BASE GRZ_LANES_SSE2
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__ARM_BIG_ENDIAN)
#define GRZ_LANES_BASE GRZ_LANES_NEON
#elif defined(__wasm_simd128__)
#define GRZ_LANES_BASE GRZ_LANES_SIMD128
#else
#define GRZ_LANES_BASE GRZ_LANES_SCALAR
#endif

// Whether this compiler can compile single functions for more than the build's base. (clang-cl does
// without the intrinsics of other sets, and without the library that asks the processor.)
#if GRZ_LANES_BASE == GRZ_LANES_SSE2 && !defined(_MSC_VER)
#define GRZ_LANES_MANY 1
#else
#define GRZ_LANES_MANY 0
#endif

enum {
    /// Floats in the widest vector: the spare room of arrays in which lanes may write past the end.
    GRZ_LANES_MAX = 16
};

#endif
