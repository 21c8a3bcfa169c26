/// @file body.h
/// Bodies: everything that moves, from players to bullets. A body has a shape, a motion, a mass, a
/// surface, and a response: what it does where it meets something solid (response.h).
///
///     graze_body_def def = graze_body_def_default(); // A disc of radius 0.5 and mass 1.
///     def.shape = graze_shape_rect(0.5f, 0.5f);
///     def.position = (graze_vec2){0, 10};
///     graze_body_id crate = graze_body_create(world, &def);
///     graze_vec2 position = graze_body_position(world, crate);
///     graze_body_set_velocity(world, crate, (graze_vec2){3, 0});
///
/// Units      The game's own; velocities in units per second, angles in radians, times in seconds.
/// Threads    Getters may run concurrently; any other call on a world excludes all others on it.
/// Errors     A call that fails changes nothing, and the world's log receives a line that names the
///            field and its value. What is checked, in this order:
///              - GRAZE_ERROR_BUSY: a call from inside a step;
///              - GRAZE_ERROR_STALE_ID: an id of something that is gone;
///              - GRAZE_ERROR_LIMIT: the world is full;
///              - GRAZE_ERROR_ARGUMENT: a value is out of range;
///              - GRAZE_ERROR_OUT_OF_MEMORY.
/// Memory     Bodies live in the world; a def is only read during the call. A property takes no
///            memory while all bodies of the world have its default. That holds for mass and
///            surface, for hit_limit and lifetime, for filter, and for user_data. It holds for
///            inertia, damping, gravity_scale and never_sleeps while no body is GRAZE_RIGID, and
///            for angles while no body turns. (A rect turns, and a circle with GRAZE_RIGID.)
#ifndef GRAZE_BODY_H
#define GRAZE_BODY_H

#include <graze/id.h>
#include <graze/response.h>
#include <graze/shape.h>
#include <graze/status.h>
#include <graze/surface.h>
#include <graze/vec2.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Which things meet. Two things meet if the category of each is in the mask of the other. Things
/// with the same non-zero group always meet if it is positive, and never if it is negative.
///
/// Pass       Two things that meet pass through each other if the category of either is in the
///            `pass` bits of the other, whatever their groups. Their contacts are reported, and
///            count as hits, but neither deflects, stops or pushes the other. So a bullet with
///            GRAZE_STOP that passes enemies pierces them one after the other, and stops at the
///            first wall.
/// Fixtures   Bodies that touch meet, and are reported in each step. That holds even if both have
///            mass 0 and GRAZE_PASS, such as the planks of a bridge. To prevent this, leave their
///            own category out of their mask.
typedef struct graze_filter {
    uint32_t category; ///< Bits of what this is. Default 1.
    uint32_t mask;     ///< Bits of what this meets. Default all.
    uint32_t pass;     ///< Bits of what this meets, but is not deflected by. Default 0: none.
    int32_t group;     ///< Default 0: no group.
} graze_filter;

/// Returns category 1, all bits in the mask, none in `pass`, group 0.
graze_filter graze_filter_default(void);

/// C++ has no anonymous structs, but gcc, clang and MSVC take them.
#if defined(__GNUC__)
#define GRAZE_ANONYMOUS __extension__
#else
#define GRAZE_ANONYMOUS
#endif

