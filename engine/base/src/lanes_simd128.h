/// @file lanes_simd128.h
/// What WebAssembly SIMD has instructions for and C has no words. Included by lanes_begin.h alone.
#ifndef GRZ_LANES_SIMD128_H
#define GRZ_LANES_SIMD128_H

#include <wasm_simd128.h>

GRZ_UNARY(doubles, sqrt_doubles, doubles, (doubles)wasm_f64x2_sqrt((v128_t)a))
GRZ_UNARY(doubles, absolute_doubles, doubles, (doubles)wasm_f64x2_abs((v128_t)a))
GRZ_UNARY(uint32_t, mask_bits, floats_mask, (uint32_t)wasm_i32x4_bitmask((v128_t)a))
GRZ_UNARY(uint32_t, mask_bits_d, doubles_mask, (uint32_t)wasm_i64x2_bitmask((v128_t)a))
GRZ_UNARY(doubles, widen_low, floats, (doubles)wasm_f64x2_promote_low_f32x4((v128_t)a))

static inline doubles widen_high(floats a)
{
    const floats high = __builtin_shufflevector(a, a, 2, 3, 2, 3);
    return widen_low(high);
}

static inline floats narrow_doubles(doubles low, doubles high)
{
    const floats lower = (floats)wasm_f32x4_demote_f64x2_zero((v128_t)low);
    const floats upper = (floats)wasm_f32x4_demote_f64x2_zero((v128_t)high);
    return __builtin_shufflevector(lower, upper, 0, 1, 4, 5);
}

static inline ints truncate_doubles(doubles low, doubles high)
{
    const ints lower = (ints)wasm_i32x4_trunc_sat_f64x2_zero((v128_t)low);
    const ints upper = (ints)wasm_i32x4_trunc_sat_f64x2_zero((v128_t)high);
    return __builtin_shufflevector(lower, upper, 0, 1, 4, 5);
}

static inline ints floor_doubles(doubles low, doubles high)
{
    return truncate_doubles((doubles)wasm_f64x2_floor((v128_t)low),
                            (doubles)wasm_f64x2_floor((v128_t)high));
}

#endif
