/// @file pile_sets.h
/// Which bodies lie together: disjoint sets of motions, joined by the constraints between bodies. A
/// set that is large enough and held is a pile: see pile.h.
#ifndef GRZ_PILE_SETS_H
#define GRZ_PILE_SETS_H

#include "forest.h"
#include "pile/pile_crowd.h"
#include "state.h"

enum {
    GRZ_PILE_MIN = 2,
    GRZ_CROWD_MIN = 3,         ///< Events alone settle a pair.
    GRZ_PILE_HELD = 1 << 30,   ///< In world->piles.sizes: the set is held.
    GRZ_PILE_MOVED = 1 << 29,  ///< Likewise: the step does not leave it as it was.
    GRZ_PILE_LEANS = 1 << 28,  ///< Likewise: some of its constraints are slanted.
    GRZ_PILE_JAMS = 1 << 27,   ///< Likewise: what its constraints have kept has grown without end.
    GRZ_PILE_DRIVEN = 1 << 26, ///< Likewise: something that gives no way pushes it aside.
    GRZ_PILE_SIZE = GRZ_PILE_DRIVEN - 1
};

/// Makes the sets, from the constraints found so far. Returns false when there is no memory.
bool grz_pile_sets_join(graze_world *world);

/// Marks the sets that are held: by something that gives no way and that one of their bodies
/// presses on, or, in crowds, by each other.
void grz_pile_sets_mark_held(graze_world *world);

/// Returns the smallest number of bodies that make a pile.
static inline uint32_t grz_least_bodies_of_pile(const graze_world *world)
{
    return grz_piles_are_crowds(world) ? GRZ_CROWD_MIN : GRZ_PILE_MIN;
}

/// Returns the motion that stands for the set of this one.
static inline uint32_t grz_pile_root_of(const grz_piles *piles, uint32_t motion)
{
    return grz_forest_root(piles->parents.data, motion);
}

/// Marks the set of a body in world->piles.
static inline void grz_pile_mark(const grz_piles *piles, uint32_t body, uint32_t flag)
{
    piles->sizes.data[grz_pile_root_of(piles, piles->bodies.data[body].motion)] |= flag;
}

/// Returns whether the set of a body in world->piles is marked.
static inline bool grz_pile_is_marked(const grz_piles *piles, uint32_t body, uint32_t flag)
{
    const uint32_t root = grz_pile_root_of(piles, piles->bodies.data[body].motion);
    return (piles->sizes.data[root] & flag) != 0;
}

/// Returns how many motions are in the set of this one, with the flags of the set.
static inline uint32_t grz_pile_size_of(const graze_world *world, uint32_t motion)
{
    return world->piles.sizes.data[grz_pile_root_of(&world->piles, motion)];
}

/// Returns whether the set of a motion is large enough for a pile.
static inline bool grz_pile_is_many(const graze_world *world, uint32_t motion)
{
    return (grz_pile_size_of(world, motion) & GRZ_PILE_SIZE) >= grz_least_bodies_of_pile(world);
}

/// Returns whether a motion is in a pile; once sets are marked.
static inline bool grz_pile_has(const graze_world *world, uint32_t motion)
{
    const uint32_t size = grz_pile_size_of(world, motion);
    return (size & GRZ_PILE_HELD) && (size & GRZ_PILE_SIZE) >= grz_least_bodies_of_pile(world);
}

#endif
