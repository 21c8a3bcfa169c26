/// @file lanes_simd128.h
/// The operations of lanes.h by WebAssembly SIMD. Included by lanes_begin.h alone.
#ifndef GRZ_LANES_SIMD128_H
#define GRZ_LANES_SIMD128_H

#include <string.h>
#include <wasm_simd128.h>

#define GRZ_WIDTH   4
#define GRZ_WIDTH_D 2

typedef v128_t floats;
typedef v128_t doubles;
typedef v128_t ints;
typedef v128_t floats_mask;
typedef v128_t doubles_mask;

static inline floats load_floats(const float *from)
{
    return wasm_v128_load(from);
}

static inline void store_floats(float *to, floats a)
{
    wasm_v128_store(to, a);
}

static inline floats fill_floats(float number)
{
    return wasm_f32x4_splat(number);
}

GRZ_BINARY(floats, add_floats, floats, wasm_f32x4_add(a, b))
GRZ_BINARY(floats, sub_floats, floats, wasm_f32x4_sub(a, b))
GRZ_BINARY(floats, mul_floats, floats, wasm_f32x4_mul(a, b))
GRZ_BINARY(floats, div_floats, floats, wasm_f32x4_div(a, b))
GRZ_UNARY(floats, sqrt_floats, floats, wasm_f32x4_sqrt(a))
GRZ_BINARY(floats, min_floats, floats, wasm_f32x4_pmin(b, a))
GRZ_BINARY(floats, max_floats, floats, wasm_f32x4_pmax(b, a))
GRZ_BINARY(floats_mask, less_floats, floats, wasm_f32x4_lt(a, b))
GRZ_BINARY(floats_mask, at_most_floats, floats, wasm_f32x4_le(a, b))

static inline floats select_floats(floats_mask mask, floats a, floats b)
{
    return wasm_v128_bitselect(a, b, mask);
}

static inline doubles load_doubles(const double *from)
{
    return wasm_v128_load(from);
}

static inline void store_doubles(double *to, doubles a)
{
    wasm_v128_store(to, a);
}

static inline doubles fill_doubles(double number)
{
    return wasm_f64x2_splat(number);
}

GRZ_BINARY(doubles, add_doubles, doubles, wasm_f64x2_add(a, b))
GRZ_BINARY(doubles, sub_doubles, doubles, wasm_f64x2_sub(a, b))
GRZ_BINARY(doubles, mul_doubles, doubles, wasm_f64x2_mul(a, b))
GRZ_BINARY(doubles, div_doubles, doubles, wasm_f64x2_div(a, b))
GRZ_UNARY(doubles, sqrt_doubles, doubles, wasm_f64x2_sqrt(a))
GRZ_BINARY(doubles, min_doubles, doubles, wasm_f64x2_pmin(b, a))
GRZ_BINARY(doubles, max_doubles, doubles, wasm_f64x2_pmax(b, a))
GRZ_BINARY(doubles_mask, less_doubles, doubles, wasm_f64x2_lt(a, b))
GRZ_BINARY(doubles_mask, at_most_doubles, doubles, wasm_f64x2_le(a, b))

static inline doubles select_doubles(doubles_mask mask, doubles a, doubles b)
{
    return wasm_v128_bitselect(a, b, mask);
}

static inline ints load_ints(const uint32_t *from)
{
    return wasm_v128_load(from);
}

static inline ints read_ints(const void *from)
{
    return wasm_v128_load(from);
}

static inline void store_ints(uint32_t *to, ints a)
{
    wasm_v128_store(to, a);
}

static inline void write_ints(void *to, ints a)
{
    wasm_v128_store(to, a);
}

static inline ints fill_ints(uint32_t number)
{
    return wasm_i32x4_splat((int32_t)number);
}

static inline ints hold_ints(uint32_t number)
{
    return fill_ints(number);
}

GRZ_BINARY(ints, add_ints, ints, wasm_i32x4_add(a, b))
GRZ_BINARY(ints, sub_ints, ints, wasm_i32x4_sub(a, b))
GRZ_BINARY(ints, mul_ints, ints, wasm_i32x4_mul(a, b))
GRZ_BINARY(ints, and_ints, ints, wasm_v128_and(a, b))
GRZ_BINARY(ints, or_ints, ints, wasm_v128_or(a, b))
GRZ_BINARY(ints, min_ints, ints, wasm_i32x4_min(a, b))
GRZ_BINARY(ints, min_unsigned, ints, wasm_u32x4_min(a, b))

