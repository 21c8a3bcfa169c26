/// @file text_file.h
/// Reads a whole file, of any kind.
#ifndef CLI_TEXT_FILE_H
#define CLI_TEXT_FILE_H

#include "common.h"

/// The largest file that is read, in bytes: parsed JSON may take forty times as much memory.
#define CLI_LARGEST_FILE (64u * 1024u * 1024u)

typedef struct cli_text {
    char *data;  ///< `size` bytes and a zero; free() it.
    size_t size; ///< Without the zero.
} cli_text;

/// Reads the file. Fails, with nothing to free, if it is missing, a folder, not readable, empty,
/// larger than CLI_LARGEST_FILE, or has a zero byte.
bool cli_text_read(const char *path, cli_text *text, cli_error *error);

/// The same for a file of any bytes, at most `limit` of them: it may be empty or have zero bytes.
bool cli_bytes_read(const char *path, size_t limit, cli_text *text, cli_error *error);

#endif
