/// @file snapshot_wide.h
/// The loops over whole columns of a snapshot: see lanes.h. Checks are plain loops over words where
/// compilers widen them by themselves to what the set has. Sums need more than one chain, and what
/// is made of threes of words, or of those bodies whose bits are set, has to be parted.

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

// A pattern of bits without its sign bit, one less for negative numbers, is above those of finite
// numbers for infinite, NaN and -0: see check_numbers. Compared as signed numbers, from -2^31 on.
static floats_mask find_wrong(ints pattern)
{
    const ints sign = and_ints(rotate_ints(pattern, 1), fill_ints(1));
    const ints ranked = sub_ints(add_ints(pattern, pattern), sign);
    return less_ints(fill_ints(0x7efffffe), add_ints(ranked, fill_ints(0x80000000)));
}

// HOT. bench: engine/snapshot_load
//
// As add_blocks: what waits for memory has time to check, and to copy.
static uint32_t add_numbers(uint32_t *lanes, const unsigned char *bytes, size_t count,
                            unsigned char *copy)
{
    floats_mask wrong = first_lanes(0);
    for (uint32_t first = 0; first < GRZ_CHECKSUM_LANES; first += 4 * GRZ_WIDTH) {
        size_t next = first * sizeof *lanes;
        ints sums[4];
        for (uint32_t v = 0; v < 4; ++v) {
            sums[v] = load_ints(lanes + first + v * GRZ_WIDTH);
        }
        for (size_t i = 0; i < count; ++i, next += GRZ_CHECKSUM_BLOCK) {
            for (uint32_t v = 0; v < 4; ++v) {
                const ints words = read_ints(bytes + next + v * sizeof words);
                sums[v] = mix_lanes(sums[v], words);
                wrong = mask_or(wrong, find_wrong(words));
                if (copy) {
                    write_ints(copy + next + v * sizeof words, words);
                }
            }
        }
        for (uint32_t v = 0; v < 4; ++v) {
            store_ints(lanes + first + v * GRZ_WIDTH, sums[v]);
        }
    }
    return mask_bits(wrong);
}

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

// What is wrong with kept bodies is in the sign bits of numbers, of which all others are left alone.

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

// --- Indices ---

// The next lanes; what is plain behind the last of `left`.
static void read_bodies(const unsigned char *bodies, size_t left, ints *generation, ints *form)
{
    grz_body last[GRZ_WIDTH];
    if (left < GRZ_WIDTH) {
        const grz_body plain = {.generation = 1};
        for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
            last[k] = plain;
        }
        memcpy(last, bodies, left * sizeof *last);
        bodies = (const unsigned char *)last;
    }
    load_pairs(bodies, generation, form);
}

// No generation is 0; no bits are set but those of forms, and not both of a rect and a ray.
static ints sign_of_wrong_bodies(ints generation, ints form)
{
    const ints unborn = sign_but_not(fill_ints(UINT32_MAX), sign_of_some(generation));
    const ints strange = sign_of_some(and_ints(form, fill_ints(~GRZ_FORM_ALL)));
    const ints both = and_ints(sign_of_form(form, RECT_SHIFT), sign_of_form(form, RAY_SHIFT));
    return or_ints(or_ints(unborn, strange), both);
}

// The bits of the next lanes; 0 where there are none.
static uint32_t bits_of_lanes(const uint64_t *bits, size_t index)
{
    return (uint32_t)(bits[index / 64] >> index % 64) & ((1u << GRZ_WIDTH) - 1);
}

// HOT. bench: engine/snapshot_load
//
// Data    8 bytes an index read, while they are near; 4 written.
// Branch  None.
static uint32_t list_forms(const unsigned char *bodies, size_t count, const uint64_t *bits,
                           uint32_t *listed, uint32_t *wrong)
{
    ints all_wrong = fill_ints(0);
    uint32_t found = 0;
    for (size_t k = 0; k < count; k += GRZ_WIDTH) {
        const uint32_t some = bits_of_lanes(bits, k);
        ints generation, form;
        read_bodies(bodies + k * sizeof(grz_body), count - k, &generation, &form);
        all_wrong = or_ints(all_wrong, sign_of_wrong_bodies(generation, form));
        pack_ints(listed + found, some, form);
        found += count_bits(some);
    }
    *wrong |= mask_bits(less_ints(all_wrong, fill_ints(0)));
    return found;
}

static void list_rects(grz_row_list *list, uint32_t rects, uint32_t some, ints row)
{
    const ints place = add_ints(fill_ints(list->count), number_set_lanes(some));
    pack_ints(list->rects + list->rect_count, rects, row);
    pack_ints(list->rect_places + list->rect_count, rects, place);
    list->rect_count += count_bits(rects);
}

