/// @file grid_kinds.h
/// Lists of kinds: which items a build keeps apart from others, and what it compares with what.
///
/// List 0 is the general one. In each other list no kind pairs with itself or with another of the
/// list: its items are never compared with each other.
#ifndef GRZ_GRID_KINDS_H
#define GRZ_GRID_KINDS_H

#include <graze/grid.h>

enum { GRZ_GRID_LISTS = 5 };

/// Whether what has one of some kinds pairs with what has one of others.
typedef enum grz_kinds_meet { GRZ_KINDS_APART, GRZ_KINDS_MIXED, GRZ_KINDS_MEET } grz_kinds_meet;

/// A set of kinds: see graze_grid_meets.
typedef struct grz_kind_set {
    uint32_t words[GRAZE_GRID_KIND_WORDS];
} grz_kind_set;

/// How many items there are of each kind.
typedef struct grz_kind_counts {
    uint32_t of[GRAZE_GRID_KINDS];
} grz_kind_counts;

typedef struct grz_grid_lists {
    uint8_t of_kind[GRAZE_GRID_KINDS];            ///< The list of each kind.
    grz_kind_set kinds[GRZ_GRID_LISTS];           ///< Of the items that each list has.
    uint32_t counts[GRZ_GRID_LISTS];              ///< How many items it has.
    uint8_t meet[GRZ_GRID_LISTS][GRZ_GRID_LISTS]; ///< grz_kinds_meet.
    uint8_t points[GRZ_GRID_LISTS]; ///< Whether its items are points: none, some or all.
    uint32_t used;                  ///< How many of them have items.
    bool mixed; ///< The kinds of single items count: of two lists some pair, or some are points.
} grz_grid_lists;

/// The one kind of items that have none.
extern const graze_grid_meets grz_grid_all_meet;

/// Counts the items of each kind.
void grz_grid_count_kinds(const uint8_t *kinds, uint32_t count, grz_kind_counts *counts);

/// Gives each kind a list, those with most items first.
void grz_grid_choose_lists(const graze_grid_meets *meets, const grz_kind_counts *counts,
                           grz_grid_lists *lists);

/// Finds which kinds each list has items of, and what this means for each two lists.
void grz_grid_judge_lists(const graze_grid_meets *meets, const grz_kind_counts *counts,
                          grz_grid_lists *lists);

/// Returns the list that has all items, or GRZ_GRID_LISTS if more than one list has any.
uint32_t grz_grid_only_list(const grz_grid_lists *lists);

/// Returns whether both say the same of all kinds.
bool grz_grid_same_meets(const graze_grid_meets *one, const graze_grid_meets *other);

/// Returns whether what pairs with the kinds of `row` pairs with none, some or all of `kinds`.
grz_kinds_meet grz_grid_compare_kinds(const uint32_t row[GRAZE_GRID_KIND_WORDS],
                                      const grz_kind_set *kinds);

/// Returns whether a set, as in graze_grid_meets, has a kind.
static inline uint32_t grz_set_has_kind(const uint32_t *words, uint32_t kind)
{
    return words[kind / 32] >> kind % 32 & 1;
}

#endif
