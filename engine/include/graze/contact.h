/// @file contact.h
/// What met what in the last step.
///
/// Order      By (a, b), ids by index, a the smaller one; terrain stands where b is none. Those of
///            one pair, and all of one mover against terrain, by time, then by segment id. The
///            order is a function of the state: not of history, grid tuning or threads.
/// Memory     Lists are views into the world, valid until its next step begins.
///
/// Exactness  Whether a bullet crosses a wall, and which wall first, is decided by exact signs.
///            Times are computed in double and rounded to float once: within 2^-24 of the exact
///            one, and points within 2^-23 of their coordinates plus 2^-28 of the way. No float is
///            nearer by more than its own rounding, 2^-24. Normals are computed in double likewise.
/// Limits     Positions are floats: what they can tell apart grows with the distance from the
///            origin, 6e-5 at 1 000 units, 0.0625 at 1 000 000. Up to there nothing leaks (the
///            README says how that was measured), but ways shorter than half of it round to
///            nothing, and a slide can lose up to half of its way to where it may end.
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
    GRAZE_CONTACT_STAY   ///< It did.
} graze_contact_phase;

/// Bits of graze_contact.flags.
typedef enum graze_contact_flag {
    GRAZE_CONTACT_SENSOR = 1,  ///< One of the two is a sensor.
    GRAZE_CONTACT_BLOCKED = 2, ///< It stopped or turned at least one of the two.
    GRAZE_CONTACT_SPENT = 4,   ///< It was the last hit of at least one of the two.
    GRAZE_CONTACT_DROPPED = 8  ///< It was the fourth turn of one in the step: the rest is dropped.
} graze_contact_flag;

/// Two things that touched in the step.
typedef struct graze_contact {
    graze_body_id a, b;        ///< b is none against terrain.
    graze_segment_id segment;  ///< None against a body.
    float time;                ///< First touch, 0 to 1 of the step; 0 when they overlapped before.
    graze_vec2 point;          ///< Where they touched, at that time.
    graze_vec2 normal;         ///< Unit, from a to b: a is pushed out along -normal.
    float depth;               ///< >= 0; above 0 only when they overlapped at the start.
    graze_contact_phase phase; ///< BEGIN or STAY; the END comes in graze_contact_end_list.
    uint32_t flags;            ///< graze_contact_flag bits.
} graze_contact;

typedef struct graze_contact_list {
    const graze_contact *data; ///< count contacts; may be null when count is 0.
    uint32_t count;
} graze_contact_list;

/// A pair that met in the step before and not in this one. Its ids may name bodies that are gone.
/// Every BEGIN has exactly one END, also when a body is destroyed, teleported or refiltered.
typedef struct graze_contact_end {
    graze_body_id a, b;
    graze_segment_id segment;
} graze_contact_end;

typedef struct graze_contact_end_list {
    const graze_contact_end *data; ///< count ends, by (a, b, segment); may be null when count is 0.
    uint32_t count;
} graze_contact_end_list;

/// Returns what met in the last step; empty before the first.
graze_contact_list graze_world_contacts(const graze_world *world);

/// Returns what met in the step before the last one and not in the last.
graze_contact_end_list graze_world_contact_ends(const graze_world *world);

#ifdef __cplusplus
}
#endif

#endif
