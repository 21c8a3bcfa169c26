// graze_world_save and graze_world_snapshot_size.

#include <graze/world.h>

#include "body/bodies.h"
#include "list.h"
#include "message.h"
#include "snapshot/snapshot_kept.h"
#include "snapshot/snapshot_writer.h"
#include "solve/solve.h"
#include "terrain/terrain_image.h"

#include <inttypes.h>

// --- Bodies ---

// HOT. bench: engine/snapshot_save
//
// Data    8 bytes per body, and 20, 12, 12, 8 and 24 if there are these columns, read and written.
//         Vacant indices have the values of snapshots: see clear_index.
static void put_by_index(grz_writer *writer, grz_section section, const void *elements)
{
    grz_writer_put_first(writer, section, elements,
                         writer->header->index_count * grz_snapshot_element_size(section));
}

static void put_cold_parts(grz_writer *writer)
{
    grz_optional_column optional[GRZ_OPTIONAL_COLUMNS];
    grz_optional_columns(writer->world, optional);
    put_by_index(writer, GRZ_SECTION_BODIES, writer->world->bodies.data);
    for (int i = 0; i < GRZ_OPTIONAL_COLUMNS; ++i) {
        if (writer->header->needs & optional[i].need) {
            put_by_index(writer, optional[i].section, optional[i].of_world);
        }
    }
}

static void put_vacancies(grz_writer *writer)
{
    const size_t words = ((size_t)writer->world->bodies.count + 63) / 64;
    grz_writer_put(writer, GRZ_SECTION_VACANCIES, writer->world->vacancies.data,
                   words * sizeof(uint64_t));
}

// --- Terrain ---

static void put_chain(grz_writer *writer, const grz_chain *chain)
{
    const grz_chain_record record = grz_terrain_record(chain);
    grz_writer_put(writer, GRZ_SECTION_CHAINS, &record, sizeof record);
    grz_writer_put(writer, GRZ_SECTION_POINTS, chain->points,
                   record.point_count * sizeof *chain->points);
    if (chain->surfaces) {
        grz_writer_put(writer, GRZ_SECTION_SURFACES, chain->surfaces,
                       chain->segment_count * sizeof *chain->surfaces);
    }
}

// The chains of the image, and those after them.
static void put_terrain(grz_writer *writer)
{
    const grz_terrain_image *image = &writer->world->image;
    grz_writer_put_first(writer, GRZ_SECTION_CHAINS, image->records.data,
                         image->records.count * sizeof *image->records.data);
    grz_writer_put_first(writer, GRZ_SECTION_POINTS, image->points.data,
                         image->points.count * sizeof *image->points.data);
    grz_writer_put_first(writer, GRZ_SECTION_SURFACES, image->surfaces.data,
                         image->surfaces.count * sizeof *image->surfaces.data);
    for (size_t i = image->records.count; i < grz_list_count(writer->world->chains); ++i) {
        put_chain(writer, &writer->world->chains[i]);
    }
}

static uint32_t count_points(const graze_world *world)
{
    size_t count = world->image.points.count;
    for (size_t i = world->image.records.count; i < grz_list_count(world->chains); ++i) {
        count += grz_terrain_point_count(&world->chains[i]);
    }
    return (uint32_t)count;
}

static bool has_rotations(const graze_world *world)
{
    bool found = world->rotation_count > 0;
    for (size_t i = 0; !found && i < grz_list_count(world->retired); ++i) {
        const grz_retired *retired = &world->retired[i];
        found = grz_has_rotation((uint32_t)retired->shape.kind,
                                 world->bodies.data[retired->index].response);
    }
    return found;
}

static bool has_dynamic(const graze_world *world)
{
    bool found = false;
    for (size_t i = 0; !found && i < grz_list_count(world->retired); ++i) {
        const grz_body *body = &world->bodies.data[world->retired[i].index];
        found = grz_is_dynamic(body->kind, body->response);
    }
    for (uint32_t row = 0; row < world->body_count; ++row) {
        found |= grz_row_is_dynamic(world->rows.traits[row]);
    }
    return found;
}

