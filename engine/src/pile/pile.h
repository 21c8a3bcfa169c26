/// @file pile.h
/// Bodies that lie on each other move together.
///
/// Touches that happen one after the other (event_happen.c) cannot settle a pile: each of its
/// bodies touches several others at once, and turns only a few times a step. So before anything
/// happens, the bodies of a pile push each other until none comes closer to what it lies on.
///
/// Piles      Two or more bodies that slide or bounce, each close to another of them, held by
///            something that gives no way and that one of them presses on. What falls freely is no
///            pile: its touches happen one after the other, and keep its momentum. Two that come
///            together so fast that they are thrown back are not taken for close.
/// Crowds     Without gravity, three or more bodies that press on each other are a pile, even if
///            nothing holds them. They keep the velocities that the sweeps leave; how they move in
///            this step is found separately: pile_crowd.h.
/// Velocities By impulses along the normals, and friction, in sweeps down and up the pile
///            (projected Gauss-Seidel: Moreau 1988; as sequential impulses: Catto 2006, "Fast and
///            Simple Physics using Sequential Impulses"). They start from a guess: each body, from
///            the highest down, bears down on what it lies on with all that it bears itself. What
///            the sweeps leave of an approach the upper body loses, from the lowest up (shock
///            propagation: Guendelman, Bridson, Fedkiw 2003, "Nonconvex Rigid Bodies with
///            Stacking").
/// Order      By height against gravity, then by ids: a function of the state alone.
#ifndef GRZ_PILE_H
#define GRZ_PILE_H

#include "state.h"

/// Finds the piles, and how their bodies move at first: before anything is foreseen. Returns false
/// when there is no memory.
///
/// Cost       Proportional to the candidate pairs of bodies that slide or bounce; for the close
///            pairs of piles the sweeps, a sort and a search of terrain.
bool grz_piles_move(graze_world *world);

/// Returns whether a body, if it is one of a pile, was close to what the event has it touch when
/// the step began. `motion` may be null.
bool grz_piles_are_near(const graze_world *world, const grz_motion *motion, const grz_event *event);

/// Returns whether one of the two bodies of an event, which may be null, is of a pile, and has been
/// pushed by what the event has it touch.
bool grz_piles_press(const graze_world *world, const grz_event *event, const grz_motion *a,
                     const grz_motion *b);

/// Returns whether there is gravity and neither of two bodies, both of piles, found a way to go.
/// Then finds the direction from a to b that is upright: down, if a is higher, or as high and its
/// id is larger; else up.
bool grz_piles_jam(const graze_world *world, const grz_motion *a, const grz_motion *b,
                   graze_vec2d *upright);

void grz_piles_free(grz_piles *piles, const graze_allocator *allocator);

#endif
