/// @file lanes_neon.h
/// What NEON, of 64-bit ARM, has instructions for and C has no words. Included by lanes_begin.h
/// alone.
#ifndef GRZ_LANES_NEON_H
#define GRZ_LANES_NEON_H

#include <arm_neon.h>

GRZ_UNARY(doubles, sqrt_doubles, doubles, (doubles)vsqrtq_f64((float64x2_t)a))
GRZ_UNARY(doubles, absolute_doubles, doubles, (doubles)vabsq_f64((float64x2_t)a))

static inline uint32_t mask_bits(floats_mask mask)
{
    const ints bits = {1, 2, 4, 8};
    return vaddvq_u32((uint32x4_t)(mask & bits));
}

static inline uint32_t mask_bits_d(doubles_mask mask)
{
    const longs bits = {1, 2};
    return (uint32_t)vaddvq_u64((uint64x2_t)(mask & bits));
}

GRZ_UNARY(doubles, widen_low, floats, (doubles)vcvt_f64_f32(vget_low_f32((float32x4_t)a)))
GRZ_UNARY(doubles, widen_high, floats, (doubles)vcvt_high_f64_f32((float32x4_t)a))

static inline floats narrow_doubles(doubles low, doubles high)
{
    return (floats)vcvt_high_f32_f64(vcvt_f32_f64((float64x2_t)low), (float64x2_t)high);
}

static inline ints truncate_doubles(doubles low, doubles high)
{
    const int32x2_t lower = vmovn_s64(vcvtq_s64_f64((float64x2_t)low));
    return (ints)vmovn_high_s64(lower, vcvtq_s64_f64((float64x2_t)high));
}

static inline ints floor_doubles(doubles low, doubles high)
{
    const int32x2_t lower = vmovn_s64(vcvtmq_s64_f64((float64x2_t)low));
    return (ints)vmovn_high_s64(lower, vcvtmq_s64_f64((float64x2_t)high));
}

#endif
