/// @file common.h
/// Shared by every part of the program: exit statuses, one-line errors, lists that cannot fail.
///
/// Errors     A function that can fail returns false and leaves one line, without its line end, in
///            the cli_error that it was given. Running out of memory ends the program.
#ifndef CLI_COMMON_H
#define CLI_COMMON_H

#include <graze/allocator.h>

#include "list.h"

#include <stdbool.h>
#include <stdio.h>

/// What the program returns to its caller.
enum {
    CLI_OK = 0,
    CLI_FAILED = 1, ///< Something went wrong while running: memory, an output file.
    CLI_REFUSED = 2 ///< The command line or an input file is wrong.
};

/// One line that says what went wrong, where, with which value.
typedef struct cli_error {
    char text[5120]; ///< A path, which may have 4096 bytes, and what is wrong with it.
} cli_error;

#if defined(__GNUC__)
#define CLI_PRINTF(text, values) __attribute__((format(printf, text, values)))
#else
#define CLI_PRINTF(text, values)
#endif

/// Writes the line and returns false. What does not fit is cut off; control characters (of a
/// hostile file's text or name) become '?'.
bool cli_fail(cli_error *error, const char *format, ...) CLI_PRINTF(2, 3);

/// Prints a line that starts with "graze: " to stderr, as cli_fail() would write it, and returns
/// `status`.
int cli_complain(int status, const char *format, ...) CLI_PRINTF(2, 3);

/// Prints a line to `file`, as cli_fail() would write it. For every line that names a file.
void cli_report(FILE *file, const char *format, ...) CLI_PRINTF(2, 3);

/// Returns whether a file of this name is standard output, or standard input where one is read:
/// "-". A file of that name is "./-".
bool cli_is_standard_stream(const char *name);

/// Returns the allocator of all lists: malloc and free.
const graze_allocator *cli_allocator(void);

/// Ends the program with a line and CLI_FAILED unless `there_was_memory`.
void cli_require_memory(bool there_was_memory);

/// Returns a new copy of the text; the caller frees it.
char *cli_copy_text(const char *text);

/// Makes room, appends; never fails.
#define cli_push(list, value)                                                                      \
    (cli_require_memory(grz_list_reserve((list), cli_allocator(), 1)),                             \
     grz_list_push((list), (value)))

#endif
