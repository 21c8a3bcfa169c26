// The recorded calls, made again.

#include "history/replay_state.h"

#include <graze/chain.h>
#include <graze/world.h>

#include <inttypes.h>

// An entry that was not read completely has no effect.
static bool expect_read(graze_replay *replay)
{
    return !replay->io.failed ||
           grz_replay_fail_format(replay, "damaged (a call is longer than its block)");
}

static bool expect_id(graze_replay *replay, const char *call, graze_body_id now, graze_body_id then)
{
    if (now.index == then.index && now.generation == then.generation) {
        return true;
    }
    replay->difference.step = replay->step_count;
    return grz_replay_differ(replay, GRAZE_DIFFERENCE_CALL,
                             "after step %" PRIu64 ": call %u, %s, returned {%u, %u} when it was "
                             "recorded, and returns {%u, %u} now",
                             replay->step_count, (unsigned)replay->call_count, call,
                             (unsigned)then.index, (unsigned)then.generation, (unsigned)now.index,
                             (unsigned)now.generation);
}

// --- the world ---

static bool call_sort(graze_replay *replay)
{
    return grz_replay_expect_done(replay, "graze_world_sort", graze_world_sort(replay->world));
}

static bool call_load(graze_replay *replay)
{
    grz_record_io *io = &replay->io;
    uint64_t size = 0;
    grz_pass(io, &size, sizeof size);
    io->failed = io->failed || size > grz_record_left(io);
    if (!expect_read(replay)) {
        return false;
    }
    const graze_status status = graze_world_load(replay->world, io->at, (size_t)size);
    io->at += size;
    return status == GRAZE_ERROR_FORMAT
               ? grz_replay_fail_format(replay, "damaged (a snapshot is invalid)")
               : grz_replay_expect_done(replay, "graze_world_load", status);
}

static bool call_set_gravity(graze_replay *replay)
{
    graze_vec2 gravity = {0, 0};
    grz_pass(&replay->io, &gravity, sizeof gravity);
    return expect_read(replay) &&
           grz_replay_expect_done(replay, grz_record_call_name(GRZ_RECORD_SET_GRAVITY),
                                  graze_world_set_gravity(replay->world, gravity));
}

static bool call_explode(graze_replay *replay)
{
    grz_record_blast blast = {.radius = 0};
    grz_pass_blast(&replay->io, &blast);
    return expect_read(replay) &&
           grz_replay_expect_done(replay, grz_record_call_name(GRZ_RECORD_EXPLODE),
                                  graze_world_explode(replay->world, blast.center, blast.radius,
                                                      blast.impulse, blast.filter));
}

static bool call_set_substeps(graze_replay *replay)
{
    uint32_t substeps = 0;
    grz_pass(&replay->io, &substeps, sizeof substeps);
    return expect_read(replay) &&
           grz_replay_expect_done(replay, grz_record_call_name(GRZ_RECORD_SET_SUBSTEPS),
                                  graze_world_set_substeps(replay->world, substeps));
}

// --- bodies ---

static bool read_defs(graze_replay *replay, uint32_t count)
{
    if (count > grz_record_left(&replay->io) / GRZ_RECORD_BODY_SIZE) {
        replay->io.failed = true;
        return true;
    }
    if (!grz_array_reserve(&replay->defs, &replay->allocator, count) ||
        !grz_array_reserve(&replay->ids, &replay->allocator, count)) {
        return grz_replay_fail_memory(replay);
    }
    for (uint32_t i = 0; i < count; ++i) {
        replay->defs.data[i] = graze_body_def_default();
        grz_pass_body_def(&replay->io, &replay->defs.data[i]);
    }
    return true;
}

static void create_bodies(graze_replay *replay, grz_record_kind kind, uint32_t count)
{
    graze_world *world = replay->world;
    if (kind == GRZ_RECORD_CREATE) {
        replay->ids.data[0] = graze_body_create(world, &replay->defs.data[0]);
    } else {
        (void)graze_body_create_many(world, replay->defs.data, count, replay->ids.data);
    }
}

static bool compare_ids(graze_replay *replay, const char *call, const grz_record_bodies *bodies)
{
    for (uint32_t i = 0; bodies->has_ids && i < bodies->count; ++i) {
        graze_body_id id = {0, 0};
        grz_pass_body_id(&replay->io, &id);
        if (!expect_read(replay) || !expect_id(replay, call, replay->ids.data[i], id)) {
            return false;
        }
    }
    return true;
}

