/// @file retire.h
/// Removes many bodies at once: what Commit does with those that are spent.
///
/// First their rows are marked, some perhaps more than once; then all of them go together. What
/// they were stays readable until grz_bodies_forget_retired().
///
/// Invariant: outside of Commit no row is marked.
#ifndef GRZ_RETIRE_H
#define GRZ_RETIRE_H

#include "state.h"

/// Makes room for marks of all active rows, and for so many retired bodies. Returns false when
/// there is no memory.
bool grz_retire_reserve(graze_world *world, size_t count);

/// Marks an active row.
static inline void grz_retire_mark(graze_world *world, uint32_t row)
{
    world->marked.data[row / 64] |= UINT64_C(1) << row % 64;
}

static inline bool grz_retire_is_marked(const graze_world *world, uint32_t row)
{
    return world->marked.data[row / 64] >> row % 64 & 1;
}

/// Takes the bodies of all marked rows out of the world, and unmarks them. The rows that stay may
/// be others then.
void grz_retire_marked(graze_world *world);

#endif
