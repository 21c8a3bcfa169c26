/// @file checksum_wide.h
/// Sums of whole blocks, many words at a time: see checksum.h and lanes.h.

#include "history/archive.h"
#include "history/checksum.h"

// HOT. bench: engine/snapshot_save, engine/snapshot_load
//
// Data    256 bytes per block.
// Branch  None.
// Lanes   Lane k adds words k, k + 64 ...
static void add_blocks(uint32_t lanes[GRZ_CHECKSUM_LANES], const unsigned char *bytes, size_t count)
{
    const ints factor = fill_ints(GRZ_CHECKSUM_FACTOR);
    for (size_t i = 0; i < count; ++i, bytes += GRZ_CHECKSUM_BLOCK) {
        for (uint32_t k = 0; k < GRZ_CHECKSUM_LANES; k += GRZ_WIDTH) {
            uint32_t words[GRZ_WIDTH];
            memcpy(words, bytes + k * sizeof *words, sizeof words);
            if (grz_is_big_endian()) {
                grz_form_turn(&grz_word_form, words, GRZ_WIDTH);
            }
            const ints mixed = mul_ints(add_ints(load_ints(lanes + k), load_ints(words)), factor);
            store_ints(lanes + k, or_ints(shift_left(mixed, GRZ_CHECKSUM_TURN),
                                          shift_right(mixed, 32 - GRZ_CHECKSUM_TURN)));
        }
    }
}

const grz_checksum_loops GRZ_WIDE(grz_checksum_loops) = {add_blocks};
