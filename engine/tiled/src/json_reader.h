/// @file json_reader.h
/// Reads JSON with clear errors: line and column where it does not parse, the path of keys
/// (`bodies[3].radius`) where a value does not fit.
#ifndef GRZ_JSON_READER_H
#define GRZ_JSON_READER_H

#include "tile_blob.h"
#include "tiled_error.h"
#include "tiled_memory.h"

#include <cjson/cJSON.h>

#include <stdbool.h>
#include <stddef.h>

/// One parsed file. Nodes are cJSON's own; they live until the memory's deferred things are
/// released.
typedef struct grz_json {
    const char *path; ///< Of the file, as the user gave it.
    cJSON *root;
    grz_error *error; ///< Receives every failure.
    grz_memory *memory;
    grz_blobs *blobs; ///< Its tile data, for which marks stand in the tree; null: none.
} grz_json;

/// Parses a text (`size` bytes and a zero), in which no key may stand twice in the same object.
/// json->path, error and memory are set; the first two must outlive `json`.
bool grz_json_parse(grz_json *json, const char *text, size_t size);

/// Returns whether a text, valid or not, is an object with this key.
bool grz_json_has_key(const char *text, size_t size, const char *key);

/// Writes "FILE: PATH OF KEYS: message" as the error and returns false.
bool grz_json_fail(const grz_json *json, const cJSON *node, const char *format, ...)
    GRZ_PRINTF(3, 4);

/// The same with the message "must be WANTED, not VALUE", such as `"fast"` or `an object`.
bool grz_json_refuse(const grz_json *json, const cJSON *node, const char *wanted);

enum { GRZ_LONGEST_VALUE = 64 };

/// Writes a value as messages show it; GRZ_LONGEST_VALUE bytes are enough.
void grz_json_describe(const cJSON *node, char *text, size_t size);

/// Writes the node's path of keys, such as `layers[2 "ground"].objects[0].x`, cut off at `size`.
void grz_json_path(const grz_json *json, const cJSON *node, char *path, size_t size);

/// Returns the value of a key; null when it is not there or `object` is no object.
const cJSON *grz_json_get(const cJSON *object, const char *key);

/// Returns the text of a key; "" when there is none.
const char *grz_json_text(const cJSON *object, const char *key);

/// Returns the number of a key; `otherwise` when there is none, or it is not finite.
double grz_json_number(const cJSON *object, const char *key, double otherwise);

/// Gets the first element of an array, null when it is empty or `parent` has no such key. False
/// when it is no array.
bool grz_json_list(const grz_json *json, const cJSON *parent, const char *key, const cJSON **first);

/// Gets the array of a key, which `parent` must have.
bool grz_json_expect_array(const grz_json *json, const cJSON *parent, const char *key,
                           const cJSON **array);

/// Checks that a node is an object.
bool grz_json_expect_object(const grz_json *json, const cJSON *node);

#endif
