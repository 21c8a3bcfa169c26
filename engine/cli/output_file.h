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

#endif
