/// @file solve.h
/// Rigid bodies: their contacts, and the velocities and places to which these lead.
///
/// Source     E. Catto 2024, "Solver2D" (soft contacts in substeps, with relaxation); M. Macklin
///            et al. 2019, "Small Steps in Physics Simulation"; E. Catto 2005, "Iterative Dynamics
///            with Temporal Coherence" (warm starting).
///
/// Propose    The solver only proposes where bodies go: pull_back.c stores nothing that leaks.
/// Order      Contacts are solved in an order that follows from ids alone, and lanes and threads
///            only share them out: so the bits are the same for all.
/// State      Of a step's contacts the world keeps impulses and manifolds (grz_cached_contact):
///            snapshots hold them, and graze_world_hash covers them.
#ifndef GRZ_SOLVE_H
#define GRZ_SOLVE_H

#include "collide/tolerance.h"
#include "world/bodies.h"
#include "world/solve_state.h"
#include "world/world_state.h"

enum {
    GRZ_BLOCK_SLOTS = 1024,  ///< A block of bodies in the solver: see parallel.h,
    GRZ_BLOCK_CONTACTS = 256 ///< and one whose contacts are found, which takes longer.
};

/// Numbers the rigid bodies of the step, and parts the pairs that the solver decides from the
/// candidate pairs. Returns false if memory runs out.
bool grz_solve_number(graze_world *world);

/// Gives back the traits of bodies that joined the rigid ones for the step, or that flew.
void grz_solve_part_joined(graze_world *world);

/// Finds the contacts of all pairs, and of rigid bodies with terrain, by key. Returns false if
/// memory runs out.
bool grz_solve_find_contacts(graze_world *world);

/// Finds the walls that each body may come to in the step. Returns false if memory runs out.
bool grz_solve_find_walls(graze_world *world);

/// Takes away the contacts of pairs that are hidden behind others: at the ends of sides. Returns
/// false if memory runs out.
bool grz_solve_hide_ghosts(graze_world *world);

/// Decides which rigid bodies fly: those that no contact binds, and that may meet something. What
/// they meet are impacts, which Respond finds in the order of time; the solver only says where they
/// go if they meet nothing. Returns false if memory runs out.
bool grz_solve_let_fly(graze_world *world);

/// Finds the contacts of discs that pass each other by, and that nothing else is near: they hold
/// nothing.
void grz_solve_let_pass(graze_world *world);

/// Notes how bodies that flew have turned, when all impacts are known.
void grz_solve_note_flights(graze_world *world);

/// Decides which rigid bodies are awake in this step: what is in contact with one that is awake, or
/// with a driven one that moves, is too. Returns false if memory runs out.
bool grz_solve_wake(graze_world *world);

/// Fills in the bodies as the first substep sees them, after gravity. Returns false if memory runs
/// out.
bool grz_solve_begin(graze_world *world);

/// Packs the contacts of bodies that are awake: those of a group share no body that gives way, and
/// those that no body gives way to come last. Returns false if memory runs out.
bool grz_solve_pack(graze_world *world);

/// Finds the velocities and moves of all bodies that are awake.
void grz_solve_sweep(graze_world *world);

/// Returns the impulse of a contact along its normal.
typedef float grz_impulse_fn(const grz_solve *solve, const grz_constraint_contact *contact);

/// Sums up, by slot, the impulses with which terrain and driven bodies hold it, against them.
void grz_solve_sum_pressed(grz_solve *solve, grz_impulse_fn *impulse_of);

/// Lets driven bodies push whole rows at their own speed, after the sweeps of a substep.
void grz_solve_drive(graze_world *world);

/// Returns whether what does not give way moves the body of a contact on.
bool grz_is_driven_on(const graze_world *world, const grz_constraint_contact *contact);

/// Takes from islands, where nothing falls, the energy that contacts gave them.
void grz_solve_take_gains(graze_world *world);

/// Parts what bounces, after that.
void grz_solve_bounce(graze_world *world);

/// Returns how far `turn` leads the corners of a rect beyond where its spin does, in units:
/// contacts may turn a body farther.
double grz_swing_of(const graze_world *world, grz_row row, float turn);

/// Fills in ends of rigid bodies: where the solver wants them, and no farther than leads through a
/// wall or another body. Returns false if memory runs out.
bool grz_solve_pull_back(graze_world *world);

/// Returns a move of a body of which only `most` is left along a unit vector. Where the rest leads
/// it into what it touches, and what gives no way, it keeps its direction. To be asked when the
/// moves of all are known.
graze_vec2d grz_solve_held_back(const grz_solve *solve, grz_slot slot, graze_vec2d move,
                                graze_vec2d way, double most);

/// Notes for how long bodies have been slow, and puts islands to sleep that have been for long
/// enough.
void grz_solve_rest(graze_world *world);

/// Reports what rigid bodies have met on their way. Returns false if memory runs out.
bool grz_solve_report(graze_world *world);

/// Prepares the cache of the next step. Returns false if memory runs out.
bool grz_solve_note_cache(graze_world *world);

/// Commits what the step has found. Cannot fail.
void grz_solve_commit(graze_world *world);

/// Makes room for the kept contacts of bodies that may become still after this step: `count` of
/// them. Returns false if memory runs out.
bool grz_solve_reserve_still(graze_world *world, uint32_t count);

