/// @file predict.h
/// Computes where bodies go if nothing stops them, and boxes around what they may reach: the loops
/// over all rows of Predict, and what others ask of a row.
#ifndef GRZ_PREDICT_H
#define GRZ_PREDICT_H

#include <graze/sweep_turn.h>

#include "collide/box.h"
#include "lanes_choice.h"
#include "world/world_state.h"

/// The margin of a box around a reach: more than its rounding to float, 2^-24.
static const double grz_reach_margin = GRAZE_TURN_MARGIN;

/// A body's surroundings exceed its own reach by this part of its smaller half size. Longer pushes
/// look for walls.
static const double grz_clearance_margin = 0x1p-7;

/// They also exceed it by this part of its coordinates: all knots of a trajectory are rounded.
static const float grz_clearance_rounding = 0x1p-20f;

/// The columns, by row, that the loop reads and writes. The boxes are the grid's input.
typedef struct grz_prediction {
    const graze_vec2 *position, *velocity, *half;
    const graze_rotation *rotation, *end_rotation; ///< Null if there has been no rect,
    const float *turn, *spin;                      ///< as are these.
    const uint32_t *traits, *index;
    const grz_dynamics *dynamics; ///< By index. Null: all have the default.
    graze_vec2 *end, *end_velocity;
    graze_aabb *boxes;
    graze_vec2 gravity_step; ///< What gravity adds in the step to velocities of bodies with mass.
    float dt;
} grz_prediction;

/// The loop's findings on some rows.
typedef struct grz_predicted {
    uint32_t traits; ///< Traits that any row has.
    uint32_t slow;   ///< Rows whose velocity after the step is 0, or next to it.
    bool finite;     ///< Every end is finite.
} grz_predicted;

/// Fills ends, velocities after the step and boxes of rows `first` to end - 1, as if all were round
/// and moved straight.
typedef grz_predicted grz_predict_fn(const grz_prediction *columns, uint32_t first, uint32_t end);

/// Fills `rotations` as graze_rotation_from_angle would, of angles in [-pi, pi]. Both have room for
/// GRZ_LANES_MAX more than `count`, which may be read and written.
typedef void grz_rotate_fn(const float *angles, graze_rotation *rotations, uint32_t count);

/// Fills the boxes of rows as grz_predicted_box would, from `first` on, in multiples of the lanes.
/// `traits` are those that any row has, among them that of rects, of bodies that may be deflected
/// or of rigid ones. Returns the first row that it did not do.
typedef uint32_t grz_box_fn(const grz_prediction *columns, uint32_t first, uint32_t end,
                            uint32_t traits);

/// Fills lower[i] and upper[i] with the sides of grz_surroundings_of(first + i), in multiples of
/// the lanes; a row that is neither a rect nor may be deflected gets the box of one that may.
/// `has_rects`: some row may be a rect. Returns the first row that it did not do.
typedef uint32_t grz_surround_fn(const grz_prediction *columns, uint32_t first, uint32_t end,
                                 bool has_rects, graze_vec2 *lower, graze_vec2 *upper);

/// Fills turned[i] with grz_wrap_angle(angles[i] + spins[i] * dt); `turned` may be `angles`.
typedef void grz_spin_fn(const float *angles, const float *spins, float dt, uint32_t count,
                         float *turned);

typedef struct grz_predict_table {
    grz_predict_fn *straight;
    grz_rotate_fn *rotate;
    grz_box_fn *box;           ///< Null without lanes: the caller does all rows,
    grz_surround_fn *surround; ///< likewise.
    grz_spin_fn *spin;
} grz_predict_table;

/// What the blocks of Predict share. Each writes its own rows, and its own counts.
typedef struct grz_predict_job {
    grz_rows *rows;
    grz_prediction columns;
    uint8_t *kinds;   ///< For the grid; null if there are no rays and all filters are the default.
    bool has_filters; ///< Some filter is not the default.
    const grz_predict_table *loops;
    grz_row_counts *counts; ///< One a block.
    bool turns;             ///< Some body has a rotation.
} grz_predict_job;

GRZ_DECLARE_WIDE(grz_predict_table, grz_predict_wide);

/// Returns the loops for a set of lanes.
const grz_predict_table *grz_predict_loops_for(grz_lane_set lanes);

/// Returns a view of the columns that the last Predict read and wrote, without the boxes.
grz_prediction grz_prediction_of(const graze_world *world);

