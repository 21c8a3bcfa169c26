// Lists of kinds: see grid_kinds.h.

#include "grid_kinds.h"

#include <string.h>

enum {
    FEW_ITEMS = 64, ///< So few are all in one list.
    A_RUN = 8       ///< Items that are looked at together.
};

const graze_grid_meets grz_grid_all_meet = {.count = 1, .rows = {{1}}};

// Whether the items of a run are of one kind: most are, because items come in the order of the last
// build, list by list.
static inline bool are_one_kind(const uint8_t *kinds)
{
    uint64_t run;
    memcpy(&run, kinds, sizeof run);
    return run == kinds[0] * UINT64_C(0x0101010101010101);
}

void grz_grid_count_kinds(const uint8_t *kinds, uint32_t count, grz_kind_counts *counts)
{
    memset(counts, 0, sizeof *counts);
    uint32_t i = 0;
    for (; i + A_RUN <= count; i += A_RUN) {
        if (are_one_kind(kinds + i)) {
            counts->of[kinds[i]] += A_RUN;
            continue;
        }
        for (uint32_t k = 0; k < A_RUN; ++k) {
            ++counts->of[kinds[i + k]];
        }
    }
    for (; i < count; ++i) {
        ++counts->of[kinds[i]];
    }
}

static uint64_t count_all(const grz_kind_counts *counts, uint32_t kind_count)
{
    uint64_t sum = 0;
    for (uint32_t kind = 0; kind < kind_count; ++kind) {
        sum += counts->of[kind];
    }
    return sum;
}

// Stores all kinds, those with most items first, and of these the lowest.
static void rank_kinds(const grz_kind_counts *counts, uint32_t kind_count, uint8_t *ranked)
{
    for (uint32_t kind = 0; kind < kind_count; ++kind) {
        uint32_t place = kind;
        for (; place > 0 && counts->of[ranked[place - 1]] < counts->of[kind]; --place) {
            ranked[place] = ranked[place - 1];
        }
        ranked[place] = (uint8_t)kind;
    }
}

static bool has_common_kind(const uint32_t *row, const grz_kind_set *kinds)
{
    uint32_t common = 0;
    for (uint32_t word = 0; word < GRAZE_GRID_KIND_WORDS; ++word) {
        common |= row[word] & kinds->words[word];
    }
    return common != 0;
}

// Returns the first list in which a kind pairs with none, which may be a new one; or the general
// one.
static uint32_t find_list(const uint32_t *row, uint32_t kind, const grz_kind_set *members)
{
    if (grz_set_has_kind(row, kind)) {
        return 0;
    }
    for (uint32_t list = 1; list < GRZ_GRID_LISTS; ++list) {
        if (!has_common_kind(row, &members[list])) {
            return list;
        }
    }
    return 0;
}

void grz_grid_choose_lists(const graze_grid_meets *meets, const grz_kind_counts *counts,
                           grz_grid_lists *lists)
{
    grz_kind_set members[GRZ_GRID_LISTS] = {{{0}}};
    uint8_t ranked[GRAZE_GRID_KINDS];
    const bool few = count_all(counts, meets->count) <= FEW_ITEMS;
    rank_kinds(counts, meets->count, ranked);
    for (uint32_t i = 0; i < meets->count; ++i) {
        const uint32_t kind = ranked[i];
        const uint32_t list = few ? 0 : find_list(meets->rows[kind], kind, members);
        members[list].words[kind / 32] |= UINT32_C(1) << kind % 32;
        lists->of_kind[kind] = (uint8_t)list;
    }
}

/// The kinds that some, or all, of a list's kinds pair with.
typedef struct list_row {
    uint32_t some[GRAZE_GRID_KIND_WORDS], all[GRAZE_GRID_KIND_WORDS];
} list_row;

static void add_kind(const graze_grid_meets *meets, uint32_t kind, uint32_t count,
                     grz_grid_lists *lists, list_row *rows)
{
    const uint32_t list = lists->of_kind[kind];
    const bool first = lists->counts[list] == 0;
    lists->used += first;
    lists->counts[list] += count;
    lists->kinds[list].words[kind / 32] |= UINT32_C(1) << kind % 32;
    for (uint32_t word = 0; word < GRAZE_GRID_KIND_WORDS; ++word) {
        const uint32_t row = meets->rows[kind][word];
        rows[list].some[word] |= row;
        rows[list].all[word] = first ? row : rows[list].all[word] & row;
    }
}

static bool has_all_kinds(const uint32_t *row, const grz_kind_set *kinds)
{
    uint32_t missing = 0;
    for (uint32_t word = 0; word < GRAZE_GRID_KIND_WORDS; ++word) {
        missing |= ~row[word] & kinds->words[word];
    }
    return missing == 0;
}

static grz_kinds_meet compare_rows(const uint32_t *some, const uint32_t *all,
                                   const grz_kind_set *kinds)
{
    return !has_common_kind(some, kinds) ? GRZ_KINDS_APART
           : has_all_kinds(all, kinds)   ? GRZ_KINDS_MEET
                                         : GRZ_KINDS_MIXED;
}

grz_kinds_meet grz_grid_compare_kinds(const uint32_t row[GRAZE_GRID_KIND_WORDS],
                                      const grz_kind_set *kinds)
{
    return compare_rows(row, row, kinds);
}

// Compares a list with all that have items.
static void judge_list(const graze_grid_meets *meets, uint32_t list, const list_row *row,
                       grz_grid_lists *lists)
{
    lists->points[list] = (uint8_t)grz_grid_compare_kinds(meets->points, &lists->kinds[list]);
    lists->mixed |= lists->points[list] == GRZ_KINDS_MIXED;
    for (uint32_t other = 0; other < GRZ_GRID_LISTS; ++other) {
        if (lists->counts[other]) {
            const grz_kinds_meet meeting = compare_rows(row->some, row->all, &lists->kinds[other]);
            lists->meet[list][other] = (uint8_t)meeting;
            lists->mixed |= meeting == GRZ_KINDS_MIXED;
        }
    }
}

void grz_grid_judge_lists(const graze_grid_meets *meets, const grz_kind_counts *counts,
                          grz_grid_lists *lists)
{
    list_row rows[GRZ_GRID_LISTS] = {{{0}, {0}}};
    memset(lists->kinds, 0, sizeof lists->kinds);
    memset(lists->counts, 0, sizeof lists->counts);
    memset(lists->meet, GRZ_KINDS_APART, sizeof lists->meet);
    memset(lists->points, GRZ_KINDS_APART, sizeof lists->points);
    lists->used = 0;
    lists->mixed = false;
    for (uint32_t kind = 0; kind < meets->count; ++kind) {
        if (counts->of[kind]) {
            add_kind(meets, kind, counts->of[kind], lists, rows);
        }
    }
    for (uint32_t list = 0; list < GRZ_GRID_LISTS; ++list) {
        if (lists->counts[list]) {
            judge_list(meets, list, &rows[list], lists);
        }
    }
}

uint32_t grz_grid_only_list(const grz_grid_lists *lists)
{
    uint32_t only = 0;
    for (uint32_t list = 0; list < GRZ_GRID_LISTS; ++list) {
        only = lists->counts[list] ? list : only;
    }
    return lists->used > 1 ? (uint32_t)GRZ_GRID_LISTS : only;
}

bool grz_grid_same_meets(const graze_grid_meets *one, const graze_grid_meets *other)
{
    return one->count == other->count &&
           memcmp(one->rows, other->rows, one->count * sizeof one->rows[0]) == 0 &&
           memcmp(one->points, other->points, sizeof one->points) == 0;
}
