// Bodies are created, destroyed and changed by the game: defs and arguments are checked here.

#include <graze/body.h>

#include "bodies.h"
#include "fp_environment.h"
#include "message.h"
#include "plural.h"
#include "recorder.h"
#include "rest.h"
#include "rows.h"

#include <stdio.h>
#include <string.h>

enum { BODY_COOKIE = 0x42a7e001 };

graze_filter graze_filter_default(void)
{
    graze_filter filter = {1, UINT32_MAX, 0};
    return filter;
}

graze_body_def graze_body_def_default(void)
{
    graze_body_def def;
    memset(&def, 0, sizeof def);
    def.shape = graze_shape_circle(0.5f);
    def.mass = 1;
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
    return grz_is_finite(value) ? GRAZE_OK : refuse_number(source, field, value, "finite");
}

static graze_status check_at_least_zero(const def_source *source, const char *field, float value)
{
    return grz_is_finite(value) && value >= 0
               ? GRAZE_OK
               : refuse_number(source, field, value, "finite and at least 0");
}

static graze_status check_share(const def_source *source, const char *field, float value)
{
    return value >= 0 && value <= 1 ? GRAZE_OK : refuse_number(source, field, value, "0 to 1");
}

static graze_status check_extent(const def_source *source, const char *field, float value)
{
    return grz_is_finite(value) && value > 0
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

static bool is_response(graze_response response)
{
    return response == GRAZE_PASS || response == GRAZE_STOP || response == GRAZE_SLIDE ||
           response == GRAZE_BOUNCE;
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
    return status || is_response(def->response)
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

// A body that is changed is active.
static uint32_t wake(graze_world *world, graze_body_id body)
{
    grz_rest_wake(world, body.index);
    return world->row_of_index.data[body.index];
}

// Finds the row that a setter works on, or says why it cannot.
static graze_status find_row(const graze_world *world, graze_body_id body, const char *call,
                             uint32_t *row)
{
    graze_status status = grz_check_not_busy(world, call);
    if (status) {
        return status;
    }
    *row = grz_bodies_find(world, body);
    if (*row == GRZ_NONE) {
        return grz_fail(world, GRAZE_ERROR_STALE_ID, "%s: body {%u, %u} is not in the world", call,
                        (unsigned)body.index, (unsigned)body.generation);
    }
    return GRAZE_OK;
}

static graze_status check_number(const graze_world *world, const char *call, const char *what,
                                 float value)
{
    if (grz_is_finite(value)) {
        return GRAZE_OK;
    }
    return grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: %s is %g; it must be finite", call, what,
                    (double)value);
}

static graze_status check_vector(const graze_world *world, const char *call, const char *what,
                                 graze_vec2 v)
{
    if (grz_is_finite_vec2(v)) {
        return GRAZE_OK;
    }
    return grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: %s is (%g, %g); it must be finite", call,
                    what, (double)v.x, (double)v.y);
}

graze_status graze_body_destroy(graze_world *world, graze_body_id body)
{
    uint32_t row;
    graze_status status = find_row(world, body, "graze_body_destroy", &row);
    if (!status) {
        grz_bodies_remove(world, body.index);
    }
    grz_note_value(world, status, GRZ_RECORD_DESTROY, body, NULL);
    return status;
}

graze_status graze_body_set_position(graze_world *world, graze_body_id body, graze_vec2 position)
{
    static const char call[] = "graze_body_set_position";
    const grz_fp_environment caller = grz_fp_enter();
    uint32_t row;
    graze_status status = find_row(world, body, call, &row);
    status = status ? status : check_vector(world, call, "position", position);
    if (!status) {
        row = wake(world, body);
        world->rows.position[row].x = position.x + 0.0f;
        world->rows.position[row].y = position.y + 0.0f;
        grz_bodies_loosen(world, body.index);
    }
    grz_note_value(world, status, GRZ_RECORD_SET_POSITION, body, &position);
    grz_fp_leave(caller);
    return status;
}

// A velocity that stays what it was wakes nobody: bodies that are told to stand still in every step
// may be at rest.
static bool is_same_vector(graze_vec2 one, graze_vec2 other)
{
    return one.x == other.x && one.y == other.y;
}

graze_status graze_body_set_velocity(graze_world *world, graze_body_id body, graze_vec2 velocity)
{
    static const char call[] = "graze_body_set_velocity";
    const grz_fp_environment caller = grz_fp_enter();
    uint32_t row;
    graze_status status = find_row(world, body, call, &row);
    status = status ? status : check_vector(world, call, "velocity", velocity);
    if (!status && !is_same_vector(world->rows.velocity[row], velocity)) {
        row = wake(world, body);
        world->rows.velocity[row].x = velocity.x + 0.0f;
        world->rows.velocity[row].y = velocity.y + 0.0f;
    }
    grz_note_value(world, status, GRZ_RECORD_SET_VELOCITY, body, &velocity);
    grz_fp_leave(caller);
    return status;
}

