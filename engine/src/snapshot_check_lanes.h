/// @file snapshot_check_lanes.h
/// Part of snapshot_wide.h: what it checks. Plain loops over words where compilers widen them by
/// themselves to what the set has.
#ifndef GRZ_SNAPSHOT_CHECK_LANES_H
#define GRZ_SNAPSHOT_CHECK_LANES_H

#include "snapshot.h"

#include <string.h>

// --- Signs ---

// As signed numbers, from -2^31 on.
static floats_mask less_unsigned(ints a, ints b)
{
    const ints least = fill_ints(0x80000000);
    return less_ints(add_ints(a, least), add_ints(b, least));
}

static floats_mask are_not_zero(ints numbers)
{
    return less_unsigned(fill_ints(0), numbers);
}

// What is wrong with kept bodies is in the sign bits of numbers: all other bits mean nothing.

// Set where a number is not 0.
static ints sign_of_some(ints number)
{
    return or_ints(number, sub_ints(fill_ints(0), number));
}

// Set where the pattern of a float is above `most`, which is not negative, or is negative itself.
static ints sign_above(ints pattern, uint32_t most)
{
    return or_ints(pattern, add_ints(pattern, fill_ints(INT32_MAX - most)));
}

static ints sign_of_form(ints form, uint32_t shift)
{
    return rotate_ints(form, 31 - shift);
}

static ints sign_but_not(ints a, ints b)
{
    return and_ints(a, sub_ints(fill_ints(UINT32_MAX), b));
}

enum { RECT_SHIFT = GRZ_FORM_KIND_SHIFT, RAY_SHIFT = GRZ_FORM_KIND_SHIFT + 1 };

_Static_assert(GRZ_FORM_RECT == UINT32_C(1) << RECT_SHIFT && GRZ_FORM_RAY == UINT32_C(1)
                                                                                 << RAY_SHIFT,
               "the bits of a form that say its kind");

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

// Both half extents of a rect are above 0, both of anything else are the same, and a ray's are 0.
static ints sign_of_wrong_halves(const unsigned char *halves, ints rect, ints ray)
{
    const ints one = fill_ints(1);
    ints x, y;
    load_pairs(halves, &x, &y);
    const ints strange =
        or_ints(sign_above(x, GRZ_PATTERN_INFINITE - 1), sign_above(y, GRZ_PATTERN_INFINITE - 1));
    const ints flat = and_ints(rect, or_ints(sub_ints(x, one), sub_ints(y, one)));
    const ints uneven = sign_but_not(sign_of_some(sub_ints(x, y)), rect);
    return or_ints(or_ints(strange, flat), or_ints(uneven, and_ints(ray, sign_of_some(x))));
}

// Angles are in [-pi, pi], and only rects turn.
static ints sign_of_wrong_turns(const unsigned char *angles, const unsigned char *spins, ints rect)
{
    const ints angle = read_ints(angles), spin = read_ints(spins);
    const ints size = and_ints(angle, fill_ints(GRZ_PATTERN_MAGNITUDE));
    return or_ints(sign_above(size, GRZ_PATTERN_HALF_TURN),
                   sign_but_not(sign_of_some(or_ints(angle, spin)), rect));
}

/// What was found of kept bodies, in each lane.
typedef struct kept_lanes {
    ints wrong; ///< In the sign.
    ints rects, rays;
} kept_lanes;

static inline ints count_form(ints count, ints form, uint32_t shift)
{
    return add_ints(count, and_ints(rotate_ints(form, 32 - shift), fill_ints(1)));
}

// Rays are 0 in all of this.
static inline void check_rays(const grz_kept_part *of, kept_lanes *found)
{
    ints all = or_ints(read_ints(of->halves), read_ints(of->halves + sizeof all));
    if (of->angles) {
        all = or_ints(all, or_ints(read_ints(of->angles), read_ints(of->spins)));
    }
    found->wrong = or_ints(found->wrong, sign_of_some(all));
    found->rays = add_ints(found->rays, fill_ints(1));
}

