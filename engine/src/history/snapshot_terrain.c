// The terrain of a snapshot; loading changes only what differs.

#include "history/snapshot_load.h"
#include "list.h"
#include "message.h"
#include "terrain/corner.h"
#include "terrain/terrain.h"
#include "terrain/terrain_image.h"

#include <inttypes.h>

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
            return grz_fail(world, GRAZE_ERROR_FORMAT,
                            "graze_world_load: chain %u of the snapshot: its generation, number "
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
    return wrong ? grz_snapshot_refuse(world, wrong->blame) : GRAZE_OK;
}

graze_status grz_snapshot_read_terrain(const graze_world *world, const grz_snapshot *snapshot)
{
    const grz_snapshot_header *header = &snapshot->header;
    uint64_t points = 0, surfaces = 0;
    graze_status status = check_chains(world, snapshot, &points, &surfaces);
    if (!status && (points != header->point_count || points > GRZ_NONE)) {
        status = grz_fail(world, GRAZE_ERROR_FORMAT,
                          "graze_world_load: the snapshot's chains have %" PRIu64
                          " points; its header states %" PRIu32,
                          points, header->point_count);
    }
    status = status ? status : check_section(world, snapshot, GRZ_SECTION_POINTS);
    if (!status && surfaces != header->surface_count) {
        status = grz_fail(world, GRAZE_ERROR_FORMAT,
                          "graze_world_load: segments of the snapshot's chains have %" PRIu64
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

static bool is_loop(const grz_chain_record *record)
{
    return (record->form & GRZ_CHAIN_LOOP) != 0;
}

static bool is_same(const void *elements, const grz_snapshot *snapshot, grz_section section,
                    size_t count)
{
    return count == 0 || memcmp(elements, grz_snapshot_section(snapshot, section),
                                count * grz_section_plans[section].form->size) == 0;
}

// HOT. bench: engine/snapshot_load
//
// Data    A chain's record and points, of the world's and of the snapshot's.
bool grz_terrain_is_same(const graze_world *world, const grz_snapshot *snapshot)
{
    const grz_terrain_image *image = &world->image;
    const uint32_t chains = snapshot->header.chain_count, points = snapshot->header.point_count;
    const uint32_t surfaces = snapshot->header.surface_count;
    return image->records.count == chains && image->points.count == points &&
           image->surfaces.count == surfaces &&
           is_same(image->records.data, snapshot, GRZ_SECTION_CHAINS, chains) &&
           is_same(image->surfaces.data, snapshot, GRZ_SECTION_SURFACES, surfaces) &&
           is_same(image->points.data, snapshot, GRZ_SECTION_POINTS, points);
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
    if (index >= grz_list_count(world->chains) || !world->chains[index].in_world) {
        return false;
    }
    const grz_chain *chain = &world->chains[index];
    return chain->loop == is_loop(&reader->record) &&
           grz_list_count(chain->points) == reader->record.point_count &&
           memcmp(chain->points, reader->line,
                  reader->record.point_count * sizeof *chain->points) == 0;
}

static graze_vec2 *copy_points(graze_world *world, const chain_reader *reader)
{
    graze_vec2 *points = NULL;
    if (!grz_list_reserve(points, &world->counting, reader->record.point_count)) {
        return NULL;
    }
    for (uint32_t i = 0; i < reader->record.point_count; ++i) {
        graze_vec2 point;
        memcpy(&point, reader->line + i * sizeof point, sizeof point);
        grz_list_push(points, point);
    }
    return points;
}

static graze_status add_line(graze_world *world, uint32_t index, const chain_reader *reader,
                             grz_terrain_change *change)
{
    grz_new_line line = {index, NULL, is_loop(&reader->record)};
    if (!grz_list_reserve(change->lines, &world->counting, 1) ||
        !(line.points = copy_points(world, reader))) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    graze_status status =
        graze_segment_grid_add(&world->terrain, index, grz_polyline_of(line.points, line.loop));
    if (status) {
        grz_list_free(line.points);
        return status;
    }
    grz_list_push(change->lines, line);
    return GRAZE_OK;
}

static graze_status add_lines(graze_world *world, const grz_snapshot *snapshot,
                              grz_terrain_change *change)
{
    chain_reader reader = read_chains(snapshot);
    for (uint32_t i = 0; i < snapshot->header.chain_count; ++i) {
        read_chain(&reader);
        if (reader.record.point_count && !is_in_grid(world, i, &reader)) {
            const graze_status status = add_line(world, i, &reader, change);
            if (status) {
                return status;
            }
        }
    }
    return GRAZE_OK;
}

// The surfaces of single segments are all made anew.
static bool add_surfaces(graze_world *world, const grz_snapshot *snapshot,
                         grz_terrain_change *change)
{
    chain_reader reader = read_chains(snapshot);
    for (uint32_t i = 0; i < snapshot->header.chain_count; ++i) {
        read_chain(&reader);
        const uint32_t count = grz_record_surface_count(&reader.record);
        graze_surface *surfaces = NULL;
        if (count && (!grz_list_reserve(change->surfaces, &world->counting, 1) ||
                      !grz_list_reserve(surfaces, &world->counting, count))) {
            return false;
        }
        if (count) {
            grz_list_extend(surfaces, count);
            memcpy(surfaces, reader.own_surfaces, count * sizeof *surfaces);
            grz_list_push(change->surfaces, surfaces);
        }
    }
    return true;
}

static bool reserve_chains(graze_world *world, size_t count)
{
    const size_t held = grz_list_count(world->chains);
    return grz_list_reserve(world->chains, &world->counting, count > held ? count - held : 0) &&
           grz_index_set_reserve(&world->vacant_chains, &world->counting, (uint32_t)count);
}

graze_status grz_terrain_prepare(graze_world *world, const grz_snapshot *snapshot,
                                 grz_terrain_change *change)
{
    change->lines = NULL;
    change->surfaces = NULL;
    if (!reserve_chains(world, snapshot->header.chain_count) ||
        !grz_terrain_image_reserve(world, snapshot->header.chain_count,
                                   snapshot->header.point_count, snapshot->header.surface_count)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    const graze_status status = add_surfaces(world, snapshot, change)
                                    ? add_lines(world, snapshot, change)
                                    : GRAZE_ERROR_OUT_OF_MEMORY;
    if (status) {
        grz_terrain_cancel(world, change);
    }
    return status;
}

void grz_terrain_cancel(graze_world *world, grz_terrain_change *change)
{
    for (size_t i = 0; i < grz_list_count(change->lines); ++i) {
        grz_new_line *line = &change->lines[i];
        graze_segment_grid_remove(&world->terrain, line->index,
                                  grz_polyline_of(line->points, line->loop));
        grz_list_free(line->points);
    }
    grz_list_free(change->lines);
    for (size_t i = 0; i < grz_list_count(change->surfaces); ++i) {
        grz_list_free(change->surfaces[i]);
    }
    grz_list_free(change->surfaces);
}

// Removes a chain's line. If the new line shares segments with it, the grid has these twice, and
// keeps one of each.
static void drop_line(graze_world *world, uint32_t index)
{
    grz_chain *chain = &world->chains[index];
    if (chain->in_world) {
        graze_segment_grid_remove(&world->terrain, index,
                                  grz_polyline_of(chain->points, chain->loop));
        grz_list_free(chain->points);
        grz_list_free(chain->surfaces);
        chain->in_world = false;
    }
}

static void resize_chains(graze_world *world, uint32_t count)
{
    const grz_chain none = {.generation = 0};
    while (grz_list_count(world->chains) > count) {
        drop_line(world, (uint32_t)grz_list_count(world->chains) - 1);
        (void)grz_list_pop(world->chains);
    }
    while (grz_list_count(world->chains) < count) {
        grz_list_push(world->chains, none);
    }
}

static void fill_chain(grz_chain *chain, const grz_chain_record *record)
{
    chain->generation = record->generation;
    chain->in_world = record->point_count > 0;
    chain->loop = is_loop(record);
    chain->one_sided = (record->form & GRZ_CHAIN_ONE_SIDED) != 0;
    chain->sensor = (record->form & GRZ_CHAIN_SENSOR) != 0;
    chain->segment_count = grz_record_segment_count(record);
    chain->surface = record->surface;
    chain->filter = record->filter;
    chain->user_data = record->user_data;
}

static void replace_image(graze_world *world, const grz_snapshot *snapshot)
{
    const grz_image_source source = {
        .records = grz_snapshot_section(snapshot, GRZ_SECTION_CHAINS),
        .points = grz_snapshot_section(snapshot, GRZ_SECTION_POINTS),
        .surfaces = grz_snapshot_section(snapshot, GRZ_SECTION_SURFACES),
        .record_count = snapshot->header.chain_count,
        .point_count = snapshot->header.point_count,
        .surface_count = snapshot->header.surface_count,
    };
    grz_terrain_image_replace(world, &source);
}

void grz_terrain_commit(graze_world *world, const grz_snapshot *snapshot,
                        grz_terrain_change *change)
{
    chain_reader reader = read_chains(snapshot);
    const size_t new_count = grz_list_count(change->lines);
    size_t next = 0, next_surfaces = 0;
    resize_chains(world, snapshot->header.chain_count);
    grz_index_set_clear(&world->vacant_chains);
    world->chain_count = 0;
    world->segment_count = 0;
    world->odd_chain_count = 0;
    world->surface_count = snapshot->header.surface_count;
    for (uint32_t i = 0; i < snapshot->header.chain_count; ++i) {
        read_chain(&reader);
        const bool is_new = next < new_count && change->lines[next].index == i;
        if (is_new || reader.record.point_count == 0) {
            drop_line(world, i);
        }
        if (is_new) {
            world->chains[i].points = change->lines[next++].points;
        }
        grz_list_free(world->chains[i].surfaces);
        if (grz_record_surface_count(&reader.record)) {
            world->chains[i].surfaces = change->surfaces[next_surfaces++];
        }
        fill_chain(&world->chains[i], &reader.record);
        if (!world->chains[i].in_world) {
            grz_index_set_add(&world->vacant_chains, i);
        }
        world->chain_count += world->chains[i].in_world;
        world->segment_count += world->chains[i].segment_count;
        world->odd_chain_count +=
            world->chains[i].in_world && !grz_chain_is_plain(&world->chains[i]);
    }
    grz_list_free(change->lines);
    grz_list_free(change->surfaces);
    replace_image(world, snapshot);
}
