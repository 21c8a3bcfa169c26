// The setters of bodies, and their removal; checks arguments.
//
// Each is a change: it begins (is the world free, and the body in it?), checks the value, writes
// what follows from it, and ends, when it is recorded.

#include <graze/body.h>

#include "collide/sleep.h"
#include "fp_environment.h"
#include "plural.h"
#include "solve/solve.h"
#include "vec2d.h"
#include "world/angle.h"
#include "world/bodies.h"
#include "world/body_check.h"
#include "world/call_hook.h"
#include "world/message.h"
#include "world/rows.h"

#include <string.h>

/// A call that changes a body.
typedef struct change {
    graze_world *world;
    const char *name;
    graze_body_id body;
    grz_record_kind kind;
    graze_status status; ///< Anything but OK: the call has failed, and does nothing more.
    uint32_t row;        ///< The body's, if the call has not failed.
    grz_fp_environment caller;
} change;

static change begin_change(graze_world *world, const char *name, graze_body_id body,
                           grz_record_kind kind)
{
    change call = {
        .world = world,
        .name = name,
        .body = body,
        .kind = kind,
        .caller = grz_fp_enter(),
    };
    call.status = grz_check_not_busy(world, name);
    if (call.status) {
        return call;
    }
    call.row = grz_bodies_find(world, body);
    if (call.row == GRZ_NONE) {
        call.status = grz_fail(world, GRAZE_ERROR_STALE_ID, "%s: body {%u, %u} is not in the world",
                               name, (unsigned)body.index, (unsigned)body.generation);
    }
    return call;
}

// `value` is what was set, for a record; null if the call sets none.
static graze_status end_change(const change *call, const void *value)
{
    grz_note_value(call->world, call->status, call->kind, call->body, value);
    grz_fp_leave(call->caller);
    return call->status;
}

static grz_value_source source_of(const change *call)
{
    const grz_value_source source = {.world = call->world, .call = call->name};
    return source;
}

/// A rule of body_check.h for numbers.
typedef graze_status number_rule(const grz_value_source *source, const char *field, float value);

static void check_number(change *call, number_rule *rule, const char *field, float value)
{
    const grz_value_source source = source_of(call);
    call->status = call->status ? call->status : rule(&source, field, value);
}

static void check_vector(change *call, const char *field, graze_vec2 value)
{
    if (!call->status && !is_finite(value)) {
        call->status =
            grz_fail(call->world, GRAZE_ERROR_ARGUMENT, "%s: %s is (%g, %g); it must be finite",
                     call->name, field, (double)value.x, (double)value.y);
    }
}

// Makes the body active before it is changed, which may change its row.
static void wake(change *call)
{
    grz_sleep_wake(call->world, call->body.index);
    call->row = call->world->bodies.row_of_index.data[call->body.index];
}

// The first body with a value other than the default creates the column. Returns whether the column
// exists.
static bool make_column(change *call, uint32_t needs)
{
    const graze_world *world = call->world;
    if (!grz_bodies_make_room(call->world, world->bodies.cold.count, world->bodies.count, needs)) {
        call->status = grz_fail(
            world, GRAZE_ERROR_OUT_OF_MEMORY, "%s: no memory for the values of %u %s", call->name,
            (unsigned)world->bodies.count, grz_plural(world->bodies.count, "body", "bodies"));
    }
    return !call->status;
}

// Derives the traits from the values just written.
static void renew_traits(change *call)
{
    grz_bodies_renew_traits(call->world, call->row);
}

static bool turns(const change *call)
{
    return grz_row_has_rotation(call->world->bodies.rows.traits[call->row]);
}

graze_status graze_body_destroy(graze_world *world, graze_body_id body)
{
    if (!world->call.busy && grz_bodies_find_removed(world, body)) {
        return GRAZE_OK;
    }
    const change call = begin_change(world, "graze_body_destroy", body, GRZ_RECORD_DESTROY);
    if (!call.status) {
        grz_sleep_wake(world, body.index);
        grz_bodies_remove(world, body.index);
    }
    return end_change(&call, NULL);
}

graze_status graze_body_set_position(graze_world *world, graze_body_id body, graze_vec2 position)
{
    change call = begin_change(world, "graze_body_set_position", body, GRZ_RECORD_SET_POSITION);
    check_vector(&call, "position", position);
    if (!call.status) {
        wake(&call);
        world->bodies.rows.position[call.row].x = position.x + 0.0f;
        world->bodies.rows.position[call.row].y = position.y + 0.0f;
        grz_bodies_mark_unsorted(world, body.index);
    }
    return end_change(&call, &position);
}

