/// @file record_state.h
/// A recording that goes on: what record.c and record_calls.c share.
#ifndef GRZ_RECORD_STATE_H
#define GRZ_RECORD_STATE_H

#include <graze/record.h>

#include "hash/digest.h"
#include "record/recorder.h"

struct grz_recorder {
    graze_world *world;
    graze_write_fn *write;
    void *write_user;
    bool names_bodies;
    graze_filter_fn *filter; ///< The world's own, instead of which it has the recorder's.
    void *filter_user;
    graze_status filter_status;     ///< OUT_OF_MEMORY: some of the vetoes of this step are lost.
    grz_record_kind kind;           ///< Of the entry under way, or the last.
    GRZ_ARRAY(unsigned char) piece; ///< The one that is being filled, its frame included.
    GRZ_ARRAY(uint64_t) vetoes;     ///< Of the step under way.
    grz_digest digest;
    uint64_t piece_count, byte_count, step_count; ///< Written, so far.
};

/// Makes room for an entry's kind and `size` bytes more, and passes the kind. Returns where to pass
/// the rest, at once; when there is no memory, one that takes nothing, and the recorder is gone.
grz_record_io grz_recorder_open_entry(grz_recorder *recorder, grz_record_kind kind, size_t size);

/// Ends the entry; writes the piece when it is large, or when it `must` be written now. Returns
/// false, the recorder gone, when that fails.
bool grz_recorder_close_entry(grz_recorder *recorder, const grz_record_io *io, bool must);

/// Adds a snapshot to the entry, whose room has been taken.
void grz_recorder_pass_snapshot(grz_recorder *recorder, grz_record_io *io, size_t size);

/// Stops recording: something failed. The world's log is told, which call it was by the kind of the
/// entry under way.
void grz_recorder_give_up(grz_recorder *recorder, graze_status status);

#endif
