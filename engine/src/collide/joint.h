/// @file joint.h
/// Points where walls of several chains end, such as the corners of a map's tiles.
#ifndef GRZ_JOINT_H
#define GRZ_JOINT_H

#include "collide/corner.h"
#include "collide/terrain_sweep.h"

/// An end of a wall, as seen by a mover beside it.
typedef struct grz_wall_end {
    bool is_hidden; ///< By others: of all walls that end there only two can be met, between which
                    ///< the mover's centre lies.
    bool is_joined; ///< It is one of these two, and the other is another wall:
    grz_joint joint;
} grz_wall_end;

/// Looks at an end of a wall: b, or a. `centre` is the mover's. Only walls count that the mover
/// meets from the same sides: solid ones, of whichever chain.
///
/// Cost       A look at all walls in one cell of the grid.
grz_wall_end grz_look_at_end(const grz_move *move, graze_segment_id segment, bool at_end,
                             graze_vec2d centre);

#endif
