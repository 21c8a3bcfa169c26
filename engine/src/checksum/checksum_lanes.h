/// @file checksum_lanes.h
/// Blocks of a checksum: added, and written and checked on the way. Included by wide headers alone.
#ifndef GRZ_CHECKSUM_LANES_H
#define GRZ_CHECKSUM_LANES_H

#include "checksum/checksum.h"
#include "checksum/float_check_lanes.h"

static inline ints mix_lanes(ints sum, ints words)
{
    return swap_shorts(mul_ints(add_ints(sum, words), fill_ints(GRZ_CHECKSUM_FACTOR)));
}

_Static_assert(GRZ_CHECKSUM_TURN == 16, "what mix_lanes does");

enum {
    /// Vectors at a time, none of which waits for another: as many as a block has, or 8. Fours.
    SUMS = GRZ_CHECKSUM_LANES / GRZ_WIDTH < 8 ? GRZ_CHECKSUM_LANES / GRZ_WIDTH : 8
};

static inline void load_sums(ints sums[SUMS], const uint32_t *lanes)
{
    for (uint32_t v = 0; v < SUMS; ++v) {
        sums[v] = load_ints(lanes + v * GRZ_WIDTH);
    }
}

static inline void store_sums(uint32_t *lanes, const ints sums[SUMS])
{
    for (uint32_t v = 0; v < SUMS; ++v) {
        store_ints(lanes + v * GRZ_WIDTH, sums[v]);
    }
}

/// Where the words of blocks come from. What is written from nowhere is 0.
typedef enum word_source { FROM_BYTES, FROM_VECTORS, FROM_NUMBERS, FROM_NOWHERE } word_source;

typedef struct block_source {
    const void *from;     ///< Bytes, or a column.
    const uint32_t *rows; ///< Of the column.
} block_source;

static inline ints take_words(const block_source *block, size_t word, word_source source)
{
    switch (source) {
    case FROM_BYTES:
        return read_ints((const unsigned char *)block->from + word * sizeof(uint32_t));
    case FROM_VECTORS:
        return gather_vectors(block->from, block->rows + word / 2);
    case FROM_NUMBERS:
        return gather_ints(block->from, block->rows + word, 1);
    default:
        return fill_ints(0);
    }
}

/// What is done with words besides adding them: known when this is compiled.
typedef struct word_use {
    bool writes;
    float_check *found; ///< Null: they are not checked as floats.
    ints *seen;         ///< Gets all bits that are set in any. Null: not wanted.
} word_use;

// Four vectors are read, then written, then added: all of them wait for memory at once.
static inline void pass_four(ints sums[4], unsigned char *to, const block_source *block,
                             size_t word, word_source source, word_use use)
{
    ints words[4];
    for (uint32_t v = 0; v < 4; ++v) {
        words[v] = take_words(block, word + v * GRZ_WIDTH, source);
    }
    if (use.writes) {
        for (uint32_t v = 0; v < 4; ++v) {
            write_ints(to + word * sizeof(uint32_t) + v * sizeof *words, words[v]);
        }
    }
    for (uint32_t v = 0; v < 4; ++v) {
        sums[v] = mix_lanes(sums[v], words[v]);
    }
    if (use.found) {
        for (uint32_t v = 0; v < 4; ++v) {
            check_floats(use.found, words[v], GRZ_PATTERN_INFINITE - 1);
        }
    }
    if (use.seen) {
        for (uint32_t v = 0; v < 4; ++v) {
            *use.seen = or_ints(*use.seen, words[v]);
        }
    }
}

// HOT. bench: engine/snapshot_save, engine/snapshot_load
//
// Data    256 bytes per block, read once and written once: what waits for memory has time for more.
// Branch  None.
// Order   Lane k adds words k, k + 64 ... Where lanes are few, half of each block comes after the
//         other half of some kilobytes.
static inline void pass_blocks(uint32_t *lanes, unsigned char *to, const block_source *block,
                               size_t count, word_source source, word_use use)
{
    enum { BLOCKS_AT_ONCE = 16 };
    for (size_t done = 0; done < count; done += BLOCKS_AT_ONCE) {
        const size_t end = count - done < BLOCKS_AT_ONCE ? count : done + BLOCKS_AT_ONCE;
        for (uint32_t first = 0; first < GRZ_CHECKSUM_LANES; first += SUMS * GRZ_WIDTH) {
            ints sums[SUMS];
            load_sums(sums, lanes + first);
            for (size_t i = done; i < end; ++i) {
                for (uint32_t v = 0; v < SUMS; v += 4) {
                    const size_t word = i * GRZ_CHECKSUM_LANES + first + v * GRZ_WIDTH;
                    pass_four(sums + v, to, block, word, source, use);
                }
            }
            store_sums(lanes + first, sums);
        }
    }
}

#endif
