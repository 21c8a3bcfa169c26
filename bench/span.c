#include "span.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORKERS = 8, ///< At most.
    LINE = 256   ///< What is of interest is shorter.
};

/// A span, being summed.
typedef struct span {
    uint32_t workers;
    uint64_t done;           ///< Before the current loop.
    uint64_t loads[WORKERS]; ///< Each worker's part of that loop.
} span;

static void add_task(span *of, uint64_t count)
{
    uint64_t *least = &of->loads[0];
    for (uint32_t i = 1; i < of->workers; ++i) {
        least = of->loads[i] < *least ? &of->loads[i] : least;
    }
    *least += count;
}

static void end_loop(span *of)
{
    uint64_t longest = 0;
    for (uint32_t i = 0; i < of->workers; ++i) {
        longest = of->loads[i] > longest ? of->loads[i] : longest;
        of->loads[i] = 0;
    }
    of->done += longest;
}

// Returns the text after a prefix, null if the line has another.
static const char *skip(const char *line, const char *beginning)
{
    const size_t length = strlen(beginning);
    return strncmp(line, beginning, length) == 0 ? line + length : NULL;
}

/// The reason of a dump: the meaning of its count depends on the last reason, too.
typedef enum mark { NO_MARK, BEFORE_TASK, BEFORE_END } mark;

static mark read_mark(const char *reason, const char *task, const char *end)
{
    const char *name = skip(reason, "--dump-before=");
    const size_t length = name ? strcspn(name, "\n") : 0;
    const bool is_task = name && strlen(task) == length && strncmp(name, task, length) == 0;
    const bool is_end = name && strlen(end) == length && strncmp(name, end, length) == 0;
    return is_task ? BEFORE_TASK : is_end ? BEFORE_END : NO_MARK;
}

static void add_count(span *of, mark last, mark now, uint64_t count)
{
    if (last == BEFORE_TASK) {
        add_task(of, count);
    } else {
        of->done += count;
    }
    if (now == BEFORE_END) {
        end_loop(of);
    }
}

// Each dump has its reason, and then the count.
uint64_t span_read(FILE *file, const char *task, const char *end, uint32_t workers)
{
    char line[LINE];
    span sum = {.workers = workers < WORKERS ? workers : WORKERS};
    mark last = NO_MARK, now = NO_MARK;
    while (fgets(line, sizeof line, file)) {
        const char *reason = skip(line, "desc: Trigger: ");
        const char *count = skip(line, "summary: ");
        now = reason ? read_mark(reason, task, end) : now;
        if (count) {
            add_count(&sum, last, now, strtoull(count, NULL, 10));
            last = now;
        }
    }
    return sum.done;
}
