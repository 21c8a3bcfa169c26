// The world: its creation and destruction, and its statistics.

#include <graze/world.h>

#include "collide/sleep.h"
#include "fault.h"
#include "fp_environment.h"
#include "list.h"
#include "plural.h"
#include "step/report_lists.h"
#include "step/step.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/call_hook.h"
#include "world/message.h"
#include "world/value_check.h"

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
        return grz_fail_to(
            def->log, def->log_user, GRAZE_ERROR_ARGUMENT,
            "graze_world_create: allocator.%s is null; set both functions or neither",
            def->allocator.allocate ? "release" : "allocate");
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
    const graze_allocator *allocator = &world->config.allocator;
    const size_t whole = size + sizeof(grz_held);
    (void)alignment; // It is at most this.
    grz_held *held =
        whole > size ? allocator->allocate(whole, GRZ_ALIGNMENT, allocator->user) : NULL;
    if (!held) {
        return NULL;
    }
    held->next = world->call.held;
    held->to_this = &world->call.held;
    held->size = whole;
    if (held->next) {
        held->next->to_this = &held->next;
    }
    world->call.held = held;
    world->call.byte_count += whole;
    return held + 1;
}

static void release_counted(void *memory, size_t size, void *user)
{
    graze_world *world = user;
    grz_held *held = (grz_held *)memory - 1;
    (void)size;
    *held->to_this = held->next;
    if (held->next) {
        held->next->to_this = held->to_this;
    }
    world->call.byte_count -= held->size;
    world->config.allocator.release(held, held->size, world->config.allocator.user);
}

static void copy_def(graze_world *world, const graze_world_def *def)
{
    world->config.gravity = without_negative_zero(def->gravity); // Its bits are hashed.
    world->config.substeps = def->substeps;
    world->config.fixed_capacity = def->fixed_capacity;
    world->config.body_capacity = def->body_capacity;
    world->config.segment_capacity = def->segment_capacity;
    world->config.contact_capacity = def->contact_capacity;
    world->config.log = def->log;
    world->config.log_user = def->log_user;
    world->config.filter = def->filter;
    world->config.filter_user = def->filter_user;
    world->config.parallel = def->parallel;
    world->config.parallel_user = def->parallel_user;
    world->config.lanes = grz_lanes_choose();
    grz_filter_kinds_clear(&world->grid.kinds);
    world->sleep.least = GRZ_SLEEP_MIN;
    world->sleep.patience = GRZ_SLEEP_PATIENCE;
}

// At least one body, so that the columns that all worlds have are never null. With a fixed capacity
// as many indices again: those of bodies that a step removed are not vacant until the next one.
static bool reserve_bodies(graze_world *world)
{
    const uint32_t rows = world->config.body_capacity ? world->config.body_capacity : 1;
    return world->config.fixed_capacity ? grz_bodies_make_room(world, 2 * rows, rows, GRZ_NEED_ALL)
                                        : grz_bodies_make_room(world, rows, rows, 0);
}

static bool reserve_hints(graze_world *world)
{
    const graze_allocator *allocator = &world->config.counting;
    uint32_t contacts = world->config.contact_capacity;
    return reserve_bodies(world) &&
           grz_array_reserve(&world->found.contacts, allocator, contacts) &&
           grz_array_reserve(&world->reports.contacts, allocator, contacts) &&
           grz_array_reserve(&world->reports.keys, allocator, contacts) &&
           grz_array_reserve(&world->reports.ranks, allocator, contacts) &&
           grz_array_reserve(&world->reports.last_ranks, allocator, contacts) &&
           grz_array_reserve(&world->reports.ends, allocator, contacts);
}

static bool fill_world(graze_world *world)
{
    return grz_report_lists_begin(world) &&
           graze_segment_grid_init(&world->terrain.grid, &world->config.counting) == GRAZE_OK &&
           graze_grid_create(&world->config.counting, &world->grid.cells) == GRAZE_OK &&
           reserve_hints(world);
}

