/// @file machine.h
/// The machine and software of a run: the kind of machine, never its name or its folders.
#ifndef GRAZE_BENCH_MACHINE_H
#define GRAZE_BENCH_MACHINE_H

#include <stdint.h>

enum { MACHINE_TEXT_CAPACITY = 128 };

typedef struct machine {
    char processor[MACHINE_TEXT_CAPACITY]; ///< Its name in the operating system.
    char stepping[MACHINE_TEXT_CAPACITY];  ///< Family, model and stepping; empty: not known.
    char system[MACHINE_TEXT_CAPACITY];    ///< Kernel, its version, architecture.
    char compiler[MACHINE_TEXT_CAPACITY];  ///< And version.
    char flags[MACHINE_TEXT_CAPACITY];     ///< Of the compiler.
    char revision[MACHINE_TEXT_CAPACITY];  ///< Of Graze's sources; empty: not known.
    char lanes[MACHINE_TEXT_CAPACITY];     ///< Of new worlds.
    char date[MACHINE_TEXT_CAPACITY];      ///< ISO 8601, UTC.
    uint32_t processors;                   ///< Available ones.
    uint32_t cache_kib[3];                 ///< Data of level 1, level 2, level 3; 0: not known.
} machine;

/// Returns the machine of this process. `revision` is the sources', null if it is not known.
machine machine_describe(const char *revision);

/// Prints it.
void machine_print(const machine *described);

#endif
