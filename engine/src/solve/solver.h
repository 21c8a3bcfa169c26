/// @file solver.h
/// The sweeps over packed contacts, in lanes: see lanes.h and solver_wide.h.
#ifndef GRZ_SOLVER_H
#define GRZ_SOLVER_H

#include "lanes_choice.h"
#include "world/solve_state.h"

/// How an overlap is solved in a sweep: E. Catto 2011, "Soft Constraints".
typedef struct grz_softness {
    float rate;          ///< The share of an overlap that is left per second; 0: none.
    float mass_share;    ///< How much of the impulse that a hard contact would give,
    float impulse_share; ///< and how much of the impulse so far is given up.
} grz_softness;

/// What a sweep needs besides packs and bodies. Bodies are eight floats each, by slot: packs name
/// the place of the first, in pairs of floats, by which processors address without a shift.
typedef struct grz_sweep {
    float *bodies;
    float per_second; ///< 1 over the length of a substep.
    grz_softness soft, fixed;
    bool relax; ///< Overlaps are not solved: what the bias added to velocities goes.
} grz_sweep;

typedef void grz_sweep_packs_fn(const grz_sweep *sweep, void *packs, uint32_t contacts,
                                bool is_fixed);

/// Fills packs, of which each lane knows its contact.
typedef void grz_fill_packs_fn(grz_constraint_contact *list, const float *bodies, void *packs,
                               uint32_t contacts);

/// Takes the impulses that sweeps have found to their contacts.
typedef void grz_take_packs_fn(grz_constraint_contact *list, const void *packs, uint32_t contacts);

/// Of grz_pack_one, and of grz_pack_two.
typedef struct grz_solver_loops {
    grz_sweep_packs_fn *sweep[2];
    grz_fill_packs_fn *fill[2];
    grz_take_packs_fn *take[2];
} grz_solver_loops;

GRZ_DECLARE_WIDE(grz_solver_loops, grz_solver_loops);

#endif
