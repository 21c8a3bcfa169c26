/// @file lanes_neon.h
/// The operations of lanes.h by NEON, of 64-bit ARM. Included by lanes_begin.h alone.
#ifndef GRZ_LANES_NEON_H
#define GRZ_LANES_NEON_H

#include <arm_neon.h>

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

static inline floats add_floats(floats a, floats b)
{
    return vaddq_f32(a, b);
}

static inline floats sub_floats(floats a, floats b)
{
    return vsubq_f32(a, b);
}

static inline floats mul_floats(floats a, floats b)
{
    return vmulq_f32(a, b);
}

static inline floats div_floats(floats a, floats b)
{
    return vdivq_f32(a, b);
}

static inline floats root_floats(floats a)
{
    return vsqrtq_f32(a);
}

static inline floats lesser_floats(floats a, floats b)
{
    return vbslq_f32(vcltq_f32(a, b), a, b);
}

static inline floats greater_floats(floats a, floats b)
{
    return vbslq_f32(vcgtq_f32(a, b), a, b);
}

static inline floats_mask less_floats(floats a, floats b)
{
    return vcltq_f32(a, b);
}

static inline floats_mask at_most_floats(floats a, floats b)
{
    return vcleq_f32(a, b);
}

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

static inline doubles add_doubles(doubles a, doubles b)
{
    return vaddq_f64(a, b);
}

static inline doubles sub_doubles(doubles a, doubles b)
{
    return vsubq_f64(a, b);
}

static inline doubles mul_doubles(doubles a, doubles b)
{
    return vmulq_f64(a, b);
}

static inline doubles div_doubles(doubles a, doubles b)
{
    return vdivq_f64(a, b);
}

static inline doubles root_doubles(doubles a)
{
    return vsqrtq_f64(a);
}

static inline doubles lesser_doubles(doubles a, doubles b)
{
    return vbslq_f64(vcltq_f64(a, b), a, b);
}

static inline doubles greater_doubles(doubles a, doubles b)
{
    return vbslq_f64(vcgtq_f64(a, b), a, b);
}

static inline doubles_mask less_doubles(doubles a, doubles b)
{
    return vcltq_f64(a, b);
}

static inline doubles_mask at_most_doubles(doubles a, doubles b)
{
    return vcleq_f64(a, b);
}

static inline doubles select_doubles(doubles_mask mask, doubles a, doubles b)
{
    return vbslq_f64(mask, a, b);
}

static inline ints load_ints(const uint32_t *from)
{
    return vld1q_u32(from);
}

static inline void store_ints(uint32_t *to, ints a)
{
    vst1q_u32(to, a);
}

static inline ints fill_ints(uint32_t number)
{
    return vdupq_n_u32(number);
}

static inline ints add_ints(ints a, ints b)
{
    return vaddq_u32(a, b);
}

static inline ints sub_ints(ints a, ints b)
{
    return vsubq_u32(a, b);
}

static inline ints mul_ints(ints a, ints b)
{
    return vmulq_u32(a, b);
}

static inline ints and_ints(ints a, ints b)
{
    return vandq_u32(a, b);
}

static inline ints or_ints(ints a, ints b)
{
    return vorrq_u32(a, b);
}

static inline ints shift_ints(ints a, uint32_t count)
{
    return vshlq_u32(a, vdupq_n_s32((int32_t)count));
}

static inline floats_mask less_ints(ints a, ints b)
{
    return vcltq_s32(vreinterpretq_s32_u32(a), vreinterpretq_s32_u32(b));
}

static inline floats_mask mask_and(floats_mask a, floats_mask b)
{
    return vandq_u32(a, b);
}

static inline floats_mask mask_or(floats_mask a, floats_mask b)
{
    return vorrq_u32(a, b);
}

static inline floats_mask mask_but_not(floats_mask a, floats_mask b)
{
    return vbicq_u32(a, b);
}

static inline uint32_t mask_bits(floats_mask mask)
{
    static const uint32_t bits[GRZ_WIDTH] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(mask, vld1q_u32(bits)));
}