/// Moves what is kept of contacts between bodies that have become still to still_cache. Room must
/// have been reserved in the step.
void grz_solve_set_still_apart(graze_world *world);

/// Moves what is kept of contacts of bodies that have become active back. Returns false, with both
/// lists as they were, if memory runs out.
bool grz_solve_put_woken_back(graze_world *world);

/// A place in all that is kept of contacts. All zero: before the first.
typedef struct grz_kept_cursor {
    uint32_t active, still;
} grz_kept_cursor;

/// Returns the next of all kept contacts, by key; null if there are no more.
const grz_cached_contact *grz_kept_contact_next(const grz_solve *solve, grz_kept_cursor *cursor);

/// Returns how many there are.
uint32_t grz_kept_contact_count(const grz_solve *solve);

/// Makes room for `count` in all. Returns false if memory runs out.
bool grz_kept_contacts_reserve(graze_world *world, size_t count);

/// Replaces all of them by copies of these, at any address, by key. All bodies are active. Room
/// must have been reserved.
void grz_kept_contacts_replace(grz_solve *solve, const void *list, uint32_t count);

/// Lets the next step make the manifolds of a body anew: its shape has changed.
///
/// Cost       Proportional to all kept contacts.
void grz_solve_forget_manifolds(grz_solve *solve, graze_body_id body);

/// Wakes the bodies that are in contact with a chain: before its surface changes.
///
/// Cost       Proportional to all kept contacts.
void grz_solve_wake_on(graze_world *world, graze_chain_id chain);

/// Returns where the items of a slot begin in a list of which `ends` says where they end.
static inline uint32_t grz_first_of(const grz_numbers *ends, grz_slot slot)
{
    return slot ? ends->data[slot - 1] : 0;
}

/// Returns how many items of a slot there are.
static inline uint32_t grz_count_of(const grz_numbers *ends, grz_slot slot)
{
    return ends->data[slot] - grz_first_of(ends, slot);
}

/// Returns the slot that terrain has.
static inline grz_slot grz_terrain_slot(const grz_solve *solve)
{
    return solve->slot_count;
}

/// Returns the slot of the lanes of packs that are not full.
static inline grz_slot grz_dummy_slot(const grz_solve *solve)
{
    return solve->slot_count + 1;
}

/// A contact in its pack.
typedef struct grz_packed {
    grz_pack_sides *sides;
    grz_pack_point *points; ///< At least as many as its manifold has.
    uint32_t lane;
} grz_packed;

/// Returns where a contact that is solved is packed.
static inline grz_packed grz_packed_of(const grz_solve *solve,
                                       const grz_constraint_contact *contact)
{
    const uint32_t pack = contact->pack / GRZ_PACK, lane = contact->pack % GRZ_PACK;
    grz_pack_one *one = solve->ones.data + pack;
    grz_pack_two *two = solve->twos.data + pack;
    const grz_packed as_one = {&one->sides, one->points, lane};
    const grz_packed as_two = {&two->sides, two->points, lane};
    return contact->as_two ? as_two : as_one;
}

/// Scales all impulses of a contact.
static inline void grz_scale_impulses(grz_constraint_contact *contact, float by)
{
    contact->impulses[0] *= by;
    contact->impulses[1] *= by;
    contact->friction_impulse *= by;
    contact->rolling_impulse *= by;
}

/// Returns the cross product of a lever and a normal.
static inline float cross_of(graze_vec2 lever, graze_vec2 normal)
{
    return lever.x * normal.y - lever.y * normal.x;
}

static inline float dot_of(graze_vec2 lever, graze_vec2 normal)
{
    return lever.x * normal.x + lever.y * normal.y;
}

/// What two surfaces do to each other.
typedef struct grz_mixed_surface {
    float friction;    ///< The geometric mean.
    float restitution; ///< The larger one.
    float rolling;     ///< The larger resistance.
    float slip;        ///< How fast the belts move the two along the surface, units per second.
} grz_mixed_surface;

/// Mixes the surfaces of a body and of another, or, where `row_b` is GRZ_NONE, of a segment.
/// `normal` leads from the body to what it meets.
grz_mixed_surface grz_mix_surfaces(const graze_world *world, grz_row row_a, grz_row row_b,
                                   graze_segment_id segment, graze_vec2d normal);

/// Returns the length of a substep of the step under way, seconds.
static inline float grz_substep_of(const graze_world *world)
{
    return world->call.dt / (float)world->config.substeps;
}

/// Returns how long substeps take in the mean, seconds: up to now, and with the step under way.
static inline float grz_mean_substep(const graze_world *world)
{
    return world->reports.stats.step_count ? world->solve.mean_substep : grz_substep_of(world);
}

static inline float grz_next_mean_substep(const graze_world *world)
{
    const float mean = grz_mean_substep(world);
    const uint64_t steps = world->reports.stats.step_count + 1;
    return mean + (grz_substep_of(world) - mean) / min_float((float)steps, grz_steps_in_mean);
}

/// Returns the smaller gap of a manifold, which has points.
static inline double grz_least_gap(const grz_manifold *manifold)
{
    return (double)min_float(manifold->gaps[0], manifold->gaps[manifold->count > 1]);
}

#endif
