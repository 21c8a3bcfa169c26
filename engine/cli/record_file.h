/// @file record_file.h
/// Writes a record (graze/record.h) to a file.
#ifndef CLI_RECORD_FILE_H
#define CLI_RECORD_FILE_H

#include "common.h"

#include <graze/record.h>

#include <stdint.h>
#include <stdio.h>

/// The largest record that is written and read, in bytes.
#define CLI_LARGEST_RECORD (1024u * 1024u * 1024u)

/// A record being written; all zero: none.
typedef struct cli_record_file {
    FILE *file;
    const char *path;
    uint64_t size;
    bool is_too_large;
    int reason; ///< errno, of the write that failed.
} cli_record_file;

/// Starts recording the world, whose run will take `steps`. Fails when the record would be too
/// large, or the file cannot be written. `file` must not move until it is closed.
bool cli_record_file_open(cli_record_file *file, const char *path, graze_world *world,
                          uint32_t steps, cli_error *error);

/// Returns whether the record is complete so far; else fails and closes the file. True if no record
/// is being written; so does the next function.
bool cli_record_file_check(cli_record_file *file, graze_world *world, cli_error *error);

/// Ends the record. Fails if anything could not be written.
bool cli_record_file_close(cli_record_file *file, graze_world *world, cli_error *error);

#endif
