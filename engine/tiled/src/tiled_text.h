/// @file tiled_text.h
/// From the bytes of a file to a tree: what a file is, its first bytes say.
#ifndef GRZ_TILED_TEXT_H
#define GRZ_TILED_TEXT_H

#include "json_reader.h"

#include <stdbool.h>
#include <stddef.h>

/// Parses a file of `size` bytes, which need not end with a zero. json->path, error and memory are
/// set.
bool grz_tiled_parse(grz_json *json, const char *bytes, size_t size);

#endif
