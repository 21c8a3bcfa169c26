/// @file checksum.h
/// A checksum that detects damage, not forgery. It is computed piece by piece, while the bytes are
/// cached.
///
/// Every byte counts, with its position. A change within one aligned group of 4 bytes always
/// changes the checksum; of other changes at most one in 2^32 goes unnoticed, of large ones one in
/// 2^64. It is the same on all machines of the same byte order, with any lanes.
///
/// Source     Independent chains that multiply and rotate: Y. Collet, xxHash, 2012; the multiplier:
///            D. E. Knuth, The Art of Computer Programming 3, 6.4, 1973.
#ifndef GRZ_CHECKSUM_H
#define GRZ_CHECKSUM_H

#include "checksum/checksum_state.h"
#include "lanes_choice.h"

#include <stddef.h>

enum {
    GRZ_CHECKSUM_BLOCK = 256, ///< Bytes: a word for each lane.
    GRZ_CHECKSUM_TURN = 16    ///< Bits that a word is rotated by: see swap_shorts.
};

#define GRZ_CHECKSUM_FACTOR 0x9e3779b1u ///< A prime next to 2^32 over the golden ratio.

/// The loops over blocks of GRZ_CHECKSUM_BLOCK bytes, whose words are added to the lanes of a sum:
/// see lanes.h.
typedef struct grz_checksum_loops {
    void (*add_blocks)(uint32_t *lanes, const unsigned char *bytes, size_t count);
    /// Adds blocks, and copies them.
    void (*copy_blocks)(uint32_t *lanes, unsigned char *to, const unsigned char *bytes,
                        size_t count);
} grz_checksum_loops;

GRZ_DECLARE_WIDE(grz_checksum_loops, grz_checksum_loops);

/// Returns the loops for a set of lanes.
const grz_checksum_loops *grz_checksum_loops_for(grz_lane_set lanes);

/// Begins a sum of no bytes.
void grz_checksum_begin(grz_checksum *sum);

/// Adds bytes, of any alignment. Only in the last call may `size` be other than a multiple of
/// GRZ_CHECKSUM_BLOCK.
///
/// Cost       With wide lanes less than that of reading the bytes.
void grz_checksum_add(grz_checksum *sum, const grz_checksum_loops *loops,
                      const unsigned char *bytes, size_t size);

/// Adds bytes likewise, and copies them.
void grz_checksum_copy(grz_checksum *sum, const grz_checksum_loops *loops, unsigned char *to,
                       const unsigned char *bytes, size_t size);

/// Adds another sum, without its size, as if its lanes were a block.
void grz_checksum_add_sum(grz_checksum *sum, const grz_checksum_loops *loops,
                          const grz_checksum *part);

/// Returns the sum.
uint64_t grz_checksum_end(const grz_checksum *sum);

/// Returns the sum of bytes in one piece.
uint64_t grz_checksum_of(const grz_checksum_loops *loops, const void *bytes, size_t size);

#endif
