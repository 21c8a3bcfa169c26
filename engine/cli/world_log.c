#include "world_log.h"

#include <stdio.h>

void cli_world_log_keep(graze_status status, const char *message, void *user)
{
    (void)status;
    cli_world_log *log = user;
    snprintf(log->text, sizeof log->text, "%s", message);
}