static bool call_create(graze_replay *replay, grz_record_kind kind)
{
    const bool is_one = kind == GRZ_RECORD_CREATE;
    const char *call = grz_record_call_name(kind);
    grz_record_bodies bodies = {0};
    grz_pass_bodies(&replay->io, &bodies);
    replay->io.failed = replay->io.failed || (is_one && bodies.count != 1);
    if (!read_defs(replay, bodies.count) || !expect_read(replay)) {
        return false;
    }
    create_bodies(replay, kind, bodies.count);
    return grz_replay_expect_done(replay, call, graze_world_last_status(replay->world)) &&
           compare_ids(replay, call, &bodies);
}

/// Any of the values that setters take.
typedef union value_bytes {
    graze_vec2 vector;
    graze_vec2 vectors[2];
    float number;
    graze_filter filter;
    graze_response response;
    uint64_t user_data;
    uint32_t hit_limit;
    uint8_t sensor;
    graze_shape shape;
    graze_surface surface;
    uint8_t never_sleeps;
} value_bytes;

static graze_status set_new_value(graze_world *world, grz_record_kind kind, graze_body_id body,
                                  const value_bytes *value)
{
    switch (kind) {
    case GRZ_RECORD_SET_SURFACE:
        return graze_body_set_surface(world, body, value->surface);
    case GRZ_RECORD_SET_INERTIA:
        return graze_body_set_inertia(world, body, value->number);
    case GRZ_RECORD_SET_DAMPING:
        return graze_body_set_damping(world, body, value->number);
    case GRZ_RECORD_SET_SPIN_DAMPING:
        return graze_body_set_spin_damping(world, body, value->number);
    case GRZ_RECORD_SET_GRAVITY_SCALE:
        return graze_body_set_gravity_scale(world, body, value->number);
    case GRZ_RECORD_SET_NEVER_SLEEPS:
        return graze_body_set_never_sleeps(world, body, value->never_sleeps != 0);
    case GRZ_RECORD_APPLY_IMPULSE:
        return graze_body_apply_impulse(world, body, value->vectors[0], value->vectors[1]);
    case GRZ_RECORD_APPLY_SPIN_IMPULSE:
        return graze_body_apply_spin_impulse(world, body, value->number);
    default:
        return graze_body_destroy(world, body);
    }
}

static graze_status set_value(graze_world *world, grz_record_kind kind, graze_body_id body,
                              const value_bytes *value)
{
    switch (kind) {
    case GRZ_RECORD_SET_POSITION:
        return graze_body_set_position(world, body, value->vector);
    case GRZ_RECORD_SET_VELOCITY:
        return graze_body_set_velocity(world, body, value->vector);
    case GRZ_RECORD_SET_ANGLE:
        return graze_body_set_angle(world, body, value->number);
    case GRZ_RECORD_SET_SPIN:
        return graze_body_set_spin(world, body, value->number);
    case GRZ_RECORD_SET_FILTER:
        return graze_body_set_filter(world, body, value->filter);
    case GRZ_RECORD_SET_RESPONSE:
        return graze_body_set_response(world, body, value->response);
    case GRZ_RECORD_SET_USER_DATA:
        return graze_body_set_user_data(world, body, value->user_data);
    case GRZ_RECORD_SET_MASS:
        return graze_body_set_mass(world, body, value->number);
    case GRZ_RECORD_SET_RESTITUTION:
        return graze_body_set_restitution(world, body, value->number);
    case GRZ_RECORD_SET_FRICTION:
        return graze_body_set_friction(world, body, value->number);
    case GRZ_RECORD_SET_LIFETIME:
        return graze_body_set_lifetime(world, body, value->number);
    case GRZ_RECORD_SET_HIT_LIMIT:
        return graze_body_set_hit_limit(world, body, value->hit_limit);
    case GRZ_RECORD_SET_SENSOR:
        return graze_body_set_sensor(world, body, value->sensor != 0);
    case GRZ_RECORD_SET_SHAPE:
        return graze_body_set_shape(world, body, value->shape);
    default:
        return set_new_value(world, kind, body, value);
    }
}

static bool call_value(graze_replay *replay, grz_record_kind kind)
{
    graze_body_id body = {0, 0};
    value_bytes value = {.user_data = 0};
    grz_pass_body_id(&replay->io, &body);
    grz_pass(&replay->io, &value, grz_record_value_size(kind));
    return expect_read(replay) &&
           grz_replay_expect_done(replay, grz_record_call_name(kind),
                                  set_value(replay->world, kind, body, &value));
}

// --- chains ---

static bool read_points(graze_replay *replay, graze_chain_def *def)
{
    if (def->count > grz_record_left(&replay->io) / sizeof(graze_vec2)) {
        replay->io.failed = true;
        return true;
    }
    if (!grz_array_reserve(&replay->points, &replay->allocator, def->count)) {
        return grz_replay_fail_memory(replay);
    }
    for (uint32_t i = 0; i < def->count; ++i) {
        grz_pass(&replay->io, &replay->points.data[i], sizeof(graze_vec2));
    }
    def->points = replay->points.data;
    return true;
}

