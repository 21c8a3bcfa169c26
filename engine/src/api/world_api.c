// The world: its creation and destruction, and its statistics.

#include <graze/world.h>

#include "collide/rest.h"
#include "fp_environment.h"
#include "list.h"
#include "solve/slices.h"
#include "solve/solve.h"
#include "step/report_lists.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/call_hook.h"
#include "world/message.h"
#include "world/spare_bodies.h"

#include <string.h>

enum { WORLD_COOKIE = 0x42a7e003 };

graze_world_def graze_world_def_default(void)
{
    graze_world_def def;
    memset(&def, 0, sizeof def);
    def.substeps = GRZ_SUBSTEPS;
    def.worker_count = 1;
    def.cookie = WORLD_COOKIE;
    return def;
}

static graze_status refuse_def(const graze_world_def *def, const char *field, double value,
                               const char *rule)
{
    return grz_fail_to(def->log, def->log_user, GRAZE_ERROR_ARGUMENT,
                       "graze_world_create: %s is %.10g; %s", field, value, rule);
}

static graze_status refuse_allocator(const graze_world_def *def)
{
    return grz_fail_to(def->log, def->log_user, GRAZE_ERROR_ARGUMENT,
                       "graze_world_create: allocator.%s is null; set both functions or neither",
                       def->allocator.allocate ? "release" : "allocate");
}

static graze_status check_world_def(const graze_world_def *def)
{
    if (def->cookie != WORLD_COOKIE) {
        // Nothing in it can be trusted, its log least of all.
        return GRAZE_ERROR_ARGUMENT;
    }
    if (!is_finite_sum((double)def->gravity.x)) {
        return refuse_def(def, "gravity.x", (double)def->gravity.x, "it must be finite");
    }
    if (!is_finite_sum((double)def->gravity.y)) {
        return refuse_def(def, "gravity.y", (double)def->gravity.y, "it must be finite");
    }
    if (def->substeps < 1 || def->substeps > GRZ_SUBSTEPS_MAX) {
        return refuse_def(def, "substeps", def->substeps, "it must be 1 to 64");
    }
    if (!grz_allocator_is_valid(&def->allocator)) {
        return refuse_allocator(def);
    }
    if (def->body_capacity > GRZ_BODIES_MAX) {
        return refuse_def(def, "body_capacity", def->body_capacity, "it must be below 2^30");
    }
    if (def->fixed_capacity && !(def->body_capacity && def->contact_capacity)) {
        return refuse_def(def, def->body_capacity ? "contact_capacity" : "body_capacity", 0,
                          "with fixed_capacity it must be above 0");
    }
    return GRAZE_OK;
}

static void *allocate_counted(size_t size, size_t alignment, void *user)
{
    graze_world *world = user;
    void *memory = world->allocator.allocate(size, alignment, world->allocator.user);
    world->byte_count += memory ? size : 0;
    return memory;
}

static void release_counted(void *memory, size_t size, void *user)
{
    graze_world *world = user;
    world->byte_count -= size;
    world->allocator.release(memory, size, world->allocator.user);
}

// Never -0: its bits are hashed.
static void put_gravity(graze_world *world, graze_vec2 gravity)
{
    world->gravity.x = gravity.x + 0.0f;
    world->gravity.y = gravity.y + 0.0f;
}

static void copy_def(graze_world *world, const graze_world_def *def)
{
    put_gravity(world, def->gravity);
    world->substeps = def->substeps;
    world->fixed_capacity = def->fixed_capacity;
    world->body_capacity = def->body_capacity;
    world->segment_capacity = def->segment_capacity;
    world->contact_capacity = def->contact_capacity;
    world->log = def->log;
    world->log_user = def->log_user;
    world->filter = def->filter;
    world->filter_user = def->filter_user;
    world->parallel = def->parallel;
    world->parallel_user = def->parallel_user;
    world->lanes = grz_lanes_choose();
    grz_filter_kinds_clear(&world->kinds);
    world->rest.least = GRZ_REST_MIN;
    world->rest.patience = GRZ_REST_PATIENCE;
}

// At least one body, so that the columns that all worlds have are never null. With a fixed capacity
// as many indices again: those of bodies that a step removed are not vacant until the next one.
static bool reserve_bodies(graze_world *world)
{
    const uint32_t rows = world->body_capacity ? world->body_capacity : 1;
    return world->fixed_capacity ? grz_bodies_make_room(world, 2 * rows, rows, GRZ_NEED_ALL)
                                 : grz_bodies_make_room(world, rows, rows, 0);
}

