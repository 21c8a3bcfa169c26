/// @file contact.h
/// The contacts of the last step: which things touched, when and where. A contact is a BEGIN in the
/// first step, a STAY in the following ones, and has one END. A game reads both lists after each
/// step. For the contacts:
///
///     graze_contact_list contacts = graze_world_contacts(world);
///     for (uint32_t i = 0; i < contacts.count; ++i) {
///         if (contacts.data[i].phase == GRAZE_CONTACT_BEGIN) {
///             ... a sound, a spark, damage ...
///         }
///     }
///
/// Units      The game's own; times are fractions of the step, 0 to 1.
/// Memory     Lists are views into the world, valid until its next step or load begins. Bodies and
///            chains may be created and destroyed while reading them.
/// Threads    Reading calls: they may run concurrently.
/// Errors     None: before the first step the lists are empty.
/// Order      By (a, b): bodies by index, a the smaller one. Of the contacts of one a, those with
///            terrain, whose b is none, come first. The contacts of one pair are ordered by time,
///            then by segment id. So are all contacts of one body with terrain. The order is a
///            function of the state: history, grid tuning and threads do not affect it.
/// Once       A pair is listed at its first touch in the step. It is listed again for each later
///            time at which it stops or deflects one of the two. Other touches are not repeated.
/// Points     Where the two touched first. Two may overlap without a first touch. That is so at the
///            start of the step, or where a body was deflected (if a one-sided segment had let it
///            pass). Then the point is,
///              - for a circle or a ray, the point of the other that is nearest to its centre. It
///                is the centre itself where that lies inside. (Of two circles a's centre counts.)
///              - for two rects, or a rect and a wall, the point that leaves the other last when
///                the two are moved apart along the normal. It is a point of one of them. Where one
///                reaches through the other it may lie outside.
/// Rotation   A rect that spins turns evenly in the step. It meets what it turns through, also in
///            between (sweep_turn.h). If it meets something also without turning, that touch
///            counts, unless a corner has by then gone farther than the smaller half size of a rect
///            of the two. (With terrain it always counts.)
/// Joints     A body may touch the end that two segments of a chain share. Then the normal is one
///            of the chain as a whole: that of a segment, or one between those of both. The depth
///            is that in this segment alone, and the way out of it may have another direction.
/// Sides      A body is on the side of a segment on which its centre is. If that is exactly on the
///            line of the segment, the fill rule of orient.h says on which side that is.
/// Exactness  Whether a bullet crosses a wall, and which wall it crosses first, is decided by exact
///            signs. Times and normals are computed in double and rounded once to float. The error
///            of a time is at most 2^-24. That of a point is at most 2^-23 of its coordinates plus
///            2^-28 of the distance moved. (Rounding to the nearest float alone can take 2^-24 of a
///            coordinate.) The rotation of a rect is rounded to float (shape.h). So its sides are
///            off by up to 2^-23 of its size and of the size of what it meets. Times and points are
///            those of the resulting rect.
/// Limits     Positions are floats, so their resolution decreases with the distance from the
///            origin. Neighbouring floats are 6e-5 apart at 1 000 units and 0.0625 at 1 000 000.
///            Nothing leaks up to there (the README says how that was measured). But a motion
///            shorter than half that spacing rounds to nothing, and a slide may lose up to half of
///            its distance. A ray, or a circle of radius 0, that slides has no room between itself
///            and the wall. Rounding may put all points of its path on the wall's far side (along a
///            wall at 45 degrees, or one that rounding has tilted). Then it stays where it is, and
///            keeps its velocity, less what gravity takes of it.
#ifndef GRAZE_CONTACT_H
#define GRAZE_CONTACT_H

#include <graze/id.h>
#include <graze/vec2.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Whether a pair is new.
typedef enum graze_contact_phase {
    GRAZE_CONTACT_BEGIN, ///< The pair did not meet in the step before.
    GRAZE_CONTACT_STAY   ///< The pair met in the step before, too, or earlier in this one.
} graze_contact_phase;

