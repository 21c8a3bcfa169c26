/// @file contact_csv.h
/// The contacts of a run as a table of comma-separated values; `graze run --help` has its columns.
#ifndef CLI_CONTACT_CSV_H
#define CLI_CONTACT_CSV_H

#include "common.h"
#include "scene.h"

#include <stdint.h>
#include <stdio.h>

typedef struct cli_contact_csv {
    FILE *file; ///< Null: nothing is written.
    const char *path;
} cli_contact_csv;

/// Makes the file, or takes standard output for the path "-", and writes the header row.
bool cli_contact_csv_open(cli_contact_csv *csv, const char *path, cli_error *error);

/// Writes the contacts and ends of the last step; `step` counts from 1. Returns false if continuing
/// is pointless: cli_contact_csv_close() says why.
bool cli_contact_csv_write(const cli_contact_csv *csv, const cli_stage *stage, uint32_t step);

/// Fails if anything could not be written. Does nothing if the file is not open.
bool cli_contact_csv_close(cli_contact_csv *csv, cli_error *error);

#endif
