/// @file step.h
/// The phases of a step, in the order in which world.c runs them; grz_step_<phase> is in
/// step_<phase>.c. Up to Commit they change nothing that a game can see, so that a failure leaves
/// the world as it was.
#ifndef GRZ_STEP_H
#define GRZ_STEP_H

#include "state.h"

/// Computes where every body would go if nothing stopped it, and its swept box.
graze_status grz_step_predict(graze_world *world, float dt);

/// Sorts the swept boxes into the grid. Its places are not rows: see grz_rows_of_places.
graze_status grz_step_sort(graze_world *world);

/// Puts the rows into the order of the last sort, if that is worth while and Sort has not done so:
/// called by Commit, before rows come or go.
void grz_step_order_rows(graze_world *world);

/// Finds the pairs whose boxes overlap and whose filters agree, and passes them on to be decided
/// some hundred at a time: a list of all would have left the cache before it was read.
graze_status grz_step_pairs(graze_world *world);

/// Decides where bodies on fixed courses (those that nothing deflects) meet terrain. Now every
/// contact of two things on fixed courses is known, and every pair with a free body is in the list
/// of meetings.
graze_status grz_step_decide(graze_world *world);

/// The last part of Decide: finds the walls that bodies on fixed courses meet. Returns false if
/// memory runs out.
bool grz_step_walls(graze_world *world);

/// Finds the courses of free bodies (those that may be deflected or spent), and what they meet on
/// the way that they really take.
graze_status grz_step_respond(graze_world *world);

/// The last part of Respond: finds what free rays meet and where they end. Returns false if memory
/// runs out.
bool grz_step_rays(graze_world *world);

/// Resolves a free ray's contacts one event after the other, in order of time. Returns false if
/// memory runs out.
bool grz_respond_by_events(graze_world *world, uint32_t row);

/// Sorts the contacts, reserves all memory that Commit and Report need, and refuses too many
/// contacts.
graze_status grz_step_collate(graze_world *world);

/// Moves the bodies, and removes those that are spent. Cannot fail.
void grz_step_commit(graze_world *world, float dt);

/// Matches the contacts with those of the last step, which gives BEGIN, STAY and END, and publishes
/// them. Cannot fail.
void grz_step_report(graze_world *world);

/// Returns the time in seconds, for differences only.
double grz_now_in_seconds(void);

/// Returns the rank of a contact, by which contacts are ordered: by a, then by b, those with
/// terrain first. The lowest bit says whether one is a sensor; it never decides the order.
static inline uint64_t grz_rank(uint32_t a_index, uint32_t b_index, bool sensor)
{
    return (uint64_t)a_index << 32 | b_index << 1 | sensor;
}

static inline uint32_t grz_a_of_rank(uint64_t rank)
{
    return (uint32_t)(rank >> 32);
}

static inline uint32_t grz_b_of_rank(uint64_t rank)
{
    return (uint32_t)rank >> 1;
}

/// Returns the contact for a touch; row_b is GRZ_NONE against terrain.
graze_contact grz_contact_of(const graze_world *world, uint32_t row_a, uint32_t row_b,
                             graze_segment_id segment, const grz_touch *touch);

/// Adds a contact to those of this step; row_b is GRZ_NONE against terrain. Returns false if memory
/// runs out.
bool grz_contact_add(graze_world *world, uint32_t row_a, uint32_t row_b, graze_segment_id segment,
                     const grz_touch *touch);

#endif