static inline void check_kept_lanes(const grz_kept_part *of, const uint32_t *forms,
                                    kept_lanes *found)
{
    const ints form = load_ints(forms);
    const ints rect = sign_of_form(form, RECT_SHIFT), ray = sign_of_form(form, RAY_SHIFT);
    if (mask_bits(less_ints(ray, fill_ints(0))) == (1u << GRZ_WIDTH) - 1) {
        check_rays(of, found);
        return;
    }
    found->wrong = or_ints(found->wrong, sign_of_wrong_halves(of->halves, rect, ray));
    if (of->angles) {
        found->wrong = or_ints(found->wrong, sign_of_wrong_turns(of->angles, of->spins, rect));
    }
    found->rects = count_form(found->rects, form, RECT_SHIFT);
    found->rays = count_form(found->rays, form, RAY_SHIFT);
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

static grz_kept_part kept_behind(const grz_kept_part *of, size_t place)
{
    const grz_kept_part part = {of->halves + place * sizeof(graze_vec2),
                                of->angles ? of->angles + place * sizeof(float) : NULL,
                                of->angles ? of->spins + place * sizeof(float) : NULL};
    return part;
}

// Fewer than there are lanes: the others are circles of no size.
static void check_last_kept(const grz_kept_part *of, const uint32_t *forms, size_t count,
                            kept_lanes *found)
{
    unsigned char halves[GRZ_WIDTH * sizeof(graze_vec2)] = {0};
    unsigned char angles[GRZ_WIDTH * sizeof(float)] = {0}, spins[GRZ_WIDTH * sizeof(float)] = {0};
    uint32_t padded[GRZ_WIDTH] = {0};
    const grz_kept_part part = {halves, of->angles ? angles : NULL, of->angles ? spins : NULL};
    memcpy(padded, forms, count * sizeof *forms);
    memcpy(halves, of->halves, count * sizeof(graze_vec2));
    if (of->angles) {
        memcpy(angles, of->angles, count * sizeof(float));
        memcpy(spins, of->spins, count * sizeof(float));
    }
    check_kept_lanes(&part, padded, found);
}

// HOT. bench: engine/snapshot_load
//
// Data    12 bytes of a body read, and 8 where any turns, while they are near.
// Branch  Whether all in the lanes are rays: bullets were made together.
static uint32_t check_kept(const grz_kept_part *of, const uint32_t *forms, size_t count,
                           grz_kind_counts *counts)
{
    const ints none = fill_ints(0);
    kept_lanes found = {none, none, none};
    size_t k = 0;
    for (; k + GRZ_WIDTH <= count; k += GRZ_WIDTH) {
        const grz_kept_part part = kept_behind(of, k);
        check_kept_lanes(&part, forms + k, &found);
    }
    if (k < count) {
        const grz_kept_part part = kept_behind(of, k);
        check_last_kept(&part, forms + k, count - k, &found);
    }
    counts->rects += add_up_lanes(found.rects);
    counts->rays += add_up_lanes(found.rays);
    return mask_bits(less_ints(found.wrong, none));
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

static uint32_t check_life(const unsigned char *life, bool retired, uint32_t *spent)
{
    const uint32_t limit = grz_word_at(life, 1), hits = grz_word_at(life, 2);
    *spent |= grz_is_spent(life) & !retired;
    return (grz_word_at(life, 0) >= GRZ_PATTERN_INFINITE) | ((limit == 0) & (hits != 0));
}

// Of as many bodies as there are lanes.
static bool are_all_zero(const void *lives)
{
    const unsigned char *next = lives;
    const ints first = read_ints(next), second = read_ints(next + sizeof first);
    const ints all = or_ints(or_ints(first, second), read_ints(next + 2 * sizeof first));
    return mask_bits(equal_ints(all, fill_ints(0))) == (1u << GRZ_WIDTH) - 1;
}

// The bits of the next lanes; 0 where there are none.
static uint32_t bits_of_lanes(const uint64_t *bits, size_t index)
{
    return (uint32_t)(bits[index / 64] >> index % 64) & ((1u << GRZ_WIDTH) - 1);
}

/// What was found of lives.
typedef struct life_lanes {
    ints wrong;     ///< In the sign.
    uint32_t spent; ///< Bits of those that are not retired.
} life_lanes;

static void check_life_lanes(const unsigned char *lives, uint32_t retired, life_lanes *found)
{
    ints lifetime, limit, hits;
    load_threes(lives, &lifetime, &limit, &hits);
    const ints counted = sign_but_not(sign_of_some(hits), sign_of_some(limit));
    const floats_mask limited = are_not_zero(limit);
    found->wrong =
        or_ints(found->wrong, or_ints(sign_above(lifetime, GRZ_PATTERN_INFINITE - 1), counted));
    found->spent |= mask_bits(mask_but_not(limited, less_unsigned(hits, limit))) & ~retired;
}

// HOT. bench: engine/snapshot_load
//
// Data    12 bytes a body read, while they are near.
// Branch  Whether any of the bodies in the lanes has a life: bullets do, and were made together.
static uint32_t check_lives(const unsigned char *lives, size_t count, const uint64_t *retired,
                            uint32_t *spent)
{
    life_lanes found = {fill_ints(0), 0};
    size_t k = 0;
    for (; k + GRZ_WIDTH <= count; k += GRZ_WIDTH) {
        if (!are_all_zero(lives + k * sizeof(grz_life))) {
            check_life_lanes(lives + k * sizeof(grz_life), bits_of_lanes(retired, k), &found);
        }
    }
    uint32_t wrong = mask_bits(less_ints(found.wrong, fill_ints(0)));
    for (; k < count; ++k) {
        const bool gone = retired[k / 64] >> k % 64 & 1;
        wrong |= check_life(lives + k * sizeof(grz_life), gone, &found.spent);
    }
    *spent |= found.spent;
    return wrong;
}

#endif