// A body that is steered slowly does not fall asleep.
static void note_steering(const change *call)
{
    const graze_world *world = call->world;
    const graze_vec2 velocity = world->bodies.rows.velocity[call->row];
    if (world->bodies.dynamics.data && (velocity.x != 0 || velocity.y != 0)) {
        world->bodies.dynamics.data[call->body.index].quiet = 0;
    }
}

// An unchanged velocity wakes nothing: bodies that a game stops in every step may stay at rest.
graze_status graze_body_set_velocity(graze_world *world, graze_body_id body, graze_vec2 velocity)
{
    change call = begin_change(world, "graze_body_set_velocity", body, GRZ_RECORD_SET_VELOCITY);
    check_vector(&call, "velocity", velocity);
    if (!call.status && !is_same_point(world->bodies.rows.velocity[call.row], velocity)) {
        wake(&call);
        world->bodies.rows.velocity[call.row].x = velocity.x + 0.0f;
        world->bodies.rows.velocity[call.row].y = velocity.y + 0.0f;
    }
    if (!call.status) {
        note_steering(&call);
    }
    return end_change(&call, &velocity);
}

static bool takes_impulses(const change *call)
{
    return grz_takes_impulses(call->world->bodies.rows.traits[call->row]);
}

graze_status graze_body_apply_impulse(graze_world *world, graze_body_id body, graze_vec2 impulse,
                                      graze_vec2 point)
{
    const grz_record_push value = {impulse, point};
    change call = begin_change(world, "graze_body_apply_impulse", body, GRZ_RECORD_APPLY_IMPULSE);
    check_vector(&call, "impulse", impulse);
    check_vector(&call, "point", point);
    if (!call.status && takes_impulses(&call) && (impulse.x != 0 || impulse.y != 0)) {
        const graze_vec2d lever = offset(point, world->bodies.rows.position[call.row]);
        wake(&call);
        grz_bodies_push(world, call.row, widen(impulse), cross(lever, widen(impulse)));
    }
    return end_change(&call, &value);
}

graze_status graze_body_apply_spin_impulse(graze_world *world, graze_body_id body, float impulse)
{
    change call =
        begin_change(world, "graze_body_apply_spin_impulse", body, GRZ_RECORD_APPLY_SPIN_IMPULSE);
    check_number(&call, grz_check_finite, "impulse", impulse);
    if (!call.status && grz_inverse_inertia_of(world, call.row) > 0 && impulse != 0) {
        wake(&call);
        grz_bodies_push(world, call.row, vec2d(0, 0), (double)impulse);
    }
    return end_change(&call, &impulse);
}

graze_status graze_body_set_angle(graze_world *world, graze_body_id body, float angle)
{
    change call = begin_change(world, "graze_body_set_angle", body, GRZ_RECORD_SET_ANGLE);
    check_number(&call, grz_check_finite, "angle", angle);
    if (!call.status && turns(&call)) {
        wake(&call);
        grz_bodies_set_angle(world, call.row, grz_wrap_angle(angle));
        grz_bodies_mark_unsorted(world, body.index);
    }
    return end_change(&call, &angle);
}

graze_status graze_body_set_spin(graze_world *world, graze_body_id body, float spin)
{
    change call = begin_change(world, "graze_body_set_spin", body, GRZ_RECORD_SET_SPIN);
    check_number(&call, grz_check_finite, "spin", spin);
    if (!call.status && turns(&call)) {
        wake(&call);
        world->bodies.rows.spin[call.row] = spin + 0.0f;
        renew_traits(&call);
    }
    return end_change(&call, &spin);
}

graze_status graze_body_set_filter(graze_world *world, graze_body_id body, graze_filter filter)
{
    const bool is_default = grz_filter_is_default(filter);
    change call = begin_change(world, "graze_body_set_filter", body, GRZ_RECORD_SET_FILTER);
    if (!call.status && (is_default || make_column(&call, GRZ_NEED_FILTER))) {
        wake(&call);
        grz_bodies_set_filter(world, body.index, filter);
    }
    return end_change(&call, &filter);
}

// What a body with another response needs.
static uint32_t needs_of_response(const change *call, graze_response response)
{
    const uint32_t kind = call->world->bodies.cold.data[call->body.index].kind;
    return (grz_has_rotation(kind, (uint32_t)response) ? GRZ_NEED_ROTATIONS : 0u) |
           (grz_is_dynamic(kind, (uint32_t)response) ? GRZ_NEED_DYNAMICS : 0u);
}

graze_status graze_body_set_response(graze_world *world, graze_body_id body,
                                     graze_response response)
{
    change call = begin_change(world, "graze_body_set_response", body, GRZ_RECORD_SET_RESPONSE);
    const grz_value_source source = source_of(&call);
    call.status = call.status ? call.status : grz_check_response(&source, response);
    if (!call.status && make_column(&call, needs_of_response(&call, response))) {
        wake(&call);
        grz_bodies_set_response(world, body.index, response);
    }
    return end_change(&call, &response);
}

