/// @file demo_command.h
/// `graze demo`: plays a scene of the playground and draws it.
#ifndef CLI_DEMO_COMMAND_H
#define CLI_DEMO_COMMAND_H

#include "options.h"

#include <stdbool.h>

/// The names that --scene takes, as in a sentence.
#define CLI_DEMO_SCENES "pit, pyramid, flippers or cave"

/// Returns whether --scene takes this name.
bool cli_demo_has_scene(const char *name);

/// Plays the scene that the options name, or the bullet hell, prints a report, and writes its
/// picture. Returns the program's exit status.
int cli_demo(const cli_options *options);

#endif
