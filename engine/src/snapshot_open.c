#include "snapshot.h"

#include "bits.h"
#include "message.h"
#include "snapshot_blame.h"
#include "snapshot_indices.h"
#include "snapshot_reports.h"
#include "snapshot_terrain.h"

#include <string.h>

static graze_status refuse(const graze_world *world, const char *what)
{
    return grz_fail(world, GRAZE_ERROR_FORMAT, "graze_world_load: %s", what);
}

// --- Header ---

static graze_status check_signature(const graze_world *world, const grz_snapshot_header *header)
{
    const grz_snapshot_header known = grz_snapshot_new_header();
    if (memcmp(header->magic, known.magic, sizeof known.magic) != 0) {
        return refuse(world, "this is no snapshot");
    }
    if (header->byte_order != known.byte_order) {
        return refuse(world, "the snapshot has a byte order that is not known");
    }
    if (header->version != known.version) {
        return grz_fail(world, GRAZE_ERROR_FORMAT,
                        "graze_world_load: the snapshot has version %lu; known is %lu",
                        (unsigned long)header->version, (unsigned long)known.version);
    }
    return GRAZE_OK;
}

static graze_status check_size(const graze_world *world, const grz_snapshot *snapshot, size_t size)
{
    const uint64_t stated = snapshot->header.size;
    if (stated != snapshot->layout.begin[GRZ_SECTION_COUNT] ||
        snapshot->header.needs > GRZ_NEED_ALL) {
        return refuse(world, "the snapshot's size does not fit its counts");
    }
    if (stated > size) {
        return grz_fail(world, GRAZE_ERROR_FORMAT,
                        "graze_world_load: size is %lu; the snapshot has %lu bytes",
                        (unsigned long)size, (unsigned long)stated);
    }
    return GRAZE_OK;
}

// --- All bytes, once ---

enum { BODIES_AT_ONCE = 1024 };

/// A snapshot being read through for the first time.
typedef struct reader {
    grz_snapshot *snapshot;
    const grz_snapshot_loops *loops;
    const grz_rows *rows; ///< The world's.
    grz_snapshot_sums sums;
    uint32_t spent; ///< How many have had their last hit.
    uint32_t wrong; ///< Not 0 when some body is.
} reader;

/// Some elements of a section.
typedef struct batch {
    size_t first, count;
    const unsigned char *bytes;
    size_t size;
    grz_checksum *sum;   ///< Of the section.
    unsigned char *copy; ///< Where they go meanwhile; null: nowhere.
} batch;

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

static void read_lives(reader *of, const batch *some)
{
    read_any(of, some);
    of->wrong |= of->loops->check_lives(some->bytes, some->count, &of->spent);
}

// Where positions and velocities wait: see grz_snapshot's fills_ends.
static unsigned char *column_for(const reader *of, grz_section section)
{
    if (!of->snapshot->fills_ends) {
        return NULL;
    }
    return section == GRZ_SECTION_POSITIONS    ? (unsigned char *)of->rows->end
           : section == GRZ_SECTION_VELOCITIES ? (unsigned char *)of->rows->end_velocity
                                               : NULL;
}

// HOT. bench: engine/snapshot_load
//
// Data    All of the snapshot, once.
// Branch  None but the loops'.
// Order   Some kilobytes at a time: what was summed up is still near when it is checked.
static void read_section(reader *of, grz_section section, read_fn *read)
{
    unsigned char *column = column_for(of, section);
    const grz_snapshot_layout *layout = &of->snapshot->layout;
    const size_t element = grz_snapshot_element_size(section);
    const size_t count = (size_t)(layout->begin[section + 1] - layout->begin[section]) / element;
    batch some = {.first = 0, .sum = &of->sums.of[section]};
    for (; some.first < count; some.first += some.count) {
        const size_t left = count - some.first;
        some.count = left < BODIES_AT_ONCE ? left : BODIES_AT_ONCE;
        some.bytes = grz_snapshot_element(of->snapshot, section, some.first);
        some.size = some.count * element;
        some.copy = column ? column + some.first * element : NULL;
        read(of, &some);
    }
}

