/// @file checksum.h
/// A checksum that detects damage, not forgery.
///
/// Every byte counts, with its position. A change within one aligned group of 4 bytes always
/// changes the checksum; of other changes at most one in 2^32 goes unnoticed, of large ones one in
/// 2^64. It is the same on all machines.
///
/// Source     Independent chains that multiply and rotate: Y. Collet, xxHash, 2012; the multiplier:
///            D. E. Knuth, The Art of Computer Programming 3, 6.4, 1973.
#ifndef GRZ_CHECKSUM_H
#define GRZ_CHECKSUM_H

#include "lanes_choice.h"

#include <stddef.h>
#include <stdint.h>

enum {
    GRZ_CHECKSUM_LANES = 64,
    GRZ_CHECKSUM_BLOCK = 256, ///< Bytes: a word for each lane.
    GRZ_CHECKSUM_TURN = 16    ///< Bits that a word is rotated by.
};

#define GRZ_CHECKSUM_FACTOR 0x9e3779b1u ///< A prime next to 2^32 over the golden ratio.

/// The loop that exists for each set of lanes: adds whole blocks.
typedef struct grz_checksum_loops {
    void (*add_blocks)(uint32_t lanes[GRZ_CHECKSUM_LANES], const unsigned char *bytes,
                       size_t count);
} grz_checksum_loops;

GRZ_DECLARE_WIDE(grz_checksum_loops, grz_checksum_loops);

/// A sum under way.
typedef struct grz_checksum {
    uint32_t lanes[GRZ_CHECKSUM_LANES];
    uint64_t size; ///< Bytes so far.
    const grz_checksum_loops *loops;
} grz_checksum;

/// Begins a sum of no bytes.
void grz_checksum_begin(grz_checksum *sum);

/// Adds bytes, of any alignment. Only in the last call may `size` be other than a multiple of
/// GRZ_CHECKSUM_BLOCK.
void grz_checksum_add(grz_checksum *sum, const void *bytes, size_t size);

/// Adds another sum, without its size, as if its lanes were a block.
void grz_checksum_add_sum(grz_checksum *sum, const grz_checksum *part);

/// Returns the sum.
uint64_t grz_checksum_end(const grz_checksum *sum);

/// Returns the sum of bytes in one piece.
uint64_t grz_checksum_of(const void *bytes, size_t size);

#endif