// Equal values change nothing. No number is -0, so bits can be compared.
static void change_material(change *call, grz_material material)
{
    graze_world *world = call->world;
    const uint32_t index = call->body.index;
    const grz_material before = grz_material_of(world, index);
    if (memcmp(&before, &material, sizeof before) != 0 && make_column(call, GRZ_NEED_MATERIAL)) {
        wake(call);
        world->bodies.materials.data[index] = material;
        renew_traits(call);
    }
}

graze_status graze_body_set_mass(graze_world *world, graze_body_id body, float mass)
{
    change call = begin_change(world, "graze_body_set_mass", body, GRZ_RECORD_SET_MASS);
    check_number(&call, grz_check_at_least_zero, "mass", mass);
    if (!call.status) {
        grz_material material = grz_material_of(world, body.index);
        material.mass = mass + 0.0f;
        change_material(&call, material);
    }
    return end_change(&call, &mass);
}

graze_status graze_body_set_restitution(graze_world *world, graze_body_id body, float restitution)
{
    change call =
        begin_change(world, "graze_body_set_restitution", body, GRZ_RECORD_SET_RESTITUTION);
    check_number(&call, grz_check_share, "restitution", restitution);
    if (!call.status) {
        grz_material material = grz_material_of(world, body.index);
        material.surface.restitution = restitution + 0.0f;
        change_material(&call, material);
    }
    return end_change(&call, &restitution);
}

graze_status graze_body_set_friction(graze_world *world, graze_body_id body, float friction)
{
    change call = begin_change(world, "graze_body_set_friction", body, GRZ_RECORD_SET_FRICTION);
    check_number(&call, grz_check_at_least_zero, "friction", friction);
    if (!call.status) {
        grz_material material = grz_material_of(world, body.index);
        material.surface.friction = friction + 0.0f;
        change_material(&call, material);
    }
    return end_change(&call, &friction);
}

graze_status graze_body_set_surface(graze_world *world, graze_body_id body, graze_surface surface)
{
    change call = begin_change(world, "graze_body_set_surface", body, GRZ_RECORD_SET_SURFACE);
    const grz_value_source source = source_of(&call);
    call.status = call.status ? call.status : grz_check_surface(&source, "surface", surface);
    if (!call.status) {
        grz_material material = grz_material_of(world, body.index);
        material.surface = grz_clean_surface(surface);
        change_material(&call, material);
    }
    return end_change(&call, &surface);
}

// Likewise.
static void change_dynamics(change *call, grz_dynamics dynamics)
{
    graze_world *world = call->world;
    const uint32_t index = call->body.index;
    const grz_dynamics before = grz_dynamics_of(world, index);
    if (memcmp(&before, &dynamics, sizeof before) != 0 && make_column(call, GRZ_NEED_DYNAMICS)) {
        wake(call);
        const grz_dynamics awake = world->bodies.dynamics.data[index];
        dynamics.quiet = awake.quiet;
        dynamics.flags = (dynamics.flags & GRZ_NEVER_SLEEPS) | (awake.flags & GRZ_STIRRED);
        world->bodies.dynamics.data[index] = dynamics;
        renew_traits(call);
    }
}

graze_status graze_body_set_inertia(graze_world *world, graze_body_id body, float inertia)
{
    change call = begin_change(world, "graze_body_set_inertia", body, GRZ_RECORD_SET_INERTIA);
    check_number(&call, grz_check_at_least_zero, "inertia", inertia);
    if (!call.status) {
        grz_dynamics dynamics = grz_dynamics_of(world, body.index);
        dynamics.inertia = inertia + 0.0f;
        change_dynamics(&call, dynamics);
    }
    return end_change(&call, &inertia);
}

graze_status graze_body_set_damping(graze_world *world, graze_body_id body, float damping)
{
    change call = begin_change(world, "graze_body_set_damping", body, GRZ_RECORD_SET_DAMPING);
    check_number(&call, grz_check_at_least_zero, "damping", damping);
    if (!call.status) {
        grz_dynamics dynamics = grz_dynamics_of(world, body.index);
        dynamics.damping = damping + 0.0f;
        change_dynamics(&call, dynamics);
    }
    return end_change(&call, &damping);
}

graze_status graze_body_set_spin_damping(graze_world *world, graze_body_id body, float spin_damping)
{
    change call =
        begin_change(world, "graze_body_set_spin_damping", body, GRZ_RECORD_SET_SPIN_DAMPING);
    check_number(&call, grz_check_at_least_zero, "spin_damping", spin_damping);
    if (!call.status) {
        grz_dynamics dynamics = grz_dynamics_of(world, body.index);
        dynamics.spin_damping = spin_damping + 0.0f;
        change_dynamics(&call, dynamics);
    }
    return end_change(&call, &spin_damping);
}

