// The entries of a record: the structures in them, and which call each is.

#include <graze/world.h>

#include "history/recording.h"
#include "history/state_hash.h"

// --- Structures ---

const grz_form grz_record_header_form =
    GRZ_FORM(grz_record_header, {0, 8, GRZ_TYPE_BYTE, GRZ_ANYTHING, NULL},
             GRZ_ANY_WORDS(grz_record_header, byte_order, version));

const grz_form grz_record_frame_form =
    GRZ_FORM(grz_record_frame, GRZ_ANY_LONGS(grz_record_frame, checksum, number));

static const grz_form start_form = GRZ_FORM(
    grz_record_start, GRZ_BOOL(grz_record_start, has_filter),
    GRZ_BOOL(grz_record_start, names_bodies), GRZ_ANY_LONGS(grz_record_start, hash, snapshot_size));

static const grz_form end_form =
    GRZ_FORM(grz_record_end, GRZ_ANY_LONGS(grz_record_end, step_count, hash));

static const grz_form step_form =
    GRZ_FORM(grz_record_step, GRZ_ANY_WORDS(grz_record_step, dt, block_count),
             GRZ_ANY_LONGS(grz_record_step, digest, digest));

const grz_form grz_state_hash_block_form =
    GRZ_FORM(grz_state_hash_block, GRZ_ANY_LONGS(grz_state_hash_block, sum, sum),
             GRZ_ANY_WORDS(grz_state_hash_block, joined, joined),
             GRZ_ANY(grz_state_hash_block, bodies, bodies, GRZ_TYPE_SHORT, 2));

static const grz_form bodies_form =
    GRZ_FORM(grz_record_bodies, GRZ_ANY_WORDS(grz_record_bodies, count, count),
             GRZ_BOOL(grz_record_bodies, has_ids));

const grz_form grz_body_def_form = GRZ_FORM(
    graze_body_def, GRZ_ENUM(graze_body_def, shape.kind),
    GRZ_ANY_WORDS(graze_body_def, shape.radius, gravity_scale), GRZ_ENUM(graze_body_def, response),
    GRZ_BOOL(graze_body_def, sensor), GRZ_ANY_WORDS(graze_body_def, hit_limit, hit_limit),
    GRZ_BOOL(graze_body_def, never_sleeps), GRZ_ANY_WORDS(graze_body_def, lifetime, filter),
    GRZ_ANY_LONGS(graze_body_def, user_data, user_data));

static const grz_form chain_form =
    GRZ_FORM(grz_record_chain, GRZ_ANY_WORDS(grz_record_chain, def.count, def.count),
             GRZ_BOOL(grz_record_chain, def.loop), GRZ_BOOL(grz_record_chain, def.one_sided),
             GRZ_BOOL(grz_record_chain, def.sensor),
             GRZ_ANY_WORDS(grz_record_chain, def.surface, def.surface),
             GRZ_BOOL(grz_record_chain, has_surfaces),
             GRZ_ANY_WORDS(grz_record_chain, def.filter, def.filter),
             GRZ_ANY_LONGS(grz_record_chain, def.user_data, def.user_data));

_Static_assert(sizeof(graze_shape_kind) == sizeof(int) && sizeof(graze_response) == sizeof(int),
               "enums are words");

// Structures of words alone.
#define WORDS_OF(structure)                                                                        \
    GRZ_FORM(structure, {0, sizeof(structure) / 4, GRZ_TYPE_WORD, GRZ_ANYTHING, NULL})

static const grz_form bool_form = GRZ_FORM(bool, {0, 1, GRZ_TYPE_BOOL, GRZ_ANYTHING, NULL});
const grz_form grz_id_form = WORDS_OF(graze_body_id);
const grz_form grz_vector_form = WORDS_OF(graze_vec2);
const grz_form grz_surface_form = WORDS_OF(graze_surface);
static const grz_form filter_form = WORDS_OF(graze_filter);
static const grz_form shape_form = WORDS_OF(graze_shape);
static const grz_form push_form = WORDS_OF(grz_record_push);
static const grz_form chain_surface_form = WORDS_OF(grz_record_surface);
static const grz_form blast_form = WORDS_OF(grz_record_blast);

_Static_assert(sizeof(graze_body_id) == 8 && sizeof(graze_chain_id) == 8 &&
                   sizeof(graze_vec2) == 8 && sizeof(graze_filter) == 16 &&
                   sizeof(graze_shape) == 16 && sizeof(graze_surface) == 16 &&
                   sizeof(grz_record_push) == 16 && sizeof(grz_record_surface) == 28 &&
                   sizeof(grz_record_blast) == 32 && sizeof(graze_response) == 4,
               "no structure has padding");

// --- Calls that take nothing but values ---

// Defines how graze_`name` is called again, with these arguments after the world.
#define CALL(name, ...)                                                                            \
    static graze_status name(graze_world *world, graze_body_id body,                               \
                             const grz_call_values *values)                                        \
    {                                                                                              \
        (void)body;                                                                                \
        (void)values;                                                                              \
        return graze_##name(world, __VA_ARGS__);                                                   \
    }

