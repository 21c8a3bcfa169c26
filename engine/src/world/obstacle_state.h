/// @file obstacle_state.h
/// What a body meets that does not give way, while it is found: see obstacle.h.
#ifndef GRZ_OBSTACLE_STATE_H
#define GRZ_OBSTACLE_STATE_H

#include <graze/id.h>
#include <graze/vec2.h>

#include <stdbool.h>
#include <stdint.h>

enum { GRZ_OBSTACLE_CORNERS = 4, GRZ_OBSTACLE_AXES = 4 };

/// A direction along which a body and an obstacle may be apart.
typedef struct grz_obstacle_axis {
    graze_vec2d normal; ///< Unit, from the obstacle to the body.
    double gap;         ///< Below 0 where they overlap.
    double width;       ///< Of both together.
    double plane;       ///< How far the obstacle reaches along the normal.
    bool is_own;        ///< It is a face's of the obstacle, not the body's.
} grz_obstacle_axis;

/// An obstacle, seen from the body's centre, and the contact with it.
typedef struct grz_obstacle {
    uint32_t row;             ///< GRZ_NONE: terrain.
    graze_segment_id segment; ///< None for a body.
    bool one_sided;
    bool passes;          ///< The two only meet: neither deflects the other.
    bool gives_way;       ///< It is a body that the solver moves, too.
    graze_vec2d velocity; ///< Units per second, at its centre.
    double spin;          ///< Radians per second.
    graze_vec2d centre;
    double radius;                             ///< Of a disc; else 0.
    uint32_t corner_count;                     ///< 1 (a disc's centre), 2 or 4.
    graze_vec2d corners[GRZ_OBSTACLE_CORNERS]; ///< The last one again where there are fewer.

    uint32_t axis_count;
    grz_obstacle_axis axes[GRZ_OBSTACLE_AXES];

    bool dropped;        ///< It does not hold the body.
    uint32_t hider;      ///< The contact behind which it is, if that drops it; else GRZ_NONE.
    uint32_t joined;     ///< Its contact is part of that of another one; GRZ_NONE: it is not.
    bool is_face;        ///< A side of one meets a side or a round of the other; else a corner.
    bool is_own;         ///< The normal is that of the obstacle's own face.
    uint32_t corner;     ///< Of the obstacle, if that alone is met; else GRZ_NONE.
    graze_vec2d normal;  ///< Unit, from the obstacle to the body.
    double plane;        ///< How far the obstacle reaches along the normal, from the body's centre.
    double gap, lateral; ///< Along the normal; by how much the two overlap sideways.
    uint32_t point_count;
    graze_vec2d points[2]; ///< On the obstacle.
    double gaps[2];
} grz_obstacle;

#endif