static inline ints shift_left(ints a, uint32_t count)
{
    return wasm_i32x4_shl(a, count);
}

static inline ints shift_right(ints a, uint32_t count)
{
    return wasm_u32x4_shr(a, count);
}

static inline ints rotate_ints(ints a, uint32_t count)
{
    return wasm_v128_or(shift_left(a, count), shift_right(a, 32 - count));
}

static inline ints swap_shorts(ints a)
{
    return wasm_i16x8_shuffle(a, a, 1, 0, 3, 2, 5, 4, 7, 6);
}

GRZ_BINARY(floats_mask, equal_ints, ints, wasm_i32x4_eq(a, b))
GRZ_BINARY(floats_mask, less_ints, ints, wasm_i32x4_lt(a, b))

static inline ints count_in(ints a, floats_mask mask)
{
    return wasm_i32x4_sub(a, mask);
}

GRZ_BINARY(floats_mask, mask_and, floats_mask, wasm_v128_and(a, b))
GRZ_BINARY(floats_mask, mask_or, floats_mask, wasm_v128_or(a, b))
GRZ_BINARY(floats_mask, mask_but_not, floats_mask, wasm_v128_andnot(a, b))

static inline uint32_t mask_bits(floats_mask mask)
{
    return (uint32_t)wasm_i32x4_bitmask(mask);
}

GRZ_BINARY(doubles_mask, mask_and_d, doubles_mask, wasm_v128_and(a, b))
GRZ_BINARY(doubles_mask, mask_or_d, doubles_mask, wasm_v128_or(a, b))
GRZ_BINARY(doubles_mask, mask_but_not_d, doubles_mask, wasm_v128_andnot(a, b))

static inline uint32_t mask_bits_d(doubles_mask mask)
{
    return (uint32_t)wasm_i64x2_bitmask(mask);
}

GRZ_UNARY(doubles, widen_low, floats, wasm_f64x2_promote_low_f32x4(a))

static inline doubles widen_high(floats a)
{
    return wasm_f64x2_promote_low_f32x4(wasm_i32x4_shuffle(a, a, 2, 3, 2, 3));
}

static inline floats narrow_doubles(doubles low, doubles high)
{
    return wasm_i32x4_shuffle(wasm_f32x4_demote_f64x2_zero(low), wasm_f32x4_demote_f64x2_zero(high),
                              0, 1, 4, 5);
}

static inline ints truncate_doubles(doubles low, doubles high)
{
    return wasm_i32x4_shuffle(wasm_i32x4_trunc_sat_f64x2_zero(low),
                              wasm_i32x4_trunc_sat_f64x2_zero(high), 0, 1, 4, 5);
}

static inline ints floor_doubles(doubles low, doubles high)
{
    return truncate_doubles(wasm_f64x2_floor(low), wasm_f64x2_floor(high));
}

static inline void load_points(const graze_vec2 *from, floats *x, floats *y)
{
    const floats first = load_floats(&from[0].x), second = load_floats(&from[2].x);
    *x = wasm_i32x4_shuffle(first, second, 0, 2, 4, 6);
    *y = wasm_i32x4_shuffle(first, second, 1, 3, 5, 7);
}

static inline void store_points(graze_vec2 *to, floats x, floats y)
{
    store_floats(&to[0].x, wasm_i32x4_shuffle(x, y, 0, 4, 1, 5));
    store_floats(&to[2].x, wasm_i32x4_shuffle(x, y, 2, 6, 3, 7));
}

static inline void load_boxes(const graze_aabb *from, floats *lower_x, floats *lower_y,
                              floats *upper_x, floats *upper_y)
{
    const floats a = load_floats(&from[0].lower.x), b = load_floats(&from[1].lower.x);
    const floats c = load_floats(&from[2].lower.x), d = load_floats(&from[3].lower.x);
    const floats lower_ab = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5);
    const floats upper_ab = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
    const floats lower_cd = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5);
    const floats upper_cd = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);
    *lower_x = wasm_i64x2_shuffle(lower_ab, lower_cd, 0, 2);
    *lower_y = wasm_i64x2_shuffle(lower_ab, lower_cd, 1, 3);
    *upper_x = wasm_i64x2_shuffle(upper_ab, upper_cd, 0, 2);
    *upper_y = wasm_i64x2_shuffle(upper_ab, upper_cd, 1, 3);
}