// The bits of the lanes whose bodies have a row. Places of retired bodies are negative numbers: see
// grz_is_retired.
static uint32_t find_lanes_in_world(ints row, size_t left)
{
    const floats_mask retired = less_ints(row, fill_ints(0));
    const uint32_t some = mask_bits(mask_but_not(less_ints(row, fill_ints(GRZ_NONE)), retired));
    return left < GRZ_WIDTH ? some & ((1u << left) - 1) : some;
}

// HOT. bench: engine/snapshot_save
//
// Data    12 bytes an index read, 4 written, and 8 more for a rect.
// Branch  Whether any of the bodies in the lanes is a rect.
static void list_rows(const uint32_t *row_of_index, const grz_body *bodies, uint32_t count,
                      grz_row_list *list)
{
    uint32_t shapes = 0;
    list->count = 0;
    list->rect_count = 0;
    memset(list->in_world, 0, sizeof list->in_world);
    for (uint32_t k = 0; k < count; k += GRZ_WIDTH) {
        ints generation, form;
        const ints row = load_ints(row_of_index + k);
        const uint32_t some = find_lanes_in_world(row, count - k);
        load_pairs(bodies + k, &generation, &form);
        const uint32_t rects =
            some & mask_bits(less_ints(fill_ints(0), and_ints(form, fill_ints(GRZ_FORM_RECT))));
        shapes |=
            some & mask_bits(less_ints(and_ints(form, fill_ints(GRZ_FORM_RAY)), fill_ints(1)));
        pack_ints(list->rows + list->count, some, row);
        if (rects) {
            list_rects(list, rects, some, row);
        }
        list->count += count_bits(some);
        list->in_world[k / 64] |= (uint64_t)some << k % 64;
    }
    list->has_shapes = shapes != 0;
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

static inline void check_kept_lanes(const grz_kept_part *of, const uint32_t *forms,
                                    kept_lanes *found)
{
    const ints form = load_ints(forms);
    const ints rect = sign_of_form(form, RECT_SHIFT), ray = sign_of_form(form, RAY_SHIFT);
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
// Branch  None.
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

static uint32_t check_life(const unsigned char *life, uint32_t *spent)
{
    const uint32_t limit = grz_word_at(life, 1), hits = grz_word_at(life, 2);
    *spent += grz_is_spent(life);
    return (grz_word_at(life, 0) >= GRZ_PATTERN_INFINITE) | ((limit == 0) & (hits != 0));
}

// Of as many bodies as there are lanes.
static bool are_all_zero(const void *lives)
{
    const unsigned char *next = lives;
    const ints first = read_ints(next), second = read_ints(next + sizeof first);
    const ints all = or_ints(or_ints(first, second), read_ints(next + 2 * sizeof first));
    return mask_bits(are_not_zero(all)) == 0;
}

/// What was found of lives.
typedef struct life_lanes {
    ints wrong; ///< In the sign.
    uint32_t spent;
} life_lanes;

static void check_life_lanes(const unsigned char *lives, life_lanes *found)
{
    ints lifetime, limit, hits;
    load_threes(lives, &lifetime, &limit, &hits);
    const ints counted = sign_but_not(sign_of_some(hits), sign_of_some(limit));
    const floats_mask limited = are_not_zero(limit);
    found->wrong =
        or_ints(found->wrong, or_ints(sign_above(lifetime, GRZ_PATTERN_INFINITE - 1), counted));
    found->spent += count_bits(mask_bits(mask_but_not(limited, less_unsigned(hits, limit))));
}

// HOT. bench: engine/snapshot_load
//
// Data    12 bytes a body read, while they are near.
// Branch  Whether any of the bodies in the lanes has a life: bullets do, and were made together.
static uint32_t check_lives(const unsigned char *lives, size_t count, uint32_t *spent)
{
    life_lanes found = {fill_ints(0), 0};
    size_t k = 0;
    for (; k + GRZ_WIDTH <= count; k += GRZ_WIDTH) {
        if (!are_all_zero(lives + k * sizeof(grz_life))) {
            check_life_lanes(lives + k * sizeof(grz_life), &found);
        }
    }
    uint32_t wrong = mask_bits(less_ints(found.wrong, fill_ints(0)));
    for (; k < count; ++k) {
        wrong |= check_life(lives + k * sizeof(grz_life), &found.spent);
    }
    *spent += found.spent;
    return wrong;
}

// --- Rows ---

static ints trait_where(floats_mask mask, uint32_t trait)
{
    return select_ints(mask, fill_ints(trait), fill_ints(0));
}

// A bit of a form, brought from its place to another.
static ints move_bit(ints form, uint32_t from, uint32_t to)
{
    return and_ints(rotate_ints(form, (32 + to - from) % 32), fill_ints(UINT32_C(1) << to));
}

_Static_assert(GRZ_TRAIT_KIND == 3 && GRZ_TRAIT_RESPONDS == 1 << 2 && GRZ_TRAIT_SENSOR == 1 << 4 &&
                   GRZ_TRAIT_TURNS == 1 << 8,
               "where what a form says goes");
_Static_assert((GRAZE_STOP & 3) == 1 && (GRAZE_SLIDE & 3) == 2 && (GRAZE_BOUNCE & 3) == 3,
               "who slides or bounces turns, and nobody else has the second bit");

// As grz_traits_from.
static ints traits_of_forms(ints form)
{
    const ints kind =
        or_ints(move_bit(form, GRZ_FORM_KIND_SHIFT, 0), move_bit(form, GRZ_FORM_KIND_SHIFT + 1, 1));
    const ints responds = or_ints(move_bit(form, GRZ_FORM_RESPONSE_SHIFT, 2),
                                  move_bit(form, GRZ_FORM_RESPONSE_SHIFT + 1, 2));
    const ints turns = move_bit(form, GRZ_FORM_RESPONSE_SHIFT + 1, 8);
    const ints sensor = move_bit(form, GRZ_FORM_SENSOR_SHIFT, 4);
    return or_ints(or_ints(kind, responds), or_ints(turns, sensor));
}

// Of bodies in the world: those with a limit have a hit left.
static ints traits_of_lives(const grz_life *lives)
{
    ints lifetime, limit, hits;
    load_threes(lives, &lifetime, &limit, &hits);
    const floats_mask limited = are_not_zero(limit);
    const floats_mask last = mask_and(limited, less_unsigned(sub_ints(limit, hits), fill_ints(2)));
    return or_ints(
        trait_where(are_not_zero(lifetime), GRZ_TRAIT_MORTAL),
        or_ints(trait_where(limited, GRZ_TRAIT_LIMITED), trait_where(last, GRZ_TRAIT_LAST)));
}

static ints traits_of_matters(const grz_matter *matters)
{
    ints mass, unused;
    load_threes(matters, &mass, &unused, &unused);
    return trait_where(less_unsigned(mass, fill_ints(1)), GRZ_TRAIT_WEIGHTLESS);
}

// But for what spins.
static ints find_traits(const grz_row_filling *of, uint32_t first, ints form)
{
    ints traits = traits_of_forms(form);
    if (of->lives && !are_all_zero(of->lives + first)) {
        traits = or_ints(traits, traits_of_lives(of->lives + first));
    }
    return of->matters ? or_ints(traits, traits_of_matters(of->matters + first)) : traits;
}

// The bit of each lane.
static const uint32_t grz_own_bit[16] = {1,       1 << 1,  1 << 2,  1 << 3, 1 << 4,  1 << 5,
                                         1 << 6,  1 << 7,  1 << 8,  1 << 9, 1 << 10, 1 << 11,
                                         1 << 12, 1 << 13, 1 << 14, 1 << 15};

static inline ints find_rows(uint32_t bits, uint32_t first_row)
{
    const ints own = and_ints(load_ints(grz_own_bit), fill_ints(bits));
    return select_ints(less_ints(fill_ints(0), own),
                       add_ints(fill_ints(first_row), number_set_lanes(bits)), fill_ints(GRZ_NONE));
}

// HOT. bench: engine/snapshot_load
//
// Data    20 bytes an index read, 16 written; 12 more where masses differ.
// Branch  None but which columns there are.
// Order   By index, which is by row.
static uint32_t fill_rows(const grz_row_filling *of)
{
    uint32_t found = 0;
    for (uint32_t k = 0; k < of->count; k += GRZ_WIDTH) {
        const uint32_t some = bits_of_lanes(of->in_world, k);
        ints generation, form;
        load_pairs(of->bodies + k, &generation, &form);
        store_ints(of->row_of_index + k, find_rows(some, of->first_row + found));
        pack_ints(of->index + found, some, add_ints(number_lanes(), fill_ints(of->first + k)));
        pack_ints(of->generation + found, some, generation);
        pack_ints(of->traits + found, some, find_traits(of, k, form));
        found += count_bits(some);
    }
    return found;
}

static void add_spins(uint32_t *traits, const unsigned char *spins, size_t count)
{
    for (size_t k = 0; k < count; ++k) {
        traits[k] |= (grz_word_at(spins, k) != 0) * (uint32_t)GRZ_TRAIT_SPINS;
    }
}

const grz_snapshot_loops GRZ_WIDE(grz_snapshot_loops) = {
    add_blocks, add_numbers,   list_forms, list_rows,     fill_rows,
    add_spins,  check_numbers, check_kept, check_matters, check_lives,
};
