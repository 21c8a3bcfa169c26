/// @file snapshot_rows_lanes.h
/// Part of snapshot_wide.h: makes rows from those columns of a snapshot that are in the order of
/// indices, checks these on the way, and notes the row of each index.
#ifndef GRZ_SNAPSHOT_ROWS_LANES_H
#define GRZ_SNAPSHOT_ROWS_LANES_H

#include "snapshot/snapshot_check_lanes.h"

// --- Checks ---

/// What the checks found: each lane collects from every GRZ_WIDTH-th index.
typedef struct index_lanes {
    ints unborn;    ///< How many generations are 0.
    ints forms;     ///< The forms, combined by or.
    ints sums;      ///< The sums of each form with its limits, likewise.
    ints lifetimes; ///< The sign bit is set if a lifetime is negative or not finite.
    ints unlimited; ///< The numbers of hits of bodies without a limit, combined by or.
    uint64_t spent; ///< Not 0 if a body had its last hit, but is not retired.
} index_lanes;

/// What carries into the bit above where a form is both a rect and a ray, or has a response above
/// the last.
#define FORM_LIMITS  (GRZ_FORM_RECT | 3u << GRZ_FORM_RESPONSE_SHIFT)
#define FORM_CARRIES (GRZ_FORM_RECT << 2 | 8u << GRZ_FORM_RESPONSE_SHIFT)

_Static_assert(GRAZE_RIGID == 4, "the last response and 3 are 7, and all above carry");

// A form is wrong if it has bits that no form has, or if adding FORM_LIMITS carries. Returns 0 if
// nothing is wrong.
static uint32_t are_wrong(const index_lanes *found)
{
    const ints none = fill_ints(0);
    const ints strange = or_ints(and_ints(found->forms, fill_ints(~GRZ_FORM_ALL)),
                                 and_ints(found->sums, fill_ints(FORM_CARRIES)));
    const ints odd = or_ints(strange, or_ints(found->unborn, found->unlimited));
    const uint32_t even = mask_bits(equal_ints(odd, none));
    return (even ^ ((1u << GRZ_WIDTH) - 1)) | sign_bits(found->lifetimes) | (found->spent != 0);
}

_Static_assert(GRZ_FORM_RAY == GRZ_FORM_RECT << 1 && (FORM_CARRIES & GRZ_FORM_ALL) == 0,
               "where the sums carry");

// --- Traits ---

_Static_assert(GRZ_TRAIT_KIND == 3 && GRZ_TRAIT_RESPONDS == 1 << 2 && GRZ_TRAIT_SENSOR == 1 << 4 &&
                   GRZ_TRAIT_TURNS == 1 << 8 && GRZ_TRAIT_RIGID == 1 << 10,
               "where what a form says goes");
_Static_assert(GRAZE_STOP == 1 && GRAZE_SLIDE == 2 && GRAZE_BOUNCE == 3 && GRAZE_RIGID == 4,
               "who slides or bounces turns, and nobody else has the second bit");

/// Constants of a loop.
typedef struct row_constants {
    ints zero;
    ints limits, answered;                                           ///< Of forms.
    ints kind, responds, sensor_turns, rigid, mortal, limited, last; ///< Of traits.
} row_constants;

static row_constants hold_constants(void)
{
    const row_constants held = {
        .zero = hold_ints(0),
        .limits = hold_ints(FORM_LIMITS),
        .answered = hold_ints(3u << GRZ_FORM_RESPONSE_SHIFT),
        .kind = hold_ints(GRZ_TRAIT_KIND),
        .responds = hold_ints(GRZ_TRAIT_RESPONDS),
        .sensor_turns = hold_ints(GRZ_TRAIT_SENSOR | GRZ_TRAIT_TURNS),
        .rigid = hold_ints(GRZ_TRAIT_RIGID),
        .mortal = hold_ints(GRZ_TRAIT_EXPIRES),
        .limited = hold_ints(GRZ_TRAIT_LIMITED),
        .last = hold_ints(GRZ_TRAIT_LAST),
    };
    return held;
}

// Shifts a bit of a form to its place in traits, and all else with it.
static inline ints bring_bit(ints form, uint32_t from, uint32_t to)
{
    if (from == to) {
        return form;
    }
    return from > to ? shift_right(form, from - to) : shift_left(form, to - from);
}

