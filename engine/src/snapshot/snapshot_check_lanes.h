/// @file snapshot_check_lanes.h
/// Part of snapshot_wide.h: checks of single columns, and of kept bodies. Plain loops over words
/// where compilers vectorize them for the set by themselves.
#ifndef GRZ_SNAPSHOT_CHECK_LANES_H
#define GRZ_SNAPSHOT_CHECK_LANES_H

#include "snapshot/snapshot.h"
#include "snapshot/snapshot_column_lanes.h"

#include <string.h>

// Finds infinity, NaN and -0: as words without the sign bit, less one for negative numbers, these
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

/// Findings on kept bodies, in each lane.
typedef struct kept_lanes {
    ints wrong; ///< In the sign bit; other bits mean nothing.
    ints odd;   ///< Not 0 if something is wrong.
    ints rects, rays, rotations;
    float_check turns;
} kept_lanes;

/// What the kinds of bodies are.
typedef struct kind_lanes {
    ints one_if_rect;
    ints no_rects; ///< All bits are set if it is none.
    ints unturned; ///< Likewise if it has no rotation.
    floats_mask rays;
} kind_lanes;

// Both half extents of a rect are above 0, both of anything else are the same, and a ray's are 0.
// As words, 0 and negative numbers have the sign bit set after 1 is subtracted, except -0: that has
// it after `beyond` is added, and so has infinity.
static inline void check_halves(const unsigned char *halves, const kind_lanes *kinds,
                                kept_lanes *found)
{
    ints x, y;
    load_pairs(halves, &x, &y);
    const ints beyond = fill_ints(INT32_MAX - (GRZ_PATTERN_INFINITE - 1));
    const ints high = or_ints(add_ints(x, beyond), add_ints(y, beyond));
    const ints low = or_ints(sub_ints(x, kinds->one_if_rect), sub_ints(y, kinds->one_if_rect));
    const ints uneven = and_ints(kinds->no_rects, sub_ints(x, y));
    found->wrong = or_ints(found->wrong, or_ints(high, low));
    found->odd = or_ints(found->odd, or_ints(uneven, keep_ints(kinds->rays, x)));
}

// All bits are set where a row has no rotation: neither a rect nor a rigid circle.
static inline ints find_unturned(ints traits)
{
    const ints round = and_ints(traits, fill_ints(GRZ_TRAIT_KIND | GRZ_TRAIT_RIGID));
    const floats_mask disc = equal_ints(round, fill_ints(GRZ_TRAIT_RIGID));
    const floats_mask rect =
        equal_ints(and_ints(traits, fill_ints(GRZ_TRAIT_KIND)), fill_ints(GRAZE_SHAPE_RECT));
    return select_ints(mask_or(disc, rect), fill_ints(0), fill_ints(UINT32_MAX));
}

// Angles are in [-pi, pi], spins are numbers, and only rects and rigid circles turn. Returns the
// trait of spinning rects.
static inline ints check_turns(const unsigned char *angles, const unsigned char *spins,
                               const kind_lanes *kinds, kept_lanes *found)
{
    const ints angle = read_ints(angles), spin = read_ints(spins);
    const ints none = fill_ints(0);
    check_floats(&found->turns, angle, GRZ_PATTERN_HALF_TURN);
    check_floats(&found->turns, spin, GRZ_PATTERN_INFINITE - 1);
    found->odd = or_ints(found->odd, and_ints(kinds->unturned, or_ints(angle, spin)));
    const ints turning = select_ints(equal_ints(spin, none), none, fill_ints(GRZ_TRAIT_SPINS));
    return select_ints(equal_ints(kinds->no_rects, none), turning, none);
}

/// Where the kept columns of some bodies are.
typedef struct kept_at {
    const unsigned char *halves, *angles, *spins; ///< The last two may be null.
} kept_at;

_Static_assert(GRZ_TRAIT_KIND == 3 && GRAZE_SHAPE_RECT == 1 && GRAZE_SHAPE_RAY == 2,
               "the first bit of traits is a rect's, the second a ray's");

static inline void check_kept_lanes(const kept_at *kept, size_t place, uint32_t *traits, bool turns,
                                    kept_lanes *found)
{
    const ints all = load_ints(traits + place), one = fill_ints(1);
    const ints one_if_rect = and_ints(all, one);
    const floats_mask rays = less_ints(one, and_ints(all, fill_ints(GRZ_TRAIT_KIND)));
    const ints unturned = find_unturned(all);
    const kind_lanes kinds = {one_if_rect, sub_ints(one_if_rect, one), unturned, rays};
    check_halves(kept->halves + place * sizeof(graze_vec2), &kinds, found);
    if (turns) {
        const unsigned char *angles = kept->angles + place * sizeof(float);
        const unsigned char *spins = kept->spins + place * sizeof(float);
        store_ints(traits + place, or_ints(all, check_turns(angles, spins, &kinds, found)));
    }
    found->rects = add_ints(found->rects, one_if_rect);
    found->rotations = add_ints(found->rotations, add_ints(unturned, one));
    found->rays = count_in(found->rays, rays);
}

static uint32_t add_up_lanes(ints numbers)
{
    uint32_t lanes[GRZ_WIDTH], sum = 0;
    store_ints(lanes, numbers);
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        sum += lanes[k];
    }
    return sum;
}

