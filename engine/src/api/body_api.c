// Bodies: create, destroy, getters, columns, setters, impulses; all check their arguments.

#include <graze/body.h>

#include "collide/sleep.h"
#include "fp_environment.h"
#include "plural.h"
#include "solve/solve.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/call_hook.h"
#include "world/message.h"
#include "world/rows.h"
#include "world/value_check.h"

#include <stddef.h>
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

static graze_status check_numbers(const grz_value_source *source, const graze_body_def *def)
{
    const grz_number_check numbers[] = {
        {"position.x", def->position.x, grz_check_finite},
        {"position.y", def->position.y, grz_check_finite},
        {"velocity.x", def->velocity.x, grz_check_finite},
        {"velocity.y", def->velocity.y, grz_check_finite},
        {"angle", def->angle, grz_check_finite},
        {"spin", def->spin, grz_check_finite},
        {"mass", def->mass, grz_check_at_least_zero},
        {"inertia", def->inertia, grz_check_at_least_zero},
        {"damping", def->damping, grz_check_at_least_zero},
        {"spin_damping", def->spin_damping, grz_check_at_least_zero},
        {"gravity_scale", def->gravity_scale, grz_check_finite},
        {"lifetime", def->lifetime, grz_check_at_least_zero},
    };
    return grz_check_numbers(source, numbers, sizeof numbers / sizeof *numbers);
}

static graze_status check_def(const grz_value_source *source, const graze_body_def *def)
{
    if (def->cookie != BODY_COOKIE) {
        return grz_refuse_cookie(source, def->cookie, "graze_body_def_default()");
    }
    graze_status status = grz_check_shape(source, def->shape);
    status = status ? status : check_numbers(source, def);
    status = status ? status : grz_check_surface(source, "surface", def->surface);
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
    const grz_shortage of = {call,
                             "body",
                             "bodies",
                             "body_capacity",
                             extra,
                             world->bodies.count,
                             world->config.body_capacity};
    return grz_fail_for_room(world, status, of);
}

/// A call that creates bodies, and its name for the definitions.
typedef struct creation {
    const char *call, *input;
    grz_record_kind kind;
} creation;

