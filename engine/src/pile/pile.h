/// @file pile.h
/// Bodies that lie on each other move together.
///
/// Events that happen one after the other (event_happen.c) cannot settle a pile: each of its bodies
/// touches several others at once, but is deflected only a few times per step. So before any event,
/// the velocities of all bodies of a pile are solved together, until none comes closer to what it
/// lies on.
///
/// Piles      Two or more bodies that slide or bounce, each close to another of them, if at least
///            one of them presses on something that gives no way, which holds them. Bodies that
///            fall freely are no pile: their events happen one after the other, and keep their
///            momentum. Two that meet so fast that they bounce off each other do not count as
///            close.
/// Crowds     Without gravity, three or more bodies that press on each other are a pile, even if
///            nothing holds them. They keep the velocities that the sweeps leave; how they move in
///            this step is found separately: pile_crowd.h.
/// Velocities Found by impulses along the normals, and friction, in sweeps down and up the pile
///            (projected Gauss-Seidel: Moreau 1988; as sequential impulses: Catto 2006, "Fast and
///            Simple Physics using Sequential Impulses"). The sweeps start from a guess: from the
///            highest down, each body presses on what it lies on with its own weight and all that
///            it bears. Where bodies with friction lean on each other that is not enough, and they
///            start from the impulses of the last step (a warm start: kept_impulses.h). The
///            approach that the sweeps leave is then taken from the upper body, from the lowest up
///            (shock propagation: Guendelman, Bridson, Fedkiw 2003, "Nonconvex Rigid Bodies with
///            Stacking").
/// Rest       Sweeps, roundings and what parts leave speeds that would never end. So a body of a
///            pile stays where it was if along either axis it would move by no more than a 2^19th
///            of its size (tolerance.h), or than positions are rounded, is no faster than a 256th
///            of what gravity adds in the step, and overlaps nothing 16 times as deep as it may.
///            (What starts to slide down a slope of a quarter of a degree is faster.) And in piles
///            that lean (kept_impulses.h) two bodies part only if they overlap 16 times as deep as
///            they may: whenever they do they disturb the whole heap.
/// Order      By height against gravity, then by ids: a function of the state alone.
#ifndef GRZ_PILE_H
#define GRZ_PILE_H

#include "state.h"

/// Finds the piles, and how their bodies move at first. To be called before events are foreseen.
/// Returns false when there is no memory.
///
/// Cost       Proportional to the candidate pairs of bodies that slide or bounce; for bodies of
///            piles also the sweeps, a sort and a search of terrain.
bool grz_piles_move(graze_world *world);

/// Stops the bodies of piles that creep (Rest). To be called when all motions are known.
///
/// Cost       Proportional to the bodies of piles.
void grz_piles_stop_creeping(const graze_world *world);

/// Returns whether a body is one of a pile, and was close, when the step began, to what it touches
/// in the event. `motion` may be null.
bool grz_piles_are_near(const graze_world *world, const grz_motion *motion, const grz_event *event);

/// Returns whether one of the two bodies of an event is of a pile, and an impulse acted on it from
/// what it touches in the event. Either body may be null.
bool grz_piles_press(const graze_world *world, const grz_event *event, const grz_motion *a,
                     const grz_motion *b);

/// Returns whether there is gravity and two bodies, both of piles, are both stuck. If there is
/// gravity and both are of piles, `upright` is the vertical direction from a to b: down if a comes
/// later in the order of the pile, else up.
bool grz_piles_jam(const graze_world *world, const grz_motion *a, const grz_motion *b,
                   graze_vec2d *upright);

void grz_piles_free(grz_piles *piles, const graze_allocator *allocator);

#endif
