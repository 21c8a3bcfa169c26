/// @file snapshot_wide.h
/// The loops over whole columns of a snapshot: see lanes.h. Sums need more than one chain, and what
/// is made of threes of words, or of those bodies whose bits are set, has to be parted.

#include "bodies.h"
#include "checksum.h"
#include "snapshot_check_lanes.h"

// --- The checksum ---

static ints mix_lanes(ints sum, ints words)
{
    return rotate_ints(mul_ints(add_ints(sum, words), fill_ints(GRZ_CHECKSUM_FACTOR)),
                       GRZ_CHECKSUM_TURN);
}

enum {
    /// Vectors at a time, none of which waits for another: as many as a block has, or 8.
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

// HOT. bench: engine/snapshot_save, engine/snapshot_load
//
// Data    256 bytes a block, read while they are near.
// Branch  None.
// Order   Lane k adds words k, k + 64 ...
static void add_blocks(uint32_t *lanes, const unsigned char *bytes, size_t count)
{
    for (uint32_t first = 0; first < GRZ_CHECKSUM_LANES; first += SUMS * GRZ_WIDTH) {
        const unsigned char *next = bytes + first * sizeof *lanes;
        ints sums[SUMS];
        load_sums(sums, lanes + first);
        for (size_t i = 0; i < count; ++i, next += GRZ_CHECKSUM_BLOCK) {
            for (uint32_t v = 0; v < SUMS; ++v) {
                sums[v] = mix_lanes(sums[v], read_ints(next + v * sizeof *sums));
            }
        }
        store_sums(lanes + first, sums);
    }
}

/// What is wrong with floats.
typedef struct float_check {
    ints strange; ///< The sign bit is set where one is infinite or NaN.
    floats_mask negative_zero;
} float_check;

static inline void check_floats(float_check *found, ints pattern)
{
    const ints exponent = and_ints(pattern, fill_ints(GRZ_PATTERN_INFINITE));
    const ints above = add_ints(exponent, fill_ints(0x80000000 - GRZ_PATTERN_INFINITE));
    found->strange = or_ints(found->strange, above);
    found->negative_zero =
        mask_or(found->negative_zero, equal_ints(pattern, fill_ints(0x80000000)));
}

// HOT. bench: engine/snapshot_load
//
// As add_blocks: what waits for memory has time to check, and to copy.
static uint32_t add_numbers(uint32_t *lanes, const unsigned char *bytes, size_t count,
                            unsigned char *copy)
{
    float_check found = {fill_ints(0), first_lanes(0)};
    for (uint32_t first = 0; first < GRZ_CHECKSUM_LANES; first += SUMS * GRZ_WIDTH) {
        size_t next = first * sizeof *lanes;
        ints sums[SUMS];
        load_sums(sums, lanes + first);
        for (size_t i = 0; i < count; ++i, next += GRZ_CHECKSUM_BLOCK) {
            for (uint32_t v = 0; v < SUMS; ++v) {
                const ints words = read_ints(bytes + next + v * sizeof words);
                sums[v] = mix_lanes(sums[v], words);
                check_floats(&found, words);
                if (copy) {
                    write_ints(copy + next + v * sizeof words, words);
                }
            }
        }
        store_sums(lanes + first, sums);
    }
    const floats_mask strange = less_ints(found.strange, fill_ints(0));
    return mask_bits(strange) | mask_bits(found.negative_zero);
}

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

// HOT. bench: engine/snapshot_save
//
// Data    8 bytes of a row from anywhere, as many written in order.
// Order   Side by side in lanes first: so many small stores would take longer than the loads.
static void gather(unsigned char *to, const graze_vec2 *column, const uint32_t *rows,
                   uint32_t count)
{
    uint32_t k = 0;
    for (; k + GRZ_WIDTH_D <= count; k += GRZ_WIDTH_D) {
        write_ints(to + k * sizeof *column, gather_vectors(column, rows + k));
    }
    for (; k < count; ++k) {
        memcpy(to + k * sizeof *column, &column[rows[k]], sizeof *column);
    }
}

// --- Rows ---

_Static_assert(GRZ_TRAIT_KIND == 3 && GRZ_TRAIT_RESPONDS == 1 << 2 && GRZ_TRAIT_SENSOR == 1 << 4 &&
                   GRZ_TRAIT_TURNS == 1 << 8,
               "where what a form says goes");
_Static_assert((GRAZE_STOP & 3) == 1 && (GRAZE_SLIDE & 3) == 2 && (GRAZE_BOUNCE & 3) == 3,
               "who slides or bounces turns, and nobody else has the second bit");

/// What traits are made with.
typedef struct trait_constants {
    ints zero, one;
    ints kind, responds, mortal, limited, last, weightless; ///< Traits.
    ints sensor_turns;                                      ///< Two of them.
} trait_constants;

static trait_constants hold_traits(void)
{
    const trait_constants held = {
        hold_ints(0),
        hold_ints(1),
        hold_ints(GRZ_TRAIT_KIND),
        hold_ints(GRZ_TRAIT_RESPONDS),
        hold_ints(GRZ_TRAIT_MORTAL),
        hold_ints(GRZ_TRAIT_LIMITED),
        hold_ints(GRZ_TRAIT_LAST),
        hold_ints(GRZ_TRAIT_WEIGHTLESS),
        hold_ints(GRZ_TRAIT_SENSOR | GRZ_TRAIT_TURNS),
    };
    return held;
}

// The first bit of something in a form, brought to where it goes, and all else with it.
static ints bring_bit(ints form, uint32_t from, uint32_t to)
{
    return rotate_ints(form, (32 + to - from) % 32);
}

// As grz_traits_from. In either byte order nothing but what is brought there comes to lie where two
// are cut out at once.
static ints traits_of_forms(const trait_constants *held, ints form)
{
    const ints either = or_ints(bring_bit(form, GRZ_FORM_RESPONSE_SHIFT, 2),
                                bring_bit(form, GRZ_FORM_RESPONSE_SHIFT + 1, 2));
    const ints kind = bring_bit(form, GRZ_FORM_KIND_SHIFT, 0);
    const ints sensor = bring_bit(form, GRZ_FORM_SENSOR_SHIFT, 4);
    const ints turns = bring_bit(form, GRZ_FORM_RESPONSE_SHIFT + 1, 8);
    const ints others = and_ints(or_ints(sensor, turns), held->sensor_turns);
    return or_ints(or_ints(and_ints(kind, held->kind), and_ints(either, held->responds)), others);
}

// Of bodies in the world whose lives are right: those with a limit have a hit left.
static ints traits_of_lives(const trait_constants *held, const unsigned char *lives)
{
    const ints none = held->zero;
    ints lifetime, limit, hits;
    load_threes(lives, &lifetime, &limit, &hits);
    const ints mortal = select_ints(less_ints(none, lifetime), held->mortal, none);
    const ints limited = select_ints(equal_ints(limit, none), none, held->limited);
    const floats_mask one_left = equal_ints(sub_ints(limit, hits), held->one);
    return or_ints(or_ints(mortal, limited), select_ints(one_left, held->last, none));
}

static ints traits_of_matters(const trait_constants *held, const grz_matter *matters)
{
    ints mass, unused;
    load_threes(matters, &mass, &unused, &unused);
    return select_ints(equal_ints(mass, held->zero), held->weightless, held->zero);
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

// GRZ_WIDTH elements of so many words, as they are.
static inline void read_words(ints *words, const unsigned char *from, uint32_t count)
{
    for (uint32_t v = 0; v < count; ++v) {
        words[v] = read_ints(from + v * sizeof *words);
    }
}

static inline void write_words(void *to, const ints *words, uint32_t count)
{
    for (uint32_t v = 0; v < count; ++v) {
        write_ints((unsigned char *)to + v * sizeof *words, words[v]);
    }
}

// Read before any is written: compilers would have to read what might be another by then once more.
static inline ints copy_lives(const trait_constants *held, grz_life *to, const unsigned char *from)
{
    ints words[3], traits = held->zero;
    read_words(words, from, 3);
    if (!are_all_zero(from)) {
        traits = traits_of_lives(held, from);
    }
    write_words(to, words, 3);
    return traits;
}

// HOT. bench: engine/snapshot_load
//
// Data    20 bytes an index read, 36 written; 12 more read where masses differ.
// Branch  Which columns there are, and whether any of the bodies in the lanes has a life.
// Order   By index, which is by row.
static uint32_t fill_rows(const grz_row_filling *filling)
{
    const grz_row_filling of = *filling;
    const trait_constants held = hold_traits();
    uint32_t found = 0;
    for (uint32_t k = 0; k < of.count; k += GRZ_WIDTH) {
        const uint32_t some = bits_of_lanes(of.in_world, k);
        const unsigned char *body = of.body_bytes + k * sizeof *of.bodies;
        ints words[2], generation, form;
        read_words(words, body, 2);
        load_pairs(body, &generation, &form);
        ints traits = traits_of_forms(&held, form);
        if (of.lives) {
            const unsigned char *life = of.life_bytes + k * sizeof *of.lives;
            traits = or_ints(traits, copy_lives(&held, of.lives + k, life));
        }
        if (of.matters) {
            traits = or_ints(traits, traits_of_matters(&held, of.matters + k));
        }
        write_words(of.bodies + k, words, 2);
        store_ints(of.row_of_index + k, find_rows(some, of.first_row + found));
        pack_ints(of.index + found, some, add_ints(number_lanes(), fill_ints(of.first + k)));
        pack_ints(of.generation + found, some, generation);
        pack_ints(of.traits + found, some, traits);
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
    add_blocks, add_numbers,   list_forms, list_rows,     gather,      fill_rows,
    add_spins,  check_numbers, check_kept, check_matters, check_lives,
};
