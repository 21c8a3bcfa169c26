/// @file record.h
/// Recording what happens to a world, so that it can be replayed elsewhere (replay.h).
///
/// Contents   The world when the recording starts; then every call that changes it, with arguments
///            and returned ids; after each step a hash of the state, and hashes by which a replay
///            names the first body that differs. Failed calls and queries change nothing and are
///            left out. The answers of a filter callback are kept: see Filter.
/// Format     A version, a mark for the byte order, and blocks, each with its position and a
///            checksum, so that damage is never taken for a difference. No pointers. A record that
///            was cut off, by a crash say, can be replayed up to its last whole step. Machines with
///            the same byte order can read it, with this version of the format and of snapshots.
/// Size       The snapshot (world.h) at the start. Then each step takes 45 bytes, 8 for each pair
///            that the filter callback vetoes, and, when names_bodies is set, 168 for every 64
///            indices of bodies, or 2.6 a body. Creating a body takes 93 bytes, a chain 36 and 8 a
///            point, other changes of a body 9 to 21, loading a snapshot the snapshot's size.
/// Filter     Of the callback's answers in a step the vetoes are kept, as a set of pairs. So a
///            replay may ask in any order and gets the same answers. A pair that was never asked
///            about counts as allowed; no result depends on those. A callback that answers the same
///            question differently within one step breaks its contract (world.h), and the replay
///            may then differ.
/// Memory     From the world's allocator while the recording lasts: one block, as large as the
///            largest call or step (at the start: the snapshot), the vetoes of a step, and 2.6
///            bytes a body. After warm-up a step allocates nothing.
/// Cost       Without a recording a test for null in each call. With one, a third to a half of a
///            plain step (bench: engine/step_recorded), and what calls and writer take.
/// Threads    As calls that change the world (world.h). The writer is called on the caller's
///            thread.
/// Same bits  Recording changes no result.
#ifndef GRAZE_RECORD_H
#define GRAZE_RECORD_H

#include <graze/id.h>
#include <graze/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A function of the game's that appends the next `size` bytes to the record. They are valid during
/// the call only. It is called at the end of each step, and by calls that change the world when
/// much has gathered. When it returns false the recording stops there. It must not change the
/// world, nor start or stop a recording.
typedef bool graze_write_fn(const void *bytes, size_t size, void *user);

/// How a world is recorded. Start from graze_record_def_default().
typedef struct graze_record_def {
    graze_write_fn *write; ///< Must be given.
    void *write_user;
    bool names_bodies; ///< Keep hashes that name a body that differs (see Size). Default true.
    uint32_t cookie;   ///< Set by graze_record_def_default(); a def without it is refused.
} graze_record_def;

/// Returns a def to which only the writer must be added.
graze_record_def graze_record_def_default(void);

/// Starts recording, and writes the world as it is now. Legal at any time between steps.
///
/// Errors     ARGUMENT for a bad def; BUSY inside a step, or while a recording goes on; WRITE when
///            the writer fails; OUT_OF_MEMORY. In these cases no recording is started.
/// Cost       That of graze_world_save() and graze_world_hash().
graze_status graze_record_start(graze_world *world, const graze_record_def *def);

/// Stops recording and writes the end of the record. Returns OK when the record is complete,
/// otherwise what graze_record_status() says; BUSY inside a step. Destroying a world stops its
/// recording, too.
graze_status graze_record_stop(graze_world *world);

/// Returns OK as long as the recording, or the last one that was stopped, is sound; otherwise why
/// it stopped by itself: WRITE when the writer failed, or OUT_OF_MEMORY. The world's log was told
/// then. The call during which it stopped did, and returned, what it would have without a
/// recording.
graze_status graze_record_status(const graze_world *world);

/// Returns whether a recording goes on.
bool graze_record_is_on(const graze_world *world);

#ifdef __cplusplus
}
#endif

#endif
