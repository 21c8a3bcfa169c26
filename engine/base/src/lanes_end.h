/// @file lanes_end.h
/// Closes what lanes_begin.h opened.

#if GRZ_LANES == GRZ_LANES_AVX2 || GRZ_LANES == GRZ_LANES_AVX512
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
