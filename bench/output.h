/// @file output.h
/// Files that a run writes: tried before it, and named after it.
#ifndef GRAZE_BENCH_OUTPUT_H
#define GRAZE_BENCH_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/// Returns whether a file of this name can be written; prints why not. Changes no file. Null: none
/// is wanted.
bool output_check(const char *path);

/// Opens the file for writing. Returns null, and prints why, if that fails.
FILE *output_open(const char *path);

/// Closes it, and prints its name. Returns false, and prints why, if it could not be written.
bool output_close(FILE *file, const char *path);

#endif
