/// @file replay_state.h
/// A replay: shared by replay.c and replay_*.c.
#ifndef GRZ_REPLAY_STATE_H
#define GRZ_REPLAY_STATE_H

#include <graze/replay.h>

#include "history/recording.h"
#include "history/state_hash.h"
#include "world/message.h"

enum { GRZ_REPLAY_LINE = 512 };

struct graze_replay {
    graze_allocator allocator;
    graze_log_fn *log; ///< The def's.
    void *log_user;
    graze_world *world;

    // The record.
    const unsigned char *bytes;
    size_t size;
    size_t begin, next;   ///< The start of the current piece, and of the next.
    uint64_t piece_count; ///< Opened, so far.
    grz_archive entry;    ///< Where the next entry begins in the piece.
    uint64_t step_count;
    uint32_t call_count; ///< Since the last step.

    // Of the current entry.
    grz_record_kind kind; ///< 0: unknown.
    graze_body_id body;   ///< Whose call it is, if it is one's.
    grz_call_values values;
    GRZ_ARRAY(uint64_t) vetoes; ///< Sorted.
    GRZ_ARRAY(graze_body_def) defs;
    GRZ_ARRAY(graze_body_id) ids;
    GRZ_ARRAY(graze_vec2) points;
    GRZ_ARRAY(graze_surface) surfaces;
    grz_state_hash recorded; ///< Of a step,
    grz_state_hash digest;   ///< and the world's own after it.

    // The result of the last advance.
    graze_replay_state state;
    bool is_told; ///< The world has told the log already.
    graze_status status;
    graze_replay_difference difference;
    char message[GRZ_REPLAY_LINE];
};

/// Ends the replay: something differs. Returns false.
bool grz_replay_differ(graze_replay *replay, graze_difference_kind kind, const char *format, ...)
    GRZ_PRINTF(3, 4);

/// Compares the world's state hash, which has been taken, with the recorded step's. If they differ,
/// ends the replay with the difference and returns false.
bool grz_replay_compare(graze_replay *replay);

#endif
