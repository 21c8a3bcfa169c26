/// @file pile_near.h
/// What is close to a body: what pile_pairs.c and pile_walls.c, which find the constraints, share.
#ifndef GRZ_PILE_NEAR_H
#define GRZ_PILE_NEAR_H

#include "body/rows.h"
#include "pile/pile_crowd.h"
#include "state.h"

/// Bodies lie on each other if the gap between them is no larger than this part of the size.
static const double grz_near_share = 0x1p-8;

/// Returns the largest gap, as a part of the size, at which circles push each other, and walls push
/// what moves into them. In crowds it is larger, for circles alone: while two of them close such a
/// gap the normal between them hardly turns; that of a rect may.
static inline double grz_push_share(const graze_world *world)
{
    return grz_piles_are_crowds(world) ? grz_crowd_margin : grz_near_share;
}

/// Returns whether a body slides or bounces, has a finite mass, and is solid: it is pushed, and
/// pushes.
static inline bool grz_is_pushed(const graze_world *world, uint32_t row)
{
    const uint32_t traits = world->rows.traits[row];
    return row < world->active_count && (traits & GRZ_TRAIT_TURNS) && !grz_is_rigid(traits) &&
           !(traits & GRZ_TRAIT_INFINITE_MASS) && grz_is_solid(traits);
}

/// Returns how much nearer a body comes to something in the direction of a normal when it grows by
/// a margin on all sides: a rect's corner comes nearer than its side.
double grz_growth_along(const graze_world *world, uint32_t row, double margin, graze_vec2d normal);

/// Returns how far a rect reaches from its centre along a unit vector, either way.
double grz_rect_reach(const graze_world *world, uint32_t row, graze_vec2d axis);

/// Returns the place of the next constraint, which the caller fills in there, and then counts: a
/// constraint is large, and copying it would cost time. Null when there is no memory.
static inline grz_constraint *grz_next_constraint(graze_world *world)
{
    grz_piles *piles = &world->piles;
    return grz_array_reserve_more(&piles->constraints, &world->counting, 1)
               ? &piles->constraints.data[piles->constraints.count]
               : NULL;
}

#endif
