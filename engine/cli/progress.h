/// @file progress.h
/// A line on the terminal that says how far a long run is.
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/// One run's line. Nothing is printed unless stderr is a terminal and the run takes a while.
typedef struct cli_progress {
    uint32_t total; ///< Steps.
    double started, printed;
    bool is_terminal, is_shown;
} cli_progress;

/// `is_stdout_busy`: the run prints to stdout meanwhile. Then nothing is printed if that is a
/// terminal, too, because the two would mix.
cli_progress cli_progress_start(uint32_t total, bool is_stdout_busy);

/// Reports that `done` steps are done; prints at most ten times a second.
void cli_progress_update(cli_progress *progress, uint32_t done);

/// Clears the line.
void cli_progress_end(cli_progress *progress);

#endif
