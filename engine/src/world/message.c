#include "world/message.h"

#include "plural.h"

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

graze_status grz_fail_for_room(const graze_world *world, graze_status status, grz_shortage of)
{
    const unsigned extra = of.extra, present = of.present;
    const char *what = grz_plural(extra, of.one, of.many);
    if (status == GRAZE_ERROR_LIMIT && world->config.fixed_capacity) {
        return grz_fail(world, status, "%s: no room for %u more %s; the world has %u, and %s is %u",
                        of.call, extra, what, present, of.field, (unsigned)of.capacity);
    }
    return grz_fail(world, status, "%s: no %s for %u more %s; the world has %u", of.call,
                    status == GRAZE_ERROR_LIMIT ? "room" : "memory", extra, what, present);
}