static bool reserve_hints(graze_world *world)
{
    const graze_allocator *allocator = &world->counting;
    uint32_t contacts = world->contact_capacity;
    return reserve_bodies(world) && grz_array_reserve(&world->hits, allocator, contacts) &&
           grz_array_reserve(&world->hit_ranks, allocator, contacts) &&
           grz_array_reserve(&world->fresh, allocator, contacts) &&
           grz_array_reserve(&world->contacts, allocator, contacts) &&
           grz_array_reserve(&world->keys, allocator, contacts) &&
           grz_array_reserve(&world->ranks, allocator, contacts) &&
           grz_array_reserve(&world->last_ranks, allocator, contacts) &&
           grz_array_reserve(&world->ends, allocator, contacts);
}

static bool fill_world(graze_world *world)
{
    return grz_report_lists_begin(world) &&
           graze_segment_grid_init(&world->terrain, &world->counting) == GRAZE_OK &&
           graze_grid_create(&world->counting, &world->grid) == GRAZE_OK && reserve_hints(world);
}

static void warn_of_refused_lanes(const graze_world *world)
{
    const char *refused = grz_lanes_refused();
    if (refused) {
        grz_fail_to(
            world->log, world->log_user, GRAZE_ERROR_ARGUMENT,
            "graze_world_create: GRAZE_LANES is '%s', which this build on this machine does "
            "not have; the world uses %s",
            refused, grz_lanes_name(world->lanes));
    }
}

static graze_world *create_world(const graze_world_def *def)
{
    if (!def || check_world_def(def)) {
        return NULL;
    }
    graze_allocator allocator = grz_allocator_or_default(def->allocator);
    graze_world *world = allocator.allocate(sizeof *world, GRZ_ALIGNMENT, allocator.user);
    if (!world) {
        grz_fail_to(def->log, def->log_user, GRAZE_ERROR_OUT_OF_MEMORY,
                    "graze_world_create: no memory for %u bytes", (unsigned)sizeof *world);
        return NULL;
    }
    memset(world, 0, sizeof *world);
    world->allocator = allocator;
    world->counting.allocate = allocate_counted;
    world->counting.release = release_counted;
    world->counting.user = world;
    world->agenda.allocator = &world->counting;
    world->agenda.contacts = &world->fresh;
    world->byte_count = sizeof *world;
    copy_def(world, def);
    warn_of_refused_lanes(world);
    if (!fill_world(world)) {
        grz_fail(world, GRAZE_ERROR_OUT_OF_MEMORY,
                 "graze_world_create: no memory for a body_capacity of %u and a contact_capacity "
                 "of %u",
                 (unsigned)def->body_capacity, (unsigned)def->contact_capacity);
        graze_world_destroy(world);
        return NULL;
    }
    return world;
}

graze_world *graze_world_create(const graze_world_def *def)
{
    const grz_fp_environment caller = grz_fp_enter();
    graze_world *world = create_world(def);
    grz_fp_leave(caller);
    return world;
}

static void free_terrain(graze_world *world)
{
    for (size_t i = 0; i < grz_list_count(world->chains); ++i) {
        if (world->chains[i].in_world) {
            grz_list_free(world->chains[i].points);
            grz_list_free(world->chains[i].surfaces);
        }
    }
    grz_list_free(world->chains);
    grz_index_set_free(&world->vacant_chains, &world->counting);
    graze_segment_grid_free(&world->terrain);
}

static void free_step(graze_world *world)
{
    const graze_allocator *allocator = &world->counting;
    grz_block_free(&world->box_memory, allocator);
    grz_array_free(&world->row_counts, allocator);
    grz_array_free(&world->hits, allocator);
    grz_array_free(&world->hit_ranks, allocator);
    grz_array_free(&world->meetings, allocator);
    grz_array_free(&world->ray_touches, allocator);
    grz_array_free(&world->link_of_row, allocator);
    grz_array_free(&world->next_link, allocator);
    grz_array_free(&world->spent, allocator);
    grz_array_free(&world->block_spent, allocator);
    grz_array_free(&world->block_fresh, allocator);
    grz_array_free(&world->block_hits, allocator);
    grz_array_free(&world->block_ranks, allocator);
    grz_array_free(&world->open_rays, allocator);
    grz_array_free(&world->outcome_blocks, allocator);
    grz_array_free(&world->motions, allocator);
    grz_array_free(&world->courses, allocator);
    grz_array_free(&world->motion_of_row, allocator);
    grz_array_free(&world->known_walls, allocator);
    grz_array_free(&world->over_sensors, allocator);
    grz_array_free(&world->met_before, allocator);
    grz_array_free(&world->impulses, allocator);
    grz_array_free(&world->impulse_places, allocator);
    grz_array_free(&world->agenda.events, allocator);
    grz_array_free(&world->wall_contacts, allocator);
    grz_array_free(&world->wall_blocks, allocator);
    grz_array_free(&world->agenda.list, allocator);
    grz_array_free(&world->agenda.heap, allocator);
    grz_array_free(&world->motion_blocks, allocator);
    grz_array_free(&world->lone_blocks, allocator);
    grz_solve_free(&world->solve, allocator);
    grz_block_free(&world->own_order, allocator);
}

