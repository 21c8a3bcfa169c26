/// @file replay.h
/// Replaying what was recorded (record.h), and finding the first step that comes out differently.
///
///     graze_world_def def = graze_world_def_default();
///     graze_replay *replay;
///     if (graze_replay_create(&def, bytes, size, &replay) == GRAZE_OK) {
///         while (graze_replay_advance(replay) == GRAZE_REPLAY_STEPPED) {
///             ... look at graze_replay_world(replay) ...
///         }
///         puts(graze_replay_message(replay));
///     }
///     graze_replay_destroy(replay);
///
/// Memory     The record's bytes stay the caller's and must remain until the replay is destroyed.
///            All other memory, that of the replayed world included, is from the def's allocator.
/// Same bits  The allocator, capacities, lanes and threads of the replayed world change nothing.
///            From one build or machine to another holds what world.h promises.
/// Threads    As for a world: calls on one replay must not overlap.
/// Errors     A status, or a state (graze_replay_state) with a message.
#ifndef GRAZE_REPLAY_H
#define GRAZE_REPLAY_H

#include <graze/id.h>
#include <graze/status.h>
#include <graze/vec2.h>
#include <graze/world.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A record being replayed: opaque.
typedef struct graze_replay graze_replay;

/// Opens a record of `size` bytes and creates the world that it starts from. Of `def` it uses the
/// allocator, the log, the capacities (as hints only: fixed_capacity is ignored) and `parallel`.
/// Gravity is the record's, and the filter callback is one that answers as the recorded one did.
///
/// Returns    OK, and sets `*replay`, which the caller owns: graze_replay_destroy().
/// Errors     ARGUMENT when the def is bad or a pointer null; FORMAT when the bytes are no record,
///            its start is damaged, it is of another byte order or a newer version; OUT_OF_MEMORY.
///            The log is told then, and `*replay` is null.
/// Cost       That of graze_world_load() and graze_world_hash(). Only the start is looked at.
graze_status graze_replay_create(const graze_world_def *def, const void *bytes, size_t size,
                                 graze_replay **replay);

/// Frees the replay and its world. Null is allowed.
void graze_replay_destroy(graze_replay *replay);

/// The result of an advance.
typedef enum graze_replay_state {
    GRAZE_REPLAY_STEPPED, ///< One more step was done, and came out as it was recorded.
    GRAZE_REPLAY_ENDED,   ///< There are no more steps: all came out as recorded.
    GRAZE_REPLAY_DIFFERS, ///< Something came out differently: graze_replay_get_difference().
    GRAZE_REPLAY_FAILED ///< The record is damaged or cut short from here on, or there is no memory:
                        ///< graze_replay_status().
} graze_replay_state;

/// Makes the recorded calls up to the next step, then that step, and compares. After it has once
/// returned anything but STEPPED it does nothing more and returns the same again.
///
/// Cost       That of the calls and the step, and as much again as recording them took.
graze_replay_state graze_replay_advance(graze_replay *replay);

/// Returns OK, or why the replay failed: FORMAT, OUT_OF_MEMORY.
graze_status graze_replay_status(const graze_replay *replay);

/// Returns an English line, without a line end, about the result of the last advance: what differs,
/// or what is wrong with the record, and where. Valid until the next advance.
const char *graze_replay_message(const graze_replay *replay);

/// Returns the replayed world, for reading, as it is after the last advance; never null.
const graze_world *graze_replay_world(const graze_replay *replay);

/// Returns how many steps came out as they were recorded.
uint64_t graze_replay_step_count(const graze_replay *replay);

/// What differs.
typedef enum graze_difference_kind {
    GRAZE_DIFFERENCE_NONE, ///< Nothing, so far.
    GRAZE_DIFFERENCE_BODY, ///< A body, after a step.
    /// The state after a step, without a body that can be named: the pairs that met differ; or the
    /// record does not name bodies; or (once in 65 536 bodies) two bodies have the same short hash.
    GRAZE_DIFFERENCE_STATE,
    GRAZE_DIFFERENCE_CALL, ///< A call fails that was recorded as done, or returns another id.
    /// The hash of the whole world, which is compared at the start and at the end: terrain, say.
    GRAZE_DIFFERENCE_WHOLE
} graze_difference_kind;

/// What a step changes of a body; all zero when it is not in the world.
typedef struct graze_replay_body {
    uint32_t generation; ///< 0: it is not in the world.
    graze_vec2 position, velocity;
    float angle, spin; ///< Radians; radians per second.
    float lifetime;    ///< Seconds left; 0: no limit.
} graze_replay_body;

/// The first difference.
typedef struct graze_replay_difference {
    graze_difference_kind kind;
    uint64_t step;       ///< Counted from 1; for a CALL or a WHOLE, the last step before it.
    uint32_t index;      ///< BODY: the smallest index of a body that differs.
    uint32_t body_count; ///< BODY: how many bodies differ.
    /// BODY: whether `recorded` holds what the body was. It does when no other of its 64 differs,
    /// those whose indices divided by 64 are the same.
    bool is_known;
    graze_replay_body recorded; ///< BODY: what it was, when is_known.
    graze_replay_body replayed; ///< BODY: what it is now.
} graze_replay_difference;

/// Returns the first difference; its kind is NONE unless an advance returned GRAZE_REPLAY_DIFFERS.
graze_replay_difference graze_replay_get_difference(const graze_replay *replay);

#ifdef __cplusplus
}
#endif

#endif