static void warn_of_refused_lanes(const graze_world *world)
{
    const char *refused = grz_lanes_refused();
    if (refused) {
        grz_fail_to(
            world->config.log, world->config.log_user, GRAZE_ERROR_ARGUMENT,
            "graze_world_create: GRAZE_LANES is '%s', which this build on this machine does "
            "not have; the world uses %s",
            refused, grz_lanes_name(world->config.lanes));
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
    world->config.allocator = allocator;
    world->config.counting.allocate = allocate_counted;
    world->config.counting.release = release_counted;
    world->config.counting.user = world;
    world->impacts.agenda.allocator = &world->config.counting;
    world->impacts.agenda.contacts = &world->found.contacts;
    world->call.byte_count = sizeof *world;
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

void graze_world_destroy(graze_world *world)
{
    if (!world) {
        return;
    }
    grz_recorder_close(world);
    while (world->call.held) {
        release_counted(world->call.held + 1, 0, world);
    }
    world->config.allocator.release(world, sizeof *world, world->config.allocator.user);
}

graze_vec2 graze_world_gravity(const graze_world *world)
{
    return world->config.gravity;
}

graze_status graze_world_set_gravity(graze_world *world, graze_vec2 gravity)
{
    grz_change call = grz_change_begin(world, GRZ_RECORD_SET_GRAVITY);
    call.status =
        call.status ? call.status : grz_check_finite_point(&call.source, "gravity", gravity);
    if (!call.status) {
        GRZ_FAULT(waking_when_gravity_turns, world->config.gravity = gravity);
        if (gravity.x != world->config.gravity.x || gravity.y != world->config.gravity.y) {
            grz_sleep_wake_all(world);
        }
        world->config.gravity = without_negative_zero(gravity);
    }
    return grz_change_end(&call, &gravity);
}

uint32_t graze_world_substeps(const graze_world *world)
{
    return world->config.substeps;
}

graze_status graze_world_set_substeps(graze_world *world, uint32_t substeps)
{
    grz_change call = grz_change_begin(world, GRZ_RECORD_SET_SUBSTEPS);
    if (!call.status && (substeps < 1 || substeps > GRZ_SUBSTEPS_MAX)) {
        call.status =
            grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: substeps is %u; it must be 1 to 64",
                     call.source.call, (unsigned)substeps);
    }
    if (!call.status && substeps != world->config.substeps) {
        grz_sleep_wake_all(world);
        world->config.substeps = substeps;
    }
    return grz_change_end(&call, &substeps);
}

graze_status graze_world_last_status(const graze_world *world)
{
    return world->call.last_status;
}

const char *graze_phase_name(graze_phase phase)
{
    static const char *const names[GRAZE_PHASE_COUNT] = {"predict", "sort",   "pairs", "decide",
                                                         "respond", "commit", "report"};
    return (int)phase >= 0 && phase < GRAZE_PHASE_COUNT ? names[phase] : "unknown";
}

graze_world_stats graze_world_get_stats(const graze_world *world)
{
    graze_world_stats stats = world->reports.stats;
    stats.body_count = world->bodies.count;
    stats.chain_count = world->terrain.chain_count;
    stats.segment_count = world->terrain.segment_count;
    stats.byte_count = world->call.byte_count;
    stats.lanes = grz_lanes_name(world->config.lanes);
    return stats;
}

// --- Sorting between steps ---

// Predicted over zero seconds nothing moves: the boxes are those of the bodies as they are.
static graze_status sort_bodies(graze_world *world)
{
    world->call.dt = 0;
    graze_status status = grz_step_predict(world);
    status = status ? status : grz_step_sort(world);
    return status ? grz_fail(world, status, "graze_world_sort: no room for %u %s in the grid",
                             (unsigned)world->bodies.count,
                             grz_plural(world->bodies.count, "body", "bodies"))
                  : GRAZE_OK;
}

graze_status graze_world_sort(graze_world *world)
{
    grz_change call = grz_change_begin(world, GRZ_RECORD_SORT);
    call.status = call.status ? call.status : sort_bodies(world);
    return grz_change_end(&call, NULL);
}
