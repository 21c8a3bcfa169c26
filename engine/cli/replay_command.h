/// @file replay_command.h
/// `graze replay`.
#ifndef CLI_REPLAY_COMMAND_H
#define CLI_REPLAY_COMMAND_H

#include "options.h"

/// Repeats a recorded run and compares every step. Returns the program's exit status.
int cli_replay(const cli_options *options);

#endif