static void free_reports(graze_world *world)
{
    const graze_allocator *allocator = &world->counting;
    grz_array_free(&world->fresh, allocator);
    grz_array_free(&world->contacts, allocator);
    grz_array_free(&world->keys, allocator);
    grz_array_free(&world->ranks, allocator);
    grz_array_free(&world->last_ranks, allocator);
    grz_array_free(&world->key_starts, allocator);
    grz_array_free(&world->ends, allocator);
    grz_report_lists_free(world);
}

void graze_world_destroy(graze_world *world)
{
    if (!world) {
        return;
    }
    grz_recorder_close(world);
    grz_rest_free(world);
    grz_bodies_free(world);
    grz_spare_free(world);
    free_terrain(world);
    free_step(world);
    free_reports(world);
    graze_grid_destroy(world->grid);
    grz_slices_free(&world->slices, &world->counting);
    world->allocator.release(world, sizeof *world, world->allocator.user);
}

graze_vec2 graze_world_gravity(const graze_world *world)
{
    return world->gravity;
}

static graze_status check_gravity(const graze_world *world, graze_vec2 gravity)
{
    static const char call[] = "graze_world_set_gravity";
    const graze_status busy = grz_check_not_busy(world, call);
    if (busy || is_finite(gravity)) {
        return busy;
    }
    return grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: gravity is (%g, %g); it must be finite", call,
                    (double)gravity.x, (double)gravity.y);
}

graze_status graze_world_set_gravity(graze_world *world, graze_vec2 gravity)
{
    const grz_fp_environment caller = grz_fp_enter();
    const graze_status status = check_gravity(world, gravity);
    if (!status) {
        if (gravity.x != world->gravity.x || gravity.y != world->gravity.y) {
            grz_rest_wake_all(world);
        }
        put_gravity(world, gravity);
    }
    grz_note_call(world, status, GRZ_RECORD_SET_GRAVITY, &gravity);
    grz_fp_leave(caller);
    return status;
}

uint32_t graze_world_substeps(const graze_world *world)
{
    return world->substeps;
}

static graze_status check_substeps(const graze_world *world, uint32_t substeps)
{
    static const char call[] = "graze_world_set_substeps";
    const graze_status busy = grz_check_not_busy(world, call);
    if (busy || (substeps >= 1 && substeps <= GRZ_SUBSTEPS_MAX)) {
        return busy;
    }
    return grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: substeps is %u; it must be 1 to 64", call,
                    (unsigned)substeps);
}

graze_status graze_world_set_substeps(graze_world *world, uint32_t substeps)
{
    const grz_fp_environment caller = grz_fp_enter();
    const graze_status status = check_substeps(world, substeps);
    if (!status && substeps != world->substeps) {
        grz_rest_wake_all(world);
        world->substeps = substeps;
    }
    grz_note_call(world, status, GRZ_RECORD_SET_SUBSTEPS, &substeps);
    grz_fp_leave(caller);
    return status;
}

graze_status graze_world_last_status(const graze_world *world)
{
    return world->last_status;
}

const char *graze_phase_name(graze_phase phase)
{
    static const char *const names[GRAZE_PHASE_COUNT] = {"predict", "sort",   "pairs", "decide",
                                                         "respond", "commit", "report"};
    return (int)phase >= 0 && phase < GRAZE_PHASE_COUNT ? names[phase] : "unknown";
}

graze_world_stats graze_world_get_stats(const graze_world *world)
{
    graze_world_stats stats = world->stats;
    stats.body_count = world->body_count;
    stats.chain_count = world->chain_count;
    stats.segment_count = world->segment_count;
    stats.byte_count = world->byte_count;
    stats.lanes = grz_lanes_name(world->lanes);
    return stats;
}