// Reads all bytes, and tells nothing yet: numbers of a damaged snapshot may be anything. What is
// read again comes last, so that it is still near then.
static void read_through(reader *of)
{
    static const struct {
        grz_section section;
        read_fn *read;
    } all[GRZ_SECTION_COUNT] = {
        {GRZ_SECTION_POSITIONS, read_numbers}, {GRZ_SECTION_VELOCITIES, read_numbers},
        {GRZ_SECTION_KEYS, read_any},          {GRZ_SECTION_ENDS, read_any},
        {GRZ_SECTION_CONTACTS, read_any},      {GRZ_SECTION_CHAINS, read_any},
        {GRZ_SECTION_POINTS, read_any},        {GRZ_SECTION_FILTERS, read_any},
        {GRZ_SECTION_USERS, read_any},         {GRZ_SECTION_MATTERS, read_matters},
        {GRZ_SECTION_LIVES, read_lives},       {GRZ_SECTION_VACANCIES, read_any},
        {GRZ_SECTION_RETIRED, read_any},       {GRZ_SECTION_BODIES, read_any},
        {GRZ_SECTION_SPINS, read_numbers},     {GRZ_SECTION_ANGLES, read_numbers},
        {GRZ_SECTION_HALVES, read_any},
    };
    for (int i = 0; i < GRZ_SECTION_COUNT; ++i) {
        read_section(of, all[i].section, all[i].read);
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

static uint64_t vacancies_at(const grz_snapshot *snapshot, size_t word)
{
    uint64_t bits;
    memcpy(&bits, grz_snapshot_element(snapshot, GRZ_SECTION_VACANCIES, word), sizeof bits);
    return bits;
}

// No bit is set past the last index.
static bool count_vacancies(const grz_snapshot *snapshot, uint64_t *count)
{
    const uint32_t indices = snapshot->header.index_count;
    const size_t words = ((size_t)indices + 63) / 64;
    uint64_t bits = 0;
    *count = 0;
    for (size_t word = 0; word < words; ++word) {
        bits = vacancies_at(snapshot, word);
        *count += count_bits(bits);
    }
    return indices % 64 == 0 || bits >> indices % 64 == 0;
}

static bool retired_are_right(const grz_snapshot *snapshot)
{
    const unsigned char *retired = grz_snapshot_section(snapshot, GRZ_SECTION_RETIRED);
    uint64_t least = 0;
    for (size_t i = 0; i < snapshot->header.retired_count; ++i) {
        const uint32_t index = grz_word_at(retired, i);
        if (index < least || index >= snapshot->header.index_count ||
            vacancies_at(snapshot, index / 64) >> index % 64 & 1) {
            return false;
        }
        least = (uint64_t)index + 1;
    }
    return true;
}

static bool indices_are_right(const grz_snapshot *snapshot)
{
    const grz_snapshot_header *header = &snapshot->header;
    uint64_t vacant;
    return header->index_count <= GRZ_NONE / 2 && count_vacancies(snapshot, &vacant) &&
           vacant + grz_snapshot_kept(header) == header->index_count && retired_are_right(snapshot);
}

// --- What kinds allow ---

/// Forms of some of the kept bodies.
typedef struct form_list {
    size_t first;
    uint32_t count;
    grz_kind_counts kinds; ///< Of those before them.
    uint32_t forms[GRZ_INDICES_LISTED];
} form_list;

// Holds them against what is kept of these bodies, and goes on behind them.
static void check_forms(reader *of, form_list *some)
{
    const grz_snapshot *snapshot = of->snapshot;
    const bool turns = grz_snapshot_has(snapshot, GRZ_NEED_TURNS);
    const grz_kept_part part = {
        grz_snapshot_element(snapshot, GRZ_SECTION_HALVES, some->first),
        turns ? grz_snapshot_element(snapshot, GRZ_SECTION_ANGLES, some->first) : NULL,
        turns ? grz_snapshot_element(snapshot, GRZ_SECTION_SPINS, some->first) : NULL,
    };
    of->wrong |= of->loops->check_kept(&part, some->forms, some->count, &some->kinds);
    some->first += some->count;
    some->count = 0;
}

static void check_forms_in_world(reader *of, form_list *some)
{
    grz_index_reader indices = grz_read_indices(of->snapshot);
    grz_index_block block;
    while (grz_read_block(&indices, &block)) {
        const unsigned char *bodies =
            grz_snapshot_element(of->snapshot, GRZ_SECTION_BODIES, block.first);
        some->count =
            of->loops->list_forms(bodies, block.count, block.in_world, some->forms, &of->wrong);
        check_forms(of, some);
    }
}

static uint32_t retired_at(const grz_snapshot *snapshot, size_t place)
{
    return grz_word_at(grz_snapshot_section(snapshot, GRZ_SECTION_RETIRED), place);
}

static void check_retired_forms(reader *of, form_list *some)
{
    const unsigned char *bodies = grz_snapshot_section(of->snapshot, GRZ_SECTION_BODIES);
    for (size_t i = 0; i < of->snapshot->header.retired_count; ++i) {
        some->forms[some->count++] = grz_word_at(bodies, 2 * retired_at(of->snapshot, i) + 1);
        if (some->count == GRZ_INDICES_AT_ONCE) {
            check_forms(of, some);
        }
    }
    check_forms(of, some);
}

// Rects are counted, and turns are there exactly when there are any.
static bool kinds_are_right(reader *of)
{
    form_list some = {.first = 0};
    check_forms_in_world(of, &some);
    const bool counted = some.kinds.rects == of->snapshot->header.rect_count;
    of->snapshot->ray_count = some.kinds.rays;
    check_retired_forms(of, &some);
    return counted && (some.kinds.rects > 0) == grz_snapshot_has(of->snapshot, GRZ_NEED_TURNS);
}

// --- What only some have ---

static bool vacant_is_right(const grz_snapshot *snapshot, const grz_wanted_column *columns,
                            size_t index)
{
    bool right =
        grz_word_at(grz_snapshot_section(snapshot, GRZ_SECTION_BODIES), 2 * index + 1) == 0;
    for (int i = 0; i < GRZ_WANTED_COLUMNS; ++i) {
        right = right && (!grz_snapshot_has(snapshot, columns[i].need) ||
                          grz_is_plain(&columns[i],
                                       grz_snapshot_section(snapshot, columns[i].section), index));
    }
    return right;
}

// Of vacant indices nothing is said.
static bool vacancies_are_right(const grz_snapshot *snapshot, const grz_wanted_column *columns)
{
    bool right = true;
    for (uint32_t first = 0; first < snapshot->header.index_count; first += 64) {
        for (uint64_t left = vacancies_at(snapshot, first / 64); left; left &= left - 1) {
            right = right && vacant_is_right(snapshot, columns, first + grz_lowest_bit(left));
        }
    }
    return right;
}

// A column is there exactly when it is needed: equal states give equal bytes.
static bool columns_are_right(const graze_world *world, const grz_snapshot *snapshot)
{
    grz_wanted_column columns[GRZ_WANTED_COLUMNS];
    const size_t count = snapshot->header.index_count;
    const unsigned char *vacancies = grz_snapshot_section(snapshot, GRZ_SECTION_VACANCIES);
    bool right = true;
    grz_wanted_columns(world, columns);
    for (int i = 0; i < GRZ_WANTED_COLUMNS; ++i) {
        right =
            right && (!grz_snapshot_has(snapshot, columns[i].need) ||
                      grz_is_wanted(&columns[i], grz_snapshot_section(snapshot, columns[i].section),
                                    vacancies, count));
    }
    return right && vacancies_are_right(snapshot, columns);
}

// --- Bodies ---

// The last hit removes: only the retired have had theirs.
static bool spent_are_gone(const reader *of)
{
    const unsigned char *lives = grz_snapshot_section(of->snapshot, GRZ_SECTION_LIVES);
    uint32_t gone = 0;
    if (grz_snapshot_has(of->snapshot, GRZ_NEED_LIFE)) {
        for (size_t i = 0; i < of->snapshot->header.retired_count; ++i) {
            gone += grz_is_spent(lives + retired_at(of->snapshot, i) * sizeof(grz_life));
        }
    }
    return of->spent == gone;
}

static graze_status check_bodies(const graze_world *world, reader *of)
{
    grz_snapshot *snapshot = of->snapshot;
    if (!indices_are_right(snapshot)) {
        return refuse(world, "the snapshot's bodies are not in order");
    }
    const bool kinds = kinds_are_right(of);
    if (of->wrong || !spent_are_gone(of)) {
        return grz_snapshot_blame(world, snapshot, of->loops);
    }
    if (!kinds || !columns_are_right(world, snapshot)) {
        return refuse(world, "the snapshot says of bodies what there is not");
    }
    return GRAZE_OK;
}

// --- Terrain ---

static bool is_vacant_chain(const grz_chain_record *record)
{
    return record->point_count == 0 && record->form == 0 && record->user_data == 0 &&
           record->filter.category == 0 && record->filter.mask == 0 && record->filter.group == 0;
}

static bool is_chain(const grz_chain_record *record)
{
    return record->point_count >= 2 && record->form <= GRZ_CHAIN_ALL;
}

static graze_status check_terrain(const graze_world *world, const reader *of)
{
    const grz_snapshot *snapshot = of->snapshot;
    const unsigned char *chains = grz_snapshot_section(snapshot, GRZ_SECTION_CHAINS);
    const unsigned char *first = grz_snapshot_section(snapshot, GRZ_SECTION_POINTS);
    uint64_t points = 0;
    for (size_t i = 0; i < snapshot->header.chain_count; ++i) {
        grz_chain_record record;
        memcpy(&record, chains + i * sizeof record, sizeof record);
        if (record.generation == 0 || (!is_chain(&record) && !is_vacant_chain(&record))) {
            return refuse(world, "a chain of the snapshot is out of range or of unknown kind");
        }
        points += record.point_count;
    }
    if (points != snapshot->header.point_count || points > GRZ_NONE) {
        return refuse(world, "the snapshot's chains do not fit its points");
    }
    return of->loops->check_numbers(first, 2 * (size_t)points)
               ? refuse(world, "a point of the snapshot's terrain is not finite")
               : GRAZE_OK;
}

// --- All of it ---

static bool is_number(const reader *of, float number)
{
    unsigned char bytes[sizeof number];
    memcpy(bytes, &number, sizeof number);
    return of->loops->check_numbers(bytes, 1) == 0;
}

static graze_status check_contents(const graze_world *world, reader *of)
{
    const graze_vec2 gravity = of->snapshot->header.gravity;
    if (!is_number(of, gravity.x) || !is_number(of, gravity.y)) {
        return refuse(world, "the snapshot's gravity is not finite");
    }
    graze_status status = check_bodies(world, of);
    of->snapshot->same_terrain = grz_terrain_is_same(world, of->snapshot);
    if (!status && !of->snapshot->same_terrain) {
        status = check_terrain(world, of);
    }
    if (!status && !grz_snapshot_reports_are_right(of->snapshot)) {
        status = refuse(world, "what met in the snapshot is not in order");
    }
    return status;
}

static graze_status check_bytes(const graze_world *world, grz_snapshot *snapshot)
{
    reader all;
    all.snapshot = snapshot;
    all.loops = grz_snapshot_loops_for(world->lanes);
    all.rows = &world->rows;
    all.spent = 0;
    all.wrong = 0;
    grz_snapshot_begin_sums(&all.sums);
    read_through(&all);
    if (grz_snapshot_end_sums(&all.sums, all.loops, &snapshot->header) !=
        snapshot->header.checksum) {
        return refuse(world, "the snapshot is damaged: its checksum differs");
    }
    return check_contents(world, &all);
}

// Ends of still rows mean something: see rest.h.
static bool has_ends_for(const graze_world *world, const grz_snapshot_header *header)
{
    return world->active_count == world->body_count &&
           world->rows.capacity >= grz_snapshot_kept(header);
}

graze_status grz_snapshot_open(const graze_world *world, const void *bytes, size_t size,
                               grz_snapshot *snapshot)
{
    snapshot->bytes = bytes;
    if (size < sizeof snapshot->header) {
        return grz_fail(world, GRAZE_ERROR_FORMAT,
                        "graze_world_load: size is %lu; that is less than any snapshot has",
                        (unsigned long)size);
    }
    memcpy(&snapshot->header, bytes, sizeof snapshot->header);
    snapshot->layout = grz_snapshot_lay_out(&snapshot->header);
    snapshot->fills_ends = has_ends_for(world, &snapshot->header);
    graze_status status = check_signature(world, &snapshot->header);
    status = status ? status : check_size(world, snapshot, size);
    return status ? status : check_bytes(world, snapshot);
}
