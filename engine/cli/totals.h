/// @file totals.h
/// The sums of a run over its steps.
#ifndef CLI_TOTALS_H
#define CLI_TOTALS_H

#include <graze/world.h>

#include <stdint.h>

typedef struct cli_totals {
    uint32_t steps;
    uint64_t begun, ended; ///< Contacts.
    uint64_t contacts;     ///< Contacts reported, over all steps.
    uint64_t hits;
    uint64_t removed; ///< Bodies.
    uint64_t pairs;   ///< Candidate pairs.
    double seconds;   ///< In all phases.
    double phase_seconds[GRAZE_PHASE_COUNT];
} cli_totals;

/// Adds the counts and times of the step that the world made last.
void cli_totals_add(cli_totals *totals, const graze_world *world);

/// Returns the phase that took longest.
graze_phase cli_totals_slowest(const cli_totals *totals);

/// Returns the milliseconds per step, given the total seconds.
double cli_totals_per_step(const cli_totals *totals, double seconds);

#endif
