/// @file world_log.h
/// The last line of a world's log: why a call was refused.
#ifndef CLI_WORLD_LOG_H
#define CLI_WORLD_LOG_H

#include <graze/status.h>

typedef struct cli_world_log {
    char text[256]; ///< Empty: nothing.
} cli_world_log;

/// A graze_log_fn: `user` is a cli_world_log that lives as long as the world.
void cli_world_log_keep(graze_status status, const char *message, void *user);

#endif
