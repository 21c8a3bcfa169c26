// The terrain of a snapshot; loading changes only what differs.

#include "collide/joint.h"
#include "collide/terrain_sweep.h"
#include "history/snapshot.h"
#include "list.h"
#include "world/message.h"

#include <inttypes.h>

grz_chain_record grz_chain_to_record(const grz_chain *chain)
{
    grz_chain_record record = {.generation = chain->generation};
    if (chain->in_world) {
        record.user_data = chain->user_data;
        record.filter = chain->filter;
        record.point_count = grz_chain_point_count(chain);
        record.form = chain->loop * (uint32_t)GRZ_CHAIN_LOOP +
                      chain->one_sided * (uint32_t)GRZ_CHAIN_ONE_SIDED +
                      chain->sensor * (uint32_t)GRZ_CHAIN_SENSOR +
                      (chain->surfaces != NULL) * (uint32_t)GRZ_CHAIN_SURFACES;
        record.surface = chain->surface;
    }
    return record;
}

// --- Checks ---

static bool is_vacant_chain(const grz_chain_record *record)
{
    const grz_chain_record vacant = {.generation = record->generation};
    return memcmp(record, &vacant, sizeof vacant) == 0;
}

static graze_status check_chains(const graze_world *world, const grz_snapshot *snapshot,
                                 uint64_t *points, uint64_t *surfaces)
{
    const grz_form *form = grz_section_plans[GRZ_SECTION_CHAINS].form;
    for (uint32_t i = 0; i < snapshot->header.chain_count; ++i) {
        grz_chain_record record;
        memcpy(&record, grz_snapshot_element(snapshot, GRZ_SECTION_CHAINS, i), sizeof record);
        const grz_field *wrong = grz_form_find_wrong(form, &record, 1);
        if (wrong || !(record.point_count >= 2 || is_vacant_chain(&record))) {
            return grz_snapshot_refuse(world,
                                       "chain %u of the snapshot: its generation, number "
                                       "of points, kind or surface is invalid",
                                       (unsigned)i);
        }
        *points += record.point_count;
        *surfaces += grz_record_surface_count(&record);
    }
    return GRAZE_OK;
}

static graze_status check_section(const graze_world *world, const grz_snapshot *snapshot,
                                  grz_section section)
{
    const grz_field *wrong = grz_snapshot_find_wrong(snapshot, section);
    return wrong ? grz_snapshot_refuse(world, "%s", wrong->blame) : GRAZE_OK;
}

graze_status grz_snapshot_read_terrain(const graze_world *world, const grz_snapshot *snapshot)
{
    const grz_snapshot_header *header = &snapshot->header;
    uint64_t points = 0, surfaces = 0;
    graze_status status = check_chains(world, snapshot, &points, &surfaces);
    if (!status && (points != header->point_count || points > GRZ_NONE)) {
        status = grz_snapshot_refuse(
            world, "the snapshot's chains have %" PRIu64 " points; its header states %" PRIu32,
            points, header->point_count);
    }
    status = status ? status : check_section(world, snapshot, GRZ_SECTION_POINTS);
    if (!status && surfaces != header->surface_count) {
        status = grz_snapshot_refuse(world,
                                     "segments of the snapshot's chains have %" PRIu64
                                     " surfaces; its header states %" PRIu32,
                                     surfaces, header->surface_count);
    }
    return status ? status : check_section(world, snapshot, GRZ_SECTION_SURFACES);
}

// --- What differs ---

/// The chains of a snapshot, one after the other.
typedef struct chain_reader {
    const unsigned char *records, *points, *surfaces; ///< The next ones.
    grz_chain_record record; ///< The current chain, and where its points and surfaces are.
    const unsigned char *line, *own_surfaces;
} chain_reader;

static chain_reader read_chains(const grz_snapshot *snapshot)
{
    const chain_reader reader = {
        .records = grz_snapshot_section(snapshot, GRZ_SECTION_CHAINS),
        .points = grz_snapshot_section(snapshot, GRZ_SECTION_POINTS),
        .surfaces = grz_snapshot_section(snapshot, GRZ_SECTION_SURFACES),
    };
    return reader;
}