CALL(body_destroy, body)
CALL(body_set_position, body, values->vector)
CALL(body_set_velocity, body, values->vector)
CALL(body_set_angle, body, values->number)
CALL(body_set_spin, body, values->number)
CALL(body_set_filter, body, values->filter)
CALL(body_set_response, body, values->response)
CALL(body_set_user_data, body, values->user_data)
CALL(body_set_mass, body, values->number)
CALL(body_set_restitution, body, values->number)
CALL(body_set_friction, body, values->number)
CALL(body_set_lifetime, body, values->number)
CALL(body_set_hit_limit, body, values->count)
CALL(body_set_sensor, body, values->truth)
CALL(body_set_shape, body, values->shape)
CALL(body_set_surface, body, values->surface)
CALL(body_set_inertia, body, values->number)
CALL(body_set_damping, body, values->number)
CALL(body_set_spin_damping, body, values->number)
CALL(body_set_gravity_scale, body, values->number)
CALL(body_set_never_sleeps, body, values->truth)
CALL(body_apply_impulse, body, values->push.impulse, values->push.point)
CALL(body_apply_spin_impulse, body, values->number)
CALL(chain_destroy, values->chain)
CALL(chain_set_surface, values->part.chain, values->part.segment, values->part.surface)
CALL(world_set_gravity, values->vector)
CALL(world_set_substeps, values->count)
CALL(world_explode, values->blast.center, values->blast.radius, values->blast.impulse,
     values->blast.filter)

static graze_status world_sort(graze_world *world, graze_body_id body,
                               const grz_call_values *values)
{
    (void)body;
    (void)values;
    return graze_world_sort(world);
}

// --- Entries ---

#define OF_BODY(name, form)                                                                        \
    {                                                                                              \
        "graze_body_" #name, form, true, body_##name                                               \
    }
#define OF_WORLD(name, form)                                                                       \
    {                                                                                              \
        "graze_" #name, form, false, name                                                          \
    }

const grz_call_plan grz_call_plans[GRZ_RECORD_KINDS] = {
    [GRZ_RECORD_START] = {"graze_record_start", &start_form, false, NULL},
    [GRZ_RECORD_END] = {"graze_record_stop", &end_form, false, NULL},
    [GRZ_RECORD_STEP] = {"graze_world_step", &step_form, false, NULL},
    [GRZ_RECORD_SORT] = OF_WORLD(world_sort, NULL),
    [GRZ_RECORD_LOAD] = {"graze_world_load", &grz_long_form, false, NULL},
    [GRZ_RECORD_CREATE] = {"graze_body_create", &bodies_form, false, NULL},
    [GRZ_RECORD_CREATE_MANY] = {"graze_body_create_many", &bodies_form, false, NULL},
    [GRZ_RECORD_DESTROY] = OF_BODY(destroy, NULL),
    [GRZ_RECORD_SET_POSITION] = OF_BODY(set_position, &grz_vector_form),
    [GRZ_RECORD_SET_VELOCITY] = OF_BODY(set_velocity, &grz_vector_form),
    [GRZ_RECORD_SET_ANGLE] = OF_BODY(set_angle, &grz_word_form),
    [GRZ_RECORD_SET_SPIN] = OF_BODY(set_spin, &grz_word_form),
    [GRZ_RECORD_SET_FILTER] = OF_BODY(set_filter, &filter_form),
    [GRZ_RECORD_SET_RESPONSE] = OF_BODY(set_response, &grz_word_form),
    [GRZ_RECORD_SET_USER_DATA] = OF_BODY(set_user_data, &grz_long_form),
    [GRZ_RECORD_CREATE_CHAIN] = {"graze_chain_create", &chain_form, false, NULL},
    [GRZ_RECORD_DESTROY_CHAIN] = OF_WORLD(chain_destroy, &grz_id_form),
    [GRZ_RECORD_SET_MASS] = OF_BODY(set_mass, &grz_word_form),
    [GRZ_RECORD_SET_RESTITUTION] = OF_BODY(set_restitution, &grz_word_form),
    [GRZ_RECORD_SET_FRICTION] = OF_BODY(set_friction, &grz_word_form),
    [GRZ_RECORD_SET_LIFETIME] = OF_BODY(set_lifetime, &grz_word_form),
    [GRZ_RECORD_SET_HIT_LIMIT] = OF_BODY(set_hit_limit, &grz_word_form),
    [GRZ_RECORD_SET_SENSOR] = OF_BODY(set_sensor, &bool_form),
    [GRZ_RECORD_SET_SHAPE] = OF_BODY(set_shape, &shape_form),
    [GRZ_RECORD_SET_GRAVITY] = OF_WORLD(world_set_gravity, &grz_vector_form),
    [GRZ_RECORD_SET_SURFACE] = OF_BODY(set_surface, &grz_surface_form),
    [GRZ_RECORD_SET_INERTIA] = OF_BODY(set_inertia, &grz_word_form),
    [GRZ_RECORD_SET_DAMPING] = OF_BODY(set_damping, &grz_word_form),
    [GRZ_RECORD_SET_SPIN_DAMPING] = OF_BODY(set_spin_damping, &grz_word_form),
    [GRZ_RECORD_SET_GRAVITY_SCALE] = OF_BODY(set_gravity_scale, &grz_word_form),
    [GRZ_RECORD_SET_NEVER_SLEEPS] = OF_BODY(set_never_sleeps, &bool_form),
    [GRZ_RECORD_SET_CHAIN_SURFACE] = OF_WORLD(chain_set_surface, &chain_surface_form),
    [GRZ_RECORD_SET_SUBSTEPS] = OF_WORLD(world_set_substeps, &grz_word_form),
    [GRZ_RECORD_APPLY_IMPULSE] = OF_BODY(apply_impulse, &push_form),
    [GRZ_RECORD_APPLY_SPIN_IMPULSE] = OF_BODY(apply_spin_impulse, &grz_word_form),
    [GRZ_RECORD_EXPLODE] = OF_WORLD(world_explode, &blast_form),
};

const char *grz_call_name(grz_record_kind kind)
{
    return grz_call_plans[kind].call;
}
