/// @file record_state.h
/// A running recording: shared by record.c and record_calls.c.
#ifndef GRZ_RECORD_STATE_H
#define GRZ_RECORD_STATE_H

#include <graze/record.h>

#include "history/digest.h"
#include "history/recorder.h"

struct grz_recorder {
    graze_world *world;
    graze_write_fn *write;
    void *write_user;
    bool names_bodies;
    graze_filter_fn *filter; ///< The world's own, which the recorder's replaces.
    void *filter_user;
    graze_status filter_status;     ///< OUT_OF_MEMORY: some of the vetoes of this step are lost.
    grz_record_kind kind;           ///< Of the open entry, or the last one.
    GRZ_ARRAY(unsigned char) piece; ///< The current one, with its frame.
    GRZ_ARRAY(uint64_t) vetoes;     ///< Of the current step.
    grz_digest digest;
    uint64_t piece_count, byte_count, step_count; ///< Written, so far.
};

/// Opens an entry with room for its kind and `size` bytes more, and passes the kind. Returns where
/// to pass the rest, immediately. If memory runs out it takes nothing, and the recorder is gone.
grz_record_io grz_recorder_open_entry(grz_recorder *recorder, grz_record_kind kind, size_t size);

/// Closes the entry; writes the piece if it is large, or `must` be written now. Returns false, with
/// the recorder gone, if that fails.
bool grz_recorder_close_entry(grz_recorder *recorder, const grz_record_io *io, bool must);

/// Adds a snapshot to the entry, which has room for it.
void grz_recorder_pass_snapshot(grz_recorder *recorder, grz_record_io *io, size_t size);

/// Stops recording after a failure, and tells the world's log. The kind of the open entry gives the
/// name of the call.
void grz_recorder_give_up(grz_recorder *recorder, graze_status status);

#endif
