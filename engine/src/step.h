/// @file step.h
/// The phases of a step, one file each, in the order in which they run. Up to Commit they change
/// nothing that a game can see, so that a failure leaves the world as it was.
#ifndef GRZ_STEP_H
#define GRZ_STEP_H

#include "state.h"

/// Fills where every body would go, and the box around its way.
graze_status grz_step_predict(graze_world *world, float dt);

/// Sorts the boxes into the grid. Its places are not rows: see grz_rows_of_places.
graze_status grz_step_sort(graze_world *world);

/// Puts the rows into the order of the last sort if that is worth while and Sort has not done so:
/// for Commit, before rows come or go.
void grz_step_order_rows(graze_world *world);

/// Finds the pairs whose boxes overlap and whose filters agree, and has them decided some hundred
/// at a time: a list of all would leave the cache before it is read.
graze_status grz_step_pairs(graze_world *world);

/// Decides where bodies on fixed courses meet terrain. Now every contact of two things on fixed
/// courses is found, and every pair with a free body is among the meetings.
graze_status grz_step_decide(graze_world *world);

/// Finds which walls bodies on fixed courses meet: the last part of Decide. Returns false when
/// there is no memory.
bool grz_step_walls(graze_world *world);

/// Finds the courses of free bodies, and what they meet on the way that they really take.
graze_status grz_step_respond(graze_world *world);

/// Finds what free rays meet, and where they end: the last part of Respond. Returns false when
/// there is no memory.
bool grz_step_rays(graze_world *world);

/// Lets a free ray meet what is on its way, event by event. Returns false when there is no memory.
bool grz_respond_by_events(graze_world *world, uint32_t row);

/// Sorts the contacts and takes all memory that Commit and Report need; refuses too many contacts.
graze_status grz_step_collate(graze_world *world);

/// Moves the bodies, and removes those that are spent; cannot fail.
void grz_step_commit(graze_world *world, float dt);

/// Matches the contacts with the last step's and publishes them; cannot fail.
void grz_step_report(graze_world *world);

/// Returns the seconds of a clock, to be subtracted from one another.
double grz_now_in_seconds(void);

/// Returns the rank of a contact, by which contacts are ordered: by a, then by b, those with
/// terrain first. The lowest bit says whether one is a sensor; it never decides the order.
static inline uint64_t grz_rank(uint32_t a_index, uint32_t b_index, bool sensor)
{
    return (uint64_t)a_index << 32 | b_index << 1 | sensor;
}

/// Returns the contact that a touch is; row_b is GRZ_NONE against terrain.
graze_contact grz_contact_of(const graze_world *world, uint32_t row_a, uint32_t row_b,
                             graze_segment_id segment, const grz_touch *touch);

/// Adds a contact to the fresh ones; row_b is GRZ_NONE against terrain. Returns false when there is
/// no memory.
bool grz_contact_add(graze_world *world, uint32_t row_a, uint32_t row_b, graze_segment_id segment,
                     const grz_touch *touch);

/// Notes for each body whether it met anything in the last step. Returns false when there is no
/// memory.
bool grz_note_met_before(graze_world *world);

/// Returns whether the body with this index met anything in the last step.
static inline bool grz_has_met_before(const graze_world *world, uint32_t index)
{
    return world->met_before.data[index / 32] >> index % 32 & 1;
}

/// Makes grz_pair_met_before quick: at its place in the step, before it is first asked. Returns
/// false when there is no memory.
bool grz_keys_index(graze_world *world);

/// Returns whether this pair met in the last step. Runs on any thread.
bool grz_pair_met_before(const graze_world *world, const graze_contact *contact);

/// Returns the earlier key negative, the later positive, equal ones 0: by a, b, segment.
int grz_key_compare(const graze_contact_end *first, const graze_contact_end *second);

/// Returns what a contact is between.
graze_contact_end grz_key_of(const graze_contact *contact);

#endif