/// The definition of a body. Start from graze_body_def_default(). All numbers must be finite, also
/// those that circles and rays ignore. But sizes that the kind of a shape does not use may be any.
typedef struct graze_body_def {
    graze_shape shape;   ///< Sizes as shape.h states. Default: a circle of radius 0.5.
    graze_vec2 position; ///< Centre, or a ray's tip. Default 0, 0.
    graze_vec2 velocity; ///< Units per second. Default 0, 0.
    float angle;         ///< Radians. Default 0. Rays ignore it, and circles but those with
                         ///< GRAZE_RIGID.
    float spin;          ///< Angular velocity about the centre, radians per second. Default 0.
                         ///< Rays and circles ignore it likewise.
    float mass;          ///< >= 0. Default 1. 0 acts as infinite: neither gravity nor a body moves
                         ///< it or stops it. That is for lifts, and for coins and zones that stay
                         ///< where they are.
    GRAZE_ANONYMOUS union {
        graze_surface surface; ///< surface.h. Default graze_surface_default().
        GRAZE_ANONYMOUS struct {
            float friction;    ///< That of the surface: the same number. See Steering below.
            float restitution; ///< That of the surface: the same number.
        };
    };
    float inertia;       ///< >= 0: resistance to a change of spin, of GRAZE_RIGID. Default 0: from
                         ///< shape and mass m. That is m r^2 / 2 for a disc of radius r, and
                         ///< m (x^2 + y^2) / 3 for a rect of half extents x and y.
    float damping;       ///< >= 0, per second. Default 0. In each step, after gravity, the velocity
                         ///< is divided by 1 + damping * dt.
    float spin_damping;  ///< >= 0, per second: the same for the spin. Default 0.
    float gravity_scale; ///< The world's gravity is multiplied by it for this body. Below 0 it
                         ///< rises. Default 1. Mass 0 knows no gravity and no damping.
    graze_response response; ///< Default GRAZE_RIGID.
    bool sensor; ///< Met and reported, but stops nothing and counts as no hit. Default false. It
                 ///< moves as any other body: under gravity it falls unless its mass is 0. With a
                 ///< response solid things stop it, and its own hits count. (With GRAZE_RIGID
                 ///< terrain stops it, but no body.)
    uint32_t hit_limit; ///< Removed at its n-th hit (response.h, Hits); 0: no limit. Default 0.
    bool never_sleeps;  ///< Nothing puts it to sleep, however still it lies. Default false.
    float lifetime; ///< Seconds until it is removed, at the end of a step. 0: never. Default 0. It
                    ///< may go up to a sixteenth of a step early, to allow for rounding. What is
                    ///< left is rounded to float in each step. So a lifetime of n steps may be
                    ///< n * n / 2^25 steps shorter or longer (a minute at 60 Hz by less than one).
    graze_filter filter; ///< Default graze_filter_default().
    uint64_t user_data;  ///< The game's own. Default 0.
    uint32_t cookie;     ///< Set by graze_body_def_default(); a def without it is refused.
} graze_body_def;

/// Returns a definition with all defaults, which is valid as it is.
graze_body_def graze_body_def_default(void);

/// Adds a body and returns its id. Queries find the body at once; other bodies meet it from the
/// next step on.
///
/// Errors     It returns none, and graze_world_last_status() says why: ARGUMENT (also for a null
///            def), BUSY, OUT_OF_MEMORY, LIMIT.
/// Cost       Constant, amortised over growth.
graze_body_id graze_body_create(graze_world *world, const graze_body_def *def);

/// Adds `count` bodies, one for each element of `defs`, and returns `count`. It writes their ids to
/// `ids`, in the same order. Both arrays have `count` elements and are the caller's. `ids` may be
/// null, and so may `defs` if count is 0.
///
/// Errors     All or nothing. If a def is invalid, or memory or capacity does not suffice, it
///            returns 0 and leaves the world and `ids` as they were (graze_world_last_status()).
/// Cost       Linear in `count`, amortised over growth.
uint32_t graze_body_create_many(graze_world *world, const graze_body_def *defs, uint32_t count,
                                graze_body_id *ids);

/// Removes a body at once. The next step reports the ends of its contacts. Legal at any time
/// between steps, also while reading contact lists. Returns OK; STALE_ID if the body is already
/// gone; BUSY inside a step. If the last step removed the body (removal.h), nothing is left to do.
/// Then the call returns OK and changes nothing, until the next step or load begins.
///
/// Cost       That of a setter.
graze_status graze_body_destroy(graze_world *world, graze_body_id body);

/// Returns whether the id is that of a body in the world. Constant time.
bool graze_body_is_valid(const graze_world *world, graze_body_id body);

