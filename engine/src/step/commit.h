/// @file commit.h
/// Removes many bodies at once: in Commit, those that are spent.
///
/// First their rows are marked, some perhaps more than once; then all are removed together. Their
/// data stays readable until grz_bodies_forget_removed().
///
/// Invariant: outside of Commit no row is marked.
#ifndef GRZ_COMMIT_H
#define GRZ_COMMIT_H

#include "asserts.h"
#include "world/world_state.h"

enum { GRZ_MARKS = 64 }; ///< Rows a word of marks.

/// Makes room for marks of all active rows, and for `count` removed bodies. Returns false if memory
/// runs out.
bool grz_removal_reserve(graze_world *world, size_t count);

/// Marks an active row.
static inline void grz_removal_mark(graze_world *world, grz_row row)
{
    GRZ_ASSERT(row < world->bodies.active_count && row / GRZ_MARKS < world->bodies.marked.count);
    world->bodies.marked.data[row / GRZ_MARKS] |= UINT64_C(1) << row % GRZ_MARKS;
}

static inline bool grz_removal_is_marked(const graze_world *world, grz_row row)
{
    return world->bodies.marked.data[row / GRZ_MARKS] >> row % GRZ_MARKS & 1;
}

/// Removes the bodies of all marked rows from the world, and unmarks them. This may change the rows
/// of other bodies.
void grz_removal_marked(graze_world *world);

#endif