// As grz_traits_from. Adding 3 to any response but the first sets the third bit, which only the
// last response has itself: so where it changes the body responds. `sensor` and `turns` are masked
// at once: in either byte order neither has other bits where the other one's bit is.
static inline ints traits_of_forms(const row_constants *held, ints form)
{
    const ints above = sub_ints(or_ints(form, add_ints(form, held->answered)), form);
    const ints responds = bring_bit(above, GRZ_FORM_RESPONSE_SHIFT + 2, 2);
    const ints rigid = bring_bit(form, GRZ_FORM_RESPONSE_SHIFT + 2, 10);
    const ints kind = bring_bit(form, GRZ_FORM_KIND_SHIFT, 0);
    const ints sensor = bring_bit(form, GRZ_FORM_SENSOR_SHIFT, 4);
    const ints turns = bring_bit(form, GRZ_FORM_RESPONSE_SHIFT + 1, 8);
    const ints others = and_ints(or_ints(sensor, turns), held->sensor_turns);
    const ints solid = or_ints(and_ints(responds, held->responds), and_ints(rigid, held->rigid));
    return or_ints(or_ints(and_ints(kind, held->kind), solid), others);
}

// A body must have had fewer hits than its limit, unless it is retired, and none without a limit.
// `room` is the number of hits before the last one, `used` the number that there were, both with
// 2^31 added: compared as int32_t they are then in the order of uint32_t. `over` receives the bits
// of the lanes where `used` is larger.
static inline ints traits_of_lives(const row_constants *held, const unsigned char *lives,
                                   uint32_t *over, index_lanes *found)
{
    const ints none = held->zero;
    ints lifetime, limit, hits;
    load_threes(lives, &lifetime, &limit, &hits);
    const floats_mask free = equal_ints(limit, none);
    const ints room = count_in(add_ints(limit, fill_ints(INT32_MAX)), free);
    const ints used = add_ints(hits, fill_ints(0x80000000));
    *over = mask_bits(less_ints(room, used));
    found->unlimited = or_ints(found->unlimited, keep_ints(free, hits));
    found->lifetimes = or_ints(found->lifetimes, sign_above(lifetime, GRZ_PATTERN_INFINITE - 1));
    const ints mortal = keep_ints(less_ints(none, lifetime), held->mortal);
    const ints last = keep_ints(equal_ints(used, room), held->last);
    return or_ints(mortal, select_ints(free, none, or_ints(held->limited, last)));
}

static inline ints traits_of_materials(const row_constants *held, const unsigned char *materials)
{
    uint32_t masses[GRZ_WIDTH];
    for (uint32_t lane = 0; lane < GRZ_WIDTH; ++lane) {
        masses[lane] = grz_word_at(materials, lane * (sizeof(grz_material) / sizeof *masses));
    }
    return keep_ints(equal_ints(load_ints(masses), held->zero), fill_ints(GRZ_TRAIT_INFINITE_MASS));
}

// --- Rows ---

// The bits of the first lanes.
static inline uint32_t bits_of_lanes(uint64_t bits)
{
    return (uint32_t)bits & ((1u << GRZ_WIDTH) - 1);
}

/// Up to 64 indices. The bit of the first is bit 0.
typedef struct index_part {
    const unsigned char *bodies;
    const unsigned char *lives, *materials; ///< Null: all bodies have the default.
    uint64_t in_world, retired;
    uint32_t *rows; ///< Receives the row of each.
} index_part;

/// Properties of a part for which loops are specialised: bits.
typedef enum part_kind {
    PLAIN_PART = 0,
    PART_WITH_LIVES = 1, ///< Some bodies may have a life.
    WHOLE_PART = 2       ///< All 64 are in the world.
} part_kind;

// As grz_traits_of_rigid.
static inline ints traits_of_rigid(const row_constants *held, ints traits)
{
    const floats_mask rigid = equal_ints(and_ints(traits, held->rigid), held->rigid);
    const floats_mask ray = equal_ints(and_ints(traits, held->kind), fill_ints(GRAZE_SHAPE_RAY));
    const ints point =
        fill_ints((uint32_t)(GRZ_TRAIT_RESPONDS + GRZ_TRAIT_TURNS) - GRZ_TRAIT_RIGID);
    const ints limited = keep_ints(mask_but_not(rigid, ray), and_ints(traits, held->limited));
    return sub_ints(add_ints(traits, keep_ints(mask_and(rigid, ray), point)), limited);
}

