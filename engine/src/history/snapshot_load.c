// graze_world_load.

#include <graze/world.h>

#include "fp_environment.h"
#include "history/snapshot.h"
#include "list.h"
#include "solve/solve.h"
#include "world/bodies.h"
#include "world/call_hook.h"
#include "world/message.h"

#include <float.h>
#include <inttypes.h>

// Loading has two halves. The first allocates all memory, copies bodies into spare columns and
// checks every byte; it may fail, and changes nothing. The second changes everything, and cannot
// fail.

const grz_field *grz_snapshot_find_wrong(const grz_snapshot *snapshot, grz_section section)
{
    const grz_form *form = grz_section_plans[section].form;
    return grz_form_find_wrong(form, grz_snapshot_section(snapshot, section),
                               grz_snapshot_section_size(snapshot, section) / form->size);
}

// --- Header ---

static graze_status check_signature(const graze_world *world, const grz_snapshot_header *header)
{
    const grz_snapshot_header known = grz_snapshot_new_header();
    if (memcmp(header->magic, known.magic, sizeof known.magic) != 0) {
        return grz_snapshot_refuse(
            world, "buffer holds no snapshot: its first bytes are not those of one");
    }
    if (header->byte_order != known.byte_order) {
        return grz_snapshot_refuse(
            world, "the snapshot's byte order mark is 0x%08" PRIx32 "; snapshots are little-endian",
            header->byte_order);
    }
    if (header->version != known.version) {
        return grz_snapshot_refuse(
            world, "the snapshot's format has version %u; this library reads version %u",
            (unsigned)header->version, (unsigned)known.version);
    }
    return GRAZE_OK;
}

static graze_status check_size(const graze_world *world, const grz_snapshot *snapshot, size_t size)
{
    const uint64_t stated = snapshot->header.size;
    const uint64_t counted = snapshot->layout.begin[GRZ_SECTION_COUNT];
    if (stated != counted) {
        return grz_snapshot_refuse(
            world, "the snapshot states a size of %" PRIu64 " bytes; its counts make %" PRIu64,
            stated, counted);
    }
    if (snapshot->header.needs > GRZ_NEED_ALL || snapshot->header.index_count > GRZ_NONE / 2 ||
        grz_snapshot_kept(&snapshot->header) > snapshot->header.index_count) {
        return grz_snapshot_refuse(world,
                                   "the snapshot's header has counts or flags that no world has");
    }
    if (stated > size) {
        return grz_snapshot_refuse(world, "size is %zu; the snapshot has %" PRIu64 " bytes", size,
                                   stated);
    }
    return GRAZE_OK;
}

// If it succeeds, the counts are possible and agree with the size.
static graze_status open_snapshot(const graze_world *world, const void *bytes, size_t size,
                                  grz_snapshot *snapshot)
{
    unsigned char header[sizeof snapshot->header];
    if (size < sizeof header) {
        return grz_snapshot_refuse(world, "size is %zu; every snapshot has at least %zu bytes",
                                   size, sizeof header);
    }
    memcpy(header, bytes, sizeof header);
    if (grz_is_big_endian()) {
        grz_snapshot_turn_header(header);
    }
    memcpy(&snapshot->header, header, sizeof header);
    snapshot->bytes = bytes;
    snapshot->layout = grz_snapshot_lay_out(&snapshot->header);
    const graze_status status = check_signature(world, &snapshot->header);
    return status ? status : check_size(world, snapshot, size);
}

// --- Damage and byte order ---

// Makes a copy in the byte order of a big-endian machine, which the caller releases.
static graze_status turn_copy(graze_world *world, grz_snapshot *snapshot)
{
    const graze_allocator *allocator = &world->config.counting;
    const size_t size = (size_t)snapshot->header.size;
    snapshot->copy = allocator->allocate(size, GRZ_ALIGNMENT, allocator->user);
    if (!snapshot->copy) {
        return grz_fail(world, GRAZE_ERROR_OUT_OF_MEMORY,
                        "graze_world_load: no memory to convert the byte order of %zu bytes", size);
    }
    memcpy(snapshot->copy, snapshot->bytes, size);
    grz_snapshot_turn_header(snapshot->copy);
    grz_snapshot_turn_sections(snapshot->copy, &snapshot->layout);
    snapshot->bytes = snapshot->copy;
    return GRAZE_OK;
}

static graze_status check_sum(graze_world *world, grz_snapshot *snapshot)
{
    if (grz_snapshot_sum(snapshot->bytes, &snapshot->layout) != snapshot->header.checksum) {
        return grz_snapshot_refuse(world, "the snapshot is damaged: its checksum does not match");
    }
    return grz_is_big_endian() ? turn_copy(world, snapshot) : GRAZE_OK;
}

// --- Contents ---

static graze_status check_header(const graze_world *world, const grz_snapshot_header *header)
{
    const grz_form *vector = grz_section_plans[GRZ_SECTION_POINTS].form;
    if (grz_form_find_wrong(vector, &header->gravity, 1)) {
        return grz_snapshot_refuse(world, "the snapshot's gravity is (%g, %g); it must be finite",
                                   (double)header->gravity.x, (double)header->gravity.y);
    }
    if (header->substeps < 1 || header->substeps > GRZ_SUBSTEPS_MAX) {
        return grz_snapshot_refuse(world, "the snapshot's substeps is %u; it must be 1 to 64",
                                   (unsigned)header->substeps);
    }
    if (!(header->mean_substep >= 0 && header->mean_substep <= FLT_MAX)) {
        return grz_snapshot_refuse(world,
                                   "the snapshot's mean substep is %g s; it must be finite and not "
                                   "below 0",
                                   (double)header->mean_substep);
    }
    return GRAZE_OK;
}

