/// @file response_kit.h
/// Shared by the tests of responses: worlds with gravity, chains, and counts of events.
///
/// Errors     A broken promise of a function fails the running cmocka test.
#ifndef GRAZE_TESTS_RESPONSE_KIT_H
#define GRAZE_TESTS_RESPONSE_KIT_H

#include "world_kit.h"

/// Sums over the reports of steps.
typedef struct kit_tally {
    uint32_t contacts, begins, ends;
    uint32_t blocked, dropped; ///< Contacts with these flags.
    float depth;               ///< The largest.
} kit_tally;

/// Returns a world of defaults with this gravity.
graze_world *kit_world_with_gravity(float x, float y);

/// Adds a chain.
graze_chain_id kit_chain(graze_world *world, const graze_vec2 *points, uint32_t count, bool loop,
                         bool one_sided);

/// Steps and adds what the step reports.
void kit_step_and_count(graze_world *world, float dt, kit_tally *tally);

/// Steps so often, setting the body's velocity before each step. Fails, with `name`, unless its
/// position stays the same to the last bit and no contact begins or ends.
void kit_assert_held(graze_world *world, graze_body_id body, const graze_vec2 *velocity,
                     uint32_t steps, const char *name);

enum {
    KIT_SHAPES = 3 ///< A circle, a rect and a ray.
};

/// By shape: how far kit_shape_at() reaches across the x axis turned by its angle, and its name.
extern const double kit_reach[KIT_SHAPES];
extern const char *const kit_shape_names[KIT_SHAPES];

/// A def of the shape `kind`, without a hit_limit; a rect is turned by the angle.
graze_body_def kit_shape_at(int kind, double x, double y, double angle);

/// Returns the friction that a body needs so that it has this one with a wall of a kit.
float kit_friction_on_walls(double friction);

/// A def that moves and slides.
graze_body_def kit_sliding(graze_body_def def, double velocity_x, double velocity_y);

/// Adds a wall of this half length through a point, its left side up when the angle is 0.
graze_chain_id kit_wall_at(graze_world *world, double x, double y, double angle, double half);

/// A def that moves, responds and has a mass.
graze_body_def kit_moving_mass(graze_body_def def, float velocity_x, float velocity_y,
                               graze_response response, float mass);

/// Fails the test unless the body has this velocity, within 2e-6 a component.
void kit_assert_velocity(const graze_world *world, graze_body_id body, double x, double y);

/// Returns the length of the body's velocity.
double kit_speed(const graze_world *world, graze_body_id body);

/// Returns the product of a vector with the unit vector at this angle.
double kit_along(graze_vec2 vector, double angle);

#endif
