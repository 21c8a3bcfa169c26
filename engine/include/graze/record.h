/// @file record.h
/// Recording what happens to a world, so that it can be done again elsewhere (replay.h).
///
/// Contents   The world as it is when the recording starts, then every call that changes it, with
///            its arguments and the ids it returned, and after each step a hash of the state and
///            what names the first body that differs. Calls that fail change nothing and are not
///            in it; questions are not, either. What a filter callback answers is: see below.
/// Format     A version, a mark for the byte order, and pieces, each with its place and a checksum:
///            what is damaged is never taken for a difference. No pointers. A record that was cut
///            off, by a crash say, can be replayed up to its last whole step. It can be read by
///            this version of the format on any machine with the same byte order; the snapshots in
///            it by this version of theirs.
/// Size       The snapshot (world.h) at the start. A step takes 45 bytes; 8 for each pair that the
///            filter callback vetoes in it; and, if bodies are to be named, 168 for every 64
///            indices of bodies, that is 2.6 a body. Creating a body takes 93 bytes, a chain 36 and
///            8 a point, other changes of a body 9 to 21, loading the size of the snapshot.
/// Filter     Of the callback's answers a step's vetoes are kept, as a set of pairs: whoever asks
///            later, in whatever order, gets the answer that was given. A pair that was not asked
///            about counts as allowed; since results do not depend on who is asked about, none do
///            then. A callback that answers the same question differently within one step breaks
///            its contract (world.h) and may give a replay that differs.
/// Memory     From the world's allocator, while a recording goes on: a piece, up to the largest
///            call or step (the snapshot, at the start), the vetoes of a step, and 2.6 bytes a
///            body. After warm-up a step allocates nothing.
/// Cost       A test for null in each call when nothing is recorded. When it is, a third to a half
///            of a plain step (bench: engine/step_recorded, beside it), and what the calls and the
///            writer take.
/// Threads    As all calls that change the world. The writer is called on the caller's thread.
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

/// Takes the next `size` bytes of a record, to be put after those before; they are valid during the
/// call only. Called at the end of each step, and from calls that change the world when there is
/// much to write. Returns false when it cannot: the recording stops there. It must not change the
/// world, nor start or stop recording.
typedef bool graze_write_fn(const void *bytes, size_t size, void *user);

/// How a world is recorded. Start from graze_record_def_default().
typedef struct graze_record_def {
    graze_write_fn *write; ///< Must be given.
    void *write_user;
    bool names_bodies; ///< Keep what names the first body that differs: see Size. Default true.
    uint32_t cookie;   ///< Set by graze_record_def_default(); a def without it is refused.
} graze_record_def;

/// Returns a def that is valid but for its writer.
graze_record_def graze_record_def_default(void);

/// Starts recording; the world as it is now is written at once. Legal between steps at any time.
///
/// Errors     ARGUMENT for a bad def; BUSY inside a step, or while a recording goes on; WRITE when
///            the writer fails; OUT_OF_MEMORY. Nothing is recorded then.
/// Cost       That of graze_world_save and graze_world_hash.
graze_status graze_record_start(graze_world *world, const graze_record_def *def);

/// Ends the record and stops recording. Returns OK when the record is whole, else why it is not: as
/// graze_record_status() does; BUSY inside a step. Destroying a world stops its recording, too.
graze_status graze_record_stop(graze_world *world);

/// Returns OK while all is well with the recording that goes on, or with the last one; else why it
/// stopped by itself: WRITE when the writer failed, OUT_OF_MEMORY. The world's log was told. The
/// calls during which it stopped are not disturbed: they do, and return, what they would have.
graze_status graze_record_status(const graze_world *world);

/// Returns whether a recording goes on.
bool graze_record_is_on(const graze_world *world);

#ifdef __cplusplus
}
#endif

#endif
