/// @file filter_kinds.h
/// The kinds of a world's bodies, as the grid knows them: each has a filter and a shape of its own.
///
/// A kind is a category, a mask, whether it has a group, and whether it is of rays. So kinds say
/// which bodies meet, except for the numbers of groups, of which some bits are in a tag: two bodies
/// with groups of the same bits are asked.
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
    bool passing;                     ///< Some filter lets its body pass others.
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

/// What is known of two bodies by their tags.
typedef enum grz_filter_answer {
    GRZ_FILTERS_APART,
    GRZ_FILTERS_MEET,
    GRZ_FILTERS_ASK ///< Their filters have to be compared.
} grz_filter_answer;

enum { GRZ_TAG_GROUP_BITS = 6 };

/// Returns the tag of a filter of this kind: the kind, and some bits that tell most groups apart.
static inline uint32_t grz_filter_tag(uint32_t kind, int32_t group)
{
    return kind << GRZ_TAG_GROUP_BITS |
           ((uint32_t)group * 0x9E3779B1u) >> (32 - GRZ_TAG_GROUP_BITS);
}

/// Returns whether the masks of two kinds let them meet.
static inline bool grz_kind_masks_meet(const grz_filter_kinds *kinds, uint32_t i, uint32_t k)
{
    return (kinds->category[i] & kinds->mask[k]) != 0 && (kinds->category[k] & kinds->mask[i]) != 0;
}

/// Returns what the tags of two bodies tell, whose kinds meet.
static inline grz_filter_answer grz_filter_kinds_judge(const grz_filter_kinds *kinds, uint32_t a,
                                                       uint32_t b)
{
    const uint32_t kind_a = a >> GRZ_TAG_GROUP_BITS, kind_b = b >> GRZ_TAG_GROUP_BITS;
    const uint32_t both = kinds->traits[kind_a] & kinds->traits[kind_b];
    const uint32_t either = kinds->traits[kind_a] | kinds->traits[kind_b];
    if (either & GRZ_KIND_IS_ASKED) {
        return GRZ_FILTERS_ASK;
    }
    if (!(both & GRZ_KIND_IS_GROUPED)) {
        return GRZ_FILTERS_MEET;
    }
    if (((a ^ b) & ((1u << GRZ_TAG_GROUP_BITS) - 1)) == 0) {
        return GRZ_FILTERS_ASK;
    }
    return grz_kind_masks_meet(kinds, kind_a, kind_b) ? GRZ_FILTERS_MEET : GRZ_FILTERS_APART;
}

/// Stores the set of kinds whose bodies a thing with this filter may meet.
void grz_filter_kinds_list(const grz_filter_kinds *kinds, graze_filter filter,
                           uint32_t met[GRAZE_GRID_KIND_WORDS]);

#endif
