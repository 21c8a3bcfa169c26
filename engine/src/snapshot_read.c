#include "snapshot_read.h"

#include "rows.h"
#include "snapshot_reports.h"
#include "snapshot_rows.h"
#include "snapshot_terrain.h"

/// A snapshot being read.
typedef struct reader {
    const graze_world *world;
    grz_snapshot *snapshot;
    const grz_snapshot_loops *loops;
    grz_snapshot_sums sums;
    size_t done[GRZ_SECTION_COUNT]; ///< Bytes of each section.
    uint32_t wrong;                 ///< Not 0 when some body is.
    grz_row_maker rows;
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

static void read_by_index(reader *of, size_t end)
{
    read_until(of, GRZ_SECTION_BODIES, end, read_any);
    read_until(of, GRZ_SECTION_MATTERS, end, read_matters);
    read_until(of, GRZ_SECTION_LIVES, end, read_any);
    read_until(of, GRZ_SECTION_FILTERS, end, read_any);
    read_until(of, GRZ_SECTION_USERS, end, read_any);
}

static void read_kept(reader *of, size_t end)
{
    read_until(of, GRZ_SECTION_HALVES, end, read_any);
    read_until(of, GRZ_SECTION_ANGLES, end, read_numbers);
    read_until(of, GRZ_SECTION_SPINS, end, read_numbers);
}

static size_t count_in_world(const grz_index_block *block)
{
    size_t count = 0;
    for (uint32_t k = 0; k < block->count; k += 64) {
        count += count_bits(block->in_world[k / 64]);
    }
    return count;
}

static void read_in_world(reader *of)
{
    grz_index_reader indices = grz_read_indices(of->snapshot, GRZ_INDICES_AT_ONCE);
    grz_index_block block;
    size_t rows = 0;
    while (grz_read_block(&indices, &block)) {
        rows += count_in_world(&block);
        read_by_index(of, (size_t)block.first + block.count);
        read_kept(of, rows);
        grz_row_maker_add(&of->rows, &block);
    }
}

static void read_retired(reader *of)
{
    read_kept(of, grz_snapshot_kept(&of->snapshot->header));
    grz_row_maker_check_retired(&of->rows);
}

// What bodies have by index or by row comes together: each says what the other may be. Rects are
// counted, and turns are there exactly when there are any.
static bool read_bodies(reader *of)
{
    const bool has_room = of->snapshot->fills_rows;
    const grz_kind_counts *kinds = &of->rows.kinds;
    grz_row_maker_begin(&of->rows, of->snapshot, of->loops, has_room ? &of->world->rows : NULL);
    read_rest(of, GRZ_SECTION_POSITIONS, read_numbers);
    read_rest(of, GRZ_SECTION_VELOCITIES, read_numbers);
    read_in_world(of);
    const bool counted = kinds->rects == of->snapshot->header.rect_count;
    of->snapshot->ray_count = kinds->rays;
    read_retired(of);
    of->wrong |= of->rows.wrong;
    return counted && (kinds->rects > 0) == grz_snapshot_has(of->snapshot, GRZ_NEED_TURNS);
}

// --- All of it ---

static bool read_reports(reader *of)
{
    read_rest(of, GRZ_SECTION_KEYS, read_any);
    read_rest(of, GRZ_SECTION_ENDS, read_any);
    read_rest(of, GRZ_SECTION_CONTACTS, read_any);
    return grz_snapshot_reports_are_right(of->snapshot, of->loops);
}

static void take_sum(reader *of, grz_section section, const grz_checksum *sum)
{
    of->sums.of[section] = *sum;
    of->done[section] = (size_t)sum->size;
}

// The same bytes have the same sums.
static bool read_terrain(reader *of)
{
    const bool same = grz_terrain_is_same(of->world, of->snapshot);
    if (same) {
        take_sum(of, GRZ_SECTION_CHAINS, &of->world->image.record_sum);
        take_sum(of, GRZ_SECTION_POINTS, &of->world->image.point_sum);
    }
    read_rest(of, GRZ_SECTION_CHAINS, read_any);
    read_rest(of, GRZ_SECTION_POINTS, read_any);
    return same;
}

static void read_anything(reader *of)
{
    for (int section = 0; section < GRZ_SECTION_COUNT; ++section) {
        read_rest(of, (grz_section)section, read_any);
    }
}

static void begin_reading(reader *of, const graze_world *world, grz_snapshot *snapshot,
                          const grz_snapshot_loops *loops)
{
    of->world = world;
    of->snapshot = snapshot;
    of->loops = loops;
    of->wrong = 0;
    memset(of->done, 0, sizeof of->done);
    grz_snapshot_begin_sums(&of->sums);
}

// Numbers of a damaged snapshot may be anything: nothing is told here. What is read again comes
// last, so that it is still near then.
grz_findings grz_snapshot_read(const graze_world *world, grz_snapshot *snapshot,
                               const grz_snapshot_loops *loops)
{
    grz_findings found = {.in_order = indices_are_right(snapshot)};
    reader of;
    begin_reading(&of, world, snapshot, loops);
    snapshot->same_terrain = read_terrain(&of);
    found.reports = read_reports(&of);
    found.kinds = found.in_order && read_bodies(&of);
    found.wrong = of.wrong != 0;
    read_anything(&of);
    found.checksum = grz_snapshot_end_sums(&of.sums, loops, &snapshot->header);
    return found;
}