static inline ints traits_of_lanes(const row_constants *held, const index_part *part, uint32_t k,
                                   ints form, part_kind kind, index_lanes *found)
{
    ints traits = traits_of_forms(held, form);
    if (kind & PART_WITH_LIVES) {
        uint32_t over;
        const ints mortal = traits_of_lives(held, part->lives + k * sizeof(grz_life), &over, found);
        found->spent |= (uint64_t)over << k & ~part->retired;
        traits = or_ints(traits, mortal);
    }
    if (part->materials) {
        const unsigned char *materials = part->materials + k * sizeof(grz_material);
        traits = or_ints(traits, traits_of_materials(held, materials));
    }
    return traits_of_rigid(held, traits);
}

/// Where the next row goes.
typedef struct row_place {
    uint32_t row;
    grz_row_columns to;
} row_place;

static inline void go_on(row_place *next, uint32_t count)
{
    next->row += count;
    next->to.index += count;
    next->to.generation += count;
    next->to.traits += count;
}

// For each lane, its own bit.
static const uint32_t grz_own_bit[16] = {1,       1 << 1,  1 << 2,  1 << 3, 1 << 4,  1 << 5,
                                         1 << 6,  1 << 7,  1 << 8,  1 << 9, 1 << 10, 1 << 11,
                                         1 << 12, 1 << 13, 1 << 14, 1 << 15};

static inline ints find_rows(uint32_t bits, uint32_t first_row)
{
    const ints own = and_ints(load_ints(grz_own_bit), fill_ints(bits));
    return select_ints(less_ints(fill_ints(0), own),
                       add_ints(fill_ints(first_row), number_set_lanes(bits)), fill_ints(GRZ_NONE));
}

/// What the loop keeps from one call to the next.
typedef struct row_maker {
    row_constants held;
    row_place next;
    index_lanes found;
} row_maker;

// Writes the rows of bodies in the world, and the row of each index.
static inline void make_lanes(row_maker *maker, const index_part *part, uint32_t k, ints index,
                              part_kind kind)
{
    const row_constants *held = &maker->held;
    index_lanes *found = &maker->found;
    row_place *next = &maker->next;
    const grz_row_columns *to = &next->to;
    ints generation, form;
    load_pairs(part->bodies + k * sizeof(grz_body), &generation, &form);
    found->unborn = count_in(found->unborn, equal_ints(generation, held->zero));
    found->forms = or_ints(found->forms, form);
    found->sums = or_ints(found->sums, add_ints(form, held->limits));
    const ints traits = traits_of_lanes(held, part, k, form, kind, found);
    if (kind & WHOLE_PART) {
        store_ints(to->index, index);
        store_ints(to->generation, generation);
        store_ints(to->traits, traits);
        store_ints(part->rows + k, add_ints(number_lanes(), fill_ints(next->row)));
        go_on(next, GRZ_WIDTH);
        return;
    }
    const uint32_t some = bits_of_lanes(part->in_world >> k);
    pack_ints(to->index, some, index);
    pack_ints(to->generation, some, generation);
    pack_ints(to->traits, some, traits);
    store_ints(part->rows + k, find_rows(some, next->row));
    go_on(next, count_bits(some));
}

static inline index_part part_at(const grz_row_making *making, uint32_t first)
{
    const index_part part = {
        making->bodies.from + first * sizeof(grz_body),
        making->lives.from ? making->lives.from + first * sizeof(grz_life) : NULL,
        making->materials ? making->materials + first * sizeof(grz_material) : NULL,
        making->in_world[first / 64],
        making->retired[first / 64],
        making->row_of_index + first,
    };
    return part;
}

static inline void make_part(row_maker *maker, const index_part *part, uint32_t first,
                             uint32_t count, part_kind kind)
{
    ints index = add_ints(number_lanes(), fill_ints(first));
    for (uint32_t k = 0; k < count; k += GRZ_WIDTH) {
        fetch_ahead(part->bodies + k * sizeof(grz_body), sizeof(grz_body));
        if (part->lives) {
            fetch_ahead(part->lives + k * sizeof(grz_life), sizeof(grz_life));
        }
        make_lanes(maker, part, k, index, kind);
        index = add_ints(index, fill_ints(GRZ_WIDTH));
    }
}

