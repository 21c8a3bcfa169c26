/// @file misses.h
/// How many hard shots (shots.h) ours and the peers let through, as a table.
#ifndef GRAZE_BENCH_MISSES_H
#define GRAZE_BENCH_MISSES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    MISS_ENGINES = 3, ///< Columns, at most: ours first.
    MISS_ROWS = 24    ///< At least as many as there are.
};

/// One kind of shot: how many were fired, and what went wrong by each engine.
typedef struct miss_row {
    const char *heading; ///< What went wrong, in words.
    char name[48];       ///< How the shots were aimed.
    uint32_t fired;
    uint32_t wrong[MISS_ENGINES];
    bool tried[MISS_ENGINES]; ///< False: the engine has no such shots.
} miss_row;

typedef struct miss_table {
    const char *engines[MISS_ENGINES];
    uint32_t engine_count;
    uint32_t row_count;
    miss_row rows[MISS_ROWS];
} miss_table;

/// Fires all shots with all engines, fills `table`, and prints a line for each kind of shot;
/// `quick`: fewer of them. The shots are the same in every run. Returns whether ours let none
/// through.
bool misses_run(bool quick, miss_table *table);

#endif
