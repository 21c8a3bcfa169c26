/// @file response.h
/// What a body does where it meets something solid: it passes, stops, slides, bounces, or is pushed
/// and turned as a rigid body. Terrain is solid unless it is a sensor. A body is solid unless it is
/// a sensor or a ray. Each body has one response, and a game may change it at any time:
///
///     graze_body_def hero = graze_body_def_default();
///     hero.response = GRAZE_SLIDE; // Crates: GRAZE_RIGID, the default. Bullets: GRAZE_STOP.
///     graze_body_id body = graze_body_create(world, &hero);
///     graze_body_set_response(world, body, GRAZE_PASS); // It passes through walls now.
///
/// Units      The game's own; speeds in units per second.
/// Contacts   Bodies that touch and do not part are solved together, in substeps
///            (graze_world_set_substeps). Their impulses are kept from step to step. Heaps and
///            stacks come to rest. An island that has been slow for half a second falls asleep
///            (graze_body_is_asleep). It wakes when something awake touches it, when what it
///            touches changes, and when a setter changes it. Chains, tiles, and rows of blocks or
///            crates have no ghost contacts: what rolls or slides along them, or from one onto
///            another that is level, meets no joint (but see Limits).
/// Impacts    A body that touches nothing flies. Some things come together faster than things at
///            rest do: it meets these in the order of time. It is deflected where and when it
///            touches, with restitution as Newton has it and friction as Coulomb has it. No impact
///            gains energy. Then it goes on for the rest of the step, through at most four impacts.
///            What slides along terrain alone does so in the same way, exactly.
/// Flight     Gravity changes the velocity first, and then the body goes by it: v += g dt,
///            x += v dt. So it falls by g t (t + dt) / 2. What is rigid does so in each substep: it
///            falls by g t (t + dt / substeps) / 2.
/// Surfaces   In every pair, friction is the geometric mean of both, and restitution the larger of
///            both (surface.h). That holds with terrain, too. What approaches more slowly than
///            gravity makes it in two steps does not bounce. So a ball comes to rest. Of a ray that
///            is rigid only its own restitution counts.
/// Masses     Bodies that slide, bounce or are rigid share impulses by their inverse masses. All
///            other bodies, and terrain, act on them as if their mass were infinite, at their own
///            speed. A body with mass 0 is deflected by terrain alone, which does not turn it. Two
///            bodies with mass 0 pass through each other, and are reported. A rigid one that stands
///            is a block of a level: it holds what lies on it as terrain does, and nothing moves
///            it, also where it overlaps terrain. What turns throws what it hits at the speed of
///            its surface.
/// Momentum   A body gives what it hits the impulse of its own mass, and no more. Its last hit
///            (hit_limit) does the same. The cases are:
///              - GRAZE_STOP: the body lands as in a perfectly inelastic collision. Then it stands,
///                and holds what runs into it as terrain does (but see Limits).
///              - GRAZE_PASS: the body throws what it hits at its own speed. But its last hit gives
///                the impulse of its mass.
///              - Rays: a ray with another response than GRAZE_PASS pushes what it hits, unless it
///                is a sensor. The velocity of what it hits changes at the end of the step. A ray
///                with GRAZE_PASS gives nothing, not even at its last hit.
///              - Sensors give nothing. Nor does what a filter lets pass (graze_filter).
/// Hits       A hit is the beginning of a contact with something solid, and every bounce off it.
///            hit_limit counts hits. Rays are not solid: a bullet counts what it hits, but what it
///            hits does not count the bullet. A body that stays inside something, rests on it or is
///            pushed along by it is not hit again. Each segment of terrain counts by itself. But
///            segments of one chain that are met at the same time (to within 2^-24 of it) count as
///            one hit, that of the first. Such are the two of a corner.
/// Overlap    What overlaps terrain leaves it at once, but for a rigid rect that is about as deep
///            in both walls of a corner: it may stay. What overlaps another body leaves it within
///            about a second (long planks: within eight), at up to six of its half sizes a second,
///            and keeps no speed. What is rigid leaves terrain so, too; and a rigid rect may keep a
///            speed of up to one and a half of its half sizes a second. Three or more that are
///            created at one place fly apart, and keep some speed. Two that bounce, and already
///            part, are left to do so.
/// Driven     A body with GRAZE_PASS pushes what it meets at its own speed, and whole rows of
///            bodies as well. A wall that goes straight is inside one body by a quarter of that
///            one's half size at most: what is rigid up to three and a half of its widths a step,
///            what slides or bounces up to half a width. What comes faster may leave a body behind.
///            What turns, or pushes rows, may be deeper; and rows of bodies that bounce let a wall
///            through that comes by a tenth of their width a step. Discs that are pushed along a
///            lift may be inside it by up to three times as far as it moves in a step. What is
///            squeezed between a driven body and terrain stops there, with velocity 0. A row of
///            discs without friction may leave what hits it, and be up to 1.6 times as fast.
/// Limits     - In the step in which it is hit, a body goes no farther than it would have without
///              the hit. So what was still moves from the next step on. If the body touches others,
///              all that the hit changes counts from then on.
///            - Terrain does not give way: what rests on it does not sink in. What rests on another
///              body sinks into it by about a quarter of g dt^2 for each body that is above the
///              seam. At 60 steps a second and a gravity of 10 that is a hundredth of their width
///              in a stack of twenty boxes of width 1. Where it is a tenth, stacks may fall: then
///              steps should be shorter.
///            - Where eighty rows land on each other, those inside come nearer to each other by up
///              to a quarter for a moment.
///            - What hits something much lighter that lies on the ground or at a wall comes back
///              from it, also without restitution, at up to eight tenths of its speed.
///            - Hordes that a game steers pack together. Those that never turn overlap by about a
///              hundredth of their size, and by up to a quarter of a radius for a while. Many that
///              are steered to one point may jam in a door, above all in one that is two of them
///              wide.
///            - What others press against a body that has stopped (GRAZE_STOP, with a mass) may go
///              into it, unless it lies on it. What something much heavier presses may go into it
///              in any case; from 300 times its mass on, through it. One of mass 0 holds both.
///            - A rect that lands flat on the ground, on blocks of a level, or on bodies with
///              GRAZE_PASS that move alike stays flat. On other bodies, also those of mass 0 that
///              move, it turns a little: what is three times as high as wide may fall over. And
///              what rolls from one of mass 0 that moves onto terrain may hop.
///            - A body that touches others and turns far in a step meets what its side sweeps over,
///              but does not push it in that step.
///            - A body may fall asleep instead of starting to move, if what moves it is less than a
///              fiftieth of its weight: as on a slope of one degree. Without gravity it may do so
///              if in half a second it would reach less than a tenth of its half size a second.
///            - A few in ten thousand walks, landings and tumbles over joints end in a stop or a
///              small hop. The tests try them far out, too, and at up to 600 units a second.
///              Where bodies sink deep into crates (see above), up to one seam in a hundred does.
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
    /// lands. Nothing pushes it. It cannot walk under gravity: it would touch the ground and stop
    /// in each step.
    GRAZE_STOP,
    /// Moves on along the surface: for characters. It loses its speed into the surface, and
    /// friction takes some of its speed along it, relative to the surface. It never turns and never
    /// bounces.
    GRAZE_SLIDE,
    /// Bounces: for balls. Its speed along the normal is reversed and multiplied by the
    /// restitution. With friction 0 it reflects as a mirror does. With restitution 1 it keeps its
    /// height (to 2 % in a minute, if a flight takes hundreds of steps). It never turns.
    GRAZE_BOUNCE,
    /// A rigid body: for crates, barrels, debris, coins. Contacts push it and turn it, with
    /// friction, restitution and rolling resistance. With this response a circle has an angle and a
    /// spin; with others it has none. A ray is a point that never turns: it bounces if it has a
    /// restitution, and slides otherwise.
    GRAZE_RIGID
} graze_response;

#ifdef __cplusplus
}
#endif

#endif
