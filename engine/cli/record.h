/// @file record.h
/// The record of a run: the world at its start, and hashes of it after every step.
///
/// Whoever has the record can do the run again, on another machine or by another build, and see the
/// first step that comes out differently, and the first body in it.
///
/// Contents   A snapshot (world.h), the seconds a step, and for each step the hash of the world
///            (8 bytes) and a short hash of each body (2 bytes; a body that changed is overlooked
///            once in 65536 times, a step that changed never).
/// Format     Numbers have their lowest byte first, on every machine. The whole file has a
///            checksum: what is damaged is never taken for a difference.
#ifndef CLI_RECORD_H
#define CLI_RECORD_H

#include "common.h"

#include <graze/world.h>

#include <stdint.h>
#include <stdio.h>

/// The largest record that is written and read, in bytes.
#define CLI_LARGEST_RECORD (1024u * 1024u * 1024u)

/// How a run is done again.
typedef struct cli_run_plan {
    float dt;            ///< Seconds a step.
    uint32_t steps;      ///< In all.
    uint32_t body_count; ///< Indices of bodies at the start; none comes later.
} cli_run_plan;

/// A record while it is written; all zero: none is.
typedef struct cli_recorder {
    FILE *file;
    const char *path;
    uint64_t checksum; ///< Of what is written so far.
    uint32_t body_count;
} cli_recorder;

/// Begins the record of a run that starts from the world as it is now. Fails, nothing written, when
/// the record would be too large, or the file cannot be opened.
bool cli_recorder_open(cli_recorder *recorder, const char *path, const graze_world *world,
                       const cli_run_plan *plan, cli_error *error);

/// Adds the state after a step. Returns false when it could not be written, which closing will
/// explain. Does nothing when no record is being written; likewise the next one.
bool cli_recorder_add(cli_recorder *recorder, const graze_world *world);

/// Ends the record after its last step. Fails when anything could not be written.
bool cli_recorder_close(cli_recorder *recorder, cli_error *error);

/// A record that was read.
typedef struct cli_record {
    cli_run_plan plan;
    const unsigned char *snapshot; ///< In `data`.
    size_t snapshot_size;
    const unsigned char *steps; ///< In `data`: what was added for each of plan.steps.
    unsigned char *data;        ///< The whole file; free() it.
} cli_record;

/// Reads a record. Fails, nothing to free, when there is no file, or it is no record, of a newer
/// version, cut short or damaged.
bool cli_record_read(cli_record *record, const char *path, cli_error *error);

/// What cli_record_compare() found.
typedef struct cli_comparison {
    bool same;     ///< The world is as it was recorded.
    bool has_body; ///< Not the same, and a body is known that is not.
    uint32_t body; ///< Its index: the first one.
} cli_comparison;

/// Compares a world with the record of a step, 1 for the first.
cli_comparison cli_record_compare(const cli_record *record, const graze_world *world,
                                  uint32_t step);

#endif
