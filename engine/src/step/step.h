/// @file step.h
/// The phases of a step, in the order in which step.c runs them. Each is a function; small ones are
/// in step.c, the others in a file of their name. Up to Commit they change nothing that a game can
/// see, so that a failure leaves the world as it was.
///
/// Folders, from the top down: a file includes headers of its own folder and of those below it, and
/// no others. tests/layout reads this table.
///
///   history/         snapshots, hashes of the state, recording and replaying
///   api/             what games call: worlds, bodies, chains, queries
///   step/            the list of phases, and those of them that are in no folder below: pairs,
///                    decide, respond and rays, the order of contacts, commit, report
///   solve/           what happens to bodies that touch: islands and their solver; impacts in the
///                    order of time
///   collide/         whether and when shapes touch: two bodies, a body and terrain; swept boxes;
///                    certified moves; bodies at rest
///   world/           the state: bodies and their columns, filters, contacts, the world itself; how
///                    a recording hears of calls
///
/// The engine_*.c beside them compile the loops of all for a set of lanes.
///
/// Words, as all files of this module use them.
///
/// Of bodies (the first three are types, in body_state.h)
///   index            of an id; it never changes
///   row              a place in the columns of body_state.h, whose order changes
///   slot             a body's number in the solver, in the order of indices (slots.c)
///   place            an element's position in a list, or an item's in a grid
///   active, still    takes part in the step; at rest and kept out of it (sleep.h)
///   asleep           of an island: it has been slow for long enough (island.c)
///   kinematic        nothing deflects it: GRAZE_PASS without a hit_limit, and what the solver has
///                    moved already
///   dynamic          what it meets may deflect or remove it
///   isolated         dynamic, and may meet walls, but no other body except rays and sensors
///                    (adjacency.h)
///   sleeper          a still body that is dynamic
///   gives way        of a body: impulses move it; others act as of infinite mass
///   plain ray        a dynamic ray that its next hit removes, and that goes straight up to it
///   spent            removed by its last hit (GRAZE_CONTACT_SPENT)
///   removed          by a step, but readable until the next one
///   unsorted         not where the last sort had it
///
/// Of motion
///   mover            a body, or a shape of a query, that is tested against terrain
///                    (terrain_sweep.h)
///   move             its straight displacement, from one point to another
///   trajectory       of a dynamic body in this step, in straight pieces between knots; a body that
///                    nothing touches goes straight, and needs none
///   course           where a piece leads: its ends, or its velocity, in units per step
///   deflection       a change of a trajectory: the body stops, slides, bounces, or is removed
///   reach            how far a body may go in this step: the boxes of dynamic ones allow for it
///   gravity step     the velocity that gravity adds in this step
///   desired          the velocity that a sliding body would have if nothing held it back
///   share            the part of a change of speed that is a body's, by inverse masses
///
/// Of contacts
///   wall             a segment of terrain
///   candidate pair   two whose boxes overlap, at least one of them dynamic
///   touch            the result of a sweep: the time of impact, point, normal and depth
///   event            a touch that lies ahead: it happens unless a trajectory changes before
///   rank, key        what contacts are sorted by: indices; what they are matched by: ids
///   word             a rank, and the place of its contact, while contacts are sorted
///                    (contact_order.c)
///
/// Of the solver
///   joins            of a body that slides or bounces: the solver moves it in this step, as it may
///                    touch another that gives way
///   bound, flies     the solver moves it; it meets what it meets in the order of time (slots.c)
///   island           bodies in contact, which fall asleep and wake together (island.c)
///   pack             contacts that lanes solve together (pack.c)
#ifndef GRZ_STEP_H
#define GRZ_STEP_H

#include "world/world_state.h"

// --- The phases ---

/// Computes where every body would go in world->call.dt if nothing stopped it, and its swept box.
graze_status grz_step_predict(graze_world *world);

/// The last part of it: anew, if bodies are carried farther than they reached.
graze_status grz_step_predict_boxes(graze_world *world);

/// Sorts the swept boxes into the grid. Its places are not rows: see grz_rows_of_places.
graze_status grz_step_sort(graze_world *world);

/// Finds the pairs whose boxes overlap and whose filters agree, but for discs whose circles do not,
/// and passes them on to be decided some hundred at a time: a list of all would have left the cache
/// before it was read.
graze_status grz_step_pairs(graze_world *world);

/// Decides where kinematic bodies (those that nothing deflects) meet terrain. Now every
/// contact of two kinematic things is known, and every pair with a dynamic body is in the list of
/// candidate pairs.
graze_status grz_step_decide(graze_world *world);

/// Finds where rigid bodies go, and what they meet among each other, driven bodies and terrain.
/// From here on they are kinematic.
graze_status grz_step_solve(graze_world *world);

/// Finds the courses of dynamic bodies (those that may be deflected or spent), and what they meet
/// on the way that they really take.
graze_status grz_step_respond(graze_world *world);

/// Sorts the contacts, reserves all memory that Commit and Report need, and refuses too many
/// contacts. In the stats its time is Report's.
graze_status grz_step_collate(graze_world *world);

/// Moves the bodies, and removes those that are spent. Cannot fail.
void grz_step_commit(graze_world *world);

/// Matches the contacts with those of the last step, which gives BEGIN, STAY and END, and publishes
/// them. Cannot fail.
void grz_step_report(graze_world *world);

// --- A part of a phase, in a file of its own ---

// What is driven moves what it meets as fast as it goes itself, be it at rest, and what lies before
// that: it may be farther in a step than the boxes by which pairs were found. A step that leaves
// such a body inside of what drives it is proposed anew, with boxes that reach as far as bodies are
// carried. Else a flipper would go through the ball that lies on it.

/// Returns whether what is driven, as the step is proposed, ends so deep in another body that it
/// does not hold it, and deeper than it was. Cost: a look at all candidate pairs.
bool grz_carry_is_needed(const graze_world *world);

/// Finds, by the candidate pairs, how far bodies are carried, and sets the column of carries. Sets
/// `*more`: some are carried farther than they reached before. Returns false when there is no
/// memory. Cost: a few looks at all candidate pairs.
bool grz_carry_find(graze_world *world, bool *more);

/// The last part of Respond: finds what dynamic rays meet and where they end. Returns false if
/// memory runs out.
bool grz_step_rays(graze_world *world);

/// Of Respond: resolves a dynamic ray's contacts one event after the other, in order of time.
/// Returns false if memory runs out.
bool grz_respond_by_events(graze_world *world, grz_row row);

/// Of Commit, before rows come or go: puts the rows into the order of the last sort, if that is
/// worth while and Sort has not done so.
void grz_step_order_rows(graze_world *world);

// --- The clock ---

/// Returns the time in seconds, for differences only: by it the phases are timed, for the stats,
/// and the shares of Pairs and Decide.
double grz_now_in_seconds(void);

#endif