static uint32_t find_needs(const graze_world *world)
{
    const uint32_t count = world->bodies.count;
    grz_optional_column columns[GRZ_OPTIONAL_COLUMNS];
    uint32_t needs = has_rotations(world) ? GRZ_NEED_ROTATIONS : 0u;
    needs |= world->dynamics.data && has_dynamic(world) ? GRZ_NEED_DYNAMICS : 0u;
    grz_optional_columns(world, columns);
    for (int i = 0; i < GRZ_OPTIONAL_COLUMNS; ++i) {
        const grz_optional_column *column = &columns[i];
        const bool needed =
            column->of_world && grz_column_is_needed(column, column->of_world, count);
        needs |= needed ? column->need : 0u;
    }
    return needs;
}

static void describe_bodies(const graze_world *world, grz_snapshot_header *header)
{
    header->index_count = world->bodies.count;
    header->body_count = world->body_count;
    header->retired_count = (uint32_t)grz_list_count(world->retired);
    header->rect_count = world->rect_count;
    header->needs = find_needs(world);
}

static grz_snapshot_header describe(const graze_world *world)
{
    grz_snapshot_header header = grz_snapshot_new_header();
    header.step_count = world->stats.step_count;
    header.pair_count = world->stats.pair_count;
    header.hit_count = world->stats.hit_count;
    header.gravity = world->gravity;
    describe_bodies(world, &header);
    header.chain_count = (uint32_t)grz_list_count(world->chains);
    header.point_count = count_points(world);
    header.surface_count = world->surface_count;
    header.substeps = world->substeps;
    header.key_count = world->keys.count;
    header.end_count = world->ends.count;
    header.contact_count = world->contacts.count;
    header.begin_count = world->stats.begin_count;
    header.overflow_count = world->stats.overflow_count;
    header.kept_count = grz_kept_contact_count(world);
    header.size = grz_snapshot_lay_out(&header).begin[GRZ_SECTION_COUNT];
    return header;
}

size_t graze_world_snapshot_size(const graze_world *world)
{
    return (size_t)describe(world).size;
}

static graze_status check_call(const graze_world *world, const void *buffer, size_t size,
                               uint64_t needed)
{
    static const char call[] = "graze_world_save";
    const graze_status busy = grz_check_not_busy(world, call);
    if (busy) {
        return busy;
    }
    if (!buffer) {
        return grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: buffer is null", call);
    }
    if (size < needed) {
        return grz_fail(world, GRAZE_ERROR_LIMIT,
                        "%s: size is %zu; the snapshot has %" PRIu64 " bytes", call, size, needed);
    }
    return GRAZE_OK;
}

static void start_writing(grz_writer *writer, const graze_world *world,
                          const grz_snapshot_header *header, const grz_snapshot_layout *layout,
                          unsigned char *bytes)
{
    writer->world = world;
    writer->loops = grz_snapshot_loops_for(world->lanes);
    writer->header = header;
    for (int section = 0; section < GRZ_SECTION_COUNT; ++section) {
        unsigned char *begin = bytes + (size_t)layout->begin[section];
        const grz_progress fresh = {begin, begin};
        writer->columns[section] = fresh;
    }
    grz_snapshot_begin_sums(&writer->sums);
}

static void sum_up_all(grz_writer *writer)
{
    for (int section = 0; section < GRZ_SECTION_COUNT; ++section) {
        const grz_progress *column = &writer->columns[section];
        grz_checksum_add(&writer->sums.section[section], writer->loops->checksum, column->summed,
                         (size_t)(column->next - column->summed));
    }
}

static void write_snapshot(const graze_world *world, grz_snapshot_header *header,
                           unsigned char *bytes)
{
    const grz_snapshot_layout layout = grz_snapshot_lay_out(header);
    grz_writer writer;
    start_writing(&writer, world, header, &layout, bytes);
    grz_snapshot_put_rows(&writer);
    put_cold_parts(&writer);
    put_vacancies(&writer);
    put_terrain(&writer);
    grz_snapshot_put_reports(&writer);
    grz_snapshot_put_kept(&writer);
    sum_up_all(&writer);
    header->checksum = grz_snapshot_end_sums(&writer.sums, writer.loops, header);
    memcpy(bytes, header, sizeof *header);
}

graze_status graze_world_save(const graze_world *world, void *buffer, size_t size)
{
    grz_snapshot_header header = describe(world);
    const graze_status status = check_call(world, buffer, size, header.size);
    if (!status) {
        write_snapshot(world, &header, buffer);
    }
    return status;
}
