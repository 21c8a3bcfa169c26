/// @file recorder.h
/// Adds the calls that change a world to its recording; without one that costs a test for null.
///
/// Each call is added after it was made, with its status. Recording never changes the outcome of a
/// call: if it cannot continue, it stops.
#ifndef GRZ_RECORDER_H
#define GRZ_RECORDER_H

#include "history/record_format.h"
#include "state.h"

/// The world is being recorded, and the call has been made. `body` is null for calls that are of
/// none; `values` have the form of the kind.
void grz_recorder_add(grz_recorder *recorder, grz_record_kind kind, const graze_body_id *body,
                      const void *values);
void grz_recorder_add_load(grz_recorder *recorder);
void grz_recorder_add_bodies(grz_recorder *recorder, grz_record_kind kind,
                             const graze_body_def *defs, uint32_t count, const graze_body_id *ids);
void grz_recorder_add_chain(grz_recorder *recorder, const graze_chain_def *def, graze_chain_id id);
void grz_recorder_add_step(grz_recorder *recorder, float dt, graze_status status);

/// As graze_record_stop, outside a step; the world need not be recorded.
void grz_recorder_close(graze_world *world);

static inline bool grz_is_recorded(const graze_world *world, graze_status status)
{
    return world->recorder && status == GRAZE_OK;
}

/// A call with values in the form of its kind; null if it has none.
static inline void grz_note_call(const graze_world *world, graze_status status,
                                 grz_record_kind kind, const void *values)
{
    if (grz_is_recorded(world, status)) {
        grz_recorder_add(world->recorder, kind, NULL, values);
    }
}

/// The same for a body.
static inline void grz_note_value(const graze_world *world, graze_status status,
                                  grz_record_kind kind, graze_body_id body, const void *values)
{
    if (grz_is_recorded(world, status)) {
        grz_recorder_add(world->recorder, kind, &body, values);
    }
}

static inline void grz_note_load(const graze_world *world, graze_status status)
{
    if (grz_is_recorded(world, status)) {
        grz_recorder_add_load(world->recorder);
    }
}

/// `ids` may be null.
static inline void grz_note_bodies(const graze_world *world, graze_status status,
                                   grz_record_kind kind, const graze_body_def *defs, uint32_t count,
                                   const graze_body_id *ids)
{
    if (grz_is_recorded(world, status)) {
        grz_recorder_add_bodies(world->recorder, kind, defs, count, ids);
    }
}

static inline void grz_note_chain(const graze_world *world, graze_status status,
                                  const graze_chain_def *def, graze_chain_id id)
{
    if (grz_is_recorded(world, status)) {
        grz_recorder_add_chain(world->recorder, def, id);
    }
}

/// Also called for steps that fail.
static inline void grz_note_step(const graze_world *world, graze_status status, float dt)
{
    if (world->recorder) {
        grz_recorder_add_step(world->recorder, dt, status);
    }
}

#endif
