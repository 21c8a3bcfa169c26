// The setters of bodies, and their removal: arguments are checked here.

#include <graze/body.h>

#include "body/angle.h"
#include "body/bodies.h"
#include "body/rows.h"
#include "fp_environment.h"
#include "message.h"
#include "plural.h"
#include "record/recorder.h"
#include "rest/rest.h"
#include "vec2d.h"

// Makes a body active before it is changed. Returns its row, which may be another one then.
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
    if (is_finite_sum((double)value)) {
        return GRAZE_OK;
    }
    return grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: %s is %g; it must be finite", call, what,
                    (double)value);
}

static graze_status check_vector(const graze_world *world, const char *call, const char *what,
                                 graze_vec2 v)
{
    if (is_finite(v)) {
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
graze_status graze_body_set_velocity(graze_world *world, graze_body_id body, graze_vec2 velocity)
{
    static const char call[] = "graze_body_set_velocity";
    const grz_fp_environment caller = grz_fp_enter();
    uint32_t row;
    graze_status status = find_row(world, body, call, &row);
    status = status ? status : check_vector(world, call, "velocity", velocity);
    if (!status && !is_same_point(world->rows.velocity[row], velocity)) {
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
    if (!status && !grz_is_response(response)) {
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