/// Getters, in the units of graze_body_def. Constant time. For an invalid id they return zeros.
///
/// Removed    A body that was removed by its hit_limit or lifetime can still be read until the next
///            step begins. After its last hit it is where it was at that hit, with the velocity
///            that it had before. (If it has a response, and rounding would put it beyond a wall,
///            it is a little before that place.)
/// Angles     In [-pi, pi]. Others are wrapped in double, with an error of 2e-16 of their size.
///            Angles of 1e15 turns or more become 0.
graze_vec2 graze_body_position(const graze_world *world, graze_body_id body);
graze_vec2 graze_body_velocity(const graze_world *world, graze_body_id body);
float graze_body_angle(const graze_world *world, graze_body_id body); ///< Radians, in [-pi, pi].
float graze_body_spin(const graze_world *world, graze_body_id body);
float graze_body_mass(const graze_world *world, graze_body_id body);
graze_surface graze_body_surface(const graze_world *world, graze_body_id body);
float graze_body_restitution(const graze_world *world, graze_body_id body); ///< Of its surface.
float graze_body_friction(const graze_world *world, graze_body_id body);    ///< Likewise.
float graze_body_damping(const graze_world *world, graze_body_id body);
float graze_body_spin_damping(const graze_world *world, graze_body_id body);
float graze_body_gravity_scale(const graze_world *world, graze_body_id body);
bool graze_body_never_sleeps(const graze_world *world, graze_body_id body);
graze_shape graze_body_shape(const graze_world *world, graze_body_id body);
graze_filter graze_body_filter(const graze_world *world, graze_body_id body);
graze_response graze_body_response(const graze_world *world, graze_body_id body);
bool graze_body_is_sensor(const graze_world *world, graze_body_id body);
uint64_t graze_body_user_data(const graze_world *world, graze_body_id body);

/// Returns the body's inertia in force. That is what was set, or else what follows from its shape
/// and mass: 0 for mass 0 and for a ray.
float graze_body_inertia(const graze_world *world, graze_body_id body);

/// Returns whether the body sleeps. Then it lay still for so long that steps leave it out until
/// something wakes it. What slides or bounces, and touches nothing but terrain, does not sleep.
/// Nor does a rigid body of mass 0 that stands: it takes next to no time as it is.
bool graze_body_is_asleep(const graze_world *world, graze_body_id body);

/// Returns the seconds left of the body's lifetime; 0 if it has none, or is not in the world.
float graze_body_lifetime(const graze_world *world, graze_body_id body);

/// Returns at which hit from now on the body is removed, at least 1; 0 if hits do not remove it, or
/// it is not in the world.
uint32_t graze_body_hit_limit(const graze_world *world, graze_body_id body);

/// Setters, in the units and ranges of graze_body_def. What they set holds from the next step on;
/// queries find the body as it is at once. Setting a position teleports the body: nothing in
/// between is met. Rays ignore angle and spin, and so do circles but those with GRAZE_RIGID.
///
/// Steering   A character, whose velocity the game sets before each step, should slide, with
///            friction 0 while it walks. Friction would slow it, and hold it on a wall that it
///            presses against, even in mid-air. Keep the part of the velocity that gravity gave it.
/// Contacts   No setter begins or ends a contact. The next step finds what the body meets as it is
///            then. A contact that goes on is a STAY, whatever else changed, and no hit unless it
///            is a bounce.
/// Rest       Setters wake a body at rest, and all that it may hold up or lean on. A heap that is
///            less stable than before moves, and comes to rest again.
///              - User data wakes nothing.
///              - A value that the body has already wakes nothing. That holds for velocity, mass,
///                surface, inertia, damping, gravity scale, lifetime, hit limit, shape, sensor and
///                never_sleeps.
///              - A rigid body that sleeps also wakes when something else than before is in contact
///                with it. It wakes when what it lies on moves or is changed by a call, too.
///              - A body whose velocity is set before each step, to another than 0, does not fall
///                asleep.
/// Memory     A group of values takes no room until a body of the world differs from the default in
///            one of them. Then it takes room for all bodies. The groups are filters; user data;
///            mass and surface; lifetime and hit limit; inertia, damping, gravity scale and sleep;
///            and what bodies need that turn or are GRAZE_RIGID. So these setters may return
///            OUT_OF_MEMORY; nothing is changed then. With fixed_capacity the room is reserved from
///            the start.
/// Cost       Constant; if bodies wake, plus a query of its box for each of them.
graze_status graze_body_set_position(graze_world *world, graze_body_id body, graze_vec2 position);
graze_status graze_body_set_velocity(graze_world *world, graze_body_id body, graze_vec2 velocity);
graze_status graze_body_set_angle(graze_world *world, graze_body_id body, float angle);
graze_status graze_body_set_spin(graze_world *world, graze_body_id body, float spin);
graze_status graze_body_set_filter(graze_world *world, graze_body_id body, graze_filter filter);
graze_status graze_body_set_user_data(graze_world *world, graze_body_id body, uint64_t user_data);

/// Sets the body's response. A circle that is no longer GRAZE_RIGID has angle and spin 0.
graze_status graze_body_set_response(graze_world *world, graze_body_id body,
                                     graze_response response);

