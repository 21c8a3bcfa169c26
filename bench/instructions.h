/// @file instructions.h
/// The kept counts of instructions, a line each: compiler, lanes, scene, instructions.
#ifndef GRAZE_BENCH_INSTRUCTIONS_H
#define GRAZE_BENCH_INSTRUCTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum { INSTRUCTIONS_NAME_CAPACITY = 40 };

/// What one scene took.
typedef struct instructions_line {
    char compiler[INSTRUCTIONS_NAME_CAPACITY], lanes[INSTRUCTIONS_NAME_CAPACITY],
        scene[INSTRUCTIONS_NAME_CAPACITY];
    uint64_t count;
} instructions_line;

/// All lines of a file. All zero is an empty one.
typedef struct instructions_file {
    instructions_line *lines;
    uint32_t line_count;
} instructions_file;

/// Reads a file; a missing one is empty. Returns false, and prints why, if a line is invalid.
bool instructions_read(instructions_file *file, const char *path);

/// Writes a file. Returns false, and prints why, if that fails.
bool instructions_write(const instructions_file *file, const char *path);

void instructions_free(instructions_file *file);

/// Returns the line of this compiler, lanes and scene, null if there is none.
instructions_line *instructions_find(const instructions_file *file, const char *compiler,
                                     const char *lanes, const char *scene);

/// Returns whether any line is this compiler's.
bool instructions_know(const instructions_file *file, const char *compiler);

/// Adds a line, after all others.
void instructions_add(instructions_file *file, const instructions_line *line);

/// Removes all lines of a compiler and lanes.
void instructions_remove(instructions_file *file, const char *compiler, const char *lanes);

#endif