/// Returns what Predict is to read and write in this step. Room must have been reserved for the
/// boxes, and for the counts of all blocks of rows.
grz_predict_job grz_predict_prepare(graze_world *world);

/// Fills in the boxes of rigid bodies in active rows `first` to end - 1 anew: Sort may have changed
/// the order of rows, and Solve what is rigid. May run on any thread. Boxes of others are lost.
void grz_predict_boxes(const graze_world *world, uint32_t first, uint32_t end);

/// Predicts the active rows: velocities, ends of trajectories, and swept boxes.
void grz_predict_rows(graze_world *world, grz_predict_job *job);

/// Returns the box of a body that would go to `end`; or anywhere within its reach, if it may be
/// deflected.
graze_aabb grz_predicted_box(const grz_rows *rows, grz_row row, graze_vec2 end,
                             graze_vec2 gravity_step, float dt);

/// Returns how far the solver may move a rigid body that would go to `end` by itself, in units.
double grz_rigid_reach(const grz_rows *rows, grz_row row, graze_vec2 end, graze_vec2 gravity_step,
                       float dt);

/// The same in this step, for a body that would go to its predicted end.
double grz_reach_of_solved(const graze_world *world, grz_row row);

/// Returns the velocity of a body at the end of the step if nothing stops it.
static inline graze_vec2 grz_velocity_after_gravity(graze_vec2 velocity, uint32_t traits,
                                                    graze_vec2 gravity_step)
{
    const float weight = traits & GRZ_TRAIT_INFINITE_MASS ? 0.0f : 1.0f;
    const graze_vec2 after = {velocity.x + gravity_step.x * weight,
                              velocity.y + gravity_step.y * weight};
    return after;
}

/// Likewise of a body with GRZ_TRAIT_ADJUSTED: gravity times its scale, then its damping.
static inline graze_vec2 grz_adjusted_velocity(graze_vec2 velocity, const grz_dynamics *dynamics,
                                               graze_vec2 gravity_step, float dt)
{
    const float scale = dynamics->gravity_scale;
    const float divisor = 1 + dynamics->damping * dt;
    const graze_vec2 after = {(velocity.x + gravity_step.x * scale) / divisor + 0.0f,
                              (velocity.y + gravity_step.y * scale) / divisor + 0.0f};
    return after;
}

/// Likewise of any body, by its index.
static inline graze_vec2 grz_velocity_ahead(const graze_world *world, grz_index index,
                                            uint32_t traits, graze_vec2 velocity,
                                            graze_vec2 gravity_step, float dt)
{
    return traits & GRZ_TRAIT_ADJUSTED
               ? grz_adjusted_velocity(velocity, &world->bodies.dynamics.data[index], gravity_step,
                                       dt)
               : grz_velocity_after_gravity(velocity, traits, gravity_step);
}

/// Returns the spin of a body with GRZ_TRAIT_ADJUSTED in a step.
static inline float grz_adjusted_spin(float spin, const grz_dynamics *dynamics, float dt)
{
    return spin / (1 + dynamics->spin_damping * dt) + 0.0f;
}

static inline bool grz_is_slow(graze_vec2 velocity)
{
    return velocity.x * velocity.x + velocity.y * velocity.y <= 0;
}

/// Returns where a velocity takes a body in a step.
static inline graze_vec2 grz_straight_end(graze_vec2 position, graze_vec2 velocity, float dt)
{
    const graze_vec2 end = {position.x + velocity.x * dt, position.y + velocity.y * dt};
    return end;
}

/// One row of the loop, as lanes do each of theirs.
static inline void grz_predict_row(const grz_prediction *columns, grz_row row, grz_predicted *found)
{
    const uint32_t traits = columns->traits[row];
    const graze_vec2 position = columns->position[row];
    const graze_vec2 velocity =
        grz_velocity_after_gravity(columns->velocity[row], traits, columns->gravity_step);
    const graze_vec2 end = grz_straight_end(position, velocity, columns->dt);
    columns->end_velocity[row] = velocity;
    columns->end[row] = end;
    columns->boxes[row] = grz_swept_box(position, end, columns->half[row]);
    found->traits |= traits;
    found->slow += grz_is_slow(velocity);
    found->finite = found->finite && end.x - end.x == 0 && end.y - end.y == 0;
}

#endif
