/// @file json_fault.h
/// Finds what cJSON accepts although it is no JSON, or can mean two things.
#ifndef CLI_JSON_FAULT_H
#define CLI_JSON_FAULT_H

#include <cjson/cJSON.h>

/// Returns the place of the first fault in a text that cJSON has read, null if there is none: a
/// number in a form that JSON does not have, such as 01, 1. or -.5; a control character, or a text
/// with one; a text with \u and no code behind it, or with \u0000, where cJSON ends it.
const char *cli_json_find_fault(const char *text);

/// Returns a value below `root` whose key stands twice in the same object, null if there is none:
/// JSON leaves it open which of the two counts. Costs n log n for an object of n keys.
const cJSON *cli_json_find_twin(const cJSON *root);

#endif
