/// @file impact_state.h
/// What Respond works with: the trajectories of dynamic bodies, and the touches that change them.
#ifndef GRZ_IMPACT_STATE_H
#define GRZ_IMPACT_STATE_H

#include <graze/aabb.h>
#include <graze/grid.h>
#include <graze/id.h>
#include <graze/vec2.h>

#include "array.h"
#include "world/body_state.h"
#include "world/contact_state.h"
#include "world/terrain_state.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    GRZ_DEFLECTIONS = 4, ///< Turns of a body in a step, at most; spared ones do not count.
    GRZ_KNOTS = GRZ_DEFLECTIONS + 2 ///< The start, the turns and the end.
};

/// A surface that holds back a sliding body: its velocity along `normal` is at most `limit`.
typedef struct grz_plane {
    graze_vec2d normal; ///< Unit, into the surface.
    double limit;       ///< Units per second.
} grz_plane;

/// The velocity that a sliding body would have by itself, and the surfaces that hold it back.
typedef struct grz_slide {
    graze_vec2d desired; ///< Its velocity before anything held it back, units per second.
    uint32_t count;      ///< Number of planes.
    grz_plane planes[GRZ_DEFLECTIONS];
} grz_slide;

/// The trajectory of a dynamic body in a step: it is at[k] at time[k] (a knot), and moves straight
/// and evenly in between. After the last knot the body is gone, or the step is over.
typedef struct grz_trajectory {
    grz_row row;
    grz_index index;  ///< Of the body's id.
    uint32_t count;   ///< Knots, at least 2.
    uint32_t version; ///< Grows when the trajectory changes; above 0.
    double time[GRZ_KNOTS];
    graze_vec2 at[GRZ_KNOTS];
    uint32_t old_version;   ///< The version in force before deflection_time.
    uint32_t found_anew;    ///< Touches with bodies that were found anew when it changed.
    double deflection_time; ///< When it last changed; below 0: never.
    bool is_clear;          ///< No wall is within reach in the step.
    bool stands;            ///< It does not move in its last piece.
    bool gone;              ///< It is removed at its last knot.
    bool was_hit;           ///< It took a hit.
    bool hurries;           ///< `reach` cut its last piece short.
    bool held;              ///< Another has held it back in its last piece.
    bool shoved;            ///< It has pushes,
    bool strays;            ///< and these led it out of the box that the grid knows.
    uint8_t spared;         ///< Turns that it was spared: see grz_trajectory_spare_deflection().
    uint32_t hit_count;     ///< The body's, with this step's hits.
    uint32_t first_contact; ///< Its first contact with a wall, or one before; GRZ_NONE: none.
    float spin;             ///< Of a rigid body, now, radians per second;
    float rate;             ///< and how fast it turns in its last piece.
    float turn;             ///< How far it turns in the step, as is known now, radians.
    float old_rate;         ///< The same two before deflection_time.
    float old_turn;
    graze_vec2d velocity; ///< Now, units per second.
    graze_aabb pushes;    ///< The box around its pushes out of what it overlaps, and 0, 0.
    graze_vec2d driven;   ///< The longest push out of bodies that give no way.
    double reach;         ///< How far it may go in the box by which its pairs were found, units.
    grz_known_walls known_walls;
    grz_slide slide;
    graze_segment_id met; ///< The last segment that it met, which other cells may list again;
    uint32_t met_version; ///< the version under which this touch was found,
    double met_time;      ///< and when it happened.
} grz_trajectory;

/// The last piece of a trajectory, stored apart: when a trajectory changes, it is tested against
/// those of all bodies that it may meet.
typedef struct grz_course {
    graze_vec2 from, to;
    double begin; ///< When the piece begins, 0 to 1 of the step; above 1 if the body is gone.
} grz_course;

/// A candidate pair of which at least one body is free.
typedef struct grz_candidate {
    grz_row row_a, row_b; ///< a has the smaller index.
    uint32_t contact;     ///< Its place among the contacts; GRZ_NONE: not met yet.
} grz_candidate;

/// Where, when and how two things touch.
typedef struct grz_touch {
    double time;               ///< 0 to 1 of the step.
    graze_vec2d point, normal; ///< Absolute; unit, from a to b.
    double depth;              ///< >= 0; 0 unless they overlapped at the start of the step.
    double approach;           ///< How fast they come together along the normal, units per step.
    bool crosses;              ///< The centre's path crosses the wall, by the exact test.
    bool passes;               ///< A corner or a point only grazes the wall: it deflects nothing.
    bool turns;                ///< Only a rotation makes it touch the wall.
    bool blocks;               ///< Of a wall's event: it deflects the body that it was found for.
} grz_touch;

/// An event of this candidate, or of a larger one, is a contact that the solver has reported.
#define GRZ_REPORTED UINT32_C(0x80000000)

