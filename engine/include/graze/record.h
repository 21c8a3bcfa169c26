/// @file record.h
/// Recording what happens to a world, so that it can be replayed elsewhere (replay.h). The bytes go
/// to a function of the game, as into a file:
///
///     graze_record_def def = graze_record_def_default();
///     def.write = append; // It calls fwrite(), and returns whether all was written.
///     def.write_user = file;
///     graze_record_start(world, &def);
///     ... calls and steps ...
///     graze_status status = graze_record_stop(world); // GRAZE_OK: the record is complete.
///
/// Same bits  Recording changes no result.
/// Contents   A snapshot of the world at the start. Then every call that changes the world, with
///            arguments and returned ids. After each step a hash of the state, and hashes by which
///            a replay can name the first body that differs. Failed calls and queries change
///            nothing and are left out. The answers of a filter callback are kept: see Filter.
/// Format     A version, a byte order mark, and blocks. Each block has its position and a checksum,
///            so that damage is never mistaken for a difference. No pointers. A record that was cut
///            off, for example by a crash, can be replayed up to its last complete step. Any
///            machine can read it, with a library that reads its version of the record and snapshot
///            formats. This library reads version 7 of the first, and version 9 of the second.
/// Filter     The vetoes of each step are kept, as a set of pairs. So a replay may ask in any order
///            and gets the same answers. A pair that was never asked about counts as allowed; no
///            result depends on it. A callback that answers the same question differently within
///            one step breaks its contract (world.h). Then the replay may differ.
/// Threads    As for calls that change the world (world.h). The writer is called on the caller's
///            thread.
/// Cost       Without a recording, one test for null in each call. With one, 5 to 15 ns per body in
///            each step, a tenth to two thirds of a plain step (bench: engine/step_recorded). The
///            calls and the writer cost extra.
/// Memory     From the world's allocator while the recording lasts: a block as large as the largest
///            call or step (at the start: the snapshot), the vetoes of one step, and 2.6 bytes per
///            body. After warm-up a step allocates nothing.
/// Size       In bytes:
///              - the snapshot (world.h), at the start and when one is loaded;
///              - a step 45, plus 8 for each pair that the filter callback vetoes, plus, if
///                names_bodies is set, 168 for every 64 body indices (2.6 per body);
///              - creating a body 122; other changes of a body 9 to 25;
///              - creating a chain 57, 8 per point, and 16 for each surface of a single segment;
///              - a change of a chain's surface 29, of the gravity 9, of substeps 5.
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

/// A function of the game that appends the next `size` bytes (above 0) to the record, and returns
/// whether it could. If it returns false, the recording stops. The bytes are valid during the call
/// only. `user` is the def's write_user.
///
/// Calls      It is called at the end of each step, by graze_record_start() and by
///            graze_record_stop(). Calls that change the world call it when enough has accumulated.
///            It is called on the thread of that call.
/// Re-entry   It must neither change the world nor start or stop a recording.
typedef bool graze_write_fn(const void *bytes, size_t size, void *user);

/// The definition of a recording. Start from graze_record_def_default().
typedef struct graze_record_def {
    graze_write_fn *write; ///< Default null: must be set.
    void *write_user;      ///< Passed to `write`. Default null.
    bool names_bodies;     ///< Keep hashes that name a body that differs (see Size). Default true.
    uint32_t cookie;       ///< Set by graze_record_def_default(); a def without it is refused.
} graze_record_def;

/// Returns a definition with all defaults; the writer must be added.
graze_record_def graze_record_def_default(void);

/// Starts a recording, and writes the current state of the world. Legal at any time between steps.
///
/// Errors     ARGUMENT for an invalid def; BUSY inside a step, or if a recording is already
///            running; WRITE if the writer fails; OUT_OF_MEMORY. In these cases no recording is
///            started.
/// Cost       That of graze_world_save() and graze_world_hash().
graze_status graze_record_start(graze_world *world, const graze_record_def *def);

/// Stops the recording and writes the end of the record. Returns OK if the record is complete,
/// otherwise the status that graze_record_status() returns; BUSY inside a step. Destroying a world
/// also stops its recording.
graze_status graze_record_stop(graze_world *world);

/// Returns OK as long as nothing has gone wrong in the current or last recording. Otherwise it
/// returns why the recording stopped by itself: WRITE if the writer failed, or OUT_OF_MEMORY. The
/// world's log received a line then. The call during which it stopped had the effect and the result
/// that it would have had without a recording.
graze_status graze_record_status(const graze_world *world);

/// Returns whether a recording is running. Constant time.
bool graze_record_is_on(const graze_world *world);

#ifdef __cplusplus
}
#endif

#endif
