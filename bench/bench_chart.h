/// @file bench_chart.h
/// One run as a picture: the step against the number of bodies, and bullets.
#ifndef GRAZE_BENCH_CHART_H
#define GRAZE_BENCH_CHART_H

#include "bench_table.h"
#include "machine.h"

#include <stdbool.h>

/// Writes the picture as SVG, without what was not measured; if that is everything, writes no file
/// and says so. Returns false, and prints why, if it cannot be written.
bool bench_chart_write(const bench_table *table, const machine *made_on, const char *path);

#endif
