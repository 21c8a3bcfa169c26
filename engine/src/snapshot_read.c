#include "snapshot_read.h"

#include "rows.h"
#include "snapshot_indices.h"
#include "snapshot_reports.h"
#include "snapshot_terrain.h"

/// A snapshot being read.
typedef struct reader {
    const graze_world *world;
    grz_snapshot *snapshot;
    const grz_snapshot_loops *loops;
    grz_snapshot_sums sums;
    size_t done[GRZ_SECTION_COUNT]; ///< Bytes of each section.
    const uint64_t *retired;        ///< A bit for each of the indices being read.
    uint32_t wrong;                 ///< Not 0 when some body is.
    grz_kind_counts kinds;
} reader;

/// Some elements of a section.
typedef struct batch {
    const unsigned char *bytes;
    size_t size, count;
    grz_checksum *sum;   ///< Of the section.
    unsigned char *copy; ///< Where they go meanwhile; null: nowhere.
} batch;

// --- What a section says ---

typedef void read_fn(reader *of, const batch *some);

static void read_any(reader *of, const batch *some)
{
    grz_checksum_add(some->sum, of->loops, some->bytes, some->size);
}

static void read_numbers(reader *of, const batch *some)
{
    of->wrong |=
        grz_checksum_add_numbers(some->sum, of->loops, some->bytes, some->size, some->copy);
}

static void read_matters(reader *of, const batch *some)
{
    read_any(of, some);
    of->wrong |= of->loops->check_matters(some->bytes, some->count);
}

// The last hit removes: only the retired have had theirs.
static void read_lives(reader *of, const batch *some)
{
    uint32_t spent = 0;
    read_any(of, some);
    of->wrong |= of->loops->check_lives(some->bytes, some->count, of->retired, &spent);
    of->wrong |= spent;
}

// What waits until all is checked: see grz_snapshot's fills_ends and fills_turns.
static unsigned char *column_for(const reader *of, grz_section section)
{
    const grz_rows *rows = &of->world->rows;
    const bool ends = of->snapshot->fills_ends, turns = of->snapshot->fills_turns;
    switch (section) {
    case GRZ_SECTION_POSITIONS:
        return ends ? (unsigned char *)rows->end : NULL;
    case GRZ_SECTION_VELOCITIES:
        return ends ? (unsigned char *)rows->end_velocity : NULL;
    case GRZ_SECTION_ANGLES:
        return turns ? (unsigned char *)grz_rows_spare_turns(rows).angle : NULL;
    case GRZ_SECTION_SPINS:
        return turns ? (unsigned char *)grz_rows_spare_turns(rows).spin : NULL;
    default:
        return NULL;
    }
}

static size_t count_of(const grz_snapshot *snapshot, grz_section section)
{
    const grz_snapshot_layout *layout = &snapshot->layout;
    return (size_t)(layout->begin[section + 1] - layout->begin[section]) /
           grz_snapshot_element_size(section);
}

// HOT. bench: engine/snapshot_load
//
// Data    All of the snapshot, once; 24 bytes a body written.
// Branch  None but the loops'.
// Order   Of bodies some hundred kilobytes at a time: what was summed up is still near when it is
//         checked. Whole blocks of the checksum: of rows some more than are asked for.
static void read_until(reader *of, grz_section section, size_t end, read_fn *read)
{
    const size_t element = grz_snapshot_element_size(section);
    const size_t all = count_of(of->snapshot, section) * element;
    const size_t first = of->done[section];
    const size_t blocks = (end * element + GRZ_CHECKSUM_BLOCK - 1) / GRZ_CHECKSUM_BLOCK;
    const size_t wanted = blocks * GRZ_CHECKSUM_BLOCK;
    const size_t last = wanted < all ? wanted : all;
    if (last > first) {
        unsigned char *column = column_for(of, section);
        const batch some = {
            .bytes = grz_snapshot_section(of->snapshot, section) + first,
            .size = last - first,
            .count = (last - first) / element,
            .sum = &of->sums.of[section],
            .copy = column ? column + first : NULL,
        };
        read(of, &some);
        of->done[section] = last;
    }
}