static inline void make_whole_lanes(row_maker *maker, const grz_row_making *making, uint32_t first,
                                    uint32_t count, bool lives)
{
    const index_part part = part_at(making, first);
    const uint32_t index = making->first + first;
    const bool whole = part.in_world == UINT64_MAX;
    if (lives && whole) {
        make_part(maker, &part, index, count, PART_WITH_LIVES | WHOLE_PART);
    } else if (lives) {
        make_part(maker, &part, index, count, PART_WITH_LIVES);
    } else if (whole) {
        make_part(maker, &part, index, count, WHOLE_PART);
    } else {
        make_part(maker, &part, index, count, PLAIN_PART);
    }
}

// Copies the columns of 64 indices, and adds them to the checksum. Returns whether any has a life.
static inline bool copy_columns(const grz_row_making *making, uint32_t first)
{
    ints seen = fill_ints(0);
    pass_column(&making->bodies, first * sizeof(grz_body), 2, NULL);
    if (making->lives.from) {
        pass_column(&making->lives, first * sizeof(grz_life), 3, &seen);
    }
    return !is_none(seen);
}

_Static_assert(64 * sizeof(grz_body) == (size_t)2 * GRZ_CHECKSUM_BLOCK &&
                   64 * sizeof(grz_life) == (size_t)3 * GRZ_CHECKSUM_BLOCK,
               "blocks of 64 indices");

// Fewer indices than lanes are left. The other lanes get values that pass all checks.
static void make_last(row_maker *maker, const grz_row_making *making, uint32_t first)
{
    const uint32_t left = making->count - first;
    index_part part = part_at(making, first);
    grz_body bodies[GRZ_WIDTH];
    grz_life lives[GRZ_WIDTH] = {{0, 0, 0}};
    grz_material materials[GRZ_WIDTH] = {{0, {0, 0, 0, 0}}};
    for (uint32_t lane = 0; lane < GRZ_WIDTH; ++lane) {
        const grz_body plain = {.generation = 1};
        bodies[lane] = plain;
    }
    memcpy(bodies, part.bodies, left * sizeof *bodies);
    part.bodies = (const unsigned char *)bodies;
    if (part.lives) {
        memcpy(lives, part.lives, left * sizeof *lives);
        part.lives = (const unsigned char *)lives;
    }
    if (part.materials) {
        memcpy(materials, part.materials, left * sizeof *materials);
        part.materials = (const unsigned char *)materials;
    }
    part.in_world >>= first % 64;
    part.retired >>= first % 64;
    const ints index = add_ints(number_lanes(), fill_ints(making->first + first));
    if (part.lives) {
        make_lanes(maker, &part, 0, index, PART_WITH_LIVES);
    } else {
        make_lanes(maker, &part, 0, index, PLAIN_PART);
    }
}

// HOT. bench: engine/snapshot_load
//
// Data    Per index 8 bytes read and written, 12 more if there are lives, 20 read if there are
//         materials, and 4 written for its row; per row 12 written.
// Branch  Which columns there are; and, for 64 indices at a time, whether any has a life, and
//         whether all are in the world. Bullets, which have lives and vanish, are mostly created
//         together: so most groups are all alike.
// Order   By index: rows are made in the same order.
static uint32_t make_rows(const grz_row_making *making, uint32_t *wrong)
{
    const grz_row_making local = *making;
    const ints none = fill_ints(0);
    row_maker maker = {
        .held = hold_constants(),
        .next = {local.first_row, local.to},
        .found = {none, none, none, none, none, 0},
    };
    const uint32_t whole = local.count - local.count % GRZ_WIDTH;
    for (uint32_t first = 0; first < whole; first += 64) {
        const uint32_t some = whole - first < 64 ? whole - first : 64;
        const bool copies = local.bodies.sum && some == 64;
        const bool lives = copies ? copy_columns(&local, first) : local.lives.from != NULL;
        make_whole_lanes(&maker, &local, first, some, lives);
    }
    if (whole < local.count) {
        make_last(&maker, &local, whole);
    }
    *wrong |= are_wrong(&maker.found);
    return maker.next.row - local.first_row;
}

#endif