static inline void gather_boxes(const graze_aabb *from, const uint32_t *index, floats *lower_x,
                                floats *lower_y, floats *upper_x, floats *upper_y)
{
    const graze_aabb boxes[GRZ_WIDTH] = {from[index[0]], from[index[1]], from[index[2]],
                                         from[index[3]]};
    load_boxes(boxes, lower_x, lower_y, upper_x, upper_y);
}

static inline void store_boxes(graze_aabb *to, floats lower_x, floats lower_y, floats upper_x,
                               floats upper_y)
{
    const floats lower_low = wasm_i32x4_shuffle(lower_x, lower_y, 0, 4, 1, 5);
    const floats lower_high = wasm_i32x4_shuffle(lower_x, lower_y, 2, 6, 3, 7);
    const floats upper_low = wasm_i32x4_shuffle(upper_x, upper_y, 0, 4, 1, 5);
    const floats upper_high = wasm_i32x4_shuffle(upper_x, upper_y, 2, 6, 3, 7);
    store_floats(&to[0].lower.x, wasm_i64x2_shuffle(lower_low, upper_low, 0, 2));
    store_floats(&to[1].lower.x, wasm_i64x2_shuffle(lower_low, upper_low, 1, 3));
    store_floats(&to[2].lower.x, wasm_i64x2_shuffle(lower_high, upper_high, 0, 2));
    store_floats(&to[3].lower.x, wasm_i64x2_shuffle(lower_high, upper_high, 1, 3));
}

static inline void gather_points(const graze_vec2 *from, const uint32_t *index, doubles *x,
                                 doubles *y)
{
    const doubles first = widen_low(wasm_v128_load64_zero(&from[index[0]]));
    const doubles second = widen_low(wasm_v128_load64_zero(&from[index[1]]));
    *x = wasm_i64x2_shuffle(first, second, 0, 2);
    *y = wasm_i64x2_shuffle(first, second, 1, 3);
}

static inline void gather_pairs(const double *from, const uint32_t *index, doubles *x, doubles *y)
{
    const doubles first = wasm_v128_load(&from[index[0]]);
    const doubles second = wasm_v128_load(&from[index[1]]);
    *x = wasm_i64x2_shuffle(first, second, 0, 2);
    *y = wasm_i64x2_shuffle(first, second, 1, 3);
}

static inline void scatter_pairs(double *to, const uint32_t *index, doubles x, doubles y)
{
    wasm_v128_store(&to[index[0]], wasm_i64x2_shuffle(x, y, 0, 2));
    wasm_v128_store(&to[index[1]], wasm_i64x2_shuffle(x, y, 1, 3));
}

static inline ints gather_vectors(const graze_vec2 *from, const uint32_t *index)
{
    return wasm_v128_load64_lane(&from[index[1]], wasm_v128_load64_zero(&from[index[0]]), 1);
}

static inline ints gather_ints(const uint32_t *from, const uint32_t *index, uint32_t stride)
{
    return wasm_u32x4_make(from[index[0]], from[index[stride]], from[index[2 * stride]],
                           from[index[3 * stride]]);
}

static inline ints gather_halves(const uint32_t *from, const uint32_t *low, const uint32_t *high)
{
    return wasm_u32x4_make(from[low[0]], from[low[1]], from[high[0]], from[high[1]]);
}

static inline void load_pairs(const void *from, ints *a, ints *b)
{
    const char *next = from;
    const ints first = read_ints(next), second = read_ints(next + 16);
    *a = wasm_i32x4_shuffle(first, second, 0, 2, 4, 6);
    *b = wasm_i32x4_shuffle(first, second, 1, 3, 5, 7);
}

static inline void load_threes(const void *from, ints *a, ints *b, ints *c)
{
    const char *next = from;
    const ints first = read_ints(next), second = read_ints(next + 16), third = read_ints(next + 32);
    *a = wasm_i32x4_shuffle(wasm_i32x4_shuffle(first, second, 0, 3, 6, 6), third, 0, 1, 2, 5);
    *b = wasm_i32x4_shuffle(wasm_i32x4_shuffle(first, second, 1, 4, 7, 7), third, 0, 1, 2, 6);
    *c = wasm_i32x4_shuffle(wasm_i32x4_shuffle(first, second, 2, 5, 5, 5), third, 0, 1, 4, 7);
}

