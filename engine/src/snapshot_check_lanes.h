/// @file snapshot_check_lanes.h
/// Part of snapshot_wide.h: what it checks of columns by themselves, and of what is kept. Plain
/// loops over words where compilers widen them by themselves to what the set has.
#ifndef GRZ_SNAPSHOT_CHECK_LANES_H
#define GRZ_SNAPSHOT_CHECK_LANES_H

#include "snapshot.h"

#include <string.h>

// Set where the pattern of a float is above `most`, which is not negative, or is negative itself:
// the sign bit. All other bits mean nothing.
static ints sign_above(ints pattern, uint32_t most)
{
    return or_ints(pattern, add_ints(pattern, fill_ints(INT32_MAX - most)));
}

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

/// What was found of kept bodies, in each lane.
typedef struct kept_lanes {
    ints wrong; ///< In the sign; other bits mean nothing.
    ints odd;   ///< Not 0 where something is wrong.
    ints rects, rays;
} kept_lanes;

/// What the kinds of bodies are.
typedef struct kind_lanes {
    ints one_if_rect;
    ints no_rects; ///< All bits are set where it is none.
    floats_mask rays;
} kind_lanes;

// Both half extents of a rect are above 0, both of anything else are the same, and a ray's are 0.
static inline void check_halves(const unsigned char *halves, const kind_lanes *kinds,
                                kept_lanes *found)
{
    ints x, y;
    load_pairs(halves, &x, &y);
    const ints strange =
        or_ints(sign_above(x, GRZ_PATTERN_INFINITE - 1), sign_above(y, GRZ_PATTERN_INFINITE - 1));
    const ints flat = sub_ints(lower_ints(x, y), kinds->one_if_rect);
    const ints uneven = and_ints(kinds->no_rects, sub_ints(x, y));
    found->wrong = or_ints(found->wrong, or_ints(strange, flat));
    found->odd = or_ints(found->odd, or_ints(uneven, keep_ints(kinds->rays, x)));
}

_Static_assert(GRZ_TRAIT_SPINS == 1 << 5, "where one of a spin goes");

// Angles are in [-pi, pi], and only rects turn. Returns the trait of what spins.
static inline ints check_turns(const unsigned char *angles, const unsigned char *spins,
                               const kind_lanes *kinds, kept_lanes *found)
{
    const ints angle = read_ints(angles), spin = read_ints(spins);
    const ints size = and_ints(angle, fill_ints(GRZ_PATTERN_MAGNITUDE));
    const ints turned = add_ints(size, fill_ints(INT32_MAX - GRZ_PATTERN_HALF_TURN));
    found->wrong = or_ints(found->wrong, turned);
    found->odd = or_ints(found->odd, and_ints(kinds->no_rects, or_ints(angle, spin)));
    return shift_ints(lower_ints(spin, fill_ints(1)), 5);
}

// Rays are 0 in all of this.
static inline void check_rays(const grz_kept_part *of, kept_lanes *found)
{
    ints all = or_ints(read_ints(of->halves), read_ints(of->halves + sizeof all));
    if (of->angles) {
        all = or_ints(all, or_ints(read_ints(of->angles), read_ints(of->spins)));
    }
    found->odd = or_ints(found->odd, all);
    found->rays = add_ints(found->rays, fill_ints(1));
}

_Static_assert(GRZ_TRAIT_KIND == 3 && GRAZE_SHAPE_RECT == 1 && GRAZE_SHAPE_RAY == 2,
               "the first bit of traits is a rect's, the second a ray's");

static inline void check_kept_lanes(const grz_kept_part *of, uint32_t *traits, kept_lanes *found)
{
    const ints all = load_ints(traits), one = fill_ints(1);
    const floats_mask rays = less_ints(one, and_ints(all, fill_ints(GRZ_TRAIT_KIND)));
    if (mask_bits(rays) == (1u << GRZ_WIDTH) - 1) {
        check_rays(of, found);
        return;
    }
    const ints one_if_rect = and_ints(all, one);
    const kind_lanes kinds = {one_if_rect, sub_ints(one_if_rect, one), rays};
    check_halves(of->halves, &kinds, found);
    if (of->angles) {
        store_ints(traits, or_ints(all, check_turns(of->angles, of->spins, &kinds, found)));
    }
    found->rects = add_ints(found->rects, one_if_rect);
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

static inline grz_kept_part kept_behind(const grz_kept_part *of, size_t place)
{
    const grz_kept_part part = {of->halves + place * sizeof(graze_vec2),
                                of->angles ? of->angles + place * sizeof(float) : NULL,
                                of->angles ? of->spins + place * sizeof(float) : NULL};
    return part;
}

// Fewer than there are lanes: the others are circles of no size.
static void check_last_kept(const grz_kept_part *of, uint32_t *traits, size_t count,
                            kept_lanes *found)
{
    unsigned char halves[GRZ_WIDTH * sizeof(graze_vec2)] = {0};
    unsigned char angles[GRZ_WIDTH * sizeof(float)] = {0}, spins[GRZ_WIDTH * sizeof(float)] = {0};
    uint32_t padded[GRZ_WIDTH] = {0};
    const grz_kept_part part = {halves, of->angles ? angles : NULL, of->angles ? spins : NULL};
    memcpy(padded, traits, count * sizeof *traits);
    memcpy(halves, of->halves, count * sizeof(graze_vec2));
    if (of->angles) {
        memcpy(angles, of->angles, count * sizeof(float));
        memcpy(spins, of->spins, count * sizeof(float));
    }
    check_kept_lanes(&part, padded, found);
    memcpy(traits, padded, count * sizeof *traits);
}

// HOT. bench: engine/snapshot_load
//
// Data    12 bytes of a body read, and 8 where any turns, while they are near; 4 written then.
// Branch  Whether all in the lanes are rays: bullets were made together.
static uint32_t check_kept(const grz_kept_part *of, uint32_t *traits, size_t count,
                           grz_kind_counts *counts)
{
    const grz_kept_part all = *of;
    const ints none = fill_ints(0);
    kept_lanes found = {none, none, none, none};
    size_t k = 0;
    for (; k + GRZ_WIDTH <= count; k += GRZ_WIDTH) {
        const grz_kept_part part = kept_behind(&all, k);
        check_kept_lanes(&part, traits + k, &found);
    }
    if (k < count) {
        const grz_kept_part part = kept_behind(&all, k);
        check_last_kept(&part, traits + k, count - k, &found);
    }
    counts->rects += add_up_lanes(found.rects);
    counts->rays += add_up_lanes(found.rays);
    const uint32_t even = mask_bits(equal_ints(found.odd, none));
    return mask_bits(less_ints(found.wrong, none)) | (even ^ ((1u << GRZ_WIDTH) - 1));
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

#endif
