/// @file options.h
/// The command line.
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "common.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum cli_command {
    CLI_COMMAND_HELP, ///< Of `help_topic`.
    CLI_COMMAND_VERSION,
    CLI_COMMAND_RUN,
    CLI_COMMAND_REPLAY,
    CLI_COMMAND_DEMO,
    CLI_COMMAND_MAP
} cli_command;

enum { CLI_MOST_NAMES = 64 };

/// Names that an option was given, again and again.
typedef struct cli_names {
    const char *names[CLI_MOST_NAMES];
    uint32_t count;
} cli_names;

/// The result of reading the command line.
typedef struct cli_options {
    cli_command command;
    cli_command help_topic; ///< The command to explain; CLI_COMMAND_HELP: the whole program.
    const char *scene;      ///< The file to run; for a replay the record.
    const char *contacts;   ///< Null: none.
    const char *picture;    ///< Null: none. The demo has one by default.
    const char *record;     ///< Null: none.
    const char *demo_scene; ///< A built-in one; null: the bullet hell.
    bool has_steps, has_dt; ///< Whether the next two were given.
    uint32_t steps;
    float dt;
    uint32_t every; ///< 0: one picture, at the end.
    bool hash, stats;
    cli_names solid; ///< What is solid in a map; none: what names that are known say.
    bool tiles;      ///< Of `graze map`: print the tiles, too.
} cli_options;

/// Reads the command line; texts are not copied.
bool cli_options_read(cli_options *options, int count, char **words, cli_error *error);

/// Returns whether the contacts are to go to standard output. The report then goes to stderr.
bool cli_options_prints_contacts(const cli_options *options);

/// Fails if the options also name this file, by whatever name: one would overwrite the other.
/// `what` names it in the error.
bool cli_options_check_file(const cli_options *options, const char *what, const char *name,
                            cli_error *error);

#endif
