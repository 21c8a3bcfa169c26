/// @file lanes_neon.h
/// The operations of lanes.h by NEON, of 64-bit ARM. Included by lanes_begin.h alone.
#ifndef GRZ_LANES_NEON_H
#define GRZ_LANES_NEON_H

#include <arm_neon.h>
#include <string.h>

#define GRZ_WIDTH   4
#define GRZ_WIDTH_D 2

typedef float32x4_t floats;
typedef float64x2_t doubles;
typedef uint32x4_t ints;
typedef uint32x4_t floats_mask;
typedef uint64x2_t doubles_mask;

static inline floats load_floats(const float *from)
{
    return vld1q_f32(from);
}

static inline void store_floats(float *to, floats a)
{
    vst1q_f32(to, a);
}

static inline floats fill_floats(float number)
{
    return vdupq_n_f32(number);
}

GRZ_BINARY(floats, add_floats, floats, vaddq_f32(a, b))
GRZ_BINARY(floats, sub_floats, floats, vsubq_f32(a, b))
GRZ_BINARY(floats, mul_floats, floats, vmulq_f32(a, b))
GRZ_BINARY(floats, div_floats, floats, vdivq_f32(a, b))
GRZ_UNARY(floats, sqrt_floats, floats, vsqrtq_f32(a))
GRZ_BINARY(floats, min_floats, floats, vbslq_f32(vcltq_f32(a, b), a, b))
GRZ_BINARY(floats, max_floats, floats, vbslq_f32(vcgtq_f32(a, b), a, b))
GRZ_BINARY(floats_mask, less_floats, floats, vcltq_f32(a, b))
GRZ_BINARY(floats_mask, at_most_floats, floats, vcleq_f32(a, b))

static inline floats select_floats(floats_mask mask, floats a, floats b)
{
    return vbslq_f32(mask, a, b);
}

static inline doubles load_doubles(const double *from)
{
    return vld1q_f64(from);
}

static inline void store_doubles(double *to, doubles a)
{
    vst1q_f64(to, a);
}

static inline doubles fill_doubles(double number)
{
    return vdupq_n_f64(number);
}

GRZ_BINARY(doubles, add_doubles, doubles, vaddq_f64(a, b))
GRZ_BINARY(doubles, sub_doubles, doubles, vsubq_f64(a, b))
GRZ_BINARY(doubles, mul_doubles, doubles, vmulq_f64(a, b))
GRZ_BINARY(doubles, div_doubles, doubles, vdivq_f64(a, b))
GRZ_UNARY(doubles, sqrt_doubles, doubles, vsqrtq_f64(a))
GRZ_BINARY(doubles, min_doubles, doubles, vbslq_f64(vcltq_f64(a, b), a, b))
GRZ_BINARY(doubles, max_doubles, doubles, vbslq_f64(vcgtq_f64(a, b), a, b))
GRZ_BINARY(doubles_mask, less_doubles, doubles, vcltq_f64(a, b))
GRZ_BINARY(doubles_mask, at_most_doubles, doubles, vcleq_f64(a, b))

static inline doubles select_doubles(doubles_mask mask, doubles a, doubles b)
{
    return vbslq_f64(mask, a, b);
}

static inline ints load_ints(const uint32_t *from)
{
    return vld1q_u32(from);
}

static inline ints read_ints(const void *from)
{
    return vreinterpretq_u32_u8(vld1q_u8(from));
}

static inline void store_ints(uint32_t *to, ints a)
{
    vst1q_u32(to, a);
}

static inline void write_ints(void *to, ints a)
{
    vst1q_u8(to, vreinterpretq_u8_u32(a));
}

static inline ints fill_ints(uint32_t number)
{
    return vdupq_n_u32(number);
}

static inline ints hold_ints(uint32_t number)
{
    return fill_ints(number);
}

GRZ_BINARY(ints, add_ints, ints, vaddq_u32(a, b))
GRZ_BINARY(ints, sub_ints, ints, vsubq_u32(a, b))
GRZ_BINARY(ints, mul_ints, ints, vmulq_u32(a, b))
GRZ_BINARY(ints, and_ints, ints, vandq_u32(a, b))
GRZ_BINARY(ints, or_ints, ints, vorrq_u32(a, b))
GRZ_BINARY(ints, min_unsigned, ints, vminq_u32(a, b))

static inline ints min_ints(ints a, ints b)
{
    return vreinterpretq_u32_s32(vminq_s32(vreinterpretq_s32_u32(a), vreinterpretq_s32_u32(b)));
}

static inline ints shift_left(ints a, uint32_t count)
{
    return vshlq_u32(a, vdupq_n_s32((int32_t)count));
}

static inline ints shift_right(ints a, uint32_t count)
{
    return vshlq_u32(a, vdupq_n_s32(-(int32_t)count));
}

static inline ints rotate_ints(ints a, uint32_t count)
{
    return vorrq_u32(shift_left(a, count), shift_right(a, 32 - count));
}

static inline ints swap_shorts(ints a)
{
    return vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(a)));
}

GRZ_BINARY(floats_mask, equal_ints, ints, vceqq_u32(a, b))

