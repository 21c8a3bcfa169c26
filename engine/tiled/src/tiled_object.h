/// @file tiled_object.h
/// An object of a Tiled map: its kind, its outline, its properties.
#ifndef GRZ_TILED_OBJECT_H
#define GRZ_TILED_OBJECT_H

#include "json_fields.h"

#include <graze/shape.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum grz_object_kind {
    GRZ_OBJECT_RECT,
    GRZ_OBJECT_ELLIPSE,
    GRZ_OBJECT_CAPSULE,
    GRZ_OBJECT_POLYGON,
    GRZ_OBJECT_POLYLINE,
    GRZ_OBJECT_POINT, ///< Also a rect or ellipse without any size, as old maps have them.
    GRZ_OBJECT_TILE,
    GRZ_OBJECT_TEXT,
    GRZ_OBJECT_TEMPLATE,
    GRZ_OBJECT_KIND_COUNT
} grz_object_kind;

/// The role of an object or a layer.
typedef enum grz_role {
    GRZ_ROLE_NONE, ///< It does not say.
    GRZ_ROLE_IGNORE,
    GRZ_ROLE_TERRAIN,
    GRZ_ROLE_SENSOR, ///< Terrain that stops nobody.
    GRZ_ROLE_BODY
} grz_role;

/// The nodes where a property is searched: an object, then its tile, if it has one, its layer, and
/// the groups around it.
typedef struct grz_scope {
    const grz_json *json;          ///< The file that the node is in.
    const cJSON *node;             ///< Null: it has no properties.
    const struct grz_scope *outer; ///< Null: none.
} grz_scope;

/// An object's own frame, in pixels; y points down. All finite.
typedef struct grz_frame {
    double x, y, width, height;
    double degrees;          ///< Clockwise on the screen, around (x, y).
    graze_rotation rotation; ///< The same; exact for quarter turns.
} grz_frame;

grz_object_kind grz_tiled_object_kind(const cJSON *object);

/// Returns the gid of a tile object, without the flags that flip it; 0 if it has none.
uint32_t grz_tiled_object_gid(const cJSON *object);

/// Returns whether objects of a kind have an outline: rects, ellipses, polygons, polylines.
bool grz_tiled_has_outline(grz_object_kind kind);

/// Reads x, y, width, height and rotation; absent ones are 0.
bool grz_tiled_read_frame(const grz_json *json, const cJSON *object, grz_frame *frame);

/// Converts a point of the frame, relative to its (x, y), to the layer's coordinates.
graze_vec2d grz_tiled_place(const grz_frame *frame, double x, double y);

/// Appends the outline of a rect, an ellipse, a capsule, a polygon or a polyline to the list
/// `points`, in the layer's coordinates. An ellipse becomes an inscribed polygon of 16 to 1024
/// corners: at most a quarter of a pixel off, up to radii of 50 000. So do the ends of a capsule.
bool grz_tiled_read_outline(const grz_json *json, const cJSON *object, graze_vec2d **points);

/// Returns whether a node itself has a property.
bool grz_tiled_has_property(const cJSON *node, const char *name);

/// Reads `count` properties, each from the nearest scope that has it, into their fields of
/// `target`; absent ones leave it alone. Texts such as "2" or "true", as in maps of old versions,
/// are converted.
bool grz_tiled_read_properties(const grz_scope *scope, const grz_field *fields, size_t count,
                               void *target);

/// Finds the role of the scope's innermost node: by its property `graze`, or by its class.
bool grz_tiled_own_role(const grz_json *json, const cJSON *node, grz_role *role);

#endif