static inline void store_longs(uint64_t *to, ints low, ints high)
{
    wasm_v128_store(to, wasm_i32x4_shuffle(low, high, 0, 4, 1, 5));
    wasm_v128_store(to + 2, wasm_i32x4_shuffle(low, high, 2, 6, 3, 7));
}

static inline ints number_lanes(void)
{
    return wasm_i32x4_make(0, 1, 2, 3);
}

static inline floats_mask first_lanes(uint32_t count)
{
    return wasm_u32x4_lt(number_lanes(), wasm_i32x4_splat((int32_t)count));
}

static inline ints keep_ints(floats_mask mask, ints a)
{
    return wasm_v128_and(mask, a);
}

static inline ints select_ints(floats_mask mask, ints a, ints b)
{
    return wasm_v128_bitselect(a, b, mask);
}

GRZ_UNARY(doubles, negate_doubles, doubles, wasm_f64x2_neg(a))
GRZ_UNARY(doubles, absolute_doubles, doubles, wasm_f64x2_abs(a))

static inline void load_rows(const float *from, uint32_t stride, doubles columns[4])
{
    const floats first = load_floats(from), second = load_floats(from + stride);
    const floats low = wasm_i32x4_shuffle(first, second, 0, 4, 1, 5);
    const floats high = wasm_i32x4_shuffle(first, second, 2, 6, 3, 7);
    columns[0] = widen_low(low);
    columns[1] = widen_high(low);
    columns[2] = widen_low(high);
    columns[3] = widen_high(high);
}

static inline void store_rows(float *to, uint32_t stride, doubles a, doubles b, doubles c,
                              doubles d)
{
    const floats low = narrow_doubles(a, b), high = narrow_doubles(c, d);
    store_floats(to, wasm_i32x4_shuffle(low, high, 0, 2, 4, 6));
    store_floats(to + stride, wasm_i32x4_shuffle(low, high, 1, 3, 5, 7));
}

GRZ_BINARY(floats, low_halves, floats, wasm_i64x2_shuffle(a, b, 0, 2))
GRZ_BINARY(floats, high_halves, floats, wasm_i64x2_shuffle(a, b, 1, 3))
GRZ_UNARY(floats, mix_halves, floats, wasm_i32x4_shuffle(a, a, 0, 2, 1, 3))

static inline void store_octets(float *to, floats a, floats b, floats c, floats d)
{
    const floats mixed_a = mix_halves(a), mixed_b = mix_halves(b);
    const floats mixed_c = mix_halves(c), mixed_d = mix_halves(d);
    store_floats(to, wasm_i64x2_shuffle(mixed_a, mixed_b, 0, 2));
    store_floats(to + 4, wasm_i64x2_shuffle(mixed_c, mixed_d, 0, 2));
    store_floats(to + 8, wasm_i64x2_shuffle(mixed_a, mixed_b, 1, 3));
    store_floats(to + 12, wasm_i64x2_shuffle(mixed_c, mixed_d, 1, 3));
}

static inline void pack_octets(void *to, uint32_t bits, ints a, floats b, floats c, floats d)
{
    v128_t *first = to, *second = first + 2 * (bits & 1);
    const floats mixed_a = mix_halves(a), mixed_b = mix_halves(b);
    const floats mixed_c = mix_halves(c), mixed_d = mix_halves(d);
    wasm_v128_store(first, wasm_i64x2_shuffle(mixed_a, mixed_b, 0, 2));
    wasm_v128_store(first + 1, wasm_i64x2_shuffle(mixed_c, mixed_d, 0, 2));
    wasm_v128_store(second, wasm_i64x2_shuffle(mixed_a, mixed_b, 1, 3));
    wasm_v128_store(second + 1, wasm_i64x2_shuffle(mixed_c, mixed_d, 1, 3));
}

static inline uint32_t store_fours(bool *to, floats_mask a, floats_mask b, floats_mask c,
                                   floats_mask d)
{
    const v128_t words[2] = {wasm_i16x8_narrow_i32x4(a, b), wasm_i16x8_narrow_i32x4(c, d)};
    const v128_t all =
        wasm_i32x4_eq(wasm_i8x16_narrow_i16x8(words[0], words[1]), wasm_i32x4_splat(-1));
    const uint32_t bytes = (uint32_t)wasm_i32x4_bitmask(all) * 0x00204081u & 0x01010101u;
    memcpy(to, &bytes, sizeof bytes);
    return bytes * 0x01010101u >> 24;
}

#include "lanes_four.h"

#endif
