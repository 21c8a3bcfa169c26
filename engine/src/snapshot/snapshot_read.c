#include "snapshot/snapshot_read.h"

#include "snapshot/snapshot_reports.h"
#include "snapshot/snapshot_rows.h"
#include "snapshot/snapshot_terrain.h"

/// A snapshot being read.
typedef struct snapshot_reader {
    const graze_world *world;
    graze_world *spare;
    grz_snapshot *snapshot;
    const grz_snapshot_loops *loops;
    grz_snapshot_sums sums;
    uint32_t wrong; ///< Not 0 when some body is.
} snapshot_reader;

/// The rest of a section.
typedef struct section_batch {
    const unsigned char *bytes;
    size_t size, count;
    grz_checksum *sum; ///< Of the section.
    unsigned char *to; ///< Where they are copied; null: nowhere.
} section_batch;

// --- Sections ---

typedef void read_fn(snapshot_reader *reader, const section_batch *batch);

static void read_any(snapshot_reader *reader, const section_batch *batch)
{
    if (batch->to) {
        grz_checksum_copy(batch->sum, reader->loops->checksum, batch->to, batch->bytes,
                          batch->size);
    } else {
        grz_checksum_add(batch->sum, reader->loops->checksum, batch->bytes, batch->size);
    }
}

static void read_numbers(snapshot_reader *reader, const section_batch *batch)
{
    reader->wrong |=
        grz_snapshot_copy_numbers(batch->sum, reader->loops, batch->to, batch->bytes, batch->size);
}

static void read_materials(snapshot_reader *reader, const section_batch *batch)
{
    read_any(reader, batch);
    reader->wrong |= reader->loops->check_materials(batch->bytes, batch->count);
}

static void read_dynamics(snapshot_reader *reader, const section_batch *batch)
{
    read_any(reader, batch);
    reader->wrong |= reader->loops->check_dynamics(batch->bytes, batch->count);
}

// Null for sections that are stored otherwise.
static void *column_for(const graze_world *spare, grz_section section)
{
    switch (section) {
    case GRZ_SECTION_POSITIONS:
        return spare->rows.position;
    case GRZ_SECTION_VELOCITIES:
        return spare->rows.velocity;
    case GRZ_SECTION_HALVES:
        return spare->rows.half;
    case GRZ_SECTION_ANGLES:
        return spare->rows.angle;
    case GRZ_SECTION_SPINS:
        return spare->rows.spin;
    case GRZ_SECTION_BODIES:
        return spare->bodies.data;
    case GRZ_SECTION_MATERIALS:
        return spare->materials.data;
    case GRZ_SECTION_LIVES:
        return spare->lives.data;
    case GRZ_SECTION_FILTERS:
        return spare->filters.data;
    case GRZ_SECTION_USERS:
        return spare->user_data.data;
    case GRZ_SECTION_DYNAMICS:
        return spare->dynamics.data;
    case GRZ_SECTION_VACANCIES:
        return spare->vacancies.data;
    default:
        return NULL;
    }
}

// HOT. bench: engine/snapshot_load
//
// Data    All of a section, read once; columns of bodies written once.
// Branch  None but the loops'.
static void read_rest(snapshot_reader *reader, grz_section section, read_fn *read)
{
    const size_t all = grz_snapshot_section_size(reader->snapshot, section);
    const size_t first = (size_t)reader->sums.section[section].size;
    if (all > first) {
        unsigned char *column = column_for(reader->spare, section);
        const section_batch batch = {
            .bytes = grz_snapshot_section(reader->snapshot, section) + first,
            .size = all - first,
            .count = (all - first) / grz_snapshot_element_size(section),
            .sum = &reader->sums.section[section],
            .to = column ? column + first : NULL,
        };
        read(reader, &batch);
    }
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
    return count_vacancies(snapshot, &vacant) &&
           vacant + grz_snapshot_kept(header) == header->index_count && retired_are_right(snapshot);
}

// --- Bodies ---

// Counts rects; angles are there exactly if anything has one.
static bool read_bodies(snapshot_reader *reader, bool *any_dynamic)
{
    read_rest(reader, GRZ_SECTION_POSITIONS, read_numbers);
    read_rest(reader, GRZ_SECTION_VELOCITIES, read_numbers);
    read_rest(reader, GRZ_SECTION_MATERIALS, read_materials);
    read_rest(reader, GRZ_SECTION_DYNAMICS, read_dynamics);
    const grz_row_findings found =
        grz_snapshot_make_rows(reader->snapshot, reader->loops, &reader->sums, reader->spare);
    read_rest(reader, GRZ_SECTION_ANGLES, read_numbers);
    read_rest(reader, GRZ_SECTION_SPINS, read_numbers);
    reader->wrong |= found.wrong;
    reader->spare->rect_count = found.kinds.rects;
    reader->spare->ray_count = found.kinds.rays;
    reader->spare->rotation_count = found.kinds.rotations;
    *any_dynamic = found.any_dynamic;
    return found.kinds.rects == reader->snapshot->header.rect_count &&
           found.any_rotations == grz_snapshot_has(reader->snapshot, GRZ_NEED_ROTATIONS);
}

// --- All of it ---

static bool read_reports(snapshot_reader *reader)
{
    read_rest(reader, GRZ_SECTION_KEYS, read_any);
    read_rest(reader, GRZ_SECTION_ENDS, read_any);
    read_rest(reader, GRZ_SECTION_CONTACTS, read_any);
    read_rest(reader, GRZ_SECTION_BLOWS, read_any);
    return grz_snapshot_reports_are_right(reader->snapshot, reader->loops);
}

// Equal bytes have equal sums.
static bool read_terrain(snapshot_reader *reader)
{
    const bool same = grz_terrain_is_same(reader->world, reader->snapshot);
    if (same) {
        reader->sums.section[GRZ_SECTION_CHAINS] = reader->world->image.record_sum;
        reader->sums.section[GRZ_SECTION_POINTS] = reader->world->image.point_sum;
        reader->sums.section[GRZ_SECTION_SURFACES] = reader->world->image.surface_sum;
    }
    read_rest(reader, GRZ_SECTION_CHAINS, read_any);
    read_rest(reader, GRZ_SECTION_POINTS, read_any);
    read_rest(reader, GRZ_SECTION_SURFACES, read_any);
    return same;
}

static void read_anything(snapshot_reader *reader)
{
    for (int section = 0; section < GRZ_SECTION_COUNT; ++section) {
        read_rest(reader, (grz_section)section, read_any);
    }
}

static void begin_reading(snapshot_reader *reader, const graze_world *world, grz_snapshot *snapshot,
                          const grz_snapshot_loops *loops)
{
    reader->world = world;
    reader->spare = world->spare;
    reader->snapshot = snapshot;
    reader->loops = loops;
    reader->wrong = 0;
    grz_snapshot_begin_sums(&reader->sums);
}

// Numbers of a damaged snapshot may be anything, so nothing is logged here. Reports come last,
// because they are read again soon, while cached.
grz_findings grz_snapshot_read(graze_world *world, grz_snapshot *snapshot,
                               const grz_snapshot_loops *loops)
{
    grz_findings found = {.in_order = indices_are_right(snapshot)};
    snapshot_reader reader;
    begin_reading(&reader, world, snapshot, loops);
    snapshot->same_terrain = read_terrain(&reader);
    found.kinds = found.in_order && read_bodies(&reader, &found.any_dynamic);
    found.reports = read_reports(&reader);
    found.wrong = reader.wrong != 0;
    read_anything(&reader);
    found.checksum = grz_snapshot_end_sums(&reader.sums, loops, &snapshot->header);
    return found;
}