static void read_rest(reader *of, grz_section section, read_fn *read)
{
    read_until(of, section, count_of(of->snapshot, section), read);
}

// --- Which bodies there are ---

// Added up in pairs, fours, eights, then all bytes.
static uint32_t count_bits(uint64_t word)
{
    const uint64_t ones = UINT64_MAX / 3, pairs = UINT64_MAX / 5, fours = UINT64_MAX / 17;
    word -= word >> 1 & ones;
    word = (word & pairs) + (word >> 2 & pairs);
    word = (word + (word >> 4)) & fours;
    return (uint32_t)(word * (UINT64_MAX / 255) >> 56);
}

// No bit is set past the last index.
static bool count_vacancies(const grz_snapshot *snapshot, uint64_t *count)
{
    const uint32_t indices = snapshot->header.index_count;
    const size_t words = ((size_t)indices + 63) / 64;
    uint64_t bits = 0;
    *count = 0;
    for (size_t word = 0; word < words; ++word) {
        bits = grz_vacancies_at(snapshot, word);
        *count += count_bits(bits);
    }
    return indices % 64 == 0 || bits >> indices % 64 == 0;
}

// All are below the last then.
static bool do_rise(const unsigned char *retired, size_t count, uint32_t index_count)
{
    uint32_t falls = 0;
    for (size_t i = 1; i < count; ++i) {
        falls |= grz_word_at(retired, i - 1) >= grz_word_at(retired, i);
    }
    return !falls && (count == 0 || grz_word_at(retired, count - 1) < index_count);
}

static bool retired_are_right(const grz_snapshot *snapshot)
{
    const unsigned char *retired = grz_snapshot_section(snapshot, GRZ_SECTION_RETIRED);
    const size_t count = snapshot->header.retired_count;
    uint64_t vacant = 0;
    if (!do_rise(retired, count, snapshot->header.index_count)) {
        return false;
    }
    for (size_t i = 0; i < count; ++i) {
        const uint32_t index = grz_word_at(retired, i);
        vacant |= grz_vacancies_at(snapshot, index / 64) >> index % 64;
    }
    return (vacant & 1) == 0;
}

static bool indices_are_right(const grz_snapshot *snapshot)
{
    const grz_snapshot_header *header = &snapshot->header;
    uint64_t vacant;
    return header->index_count <= GRZ_NONE / 2 && count_vacancies(snapshot, &vacant) &&
           vacant + grz_snapshot_kept(header) == header->index_count && retired_are_right(snapshot);
}

// --- Bodies ---

/// Forms of some of the kept bodies.
typedef struct form_list {
    size_t first;
    uint32_t count;
    uint32_t forms[GRZ_LANES_MOST + GRZ_FORMS_LISTED]; ///< Those left over, then new ones.
} form_list;

// Holds some of them against what is kept of these bodies, and goes on behind them.
static void check_forms(reader *of, form_list *some, uint32_t count)
{
    const grz_snapshot *snapshot = of->snapshot;
    const bool turns = grz_snapshot_has(snapshot, GRZ_NEED_TURNS);
    const size_t first = some->first, end = first + count;
    const grz_kept_part part = {
        grz_snapshot_element(snapshot, GRZ_SECTION_HALVES, first),
        turns ? grz_snapshot_element(snapshot, GRZ_SECTION_ANGLES, first) : NULL,
        turns ? grz_snapshot_element(snapshot, GRZ_SECTION_SPINS, first) : NULL,
    };
    read_until(of, GRZ_SECTION_HALVES, end, read_any);
    if (turns) {
        read_until(of, GRZ_SECTION_ANGLES, end, read_numbers);
        read_until(of, GRZ_SECTION_SPINS, end, read_numbers);
    }
    of->wrong |= of->loops->check_kept(&part, some->forms, count, &of->kinds);
    some->first = end;
    some->count -= count;
    memmove(some->forms, some->forms + count, some->count * sizeof *some->forms);
}

// As many as make lanes whole.
static void check_whole_lanes(reader *of, form_list *some)
{
    check_forms(of, some, some->count - some->count % GRZ_LANES_MOST);
}

