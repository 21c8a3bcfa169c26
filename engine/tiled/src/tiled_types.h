/// @file tiled_types.h
/// The types of values in a Tiled map or tileset.
#ifndef GRZ_TILED_TYPES_H
#define GRZ_TILED_TYPES_H

#include "json_reader.h"

/// Checks that values below `node` are of the types that Tiled writes, so that readers need not
/// tell one of a wrong type from one that is not there.
bool grz_tiled_check_types(const grz_json *json, const cJSON *node);

#endif
