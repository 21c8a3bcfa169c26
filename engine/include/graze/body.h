/// @file body.h
/// Bodies: everything that moves, from players to bullets.
///
/// Units      The game's own; velocities in units per second, angles in radians, times in seconds.
/// Memory     Bodies live in the world; a def is read during the call and not kept. What no body of
///            a world has other than by default (matter, limits, filter, user data, the angles of
///            rects) takes no memory.
/// Threads    Getters may run at the same time as each other; anything else on one world may not.
/// Errors     A bad value is GRAZE_ERROR_ARGUMENT, an id of something gone GRAZE_ERROR_STALE_ID;
///            the world's log gets a line that names the field and its value, and nothing is
///            changed.
#ifndef GRAZE_BODY_H
#define GRAZE_BODY_H

#include <graze/id.h>
#include <graze/shape.h>
#include <graze/status.h>
#include <graze/vec2.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a mover does where it meets something solid: terrain that is no sensor, or a body that is
/// neither a sensor nor a ray.
///
/// A mover meets what it comes closer to: where it leaves something, or goes along it, it goes on.
/// Two that meet and both slide or bounce share the impulse by their inverse masses; to anything
/// else they are what gives way. What slides or bounces is pushed out of what it overlaps: out of
/// terrain at once, out of bodies by a quarter of the overlap a step, shared by inverse masses.
typedef enum graze_response {
    GRAZE_PASS,  ///< Goes on; whatever it meets is reported. Nothing it meets moves it.
    GRAZE_STOP,  ///< Stops at the point of impact; its velocity is zero then.
    GRAZE_SLIDE, ///< Loses its speed into the surface and what friction takes, and goes on along
                 ///< it.
    /// Is thrown back, its speed along the normal times the larger restitution of the two, and goes
    /// on. One slower than what gravity gives in two steps is not thrown back but rests.
    GRAZE_BOUNCE
} graze_response;

/// Who meets whom. Two things meet when each one's category is in the other's mask; a shared
/// negative group never meets, a shared positive group always does.
typedef struct graze_filter {
    uint32_t category; ///< Bits of what this is. Default 1.
    uint32_t mask;     ///< Bits of what this meets. Default all.
    int32_t group;     ///< Default 0: no group.
} graze_filter;

/// Returns category 1, mask all, group 0.
graze_filter graze_filter_default(void);

/// What a body is made from. Start from graze_body_def_default().
typedef struct graze_body_def {
    graze_shape shape;       ///< Default: a circle of radius 0.5.
    graze_vec2 position;     ///< Centre, or a ray's tip. Default 0, 0.
    graze_vec2 velocity;     ///< Units per second. Default 0, 0.
    float angle;             ///< Radians; circles and rays ignore it. Default 0.
    float spin;              ///< Radians per second; circles and rays ignore it. Default 0.
    float mass;              ///< >= 0; 0: nothing else moves it, gravity neither. Default 1.
    float restitution;       ///< 0 to 1: share of the speed that a bounce keeps. Default 0.
    float friction;          ///< 0 to 1: what sliding takes. Default 0.
    graze_response response; ///< Default GRAZE_PASS.
    bool sensor;             ///< Met and reported, stops nobody, counts as no hit. Default false.
    uint32_t hit_limit;  ///< Hits after which it is removed, at the last one; 0: none. Default 0.
    float lifetime;      ///< Seconds after which it is removed; 0: for ever. Default 0.
    graze_filter filter; ///< Default graze_filter_default().
    uint64_t user_data;  ///< The game's own. Default 0.
    uint32_t cookie;     ///< Set by graze_body_def_default(); a def without it is refused.
} graze_body_def;

/// Returns a def that is valid as it is.
graze_body_def graze_body_def_default(void);

/// Adds a body. Returns its id, or none: then graze_world_last_status() says why (ARGUMENT,
/// OUT_OF_MEMORY, LIMIT). The body is met from the next step on, and by queries at once.
///
/// Cost       Constant, but for growth.
graze_body_id graze_body_create(graze_world *world, const graze_body_def *def);

/// Adds `count` bodies from `defs` and writes their ids to `ids` (count of them; may be null when
/// the ids are not wanted). All or nothing: returns `count`, or 0 when one def is bad or memory or
/// capacity does not suffice, the world as it was.
uint32_t graze_body_create_many(graze_world *world, const graze_body_def *defs, uint32_t count,
                                graze_body_id *ids);

/// Removes a body at once. Its contacts end in the next step. Legal at any time between steps, also
/// while reading contact lists. STALE_ID when it is gone already.
graze_status graze_body_destroy(graze_world *world, graze_body_id body);

/// Returns whether the id names a body that is in the world.
bool graze_body_is_valid(const graze_world *world, graze_body_id body);

/// Getters. A body that its hit_limit or lifetime removed can still be read until the next step
/// begins; for any other id that is not valid they return zeros.
graze_vec2 graze_body_position(const graze_world *world, graze_body_id body);
graze_vec2 graze_body_velocity(const graze_world *world, graze_body_id body);
float graze_body_angle(const graze_world *world, graze_body_id body); ///< Radians, in [-pi, pi].
float graze_body_spin(const graze_world *world, graze_body_id body);
graze_shape graze_body_shape(const graze_world *world, graze_body_id body);
graze_filter graze_body_filter(const graze_world *world, graze_body_id body);
graze_response graze_body_response(const graze_world *world, graze_body_id body);
bool graze_body_is_sensor(const graze_world *world, graze_body_id body);
uint64_t graze_body_user_data(const graze_world *world, graze_body_id body);

/// Setters. Setting a position moves a body without sweeping: nothing on the way is met.
///
/// Memory     The first body of a world that is given a filter, a response or user data other than
///            a def's default makes room for those of all bodies: OUT_OF_MEMORY is possible then,
///            and nothing is changed. With fixed_capacity that room is there from the start.
graze_status graze_body_set_position(graze_world *world, graze_body_id body, graze_vec2 position);
graze_status graze_body_set_velocity(graze_world *world, graze_body_id body, graze_vec2 velocity);
graze_status graze_body_set_angle(graze_world *world, graze_body_id body, float angle);
graze_status graze_body_set_spin(graze_world *world, graze_body_id body, float spin);
graze_status graze_body_set_filter(graze_world *world, graze_body_id body, graze_filter filter);
graze_status graze_body_set_response(graze_world *world, graze_body_id body,
                                     graze_response response);
graze_status graze_body_set_user_data(graze_world *world, graze_body_id body, uint64_t user_data);

/// Read-only columns of all bodies in the world, for rendering: element i of each is the same body,
/// `*count` gets how many there are (count may be null). The order is arbitrary. Null when there
/// are none. Valid until the next call that changes the world.
const graze_vec2 *graze_world_positions(const graze_world *world, uint32_t *count);
const graze_vec2 *graze_world_velocities(const graze_world *world, uint32_t *count);
const float *graze_world_angles(const graze_world *world, uint32_t *count);
const uint32_t *graze_world_indices(const graze_world *world, uint32_t *count); ///< Ids' indices.

/// Returns the id of the body that has this index now; none when there is none.
graze_body_id graze_world_body_at(const graze_world *world, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
