/// @file tiled_properties.h
/// The properties that authors give to maps, layers, objects and tilesets.
#ifndef GRZ_TILED_PROPERTIES_H
#define GRZ_TILED_PROPERTIES_H

#include "json_reader.h"

#include <graze/tiled.h>

#include <stdbool.h>

/// Reads a number that is a whole text, whatever the locale is.
bool grz_number_read(const char *text, double *number);

/// Returns the properties of a node, in the map's memory.
graze_tiled_properties grz_properties_read(const grz_json *json, const cJSON *node);

/// Calls visit(name, value, user) for each property of a node until one returns true; returns
/// whether one did.
typedef bool grz_property_fn(const char *name, const cJSON *value, void *user);
bool grz_properties_visit(const cJSON *node, grz_property_fn *visit, void *user);

#endif
