#include <graze/world.h>

#include "body/spare_bodies.h"
#include "fp_environment.h"
#include "list.h"
#include "message.h"
#include "record/recorder.h"
#include "snapshot/snapshot_bodies.h"
#include "snapshot/snapshot_foreign.h"
#include "snapshot/snapshot_reports.h"
#include "snapshot/snapshot_terrain.h"
#include "solve/solve.h"
#include "terrain/terrain_image.h"

#include <inttypes.h>
#include <string.h>

// Loading has two halves. The first allocates all memory, copies bodies into spare columns and
// checks every byte; it may fail, and changes nothing. The second changes everything, and cannot
// fail.

static graze_status check_limit(const graze_world *world, const char *field, uint32_t capacity,
                                uint64_t needed)
{
    if (!world->fixed_capacity || needed <= capacity) {
        return GRAZE_OK;
    }
    return grz_fail(world, GRAZE_ERROR_LIMIT,
                    "graze_world_load: %s is %u; the snapshot needs %" PRIu64, field,
                    (unsigned)capacity, needed);
}

static graze_status check_limits(const graze_world *world, const grz_snapshot_header *header)
{
    const graze_status status =
        check_limit(world, "body_capacity", world->body_capacity, header->body_count);
    return status ? status
                  : check_limit(world, "contact_capacity", world->contact_capacity,
                                header->contact_count);
}

static graze_status fail_for_memory(const graze_world *world, graze_status status,
                                    const grz_snapshot_header *header)
{
    return grz_fail(world, status,
                    "graze_world_load: no room for the snapshot's %u bodies and %u points",
                    (unsigned)header->body_count, (unsigned)header->point_count);
}

static graze_status reserve_spare(graze_world *world, const grz_snapshot_header *header)
{
    const uint32_t kept = (uint32_t)grz_snapshot_kept(header);
    return grz_spare_reserve(world, header->index_count, kept, header->needs)
               ? GRAZE_OK
               : fail_for_memory(world, GRAZE_ERROR_OUT_OF_MEMORY, header);
}

static bool reserve_retired(graze_world *world, size_t count)
{
    const size_t held = grz_list_count(world->retired);
    return grz_list_reserve(world->retired, &world->counting, count > held ? count - held : 0);
}

static bool reserve_reports(graze_world *world, const grz_snapshot_header *header)
{
    const graze_allocator *allocator = &world->counting;
    return grz_kept_contacts_reserve(world, header->kept_count) &&
           grz_array_reserve(&world->keys, allocator, header->key_count) &&
           grz_array_reserve(&world->ends, allocator, header->end_count) &&
           grz_array_reserve(&world->contacts, allocator, header->contact_count);
}

// The grid's bodies are no longer valid.
static graze_status empty_grid(graze_world *world)
{
    const graze_grid_items none = {.count = 0};
    return graze_grid_count(world->grid) ? graze_grid_build(world->grid, &none) : GRAZE_OK;
}

static graze_status prepare(graze_world *world, const grz_snapshot *snapshot,
                            grz_terrain_change *terrain)
{
    if (!reserve_retired(world, snapshot->header.retired_count)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    const bool has_changes = !snapshot->same_terrain;
    graze_status status = has_changes ? grz_terrain_prepare(world, snapshot, terrain) : GRAZE_OK;
    if (status) {
        return status;
    }
    status =
        reserve_reports(world, &snapshot->header) ? empty_grid(world) : GRAZE_ERROR_OUT_OF_MEMORY;
    if (status && has_changes) {
        grz_terrain_cancel(world, terrain);
    }
    return status;
}

// --- The second half ---

static void fill_stats(graze_world *world, const grz_snapshot_header *header)
{
    const graze_world_stats stats = {
        .step_count = header->step_count,
        .pair_count = header->pair_count,
        .hit_count = header->hit_count,
        .contact_count = header->contact_count,
        .begin_count = header->begin_count,
        .end_count = header->end_count,
        .removed_count = header->retired_count,
        .overflow_count = header->overflow_count,
    };
    world->stats = stats;
}

// --- The call ---

static graze_status check_call(const graze_world *world, const void *buffer)
{
    static const char call[] = "graze_world_load";
    const graze_status busy = grz_check_not_busy(world, call);
    if (busy) {
        return busy;
    }
    return buffer ? GRAZE_OK : grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: buffer is null", call);
}

static graze_status load_snapshot(graze_world *world, const grz_snapshot *snapshot)
{
    grz_terrain_change terrain;
    const graze_status status = prepare(world, snapshot, &terrain);
    if (status) {
        return fail_for_memory(world, status, &snapshot->header);
    }
    world->gravity = snapshot->header.gravity;
    world->substeps = snapshot->header.substeps;
    grz_snapshot_fill_bodies(world, snapshot);
    if (!snapshot->same_terrain) {
        grz_terrain_commit(world, snapshot, &terrain);
    }
    grz_snapshot_fill_reports(world, snapshot);
    grz_kept_contacts_replace(world, grz_snapshot_section(snapshot, GRZ_SECTION_KEPT),
                              snapshot->header.kept_count);
    fill_stats(world, &snapshot->header);
    return GRAZE_OK;
}

static graze_status check_segments(const graze_world *world, const grz_snapshot *snapshot)
{
    return world->fixed_capacity ? check_limit(world, "segment_capacity", world->segment_capacity,
                                               grz_snapshot_segment_count(snapshot))
                                 : GRAZE_OK;
}

static graze_status open_and_load(graze_world *world, const void *buffer, size_t size)
{
    grz_snapshot snapshot;
    grz_terrain_image_extend(world, UINT32_MAX);
    graze_status status = grz_snapshot_open(world, buffer, size, &snapshot);
    status = status ? status : check_limits(world, &snapshot.header);
    status = status ? status : reserve_spare(world, &snapshot.header);
    status = status ? status : grz_snapshot_check(world, &snapshot);
    status = status ? status : check_segments(world, &snapshot);
    return status ? status : load_snapshot(world, &snapshot);
}

static graze_status load_foreign(graze_world *world, const void *buffer, size_t size)
{
    grz_snapshot_header header;
    unsigned char *translated = NULL;
    graze_status status = grz_snapshot_translate(world, buffer, size, &translated);
    if (!status) {
        memcpy(&header, translated, sizeof header);
        status = open_and_load(world, translated, (size_t)header.size);
        world->counting.release(translated, (size_t)header.size, world->counting.user);
    }
    return status;
}

static graze_status check_and_load(graze_world *world, const void *buffer, size_t size)
{
    const graze_status status = check_call(world, buffer);
    if (status) {
        return status;
    }
    return grz_snapshot_is_foreign(buffer, size) ? load_foreign(world, buffer, size)
                                                 : open_and_load(world, buffer, size);
}

graze_status graze_world_load(graze_world *world, const void *buffer, size_t size)
{
    const grz_fp_environment caller = grz_fp_enter();
    const graze_status status = check_and_load(world, buffer, size);
    grz_note_load(world, status);
    grz_fp_leave(caller);
    return status;
}
