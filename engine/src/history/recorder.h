/// @file recorder.h
/// Adds the calls that change a world to its recording; without one that costs a test for null.
///
/// Each call is added after it was made, with its status. Recording never changes the outcome of a
/// call: if it cannot continue, it stops.
#ifndef GRZ_RECORDER_H
#define GRZ_RECORDER_H

#include "history/record_format.h"
#include "state.h"

/// One function for each kind of entry. The world is being recorded, and the call has been made.
void grz_recorder_add(grz_recorder *recorder, grz_record_kind kind);
void grz_recorder_add_load(grz_recorder *recorder);
void grz_recorder_add_gravity(grz_recorder *recorder, graze_vec2 gravity);
void grz_recorder_add_blast(grz_recorder *recorder, const grz_record_blast *blast);
void grz_recorder_add_substeps(grz_recorder *recorder, uint32_t substeps);
void grz_recorder_add_surface(grz_recorder *recorder, const grz_record_surface *change);
void grz_recorder_add_bodies(grz_recorder *recorder, grz_record_kind kind,
                             const graze_body_def *defs, uint32_t count, const graze_body_id *ids);
void grz_recorder_add_value(grz_recorder *recorder, grz_record_kind kind, graze_body_id body,
                            const void *value);
void grz_recorder_add_chain(grz_recorder *recorder, const graze_chain_def *def, graze_chain_id id);
void grz_recorder_add_chain_end(grz_recorder *recorder, graze_chain_id chain);
void grz_recorder_add_step(grz_recorder *recorder, float dt, graze_status status);

/// As graze_record_stop, outside a step; the world need not be recorded.
void grz_recorder_close(graze_world *world);

static inline bool grz_is_recorded(const graze_world *world, graze_status status)
{
    return world->recorder && status == GRAZE_OK;
}

static inline void grz_note_sort(const graze_world *world, graze_status status)
{
    if (grz_is_recorded(world, status)) {
        grz_recorder_add(world->recorder, GRZ_RECORD_SORT);
    }
}

static inline void grz_note_load(const graze_world *world, graze_status status)
{
    if (grz_is_recorded(world, status)) {
        grz_recorder_add_load(world->recorder);
    }
}

static inline void grz_note_gravity(const graze_world *world, graze_status status,
                                    graze_vec2 gravity)
{
    if (grz_is_recorded(world, status)) {
        grz_recorder_add_gravity(world->recorder, gravity);
    }
}

static inline void grz_note_substeps(const graze_world *world, graze_status status,
                                     uint32_t substeps)
{
    if (grz_is_recorded(world, status)) {
        grz_recorder_add_substeps(world->recorder, substeps);
    }
}

static inline void grz_note_blast(const graze_world *world, graze_status status,
                                  const grz_record_blast *blast)
{
    if (grz_is_recorded(world, status)) {
        grz_recorder_add_blast(world->recorder, blast);
    }
}

static inline void grz_note_surface(const graze_world *world, graze_status status,
                                    graze_chain_id chain, uint32_t segment, graze_surface surface)
{
    if (grz_is_recorded(world, status)) {
        const grz_record_surface change = {chain, segment, surface};
        grz_recorder_add_surface(world->recorder, &change);
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

/// `value` has grz_record_value_size(kind) bytes; null if that is 0.
static inline void grz_note_value(const graze_world *world, graze_status status,
                                  grz_record_kind kind, graze_body_id body, const void *value)
{
    if (grz_is_recorded(world, status)) {
        grz_recorder_add_value(world->recorder, kind, body, value);
    }
}

static inline void grz_note_chain(const graze_world *world, graze_status status,
                                  const graze_chain_def *def, graze_chain_id id)
{
    if (grz_is_recorded(world, status)) {
        grz_recorder_add_chain(world->recorder, def, id);
    }
}

static inline void grz_note_chain_end(const graze_world *world, graze_status status,
                                      graze_chain_id chain)
{
    if (grz_is_recorded(world, status)) {
        grz_recorder_add_chain_end(world->recorder, chain);
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
