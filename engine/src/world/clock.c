// For clock_gettime, where there is POSIX. Before any header.
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200112L
#endif

#include "world/clock.h"

#include <time.h>

double grz_now_in_seconds(void)
{
#if defined(CLOCK_MONOTONIC) && !defined(_WIN32)
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#elif defined(TIME_UTC)
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#else
    // The older C library of Windows lacks both; its processor time is wall time.
    return (double)clock() / CLOCKS_PER_SEC;
#endif
}