static void read_chain(chain_reader *reader)
{
    memcpy(&reader->record, reader->records, sizeof reader->record);
    reader->line = reader->points;
    reader->records += sizeof reader->record;
    reader->points += reader->record.point_count * sizeof(graze_vec2);
    reader->own_surfaces = reader->surfaces;
    reader->surfaces += grz_record_surface_count(&reader->record) * sizeof(graze_surface);
}

static bool is_same(const void *elements, const unsigned char *bytes, size_t size)
{
    return size == 0 || memcmp(elements, bytes, size) == 0;
}

static bool is_same_chain(const grz_chain *chain, const chain_reader *reader)
{
    const grz_chain_record record = grz_chain_to_record(chain);
    return is_same(&record, (const unsigned char *)&reader->record, sizeof record) &&
           is_same(chain->points, reader->line, record.point_count * sizeof *chain->points) &&
           is_same(chain->surfaces, reader->own_surfaces,
                   grz_record_surface_count(&record) * sizeof *chain->surfaces);
}

// HOT. bench: engine/snapshot_load
//
// Data    A chain's record and points, of the world's and of the snapshot's. The records are not
//         checked: those that equal the world's so far stay within the same counts.
bool grz_terrain_is_same(const graze_world *world, const grz_snapshot *snapshot)
{
    const size_t count = grz_list_count(world->terrain.chains);
    chain_reader reader = read_chains(snapshot);
    bool same = count == snapshot->header.chain_count &&
                world->terrain.surface_count == snapshot->header.surface_count &&
                grz_world_point_count(world) == snapshot->header.point_count;
    for (size_t i = 0; same && i < count; ++i) {
        read_chain(&reader);
        same = is_same_chain(&world->terrain.chains[i], &reader);
    }
    return same;
}

uint64_t grz_snapshot_segment_count(const grz_snapshot *snapshot)
{
    chain_reader reader = read_chains(snapshot);
    uint64_t count = 0;
    for (uint32_t i = 0; i < snapshot->header.chain_count; ++i) {
        read_chain(&reader);
        count += grz_record_segment_count(&reader.record);
    }
    return count;
}

// Whether the world's chain of this index, if any, is the same line.
static bool is_in_grid(const graze_world *world, uint32_t index, const chain_reader *reader)
{
    if (index >= grz_list_count(world->terrain.chains) || !world->terrain.chains[index].in_world) {
        return false;
    }
    const grz_chain *chain = &world->terrain.chains[index];
    return chain->loop == ((reader->record.form & GRZ_CHAIN_LOOP) != 0) &&
           grz_list_count(chain->points) == reader->record.point_count &&
           memcmp(chain->points, reader->line,
                  reader->record.point_count * sizeof *chain->points) == 0;
}

static grz_chain chain_of(const grz_chain_record *record)
{
    const grz_chain chain = {
        .generation = record->generation,
        .in_world = record->point_count > 0,
        .loop = (record->form & GRZ_CHAIN_LOOP) != 0,
        .one_sided = (record->form & GRZ_CHAIN_ONE_SIDED) != 0,
        .sensor = (record->form & GRZ_CHAIN_SENSOR) != 0,
        .segment_count = grz_record_segment_count(record),
        .surface = record->surface,
        .filter = record->filter,
        .user_data = record->user_data,
    };
    return chain;
}

// --- Before anything changes ---

static bool copy_points(graze_world *world, const chain_reader *reader, grz_chain *chain)
{
    const uint32_t count = reader->record.point_count;
    const bool done = grz_list_append(chain->points, &world->config.counting, count);
    if (done) {
        memcpy(chain->points, reader->line, count * sizeof *chain->points);
    }
    return done;
}