static inline floats_mask less_ints(ints a, ints b)
{
    return vcltq_s32(vreinterpretq_s32_u32(a), vreinterpretq_s32_u32(b));
}

static inline ints count_in(ints a, floats_mask mask)
{
    return vsubq_u32(a, mask);
}

GRZ_BINARY(floats_mask, mask_and, floats_mask, vandq_u32(a, b))
GRZ_BINARY(floats_mask, mask_or, floats_mask, vorrq_u32(a, b))
GRZ_BINARY(floats_mask, mask_but_not, floats_mask, vbicq_u32(a, b))

static inline uint32_t mask_bits(floats_mask mask)
{
    static const uint32_t bits[GRZ_WIDTH] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(mask, vld1q_u32(bits)));
}

GRZ_BINARY(doubles_mask, mask_and_d, doubles_mask, vandq_u64(a, b))
GRZ_BINARY(doubles_mask, mask_or_d, doubles_mask, vorrq_u64(a, b))
GRZ_BINARY(doubles_mask, mask_but_not_d, doubles_mask, vbicq_u64(a, b))

static inline uint32_t mask_bits_d(doubles_mask mask)
{
    static const uint64_t bits[GRZ_WIDTH_D] = {1, 2};
    return (uint32_t)vaddvq_u64(vandq_u64(mask, vld1q_u64(bits)));
}

GRZ_UNARY(doubles, widen_low, floats, vcvt_f64_f32(vget_low_f32(a)))
GRZ_UNARY(doubles, widen_high, floats, vcvt_high_f64_f32(a))

static inline floats narrow_doubles(doubles low, doubles high)
{
    return vcvt_high_f32_f64(vcvt_f32_f64(low), high);
}

static inline ints truncate_doubles(doubles low, doubles high)
{
    const int32x2_t lower = vmovn_s64(vcvtq_s64_f64(low));
    return vreinterpretq_u32_s32(vmovn_high_s64(lower, vcvtq_s64_f64(high)));
}

static inline ints floor_doubles(doubles low, doubles high)
{
    const int32x2_t lower = vmovn_s64(vcvtmq_s64_f64(low));
    return vreinterpretq_u32_s32(vmovn_high_s64(lower, vcvtmq_s64_f64(high)));
}

static inline void load_points(const graze_vec2 *from, floats *x, floats *y)
{
    const float32x4x2_t parted = vld2q_f32(&from->x);
    *x = parted.val[0];
    *y = parted.val[1];
}

static inline void store_points(graze_vec2 *to, floats x, floats y)
{
    const float32x4x2_t parted = {{x, y}};
    vst2q_f32(&to->x, parted);
}

static inline void load_boxes(const graze_aabb *from, floats *lower_x, floats *lower_y,
                              floats *upper_x, floats *upper_y)
{
    const float32x4x4_t parted = vld4q_f32(&from->lower.x);
    *lower_x = parted.val[0];
    *lower_y = parted.val[1];
    *upper_x = parted.val[2];
    *upper_y = parted.val[3];
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
    const float32x4x4_t parted = {{lower_x, lower_y, upper_x, upper_y}};
    vst4q_f32(&to->lower.x, parted);
}

static inline void gather_points(const graze_vec2 *from, const uint32_t *index, doubles *x,
                                 doubles *y)
{
    const doubles first = vcvt_f64_f32(vld1_f32(&from[index[0]].x));
    const doubles second = vcvt_f64_f32(vld1_f32(&from[index[1]].x));
    *x = vzip1q_f64(first, second);
    *y = vzip2q_f64(first, second);
}

static inline void gather_pairs(const double *from, const uint32_t *index, doubles *x, doubles *y)
{
    const doubles first = vld1q_f64(&from[index[0]]), second = vld1q_f64(&from[index[1]]);
    *x = vzip1q_f64(first, second);
    *y = vzip2q_f64(first, second);
}

static inline void scatter_pairs(double *to, const uint32_t *index, doubles x, doubles y)
{
    vst1q_f64(&to[index[0]], vzip1q_f64(x, y));
    vst1q_f64(&to[index[1]], vzip2q_f64(x, y));
}

static inline ints gather_vectors(const graze_vec2 *from, const uint32_t *index)
{
    const float32x2_t first = vld1_f32(&from[index[0]].x), second = vld1_f32(&from[index[1]].x);
    return vreinterpretq_u32_f32(vcombine_f32(first, second));
}

static inline ints gather_ints(const uint32_t *from, const uint32_t *index, uint32_t stride)
{
    const uint32_t lanes[GRZ_WIDTH] = {from[index[0]], from[index[stride]], from[index[2 * stride]],
                                       from[index[3 * stride]]};
    return vld1q_u32(lanes);
}

static inline ints gather_halves(const uint32_t *from, const uint32_t *low, const uint32_t *high)
{
    const uint32_t lanes[GRZ_WIDTH] = {from[low[0]], from[low[1]], from[high[0]], from[high[1]]};
    return vld1q_u32(lanes);
}

