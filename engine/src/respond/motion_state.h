/// @file motion_state.h
/// What Respond works with: the courses of free bodies, and the touches that change them.
#ifndef GRZ_MOTION_STATE_H
#define GRZ_MOTION_STATE_H

#include <graze/aabb.h>
#include <graze/id.h>
#include <graze/vec2.h>

#include "terrain/terrain_state.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    GRZ_TURNS = 4,            ///< Most turns of a body in a step, besides those it was spared.
    GRZ_KNOTS = GRZ_TURNS + 2 ///< Start, turns, end.
};

/// A surface that holds back a sliding body: its velocity along `normal` is at most `limit`.
typedef struct grz_plane {
    graze_vec2d normal; ///< Unit, into the surface.
    double limit;       ///< Units per second.
} grz_plane;

/// The velocity that a sliding body would have, and the surfaces that hold it back.
typedef struct grz_slide {
    graze_vec2d desired; ///< Its velocity before anything held it back, units per second.
    uint32_t count;      ///< Of the planes.
    grz_plane planes[GRZ_TURNS];
} grz_slide;

/// Whether any wall is within reach of a body in a step: see clearance.h.
typedef enum grz_clearance { GRZ_UNKNOWN, GRZ_CLEAR, GRZ_WALLED } grz_clearance;

/// The course of a free body in a step: at[k] at time[k], straight and uniform in between. After
/// the last knot the body is gone, or the step is over.
typedef struct grz_motion {
    uint32_t row;
    uint32_t index;   ///< Of the body's id.
    uint32_t count;   ///< Knots, at least 2.
    uint32_t version; ///< Grows when the motion changes; above 0.
    double time[GRZ_KNOTS];
    graze_vec2 at[GRZ_KNOTS];
    uint32_t old_version; ///< The version in force before turn_time.
    uint32_t foreseen;    ///< Touches with bodies that were foreseen anew, as it had turned.
    double turn_time;     ///< When it last changed; below 0: never.
    grz_clearance clearance;
    bool stands;            ///< Its last piece is a standstill.
    bool gone;              ///< Removed at its last knot.
    bool was_hit;           ///< It took a hit.
    bool hurries;           ///< `reach` cut its last piece short.
    bool piled;             ///< It was pushed as part of a pile: see pile.h.
    bool squeezed;          ///< It is part of a crowd: see pile_crowd.h.
    bool shoved;            ///< It has pushes,
    bool strays;            ///< and these led it out of the box that the grid knows.
    uint8_t spared;         ///< Turns that it was spared: see grz_motion_spare_turn().
    uint32_t stops;         ///< How often bodies of piles stopped it.
    uint32_t hit_count;     ///< The body's, with this step's hits.
    uint32_t first_contact; ///< Its first fresh contact with a wall, or one before; GRZ_NONE: none.
    graze_vec2d pushed;     ///< The velocity that the pile left it, units per second.
    graze_vec2d velocity;   ///< Now, units per second.
    graze_aabb pushes;      ///< Out of what it overlaps, and nowhere: the box around them.
    graze_vec2d driven;     ///< The longest way out of bodies that give it no way.
    double reach;           ///< Longest way that the boxes allow by which its pairs were found.
    double walls_until;     ///< Up to this time all touches with walls are foreseen.
    grz_known_walls known_walls;
    grz_slide slide;
    graze_segment_id met; ///< The last segment that it met, which other cells may list again,
    uint32_t met_version; ///< the version under which that was foreseen,
    double met_time;      ///< and when it happened.
} grz_motion;

/// The last piece of a motion: what a turn of one body looks at of all others that it may meet.
typedef struct grz_course {
    graze_vec2 from, to;
    double begin; ///< When the piece begins, of the step; beyond its end if the body is gone.
} grz_course;

/// A candidate pair at least one of whose bodies is free.
typedef struct grz_meeting {
    uint32_t row_a, row_b; ///< a has the smaller index.
    uint32_t contact;      ///< Its place among the fresh contacts; GRZ_NONE: not met yet.
} grz_meeting;

/// Two things touch.
typedef struct grz_touch {
    double time;               ///< Of the step.
    graze_vec2d point, normal; ///< Absolute; unit, from a to b.
    double depth;              ///< >= 0; 0 unless they overlapped at the start of the step.
    double approach;           ///< How fast they come together along the normal, units per step.
    bool crosses;              ///< The centre's path crosses the wall: whatever the formulas say.
    bool passes;               ///< A corner or a point only grazes the wall: it turns nothing.
} grz_touch;

/// A touch that happens in the step unless a motion changes before.
typedef struct grz_event {
    grz_touch touch;
    uint32_t row_a, row_b;         ///< row_b is GRZ_NONE against terrain.
    uint32_t version_a, version_b; ///< Of their motions when this was foreseen; 0: fixed course.
    uint32_t meeting;              ///< GRZ_NONE against terrain.
    graze_segment_id segment;      ///< None against a body.
} grz_event;

/// An event in the queue, with what orders most events.
typedef struct grz_queued {
    double time;
    uint64_t rank; ///< See event_queue.c.
    uint32_t event;
} grz_queued;

/// What a plain ray touches on its way, as it is reported. A plain ray goes straight up to its next
/// hit, whatever that is, and is spent by it. The other body is round, and on a fixed course.
typedef struct grz_ray_touch {
    uint32_t ray, other; ///< Rows.
    uint32_t comes_in;   ///< Not 0: they come together along the normal.
    float depth;
    graze_vec2 point, normal;
    double time; ///< Of the step.
} grz_ray_touch;

/// A ray that its first hit has spent: it ends at a point on its way.
typedef struct grz_spent {
    uint32_t row, index;
    graze_vec2 at;
} grz_spent;

/// The outcomes of the rays in a block of rows.
typedef struct grz_outcome_block {
    uint32_t open, spent; ///< Numbers of rays.
    uint32_t hits;        ///< So many of the spent ones by hits, the others by fresh contacts.
    uint32_t first;       ///< Number of spent rays in the blocks before,
    uint32_t first_hit;   ///< and of those spent by hits.
} grz_outcome_block;

#endif
