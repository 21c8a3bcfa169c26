/// @file body.h
/// Bodies: everything that moves, from players to bullets.
///
/// Units      The game's own; velocities in units per second, angles in radians, times in seconds.
/// Hits       A hit is the beginning of a touch with something solid, and every bounce off it. A
///            bullet that is still inside a target does not hit it again.
/// Memory     Bodies live in the world; a def is read during the call and not kept. Properties that
///            every body leaves at their defaults (mass, restitution and friction; limits; filter;
///            user data) take no memory, nor do angles in a world without rects.
/// Threads    Getters may run at the same time as each other; anything else on one world may not.
/// Errors     A value out of range returns GRAZE_ERROR_ARGUMENT, an id of something that is gone
///            GRAZE_ERROR_STALE_ID, a call from inside a step GRAZE_ERROR_BUSY. The world's log
///            gets a line that names the field and its value, and nothing is changed.
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

/// What a body does where it meets something solid. Solid is terrain that is not a sensor, and any
/// body that is neither a sensor nor a ray.
///
/// Only what a body comes closer to stops or turns it: where it moves away from a surface or along
/// it, it goes on undisturbed. When two bodies meet that both slide or bounce, they share the
/// impulse by their inverse masses. When only one of them does, it alone gives way, as it does to
/// terrain. A body that slides or bounces is also pushed out of whatever it overlaps: out of
/// terrain at once, out of another body by a quarter of the overlap a step, shared by inverse
/// masses. One that stops is lifted out of terrain only where rounding, or a turn, has let it sink
/// in by less than a 256th of its smaller half size. In the step in which it is hit a body goes no
/// farther than it would have gone; what is driven by something faster follows from the next step
/// on.
///
/// A hit, as hit_limit counts them, is the beginning of a contact with something solid, and each
/// time that a body is thrown back. What stays inside something, rests on it or is pushed along by
/// it is not hit again.
typedef enum graze_response {
    /// Goes on. Whatever it meets is reported, and nothing that it meets moves it.
    GRAZE_PASS,
    /// Stops at the point of impact, with velocity zero.
    GRAZE_STOP,
    /// Goes on along the surface, without its speed into the surface and without what friction
    /// takes.
    GRAZE_SLIDE,
    /// Is thrown back: its speed along the normal is reversed and multiplied by the larger
    /// restitution of the two. A body that meets the surface more slowly than gravity accelerates
    /// it in two steps comes to rest instead.
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
    float mass;              ///< >= 0; 0: neither gravity nor what gives way moves it. Default 1.
    float restitution;       ///< 0 to 1: the share of its speed that a bounce keeps. Default 0.
    float friction;          ///< 0 to 1: Coulomb's coefficient, for slides. Default 0.
    graze_response response; ///< Default GRAZE_PASS.
    bool sensor; ///< Met and reported, but stops nobody, and meeting it is no hit. Default false.
    uint32_t hit_limit; ///< Removed where its n-th hit happens; 0: no limit. Default 0.
    float lifetime;     ///< Seconds after which it is removed, at the end of a step (which may be a
                        ///< sixteenth of it early, for rounding); 0: never. Default 0.
    graze_filter filter; ///< Default graze_filter_default().
    uint64_t user_data;  ///< The game's own. Default 0.
    uint32_t cookie;     ///< Set by graze_body_def_default(); a def without it is refused.
} graze_body_def;

/// Returns a def that is valid as it is.
graze_body_def graze_body_def_default(void);

/// Adds a body. Returns its id, or none: then graze_world_last_status() says why (ARGUMENT, BUSY,
/// OUT_OF_MEMORY, LIMIT). Queries find the body at once; others meet it from the next step on.
///
/// Cost       Constant, but for growth.
graze_body_id graze_body_create(graze_world *world, const graze_body_def *def);

/// Adds `count` bodies, one from each of `defs`, and writes their ids to `ids` (`count` elements,
/// or null when the ids are not wanted). All or nothing: returns `count`; or 0, with the world as
/// it was, when a def is bad or memory or capacity does not suffice (graze_world_last_status()).
uint32_t graze_body_create_many(graze_world *world, const graze_body_def *defs, uint32_t count,
                                graze_body_id *ids);

/// Removes a body at once. The next step reports the ends of its contacts. Legal at any time
/// between steps, also while reading contact lists. Returns STALE_ID when the body is gone already.
graze_status graze_body_destroy(graze_world *world, graze_body_id body);

/// Returns whether the id names a body that is in the world.
bool graze_body_is_valid(const graze_world *world, graze_body_id body);

/// Getters, in the units of graze_body_def. A body that its hit_limit or lifetime removed can still
/// be read until the next step begins; after its last hit it is where that was, with the velocity
/// that it came with. For any other id that is not valid they return zeros.
graze_vec2 graze_body_position(const graze_world *world, graze_body_id body);
graze_vec2 graze_body_velocity(const graze_world *world, graze_body_id body);
float graze_body_angle(const graze_world *world, graze_body_id body); ///< Radians, in [-pi, pi].
float graze_body_spin(const graze_world *world, graze_body_id body);
graze_shape graze_body_shape(const graze_world *world, graze_body_id body);
graze_filter graze_body_filter(const graze_world *world, graze_body_id body);
graze_response graze_body_response(const graze_world *world, graze_body_id body);
bool graze_body_is_sensor(const graze_world *world, graze_body_id body);
uint64_t graze_body_user_data(const graze_world *world, graze_body_id body);

/// Setters, in the units and ranges of graze_body_def. Setting a position is a teleport: nothing on
/// the way is met. Circles and rays ignore an angle and a spin.
///
/// Memory     The first body of a world that gets a filter or user data other than the default
///            makes room for those of all bodies. So these two setters may return OUT_OF_MEMORY,
///            and nothing is changed then. With fixed_capacity the room is there from the start.
graze_status graze_body_set_position(graze_world *world, graze_body_id body, graze_vec2 position);
graze_status graze_body_set_velocity(graze_world *world, graze_body_id body, graze_vec2 velocity);
graze_status graze_body_set_angle(graze_world *world, graze_body_id body, float angle);
graze_status graze_body_set_spin(graze_world *world, graze_body_id body, float spin);
graze_status graze_body_set_filter(graze_world *world, graze_body_id body, graze_filter filter);
graze_status graze_body_set_response(graze_world *world, graze_body_id body,
                                     graze_response response);
graze_status graze_body_set_user_data(graze_world *world, graze_body_id body, uint64_t user_data);

/// Read-only columns of all bodies in the world, for rendering. Element i of each column belongs to
/// the same body; the order is arbitrary. `*count` receives the number of bodies (`count` may be
/// null). Returns null when there are none; that of angles may be null also while no body is a rect
/// (all are 0 then). Valid until the next call that changes the world.
const graze_vec2 *graze_world_positions(const graze_world *world, uint32_t *count);
const graze_vec2 *graze_world_velocities(const graze_world *world, uint32_t *count);
const float *graze_world_angles(const graze_world *world, uint32_t *count);
const uint32_t *graze_world_indices(const graze_world *world, uint32_t *count); ///< Of their ids.

/// Returns the id of the body that has this index now, or none when no body has it.
graze_body_id graze_world_body_at(const graze_world *world, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
