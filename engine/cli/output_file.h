/// @file output_file.h
/// Tests whether outputs can be written, before any of them is; removes what is half written.
#ifndef CLI_OUTPUT_FILE_H
#define CLI_OUTPUT_FILE_H

#include "common.h"

/// Fails if no file of this name can be written. Changes no file, and leaves a new one only where a
/// link led to none. Pipes and devices are not tried, since opening one can wait for its reader and
/// closing it ends that; nor is standard output, nor null: none.
bool cli_output_check(const char *path, cli_error *error);

/// Removes a file that could not be written to its end. Leaves links, pipes and devices.
void cli_output_discard(const char *path);

enum { CLI_LONGEST_PART = 4096 + 32 }; ///< Bytes of the name of a part.

/// A file that gets its name when it is whole. Until then it is beside its place, under the name
/// "NAME.part-" and a number; an interruption (SIGINT, SIGTERM, SIGHUP) removes it. Links, pipes,
/// devices, and files in folders where no other can be made are written to at once.
typedef struct cli_output {
    FILE *file; ///< Null: it is not open.
    const char *path;
    char part[CLI_LONGEST_PART]; ///< "": the file itself is written to.
} cli_output;

/// Opens the file. One at a time can be removed by an interruption: the last one.
bool cli_output_open(cli_output *output, const char *path, cli_error *error);

/// Closes the file, and gives it its name if `is_whole`, or else discards it. Returns false with
/// errno if that fails.
bool cli_output_close(cli_output *output, bool is_whole);

#endif
