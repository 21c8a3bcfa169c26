/// @file xml_names.h
/// Which elements and attributes of Tiled's XML are read, and what the JSON calls them.
#ifndef GRZ_XML_NAMES_H
#define GRZ_XML_NAMES_H

#include <stddef.h>

typedef enum grz_xml_kind {
    GRZ_XML_FILE, ///< Around the root.
    GRZ_XML_MAP,
    GRZ_XML_TILESET,
    GRZ_XML_TEMPLATE,
    GRZ_XML_TILE_LAYER,
    GRZ_XML_OBJECT_LAYER,
    GRZ_XML_IMAGE_LAYER,
    GRZ_XML_GROUP,
    GRZ_XML_SHAPES, ///< The object layer of a tile: its collision shapes.
    GRZ_XML_DATA,
    GRZ_XML_CHUNK,
    GRZ_XML_CELL, ///< A tile of a layer.
    GRZ_XML_OBJECT,
    GRZ_XML_FLAG, ///< What an object is: an ellipse, a point, a capsule.
    GRZ_XML_POINTS,
    GRZ_XML_TEXT,
    GRZ_XML_PROPERTIES,
    GRZ_XML_PROPERTY,
    GRZ_XML_MEMBERS, ///< The properties in a property whose value is a class.
    GRZ_XML_ITEM,    ///< Of a property whose value is a list.
    GRZ_XML_TILE,    ///< A tile of a tileset.
    GRZ_XML_OFFSET,
    GRZ_XML_IMAGE
} grz_xml_kind;

/// Where an element's values go.
typedef enum grz_xml_home {
    GRZ_XML_IN_PARENT, ///< To the node of the element around it.
    GRZ_XML_AS_MEMBER, ///< To a new object, which is the parent's `key`.
    GRZ_XML_IN_LIST,   ///< To a new object, which is appended to the parent's list `key`.
    GRZ_XML_AS_LIST,   ///< To the parent's list `key`.
    GRZ_XML_AS_ROOT
} grz_xml_home;

typedef struct grz_xml_element {
    const char *name;
    unsigned parents; ///< A bit for each kind of element that it may be in.
    grz_xml_kind kind;
    grz_xml_home home;
    const char *key;
    const char *type; ///< What the JSON's "type" is; null: it has none.
} grz_xml_element;

typedef enum grz_xml_type { GRZ_XML_STRING, GRZ_XML_NUMBER, GRZ_XML_BOOL } grz_xml_type;

typedef struct grz_xml_attribute {
    const char *name;
    grz_xml_type type;
    unsigned kinds; ///< A bit for each kind of element that it is read of; 0: all.
} grz_xml_attribute;

/// Returns the element that a name means inside of another; null: none that is read.
const grz_xml_element *grz_xml_find_element(const char *name, grz_xml_kind parent);

/// Returns the attribute that a name means; null: none that is read.
const grz_xml_attribute *grz_xml_find_attribute(const char *name, grz_xml_kind kind);

#endif
