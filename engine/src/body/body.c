// Bodies are created: their defs are checked here.

#include <graze/body.h>

#include "body/bodies.h"
#include "fp_environment.h"
#include "message.h"
#include "plural.h"
#include "record/recorder.h"
#include "vec2d.h"

#include <stdio.h>
#include <string.h>

enum { BODY_COOKIE = 0x42a7e001 };

graze_filter graze_filter_default(void)
{
    return grz_plain.filter;
}

graze_body_def graze_body_def_default(void)
{
    graze_body_def def;
    memset(&def, 0, sizeof def);
    def.shape = graze_shape_circle(0.5f);
    def.mass = grz_plain.material.mass;
    def.response = GRAZE_PASS;
    def.filter = graze_filter_default();
    def.cookie = BODY_COOKIE;
    return def;
}

enum { PLACE_TEXT = 24 };

/// Where a def came from, for messages: the call, and its place in an array of defs.
typedef struct def_source {
    const graze_world *world;
    const char *call;
    bool in_array;
    uint32_t place;
} def_source;

static const char *name_place(const def_source *source, char text[PLACE_TEXT])
{
    text[0] = '\0';
    if (source->in_array) {
        snprintf(text, PLACE_TEXT, "def %u: ", (unsigned)source->place);
    }
    return text;
}

static graze_status refuse_number(const def_source *source, const char *field, float value,
                                  const char *rule)
{
    char place[PLACE_TEXT];
    const int digits = value > 0 ? 8 : 6; // Eight tell the float above 1 from 1.
    return grz_fail(source->world, GRAZE_ERROR_ARGUMENT, "%s: %s%s is %.*g; it must be %s",
                    source->call, name_place(source, place), field, digits, (double)value, rule);
}

static graze_status refuse_choice(const def_source *source, const char *field, int value)
{
    char place[PLACE_TEXT];
    return grz_fail(source->world, GRAZE_ERROR_ARGUMENT, "%s: %s%s is %d; unknown", source->call,
                    name_place(source, place), field, value);
}

static graze_status check_finite(const def_source *source, const char *field, float value)
{
    return is_finite_sum((double)value) ? GRAZE_OK : refuse_number(source, field, value, "finite");
}

static graze_status check_at_least_zero(const def_source *source, const char *field, float value)
{
    return is_finite_sum((double)value) && value >= 0
               ? GRAZE_OK
               : refuse_number(source, field, value, "finite and at least 0");
}

static graze_status check_share(const def_source *source, const char *field, float value)
{
    return value >= 0 && value <= 1 ? GRAZE_OK : refuse_number(source, field, value, "0 to 1");
}

static graze_status check_extent(const def_source *source, const char *field, float value)
{
    return is_finite_sum((double)value) && value > 0
               ? GRAZE_OK
               : refuse_number(source, field, value, "finite and above 0");
}

static graze_status check_shape(const def_source *source, graze_shape shape)
{
    graze_status status;
    switch (shape.kind) {
    case GRAZE_SHAPE_CIRCLE:
        return check_at_least_zero(source, "shape.radius", shape.radius);
    case GRAZE_SHAPE_RECT:
        status = check_extent(source, "shape.half.x", shape.half.x);
        return status ? status : check_extent(source, "shape.half.y", shape.half.y);
    case GRAZE_SHAPE_RAY:
        return GRAZE_OK;
    }
    return refuse_choice(source, "shape.kind", (int)shape.kind);
}

static graze_status check_motion(const def_source *source, const graze_body_def *def)
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
        graze_status status = check_finite(source, numbers[i].field, numbers[i].value);
        if (status) {
            return status;
        }
    }
    return GRAZE_OK;
}

static graze_status check_def(const def_source *source, const graze_body_def *def)
{
    if (def->cookie != BODY_COOKIE) {
        char place[PLACE_TEXT];
        return grz_fail(source->world, GRAZE_ERROR_ARGUMENT,
                        "%s: %scookie is %u; start from graze_body_def_default()", source->call,
                        name_place(source, place), (unsigned)def->cookie);
    }
    graze_status status = check_shape(source, def->shape);
    status = status ? status : check_motion(source, def);
    status = status ? status : check_at_least_zero(source, "mass", def->mass);
    status = status ? status : check_share(source, "restitution", def->restitution);
    status = status ? status : check_share(source, "friction", def->friction);
    status = status ? status : check_at_least_zero(source, "lifetime", def->lifetime);
    return status || grz_is_response(def->response)
               ? status
               : refuse_choice(source, "response", (int)def->response);
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
    const unsigned count = extra, beside = world->body_count;
    const char *bodies = grz_plural(extra, "body", "bodies");
    if (status == GRAZE_ERROR_LIMIT && world->fixed_capacity) {
        return grz_fail(world, status, "%s: %u more %s beside %u; body_capacity is %u", call, count,
                        bodies, beside, (unsigned)world->body_capacity);
    }
    return grz_fail(world, status, "%s: no room for %u more %s beside %u", call, count, bodies,
                    beside);
}

/// A call that creates bodies, and what it calls its definitions.
typedef struct creation {
    const char *call, *input;
    bool takes_array;
} creation;

static graze_status check_and_add_bodies(graze_world *world, const graze_body_def *defs,
                                         uint32_t count, graze_body_id *ids, creation by)
{
    graze_status status = grz_check_not_busy(world, by.call);
    if (!status && !defs && count) {
        status = grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: %s is null", by.call, by.input);
    }
    for (uint32_t i = 0; !status && i < count; ++i) {
        def_source source = {world, by.call, by.takes_array, i};
        status = check_def(&source, &defs[i]);
    }
    if (status) {
        return status;
    }
    status = grz_bodies_reserve(world, count, find_needs(defs, count));
    if (status) {
        return explain_no_room(world, status, count, by.call);
    }
    for (uint32_t i = 0; i < count; ++i) {
        graze_body_id id = grz_bodies_add(world, &defs[i]);
        if (ids) {
            ids[i] = id;
        }
    }
    return GRAZE_OK;
}

static graze_status create_bodies(graze_world *world, const graze_body_def *defs, uint32_t count,
                                  graze_body_id *ids, creation by)
{
    const grz_fp_environment caller = grz_fp_enter();
    graze_status status = check_and_add_bodies(world, defs, count, ids, by);
    grz_fp_leave(caller);
    return status;
}

graze_body_id graze_body_create(graze_world *world, const graze_body_def *def)
{
    static const creation by = {"graze_body_create", "def", false};
    graze_body_id id = {0, 0};
    world->last_status = create_bodies(world, def, 1, &id, by);
    grz_note_bodies(world, world->last_status, GRZ_RECORD_CREATE, def, 1, &id);
    return id;
}

uint32_t graze_body_create_many(graze_world *world, const graze_body_def *defs, uint32_t count,
                                graze_body_id *ids)
{
    static const creation by = {"graze_body_create_many", "defs", true};
    world->last_status = create_bodies(world, defs, count, ids, by);
    grz_note_bodies(world, world->last_status, GRZ_RECORD_CREATE_MANY, defs, count, ids);
    return world->last_status ? 0 : count;
}
