// Checks whether bytes are a snapshot that a world can take.

#include "snapshot/snapshot.h"

#include "bits.h"
#include "message.h"
#include "snapshot/snapshot_blame.h"
#include "snapshot/snapshot_kept.h"
#include "snapshot/snapshot_read.h"

#include <inttypes.h>
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
        return refuse(world, "buffer holds no snapshot: its first bytes are not those of one");
    }
    if (header->byte_order != known.byte_order) {
        return grz_fail(world, GRAZE_ERROR_FORMAT,
                        "graze_world_load: the snapshot's byte order mark is 0x%08" PRIx32
                        ", which is that of no machine",
                        header->byte_order);
    }
    if (header->version != known.version) {
        return grz_fail(world, GRAZE_ERROR_FORMAT,
                        "graze_world_load: the snapshot's format has version %u; this library "
                        "reads version %u",
                        (unsigned)header->version, (unsigned)known.version);
    }
    return GRAZE_OK;
}

static graze_status check_size(const graze_world *world, const grz_snapshot *snapshot, size_t size)
{
    const uint64_t stated = snapshot->header.size;
    const uint64_t counted = snapshot->layout.begin[GRZ_SECTION_COUNT];
    if (stated != counted) {
        return grz_fail(world, GRAZE_ERROR_FORMAT,
                        "graze_world_load: the snapshot states a size of %" PRIu64
                        " bytes; its counts make %" PRIu64,
                        stated, counted);
    }
    if (snapshot->header.needs > GRZ_NEED_ALL || snapshot->header.index_count > GRZ_NONE / 2 ||
        grz_snapshot_kept(&snapshot->header) > snapshot->header.index_count) {
        return refuse(world, "the snapshot's header has counts or flags that no world has");
    }
    if (stated > size) {
        return grz_fail(world, GRAZE_ERROR_FORMAT,
                        "graze_world_load: size is %zu; the snapshot has %" PRIu64 " bytes", size,
                        stated);
    }
    return GRAZE_OK;
}

// --- Columns that not all worlds have ---

static bool vacant_is_right(const grz_snapshot *snapshot, const grz_optional_column *columns,
                            size_t index)
{
    bool right =
        grz_word_at(grz_snapshot_section(snapshot, GRZ_SECTION_BODIES), 2 * index + 1) == 0;
    for (int i = 0; i < GRZ_OPTIONAL_COLUMNS; ++i) {
        right = right &&
                (!grz_snapshot_has(snapshot, columns[i].need) ||
                 grz_column_is_default(&columns[i],
                                       grz_snapshot_section(snapshot, columns[i].section), index));
    }
    return right;
}

// Vacant indices have defaults.
static bool vacancies_are_right(const grz_snapshot *snapshot, const grz_optional_column *columns)
{
    bool right = true;
    for (uint32_t first = 0; first < snapshot->header.index_count; first += 64) {
        for (uint64_t left = grz_vacancies_at(snapshot, first / 64); left; left &= left - 1) {
            right = right && vacant_is_right(snapshot, columns, first + grz_lowest_bit(left));
        }
    }
    return right;
}

// A column is there exactly if it is needed: equal states give equal bytes. Dynamic bodies need one
// even with defaults.
static bool columns_are_right(const graze_world *world, const grz_snapshot *snapshot,
                              bool any_dynamic)
{
    grz_optional_column columns[GRZ_OPTIONAL_COLUMNS];
    const size_t count = snapshot->header.index_count;
    bool right = !any_dynamic || grz_snapshot_has(snapshot, GRZ_NEED_DYNAMICS);
    grz_optional_columns(world, columns);
    for (int i = 0; i < GRZ_OPTIONAL_COLUMNS; ++i) {
        right = right &&
                (!grz_snapshot_has(snapshot, columns[i].need) ||
                 (any_dynamic && columns[i].need == GRZ_NEED_DYNAMICS) ||
                 grz_column_is_needed(&columns[i],
                                      grz_snapshot_section(snapshot, columns[i].section), count));
    }
    return right && vacancies_are_right(snapshot, columns);
}

// --- Bodies ---

static graze_status check_bodies(const graze_world *world, const grz_snapshot *snapshot,
                                 const grz_snapshot_loops *loops, const grz_findings *found)
{
    if (!found->in_order) {
        return refuse(world, "the snapshot's lists of body indices contradict each other");
    }
    if (found->wrong) {
        return grz_snapshot_blame(world, snapshot, loops);
    }
    if (!found->kinds || !columns_are_right(world, snapshot, found->any_dynamic)) {
        return refuse(world, "the snapshot's optional columns do not match its bodies");
    }
    return GRAZE_OK;
}

// --- Terrain ---

static bool is_vacant_chain(const grz_chain_record *record)
{
    const graze_surface no_surface = {0, 0, 0, 0};
    return record->point_count == 0 && record->form == 0 && record->user_data == 0 &&
           record->filter.category == 0 && record->filter.mask == 0 && record->filter.pass == 0 &&
           record->filter.group == 0 && record->unused == 0 &&
           memcmp(&record->surface, &no_surface, sizeof no_surface) == 0;
}

