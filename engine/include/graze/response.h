/// @file response.h
/// What a body does where it meets something solid. Terrain is solid unless it is a sensor; a body
/// is solid unless it is a sensor or a ray.
///
/// Units      The game's own; speeds in units per second.
/// Approach   A body is stopped or deflected only by what it is moving towards, relative to the
///            surface: while it moves away from a surface or along it, it is not affected, nor by a
///            corner or a side that it only touches in passing. (A body that is hit from behind
///            moves towards what catches up with it.)
/// Impulses   If two bodies meet that both slide or bounce, they share the impulse by their inverse
///            masses. If only one of them does, it alone is deflected, whatever its mass, as by
///            terrain that moves like the other. Spin gives no impulse: a flipper that should hit a
///            ball needs a velocity. In the step in which a body is hit, it moves no farther than
///            it would have unhit, by its velocity before or after gravity; what the hit adds takes
///            effect from the next step on.
/// Momentum   A body gives what it hits the impulse of its own mass, and no more. A hit_limit does
///            not change that: the last hit gives what it would have given without the limit.
///            GRAZE_STOP: the body lands as in a perfectly inelastic collision, with its speed
///            along the surface, too. Then it stands, and the rest of its momentum is lost, as to
///            terrain. What stands already holds whatever runs into it, as terrain does.
///            GRAZE_PASS: the body throws what it hits at its own speed, whatever its mass. But its
///            last hit gives, by its own speed, the impulse of its mass.
///            Rays: what responds, and is no sensor, pushes what it hits. The velocity of what is
///            hit changes at the end of the step. Several rays make no body faster than they are.
///            What a ray only rests on is not pushed.
///            Sensors, and what a filter lets pass (graze_filter), give nothing.
/// Overlap    A body that slides or bounces, a ray as well, is pushed out of whatever it overlaps:
///            out of terrain at once, out of another body by a quarter of the overlap per step,
///            shared by inverse masses. Pushes out of other bodies add up. Where pushes contradict
///            each other, the one out of terrain counts first, then one out of a body that nothing
///            moves, such as a lift: all that is stacked on a lift goes along with it. If neither
///            of two bodies in a pile has room to give way, as in a row that reaches from wall to
///            wall, they are pushed apart against gravity, too, where they overlap by more than a
///            32nd of the smaller half size. A body to which walls leave no room, or whose centre
///            is exactly on an end of a wall, may stay where it is. A body that stops is lifted out
///            of terrain only where rounding, or its rotation, has let it sink in by less than a
///            256th of its smaller half size.
/// Driven     What has mass 0, such as a lift or a paddle, is given no speed by what it meets. No
///            body holds it or pushes it, whatever its response; terrain does, unless that is
///            GRAZE_PASS. Two bodies of mass 0 that respond pass through each other, and are
///            reported. So nothing is squeezed out between two bodies that give no way. What slides
///            or bounces, and has a mass, is pushed or thrown on by what has none,
///            but in the step in which it is hit it moves no farther than it would have unhit; so
///            what goes farther in a step than the body that it hits is wide, or than half of that
///            if others stand in the way, may leave it behind, and a fast wall some of a long row
///            that it pushes uphill. What a lift carries rises first, whatever holds it up in its
///            motion along the lift: so the lift does not sink into crates that are pushed along
///            it, and into discs by no more than it rises in two steps, now and then; unless the
///            game makes a body slower than the lift before each step.
/// Bursts     Bodies that slide or bounce and are deep inside many others, as when dozens are
///            created at one place, do not deflect each other: if each of two overlaps eight others
///            or more by more than an eighth of the smaller half size, they only push each other
///            out. So what bursts apart keeps its speeds until it is nearly apart.
/// Piles      Where there is gravity, two or more bodies that slide or bounce, each closer to
///            another of them than a 256th of its smaller half size, are a pile (an island of
///            contacts) if one of them presses on something that does not give way. A pile is
///            solved as a whole when a step begins: by sixteen sweeps of impulses, shared by
///            inverse masses, and friction; the approach that remains is taken from the body that
///            is higher up, against gravity. So heaps and stacks come to rest, and at their feet
///            friction acts with the weight of all: where bodies with friction lean on each other,
///            the sweeps begin with the impulses of the last step, and learn from step to step what
///            each bears. What lies still to the last bit sleeps, and costs next to nothing: stacks
///            and columns within seconds, untidy heaps of some hundred bodies mostly within a
///            minute; without friction more than half of those of some ten bodies. Larger ones
///            creep on, and slip now and then. A body of a pile stands where it would creep by no
///            more than a 2^19th of its smaller half size along either axis in a step, or than its
///            position is rounded, and no faster than a 256th of what gravity adds in the step: so
///            on slopes of less than a quarter of a degree it may not begin to slide. Bodies of a
///            pile may overlap a little. A wedged body may stand still above its neighbours, by up
///            to a 256th of its smaller half size, without a contact.
/// Crowds     Where the world's gravity is 0, three or more bodies that press on each other are a
///            crowd, such as a horde that the game steers before each step: nothing needs to hold
///            it, and it packs together. Impulses change the velocities, and keep the momentum.
///            Bodies that are pressed into each other step after step overlap: hundreds of circles
///            by less than a sixth of a radius, by up to a quarter where they squeeze through a
///            door; in free flight by no more than a 4096th.
/// Rigid      A body with GRAZE_RIGID is solved together with all that it touches, in substeps
///            (graze_world_set_substeps): contacts push it, turn it and rub along it. Heaps and
///            stacks come to rest, and an island of them that has been slow for half a second falls
///            asleep (graze_body_is_asleep). It wakes when something awake touches it, when what it
///            touches changes, and when a setter changes it.
///            Surfaces (surface.h) mix: friction as the geometric mean of both, also with terrain;
///            restitution as the larger of both. Approaches slower than gravity makes in two steps
///            do not bounce.
/// Impacts    A rigid body that touches nothing flies. What it meets faster than things at rest
///            come together it meets in the order of time: impulses at the point of impact, at both
///            points where it lands flat, change velocities and spins. Restitution is Newton's,
///            friction Coulomb's, and no impact gains energy. Then it flies on for the rest of the
///            step, through at most four impacts. A body that touches others while it is hit goes
///            no farther in that step than it would have; what the hit changes counts from the next
///            step on.
///            Terrain gives no way: what rests on it neither sinks in nor trembles. Bodies that
///            rest on each other overlap a little: by about a hundredth of their size in a stack of
///            twenty. What is squeezed between a lift and terrain stops there, with velocity 0.
///            Chains, tiles and rows of blocks have no ghost contacts: what rolls or slides along
///            them meets no joint.
///            What slides or bounces, and rests on a rigid body, is solved with it in that step, as
///            a body that never turns. What stops, and rays, push it: its velocity changes from the
///            next step on.
///            Limits: a body that touches others may turn far in a step. It meets what its side
///            sweeps over, but does not push it in that step. A body of mass 0 is held by terrain
///            alone.
/// Jammed     In a step in which a body cannot move, jammed between others, gravity does not add to
///            its speed, but reduces it by as much: such bodies come to rest. Nor does gravity add
///            anything for the rest of a step that is dropped (GRAZE_CONTACT_DROPPED).
/// Hits       A hit, as counted by hit_limit, is the beginning of a contact with something solid,
///            and every bounce off it. Rays are not solid: a bullet counts what it hits, but what
///            it hits does not count the bullet. A body that stays inside something, rests on it or
///            is pushed along by it is not hit again. Of terrain each segment counts by itself:
///            what slides along a chain takes a hit at each joint, and on tiles that are chains of
///            their own also from their sides, which it grazes. But segments of one chain that are
///            met at the same time (to within 2^-24 of it), as at a corner, or where a body is
///            created across the chain, count as one hit at most, that of the first, also if the
///            body bounces off both.
/// Source     Sequential impulses: E. Catto 2006, "Fast and Simple Physics using Sequential
///            Impulses"; what is left goes up the pile: E. Guendelman, R. Bridson, R. Fedkiw 2003,
///            "Nonconvex Rigid Bodies with Stacking". Rigid bodies: E. Catto 2024, "Solver2D"; M.
///            Macklin et al. 2019, "Small Steps in Physics Simulation"; A. Chatterjee, A. Ruina
///            1998, "A New Algebraic Rigid-Body Collision Law".
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
    /// lands. What it hits gets the impulse of its mass (Momentum). It cannot walk under gravity,
    /// because it touches the ground and stops in each step; and nothing pushes it. Bodies that
    /// walk or can be pushed should slide.
    GRAZE_STOP,
    /// Moves on along the surface, losing its speed into the surface and what friction takes of its
    /// speed along it, relative to the surface: what lies on a moving platform is carried along.
    GRAZE_SLIDE,
    /// Bounces: its speed along the normal is reversed and multiplied by the larger restitution of
    /// the two. If it approaches the surface more slowly than gravity accelerates it in two steps,
    /// it comes to rest instead. The speed is that at the touch, with only what gravity has added
    /// by then: so a ball comes to rest sooner or later, and one of restitution 1 keeps its height
    /// (to 2 % in a minute, if a flight takes hundreds of steps).
    GRAZE_BOUNCE,
    /// A rigid body: contacts push it and turn it, with friction, restitution and rolling
    /// resistance (Rigid). For crates, barrels, debris, coins. Unlike with other responses, a
    /// circle has an angle and a spin. A ray is a point that never turns: it slides, or bounces if
    /// it has a restitution.
    GRAZE_RIGID
} graze_response;

#ifdef __cplusplus
}
#endif

#endif
