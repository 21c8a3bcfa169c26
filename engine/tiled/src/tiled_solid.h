/// @file tiled_solid.h
/// What of a map is solid: what was asked for by name, or else what names say that are known.
#ifndef GRZ_TILED_SOLID_H
#define GRZ_TILED_SOLID_H

#include "json_reader.h"
#include "tiled_names.h"

#include <graze/tiled.h>

#include <stdbool.h>
#include <stdint.h>

/// The names that were asked for.
typedef struct grz_solid {
    const char *const *names; ///< `count`; none: those that are known by themselves count.
    uint32_t count;
    bool *found; ///< [i]: something has name i.
} grz_solid;

grz_solid grz_solid_init(grz_memory *memory, const graze_tiled_def *def);

/// Returns whether names were asked for.
bool grz_solid_is_asked(const grz_solid *solid);

/// Returns the rank of a name; COLLISION if it was asked for.
grz_rank grz_solid_rank_name(const grz_solid *solid, const char *name);

/// Returns the rank that a node's properties say: COLLISION, NOT or NONE.
grz_rank grz_solid_rank_properties(const grz_solid *solid, const cJSON *node);

/// Returns whether collision shapes of tiles count.
bool grz_solid_takes_shapes(const grz_solid *solid);

/// Returns the class of a node, which some versions call type; "" if it has none.
const char *grz_class_of(const cJSON *node);

#endif
