#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include <stdio.h>
#include <time.h>

#ifdef _WIN32
#include <io.h>
#define isatty _isatty
#define fileno _fileno
#else
#include <unistd.h>
#endif

static double read_clock(void)
{
    struct timespec now;
#ifdef _WIN32
    timespec_get(&now, TIME_UTC);
#else
    clock_gettime(CLOCK_MONOTONIC, &now);
#endif
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

cli_progress cli_progress_start(uint32_t total, bool is_stdout_busy)
{
    double now = read_clock();
    bool is_free = !is_stdout_busy || !isatty(fileno(stdout));
    cli_progress progress = {total, now, now, is_free && isatty(fileno(stderr)), false};
    return progress;
}

void cli_progress_update(cli_progress *progress, uint32_t done)
{
    double now = read_clock();
    if (!progress->is_terminal || now - progress->printed < 0.1) {
        return;
    }
    double rest = (now - progress->started) / (done ? done : 1) * (progress->total - done);
    fprintf(stderr, "\r\033[Kstep %u of %u, %.0f%%, %.0f s to go", done, progress->total,
            100.0 * done / (progress->total ? progress->total : 1), rest);
    fflush(stderr);
    progress->printed = now;
    progress->is_shown = true;
}

void cli_progress_end(cli_progress *progress)
{
    if (progress->is_shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        progress->is_shown = false;
    }
}
