/// @file help_text.h
/// What `graze --help` prints.
#ifndef CLI_HELP_TEXT_H
#define CLI_HELP_TEXT_H

#include "options.h"

#include <stdio.h>

/// Prints the help of a command; of the program for CLI_COMMAND_HELP.
void cli_help_print(cli_command topic, FILE *file);

#endif