static inline void load_pairs(const void *from, ints *a, ints *b)
{
    const char *next = from;
    const ints first = read_ints(next), second = read_ints(next + 16);
    *a = vuzp1q_u32(first, second);
    *b = vuzp2q_u32(first, second);
}

static inline void load_threes(const void *from, ints *a, ints *b, ints *c)
{
    const char *next = from;
    uint32_t words[3 * GRZ_WIDTH];
    vst1q_u32(words, read_ints(next));
    vst1q_u32(words + 4, read_ints(next + 16));
    vst1q_u32(words + 8, read_ints(next + 32));
    const uint32x4x3_t parted = vld3q_u32(words);
    *a = parted.val[0];
    *b = parted.val[1];
    *c = parted.val[2];
}

static inline void store_longs(uint64_t *to, ints low, ints high)
{
    vst1q_u64(to, vreinterpretq_u64_u32(vzip1q_u32(low, high)));
    vst1q_u64(to + 2, vreinterpretq_u64_u32(vzip2q_u32(low, high)));
}

static inline ints number_lanes(void)
{
    static const uint32_t numbers[GRZ_WIDTH] = {0, 1, 2, 3};
    return vld1q_u32(numbers);
}

static inline floats_mask first_lanes(uint32_t count)
{
    return vcltq_u32(number_lanes(), vdupq_n_u32(count));
}

static inline ints keep_ints(floats_mask mask, ints a)
{
    return vandq_u32(mask, a);
}

static inline ints select_ints(floats_mask mask, ints a, ints b)
{
    return vbslq_u32(mask, a, b);
}

GRZ_UNARY(doubles, negate_doubles, doubles, vnegq_f64(a))
GRZ_UNARY(doubles, absolute_doubles, doubles, vabsq_f64(a))

static inline void load_rows(const float *from, uint32_t stride, doubles columns[4])
{
    const floats first = load_floats(from), second = load_floats(from + stride);
    const floats low = vzip1q_f32(first, second), high = vzip2q_f32(first, second);
    columns[0] = widen_low(low);
    columns[1] = widen_high(low);
    columns[2] = widen_low(high);
    columns[3] = widen_high(high);
}

static inline void store_rows(float *to, uint32_t stride, doubles a, doubles b, doubles c,
                              doubles d)
{
    const floats low = narrow_doubles(a, b), high = narrow_doubles(c, d);
    store_floats(to, vuzp1q_f32(low, high));
    store_floats(to + stride, vuzp2q_f32(low, high));
}

GRZ_BINARY(floats, low_halves, floats, vcombine_f32(vget_low_f32(a), vget_low_f32(b)))
GRZ_BINARY(floats, high_halves, floats, vcombine_f32(vget_high_f32(a), vget_high_f32(b)))
GRZ_UNARY(float64x2_t, mix_halves, floats, vreinterpretq_f64_f32(vzip1q_f32(a, vextq_f32(a, a, 2))))

static inline void store_octets(float *to, floats a, floats b, floats c, floats d)
{
    const float64x2_t mixed_a = mix_halves(a), mixed_b = mix_halves(b);
    const float64x2_t mixed_c = mix_halves(c), mixed_d = mix_halves(d);
    store_floats(to, vreinterpretq_f32_f64(vzip1q_f64(mixed_a, mixed_b)));
    store_floats(to + 4, vreinterpretq_f32_f64(vzip1q_f64(mixed_c, mixed_d)));
    store_floats(to + 8, vreinterpretq_f32_f64(vzip2q_f64(mixed_a, mixed_b)));
    store_floats(to + 12, vreinterpretq_f32_f64(vzip2q_f64(mixed_c, mixed_d)));
}

static inline void pack_octets(void *to, uint32_t bits, ints a, floats b, floats c, floats d)
{
    uint8_t *first = to, *second = first + 32 * (bits & 1);
    const float64x2_t mixed_a = mix_halves(vreinterpretq_f32_u32(a)), mixed_b = mix_halves(b);
    const float64x2_t mixed_c = mix_halves(c), mixed_d = mix_halves(d);
    vst1q_u8(first, vreinterpretq_u8_f64(vzip1q_f64(mixed_a, mixed_b)));
    vst1q_u8(first + 16, vreinterpretq_u8_f64(vzip1q_f64(mixed_c, mixed_d)));
    vst1q_u8(second, vreinterpretq_u8_f64(vzip2q_f64(mixed_a, mixed_b)));
    vst1q_u8(second + 16, vreinterpretq_u8_f64(vzip2q_f64(mixed_c, mixed_d)));
}

static inline uint32_t store_fours(bool *to, floats_mask a, floats_mask b, floats_mask c,
                                   floats_mask d)
{
    const uint32x4_t all = vpminq_u32(vpminq_u32(a, b), vpminq_u32(c, d));
    const uint16x4_t words = vmovn_u32(vshrq_n_u32(all, 31));
    const uint8x8_t bytes = vmovn_u16(vcombine_u16(words, words));
    const uint32_t four = vget_lane_u32(vreinterpret_u32_u8(bytes), 0);
    memcpy(to, &four, sizeof four);
    return vaddv_u16(words);
}

#include "lanes_four.h"

#endif
