/// @file map_command.h
/// `graze map`: prints what a Tiled map becomes, in a form that scripts read.
#ifndef CLI_MAP_COMMAND_H
#define CLI_MAP_COMMAND_H

#include "options.h"

/// Runs the command and returns the exit status.
int cli_map(const cli_options *options);

#endif
