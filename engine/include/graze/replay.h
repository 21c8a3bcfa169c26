/// @file replay.h
/// Replaying a record (record.h), and finding the first step whose result differs.
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
/// Memory     The record's bytes stay the caller's and must remain valid until the replay is
///            destroyed. All other memory comes from the def's allocator. That includes the memory
///            of the replayed world.
/// Same bits  The allocator, capacities, lanes and threads of the replayed world affect no result.
///            Between builds and machines, the promise of world.h applies.
/// Threads    As for a world: calls on one replay must not overlap.
/// Errors     A status, or a state (graze_replay_state) with a message. A replay pointer must not
///            be null, except for graze_replay_destroy().
/// Cost       Constant, unless a function states another.
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

/// A record being replayed; opaque.
typedef struct graze_replay graze_replay;

/// Opens a record of `size` bytes and creates the world that it starts from. Of `def` it uses the
/// allocator, the log, the capacities (as hints only: fixed_capacity is ignored) and `parallel`.
/// Gravity comes from the record, and the filter callback is one that repeats the recorded answers.
///
/// Returns    OK, and sets `*replay`, which the caller owns: graze_replay_destroy().
/// Errors     ARGUMENT if the def is invalid or a pointer null; OUT_OF_MEMORY. FORMAT if the bytes
///            are no record, or one whose start is damaged, of another byte order or of a version
///            that is not read. `*replay` is null then, and the log receives a line. (Only the log
///            of a def without its cookie does not, see graze_world_create().)
/// Cost       That of graze_world_load() and graze_world_hash(). Only the start of the record is
///            read.
graze_status graze_replay_create(const graze_world_def *def, const void *bytes, size_t size,
                                 graze_replay **replay);

/// Frees the replay and its world. Null is allowed.
void graze_replay_destroy(graze_replay *replay);

/// The result of an advance.
typedef enum graze_replay_state {
    GRAZE_REPLAY_STEPPED, ///< One more step was done, and its result matched.
    GRAZE_REPLAY_ENDED,   ///< There are no more steps; all results matched.
    GRAZE_REPLAY_DIFFERS, ///< A result differs: see graze_replay_get_difference().
    GRAZE_REPLAY_FAILED   ///< The record is damaged or cut short from here on, or memory ran out:
                          ///< see graze_replay_status().
} graze_replay_state;

/// Repeats the recorded calls up to the next step, then that step, and compares the results. Once
/// it has returned anything but STEPPED, it does nothing more and returns the same again.
///
/// Cost       That of the calls and the step, plus what recording them cost.
graze_replay_state graze_replay_advance(graze_replay *replay);

/// Returns OK, or why the replay failed: FORMAT or OUT_OF_MEMORY.
graze_status graze_replay_status(const graze_replay *replay);

/// Returns one line of English, without a line end, about the result of the last advance. It says
/// what differs, or what is wrong with the record, and where. Valid until the next advance.
const char *graze_replay_message(const graze_replay *replay);

/// Returns the replayed world as it is after the last advance, for reading; never null.
const graze_world *graze_replay_world(const graze_replay *replay);

/// Returns the number of steps whose results matched the record.
uint64_t graze_replay_step_count(const graze_replay *replay);

/// What differs.
typedef enum graze_difference_kind {
    GRAZE_DIFFERENCE_NONE, ///< Nothing.
    GRAZE_DIFFERENCE_BODY, ///< A body, after a step.
    /// The state after a step, with no body to name: the pairs that met differ; or the record was
    /// made without names_bodies; or two bodies have the same short hash (once in 65 536).
    GRAZE_DIFFERENCE_STATE,
    GRAZE_DIFFERENCE_CALL, ///< A recorded call failed, or returned another id.
    /// The hash of the whole world, compared at the start and at the end: terrain, for example.
    GRAZE_DIFFERENCE_WHOLE
} graze_difference_kind;

/// The part of a body that steps change; all zero if it is not in the world.
typedef struct graze_replay_body {
    uint32_t generation; ///< 0: it is not in the world.
    graze_vec2 position, velocity;
    float angle, spin; ///< Radians; radians per second.
    float lifetime;    ///< Seconds left; 0: no limit.
} graze_replay_body;

/// The first difference.
typedef struct graze_replay_difference {
    graze_difference_kind kind;
    uint64_t step;       ///< Counted from 1; CALL, WHOLE: the last step before it.
    uint32_t index;      ///< BODY: the smallest body index that differs.
    uint32_t body_count; ///< BODY: the number of bodies that differ.
    /// BODY: whether `recorded` is set. It is unless another body differs whose index divided by 64
    /// is the same.
    bool is_known;
    graze_replay_body recorded; ///< BODY: as recorded, if is_known.
    graze_replay_body replayed; ///< BODY: as replayed.
} graze_replay_difference;

/// Returns the first difference; its kind is NONE unless an advance returned GRAZE_REPLAY_DIFFERS.
graze_replay_difference graze_replay_get_difference(const graze_replay *replay);

#ifdef __cplusplus
}
#endif

#endif
