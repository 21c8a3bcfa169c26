/// @file sleep.h
/// Bodies at rest stay out of the step.
///
/// Rows are in two groups: [0, active_count) are active, the others, up to body_count, are still:
/// they have neither moved nor spun during a whole step, and what they meet among still bodies and
/// terrain is the same in every step from then on.
///
/// Fixed      A still, kinematic body: only a call of the game can change it.
/// Sleepers   Still bodies that are dynamic, such as crates of a stack. What a step does to a body
///            depends on the body and on those that it may meet, and so on: an island. If a step
///            left a whole island as it was, to the last bit, so will the next one, of the same
///            length, unless something comes near (trajectory.c finds such islands).
///            A body of the solver is a sleeper once it, and all that it may meet, has been asleep
///            through a whole step (island.c) that left what the solver keeps as it was.
///            Being asleep is part of the state, being still is not: a rigid sleeper that becomes
///            active sleeps on, unless what happens to it wakes it.
/// Waking     A sleeper wakes before a call changes it or a still body in its box, before terrain
///            near it comes or goes, before a step of another length, and in a step, before
///            anything is decided, if an active body's box overlaps its own (Predict). All sleepers
///            that it may meet wake with it. Their boxes are those that Predict would make, so that
///            the pairs of an active body and a sleeper are known before both are sorted.
///
/// If the world has a filter callback nothing is still, because the callback is asked in every
/// step.
///
/// Invariants
/// - Each still body is in the grid of bodies at rest, and none is in that of the last sort.
/// - A still row's end is its position, its end_velocity its velocity, its end_rotation its
///   rotation, its turn 0, so that columns may be exchanged.
/// - Contacts of still bodies with each other and with terrain stay in the lists of reports from
///   step to step; of_contacts and of_keys list the places of all others there. Those of bodies
///   that woke since then are not listed yet (voided).
/// - Which bodies are still is derived: no result depends on it, and no snapshot holds it.
#ifndef GRZ_SLEEP_H
#define GRZ_SLEEP_H

#include "world/world_state.h"

/// Wakes a body before the game changes it: if it is rigid it is no longer asleep. All sleepers
/// that this may reach become active.
void grz_sleep_wake(graze_world *world, grz_index index);

/// Makes all bodies active, which changes no result. Rigid ones that are asleep sleep on.
void grz_sleep_make_all_active(graze_world *world);

/// Wakes all bodies: before the gravity changes, or the substeps.
void grz_sleep_wake_all(graze_world *world);

/// Makes the bodies active that a chain of these points may touch: before it comes or goes.
void grz_sleep_make_active_near(graze_world *world, const graze_vec2 *points, uint32_t count);

/// Marks all bodies active: they are new, and unsorted.
void grz_sleep_forget(graze_world *world);

/// Called when a step begins: wakes all bodies if so few are still that it does not pay, or if
/// `gravity_step`, the velocity that gravity adds in the step, is not finite; and all sleepers if
/// it or `dt` differs from the last step's.
void grz_sleep_review(graze_world *world, graze_vec2 gravity_step, float dt);

/// Called when the boxes of active rows are known, and before they are used: wakes the sleepers
/// that an active body may meet. Returns whether there are any: the last active rows are theirs,
/// and have no boxes yet.
bool grz_sleep_wake_met(graze_world *world);

/// Returns whether an active body is kinematic, and at rest.
bool grz_sleep_is_fixed(const graze_world *world, grz_row row);

/// Called after a step: makes bodies at rest still, if that pays. Returns whether any became still.
bool grz_sleep_make_still(graze_world *world);

/// The position in a stream of pairs of an active and a still body.
typedef struct grz_sleep_cursor {
    grz_row row;
    bool open;
    graze_grid_cursor places;
} grz_sleep_cursor;

/// Writes the next pairs of rows, active and still, whose boxes overlap, but for those of which one
/// passes the other (graze_grid_moves), at most `capacity`, and returns how many; 0 when there are
/// no more. A cursor that is all zero stands before the first.
uint32_t grz_sleep_next_pairs(const graze_world *world, grz_sleep_cursor *cursor, graze_pair *pairs,
                              uint32_t capacity);

/// Finds the reports of bodies that have woken, which do not stay. Returns false if memory runs
/// out.
bool grz_sleep_void_contacts(graze_world *world);

/// Returns the index of the still body at a place in the grid of the rest.
static inline grz_index grz_sleep_index_of_place(const graze_world *world, uint32_t place)
{
    return world->sleep.index_of_place.data[place];
}

#endif
