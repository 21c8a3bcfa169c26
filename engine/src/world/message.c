#include "world/message.h"

#include <stdarg.h>
#include <stdio.h>

enum { LINE_CAPACITY = 256 };

static void log_line(graze_log_fn *log, void *user, graze_status status, const char *format,
                     va_list values)
{
    if (!log) {
        return;
    }
    char line[LINE_CAPACITY];
    vsnprintf(line, sizeof line, format, values);
    log(status, line, user);
}

graze_status grz_fail(const graze_world *world, graze_status status, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    log_line(world->config.log, world->config.log_user, status, format, values);
    va_end(values);
    return status;
}

graze_status grz_fail_to(graze_log_fn *log, void *user, graze_status status, const char *format,
                         ...)
{
    va_list values;
    va_start(values, format);
    log_line(log, user, status, format, values);
    va_end(values);
    return status;
}
