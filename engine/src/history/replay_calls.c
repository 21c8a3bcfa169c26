// The recorded calls, made again.

#include "history/replay_state.h"

#include <graze/chain.h>
#include <graze/world.h>

#include <inttypes.h>

// An entry that was not read completely has no effect.
static bool expect_read(graze_replay *replay)
{
    return !replay->entry.failed ||
           grz_replay_fail_format(replay, "damaged (a call is longer than its block)");
}

static bool expect_done(graze_replay *replay, grz_record_kind kind, graze_status status)
{
    return grz_replay_expect_done(replay, grz_call_plans[kind].call, status);
}

static bool expect_id(graze_replay *replay, grz_record_kind kind, graze_body_id now,
                      graze_body_id then)
{
    if (now.index == then.index && now.generation == then.generation) {
        return true;
    }
    replay->difference.step = replay->step_count;
    return grz_replay_differ(replay, GRAZE_DIFFERENCE_CALL,
                             "after step %" PRIu64 ": call %u, %s, returned {%u, %u} when it was "
                             "recorded, and returns {%u, %u} now",
                             replay->step_count, (unsigned)replay->call_count,
                             grz_call_plans[kind].call, (unsigned)then.index,
                             (unsigned)then.generation, (unsigned)now.index,
                             (unsigned)now.generation);
}

// --- calls with values alone ---

/// Any of the values that calls take.
typedef union call_values {
    graze_vec2 vector;
    float number;
    uint32_t count;
    uint8_t truth;
    uint64_t user_data;
    graze_filter filter;
    graze_response response;
    graze_shape shape;
    graze_surface surface;
    graze_chain_id chain;
    grz_record_push push;
    grz_record_surface chain_surface;
    grz_record_blast blast;
} call_values;

typedef graze_status number_setter(graze_world *world, graze_body_id body, float number);
typedef graze_status vector_setter(graze_world *world, graze_body_id body, graze_vec2 vector);
typedef graze_status truth_setter(graze_world *world, graze_body_id body, bool truth);

static number_setter *const number_setters[GRZ_RECORD_KINDS] = {
    [GRZ_RECORD_SET_ANGLE] = graze_body_set_angle,
    [GRZ_RECORD_SET_SPIN] = graze_body_set_spin,
    [GRZ_RECORD_SET_MASS] = graze_body_set_mass,
    [GRZ_RECORD_SET_RESTITUTION] = graze_body_set_restitution,
    [GRZ_RECORD_SET_FRICTION] = graze_body_set_friction,
    [GRZ_RECORD_SET_LIFETIME] = graze_body_set_lifetime,
    [GRZ_RECORD_SET_INERTIA] = graze_body_set_inertia,
    [GRZ_RECORD_SET_DAMPING] = graze_body_set_damping,
    [GRZ_RECORD_SET_SPIN_DAMPING] = graze_body_set_spin_damping,
    [GRZ_RECORD_SET_GRAVITY_SCALE] = graze_body_set_gravity_scale,
    [GRZ_RECORD_APPLY_SPIN_IMPULSE] = graze_body_apply_spin_impulse,
};

static vector_setter *const vector_setters[GRZ_RECORD_KINDS] = {
    [GRZ_RECORD_SET_POSITION] = graze_body_set_position,
    [GRZ_RECORD_SET_VELOCITY] = graze_body_set_velocity,
};

static truth_setter *const truth_setters[GRZ_RECORD_KINDS] = {
    [GRZ_RECORD_SET_SENSOR] = graze_body_set_sensor,
    [GRZ_RECORD_SET_NEVER_SLEEPS] = graze_body_set_never_sleeps,
};

