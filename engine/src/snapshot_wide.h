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
