/// @file checksum.h
/// A sum of bytes that tells damage, not forgery.
#ifndef GRZ_CHECKSUM_H
#define GRZ_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// Returns a number that every byte and its place go into, the same on every machine whose byte
/// order is the same. Bytes that differ within 8 in a row, from a multiple of 8 on, never have the
/// same sum; any others one time in 2^64. `bytes` may have any alignment.
///
/// Cost       Linear, less than that of copying the bytes: it waits for memory.
/// Source     Independent chains that multiply and rotate: Y. Collet, xxHash, 2012; the multiplier:
///            D. E. Knuth, The Art of Computer Programming 3, 6.4, 1973.
uint64_t grz_checksum(const void *bytes, size_t size);

#endif
