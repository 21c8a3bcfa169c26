/// @file json_reader.h
/// Reads JSON with clear errors: line and column where it does not parse, the path of keys
/// (`bodies[3].radius`) where a value does not fit.
#ifndef CLI_JSON_READER_H
#define CLI_JSON_READER_H

#include "common.h"

#include <cjson/cJSON.h>

#include <stdbool.h>
#include <stddef.h>

/// One parsed file. Nodes are cJSON's own and live until cli_json_free().
typedef struct cli_json {
    const char *path; ///< Of the file, as the user gave it.
    cJSON *root;
    cli_error *error; ///< Receives every failure.
} cli_json;

/// Reads and parses a file, in which no key may stand twice in the same object; if it fails there
/// is nothing to free. `path` and `error` must outlive `json`.
bool cli_json_read(cli_json *json, const char *path, cli_error *error);

/// The same from text in memory (`size` bytes and a zero); `path` is its name in errors.
bool cli_json_parse(cli_json *json, const char *path, const char *text, size_t size,
                    cli_error *error);

void cli_json_free(cli_json *json);

/// Writes "FILE: PATH OF KEYS: message" as the error and returns false.
bool cli_json_fail(const cli_json *json, const cJSON *node, const char *format, ...)
    CLI_PRINTF(3, 4);

/// The same with the message "must be WANTED, not VALUE", such as `"fast"` or `an object`.
bool cli_json_refuse(const cli_json *json, const cJSON *node, const char *wanted);

enum { CLI_LONGEST_VALUE = 64 };

/// Writes a value as messages show it; CLI_LONGEST_VALUE bytes are enough.
void cli_json_describe(const cJSON *node, char *text, size_t size);

/// Writes the node's path of keys, such as `layers[2 "ground"].objects[0].x`, cut off at `size`.
void cli_json_path(const cli_json *json, const cJSON *node, char *path, size_t size);

/// Returns the value of a key; null when it is not there or `object` is no object.
const cJSON *cli_json_get(const cJSON *object, const char *key);

/// Returns the text of a key; "" when there is none.
const char *cli_json_text(const cJSON *object, const char *key);

/// Returns the number of a key; `otherwise` when there is none, or it is not finite.
double cli_json_number(const cJSON *object, const char *key, double otherwise);

/// Gets the first element of an array, null when it is empty or `parent` has no such key. False
/// when it is no array.
bool cli_json_list(const cli_json *json, const cJSON *parent, const char *key, const cJSON **first);

/// Gets the array of a key, which `parent` must have.
bool cli_json_expect_array(const cli_json *json, const cJSON *parent, const char *key,
                           const cJSON **array);

/// Checks that a node is an object.
bool cli_json_expect_object(const cli_json *json, const cJSON *node);

#endif