static bool is_chain(const grz_chain_record *record)
{
    unsigned char surface[sizeof record->surface];
    memcpy(surface, &record->surface, sizeof surface);
    return record->point_count >= 2 && record->form <= GRZ_CHAIN_ALL && record->unused == 0 &&
           !grz_surface_is_wrong(surface, 0);
}

static graze_status check_surfaces(const graze_world *world, const grz_snapshot *snapshot,
                                   uint64_t count)
{
    const unsigned char *first = grz_snapshot_section(snapshot, GRZ_SECTION_SURFACES);
    if (count != snapshot->header.surface_count) {
        return grz_fail(world, GRAZE_ERROR_FORMAT,
                        "graze_world_load: segments of the snapshot's chains have %" PRIu64
                        " surfaces; its header states %" PRIu32,
                        count, snapshot->header.surface_count);
    }
    bool wrong = false;
    for (size_t i = 0; i < count; ++i) {
        wrong = wrong || grz_surface_is_wrong(first, 4 * i);
    }
    return wrong ? refuse(world, "a surface of the snapshot's chains is out of range") : GRAZE_OK;
}

static graze_status check_terrain(const graze_world *world, const grz_snapshot *snapshot,
                                  const grz_snapshot_loops *loops)
{
    const unsigned char *chains = grz_snapshot_section(snapshot, GRZ_SECTION_CHAINS);
    const unsigned char *first = grz_snapshot_section(snapshot, GRZ_SECTION_POINTS);
    uint64_t points = 0, surfaces = 0;
    for (size_t i = 0; i < snapshot->header.chain_count; ++i) {
        grz_chain_record record;
        memcpy(&record, chains + i * sizeof record, sizeof record);
        if (record.generation == 0 || (!is_chain(&record) && !is_vacant_chain(&record))) {
            return grz_fail(world, GRAZE_ERROR_FORMAT,
                            "graze_world_load: chain %zu of the snapshot: its generation, number "
                            "of points, kind or surface is invalid",
                            i);
        }
        points += record.point_count;
        surfaces += grz_record_surface_count(&record);
    }
    if (points != snapshot->header.point_count || points > GRZ_NONE) {
        return grz_fail(world, GRAZE_ERROR_FORMAT,
                        "graze_world_load: the snapshot's chains have %" PRIu64
                        " points; its header states %" PRIu32,
                        points, snapshot->header.point_count);
    }
    return loops->check_numbers(first, 2 * (size_t)points)
               ? refuse(world, "a point of the snapshot's chains is not finite")
               : check_surfaces(world, snapshot, surfaces);
}

// --- All of it ---

static bool is_number(const grz_snapshot_loops *loops, float number)
{
    unsigned char bytes[sizeof number];
    memcpy(bytes, &number, sizeof number);
    return loops->check_numbers(bytes, 1) == 0;
}

static graze_status check_contents(const graze_world *world, const grz_snapshot *snapshot,
                                   const grz_snapshot_loops *loops, const grz_findings *found)
{
    const graze_vec2 gravity = snapshot->header.gravity;
    if (!is_number(loops, gravity.x) || !is_number(loops, gravity.y)) {
        return grz_fail(world, GRAZE_ERROR_FORMAT,
                        "graze_world_load: the snapshot's gravity is (%g, %g); it must be finite",
                        (double)gravity.x, (double)gravity.y);
    }
    if (snapshot->header.substeps < 1 || snapshot->header.substeps > GRZ_SUBSTEPS_MAX) {
        return grz_fail(world, GRAZE_ERROR_FORMAT,
                        "graze_world_load: the snapshot's substeps is %u; it must be 1 to 64",
                        (unsigned)snapshot->header.substeps);
    }
    if (snapshot->header.unused) {
        return refuse(world, "the snapshot's header has a word that should be 0");
    }
    graze_status status = check_bodies(world, snapshot, loops, found);
    if (!status && !snapshot->same_terrain) {
        status = check_terrain(world, snapshot, loops);
    }
    if (!status && !found->reports) {
        status = refuse(world, "the snapshot's contacts are invalid or out of order");
    }
    if (!status && !grz_snapshot_kept_are_right(world, snapshot)) {
        status = refuse(world, "what the snapshot keeps of contacts is invalid or out of order");
    }
    return status;
}

graze_status grz_snapshot_check(graze_world *world, grz_snapshot *snapshot)
{
    const grz_snapshot_loops *loops = grz_snapshot_loops_for(world->lanes);
    const grz_findings found = grz_snapshot_read(world, snapshot, loops);
    return found.checksum == snapshot->header.checksum
               ? check_contents(world, snapshot, loops, &found)
               : refuse(world, "the snapshot is damaged: its checksum does not match");
}

graze_status grz_snapshot_open(const graze_world *world, const void *bytes, size_t size,
                               grz_snapshot *snapshot)
{
    snapshot->bytes = bytes;
    if (size < sizeof snapshot->header) {
        return grz_fail(world, GRAZE_ERROR_FORMAT,
                        "graze_world_load: size is %zu; every snapshot has at least %zu bytes",
                        size, sizeof snapshot->header);
    }
    memcpy(&snapshot->header, bytes, sizeof snapshot->header);
    snapshot->layout = grz_snapshot_lay_out(&snapshot->header);
    const graze_status status = check_signature(world, &snapshot->header);
    return status ? status : check_size(world, snapshot, size);
}
