/// @file lanes.h
/// SIMD lanes: vectors of floats, doubles and 32-bit integers behind one set of names, for whatever
/// instruction set a file is compiled for.
///
/// A wide loop is written once, in a header foo_wide.h of its module. The module's files
/// <module>_scalar.c, _base.c, _avx2.c and _avx512.c each define GRZ_LANES and include
/// lanes_begin.h, the wide headers, and lanes_end.h. A wide header ends with a constant table of
/// its functions, named GRZ_WIDE(name). A world chooses its table when it is created: see
/// lanes_choice.h.
///
/// Bits       Every operation gives the same bits in each lane in all sets: IEEE 754 sums,
///            products, quotients and roots; min and max are a < b ? a : b and a > b ? a : b, also
///            for zeros and NaN. No operation adds across lanes. So a loop that treats each
///            element by itself gives the same bits whatever the number of lanes.
/// Lanes      A vector has GRZ_WIDTH floats or integers, or GRZ_WIDTH_D doubles, which is half as
///            many. Lane k is element k in memory and bit k of a mask's bits.
/// Memory     Loads and stores accept any address aligned for the element, but where it is said.
///
/// The operations; columns are by type:
///
///   floats           doubles           ints           what
///
/// Vectors and memory
///   load_floats      load_doubles      load_ints      the next lanes in memory
///   load_half                                         the next half of the lanes, then zeros
///   store_floats     store_doubles     store_ints
///   stream_floats                                     store_floats, past the caches where a set
///                                                     can (stream.h); the vector is aligned
///                                      read_ints      load_ints, from any address of bytes
///                                      write_ints     store_ints, to any address of bytes
///   fill_floats      fill_doubles      fill_ints      one number in every lane
///                                      hold_ints      fill_ints, of what a loop needs again and
///                                                     again: compilers may make it anew otherwise
///                                      number_lanes   the integers 0, 1, 2 ...
///
/// Arithmetic
///   add_floats       add_doubles       add_ints       modulo 2^32, as the next two are
///   sub_floats       sub_doubles       sub_ints
///   mul_floats       mul_doubles       mul_ints
///   div_floats       div_doubles
///   sqrt_floats      sqrt_doubles
///                    negate_doubles                   -a, zeros too
///                    absolute_doubles
///   min_floats       min_doubles       min_ints       a < b ? a : b; as int32_t
///                                      min_unsigned   the same, as uint32_t
///   max_floats       max_doubles                      a > b ? a : b
///                                      and_ints, or_ints
///                                      shift_left     to the left
///                                      shift_right    to the right, 0 coming in
///                                      rotate_ints    to the left, by 1 to 31
///                                      swap_shorts    rotates by 16
///
/// Masks: floats_mask, also for ints, and doubles_mask, for which mask_... are mask_..._d
///   less_floats      less_doubles      less_ints      a < b; false for NaN; as int32_t
///   at_most_floats   at_most_doubles                  a <= b, likewise
///                                      equal_ints     a == b
///   select_floats    select_doubles    select_ints    select_floats(m, a, b): m ? a : b
///                                      keep_ints      keep_ints(m, a): m ? a : 0
///                                      count_in       count_in(a, m): a, and 1 more where m is set
///   mask_and, mask_or, mask_but_not  a and b, a or b, a and not b
///   mask_bits(m)                     a bit for each lane
///   count_bits(bits)                 how many of these are set
///   first_lanes(n)                   a mask of floats: the lanes below n
///
/// Conversions
///   widen_low, widen_high            the lower or upper half of floats, as doubles
///   narrow_doubles(low, high)        two halves, rounded to floats
///   truncate_doubles(low, high)      two halves, toward zero, as ints; from -2^31 to 2^31 - 1
///   floor_doubles(low, high)         two halves, toward minus infinity, likewise
///
/// Compaction: of the lanes whose bits are set
///   pack_floats(to, bits, a)         side by side; GRZ_WIDTH are written in all, what lies behind
///   pack_ints(to, bits, a)           those that are set is unspecified
///   pack_longs(to, bits, p)          as pack_ints, of the next GRZ_WIDTH_D 64-bit integers at p;
///                                    `to` may overlap with p and lie before it
///   number_set_lanes(bits)           in each of them, how many are set before it; the other lanes
///                                    are unspecified
///   store_pairs(p, bits, a, b)       the integer a and lane k of b for each bit k, one pair
///                                    after the other; returns how many; may write GRZ_WIDTH pairs
///   store_few_pairs(p, bits, a, b)   the same, fastest when few bits are set
///   store_places(p, bits, a, n)      the same of the integers n + k
///
/// Points and rows: vectors of structures, parted into columns and put together again
///   load_points(p, &x, &y)           the next GRZ_WIDTH vectors, parted
///   store_points(p, x, y)
///   stream_points(p, x, y)           the same, as stream_floats does it
///   load_boxes(p, &a, &b, &c, &d)    the next GRZ_WIDTH boxes, parted: lower x, y, upper x, y
///   store_boxes(p, a, b, c, d)
///   stream_boxes(p, a, b, c, d)      the same, as stream_floats does it
///   gather_boxes(p, i, &a, ...)      p[i[k]], GRZ_WIDTH of them, parted likewise
///   split_points(p, &a, &b)          the next GRZ_WIDTH vectors, x and y side by side: those in
///                                    even places, and those in odd ones
///   load_pairs(p, &a, &b)            the next GRZ_WIDTH pairs of integers, parted; any address
///   load_threes(p, &a, &b, &c)       the next GRZ_WIDTH threes of integers, likewise
///   store_longs(p, a, b)             GRZ_WIDTH 64-bit integers: a the lower halves, b the upper
///   load_rows(p, n, columns)         p[n * k] and the three next, GRZ_WIDTH_D times, as doubles
///   store_rows(p, n, a, b, c, d)     likewise, rounded to floats, in the order of k
///   gather_points(p, i, &x, &y)      p[i[k]], GRZ_WIDTH_D of them, as doubles
///   gather_pairs(p, i, &x, &y)       p[i[k]] and the double after it, GRZ_WIDTH_D of each
///   scatter_pairs(p, i, x, y)        the reverse; where some go to one place, those of any of them
///   gather_vectors(p, i)             the same, as they are: the ints of one after the other's
///   gather_ints(p, i, n)             p[i[n * k]]
///   gather_halves(p, i, j)           GRZ_WIDTH_D times p[i[k]], then as often p[j[k]]
///
/// Records: each written whole, in the layout of one structure
///   store_sixes(p, m, a, b, c, d, e) GRZ_WIDTH_D times six words: the integer 1, then the doubles,
///                                    rounded to floats; all 0 where m, a mask of doubles, is not
///                                    set
///   store_nines(p, m, a, b, c, d, e) likewise nine words: 1, a, b, 0, 0, c, 0, d and e
///   write_fifteen(p, e, n, w)        fifteen words, to any address: the upper half of the 64-bit
///                                    integer n, e[0], the lower half by 2, e[1], 0, 0, 0, e[2] to
///                                    e[7], the highest bit of the integer w, the lowest of n
///   store_octets(p, a, b, c, d)      GRZ_WIDTH_D times eight floats: of each its lanes k and
///                                    GRZ_WIDTH_D + k
///   pack_octets(p, bits, i, b, c, d) the same, i being integers, of the lanes whose bits are set,
///                                    side by side; GRZ_WIDTH_D times eight are written in all
///
/// Fours of lanes: boxes, each in four lanes
///   low_halves(a, b)                 of each four floats the first two of a, then of b
///   high_halves(a, b)                the last two
///   overlap_fours(a, b)              of each four floats, whether the first two of a are at most
///                                    the last two of b, the last two at least its first: a mask
///   store_fours(p, a, b, c, d)       of each four lanes of these masks, one mask after the other,
///                                    whether all are set: GRZ_WIDTH bools; returns how many are
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
#if defined(__SSE2__) || defined(_M_X64) || (defined(_M_IX86_FP) && _M_IX86_FP >= 2)
#define GRZ_LANES_BASE GRZ_LANES_SSE2
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__ARM_BIG_ENDIAN)
#define GRZ_LANES_BASE GRZ_LANES_NEON
#elif defined(__wasm_simd128__)
#define GRZ_LANES_BASE GRZ_LANES_SIMD128
#else
#define GRZ_LANES_BASE GRZ_LANES_SCALAR
#endif

// Whether this compiler can compile single functions for more than the build's base.
#if GRZ_LANES_BASE == GRZ_LANES_SSE2 && (defined(__GNUC__) || defined(__clang__))
#define GRZ_LANES_MANY 1
#else
#define GRZ_LANES_MANY 0
#endif

enum {
    /// Floats in the widest vector: the spare room of arrays in which lanes may write past the end.
    GRZ_LANES_MAX = 16
};

#endif
