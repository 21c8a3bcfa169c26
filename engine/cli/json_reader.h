/// @file json_reader.h
/// JSON that says what is wrong with it: line and column where it does not parse, the path of keys
/// (`bodies[3].radius`) where a value does not fit.
#ifndef CLI_JSON_READER_H
#define CLI_JSON_READER_H

#include "common.h"

#include <cjson/cJSON.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One parsed file. Nodes are cJSON's own and live until cli_json_free().
typedef struct cli_json {
    const char *path; ///< Of the file, as the user gave it.
    cJSON *root;
    cli_error *error; ///< Where every failure goes.
} cli_json;

/// Reads and parses a file; nothing to free when it fails. `path` and `error` must outlive `json`.
bool cli_json_read(cli_json *json, const char *path, cli_error *error);

/// The same from text in memory (`size` bytes and a zero); `path` is what errors call it.
bool cli_json_parse(cli_json *json, const char *path, const char *text, size_t size,
                    cli_error *error);

void cli_json_free(cli_json *json);

/// Writes "FILE: PATH OF KEYS: message" as the error and returns false.
bool cli_json_fail(const cli_json *json, const cJSON *node, const char *format, ...)
    CLI_PRINTF(3, 4);

/// The same with the message "must be WANTED, not VALUE", such as `"fast"` or `an object`.
bool cli_json_refuse(const cli_json *json, const cJSON *node, const char *wanted);

/// Writes the node's path of keys, such as `layers[2 "ground"].objects[0].x`, cut off at `size`.
void cli_json_path(const cli_json *json, const cJSON *node, char *path, size_t size);

/// Returns the value of a key; null when it is not there or `object` is no object.
const cJSON *cli_json_get(const cJSON *object, const char *key);

/// Returns the text of a key; "" when there is none.
const char *cli_json_text(const cJSON *object, const char *key);

/// Returns the number of a key; `otherwise` when there is none, or it is not finite.
double cli_json_number(const cJSON *object, const char *key, double otherwise);

/// What a field holds, and hence how it is checked and stored.
typedef enum cli_kind {
    CLI_ELSEWHERE, ///< Known, but read by other code.
    CLI_BOOL,
    CLI_FLOAT,
    CLI_VEC2, ///< An array of two numbers.
    CLI_INT32,
    CLI_UINT32,
    CLI_UINT64,  ///< Below 2^53: JSON's numbers are doubles, which hold no other integers for sure.
    CLI_RESPONSE ///< "pass", "stop", "slide" or "bounce".
} cli_kind;

/// A key, and where its value goes.
typedef struct cli_field {
    const char *name;
    cli_kind kind;
    size_t offset;      ///< Of the value in the target.
    double least, most; ///< Of CLI_FLOAT and CLI_VEC2; both 0: any float. A least above 0 is the
                        ///< smallest float that is: the value must be above 0. What is so small
                        ///< that float rounds it to 0 is refused where there are bounds: there 0
                        ///< may mean something else, as a mass or a lifetime.
} cli_field;

/// Reads an object: every key must be one of the `count` fields and stand only once, and its value
/// is checked and stored at its offset in `target`. Keys that are absent leave the target alone.
bool cli_json_read_fields(const cli_json *json, const cJSON *object, const cli_field *fields,
                          size_t count, void *target);

/// Checks one value and stores it.
bool cli_json_store(const cli_json *json, const cJSON *node, const cli_field *field, void *target);

/// Gets the first element of an array, null when it is empty or `parent` has no such key. False
/// when it is no array.
bool cli_json_list(const cli_json *json, const cJSON *parent, const char *key, const cJSON **first);

/// Checks that the values of these keys, where `object` has them, are numbers in float's range.
bool cli_json_expect_numbers(const cli_json *json, const cJSON *object, const char *const *keys,
                             size_t count);

/// Checks that a node is an array, or an object, "missing" when it is null: then the error names
/// `key` of `parent`.
bool cli_json_expect_array(const cli_json *json, const cJSON *parent, const char *key,
                           const cJSON **array);
bool cli_json_expect_object(const cli_json *json, const cJSON *node);

#endif
