/// @file snapshot_wide.h
/// The loops over whole columns of a snapshot: see lanes.h. Checks are plain loops over words,
/// which compilers widen by themselves to what the set has; sums need more than one chain.

#include "bodies.h"
#include "checksum.h"
#include "snapshot.h"

#include <string.h>

// --- The checksum ---

static ints mix_lanes(ints sum, ints words)
{
    return rotate_ints(mul_ints(add_ints(sum, words), fill_ints(GRZ_CHECKSUM_FACTOR)),
                       GRZ_CHECKSUM_TURN);
}

// HOT. bench: engine/snapshot_save, engine/snapshot_load
//
// Data    256 bytes a block, read while they are near.
// Branch  None.
// Order   Lane k adds words k, k + 64 ... Four vectors at a time do not wait for each other.
static void add_blocks(uint32_t *lanes, const unsigned char *bytes, size_t count)
{
    for (uint32_t first = 0; first < GRZ_CHECKSUM_LANES; first += 4 * GRZ_WIDTH) {
        const unsigned char *next = bytes + first * sizeof *lanes;
        uint32_t *to = lanes + first;
        ints a = load_ints(to), b = load_ints(to + GRZ_WIDTH);
        ints c = load_ints(to + 2 * GRZ_WIDTH), d = load_ints(to + 3 * GRZ_WIDTH);
        for (size_t i = 0; i < count; ++i, next += GRZ_CHECKSUM_BLOCK) {
            a = mix_lanes(a, read_ints(next));
            b = mix_lanes(b, read_ints(next + sizeof a));
            c = mix_lanes(c, read_ints(next + 2 * sizeof a));
            d = mix_lanes(d, read_ints(next + 3 * sizeof a));
        }
        store_ints(to, a);
        store_ints(to + GRZ_WIDTH, b);
        store_ints(to + 2 * GRZ_WIDTH, c);
        store_ints(to + 3 * GRZ_WIDTH, d);
    }
}

// --- Indices ---

static uint32_t list_words(uint64_t bits, const uint32_t *words, uint32_t *listed)
{
    const uint32_t lanes = (1u << GRZ_WIDTH) - 1;
    uint32_t count = 0;
    if (bits == UINT64_MAX) {
        memcpy(listed, words, 64 * sizeof *words);
        return 64;
    }
    for (uint32_t k = 0; k < 64; k += GRZ_WIDTH) {
        const uint32_t some = (uint32_t)(bits >> k) & lanes;
        pack_ints(listed + count, some, load_ints(words + k));
        count += count_bits(some);
    }
    return count;
}

// Places of retired bodies are negative numbers: see grz_is_retired.
static uint64_t list_rows(const uint32_t *row_of_index, uint32_t first, uint64_t bits,
                          uint32_t *indices, uint32_t *rows, uint32_t *count)
{
    ints index = add_ints(number_lanes(), fill_ints(first));
    uint32_t listed = 0;
    uint64_t all = 0;
    for (uint32_t k = 0; k < 64 && bits >> k; k += GRZ_WIDTH) {
        const ints row = load_ints(row_of_index + first + k);
        const uint32_t lanes = (uint32_t)(bits >> k);
        const floats_mask above = less_ints(row, fill_ints(0));
        const floats_mask in_world = mask_but_not(less_ints(row, fill_ints(GRZ_NONE)), above);
        const uint32_t some = mask_bits(in_world) & lanes;
        pack_ints(indices + listed, some, index);
        pack_ints(rows + listed, some, row);
        listed += count_bits(some);
        all |= (uint64_t)some << k;
        index = add_ints(index, fill_ints(GRZ_WIDTH));
    }
    *count += listed;
    return all;
}

// --- Checks ---

// Not one of infinite, NaN, or -0: without the sign bit, and one less for negative numbers, these
// are the largest.
static uint32_t check_numbers(const unsigned char *words, size_t count)
{
    uint32_t wrong = 0;
    for (size_t k = 0; k < count; ++k) {
        const uint32_t pattern = grz_word_at(words, k);
        wrong |= (pattern << 1) - (pattern >> 31) >= 0xfeffffff;
    }
    return wrong;
}