static graze_status change_body(graze_world *world, grz_record_kind kind, graze_body_id body,
                                const call_values *values)
{
    switch (kind) {
    case GRZ_RECORD_SET_FILTER:
        return graze_body_set_filter(world, body, values->filter);
    case GRZ_RECORD_SET_RESPONSE:
        return graze_body_set_response(world, body, values->response);
    case GRZ_RECORD_SET_USER_DATA:
        return graze_body_set_user_data(world, body, values->user_data);
    case GRZ_RECORD_SET_HIT_LIMIT:
        return graze_body_set_hit_limit(world, body, values->count);
    case GRZ_RECORD_SET_SHAPE:
        return graze_body_set_shape(world, body, values->shape);
    case GRZ_RECORD_SET_SURFACE:
        return graze_body_set_surface(world, body, values->surface);
    case GRZ_RECORD_APPLY_IMPULSE:
        return graze_body_apply_impulse(world, body, values->push.impulse, values->push.point);
    default:
        return graze_body_destroy(world, body);
    }
}

static graze_status change_world(graze_world *world, grz_record_kind kind,
                                 const call_values *values)
{
    const grz_record_surface *change = &values->chain_surface;
    const grz_record_blast *blast = &values->blast;
    switch (kind) {
    case GRZ_RECORD_SET_GRAVITY:
        return graze_world_set_gravity(world, values->vector);
    case GRZ_RECORD_SET_SUBSTEPS:
        return graze_world_set_substeps(world, values->count);
    case GRZ_RECORD_EXPLODE:
        return graze_world_explode(world, blast->center, blast->radius, blast->impulse,
                                   blast->filter);
    case GRZ_RECORD_SET_CHAIN_SURFACE:
        return graze_chain_set_surface(world, change->chain, change->segment, change->surface);
    case GRZ_RECORD_DESTROY_CHAIN:
        return graze_chain_destroy(world, values->chain);
    default:
        return graze_world_sort(world);
    }
}

static graze_status make_call(graze_world *world, grz_record_kind kind, graze_body_id body,
                              const call_values *values)
{
    if (number_setters[kind]) {
        return number_setters[kind](world, body, values->number);
    }
    if (vector_setters[kind]) {
        return vector_setters[kind](world, body, values->vector);
    }
    if (truth_setters[kind]) {
        return truth_setters[kind](world, body, values->truth != 0);
    }
    return grz_call_plans[kind].of_body ? change_body(world, kind, body, values)
                                        : change_world(world, kind, values);
}

static bool call_with_values(graze_replay *replay, grz_record_kind kind)
{
    const grz_call_plan *plan = &grz_call_plans[kind];
    graze_body_id body = {0, 0};
    call_values values;
    memset(&values, 0, sizeof values);
    if (plan->of_body) {
        grz_archive_pass(&replay->entry, &grz_id_form, &body, 1);
    }
    if (plan->form) {
        grz_archive_pass(&replay->entry, plan->form, &values, 1);
    }
    return expect_read(replay) &&
           expect_done(replay, kind, make_call(replay->world, kind, body, &values));
}

// --- loading ---

static bool call_load(graze_replay *replay)
{
    grz_archive *entry = &replay->entry;
    uint64_t size = 0;
    grz_archive_pass(entry, &grz_long_form, &size, 1);
    entry->failed = entry->failed || size > grz_archive_left(entry);
    if (!expect_read(replay)) {
        return false;
    }
    const graze_status status = graze_world_load(replay->world, entry->at, (size_t)size);
    entry->at += size;
    return status == GRAZE_ERROR_FORMAT
               ? grz_replay_fail_format(replay, "damaged (a snapshot is invalid)")
               : expect_done(replay, GRZ_RECORD_LOAD, status);
}

// --- bodies ---

static void create_bodies(graze_replay *replay, grz_record_kind kind, uint32_t count)
{
    graze_world *world = replay->world;
    if (kind == GRZ_RECORD_CREATE) {
        replay->ids.data[0] = graze_body_create(world, &replay->defs.data[0]);
    } else {
        (void)graze_body_create_many(world, replay->defs.data, count, replay->ids.data);
    }
}