graze_status graze_body_set_gravity_scale(graze_world *world, graze_body_id body,
                                          float gravity_scale)
{
    change call =
        begin_change(world, "graze_body_set_gravity_scale", body, GRZ_RECORD_SET_GRAVITY_SCALE);
    check_number(&call, grz_check_finite, "gravity_scale", gravity_scale);
    if (!call.status) {
        grz_dynamics dynamics = grz_dynamics_of(world, body.index);
        dynamics.gravity_scale = gravity_scale + 0.0f;
        change_dynamics(&call, dynamics);
    }
    return end_change(&call, &gravity_scale);
}

graze_status graze_body_set_never_sleeps(graze_world *world, graze_body_id body, bool never_sleeps)
{
    const uint8_t value = never_sleeps;
    change call =
        begin_change(world, "graze_body_set_never_sleeps", body, GRZ_RECORD_SET_NEVER_SLEEPS);
    if (!call.status) {
        grz_dynamics dynamics = grz_dynamics_of(world, body.index);
        dynamics.flags &= ~(uint32_t)GRZ_NEVER_SLEEPS;
        dynamics.flags |= never_sleeps ? GRZ_NEVER_SLEEPS : 0u;
        change_dynamics(&call, dynamics);
    }
    return end_change(&call, &value);
}

// Likewise.
static void change_life(change *call, grz_life life)
{
    graze_world *world = call->world;
    const uint32_t index = call->body.index;
    const grz_life before = grz_life_of(world, index);
    if (memcmp(&before, &life, sizeof before) != 0 && make_column(call, GRZ_NEED_LIFE)) {
        wake(call);
        world->bodies.lives.data[index] = life;
        renew_traits(call);
    }
}

graze_status graze_body_set_lifetime(graze_world *world, graze_body_id body, float lifetime)
{
    change call = begin_change(world, "graze_body_set_lifetime", body, GRZ_RECORD_SET_LIFETIME);
    check_number(&call, grz_check_at_least_zero, "lifetime", lifetime);
    if (!call.status) {
        grz_life life = grz_life_of(world, body.index);
        life.lifetime = lifetime + 0.0f;
        change_life(&call, life);
    }
    return end_change(&call, &lifetime);
}

// Resets the count of hits. If as many are left as before, the count stays, so that setting what
// was read changes nothing.
graze_status graze_body_set_hit_limit(graze_world *world, graze_body_id body, uint32_t hit_limit)
{
    change call = begin_change(world, "graze_body_set_hit_limit", body, GRZ_RECORD_SET_HIT_LIMIT);
    if (!call.status) {
        grz_life life = grz_life_of(world, body.index);
        if (hit_limit != life.hit_limit - life.hit_count) {
            life.hit_limit = hit_limit;
            life.hit_count = 0;
        }
        change_life(&call, life);
    }
    return end_change(&call, &hit_limit);
}

graze_status graze_body_set_sensor(graze_world *world, graze_body_id body, bool sensor)
{
    const uint8_t value = sensor;
    change call = begin_change(world, "graze_body_set_sensor", body, GRZ_RECORD_SET_SENSOR);
    if (!call.status && sensor != world->bodies.cold.data[body.index].sensor) {
        wake(&call);
        world->bodies.cold.data[body.index].sensor = sensor;
        renew_traits(&call);
    }
    return end_change(&call, &value);
}

graze_status graze_body_set_shape(graze_world *world, graze_body_id body, graze_shape shape)
{
    change call = begin_change(world, "graze_body_set_shape", body, GRZ_RECORD_SET_SHAPE);
    const grz_value_source source = source_of(&call);
    call.status = call.status ? call.status : grz_check_shape(&source, shape);
    if (!call.status && !grz_bodies_has_shape(world, call.row, shape) &&
        (!grz_has_rotation((uint32_t)shape.kind, world->bodies.cold.data[body.index].response) ||
         make_column(&call, GRZ_NEED_ROTATIONS))) {
        wake(&call);
        grz_bodies_set_shape(world, body.index, shape);
        grz_solve_forget_manifolds(world, body);
    }
    return end_change(&call, &shape);
}

graze_status graze_body_set_user_data(graze_world *world, graze_body_id body, uint64_t user_data)
{
    change call = begin_change(world, "graze_body_set_user_data", body, GRZ_RECORD_SET_USER_DATA);
    if (!call.status && (!user_data || make_column(&call, GRZ_NEED_USER_DATA)) &&
        world->bodies.user_data.data) {
        world->bodies.user_data.data[body.index] = user_data;
    }
    return end_change(&call, &user_data);
}