// The limit is checked before the defs: a count past it may be more than the array has.
static graze_status check_creation(const graze_world *world, const graze_body_def *defs,
                                   uint32_t count, creation job)
{
    graze_status status = grz_check_not_busy(world, job.call);
    status = status ? status : grz_check_not_null(world, job.call, job.input, defs || !count);
    if (!status && grz_bodies_check_limit(world, count)) {
        status = explain_no_room(world, GRAZE_ERROR_LIMIT, count, job.call);
    }
    for (uint32_t i = 0; !status && i < count; ++i) {
        const grz_value_source source = {world, job.call, job.kind == GRZ_RECORD_CREATE_MANY, i,
                                         NULL};
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
    world->call.last_status = status;
    if (grz_is_recorded(world, status)) {
        grz_recorder_add_bodies(world->call.recorder, job.kind, defs, count, ids);
    }
    grz_fp_leave(caller);
    return status;
}

graze_body_id graze_body_create(graze_world *world, const graze_body_def *def)
{
    static const creation job = {"graze_body_create", "def", GRZ_RECORD_CREATE};
    graze_body_id id = {0, 0};
    (void)create_bodies(world, def, 1, &id, job);
    return id;
}

uint32_t graze_body_create_many(graze_world *world, const graze_body_def *defs, uint32_t count,
                                graze_body_id *ids)
{
    static const creation job = {"graze_body_create_many", "defs", GRZ_RECORD_CREATE_MANY};
    return create_bodies(world, defs, count, ids, job) ? 0 : count;
}

// --- Getters ---

// Defines graze_body_`name`, which returns a value of `world` and `body`.
#define GETTER(type, name, value)                                                                  \
    type graze_body_##name(const graze_world *world, graze_body_id body)                           \
    {                                                                                              \
        return value;                                                                              \
    }

bool graze_body_id_equal(graze_body_id first, graze_body_id second)
{
    return first.index == second.index && first.generation == second.generation;
}

GETTER(bool, is_valid, grz_bodies_find(world, body) != GRZ_NONE)

// The hot part of a body that is in the world or removed; zeros for any other id. The compiler
// drops reads of parts that a caller does not use.
static grz_removed read_hot(const graze_world *world, graze_body_id body)
{
    const grz_row row = grz_bodies_find(world, body);
    if (row != GRZ_NONE) {
        return grz_bodies_read_row(world, row);
    }
    const grz_removed *removed = grz_bodies_find_removed(world, body);
    const grz_removed nothing = {0};
    return removed ? *removed : nothing;
}

GETTER(graze_vec2, position, read_hot(world, body).position)
GETTER(graze_vec2, velocity, read_hot(world, body).velocity)
GETTER(float, angle, read_hot(world, body).angle)
GETTER(float, spin, read_hot(world, body).spin)
GETTER(graze_shape, shape, read_hot(world, body).shape)

// The cold part of a body that is in the world or removed; null for any other id.
static const grz_body *find_cold(const graze_world *world, graze_body_id body)
{
    const bool known =
        grz_bodies_find(world, body) != GRZ_NONE || grz_bodies_find_removed(world, body);
    return known ? &world->bodies.cold.data[body.index] : NULL;
}

graze_filter graze_body_filter(const graze_world *world, graze_body_id body)
{
    const graze_filter none = {0, 0, 0, 0};
    return find_cold(world, body) ? *grz_filter_of(world, body.index) : none;
}

graze_response graze_body_response(const graze_world *world, graze_body_id body)
{
    const grz_body *cold = find_cold(world, body);
    return cold ? (graze_response)cold->response : GRAZE_PASS;
}

// The material of a body that is in the world or removed; zeros for any other id.
static grz_material read_material(const graze_world *world, graze_body_id body)
{
    const grz_material nothing = {0, {0, 0, 0, 0}};
    return find_cold(world, body) ? grz_material_of(world, body.index) : nothing;
}

GETTER(float, mass, read_material(world, body).mass)
GETTER(graze_surface, surface, read_material(world, body).surface)
GETTER(float, restitution, read_material(world, body).surface.restitution)
GETTER(float, friction, read_material(world, body).surface.friction)

float graze_body_inertia(const graze_world *world, graze_body_id body)
{
    const grz_removed hot = read_hot(world, body);
    return find_cold(world, body)
               ? grz_inertia_of(world, body.index, (uint32_t)hot.shape.kind, grz_half_of(hot.shape))
               : 0;
}

// How a body in the world or a removed one moves; zeros for any other id.
static grz_dynamics read_dynamics(const graze_world *world, graze_body_id body)
{
    const grz_dynamics nothing = {0, 0, 0, 0, 0, 0};
    return find_cold(world, body) ? grz_dynamics_of(world, body.index) : nothing;
}

GETTER(float, damping, read_dynamics(world, body).damping)
GETTER(float, spin_damping, read_dynamics(world, body).spin_damping)
GETTER(float, gravity_scale, read_dynamics(world, body).gravity_scale)
GETTER(bool, never_sleeps, (read_dynamics(world, body).flags & GRZ_NEVER_SLEEPS) != 0)
GETTER(bool, is_asleep, (read_dynamics(world, body).flags & GRZ_ASLEEP) != 0)

// A removed body has none left, whatever the columns still hold.
static grz_life read_life(const graze_world *world, graze_body_id body)
{
    const bool is_there = grz_bodies_find(world, body) != GRZ_NONE;
    return is_there ? grz_life_of(world, body.index) : grz_optional_default.life;
}

GETTER(float, lifetime, read_life(world, body).lifetime)

uint32_t graze_body_hit_limit(const graze_world *world, graze_body_id body)
{
    const grz_life life = read_life(world, body);
    return life.hit_limit - life.hit_count;
}

bool graze_body_is_sensor(const graze_world *world, graze_body_id body)
{
    const grz_body *cold = find_cold(world, body);
    return cold && cold->sensor;
}

GETTER(uint64_t, user_data, find_cold(world, body) ? grz_user_data_of(world, body.index) : 0)

static const void *give_column(const graze_world *world, const void *column, uint32_t *count)
{
    if (count) {
        *count = world->bodies.count;
    }
    return world->bodies.count ? column : NULL;
}

#define COLUMN(type, name, column)                                                                 \
    const type *graze_world_##name(const graze_world *world, uint32_t *count)                      \
    {                                                                                              \
        return give_column(world, world->bodies.rows.column, count);                               \
    }

COLUMN(graze_vec2, positions, position)
COLUMN(graze_vec2, velocities, velocity)
COLUMN(float, angles, angle)
COLUMN(uint32_t, indices, index)

graze_body_id graze_world_body_at(const graze_world *world, uint32_t index)
{
    const graze_body_id none = {0, 0};
    if (index >= world->bodies.cold.count || world->bodies.row_of_index.data[index] >= GRZ_NONE) {
        return none;
    }
    return grz_bodies_id(world, index);
}

// --- Setters and impulses ---

static grz_change begin_change(graze_world *world, graze_body_id body, grz_record_kind kind)
{
    grz_change call = grz_change_begin(world, kind);
    call.body = body;
    call.row = grz_bodies_find(world, body);
    if (!call.status && call.row == GRZ_NONE) {
        call.status = grz_fail(world, GRAZE_ERROR_STALE_ID, "%s: body {%u, %u} is not in the world",
                               call.source.call, (unsigned)body.index, (unsigned)body.generation);
    }
    return call;
}

static void check_number(grz_change *call, grz_number_rule *rule, const char *field, float value)
{
    call->status = call->status ? call->status : rule(&call->source, field, value);
}

static void check_vector(grz_change *call, const char *field, graze_vec2 value)
{
    call->status =
        call->status ? call->status : grz_check_finite_point(&call->source, field, value);
}

// Makes the body active before it is changed, which may change its row.
static void wake(grz_change *call)
{
    grz_sleep_wake(call->world, call->body.index);
    call->row = call->world->bodies.row_of_index.data[call->body.index];
}

// The first body with a value other than the default creates the column. Returns whether the column
// exists.
static bool make_column(grz_change *call, uint32_t needs)
{
    const graze_world *world = call->world;
    if (!grz_bodies_make_room(call->world, world->bodies.cold.count, world->bodies.count, needs)) {
        call->status =
            grz_fail(world, GRAZE_ERROR_OUT_OF_MEMORY, "%s: no memory for the values of %u %s",
                     call->source.call, (unsigned)world->bodies.count,
                     grz_plural(world->bodies.count, "body", "bodies"));
    }
    return !call->status;
}

static bool turns(const grz_change *call)
{
    return grz_row_has_rotation(call->world->bodies.rows.traits[call->row]);
}

graze_status graze_body_destroy(graze_world *world, graze_body_id body)
{
    if (!world->call.busy && grz_bodies_find_removed(world, body)) {
        return GRAZE_OK;
    }
    const grz_change call = begin_change(world, body, GRZ_RECORD_DESTROY);
    if (!call.status) {
        grz_sleep_wake(world, body.index);
        grz_bodies_remove(world, body.index);
    }
    return grz_change_end(&call, NULL);
}

graze_status graze_body_set_position(graze_world *world, graze_body_id body, graze_vec2 position)
{
    grz_change call = begin_change(world, body, GRZ_RECORD_SET_POSITION);
    check_vector(&call, "position", position);
    if (!call.status) {
        wake(&call);
        world->bodies.rows.position[call.row] = without_negative_zero(position);
        grz_bodies_mark_unsorted(world, body.index);
    }
    return grz_change_end(&call, &position);
}

// A body that is steered slowly does not fall asleep.
static void note_steering(const grz_change *call)
{
    const graze_world *world = call->world;
    const graze_vec2 velocity = world->bodies.rows.velocity[call->row];
    if (world->bodies.dynamics.data && (velocity.x != 0 || velocity.y != 0)) {
        world->bodies.dynamics.data[call->body.index].quiet = 0;
    }
}

// What is stopped presses on nothing.
static void set_steered(const grz_change *call, bool steered)
{
    grz_bodies *bodies = &call->world->bodies;
    bodies->cold.data[call->body.index].steered = steered;
    bodies->rows.traits[call->row] &= ~(uint32_t)GRZ_TRAIT_STEERED;
    bodies->rows.traits[call->row] |= steered * (uint32_t)GRZ_TRAIT_STEERED;
}

// An unchanged velocity wakes nothing: bodies that a game stops in every step may stay at rest.
graze_status graze_body_set_velocity(graze_world *world, graze_body_id body, graze_vec2 velocity)
{
    grz_change call = begin_change(world, body, GRZ_RECORD_SET_VELOCITY);
    check_vector(&call, "velocity", velocity);
    if (!call.status && !is_same_point(world->bodies.rows.velocity[call.row], velocity)) {
        wake(&call);
        world->bodies.rows.velocity[call.row] = without_negative_zero(velocity);
        grz_bodies_renew_traits(world, call.row);
        set_steered(&call, velocity.x != 0 || velocity.y != 0);
    }
    if (!call.status) {
        note_steering(&call);
    }
    return grz_change_end(&call, &velocity);
}

graze_status graze_body_apply_impulse(graze_world *world, graze_body_id body, graze_vec2 impulse,
                                      graze_vec2 point)
{
    const grz_record_push value = {impulse, point};
    grz_change call = begin_change(world, body, GRZ_RECORD_APPLY_IMPULSE);
    check_vector(&call, "impulse", impulse);
    check_vector(&call, "point", point);
    if (!call.status && grz_takes_impulses(world->bodies.rows.traits[call.row]) &&
        (impulse.x != 0 || impulse.y != 0)) {
        const graze_vec2d lever = offset(point, world->bodies.rows.position[call.row]);
        wake(&call);
        grz_bodies_push(world, call.row, widen(impulse), cross(lever, widen(impulse)));
    }
    return grz_change_end(&call, &value);
}

graze_status graze_body_apply_spin_impulse(graze_world *world, graze_body_id body, float impulse)
{
    grz_change call = begin_change(world, body, GRZ_RECORD_APPLY_SPIN_IMPULSE);
    check_number(&call, grz_check_finite, "impulse", impulse);
    if (!call.status && grz_inverse_inertia_of(world, call.row) > 0 && impulse != 0) {
        wake(&call);
        grz_bodies_push(world, call.row, vec2d(0, 0), (double)impulse);
    }
    return grz_change_end(&call, &impulse);
}

graze_status graze_body_set_angle(graze_world *world, graze_body_id body, float angle)
{
    grz_change call = begin_change(world, body, GRZ_RECORD_SET_ANGLE);
    check_number(&call, grz_check_finite, "angle", angle);
    if (!call.status && turns(&call)) {
        wake(&call);
        grz_bodies_set_angle(world, call.row, grz_wrap_angle(angle));
        grz_bodies_mark_unsorted(world, body.index);
    }
    return grz_change_end(&call, &angle);
}

graze_status graze_body_set_spin(graze_world *world, graze_body_id body, float spin)
{
    grz_change call = begin_change(world, body, GRZ_RECORD_SET_SPIN);
    check_number(&call, grz_check_finite, "spin", spin);
    if (!call.status && turns(&call)) {
        wake(&call);
        world->bodies.rows.spin[call.row] = spin + 0.0f;
        grz_bodies_renew_traits(world, call.row);
    }
    return grz_change_end(&call, &spin);
}

graze_status graze_body_set_filter(graze_world *world, graze_body_id body, graze_filter filter)
{
    const bool is_default = grz_filter_is_default(filter);
    grz_change call = begin_change(world, body, GRZ_RECORD_SET_FILTER);
    if (!call.status && (is_default || make_column(&call, GRZ_NEED_FILTER))) {
        wake(&call);
        grz_bodies_set_filter(world, body.index, filter);
    }
    return grz_change_end(&call, &filter);
}

// What a body needs that becomes one of another kind or response.
static uint32_t needs_of(uint32_t kind, uint32_t response)
{
    return (grz_has_rotation(kind, response) ? GRZ_NEED_ROTATIONS : 0u) |
           (grz_is_dynamic(kind, response) ? GRZ_NEED_DYNAMICS : 0u);
}

graze_status graze_body_set_response(graze_world *world, graze_body_id body,
                                     graze_response response)
{
    grz_change call = begin_change(world, body, GRZ_RECORD_SET_RESPONSE);
    call.status = call.status ? call.status : grz_check_response(&call.source, response);
    const uint32_t kind = call.status ? 0 : world->bodies.cold.data[body.index].kind;
    if (!call.status && make_column(&call, needs_of(kind, (uint32_t)response))) {
        wake(&call);
        grz_bodies_set_response(world, body.index, response);
    }
    return grz_change_end(&call, &response);
}

_Static_assert(sizeof(grz_optional) == 80, "no padding, so that bits can be compared");

// Gives the body these values, of which those in the column that `need` names may be new. Equal
// values change nothing: no number is -0.
static void change_values(grz_change *call, const grz_optional *after, uint32_t need)
{
    graze_world *world = call->world;
    const grz_index index = call->body.index;
    const grz_optional before = grz_optional_of(world, index);
    if (memcmp(&before, after, sizeof before) != 0 && make_column(call, need)) {
        wake(call);
        const grz_dynamics awake = grz_dynamics_of(world, index);
        grz_optional values = *after;
        values.dynamics.quiet = awake.quiet;
        values.dynamics.flags &= GRZ_NEVER_SLEEPS;
        values.dynamics.flags |= awake.flags & GRZ_STIRRED;
        grz_bodies_fill_optional(&world->bodies, index, &values);
        grz_bodies_renew_traits(world, call->row);
    }
}

// Ends a change of a checked number, which is in grz_optional at this place.
static graze_status set_number(grz_change *call, size_t place, uint32_t need, float value)
{
    if (!call->status) {
        grz_optional values = grz_optional_of(call->world, call->body.index);
        const float clean = value + 0.0f;
        memcpy((char *)&values + place, &clean, sizeof clean);
        change_values(call, &values, need);
    }
    return grz_change_end(call, &value);
}

// Defines the setter of a number that is in grz_optional.
#define SETTER(name, kind, rule, need, member)                                                     \
    graze_status graze_body_set_##name(graze_world *world, graze_body_id body, float name)         \
    {                                                                                              \
        grz_change call = begin_change(world, body, kind);                                         \
        check_number(&call, rule, #name, name);                                                    \
        return set_number(&call, offsetof(grz_optional, member), need, name);                      \
    }

SETTER(mass, GRZ_RECORD_SET_MASS, grz_check_at_least_zero, GRZ_NEED_MATERIAL, material.mass)
SETTER(restitution, GRZ_RECORD_SET_RESTITUTION, grz_check_share, GRZ_NEED_MATERIAL,
       material.surface.restitution)
SETTER(friction, GRZ_RECORD_SET_FRICTION, grz_check_at_least_zero, GRZ_NEED_MATERIAL,
       material.surface.friction)
SETTER(inertia, GRZ_RECORD_SET_INERTIA, grz_check_at_least_zero, GRZ_NEED_DYNAMICS,
       dynamics.inertia)
SETTER(damping, GRZ_RECORD_SET_DAMPING, grz_check_at_least_zero, GRZ_NEED_DYNAMICS,
       dynamics.damping)
SETTER(spin_damping, GRZ_RECORD_SET_SPIN_DAMPING, grz_check_at_least_zero, GRZ_NEED_DYNAMICS,
       dynamics.spin_damping)
SETTER(gravity_scale, GRZ_RECORD_SET_GRAVITY_SCALE, grz_check_finite, GRZ_NEED_DYNAMICS,
       dynamics.gravity_scale)
SETTER(lifetime, GRZ_RECORD_SET_LIFETIME, grz_check_at_least_zero, GRZ_NEED_LIFE, life.lifetime)

graze_status graze_body_set_surface(graze_world *world, graze_body_id body, graze_surface surface)
{
    grz_change call = begin_change(world, body, GRZ_RECORD_SET_SURFACE);
    call.status = call.status ? call.status : grz_check_surface(&call.source, "surface", surface);
    if (!call.status) {
        grz_optional values = grz_optional_of(world, body.index);
        values.material.surface = grz_clean_surface(surface);
        change_values(&call, &values, GRZ_NEED_MATERIAL);
    }
    return grz_change_end(&call, &surface);
}

graze_status graze_body_set_never_sleeps(graze_world *world, graze_body_id body, bool never_sleeps)
{
    grz_change call = begin_change(world, body, GRZ_RECORD_SET_NEVER_SLEEPS);
    if (!call.status) {
        grz_optional values = grz_optional_of(world, body.index);
        values.dynamics.flags &= ~(uint32_t)GRZ_NEVER_SLEEPS;
        values.dynamics.flags |= never_sleeps ? GRZ_NEVER_SLEEPS : 0u;
        change_values(&call, &values, GRZ_NEED_DYNAMICS);
    }
    return grz_change_end(&call, &never_sleeps);
}

// Resets the count of hits. If as many are left as before, the count stays, so that setting what
// was read changes nothing.
graze_status graze_body_set_hit_limit(graze_world *world, graze_body_id body, uint32_t hit_limit)
{
    grz_change call = begin_change(world, body, GRZ_RECORD_SET_HIT_LIMIT);
    if (!call.status) {
        grz_optional values = grz_optional_of(world, body.index);
        if (hit_limit != values.life.hit_limit - values.life.hit_count) {
            values.life.hit_limit = hit_limit;
            values.life.hit_count = 0;
        }
        change_values(&call, &values, GRZ_NEED_LIFE);
    }
    return grz_change_end(&call, &hit_limit);
}

graze_status graze_body_set_sensor(graze_world *world, graze_body_id body, bool sensor)
{
    grz_change call = begin_change(world, body, GRZ_RECORD_SET_SENSOR);
    if (!call.status && sensor != world->bodies.cold.data[body.index].sensor) {
        wake(&call);
        world->bodies.cold.data[body.index].sensor = sensor;
        grz_bodies_renew_traits(world, call.row);
    }
    return grz_change_end(&call, &sensor);
}

graze_status graze_body_set_shape(graze_world *world, graze_body_id body, graze_shape shape)
{
    grz_change call = begin_change(world, body, GRZ_RECORD_SET_SHAPE);
    call.status = call.status ? call.status : grz_check_shape(&call.source, shape);
    const uint32_t response = call.status ? 0 : world->bodies.cold.data[body.index].response;
    if (!call.status && !grz_bodies_has_shape(world, call.row, shape) &&
        make_column(&call, needs_of((uint32_t)shape.kind, response))) {
        wake(&call);
        grz_bodies_set_shape(world, body.index, shape);
        grz_solve_forget_manifolds(&world->solve, body);
    }
    return grz_change_end(&call, &shape);
}

graze_status graze_body_set_user_data(graze_world *world, graze_body_id body, uint64_t user_data)
{
    grz_change call = begin_change(world, body, GRZ_RECORD_SET_USER_DATA);
    if (!call.status && (!user_data || make_column(&call, GRZ_NEED_USER_DATA)) &&
        world->bodies.user_data.data) {
        world->bodies.user_data.data[body.index] = user_data;
    }
    return grz_change_end(&call, &user_data);
}
