/// @file json_fields.h
/// Objects of JSON whose keys are known: each value is checked, and stored where it goes.
#ifndef CLI_JSON_FIELDS_H
#define CLI_JSON_FIELDS_H

#include "json_reader.h"

/// The type of a field: how it is checked and stored.
typedef enum cli_kind {
    CLI_ELSEWHERE, ///< Known, but read by other code.
    CLI_BOOL,
    CLI_FLOAT,
    CLI_VEC2, ///< An array of two numbers.
    CLI_INT32,
    CLI_UINT32,
    CLI_UINT64,  ///< Below 2^53: JSON's numbers are doubles, exact up to there.
    CLI_RESPONSE ///< "pass", "stop", "slide", "bounce" or "rigid".
} cli_kind;

/// A key, and where its value goes.
typedef struct cli_field {
    const char *name;
    cli_kind kind;
    size_t offset;      ///< Of the value in the target.
    double least, most; ///< Of CLI_FLOAT and CLI_VEC2; both 0: any float. If `least` is the
                        ///< smallest float above 0 the value must be above 0. With bounds, numbers
                        ///< that round to 0 as floats are refused, because 0 may have another
                        ///< meaning, as for a mass or a lifetime. Of CLI_UINT32 only `most` counts,
                        ///< which is UINT32_MAX if it is 0.
} cli_field;

/// Reads an object: every key must be one of the `count` fields; its value is checked and stored at
/// its offset in `target`. Absent keys leave the target alone.
bool cli_json_read_fields(const cli_json *json, const cJSON *object, const cli_field *fields,
                          size_t count, void *target);

/// The fields of a surface: the target is a graze_surface.
extern const cli_field cli_surface_fields[];
extern const size_t cli_surface_field_count;

/// Checks one value and stores it.
bool cli_json_store(const cli_json *json, const cJSON *node, const cli_field *field, void *target);

/// Checks that the values of these keys, where `object` has them, are numbers in float's range.
bool cli_json_expect_numbers(const cli_json *json, const cJSON *object, const char *const *keys,
                             size_t count);

#endif
