/// @file filter_kinds.h
/// The kinds of a world's bodies, as the grid knows them: each has a filter and a shape of its own.
///
/// A kind is a category, a mask, whether it has a group, and whether it is of rays. So kinds say
/// which bodies meet, except for the numbers of groups: bodies that both have one are asked.
///
/// There are 252 kinds, besides those of the default filter, for all filters that a world has had
/// since the last renewal. What comes later shares one kind, of which every body is asked.
#ifndef GRZ_FILTER_KINDS_H
#define GRZ_FILTER_KINDS_H

#include <graze/body.h>
#include <graze/grid.h>

#include <stdbool.h>
#include <stdint.h>

enum {
    GRZ_KIND_USUAL = 0, ///< Of the default filter; of rays the next number.
    GRZ_KIND_OTHER = 2, ///< Of all filters that have no kind of their own; of rays the next number.
    GRZ_KIND_FIRST = 4, ///< Of a filter's own kinds.
    GRZ_KIND_SLOTS = 512
};

typedef struct grz_filter_kinds {
    graze_grid_meets meets; ///< Which of them meet; its points are the rays.
    uint32_t category[GRAZE_GRID_KINDS], mask[GRAZE_GRID_KINDS];
    uint8_t traits[GRAZE_GRID_KINDS]; ///< A sum of grz_kind_trait.
    uint8_t slots[GRZ_KIND_SLOTS];    ///< A hash table of the filters' own kinds; 0: empty.
    bool grouped;                     ///< Some of them has a group.
    bool closed;                      ///< Some of them does not meet what has the default filter.
    bool full;                        ///< Some filter found no room.
    uint32_t wait;                    ///< Steps until a renewal may be tried again.
} grz_filter_kinds;

typedef enum grz_kind_trait {
    GRZ_KIND_IS_RAY = 1,
    GRZ_KIND_IS_GROUPED = 2,
    GRZ_KIND_IS_TOGETHER = 4, ///< Its groups are positive.
    GRZ_KIND_IS_ASKED = 8     ///< Any filter may have it.
} grz_kind_trait;

/// Returns whether two filters let their things meet: a shared group decides, else the masks.
static inline bool grz_filters_meet(graze_filter a, graze_filter b)
{
    if (a.group == b.group && a.group != 0) {
        return a.group > 0;
    }
    return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}

/// Forgets all filters' own kinds.
void grz_filter_kinds_clear(grz_filter_kinds *kinds);

/// Returns the kind of a body.
uint8_t grz_filter_kinds_find(grz_filter_kinds *kinds, graze_filter filter, bool is_ray);

/// Returns whether two bodies of these kinds, which meet as far as these tell, have to be asked for
/// their filters.
static inline bool grz_filter_kinds_must_ask(const grz_filter_kinds *kinds, uint32_t a, uint32_t b)
{
    const uint32_t both = kinds->traits[a] & kinds->traits[b];
    const uint32_t either = kinds->traits[a] | kinds->traits[b];
    return (both & GRZ_KIND_IS_GROUPED) || (either & GRZ_KIND_IS_ASKED);
}

/// Stores the set of kinds whose bodies a thing with this filter may meet.
void grz_filter_kinds_list(const grz_filter_kinds *kinds, graze_filter filter,
                           uint32_t met[GRAZE_GRID_KIND_WORDS]);

#endif
