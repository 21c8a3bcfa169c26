/// @file pile_near.h
/// What is close to a body: what pile_pairs.c and pile_walls.c, which find the constraints, share.
#ifndef GRZ_PILE_NEAR_H
#define GRZ_PILE_NEAR_H

#include "body/rows.h"
#include "pile/pile_crowd.h"
#include "state.h"

/// Of the size: what is so close lies on each other.
static const double grz_near_share = 0x1p-8;

/// Returns the share of the size within which circles push each other, and walls what moves into
/// them. In crowds they do before they are close: the surface that a circle sees of another hardly
/// turns on such a way, which that of a rect may.
static inline double grz_push_share(const graze_world *world)
{
    return grz_piles_are_crowds(world) ? grz_crowd_margin : grz_near_share;
}

/// Returns whether a body slides or bounces, and is solid: it is pushed, and pushes.
static inline bool grz_is_pushed(const graze_world *world, uint32_t row)
{
    const uint32_t traits = world->rows.traits[row];
    return row < world->active_count && (traits & GRZ_TRAIT_FREE) && (traits & GRZ_TRAIT_TURNS) &&
           grz_is_solid(traits);
}

/// Returns how much nearer a body comes to what lies along a normal when it grows by a margin on
/// all sides: the corner of a rect comes nearer than its side.
double grz_growth_along(const graze_world *world, uint32_t row, double margin, graze_vec2d normal);

/// Returns the place of the next constraint, which counts once it is filled in: it is large, and is
/// not put together aside. Null when there is no memory.
static inline grz_constraint *grz_next_constraint(graze_world *world)
{
    grz_piles *piles = &world->piles;
    return grz_array_reserve_more(&piles->constraints, &world->counting, 1)
               ? &piles->constraints.data[piles->constraints.count]
               : NULL;
}

#endif
