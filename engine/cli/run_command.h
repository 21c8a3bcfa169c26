/// @file run_command.h
/// `graze run`.
#ifndef CLI_RUN_COMMAND_H
#define CLI_RUN_COMMAND_H

#include "options.h"

/// Runs a scene and prints what it did. Returns the program's exit status.
int cli_run(const cli_options *options);

#endif