/// Bits of graze_contact.flags.
typedef enum graze_contact_flag {
    GRAZE_CONTACT_SENSOR = 1,  ///< One of the two is a sensor.
    GRAZE_CONTACT_BLOCKED = 2, ///< It stopped or deflected at least one of the two.
    GRAZE_CONTACT_SPENT = 4,   ///< It removed at least one of the two, by its hit_limit.
    GRAZE_CONTACT_DROPPED = 8  ///< One of the two was deflected for the fourth time in this step;
                               ///< the rest of its motion is dropped. (Several walls touched at one
                               ///< time deflect it only once, if each is at less than 2 degrees to
                               ///< the next: up to 16 of them per step.)
} graze_contact_flag;

/// Two things that touched in the step.
typedef struct graze_contact {
    graze_body_id a, b;       ///< b is none against terrain.
    graze_segment_id segment; ///< None against a body.
    float time;               ///< First touch, 0 to 1 of the step; 0 if they overlapped before it.
    graze_vec2 point;         ///< Where they touched.
    graze_vec2 normal;        ///< Unit, from a to b: a is pushed out along -normal.
    float depth;              ///< >= 0; above 0 only if they overlapped when the step began.
    float approach; ///< >= 0, units per second: the speed at which the two came together, along the
                    ///< normal, at this touch. 0 if they parted. Of a rotation nothing counts.
    float impulse;  ///< >= 0, mass times units per second: what the touch took of a body's speed
                    ///< along the normal, times its mass. 0 where nothing was deflected. (If a body
                    ///< is hit while terrain holds it, what that adds is not in its own contact.)
    graze_contact_phase phase; ///< BEGIN or STAY; the END comes in graze_contact_end_list.
    uint32_t flags;            ///< Bits of graze_contact_flag.
} graze_contact;

/// A view of contacts.
typedef struct graze_contact_list {
    const graze_contact *data; ///< `count` contacts; may be null if count is 0.
    uint32_t count;
} graze_contact_list;

/// A pair that met in the step before the last one and not in the last. Its ids may be those of
/// bodies and chains that are gone. Every BEGIN has exactly one END. That holds also if a body is
/// destroyed, teleported or given another filter.
typedef struct graze_contact_end {
    graze_body_id a, b;
    graze_segment_id segment;
} graze_contact_end;

/// A view of ends.
typedef struct graze_contact_end_list {
    const graze_contact_end *data; ///< `count` ends, by (a, b, segment); may be null if count is 0.
    uint32_t count;
} graze_contact_end_list;

/// Returns the contacts of the last step; none before the first. Constant time.
graze_contact_list graze_world_contacts(const graze_world *world);

/// Returns the contacts of the last step in which the body is a or b; none for an id that no body
/// had in it. A body that has gone since, or that the step removed, still has its contacts.
///
/// Order      First those in which it is a, then those in which it is b, both in the order of the
///            whole list. So contacts with terrain come first. Contacts are as they are there:
///            where the body is b, the normal points to it.
/// Memory     A view, valid until the next step or load begins. The first call after a step makes
///            an index: 4 bytes for each contact and 8 for each body. It also makes room for
///            copies, 136 bytes for each contact. Only the room for bodies that are asked for is
///            used. If there is no memory for it the list is empty, and the log has a line.
/// Threads    It writes to that index: calls of this function on the same world must not overlap.
///            Other reading calls may run meanwhile.
/// Cost       Proportional to the body's contacts. The first call after a step costs some
///            nanoseconds for each contact and body of the world.
graze_contact_list graze_body_contacts(const graze_world *world, graze_body_id body);

/// Returns the pairs that met in the step before the last one and not in the last. Constant time.
graze_contact_end_list graze_world_contact_ends(const graze_world *world);

#ifdef __cplusplus
}
#endif

#endif
