// Creates bodies, and checks their defs.

#include <graze/body.h>

#include "fp_environment.h"
#include "plural.h"
#include "world/bodies.h"
#include "world/body_check.h"
#include "world/call_hook.h"
#include "world/message.h"

#include <string.h>

enum { BODY_COOKIE = 0x42a7e001 };

graze_filter graze_filter_default(void)
{
    return grz_optional_default.filter;
}

graze_body_def graze_body_def_default(void)
{
    graze_body_def def;
    memset(&def, 0, sizeof def);
    def.shape = graze_shape_circle(0.5f);
    def.mass = grz_optional_default.material.mass;
    def.surface = grz_optional_default.material.surface;
    def.gravity_scale = grz_optional_default.dynamics.gravity_scale;
    def.response = GRAZE_RIGID;
    def.filter = graze_filter_default();
    def.cookie = BODY_COOKIE;
    return def;
}

graze_surface graze_surface_default(void)
{
    return grz_optional_default.material.surface;
}

static graze_status check_motion(const grz_value_source *source, const graze_body_def *def)
{
    const struct {
        const char *field;
        float value;
    } numbers[] = {
        {"position.x", def->position.x}, {"position.y", def->position.y},
        {"velocity.x", def->velocity.x}, {"velocity.y", def->velocity.y},
        {"angle", def->angle},           {"spin", def->spin},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        const graze_status status = grz_check_finite(source, numbers[i].field, numbers[i].value);
        if (status) {
            return status;
        }
    }
    return GRAZE_OK;
}

static graze_status check_dynamics(const grz_value_source *source, const graze_body_def *def)
{
    graze_status status = grz_check_at_least_zero(source, "inertia", def->inertia);
    status = status ? status : grz_check_at_least_zero(source, "damping", def->damping);
    status = status ? status : grz_check_at_least_zero(source, "spin_damping", def->spin_damping);
    return status ? status : grz_check_finite(source, "gravity_scale", def->gravity_scale);
}

static graze_status check_def(const grz_value_source *source, const graze_body_def *def)
{
    if (def->cookie != BODY_COOKIE) {
        return grz_refuse_cookie(source, def->cookie, "graze_body_def_default()");
    }
    graze_status status = grz_check_shape(source, def->shape);
    status = status ? status : check_motion(source, def);
    status = status ? status : grz_check_at_least_zero(source, "mass", def->mass);
    status = status ? status : grz_check_surface(source, "surface", def->surface);
    status = status ? status : check_dynamics(source, def);
    status = status ? status : grz_check_at_least_zero(source, "lifetime", def->lifetime);
    return status ? status : grz_check_response(source, def->response);
}

static uint32_t find_needs(const graze_body_def *defs, uint32_t count)
{
    uint32_t needs = 0;
    for (uint32_t i = 0; i < count; ++i) {
        needs |= grz_bodies_needs_of(&defs[i]);
    }
    return needs;
}

static graze_status explain_no_room(const graze_world *world, graze_status status, uint32_t extra,
                                    const char *call)
{
    const unsigned count = extra, present = world->bodies.count;
    const char *bodies = grz_plural(extra, "body", "bodies");
    if (status == GRAZE_ERROR_LIMIT && world->config.fixed_capacity) {
        return grz_fail(world, status,
                        "%s: no room for %u more %s; the world has %u, and body_capacity is %u",
                        call, count, bodies, present, (unsigned)world->config.body_capacity);
    }
    return grz_fail(world, status, "%s: no %s for %u more %s; the world has %u", call,
                    status == GRAZE_ERROR_LIMIT ? "room" : "memory", count, bodies, present);
}

/// A call that creates bodies, and its name for the definitions.
typedef struct creation {
    const char *call, *input;
    bool takes_array;
} creation;

// The limit is checked before the defs: a count past it may be more than the array has.
static graze_status check_creation(const graze_world *world, const graze_body_def *defs,
                                   uint32_t count, creation job)
{
    graze_status status = grz_check_not_busy(world, job.call);
    if (!status && !defs && count) {
        status = grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: %s is null", job.call, job.input);
    }
    if (!status && grz_bodies_check_limit(world, count)) {
        status = explain_no_room(world, GRAZE_ERROR_LIMIT, count, job.call);
    }
    for (uint32_t i = 0; !status && i < count; ++i) {
        const grz_value_source source = {world, job.call, job.takes_array, i};
        status = check_def(&source, &defs[i]);
    }
    return status;
}

static graze_status check_and_add_bodies(graze_world *world, const graze_body_def *defs,
                                         uint32_t count, graze_body_id *ids, creation job)
{
    graze_status status = check_creation(world, defs, count, job);
    if (status) {
        return status;
    }
    status = grz_bodies_reserve(world, count, find_needs(defs, count));
    if (status) {
        return explain_no_room(world, status, count, job.call);
    }
    for (uint32_t i = 0; i < count; ++i) {
        const graze_body_id id = grz_bodies_add(world, &defs[i]);
        if (ids) {
            ids[i] = id;
        }
    }
    return GRAZE_OK;
}

static graze_status create_bodies(graze_world *world, const graze_body_def *defs, uint32_t count,
                                  graze_body_id *ids, creation job)
{
    const grz_fp_environment caller = grz_fp_enter();
    const graze_status status = check_and_add_bodies(world, defs, count, ids, job);
    grz_fp_leave(caller);
    return status;
}

graze_body_id graze_body_create(graze_world *world, const graze_body_def *def)
{
    static const creation job = {"graze_body_create", "def", false};
    graze_body_id id = {0, 0};
    world->call.last_status = create_bodies(world, def, 1, &id, job);
    grz_note_bodies(world, world->call.last_status, GRZ_RECORD_CREATE, def, 1, &id);
    return id;
}

uint32_t graze_body_create_many(graze_world *world, const graze_body_def *defs, uint32_t count,
                                graze_body_id *ids)
{
    static const creation job = {"graze_body_create_many", "defs", true};
    world->call.last_status = create_bodies(world, defs, count, ids, job);
    grz_note_bodies(world, world->call.last_status, GRZ_RECORD_CREATE_MANY, defs, count, ids);
    return world->call.last_status ? 0 : count;
}
