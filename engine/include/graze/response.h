/// @file response.h
/// What a body does where it meets something solid. Terrain is solid unless it is a sensor; a body
/// is solid unless it is a sensor or a ray.
///
/// Units      The game's own; speeds in units per second.
/// Masses     Bodies that slide, bounce or are rigid share impulses by their inverse masses. All
///            else, and terrain, acts on them as of infinite mass, at its own speed. What has mass
///            0 is deflected by terrain alone; two such bodies pass through each other, and are
///            reported. The spin of a body that is not rigid gives no impulse: a flipper that
///            should hit a ball needs a velocity.
/// Momentum   A body gives what it hits the impulse of its own mass, and no more, also with its
///            last hit (hit_limit). GRAZE_STOP: it lands as in a perfectly inelastic collision;
///            then it stands, and holds what runs into it as terrain does. GRAZE_PASS: it throws
///            what it hits at its own speed, but its last hit gives the impulse of its mass. Rays:
///            what responds, and is no sensor, pushes what it hits; the velocity of that changes at
///            the end of the step. Sensors, and what a filter lets pass (graze_filter), give
///            nothing.
/// Surfaces   In every pair, also with terrain, friction is the geometric mean of both, restitution
///            the larger of both (surface.h). What approaches more slowly than gravity makes it in
///            two steps does not bounce: so a ball comes to rest.
/// Contacts   Bodies that touch and do not part are solved together, in substeps
///            (graze_world_set_substeps), with impulses kept from step to step. Heaps and stacks
///            come to rest, and an island of them that has been slow for half a second falls asleep
///            (graze_body_is_asleep). It wakes when something awake touches it, when what it
///            touches changes, and when a setter changes it. Terrain gives no way: what rests on it
///            does not sink in. Bodies that rest on each other overlap by about a hundredth of
///            their size in a stack of twenty. Chains, tiles and rows of blocks have no ghost
///            contacts: what rolls or slides along them meets no joint (see Limits).
/// Impacts    What touches nothing flies. What it meets faster than things at rest come together it
///            meets in the order of time: it is deflected where and when it touches, with
///            restitution as Newton has it and friction as Coulomb has it, and no impact gains
///            energy. Then it goes on for the rest of the step, through at most four impacts. What
///            slides along terrain alone does so in the same way, exactly. A body that touches
///            others while it is hit goes no farther in that step than it would have; what the hit
///            changes counts from the next step on.
/// Overlap    What overlaps terrain leaves it at once; what overlaps another body leaves it within
///            about a second, at up to six of its half sizes a second, and keeps no speed. But
///            dozens that are created at one place fly apart, and keep some. Two that bounce, and
///            already part, are left to do so.
/// Driven     What GRAZE_PASS moves pushes what it meets at its own speed, whole rows of bodies as
///            well. In the step in which it hits one, that moves no farther than it would have
///            unhit: so a lift or a wall may be inside it for a step, by as far as it moves in one,
///            and in discs that are pushed along a lift by up to three times that. What is squeezed
///            between a driven body and terrain stops there, with velocity 0.
/// Limits     Hordes that a game steers pack together, and overlap by up to a quarter of a radius
///            for a while; many that are steered to one point may jam in a door. Where eighty rows
///            land on each other, those inside come nearer to each other by up to a quarter for a
///            moment. A body that touches others and turns far in a step meets what its side sweeps
///            over, but does not push it in that step. What would start to move more slowly than a
///            tenth of its half size a second in half a second may fall asleep instead, as on a
///            slope of one degree. What slides may stop in a shaft exactly as wide as itself,
///            between terrain and driven blocks in turn. Of other walks, landings and tumbles over
///            joints, far out and at up to 600 units a second, a few in ten thousand end in a stop
///            or a small hop.
/// Hits       A hit, as counted by hit_limit, is the beginning of a contact with something solid,
///            and every bounce off it. Rays are not solid: a bullet counts what it hits, but what
///            it hits does not count the bullet. A body that stays inside something, rests on it or
///            is pushed along by it is not hit again. Of terrain each segment counts by itself, but
///            segments of one chain that are met at the same time (to within 2^-24 of it), as at a
///            corner, count as one hit, that of the first.
/// Source     Contacts: E. Catto 2024, "Solver2D"; M. Macklin et al. 2019, "Small Steps in Physics
///            Simulation". Impacts: A. Chatterjee, A. Ruina 1998, "A New Algebraic Rigid-Body
///            Collision Law". Driven rows: E. Guendelman, R. Bridson, R. Fedkiw 2003, "Nonconvex
///            Rigid Bodies with Stacking".
#ifndef GRAZE_RESPONSE_H
#define GRAZE_RESPONSE_H

#ifdef __cplusplus
extern "C" {
#endif

/// What a body does where it meets something solid.
typedef enum graze_response {
    /// Keeps moving. Whatever it meets is reported, but does not affect its motion.
    GRAZE_PASS,
    /// Stops at the point of impact, with velocity zero: for bullets, arrows, what sticks where it
    /// lands. It cannot walk under gravity, because it touches the ground and stops in each step;
    /// and nothing pushes it.
    GRAZE_STOP,
    /// Moves on along the surface, losing its speed into the surface and what friction takes of its
    /// speed along it, relative to the surface. It never turns and never bounces: for characters.
    GRAZE_SLIDE,
    /// Bounces: its speed along the normal is reversed and multiplied by the restitution. It never
    /// turns; with friction 0 it reflects as a mirror does. One of restitution 1 keeps its height
    /// (to 2 % in a minute, if a flight takes hundreds of steps).
    GRAZE_BOUNCE,
    /// A rigid body: contacts push it and turn it, with friction, restitution and rolling
    /// resistance. For crates, barrels, debris, coins. Unlike with other responses, a circle has an
    /// angle and a spin. A ray is a point that never turns: it slides, or bounces if it has a
    /// restitution.
    GRAZE_RIGID
} graze_response;

#ifdef __cplusplus
}
#endif

#endif
