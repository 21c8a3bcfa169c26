/// @file tiled_types.h
/// The types of values in a Tiled map or tileset.
#ifndef CLI_TILED_TYPES_H
#define CLI_TILED_TYPES_H

#include "json_reader.h"

/// Checks that values below `node` are of the types that Tiled writes, so that readers need not
/// tell one of a wrong type from one that is not there.
bool cli_tiled_check_types(const cli_json *json, const cJSON *node);

#endif