/// Sets the body's mass, >= 0, and keeps its velocity: its momentum changes. 0 acts as infinite,
/// and gravity no longer changes its velocity.
graze_status graze_body_set_mass(graze_world *world, graze_body_id body, float mass);

/// Sets the body's surface, also against what it touches already.
graze_status graze_body_set_surface(graze_world *world, graze_body_id body, graze_surface surface);

/// These two set one number of the body's surface: restitution from 0 to 1, friction >= 0.
graze_status graze_body_set_restitution(graze_world *world, graze_body_id body, float restitution);
graze_status graze_body_set_friction(graze_world *world, graze_body_id body, float friction);

/// Sets the body's inertia, >= 0, and keeps its spin. 0: the one that follows from its shape and
/// mass, also when these change later.
graze_status graze_body_set_inertia(graze_world *world, graze_body_id body, float inertia);

/// These set how fast the body's velocity and spin fade, per second, >= 0.
graze_status graze_body_set_damping(graze_world *world, graze_body_id body, float damping);
graze_status graze_body_set_spin_damping(graze_world *world, graze_body_id body,
                                         float spin_damping);

/// Sets by what the world's gravity is multiplied for the body: any finite number.
graze_status graze_body_set_gravity_scale(graze_world *world, graze_body_id body,
                                          float gravity_scale);

/// Sets whether the body is kept from sleeping. One that sleeps wakes.
graze_status graze_body_set_never_sleeps(graze_world *world, graze_body_id body, bool never_sleeps);

/// Sets in how many seconds from now the body is removed, however old it is. >= 0; 0: never.
graze_status graze_body_set_lifetime(graze_world *world, graze_body_id body, float lifetime);

/// Sets at which hit from now on the body is removed; 0: at none. Earlier hits no longer count.
/// What it touches now counts only if it bounces off that, or leaves it and comes back.
graze_status graze_body_set_hit_limit(graze_world *world, graze_body_id body, uint32_t hit_limit);

/// Sets whether the body is a sensor. What overlaps a body that becomes solid is pushed out of it
/// as usual. What lies on a body that becomes a sensor falls through it.
graze_status graze_body_set_sensor(graze_world *world, graze_body_id body, bool sensor);

/// Sets the body's shape: another size or another kind, around the same position. If it then
/// overlaps something it is pushed out as usual. Terrain does not leak, because the position stays
/// on its side. Its mass stays the same. If the kind stays the same, angle and spin do, too. If it
/// changes, they become 0.
graze_status graze_body_set_shape(graze_world *world, graze_body_id body, graze_shape shape);

/// Applies an impulse (mass times units per second) at a point of the world. The velocity changes
/// by impulse / mass. The spin of a GRAZE_RIGID body that is no ray changes by the impulse's moment
/// about its centre, divided by its inertia. The impulse holds from the next step on, wakes the
/// body as setters do, and is recorded as they are. Velocity and spin are clamped to the range of
/// float.
///
/// Takes      Only bodies with a response other than GRAZE_PASS and a mass above 0 take impulses.
///            For others the call returns OK, and nothing happens.
/// Errors     As of setters: ARGUMENT if a number is not finite.
/// Cost       That of a setter.
graze_status graze_body_apply_impulse(graze_world *world, graze_body_id body, graze_vec2 impulse,
                                      graze_vec2 point);

/// Applies an impulse that only turns (inertia times radians per second). A GRAZE_RIGID body takes
/// it that is no ray and whose mass is above 0. For others the call returns OK, and nothing
/// happens. All else is as above.
graze_status graze_body_apply_spin_impulse(graze_world *world, graze_body_id body, float impulse);

/// Read-only arrays ("columns") of all bodies in the world, for rendering. Element i of each column
/// belongs to the same body; the order is arbitrary. Units are those of the getters. `*count`
/// receives the number of bodies (`count` may be null). They return null if there are no bodies.
/// The angles may also be null while no body turns (all are 0 then). The arrays are the world's,
/// and valid until the next call that changes it. Constant time.
const graze_vec2 *graze_world_positions(const graze_world *world, uint32_t *count);
const graze_vec2 *graze_world_velocities(const graze_world *world, uint32_t *count);
const float *graze_world_angles(const graze_world *world, uint32_t *count);
const uint32_t *graze_world_indices(const graze_world *world, uint32_t *count); ///< Of their ids.

/// Returns the id of the body that has this index now, or none if no body has it. Constant time.
graze_body_id graze_world_body_at(const graze_world *world, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