static void read_by_index(reader *of, const grz_index_block *block)
{
    const size_t end = (size_t)block->first + block->count;
    of->retired = block->retired;
    read_until(of, GRZ_SECTION_BODIES, end, read_any);
    read_until(of, GRZ_SECTION_MATTERS, end, read_matters);
    read_until(of, GRZ_SECTION_LIVES, end, read_lives);
    read_until(of, GRZ_SECTION_FILTERS, end, read_any);
    read_until(of, GRZ_SECTION_USERS, end, read_any);
}

static void read_in_world(reader *of, form_list *some)
{
    grz_index_reader indices = grz_read_indices(of->snapshot, GRZ_INDICES_AT_ONCE);
    grz_index_block block;
    while (grz_read_block(&indices, &block)) {
        const unsigned char *bodies =
            grz_snapshot_element(of->snapshot, GRZ_SECTION_BODIES, block.first);
        read_by_index(of, &block);
        some->count += of->loops->list_forms(bodies, block.count, block.in_world,
                                             some->forms + some->count, &of->wrong);
        check_whole_lanes(of, some);
    }
    check_forms(of, some, some->count);
}

static void read_retired(reader *of, form_list *some)
{
    const unsigned char *bodies = grz_snapshot_section(of->snapshot, GRZ_SECTION_BODIES);
    const unsigned char *retired = grz_snapshot_section(of->snapshot, GRZ_SECTION_RETIRED);
    for (size_t i = 0; i < of->snapshot->header.retired_count; ++i) {
        some->forms[some->count++] = grz_word_at(bodies, 2 * (size_t)grz_word_at(retired, i) + 1);
        if (some->count == GRZ_INDICES_AT_ONCE) {
            check_whole_lanes(of, some);
        }
    }
    check_forms(of, some, some->count);
}

// What bodies have by index or by row comes together: each says what the other may be. Rects are
// counted, and turns are there exactly when there are any.
static bool read_bodies(reader *of)
{
    form_list some;
    some.first = 0;
    some.count = 0;
    read_rest(of, GRZ_SECTION_POSITIONS, read_numbers);
    read_rest(of, GRZ_SECTION_VELOCITIES, read_numbers);
    read_in_world(of, &some);
    const bool counted = of->kinds.rects == of->snapshot->header.rect_count;
    of->snapshot->ray_count = of->kinds.rays;
    read_retired(of, &some);
    return counted && (of->kinds.rects > 0) == grz_snapshot_has(of->snapshot, GRZ_NEED_TURNS);
}

// --- All of it ---

static bool read_reports(reader *of)
{
    read_rest(of, GRZ_SECTION_KEYS, read_any);
    read_rest(of, GRZ_SECTION_ENDS, read_any);
    read_rest(of, GRZ_SECTION_CONTACTS, read_any);
    return grz_snapshot_reports_are_right(of->snapshot);
}

static bool read_terrain(reader *of)
{
    read_rest(of, GRZ_SECTION_CHAINS, read_any);
    read_rest(of, GRZ_SECTION_POINTS, read_any);
    return grz_terrain_is_same(of->world, of->snapshot);
}

static void read_anything(reader *of)
{
    for (int section = 0; section < GRZ_SECTION_COUNT; ++section) {
        read_rest(of, (grz_section)section, read_any);
    }
}

// Numbers of a damaged snapshot may be anything: nothing is told here. What is read again comes
// last, so that it is still near then.
grz_findings grz_snapshot_read(const graze_world *world, grz_snapshot *snapshot,
                               const grz_snapshot_loops *loops)
{
    grz_findings found = {.in_order = indices_are_right(snapshot)};
    reader of = {.world = world, .snapshot = snapshot, .loops = loops};
    grz_snapshot_begin_sums(&of.sums);
    snapshot->same_terrain = read_terrain(&of);
    found.reports = read_reports(&of);
    found.kinds = found.in_order && read_bodies(&of);
    found.wrong = of.wrong != 0;
    read_anything(&of);
    found.checksum = grz_snapshot_end_sums(&of.sums, loops, &snapshot->header);
    return found;
}