static bool copy_surfaces(graze_world *world, const chain_reader *reader, grz_chain *chain)
{
    const uint32_t count = grz_record_surface_count(&reader->record);
    const bool done =
        count == 0 || grz_list_append(chain->surfaces, &world->config.counting, count);
    if (done && count) {
        memcpy(chain->surfaces, reader->own_surfaces, count * sizeof *chain->surfaces);
    }
    return done;
}

// The new line is beside the old one, if any, until that is removed: where they share segments the
// grid has these twice, and keeps one of each.
static graze_status add_line(graze_world *world, uint32_t index, const chain_reader *reader,
                             grz_chain *chain)
{
    if (!copy_points(world, reader, chain)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    const graze_status status = graze_segment_grid_add(&world->terrain.grid, index,
                                                       grz_polyline_of(chain->points, chain->loop));
    if (status) {
        grz_list_free(chain->points);
    }
    return status;
}

// The points of a chain whose line the world has stay null.
static graze_status add_chains(graze_world *world, const grz_snapshot *snapshot, grz_chain **chains)
{
    chain_reader reader = read_chains(snapshot);
    graze_status status = GRAZE_OK;
    for (uint32_t i = 0; !status && i < snapshot->header.chain_count; ++i) {
        read_chain(&reader);
        grz_chain chain = chain_of(&reader.record);
        if (!copy_surfaces(world, &reader, &chain)) {
            return GRAZE_ERROR_OUT_OF_MEMORY;
        }
        if (chain.in_world && !is_in_grid(world, i, &reader)) {
            status = add_line(world, i, &reader, &chain);
        }
        grz_list_push(*chains, chain);
    }
    return status;
}

graze_status grz_terrain_prepare(graze_world *world, const grz_snapshot *snapshot,
                                 grz_chain **chains)
{
    const grz_snapshot_header *header = &snapshot->header;
    *chains = NULL;
    if (!grz_list_reserve(*chains, &world->config.counting, header->chain_count) ||
        !grz_index_set_reserve(&world->terrain.vacant_chains, &world->config.counting,
                               header->chain_count)) {
        grz_list_free(*chains);
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    const graze_status status = add_chains(world, snapshot, chains);
    if (status) {
        grz_terrain_free(world, *chains);
    }
    return status;
}

static void remove_line(graze_world *world, uint32_t index, grz_chain *chain)
{
    if (chain->points) {
        graze_segment_grid_remove(&world->terrain.grid, index,
                                  grz_polyline_of(chain->points, chain->loop));
    }
    grz_list_free(chain->points);
}

void grz_terrain_free(graze_world *world, grz_chain *chains)
{
    for (uint32_t i = 0; i < grz_list_count(chains); ++i) {
        remove_line(world, i, &chains[i]);
        grz_list_free(chains[i].surfaces);
    }
    grz_list_free(chains);
}

// --- In their place ---

static void count_chains(graze_world *world)
{
    grz_index_set_clear(&world->terrain.vacant_chains);
    world->terrain.chain_count = world->terrain.segment_count = world->terrain.odd_chain_count = 0;
    for (uint32_t i = 0; i < grz_list_count(world->terrain.chains); ++i) {
        const grz_chain *chain = &world->terrain.chains[i];
        if (!chain->in_world) {
            grz_index_set_add(&world->terrain.vacant_chains, i);
        }
        world->terrain.chain_count += chain->in_world;
        world->terrain.segment_count += chain->segment_count;
        world->terrain.odd_chain_count += chain->in_world && !grz_chain_is_plain(chain);
    }
}

void grz_terrain_commit(graze_world *world, const grz_snapshot *snapshot, grz_chain *chains)
{
    grz_chain *old = world->terrain.chains;
    for (size_t i = 0; i < grz_list_count(chains); ++i) {
        if (chains[i].in_world && !chains[i].points) {
            chains[i].points = old[i].points;
            old[i].points = NULL;
        }
    }
    grz_terrain_free(world, old);
    world->terrain.chains = chains;
    world->terrain.surface_count = snapshot->header.surface_count;
    count_chains(world);
}
