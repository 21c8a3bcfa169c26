/// @file demo_command.h
/// `graze demo`: a bullet hell in a cave, as a game would write it.
#ifndef CLI_DEMO_COMMAND_H
#define CLI_DEMO_COMMAND_H

#include "options.h"

/// Runs the demo, prints its report, writes its picture. Returns the program's exit status.
int cli_demo(const cli_options *options);

#endif