// No bits but those of forms, and not both of a rect and a ray.
static uint32_t check_bodies(const unsigned char *bodies, size_t count, uint32_t *forms)
{
    uint32_t wrong = 0, all = 0;
    for (size_t k = 0; k < count; ++k) {
        const uint32_t generation = grz_word_at(bodies, 2 * k),
                       form = grz_word_at(bodies, 2 * k + 1);
        wrong |= (uint32_t)(generation == 0) | (form & ~GRZ_FORM_ALL);
        wrong |= form & GRZ_FORM_RECT & (form & GRZ_FORM_RAY) >> 1;
        all |= form;
    }
    *forms |= all;
    return wrong;
}

static uint32_t check_halves(const unsigned char *halves, const uint32_t *forms, size_t count)
{
    uint32_t wrong = 0;
    for (size_t k = 0; k < count; ++k) {
        const uint32_t x = grz_word_at(halves, 2 * k), y = grz_word_at(halves, 2 * k + 1);
        const uint32_t rect = (uint32_t)((forms[k] & GRZ_FORM_RECT) == 0) - 1;
        const uint32_t ray = (uint32_t)((forms[k] & GRZ_FORM_RAY) == 0) - 1;
        wrong |= (x >= GRZ_PATTERN_INFINITE) | (y >= GRZ_PATTERN_INFINITE);
        wrong |= rect & ((x == 0) | (y == 0));
        wrong |= (~rect & (x ^ y)) | (ray & x);
    }
    return wrong;
}

static uint32_t check_matters(const unsigned char *matters, size_t count)
{
    uint32_t wrong = 0;
    for (size_t k = 0; k < count; ++k) {
        wrong |= grz_word_at(matters, 3 * k) >= GRZ_PATTERN_INFINITE;
        wrong |= grz_word_at(matters, 3 * k + 1) > GRZ_PATTERN_ONE;
        wrong |= grz_word_at(matters, 3 * k + 2) > GRZ_PATTERN_ONE;
    }
    return wrong;
}

static uint32_t check_lives(const unsigned char *lives, size_t count)
{
    uint32_t wrong = 0;
    for (size_t k = 0; k < count; ++k) {
        wrong |= grz_word_at(lives, 3 * k) >= GRZ_PATTERN_INFINITE;
    }
    return wrong;
}

// Without a limit, one less than it is the largest number there is.
static uint32_t count_spent(const unsigned char *lives, size_t count)
{
    uint32_t spent = 0;
    for (size_t k = 0; k < count; ++k) {
        spent += grz_word_at(lives, 3 * k + 2) > grz_word_at(lives, 3 * k + 1) - 1;
    }
    return spent;
}

static uint32_t check_turns(const unsigned char *angles, const unsigned char *spins,
                            const uint32_t *forms, size_t count)
{
    uint32_t wrong = 0;
    for (size_t k = 0; k < count; ++k) {
        const uint32_t angle = grz_word_at(angles, k), spin = grz_word_at(spins, k);
        const uint32_t not_rect = 0 - (uint32_t)((forms[k] & GRZ_FORM_RECT) == 0);
        wrong |= (angle & GRZ_PATTERN_MAGNITUDE) > GRZ_PATTERN_HALF_TURN;
        wrong |= not_rect & (angle | spin);
    }
    return wrong;
}

// --- Traits ---

// HOT. bench: engine/snapshot_load
//
// Data    32 bytes an index read, 4 written.
// Branch  None.
static void fill_traits(const uint32_t *forms, const grz_matter *matters, const grz_life *lives,
                        size_t count, uint32_t *traits)
{
    for (size_t k = 0; k < count; ++k) {
        const grz_trait_source from = {
            .kind = forms[k] >> GRZ_FORM_KIND_SHIFT & 3,
            .response = forms[k] >> GRZ_FORM_RESPONSE_SHIFT & 3,
            .sensor = forms[k] >> GRZ_FORM_SENSOR_SHIFT & 1,
            .hit_limit = lives[k].hit_limit,
            .hit_count = lives[k].hit_count,
            .mass = matters[k].mass,
            .lifetime = lives[k].lifetime,
            .spin = 0,
        };
        traits[k] = grz_traits_from(from);
    }
}

const grz_snapshot_loops GRZ_WIDE(grz_snapshot_loops) = {
    add_blocks,   list_words,    list_rows,   fill_traits, check_numbers, check_bodies,
    check_halves, check_matters, check_lives, count_spent, check_turns,
};
