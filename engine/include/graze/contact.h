/// @file contact.h
/// What met what in the last step.
///
/// A game reads both lists after each step:
///
///     graze_contact_list contacts = graze_world_contacts(world);
///     for (uint32_t i = 0; i < contacts.count; ++i) {
///         if (contacts.data[i].phase == GRAZE_CONTACT_BEGIN) {
///             ... a sound, a spark, damage ...
///         }
///     }
///
/// Order      By the pair (a, b): ids by index, a the smaller one, terrain where b is none.
///            Contacts of one pair, and all contacts of one body with terrain, by time, then by
///            segment id. The order is a function of the state, not of history, grid tuning or
///            threads.
/// Points     Where the two touched. Of two that overlapped at the start: a point of one of them
///            that would come out of the other last.
/// Memory     Lists are views into the world, valid until its next step begins. Creating and
///            destroying bodies and chains while reading them is legal.
/// Threads    Reading calls: they may run at the same time as each other.
/// Errors     None: the lists of a world that has not stepped yet are empty.
/// Exactness  Whether a bullet crosses a wall, and which wall first, is decided by exact signs.
///            Times and normals are computed in double and rounded to float once. A time is within
///            2^-24 of the exact one, a point within 2^-23 of its coordinates plus 2^-28 of the
///            way; no float could be nearer by more than its own rounding, 2^-24.
/// Limits     Positions are floats, so their resolution falls with the distance from the origin:
///            neighbours are 6e-5 apart at 1 000 units, 0.0625 at 1 000 000. Up to there nothing
///            leaks (the README says how that was measured), but a motion shorter than half of that
///            spacing rounds to nothing, and a slide can lose up to half of its way.
#ifndef GRAZE_CONTACT_H
#define GRAZE_CONTACT_H

#include <graze/id.h>
#include <graze/vec2.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum graze_contact_phase {
    GRAZE_CONTACT_BEGIN, ///< The pair did not meet in the step before.
    GRAZE_CONTACT_STAY   ///< The pair met in the step before, too, or earlier in this one.
} graze_contact_phase;

/// Bits of graze_contact.flags.
typedef enum graze_contact_flag {
    GRAZE_CONTACT_SENSOR = 1,  ///< One of the two is a sensor.
    GRAZE_CONTACT_BLOCKED = 2, ///< It stopped or turned at least one of the two.
    GRAZE_CONTACT_SPENT = 4,  ///< It was the last hit of at least one, which its hit_limit removed.
    GRAZE_CONTACT_DROPPED = 8 ///< One of the two turned for the fourth time in this step: the rest
                              ///< of its motion is dropped.
} graze_contact_flag;

/// Two things that touched in the step.
typedef struct graze_contact {
    graze_body_id a, b;        ///< b is none against terrain.
    graze_segment_id segment;  ///< None against a body.
    float time;                ///< First touch, 0 to 1 of the step; 0 if they overlapped before it.
    graze_vec2 point;          ///< Where they touched, at that time.
    graze_vec2 normal;         ///< Unit, from a to b: a is pushed out along -normal.
    float depth;               ///< >= 0; above 0 only if they overlapped when the step began.
    graze_contact_phase phase; ///< BEGIN or STAY; the END comes in graze_contact_end_list.
    uint32_t flags;            ///< graze_contact_flag bits.
} graze_contact;

typedef struct graze_contact_list {
    const graze_contact *data; ///< count contacts; may be null when count is 0.
    uint32_t count;
} graze_contact_list;

/// A pair that met in the step before the last and not in the last one. Its ids may name bodies and
/// chains that are gone. Every BEGIN has exactly one END, also when a body is destroyed, teleported
/// or given another filter.
typedef struct graze_contact_end {
    graze_body_id a, b;
    graze_segment_id segment;
} graze_contact_end;

typedef struct graze_contact_end_list {
    const graze_contact_end *data; ///< count ends, by (a, b, segment); may be null when count is 0.
    uint32_t count;
} graze_contact_end_list;

/// Returns the contacts of the last step; none before the first. Constant time.
graze_contact_list graze_world_contacts(const graze_world *world);

/// Returns the pairs that met in the step before the last one and not in the last. Constant time.
graze_contact_end_list graze_world_contact_ends(const graze_world *world);

#ifdef __cplusplus
}
#endif

#endif
