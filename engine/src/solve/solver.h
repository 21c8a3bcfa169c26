/// @file solver.h
/// Packs of contacts, and the sweeps over them, in lanes: see lanes.h and solver_wide.h.
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

/// Some packs of one kind, one behind the other.
typedef struct grz_packs {
    grz_pack_one *ones; ///< Null if they have two points.
    grz_pack_two *twos; ///< Else null.
    uint32_t contacts;  ///< In them.
    bool are_fixed;     ///< Their b cannot be moved.
} grz_packs;

typedef struct grz_solver_loops {
    uint32_t width; ///< Lanes.
    void (*sweep)(const grz_sweep *sweep, const grz_packs *packs);
    /// Fills packs, of which each lane knows its contact.
    void (*fill)(grz_constraint_contact *list, const float *bodies, const grz_packs *packs);
    /// Takes the impulses that sweeps have found to their contacts.
    void (*take)(grz_constraint_contact *list, const grz_packs *packs);
} grz_solver_loops;

GRZ_DECLARE_WIDE(grz_solver_loops, grz_solver_loops);

#endif
