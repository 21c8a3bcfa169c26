#include "world/message.h"

#include <stdarg.h>
#include <stdio.h>

enum { LINE_CAPACITY = 256 };

graze_status grz_fail_to(graze_log_fn *log, void *user, graze_status status, const char *format,
                         ...)
{
    char line[LINE_CAPACITY];
    va_list values;
    va_start(values, format);
    if (log) {
        vsnprintf(line, sizeof line, format, values);
        log(status, line, user);
    }
    va_end(values);
    return status;
}
