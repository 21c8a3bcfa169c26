/// @file call_hook.h
/// Adds the calls that change a world to its recording; without one that costs a test for null.
///
/// Each call is added after it was made, with its status. Recording never changes the outcome of a
/// call: if it cannot continue, it stops.
#ifndef GRZ_CALL_HOOK_H
#define GRZ_CALL_HOOK_H

#include <graze/body.h>
#include <graze/chain.h>

#include "fp_environment.h"
#include "world/message.h"
#include "world/value_check.h"

/// Kinds of calls, and of what else a record has (recording.h). Their values are those in its
/// bytes: new kinds come last.
typedef enum grz_record_kind {
    GRZ_RECORD_START = 1,
    GRZ_RECORD_END,
    GRZ_RECORD_STEP,
    GRZ_RECORD_SORT,
    GRZ_RECORD_LOAD,
    GRZ_RECORD_CREATE,
    GRZ_RECORD_CREATE_MANY,
    GRZ_RECORD_DESTROY,
    GRZ_RECORD_SET_POSITION,
    GRZ_RECORD_SET_VELOCITY,
    GRZ_RECORD_SET_ANGLE,
    GRZ_RECORD_SET_SPIN,
    GRZ_RECORD_SET_FILTER,
    GRZ_RECORD_SET_RESPONSE,
    GRZ_RECORD_SET_USER_DATA,
    GRZ_RECORD_CREATE_CHAIN,
    GRZ_RECORD_DESTROY_CHAIN,
    // Since version 4:
    GRZ_RECORD_SET_MASS,
    GRZ_RECORD_SET_RESTITUTION,
    GRZ_RECORD_SET_FRICTION,
    GRZ_RECORD_SET_LIFETIME,
    GRZ_RECORD_SET_HIT_LIMIT,
    GRZ_RECORD_SET_SENSOR,
    GRZ_RECORD_SET_SHAPE,
    // Since version 5:
    GRZ_RECORD_SET_GRAVITY,
    // Since version 6:
    GRZ_RECORD_SET_SURFACE,
    GRZ_RECORD_SET_INERTIA,
    GRZ_RECORD_SET_DAMPING,
    GRZ_RECORD_SET_SPIN_DAMPING,
    GRZ_RECORD_SET_GRAVITY_SCALE,
    GRZ_RECORD_SET_NEVER_SLEEPS,
    GRZ_RECORD_SET_CHAIN_SURFACE,
    GRZ_RECORD_SET_SUBSTEPS,
    GRZ_RECORD_APPLY_IMPULSE,
    GRZ_RECORD_APPLY_SPIN_IMPULSE,
    GRZ_RECORD_EXPLODE,
    GRZ_RECORD_KINDS
} grz_record_kind;

/// Returns the name of the function that makes calls of this kind.
const char *grz_call_name(grz_record_kind kind);

/// A surface that is set, of a segment of a chain or of all.
typedef struct grz_record_surface {
    graze_chain_id chain;
    uint32_t segment;
    graze_surface surface;
} grz_record_surface;

/// An explosion.
typedef struct grz_record_blast {
    graze_vec2 center;
    float radius, impulse;
    graze_filter filter;
} grz_record_blast;

/// A push.
typedef struct grz_record_push {
    graze_vec2 impulse, point;
} grz_record_push;

/// The world is being recorded, and the call has been made. `body` is null for calls that are of
/// none; `values` have the form of the kind.
void grz_recorder_add(grz_recorder *recorder, grz_record_kind kind, const graze_body_id *body,
                      const void *values);
void grz_recorder_add_load(grz_recorder *recorder);
void grz_recorder_add_bodies(grz_recorder *recorder, grz_record_kind kind,
                             const graze_body_def *defs, uint32_t count, const graze_body_id *ids);
void grz_recorder_add_chain(grz_recorder *recorder, const graze_chain_def *def, graze_chain_id id);
/// Called for steps that fail, too.
void grz_recorder_add_step(grz_recorder *recorder, float dt, graze_status status);

/// As graze_record_stop, outside a step; the world need not be recorded.
void grz_recorder_close(graze_world *world);

/// Returns whether a call that ended so is to be added.
static inline bool grz_is_recorded(const graze_world *world, graze_status status)
{
    return world->call.recorder && status == GRAZE_OK;
}

/// A call that changes a world, and takes nothing but values. It begins (is the world free?),
/// checks the values, writes what follows from them, and ends, when it is recorded.
typedef struct grz_change {
    graze_world *world;
    grz_value_source source;
    grz_record_kind kind;
    graze_body_id body;  ///< Whose call it is; or zero,
    grz_row row;         ///< and its row.
    graze_status status; ///< Anything but OK: the call has failed, and does nothing more.
    grz_fp_environment caller;
} grz_change;

static inline grz_change grz_change_begin(graze_world *world, grz_record_kind kind)
{
    const char *name = grz_call_name(kind);
    const grz_change call = {
        .world = world,
        .source = {.world = world, .call = name},
        .kind = kind,
        .status = grz_check_not_busy(world, name),
        .caller = grz_fp_enter(),
    };
    return call;
}

/// `values` have the form of the kind; null: it has none.
static inline graze_status grz_change_end(const grz_change *call, const void *values)
{
    if (grz_is_recorded(call->world, call->status)) {
        grz_recorder_add(call->world->call.recorder, call->kind,
                         call->body.generation ? &call->body : NULL, values);
    }
    grz_fp_leave(call->caller);
    return call->status;
}

#endif
