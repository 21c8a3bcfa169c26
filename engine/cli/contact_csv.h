/// @file contact_csv.h
/// The contacts of a run as a table of comma-separated values; `graze run --help` has its columns.
#ifndef CLI_CONTACT_CSV_H
#define CLI_CONTACT_CSV_H

#include "common.h"
#include "output_file.h"
#include "scene.h"

#include <stdint.h>
#include <stdio.h>

/// A table that is as large gets a warning, once.
#define CLI_LARGE_TABLE (1024 * 1024 * 1024)

typedef struct cli_contact_csv {
    FILE *file; ///< Null: nothing is written.
    const char *path;
    cli_output output; ///< If it is not standard output.
    uint64_t bytes;    ///< Written so far.
    bool is_large;     ///< It has got its warning.
} cli_contact_csv;

/// Makes the file, or takes standard output for the path "-", and writes the header row.
bool cli_contact_csv_open(cli_contact_csv *csv, const char *path, cli_error *error);

/// Returns, once, whether the table has become as large as `limit`, in bytes.
bool cli_contact_csv_warns(cli_contact_csv *csv, uint64_t limit);

/// Writes the contacts and ends of the last step; `step` counts from 1. Returns false if continuing
/// is pointless: cli_contact_csv_close() says why.
bool cli_contact_csv_write(cli_contact_csv *csv, const cli_stage *stage, uint32_t step);

/// Gives the file its name. Fails, and leaves none, if anything could not be written. Does nothing
/// if the file is not open.
bool cli_contact_csv_close(cli_contact_csv *csv, cli_error *error);

/// Removes the file, if it is open.
void cli_contact_csv_discard(cli_contact_csv *csv);

#endif
