/// @file snapshot_sum_lanes.h
/// Part of snapshot_wide.h: blocks of the checksum added, and written and checked on the way.
#ifndef GRZ_SNAPSHOT_SUM_LANES_H
#define GRZ_SNAPSHOT_SUM_LANES_H

#include "hash/checksum.h"
#include "prefetch.h"
#include "snapshot/snapshot.h"

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

// What is too large is found in sign bits, by sums, and gathered by or: every set has instructions
// for these, where SSE2 takes ten for a lower_ints. Other bits mean nothing.
static uint32_t sign_bits(ints found)
{
    return mask_bits(less_ints(found, fill_ints(0)));
}

// Where the pattern of a float is above `most`, which is not negative, or is negative itself.
static inline ints sign_above(ints pattern, uint32_t most)
{
    return or_ints(pattern, add_ints(pattern, fill_ints(INT32_MAX - most)));
}

/// What was found of floats that may be negative.
typedef struct float_check {
    ints large; ///< In the sign: some are infinite, NaN, or beyond the most that they may be.
    ints least; ///< Of their patterns, as int32_t: that of -0 if it is among them.
} float_check;

static inline float_check check_no_floats(void)
{
    const float_check found = {fill_ints(0), fill_ints(0)};
    return found;
}

// `most` is a pattern that is not negative.
static inline void check_floats(float_check *found, ints pattern, uint32_t most)
{
    const ints size = and_ints(pattern, fill_ints(GRZ_PATTERN_MAGNITUDE));
    found->large = or_ints(found->large, add_ints(size, fill_ints(INT32_MAX - most)));
    found->least = lesser_ints(found->least, pattern);
}

static uint32_t are_strange(const float_check *found)
{
    return sign_bits(found->large) | mask_bits(equal_ints(found->least, fill_ints(0x80000000)));
}

/// Where the words of blocks come from. What is written from nowhere is 0.
typedef enum word_source { FROM_BYTES, FROM_VECTORS, FROM_NUMBERS, FROM_NOWHERE } word_source;

typedef struct block_source {
    const void *from;     ///< Bytes, or a column.
    const uint32_t *rows; ///< Of the column.
} block_source;

static inline ints take_words(const block_source *of, size_t word, word_source source)
{
    switch (source) {
    case FROM_BYTES:
        return read_ints((const unsigned char *)of->from + word * sizeof(uint32_t));
    case FROM_VECTORS:
        return gather_vectors(of->from, of->rows + word / 2);
    case FROM_NUMBERS:
        return gather_ints(of->from, of->rows + word, 1);
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
static inline void pass_four(ints sums[4], unsigned char *to, const block_source *of, size_t word,
                             word_source source, word_use use)
{
    ints words[4];
    for (uint32_t v = 0; v < 4; ++v) {
        words[v] = take_words(of, word + v * GRZ_WIDTH, source);
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
// Data    256 bytes a block, read once and written once: what waits for memory has time for more.
// Branch  None.
// Order   Lane k adds words k, k + 64 ... Where lanes are few, half of each block comes after the
//         other half of some kilobytes.
static inline void pass_blocks(uint32_t *lanes, unsigned char *to, const block_source *of,
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
                    pass_four(sums + v, to, of, word, source, use);
                }
            }
            store_sums(lanes + first, sums);
        }
    }
}

// Starts to load what comes some parts of 64 elements later: what is computed between two parts is
// more than a machine looks ahead, so it would wait for each anew (bench: engine/snapshot_load).
static inline void fetch_ahead(const unsigned char *next, size_t size)
{
    enum { AHEAD = 256, LINE = 64 };
    for (size_t at = 0; at < GRZ_WIDTH * size; at += LINE) {
        GRZ_PREFETCH(next + AHEAD * size + at);
    }
}

// Some blocks of a column, from a byte on.
static inline void pass_column(const grz_column_copy *column, size_t place, uint32_t blocks,
                               ints *seen)
{
    const block_source source = {column->from + place, NULL};
    const word_use use = {true, NULL, seen};
    pass_blocks(column->sum, column->to + place, &source, blocks, FROM_BYTES, use);
}

#endif
