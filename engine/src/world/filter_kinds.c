#include "world/filter_kinds.h"

#include <string.h>

static void add_to_set(uint32_t *set, uint32_t kind)
{
    set[kind / 32] |= UINT32_C(1) << kind % 32;
}

static bool do_kinds_meet(const grz_filter_kinds *kinds, uint32_t i, uint32_t k)
{
    const uint32_t both = kinds->traits[i] & kinds->traits[k];
    const uint32_t either = kinds->traits[i] | kinds->traits[k];
    if (both & GRZ_KIND_IS_RAY) {
        return false;
    }
    return (both & GRZ_KIND_IS_TOGETHER) || (either & GRZ_KIND_IS_ASKED) ||
           grz_kind_masks_meet(kinds, i, k);
}

static uint32_t add_kind(grz_filter_kinds *kinds, uint32_t category, uint32_t mask, uint32_t traits)
{
    const uint32_t kind = kinds->meets.count++;
    kinds->category[kind] = category;
    kinds->mask[kind] = mask;
    kinds->traits[kind] = (uint8_t)traits;
    kinds->grouped |= (traits & GRZ_KIND_IS_GROUPED) != 0;
    kinds->closed |=
        !(traits & GRZ_KIND_IS_ASKED) && !grz_kind_masks_meet(kinds, kind, GRZ_KIND_USUAL);
    memset(kinds->meets.rows[kind], 0, sizeof kinds->meets.rows[kind]);
    for (uint32_t other = 0; other <= kind; ++other) {
        if (do_kinds_meet(kinds, kind, other)) {
            add_to_set(kinds->meets.rows[kind], other);
            add_to_set(kinds->meets.rows[other], kind);
        }
    }
    if (traits & GRZ_KIND_IS_RAY) {
        add_to_set(kinds->meets.points, kind);
    }
    return kind;
}

void grz_filter_kinds_clear(grz_filter_kinds *kinds)
{
    kinds->meets.count = 0;
    memset(kinds->meets.points, 0, sizeof kinds->meets.points);
    memset(kinds->slots, 0, sizeof kinds->slots);
    kinds->grouped = false;
    kinds->closed = false;
    kinds->passing = false;
    kinds->full = false;
    kinds->wait = 0;
    (void)add_kind(kinds, 1, UINT32_MAX, 0);
    (void)add_kind(kinds, 1, UINT32_MAX, GRZ_KIND_IS_RAY);
    (void)add_kind(kinds, 0, 0, GRZ_KIND_IS_ASKED);
    (void)add_kind(kinds, 0, 0, GRZ_KIND_IS_ASKED | GRZ_KIND_IS_RAY);
}

static uint32_t find_traits(graze_filter filter, bool is_ray)
{
    return (is_ray ? (uint32_t)GRZ_KIND_IS_RAY : 0) |
           (filter.group != 0 ? (uint32_t)GRZ_KIND_IS_GROUPED : 0) |
           (filter.group > 0 ? (uint32_t)GRZ_KIND_IS_TOGETHER : 0);
}

static bool is_kind(const grz_filter_kinds *kinds, uint32_t kind, graze_filter filter,
                    uint32_t traits)
{
    return kinds->category[kind] == filter.category && kinds->mask[kind] == filter.mask &&
           kinds->traits[kind] == traits;
}

// Returns the slot that has the kind, or the empty one where it would be.
static uint8_t *find_slot(grz_filter_kinds *kinds, graze_filter filter, uint32_t traits)
{
    uint32_t hash = filter.category * 0x9E3779B1u ^ filter.mask * 0x85EBCA77u ^ traits;
    hash = (hash ^ hash >> 15) * 0xC2B2AE3Du;
    uint32_t slot = hash >> 23;
    while (kinds->slots[slot] && !is_kind(kinds, kinds->slots[slot], filter, traits)) {
        slot = (slot + 1) % GRZ_KIND_SLOTS;
    }
    return &kinds->slots[slot];
}

uint8_t grz_filter_kinds_find(grz_filter_kinds *kinds, graze_filter filter, bool is_ray)
{
    const uint32_t traits = find_traits(filter, is_ray);
    const uint32_t ray = is_ray ? 1 : 0;
    kinds->passing |= filter.pass != 0;
    if (is_kind(kinds, GRZ_KIND_USUAL + ray, filter, traits)) {
        return (uint8_t)(GRZ_KIND_USUAL + ray);
    }
    uint8_t *slot = find_slot(kinds, filter, traits);
    if (!*slot && kinds->meets.count == GRAZE_GRID_KINDS) {
        kinds->full = true;
        return (uint8_t)(GRZ_KIND_OTHER + ray);
    }
    if (!*slot) {
        *slot = (uint8_t)add_kind(kinds, filter.category, filter.mask, traits);
    }
    return *slot;
}

void grz_filter_kinds_list(const grz_filter_kinds *kinds, graze_filter filter,
                           uint32_t met[GRAZE_GRID_KIND_WORDS])
{
    memset(met, 0, GRAZE_GRID_KIND_WORDS * sizeof *met);
    for (uint32_t kind = 0; kind < kinds->meets.count; ++kind) {
        const graze_filter own = {.category = kinds->category[kind], .mask = kinds->mask[kind]};
        const uint32_t traits = kinds->traits[kind];
        graze_filter alone = filter;
        alone.group = 0;
        if ((traits & GRZ_KIND_IS_ASKED) || (filter.group > 0 && (traits & GRZ_KIND_IS_TOGETHER)) ||
            grz_filters_meet(alone, own)) {
            add_to_set(met, kind);
        }
    }
}
