/// @file kept_impulses.h
/// The impulses that the constraints of piles keep from step to step.
///
/// Friction holds a body only with what the body bears, and sixteen sweeps do not find out what
/// the lowest bodies of a heap bear. So constraints with friction keep their impulses: the sweeps
/// of the next step begin with them (a warm start: Catto 2006, "Fast and Simple Physics using
/// Sequential Impulses"), and each step comes closer to the impulses under which the heap rests.
///
/// Leaning    Only piles that lean keep impulses: some constraint is slanted. Where all are upright
///            or level, as in stacks of crates, the guess of weights (pile_push.c) is right, and
///            the pile comes to rest at once. Without friction a pile that kept impulses would
///            take longer to come to rest: bodies would roll to and fro on each other.
/// Rest       A pile that a step leaves as it was, to the last bit, keeps the impulses with which
///            it began: so the next step does the same, and the pile can sleep (rest.h). Otherwise
///            crates that bear each other in many ways would shift their weights for minutes.
/// Jams       What a wall drives into a wedge cannot yield, and its impulses would grow from step
///            to step. So where those of a body do not cancel each other and gravity, but would
///            give it many times its speed, its whole pile begins without any.
/// State      They are part of the world's: snapshots hold them, and graze_world_hash covers them.
///
/// Invariants
/// - Those of one upper body are side by side, in the order of their constraints. Those of bodies
///   that are still come first (still_count), and stay as long as the bodies do; all others are
///   replaced in each step.
/// - Only bodies in the world have any: when one leaves it, its own are forgotten, and no body that
///   is created gets them with its index. (What lies on a body or wall knows it by its index alone.
///   If another takes its place between two steps, what it bore is the first guess for that one.)
#ifndef GRZ_KEPT_IMPULSES_H
#define GRZ_KEPT_IMPULSES_H

#include "state.h"

/// Some of them, side by side.
typedef struct grz_kept_span {
    const grz_kept_impulse *data;
    uint32_t count;
} grz_kept_span;

/// Returns those of which the body with this index is the upper one, in the order of constraints.
grz_kept_span grz_kept_of(const graze_world *world, uint32_t index);

/// Returns how many there are.
uint32_t grz_kept_count(const graze_world *world);

/// Finds the piles that lean, sets how deep their bodies may overlap until they part, and begins
/// the constraints with what they kept, which changes step_velocities.
///
/// Cost       Proportional to the constraints.
void grz_kept_recall(graze_world *world);

/// Notes what the constraints are to keep when the step is committed. To be called when all motions
/// are known, and what creeps has stopped. Returns false when there is no memory.
///
/// Cost       Proportional to the bodies of piles and their constraints.
bool grz_kept_note(graze_world *world);

/// Replaces what active bodies have kept by what was noted. Cannot fail.
void grz_kept_commit(graze_world *world);

/// Sets apart what still bodies keep, which steps do not visit: to be called when bodies have
/// become still.
void grz_kept_set_still_apart(graze_world *world);

/// Makes room for `count` in all, of bodies with indices below `indices`. Returns false when there
/// is no memory.
bool grz_kept_reserve(graze_world *world, size_t count, size_t indices);

/// Replaces all of them by copies of these, at any address. Those of one upper body are side by
/// side there. Room must have been reserved.
void grz_kept_replace(graze_world *world, const void *list, uint32_t count);

void grz_kept_free(grz_kept_impulses *kept, const graze_allocator *allocator);

/// Forgets those of a body that leaves the world.
static inline void grz_kept_forget(graze_world *world, uint32_t index)
{
    grz_numbers *places = &world->kept_impulses.places;
    if (index < places->count) {
        places->data[index] = GRZ_NONE;
    }
}

#endif