static bool compare_ids(graze_replay *replay, grz_record_kind kind, const grz_record_bodies *bodies)
{
    for (uint32_t i = 0; bodies->has_ids && i < bodies->count; ++i) {
        graze_body_id id = {0, 0};
        grz_archive_pass(&replay->entry, &grz_id_form, &id, 1);
        if (!expect_read(replay) || !expect_id(replay, kind, replay->ids.data[i], id)) {
            return false;
        }
    }
    return true;
}

static bool call_create(graze_replay *replay, grz_record_kind kind)
{
    grz_archive *entry = &replay->entry;
    grz_record_bodies bodies = {0};
    grz_archive_pass(entry, grz_call_plans[kind].form, &bodies, 1);
    entry->failed = entry->failed || (kind == GRZ_RECORD_CREATE && bodies.count != 1);
    if (!grz_archive_has(entry, &grz_body_def_form, bodies.count)) {
        return expect_read(replay);
    }
    if (!grz_array_reserve(&replay->defs, &replay->allocator, bodies.count) ||
        !grz_array_reserve(&replay->ids, &replay->allocator, bodies.count)) {
        return grz_replay_fail_memory(replay);
    }
    for (uint32_t i = 0; i < bodies.count; ++i) {
        replay->defs.data[i] = graze_body_def_default();
    }
    grz_archive_pass(entry, &grz_body_def_form, replay->defs.data, bodies.count);
    create_bodies(replay, kind, bodies.count);
    return expect_done(replay, kind, graze_world_last_status(replay->world)) &&
           compare_ids(replay, kind, &bodies);
}

// --- chains ---

// Returns false if memory runs out; what does not fit is left out, and the entry has failed.
static bool read_points(graze_replay *replay, grz_record_chain *chain)
{
    graze_chain_def *def = &chain->def;
    grz_archive *entry = &replay->entry;
    const uint32_t segments = def->count - (def->count > 0 && !def->loop);
    const uint32_t surfaces = chain->has_surfaces ? segments : 0;
    if (!grz_archive_has(entry, &grz_vector_form, def->count) ||
        !grz_archive_has(entry, &grz_surface_form, surfaces)) {
        return true;
    }
    if (!grz_array_reserve(&replay->points, &replay->allocator, def->count) ||
        !grz_array_reserve(&replay->surfaces, &replay->allocator, surfaces)) {
        return grz_replay_fail_memory(replay);
    }
    grz_archive_pass(entry, &grz_vector_form, replay->points.data, def->count);
    grz_archive_pass(entry, &grz_surface_form, replay->surfaces.data, surfaces);
    def->points = replay->points.data;
    def->surfaces = chain->has_surfaces ? replay->surfaces.data : NULL;
    return true;
}

static bool call_create_chain(graze_replay *replay)
{
    const grz_record_kind kind = GRZ_RECORD_CREATE_CHAIN;
    grz_record_chain chain = {graze_chain_def_default(), false};
    graze_chain_id then = {0, 0};
    grz_archive_pass(&replay->entry, grz_call_plans[kind].form, &chain, 1);
    if (!read_points(replay, &chain)) {
        return false;
    }
    grz_archive_pass(&replay->entry, &grz_id_form, &then, 1);
    if (!expect_read(replay)) {
        return false;
    }
    const graze_chain_id now = graze_chain_create(replay->world, &chain.def);
    const graze_body_id ids[2] = {{now.index, now.generation}, {then.index, then.generation}};
    return expect_done(replay, kind, graze_world_last_status(replay->world)) &&
           expect_id(replay, kind, ids[0], ids[1]);
}

bool grz_replay_call(graze_replay *replay, grz_record_kind kind)
{
    switch (kind) {
    case GRZ_RECORD_LOAD:
        return call_load(replay);
    case GRZ_RECORD_CREATE:
    case GRZ_RECORD_CREATE_MANY:
        return call_create(replay, kind);
    case GRZ_RECORD_CREATE_CHAIN:
        return call_create_chain(replay);
    default:
        return kind > GRZ_RECORD_STEP && kind < GRZ_RECORD_KINDS
                   ? call_with_values(replay, kind)
                   : grz_replay_fail_format(replay, "damaged (an entry is of unknown kind)");
    }
}
