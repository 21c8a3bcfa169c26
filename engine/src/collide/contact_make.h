/// @file contact_make.h
/// Makes contacts, as they are reported, from touches.
#ifndef GRZ_CONTACT_MAKE_H
#define GRZ_CONTACT_MAKE_H

#include "collide/pair_sweep.h"
#include "vec2d.h"
#include "world/rows.h"
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

/// Returns whether one of two is a sensor; row_b is GRZ_NONE against terrain.
static inline bool grz_is_any_sensor(const graze_world *world, grz_row row_a, grz_row row_b,
                                     graze_segment_id segment)
{
    const uint32_t *traits = world->bodies.rows.traits;
    const bool other = row_b == GRZ_NONE ? world->terrain.chains[segment.chain.index].sensor
                                         : (traits[row_b] & GRZ_TRAIT_SENSOR) != 0;
    return other || (traits[row_a] & GRZ_TRAIT_SENSOR);
}

/// Fills in the contact for a touch, without its approach and impulse, which are 0; row_b is
/// GRZ_NONE against terrain. In place: a segment that was just put together would have to be stored
/// before it could be passed.
static inline void grz_contact_begin(const graze_world *world, grz_row row_a, grz_row row_b,
                                     graze_segment_id segment, const grz_touch *touch,
                                     grz_contact *contact)
{
    const graze_body_id none = {0, 0};
    contact->a = grz_row_id(&world->bodies.rows, row_a);
    contact->b = row_b == GRZ_NONE ? none : grz_row_id(&world->bodies.rows, row_b);
    contact->segment = segment;
    contact->time = (float)touch->time + 0.0f;
    contact->point = narrow_reported2(touch->point);
    contact->normal = narrow_reported2(touch->normal);
    contact->depth = narrow_reported(touch->depth);
    contact->approach = contact->impulse = 0;
    contact->flags = grz_is_any_sensor(world, row_a, row_b, segment) ? GRAZE_CONTACT_SENSOR : 0;
}

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