/// A touch that happens in the step unless a trajectory changes before.
typedef struct grz_event {
    grz_touch touch;
    grz_row row_a, row_b;          ///< row_b is GRZ_NONE against terrain.
    uint32_t version_a, version_b; ///< Of their trajectories when this was found; 0: kinematic.
    uint32_t candidate;            ///< GRZ_NONE against terrain; GRZ_REPORTED and a place of
                                   ///< world->found.contacts.
    graze_segment_id segment;      ///< None against a body.
} grz_event;

/// An impulse that a body receives on a course that does not change any more: see impulse.h.
typedef struct grz_impulse {
    grz_index index;     ///< Of the body's id,
    uint32_t by;         ///< and of that of what hits it.
    double time;         ///< 0 to 1 of the step.
    graze_vec2d lever;   ///< From the body's centre, at that time.
    graze_vec2d impulse; ///< Mass times velocity.
    double closing;      ///< How fast the two came together along the impulse; above 0.
} grz_impulse;

/// An event in the queue, with the numbers that decide the order of most events.
typedef struct grz_queued {
    double time;
    uint64_t rank; ///< See impact_queue.c.
    uint32_t event;
} grz_queued;

/// What lies ahead, and what has come of it: the touches of some bodies in the order in which they
/// happen (impact_queue.h). Blocks of isolated bodies have agendas of their own (apply_impact.h).
typedef struct grz_agenda {
    const graze_allocator *allocator; ///< Null: nothing grows.
    GRZ_ARRAY(grz_event) events;
    GRZ_ARRAY(grz_queued) heap; ///< A binary heap, the first to happen on top.
    grz_mover mover;            ///< Of the row whose walls were found last:
    grz_row mover_row;          ///< GRZ_NONE before the first.
    grz_contacts *contacts;     ///< Where those go that events lead to.
    uint64_t hit_count;         ///< Hits by dynamic bodies.
} grz_agenda;

/// The trajectories that begin in a block of rows: see trajectory.c.
typedef struct grz_trajectory_block {
    uint32_t first, count;
} grz_trajectory_block;

/// What has come of a block of trajectories: see apply_impact.h.
typedef struct grz_isolated_block {
    uint32_t left; ///< The first trajectory that is left.
    uint64_t hit_count;
} grz_isolated_block;

/// What a plain ray touches on its way, as it is reported. A plain ray goes straight up to its next
/// hit, whatever that is, and is spent by it. The other body is round, and kinematic.
typedef struct grz_ray_touch {
    uint32_t ray, other; ///< Rows.
    float depth, approach;
    graze_vec2 point, normal;
    double time;       ///< Of the step.
    uint32_t comes_in; ///< Not 0: they come together along the normal.
} grz_ray_touch;

/// A ray that its first hit has removed: it ends at a point on its path.
typedef struct grz_spent {
    grz_row row;
    grz_index index;
    graze_vec2 at;
    uint32_t
        candidate; ///< With a body that gives way, which the ray pushes; GRZ_NONE: no such body.
} grz_spent;

// --- Pairs found slice by slice of the step: see slices.h ---

/// What has become of a pair in an earlier slice.
typedef struct grz_known_pair {
    uint32_t other;   ///< The row of the one with the larger index.
    uint32_t contact; ///< As in grz_candidate.
    uint32_t next;    ///< Another pair of the one with the smaller index; GRZ_NONE: none.
    bool solved;      ///< The solver decides it.
} grz_known_pair;

/// All of one step.
typedef struct grz_slices {
    bool never;                        ///< No step is cut. Only tests set it, as their oracle.
    uint32_t count;                    ///< 0 or 1: the step is not cut.
    uint32_t now;                      ///< The one under way.
    double begin, end;                 ///< Of it: shares of the step. The end of the last is 2.
    graze_vec2d lower, upper;          ///< Corners of a box in which all fast bodies stay.
    uint8_t kind;                      ///< Of these bodies in the world's grid.
    GRZ_ARRAY(graze_grid_meets) meets; ///< One: the kinds of the world, and that one,
    GRZ_ARRAY(uint8_t) kinds;          ///< by row; later by place.
    grz_numbers rows;                  ///< Of the bodies that are paired so. By their places in it:
    GRZ_ARRAY(graze_aabb) boxes;       ///< where they are in the slice,
    grz_numbers link_of_place;         ///< what they may meet first (as in adjacency.h),
    grz_numbers known_of_place;        ///< and what they have met.
    grz_numbers place_of_row;          ///< Of all rows; GRZ_NONE: none of them.
    grz_numbers next_link;             ///< Two for each candidate pair from `first` on.
    uint32_t first; ///< Candidate pairs from it on are of this slice, but in the first.
    GRZ_ARRAY(grz_known_pair) known;
    graze_grid *grid; ///< Of the boxes. Null before the first.
} grz_slices;

#endif
