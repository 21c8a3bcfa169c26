/// @file near.h
/// What is near a body as it is now, for queries and rays.
#ifndef GRZ_NEAR_H
#define GRZ_NEAR_H

#include "world/world_state.h"

/// Returns whether the box around a body, as it is now, overlaps another. A query asks this of all
/// bodies that it finds: a touch by rounding alone must not depend on whether the grid knows them.
bool grz_is_near(const grz_rows *rows, uint32_t row, graze_aabb box);

/// Likewise whether the ray from -> end meets that box. Exact.
bool grz_is_near_ray(const grz_rows *rows, uint32_t row, graze_vec2 from, graze_vec2 end);

#endif