static inline doubles_mask mask_and_d(doubles_mask a, doubles_mask b)
{
    return vandq_u64(a, b);
}

static inline doubles_mask mask_or_d(doubles_mask a, doubles_mask b)
{
    return vorrq_u64(a, b);
}

static inline doubles_mask mask_but_not_d(doubles_mask a, doubles_mask b)
{
    return vbicq_u64(a, b);
}

static inline uint32_t mask_bits_d(doubles_mask mask)
{
    static const uint64_t bits[GRZ_WIDTH_D] = {1, 2};
    return (uint32_t)vaddvq_u64(vandq_u64(mask, vld1q_u64(bits)));
}

static inline doubles widen_low(floats a)
{
    return vcvt_f64_f32(vget_low_f32(a));
}

static inline doubles widen_high(floats a)
{
    return vcvt_high_f64_f32(a);
}

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

// Of four bits at most: sixteen digits, looked up.
static inline uint32_t count_bits(uint32_t bits)
{
    return (uint32_t)(UINT64_C(0x4332322132212110) >> bits * 4) & 7;
}

// Stored lane by lane, each over what the one before has left out: no branch decides.
static inline void pack_floats(float *to, uint32_t bits, floats a)
{
    float lane[GRZ_WIDTH];
    store_floats(lane, a);
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        *to = lane[k];
        to += bits >> k & 1;
    }
}

static inline void pack_ints(uint32_t *to, uint32_t bits, ints a)
{
    uint32_t lane[GRZ_WIDTH];
    store_ints(lane, a);
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        *to = lane[k];
        to += bits >> k & 1;
    }
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

static inline void gather_points(const graze_vec2 *from, const uint32_t *index, doubles *x,
                                 doubles *y)
{
    const doubles first = vcvt_f64_f32(vld1_f32(&from[index[0]].x));
    const doubles second = vcvt_f64_f32(vld1_f32(&from[index[1]].x));
    *x = vzip1q_f64(first, second);
    *y = vzip2q_f64(first, second);
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

static inline void load_pairs(const uint32_t *from, ints *a, ints *b)
{
    const uint32x4x2_t parted = vld2q_u32(from);
    *a = parted.val[0];
    *b = parted.val[1];
}

static inline void store_longs(uint64_t *to, ints low, ints high)
{
    vst1q_u64(to, vreinterpretq_u64_u32(vzip1q_u32(low, high)));
    vst1q_u64(to + 2, vreinterpretq_u64_u32(vzip2q_u32(low, high)));
}

static inline void pack_longs(uint64_t *to, uint32_t bits, const uint64_t *from)
{
    const uint64_t first = from[0], second = from[1];
    to[0] = first;
    to[bits & 1] = second;
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

static inline ints select_ints(floats_mask mask, ints a, ints b)
{
    return vbslq_u32(mask, a, b);
}

static inline uint32_t store_pairs(uint32_t *to, uint32_t bits, uint32_t a, ints b)
{
    uint32_t seconds[GRZ_WIDTH], count = 0;
    store_ints(seconds, b);
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        to[2 * count] = a;
        to[2 * count + 1] = seconds[k];
        count += bits >> k & 1;
    }
    return count;
}

static inline uint32_t store_few_pairs(uint32_t *to, uint32_t bits, uint32_t a, ints b)
{
    return store_pairs(to, bits, a, b);
}

static inline doubles negate_doubles(doubles a)
{
    return vnegq_f64(a);
}

static inline doubles absolute_doubles(doubles a)
{
    return vabsq_f64(a);
}

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

static inline floats low_halves(floats a, floats b)
{
    return vcombine_f32(vget_low_f32(a), vget_low_f32(b));
}

static inline floats high_halves(floats a, floats b)
{
    return vcombine_f32(vget_high_f32(a), vget_high_f32(b));
}

static inline float64x2_t mix_halves(floats a)
{
    return vreinterpretq_f64_f32(vzip1q_f32(a, vextq_f32(a, a, 2)));
}

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

#endif
