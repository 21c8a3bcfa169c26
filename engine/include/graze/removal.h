/// @file removal.h
/// The bodies that the last step removed: which, why, when and where.
///
///     graze_removal_list removals = graze_world_removals(world);
///     for (uint32_t i = 0; i < removals.count; ++i) {
///         ... free what the game keeps for removals.data[i].id ...
///     }
///
/// Units      The game's own; times are fractions of the step, 0 to 1.
/// Order      By the index of the id.
/// Reading    Until the next step begins, such bodies can also be read (body.h), and their contacts
///            are in the lists of contact.h.
/// Memory     The list is a view into the world, valid until its next step or load begins. It is
///            made when it is first asked for after a step, and takes 36 bytes for each removal. If
///            there is no memory for it the list is empty, and the log has a line.
/// Threads    The first call after a step or a load makes the list. It must not overlap with
///            another call of this function on the same world. Other reading calls may run
///            meanwhile.
/// Cost       The first call takes some 20 ns a removal, and less than 1 ns for each contact of the
///            step. Any other call is constant.
#ifndef GRAZE_REMOVAL_H
#define GRAZE_REMOVAL_H

#include <graze/id.h>
#include <graze/vec2.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Why a step removed a body.
typedef enum graze_removal_reason {
    GRAZE_REMOVED_BY_HITS,    ///< It took the last hit of its hit_limit.
    GRAZE_REMOVED_BY_LIFETIME ///< Its lifetime was over, and no last hit came before.
} graze_removal_reason;

/// A body that the last step removed.
typedef struct graze_removal {
    graze_body_id id;
    graze_removal_reason reason;
    float time;       ///< 0 to 1 of the step: that of its last hit; 1 if its lifetime was over.
    graze_vec2 point; ///< Where its position was then.
} graze_removal;

/// A view of removals.
typedef struct graze_removal_list {
    const graze_removal *data; ///< `count` removals; may be null if count is 0.
    uint32_t count;
} graze_removal_list;

/// Returns the bodies that the last step removed; none before the first. What the game destroys
/// itself is not among them.
graze_removal_list graze_world_removals(const graze_world *world);

#ifdef __cplusplus
}
#endif

#endif
