/// @file text_file.h
/// Reads a whole file, of any kind.
#ifndef CLI_TEXT_FILE_H
#define CLI_TEXT_FILE_H

#include "common.h"

/// The largest file that is read, in bytes.
#define CLI_LARGEST_FILE (256u * 1024u * 1024u)

typedef struct cli_text {
    char *data;  ///< `size` bytes and a zero; free() it.
    size_t size; ///< Without the zero.
} cli_text;

/// Reads a file of any bytes, at most `limit` of them; standard input if the path is "-". Fails,
/// with nothing to free, if it is missing, a folder, not readable, or larger.
bool cli_bytes_read(const char *path, size_t limit, cli_text *text, cli_error *error);

/// Fails if what was read is empty or has a zero byte.
bool cli_text_check(const char *path, const cli_text *text, cli_error *error);

#endif