// Fewer than there are lanes: the others are circles of no size.
static void check_last_kept(const kept_at *kept, size_t place, uint32_t *traits, size_t count,
                            kept_lanes *found)
{
    unsigned char halves[GRZ_WIDTH * sizeof(graze_vec2)] = {0};
    unsigned char angles[GRZ_WIDTH * sizeof(float)] = {0}, spins[GRZ_WIDTH * sizeof(float)] = {0};
    uint32_t padded[GRZ_WIDTH] = {0};
    const kept_at part = {halves, angles, spins};
    memcpy(padded, traits + place, count * sizeof *traits);
    memcpy(halves, kept->halves + place * sizeof(graze_vec2), count * sizeof(graze_vec2));
    if (kept->angles) {
        memcpy(angles, kept->angles + place * sizeof(float), count * sizeof(float));
        memcpy(spins, kept->spins + place * sizeof(float), count * sizeof(float));
    }
    check_kept_lanes(&part, 0, padded, true, found);
    memcpy(traits + place, padded, count * sizeof *traits);
}

static void check_some_kept(const kept_at *kept, size_t first, size_t count, uint32_t *traits,
                            kept_lanes *found)
{
    kept_lanes all = *found; // A copy: to the compiler, writing traits might change `found`.
    size_t k = first;
    for (; k + GRZ_WIDTH <= count; k += GRZ_WIDTH) {
        fetch_ahead(kept->halves + k * sizeof(graze_vec2), sizeof(graze_vec2));
        if (kept->angles) {
            fetch_ahead(kept->angles + k * sizeof(float), sizeof(float));
            fetch_ahead(kept->spins + k * sizeof(float), sizeof(float));
            check_kept_lanes(kept, k, traits, true, &all);
        } else {
            check_kept_lanes(kept, k, traits, false, &all);
        }
    }
    if (k < count) {
        check_last_kept(kept, k, traits, count - k, &all);
    }
    *found = all;
}

// For GRZ_ROWS_WHOLE bodies. Returns the bits that are set in any word.
static inline ints copy_kept(const grz_kept_part *kept, size_t place)
{
    ints seen = fill_ints(0);
    pass_column(&kept->halves, place * sizeof(graze_vec2), 2, &seen);
    if (kept->angles.from) {
        pass_column(&kept->angles, place * sizeof(float), 1, &seen);
        pass_column(&kept->spins, place * sizeof(float), 1, &seen);
    }
    return seen;
}

_Static_assert(GRZ_ROWS_WHOLE * sizeof(graze_vec2) == (size_t)2 * GRZ_CHECKSUM_BLOCK &&
                   GRZ_ROWS_WHOLE * sizeof(float) == GRZ_CHECKSUM_BLOCK,
               "GRZ_ROWS_WHOLE rows fill whole blocks");

static inline bool is_none(ints bits)
{
    return mask_bits(equal_ints(bits, fill_ints(0))) == (1u << GRZ_WIDTH) - 1;
}

// Of GRZ_ROWS_WHOLE bodies.
static inline bool are_all_rays(const uint32_t *traits)
{
    ints all = load_ints(traits);
    for (uint32_t k = GRZ_WIDTH; k < GRZ_ROWS_WHOLE; k += GRZ_WIDTH) {
        all = and_ints(all, load_ints(traits + k));
    }
    return is_none(sub_ints(and_ints(all, fill_ints(GRAZE_SHAPE_RAY)), fill_ints(GRAZE_SHAPE_RAY)));
}

// HOT. bench: engine/snapshot_load
//
// Data    8 bytes of a body read and written, 8 more if any turns; 4 read, and written then.
// Branch  Whether all of 64 are rays, whose values are all 0: bullets are often created together.
static uint32_t check_kept(const grz_kept_part *kept, uint32_t *traits, size_t count,
                           grz_kind_counts *counts)
{
    const grz_kept_part local = *kept;
    const kept_at part = {local.halves.from, local.angles.from, local.spins.from};
    const ints none = fill_ints(0);
    kept_lanes found = {none, none, none, none, none, check_no_floats()};
    size_t k = 0;
    for (; local.halves.sum && k + GRZ_ROWS_WHOLE <= count; k += GRZ_ROWS_WHOLE) {
        const ints seen = copy_kept(&local, k);
        if (is_none(seen) && are_all_rays(traits + k)) {
            counts->rays += GRZ_ROWS_WHOLE;
        } else {
            check_some_kept(&part, k, k + GRZ_ROWS_WHOLE, traits, &found);
        }
    }
    check_some_kept(&part, k, count, traits, &found);
    counts->rects += add_up_lanes(found.rects);
    counts->rays += add_up_lanes(found.rays);
    counts->rotations += add_up_lanes(found.rotations);
    const uint32_t even = mask_bits(equal_ints(found.odd, none));
    return sign_bits(found.wrong) | (even ^ ((1u << GRZ_WIDTH) - 1)) | are_strange(&found.turns);
}

static uint32_t check_materials(const unsigned char *materials, size_t count)
{
    uint32_t wrong = 0;
    for (size_t k = 0; k < count; ++k) {
        wrong |= grz_word_at(materials, 5 * k) >= GRZ_PATTERN_INFINITE;
        wrong |= grz_surface_is_wrong(materials, 5 * k + 1);
    }
    return wrong;
}

static uint32_t check_dynamics(const unsigned char *dynamics, size_t count)
{
    uint32_t wrong = 0;
    for (size_t k = 0; k < count; ++k) {
        wrong |= grz_dynamics_are_wrong(dynamics, 6 * k);
    }
    return wrong;
}

#endif
