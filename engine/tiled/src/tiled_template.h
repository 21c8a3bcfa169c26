/// @file tiled_template.h
/// Objects from templates become objects like others.
#ifndef GRZ_TILED_TEMPLATE_H
#define GRZ_TILED_TEMPLATE_H

#include "tiled_files.h"

#include <stdbool.h>

/// Gives every object of a map's layers that is made from a template (.tx, .tj) what it has not of
/// its own: name, class, size, shape, properties, tile. The tree is changed. Where the template
/// cannot be opened, the object stays as it is.
bool grz_templates_resolve(grz_files *files, const grz_json *map);

#endif
