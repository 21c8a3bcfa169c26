/// @file clearance.h
/// Which dynamic bodies have no wall within reach: they need no search of terrain, however often
/// they are deflected in the step, and no trajectory until something touches them. For the others
/// the walls nearby are kept for the step, so that they are looked up only once (grz_known_walls).
#ifndef GRZ_CLEARANCE_H
#define GRZ_CLEARANCE_H

#include "world/world_state.h"

/// Returns a box around all that a body that may be deflected can reach in a step, in either of its
/// rotations, with the margins of predict.h: a bit larger than grz_predicted_box.
graze_aabb grz_surroundings_of(const grz_rows *rows, grz_row row, graze_vec2 gravity_step,
                               float dt);

enum { GRZ_CLEARANCES_AT_ONCE = 64 };

/// Boxes around all that some rows may reach: that of row first + i at i.
typedef struct grz_surroundings {
    graze_vec2 lower[GRZ_CLEARANCES_AT_ONCE], upper[GRZ_CLEARANCES_AT_ONCE];
} grz_surroundings;

/// Finds the boxes of grz_surroundings_of around GRZ_CLEARANCES_AT_ONCE rows at most.
void grz_surround(const graze_world *world, uint32_t first, uint32_t end, grz_surroundings *near);

/// What is found out about the surroundings of a row.
typedef struct grz_survey {
    grz_clearance clearance; ///< GRZ_UNKNOWN if it takes a search of its own.
    grz_known_walls walls;
} grz_survey;

/// Surveys some active rows at the start of a step: `count` rows in order, which are dynamic bodies
/// with a size, from `first` on and before `end`; all are within GRZ_CLEARANCES_AT_ONCE rows. Adds
/// to a block's part of the world's known_walls, one row after the other. Once there is no room the
/// block's walls are only counted.
void grz_clearances_find(graze_world *world, grz_wall_block *part, uint32_t first, uint32_t end,
                         const uint32_t *rows, uint32_t count, grz_survey *surveys);

/// Finds the clearance of the body of a trajectory, if it is still unknown, and returns whether it
/// is clear.
bool grz_clearance_find(const graze_world *world, grz_trajectory *trajectory);

#endif
