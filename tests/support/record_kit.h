/// @file record_kit.h
/// Records in memory, and replays of them.
///
/// Errors     A broken promise of a function fails the running cmocka test.
#ifndef GRAZE_TESTS_RECORD_KIT_H
#define GRAZE_TESTS_RECORD_KIT_H

#include "world_kit.h"

/// A record in memory; all zero is a new one.
typedef struct kit_record {
    unsigned char *bytes;
    size_t size, capacity;
    uint32_t writes;  ///< So far, the one that failed included.
    uint32_t fail_at; ///< The number of the write that fails; 0: none.
} kit_record;

/// A graze_write_fn; `user` is a kit_record.
bool kit_record_write(const void *bytes, size_t size, void *user);

/// Starts recording the world; it must succeed.
void kit_record_start(kit_record *record, graze_world *world);

void kit_record_free(kit_record *record);

/// Opens the record with defaults; it must succeed.
graze_replay *kit_replay(const kit_record *record);

/// Replays to the end. Fails the test, with `where`, unless all results are the same, in `steps`
/// steps.
void kit_replay_to_end(graze_replay *replay, uint64_t steps, uint64_t where);

/// Replays to the end in a world with its own allocator, and with threads and capacities that
/// follow from the seed. Fails the test unless all results are the same; returns the number of
/// steps.
uint64_t kit_replay_elsewhere(const kit_record *record, uint64_t seed);

#endif
