/// @file replay_kit.h
/// A recorded world that something changes unseen by the record, and the result of its replay.
///
/// Errors     A broken promise of a function fails the running cmocka test.
#ifndef GRAZE_TESTS_REPLAY_KIT_H
#define GRAZE_TESTS_REPLAY_KIT_H

#include "record_kit.h"

enum {
    REPLAY_BODIES = 100,    ///< Of replay_world().
    REPLAY_STEPS = 12,      ///< Of a record.
    REPLAY_CHANGED_STEP = 5 ///< The step before which something changes unseen.
};

#define REPLAY_STEP (1.0f / 60.0f)

/// Does something to the world before a step.
typedef void replay_change(graze_world *world);

/// Calls `change` without the recorder.
void replay_change_unseen(graze_world *world, replay_change *change);

/// Returns a world of circles above a wall, before its first step.
graze_world *replay_world(void);

/// Returns a record of such a world: bodies are moved, one is created and one destroyed along the
/// way, and `change`, unless it is null, happens unseen before step REPLAY_CHANGED_STEP. To be
/// freed.
kit_record replay_record(replay_change *change, bool names_bodies);

/// Returns the result of the first advance that is no step.
graze_replay_state replay_play_again(graze_replay *replay);

/// Replays the record. Fails the test unless it differs, with a message that has the words; returns
/// the difference.
graze_replay_difference replay_find_difference(const kit_record *record, const char *words);

#endif
