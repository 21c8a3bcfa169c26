/// @file bench_goals.h
/// The goals of the suite: what must hold, and what to reach for.
#ifndef GRAZE_BENCH_GOALS_H
#define GRAZE_BENCH_GOALS_H

#include "bench_table.h"

#include <stdbool.h>
#include <stdint.h>

/// One goal as a run found it.
typedef struct goal_result {
    const char *title;
    char ours[24], against[32];          ///< The values compared, as text.
    char value[16], must[16], reach[16]; ///< As text, with units; reach may be empty.
    bool known;                          ///< All its inputs were measured.
    bool met, reached;                   ///< False when not known.
} goal_result;

/// Returns how many goals there are.
uint32_t bench_goal_count(void);

/// Returns the run's result for goal `number`, from 0.
goal_result bench_goal_judge(const bench_table *table, uint32_t number);

/// Prints the goals whose inputs were measured, if any, and how many hold.
void bench_goals_print(const bench_table *table);

#endif
