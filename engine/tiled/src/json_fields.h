/// @file json_fields.h
/// Objects of JSON whose keys are known: each value is checked, and stored where it goes.
#ifndef GRZ_JSON_FIELDS_H
#define GRZ_JSON_FIELDS_H

#include "json_reader.h"

/// The type of a field: how it is checked and stored.
typedef enum grz_kind {
    GRZ_ELSEWHERE, ///< Known, but read by other code.
    GRZ_BOOL,
    GRZ_FLOAT,
    GRZ_VEC2, ///< An array of two numbers.
    GRZ_INT32,
    GRZ_UINT32,
    GRZ_UINT64,  ///< Below 2^53: JSON's numbers are doubles, exact up to there.
    GRZ_RESPONSE ///< "pass", "stop", "slide", "bounce" or "rigid".
} grz_kind;

/// A key, and where its value goes.
typedef struct grz_field {
    const char *name;
    grz_kind kind;
    size_t offset;      ///< Of the value in the target.
    double least, most; ///< Of GRZ_FLOAT and GRZ_VEC2; both 0: any float. If `least` is the
                        ///< smallest float above 0 the value must be above 0. With bounds, numbers
                        ///< that round to 0 as floats are refused, because 0 may have another
                        ///< meaning, as for a mass or a lifetime. Of GRZ_UINT32 only `most` counts,
                        ///< which is UINT32_MAX if it is 0.
} grz_field;

/// Reads an object: every key must be one of the `count` fields; its value is checked and stored at
/// its offset in `target`. Absent keys leave the target alone.
bool grz_json_read_fields(const grz_json *json, const cJSON *object, const grz_field *fields,
                          size_t count, void *target);

/// The fields of a surface: the target is a graze_surface.
extern const grz_field grz_surface_fields[];
extern const size_t grz_surface_field_count;

/// Checks one value and stores it.
bool grz_json_store(const grz_json *json, const cJSON *node, const grz_field *field, void *target);

/// Checks that the values of these keys, where `object` has them, are numbers in float's range.
bool grz_json_expect_numbers(const grz_json *json, const cJSON *object, const char *const *keys,
                             size_t count);

#endif
