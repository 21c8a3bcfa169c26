/// @file json_fault.h
/// Finds what cJSON accepts although it is no JSON, or can mean two things.
#ifndef GRZ_JSON_FAULT_H
#define GRZ_JSON_FAULT_H

#include "json_reader.h"

/// Returns the place of the first fault in a text that cJSON has read, null if there is none: a
/// number in a form that JSON does not have, such as 01, 1. or -.5; a control character, or a text
/// with one; a text with \u and no code behind it, or with \u0000, where cJSON ends it.
const char *grz_json_find_fault(const char *text);

/// Returns whether all of a text is JSON, nested less deep than the parser's own limit: if it could
/// not be parsed, it was for want of memory.
bool grz_json_is_whole(const char *text);

/// Returns a value of the file whose key stands twice in the same object, null if there is none:
/// JSON leaves it open which of the two counts. Costs n log n for an object of n keys.
const cJSON *grz_json_find_twin(const grz_json *json);

#endif