graze_status graze_body_set_angle(graze_world *world, graze_body_id body, float angle)
{
    static const char call[] = "graze_body_set_angle";
    const grz_fp_environment caller = grz_fp_enter();
    uint32_t row;
    graze_status status = find_row(world, body, call, &row);
    status = status ? status : check_number(world, call, "angle", angle);
    if (!status && grz_kind_of(world->rows.traits[row]) == GRAZE_SHAPE_RECT) {
        row = wake(world, body);
        world->rows.angle[row] = grz_wrap_angle(angle);
        world->rows.rotation[row] = graze_rotation_from_angle(world->rows.angle[row]);
        grz_bodies_loosen(world, body.index);
    }
    grz_note_value(world, status, GRZ_RECORD_SET_ANGLE, body, &angle);
    grz_fp_leave(caller);
    return status;
}

graze_status graze_body_set_spin(graze_world *world, graze_body_id body, float spin)
{
    static const char call[] = "graze_body_set_spin";
    const grz_fp_environment caller = grz_fp_enter();
    uint32_t row;
    graze_status status = find_row(world, body, call, &row);
    status = status ? status : check_number(world, call, "spin", spin);
    if (!status && grz_kind_of(world->rows.traits[row]) == GRAZE_SHAPE_RECT) {
        row = wake(world, body);
        uint32_t *traits = &world->rows.traits[row];
        world->rows.spin[row] = spin + 0.0f;
        *traits = (*traits & ~(uint32_t)GRZ_TRAIT_SPINS) | (spin != 0 ? GRZ_TRAIT_SPINS : 0);
    }
    grz_note_value(world, status, GRZ_RECORD_SET_SPIN, body, &spin);
    grz_fp_leave(caller);
    return status;
}

// The first body that is not as a def is by default makes the column for it.
static graze_status make_column(graze_world *world, const char *call, uint32_t needs)
{
    return grz_bodies_make_room(world, world->bodies.count, world->body_count, needs)
               ? GRAZE_OK
               : grz_fail(world, GRAZE_ERROR_OUT_OF_MEMORY, "%s: no memory for the values of %u %s",
                          call, (unsigned)world->body_count,
                          grz_plural(world->body_count, "body", "bodies"));
}

graze_status graze_body_set_filter(graze_world *world, graze_body_id body, graze_filter filter)
{
    static const char call[] = "graze_body_set_filter";
    const bool plain = grz_filter_is_default(filter);
    uint32_t row;
    graze_status status = find_row(world, body, call, &row);
    if (!status && !plain) {
        status = make_column(world, call, GRZ_NEED_FILTER);
    }
    if (!status) {
        wake(world, body);
        world->filter_count -= !grz_filter_is_default(*grz_filter_of(world, body.index));
        world->filter_count += !plain;
        if (world->filters.data) {
            world->filters.data[body.index] = filter;
        }
    }
    grz_note_value(world, status, GRZ_RECORD_SET_FILTER, body, &filter);
    return status;
}

graze_status graze_body_set_response(graze_world *world, graze_body_id body,
                                     graze_response response)
{
    static const char call[] = "graze_body_set_response";
    uint32_t row;
    graze_status status = find_row(world, body, call, &row);
    if (!status && !is_response(response)) {
        status = grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: response is %d; unknown", call,
                          (int)response);
    }
    if (!status) {
        uint32_t *traits = &world->rows.traits[wake(world, body)];
        *traits &= ~(uint32_t)(GRZ_TRAIT_RESPONDS | GRZ_TRAIT_TURNS);
        *traits |= grz_traits_of_response(response);
        world->bodies.data[body.index].response = (uint8_t)response;
    }
    grz_note_value(world, status, GRZ_RECORD_SET_RESPONSE, body, &response);
    return status;
}

graze_status graze_body_set_user_data(graze_world *world, graze_body_id body, uint64_t user_data)
{
    static const char call[] = "graze_body_set_user_data";
    uint32_t row;
    graze_status status = find_row(world, body, call, &row);
    if (!status && user_data) {
        status = make_column(world, call, GRZ_NEED_USER_DATA);
    }
    if (!status && world->user_data.data) {
        world->user_data.data[body.index] = user_data;
    }
    grz_note_value(world, status, GRZ_RECORD_SET_USER_DATA, body, &user_data);
    return status;
}