static bool read_surfaces(graze_replay *replay, graze_chain_def *def)
{
    const uint32_t count = def->count - (def->count > 0 && !def->loop);
    if (count > grz_record_left(&replay->io) / GRZ_RECORD_SURFACE_SIZE) {
        replay->io.failed = true;
        return true;
    }
    if (!grz_array_reserve(&replay->surfaces, &replay->allocator, count)) {
        return grz_replay_fail_memory(replay);
    }
    for (uint32_t i = 0; i < count; ++i) {
        grz_pass_surface(&replay->io, &replay->surfaces.data[i]);
    }
    def->surfaces = replay->surfaces.data;
    return true;
}

static bool call_set_surface(graze_replay *replay)
{
    grz_record_surface change;
    memset(&change, 0, sizeof change);
    grz_pass_chain_surface(&replay->io, &change);
    return expect_read(replay) &&
           grz_replay_expect_done(replay, grz_record_call_name(GRZ_RECORD_SET_CHAIN_SURFACE),
                                  graze_chain_set_surface(replay->world, change.chain,
                                                          change.segment, change.surface));
}

static bool call_create_chain(graze_replay *replay)
{
    static const char call[] = "graze_chain_create";
    graze_chain_def def = graze_chain_def_default();
    graze_chain_id then = {0, 0};
    bool has_surfaces = false;
    grz_pass_chain_def(&replay->io, &def, &has_surfaces);
    if (!read_points(replay, &def) || (has_surfaces && !read_surfaces(replay, &def))) {
        return false;
    }
    grz_pass_chain_id(&replay->io, &then);
    if (!expect_read(replay)) {
        return false;
    }
    const graze_chain_id now = graze_chain_create(replay->world, &def);
    const graze_body_id ids[2] = {{now.index, now.generation}, {then.index, then.generation}};
    return grz_replay_expect_done(replay, call, graze_world_last_status(replay->world)) &&
           expect_id(replay, call, ids[0], ids[1]);
}

static bool call_destroy_chain(graze_replay *replay)
{
    graze_chain_id chain = {0, 0};
    grz_pass_chain_id(&replay->io, &chain);
    return expect_read(replay) && grz_replay_expect_done(replay, "graze_chain_destroy",
                                                         graze_chain_destroy(replay->world, chain));
}

bool grz_replay_call(graze_replay *replay, grz_record_kind kind)
{
    switch (kind) {
    case GRZ_RECORD_SORT:
        return call_sort(replay);
    case GRZ_RECORD_LOAD:
        return call_load(replay);
    case GRZ_RECORD_SET_GRAVITY:
        return call_set_gravity(replay);
    case GRZ_RECORD_CREATE:
    case GRZ_RECORD_CREATE_MANY:
        return call_create(replay, kind);
    case GRZ_RECORD_DESTROY:
    case GRZ_RECORD_SET_POSITION:
    case GRZ_RECORD_SET_VELOCITY:
    case GRZ_RECORD_SET_ANGLE:
    case GRZ_RECORD_SET_SPIN:
    case GRZ_RECORD_SET_FILTER:
    case GRZ_RECORD_SET_RESPONSE:
    case GRZ_RECORD_SET_USER_DATA:
    case GRZ_RECORD_SET_MASS:
    case GRZ_RECORD_SET_RESTITUTION:
    case GRZ_RECORD_SET_FRICTION:
    case GRZ_RECORD_SET_LIFETIME:
    case GRZ_RECORD_SET_HIT_LIMIT:
    case GRZ_RECORD_SET_SENSOR:
    case GRZ_RECORD_SET_SHAPE:
    case GRZ_RECORD_SET_SURFACE:
    case GRZ_RECORD_SET_INERTIA:
    case GRZ_RECORD_SET_DAMPING:
    case GRZ_RECORD_SET_SPIN_DAMPING:
    case GRZ_RECORD_SET_GRAVITY_SCALE:
    case GRZ_RECORD_SET_NEVER_SLEEPS:
    case GRZ_RECORD_APPLY_IMPULSE:
    case GRZ_RECORD_APPLY_SPIN_IMPULSE:
        return call_value(replay, kind);
    case GRZ_RECORD_EXPLODE:
        return call_explode(replay);
    case GRZ_RECORD_SET_CHAIN_SURFACE:
        return call_set_surface(replay);
    case GRZ_RECORD_SET_SUBSTEPS:
        return call_set_substeps(replay);
    case GRZ_RECORD_CREATE_CHAIN:
        return call_create_chain(replay);
    case GRZ_RECORD_DESTROY_CHAIN:
        return call_destroy_chain(replay);
    default:
        return grz_replay_fail_format(replay, "damaged (an entry is of unknown kind)");
    }
}