static graze_status check_contents(const graze_world *world, grz_snapshot *snapshot)
{
    snapshot->same_terrain = grz_terrain_is_same(world, snapshot);
    graze_status status = check_header(world, &snapshot->header);
    status = status ? status : grz_snapshot_read_bodies(world, snapshot);
    if (!status && !snapshot->same_terrain) {
        status = grz_snapshot_read_terrain(world, snapshot);
    }
    return status ? status : grz_snapshot_read_contacts(world, snapshot);
}

// --- Room ---

static graze_status check_limit(const graze_world *world, const char *field, uint32_t capacity,
                                uint64_t needed)
{
    if (!world->config.fixed_capacity || needed <= capacity) {
        return GRAZE_OK;
    }
    return grz_fail(world, GRAZE_ERROR_LIMIT,
                    "graze_world_load: %s is %u; the snapshot needs %" PRIu64, field,
                    (unsigned)capacity, needed);
}

static graze_status check_limits(const graze_world *world, const grz_snapshot_header *header)
{
    const graze_status status =
        check_limit(world, "body_capacity", world->config.body_capacity, header->body_count);
    return status ? status
                  : check_limit(world, "contact_capacity", world->config.contact_capacity,
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
    return grz_spare_reserve(&world->bodies, &world->config.counting, header->index_count, kept,
                             header->needs)
               ? GRAZE_OK
               : fail_for_memory(world, GRAZE_ERROR_OUT_OF_MEMORY, header);
}

// Contacts come last: a view of them stays valid if there is no room.
static bool reserve_lists(graze_world *world, const grz_snapshot_header *header)
{
    const graze_allocator *allocator = &world->config.counting;
    const size_t held = grz_list_count(world->bodies.removed), removed = header->removed_count;
    return grz_list_reserve(world->bodies.removed, allocator,
                            removed > held ? removed - held : 0) &&
           grz_kept_contacts_reserve(world, header->kept_count) &&
           grz_array_reserve(&world->reports.keys, allocator, header->key_count) &&
           grz_array_reserve(&world->reports.ends, allocator, header->end_count) &&
           grz_array_reserve(&world->reports.contacts, allocator, header->contact_count);
}

static graze_status prepare(graze_world *world, const grz_snapshot *snapshot, grz_chain **chains)
{
    const bool has_changes = !snapshot->same_terrain;
    graze_status status = has_changes ? grz_terrain_prepare(world, snapshot, chains) : GRAZE_OK;
    if (status) {
        return status;
    }
    status = reserve_lists(world, &snapshot->header) ? GRAZE_OK : GRAZE_ERROR_OUT_OF_MEMORY;
    if (!status && graze_grid_count(world->grid.cells)) { // Its bodies are no longer valid.
        const graze_grid_items none = {.count = 0};
        status = graze_grid_build(world->grid.cells, &none);
    }
    if (status && has_changes) {
        grz_terrain_free(world, *chains);
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
        .removed_count = header->removed_count,
        .overflow_count = header->overflow_count,
    };
    world->reports.stats = stats;
}

static graze_status replace_world(graze_world *world, const grz_snapshot *snapshot)
{
    grz_chain *chains = NULL;
    const graze_status status = prepare(world, snapshot, &chains);
    if (status) {
        return fail_for_memory(world, status, &snapshot->header);
    }
    world->config.gravity = snapshot->header.gravity;
    world->config.substeps = snapshot->header.substeps;
    world->solve.mean_substep = snapshot->header.mean_substep;
    grz_snapshot_fill_bodies(world, snapshot);
    if (!snapshot->same_terrain) {
        grz_terrain_commit(world, snapshot, chains);
    }
    grz_snapshot_fill_contacts(world, snapshot);
    fill_stats(world, &snapshot->header);
    return GRAZE_OK;
}

// --- The call ---

static graze_status check_and_load(graze_world *world, const void *buffer, size_t size)
{
    const char *call = grz_call_name(GRZ_RECORD_LOAD);
    grz_snapshot snapshot = {.bytes = NULL};
    graze_status status = grz_check_not_busy(world, call);
    status = status ? status : grz_check_not_null(world, call, "buffer", buffer != NULL);
    status = status ? status : open_snapshot(world, buffer, size, &snapshot);
    status = status ? status : check_limits(world, &snapshot.header);
    status = status ? status : reserve_spare(world, &snapshot.header);
    status = status ? status : check_sum(world, &snapshot);
    status = status ? status : check_contents(world, &snapshot);
    if (!status && world->config.fixed_capacity) { // Else segments need not be counted.
        status = check_limit(world, "segment_capacity", world->config.segment_capacity,
                             grz_snapshot_segment_count(&snapshot));
    }
    status = status ? status : replace_world(world, &snapshot);
    if (snapshot.copy) {
        world->config.counting.release(snapshot.copy, (size_t)snapshot.header.size,
                                       world->config.counting.user);
    }
    return status;
}

graze_status graze_world_load(graze_world *world, const void *buffer, size_t size)
{
    const grz_fp_environment caller = grz_fp_enter();
    const graze_status status = check_and_load(world, buffer, size);
    if (grz_is_recorded(world, status)) {
        grz_recorder_add_load(world->call.recorder);
    }
    grz_fp_leave(caller);
    return status;
}
