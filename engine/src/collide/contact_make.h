/// @file contact_make.h
/// Makes contacts, as they are reported, from touches.
#ifndef GRZ_CONTACT_MAKE_H
#define GRZ_CONTACT_MAKE_H

#include "vec2d.h"
#include "world/world_state.h"

static inline double grz_steps_per_second(const graze_world *world)
{
    return 1 / (double)world->call.dt;
}

/// Returns a speed of approach as it is reported: from one in units per step.
static inline float grz_reported_approach(double approach, double steps_per_second)
{
    return narrow_reported(max_double(approach * steps_per_second, 0));
}

/// Returns the impulse that stops a body, as it is reported.
static inline float grz_impulse_of_stop(float mass, float approach)
{
    return narrow_reported((double)mass * (double)approach);
}

/// Returns how fast a kinematic body, or a plain ray, approaches a wall, as it is reported;
/// `normal` is the contact's.
float grz_approach_of_wall(const graze_world *world, grz_row row, graze_vec2 normal);

/// Fills in the contact for a touch, without its approach and impulse, which are 0; row_b is
/// GRZ_NONE against terrain.
void grz_contact_begin(const graze_world *world, grz_row row_a, grz_row row_b,
                       graze_segment_id segment, const grz_touch *touch, grz_contact *contact);

/// Returns the contact of a kinematic body with a wall.
grz_contact grz_contact_on_course(const graze_world *world, grz_row row, graze_segment_id segment,
                                  const grz_touch *touch);

/// Fills in the contact for a touch, in Respond; row_b is GRZ_NONE against terrain.
void grz_contact_fill(const graze_world *world, grz_row row_a, grz_row row_b,
                      graze_segment_id segment, const grz_touch *touch, grz_contact *contact);

/// Adds a contact to those of this step; row_b is GRZ_NONE against terrain. Returns false if memory
/// runs out.
bool grz_contact_add(graze_world *world, grz_row row_a, grz_row row_b, graze_segment_id segment,
                     const grz_touch *touch);

#endif
