/// @file tiled_names.h
/// Names that authors of games give to what is solid. tiled.md lists them.
#ifndef GRZ_TILED_NAMES_H
#define GRZ_TILED_NAMES_H

#include <stdbool.h>

/// How surely a name means that something is solid.
typedef enum grz_rank {
    GRZ_RANK_NONE,
    GRZ_RANK_WHOLE,     ///< "World", "Level": what there is, if nothing else is named.
    GRZ_RANK_FLOOR,     ///< "Ground", "Floor": to stand on, or seen from above.
    GRZ_RANK_GROUND,    ///< "Terrain", "Land": the same, but it may be everywhere.
    GRZ_RANK_PLATFORM,  ///< "Platforms", "Blocks".
    GRZ_RANK_WALL,      ///< "Walls", "Obstacles".
    GRZ_RANK_COLLISION, ///< "Collision", "Solid": it says so.
    GRZ_RANK_NOT        ///< "No Collision", "Wall shadows": it says the contrary.
} grz_rank;

/// Returns the rank of a layer's, a class's or an object's name. Case, accents and separators do
/// not matter, nor do numbers and words such as "layer".
grz_rank grz_name_rank(const char *name);

/// Returns whether a property of this name says that something is solid, if it is true.
bool grz_name_is_solid_property(const char *name);

/// Returns whether a property of this name says that something is solid, if it is false:
/// "walkable".
bool grz_name_is_open_property(const char *name);

/// Returns whether a property of this name says what kind of tile it is of, in a text.
bool grz_name_is_kind_property(const char *name);

/// Returns whether a name says that something is only to be seen: "background", "deco".
bool grz_name_is_scenery(const char *name);

/// Returns whether an object of this name is something of the game's own: "player spawn".
bool grz_name_is_thing(const char *name);

#endif
