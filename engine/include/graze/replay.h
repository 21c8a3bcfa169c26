/// @file replay.h
/// Doing again what was recorded (record.h), and finding the first step that comes out differently.
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
/// Memory     The record's bytes are the caller's and must stay until the replay is destroyed. The
///            replay's own memory is from the def's allocator, its world's too.
/// Same bits  Allocator, capacities, lanes and threads of the replay's world change nothing. What
///            is promised from one build or machine to the next is what world.h promises.
/// Threads    As for a world.
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

/// Opens a record of `size` bytes and makes the world that it starts from. Of `def` the allocator,
/// the log, the capacities (hints only: fixed_capacity is ignored) and `parallel` count; gravity is
/// the record's, and the filter callback is one that answers as the recorded one did.
///
/// Returns OK and sets `*replay`, which the caller owns: graze_replay_destroy(). ARGUMENT for a bad
/// def or null; FORMAT when the bytes are no record, damaged at its start, foreign or of a newer
/// version; OUT_OF_MEMORY; the log is told, and `*replay` is null then.
///
/// Cost       That of graze_world_load and graze_world_hash. Only the start is looked at.
graze_status graze_replay_create(const graze_world_def *def, const void *bytes, size_t size,
                                 graze_replay **replay);

/// Frees the replay and its world. Null is allowed.
void graze_replay_destroy(graze_replay *replay);

/// What an advance came to.
typedef enum graze_replay_state {
    GRAZE_REPLAY_STEPPED, ///< The next step was done, and came out as it was recorded.
    GRAZE_REPLAY_ENDED,   ///< There are no more: all came out the same.
    GRAZE_REPLAY_DIFFERS, ///< Something came out differently: graze_replay_get_difference().
    GRAZE_REPLAY_FAILED   ///< graze_replay_status() says why: the record is damaged or cut short
                          ///< from here on, or there is no memory.
} graze_replay_state;

/// Does the calls up to the next step, and the step, and compares. Once it has returned anything
/// but STEPPED it does nothing and returns that again.
///
/// Cost       Of the calls and the step, and as much as recording it took.
graze_replay_state graze_replay_advance(graze_replay *replay);

/// Returns OK, or why the replay failed: FORMAT, OUT_OF_MEMORY.
graze_status graze_replay_status(const graze_replay *replay);

/// Returns one line, in English, without a line end, on what the last advance came to: what differs
/// or what is wrong with the record, and where. Valid until the next one.
const char *graze_replay_message(const graze_replay *replay);

/// Returns the world, for reading, as it is after the last advance; never null.
const graze_world *graze_replay_world(const graze_replay *replay);

/// Returns how many steps came out as they were recorded.
uint64_t graze_replay_step_count(const graze_replay *replay);

/// What differs.
typedef enum graze_difference_kind {
    GRAZE_DIFFERENCE_NONE, ///< Nothing, so far.
    GRAZE_DIFFERENCE_BODY, ///< A body, after a step.
    /// The state after a step, but no body that can be named: what met does, or the record does not
    /// name bodies, or (once in 65536 bodies that differ) the body's short hash is the same.
    GRAZE_DIFFERENCE_STATE,
    GRAZE_DIFFERENCE_CALL, ///< A call fails that did not, or makes another id.
    GRAZE_DIFFERENCE_WHOLE ///< The hash of the whole world, at the start or at the end only: of
                           ///< terrain, say.
} graze_difference_kind;

/// What moves of a body; all zero when it is not in the world.
typedef struct graze_replay_body {
    uint32_t generation; ///< 0: it is not in the world.
    graze_vec2 position, velocity;
    float angle, spin; ///< Radians; per second.
    float lifetime;    ///< Seconds left; 0: for ever.
} graze_replay_body;

/// The first difference.
typedef struct graze_replay_difference {
    graze_difference_kind kind;
    uint64_t step;       ///< Counted from 1; for a CALL or a WHOLE, that of the last step before.
    uint32_t index;      ///< BODY: the smallest index of a body that differs.
    uint32_t body_count; ///< BODY: how many do.
    bool is_known;       ///< BODY: `recorded` is what the body was. It is when it is the only one
                         ///< that differs of its 64, those whose index divided by 64 is the same.
    graze_replay_body recorded;
    graze_replay_body replayed; ///< BODY: what it is now.
} graze_replay_difference;

/// Returns what differs; kind NONE unless an advance returned GRAZE_REPLAY_DIFFERS.
graze_replay_difference graze_replay_get_difference(const graze_replay *replay);

#ifdef __cplusplus
}
#endif

#endif
