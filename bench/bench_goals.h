/// @file bench_goals.h
/// What the suite is to show: each goal with what must hold and what to reach for.
#ifndef GRAZE_BENCH_GOALS_H
#define GRAZE_BENCH_GOALS_H

#include "bench_table.h"

#include <stdbool.h>
#include <stdint.h>

/// One goal as a run found it.
typedef struct goal_result {
    const char *title;
    char ours[24], against[32];          ///< What is compared, as text.
    char value[16], must[16], reach[16]; ///< As text, with units; reach may be empty.
    bool known;                          ///< All that it needs was measured.
    bool met, reached;                   ///< False when not known.
} goal_result;

/// Returns how many goals there are.
uint32_t bench_goal_count(void);

/// Returns what the run says of one of them, from 0.
goal_result bench_goal_judge(const bench_table *table, uint32_t number);

/// Prints those of which all was measured, when there are any, and how many hold.
void bench_goals_print(const bench_table *table);

#endif
