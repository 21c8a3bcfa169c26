#include "xml_names.h"

#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define BIT(kind)       (1u << GRZ_XML_##kind)

enum {
    LAYERS_PARENTS = BIT(MAP) | BIT(GROUP),
    OWNERS = BIT(MAP) | BIT(TILESET) | BIT(TILE_LAYER) | BIT(OBJECT_LAYER) | BIT(IMAGE_LAYER) |
             BIT(GROUP) | BIT(SHAPES) | BIT(OBJECT) | BIT(TILE), ///< Of properties.
    VALUES = BIT(PROPERTY) | BIT(ITEM),
    NAMED_BY_TYPE = BIT(OBJECT) | BIT(TILE) | VALUES ///< Others have a "class".
};

static const grz_xml_element elements[] = {
    {"map", BIT(FILE), GRZ_XML_MAP, GRZ_XML_AS_ROOT, NULL, "map"},
    {"tileset", BIT(FILE), GRZ_XML_TILESET, GRZ_XML_AS_ROOT, NULL, "tileset"},
    {"template", BIT(FILE), GRZ_XML_TEMPLATE, GRZ_XML_AS_ROOT, NULL, "template"},
    {"tileset", BIT(MAP), GRZ_XML_TILESET, GRZ_XML_IN_LIST, "tilesets", NULL},
    {"tileset", BIT(TEMPLATE), GRZ_XML_TILESET, GRZ_XML_AS_MEMBER, "tileset", NULL},
    {"layer", LAYERS_PARENTS, GRZ_XML_TILE_LAYER, GRZ_XML_IN_LIST, "layers", "tilelayer"},
    {"objectgroup", LAYERS_PARENTS, GRZ_XML_OBJECT_LAYER, GRZ_XML_IN_LIST, "layers", "objectgroup"},
    {"imagelayer", LAYERS_PARENTS, GRZ_XML_IMAGE_LAYER, GRZ_XML_IN_LIST, "layers", "imagelayer"},
    {"group", LAYERS_PARENTS, GRZ_XML_GROUP, GRZ_XML_IN_LIST, "layers", "group"},
    {"data", BIT(TILE_LAYER), GRZ_XML_DATA, GRZ_XML_IN_PARENT, NULL, NULL},
    {"chunk", BIT(DATA), GRZ_XML_CHUNK, GRZ_XML_IN_LIST, "chunks", NULL},
    {"tile", BIT(DATA) | BIT(CHUNK), GRZ_XML_CELL, GRZ_XML_IN_PARENT, NULL, NULL},
    {"object", BIT(OBJECT_LAYER) | BIT(SHAPES), GRZ_XML_OBJECT, GRZ_XML_IN_LIST, "objects", NULL},
    {"object", BIT(TEMPLATE), GRZ_XML_OBJECT, GRZ_XML_AS_MEMBER, "object", NULL},
    {"ellipse", BIT(OBJECT), GRZ_XML_FLAG, GRZ_XML_IN_PARENT, "ellipse", NULL},
    {"point", BIT(OBJECT), GRZ_XML_FLAG, GRZ_XML_IN_PARENT, "point", NULL},
    {"capsule", BIT(OBJECT), GRZ_XML_FLAG, GRZ_XML_IN_PARENT, "capsule", NULL},
    {"polygon", BIT(OBJECT), GRZ_XML_POINTS, GRZ_XML_AS_LIST, "polygon", NULL},
    {"polyline", BIT(OBJECT), GRZ_XML_POINTS, GRZ_XML_AS_LIST, "polyline", NULL},
    {"text", BIT(OBJECT), GRZ_XML_TEXT, GRZ_XML_AS_MEMBER, "text", NULL},
    {"properties", OWNERS, GRZ_XML_PROPERTIES, GRZ_XML_AS_LIST, "properties", NULL},
    {"property", BIT(PROPERTIES), GRZ_XML_PROPERTY, GRZ_XML_IN_PARENT, NULL, NULL},
    {"properties", VALUES, GRZ_XML_MEMBERS, GRZ_XML_AS_MEMBER, "value", NULL},
    {"property", BIT(MEMBERS), GRZ_XML_PROPERTY, GRZ_XML_IN_PARENT, NULL, NULL},
    {"item", VALUES, GRZ_XML_ITEM, GRZ_XML_IN_LIST, "value", NULL},
    {"tile", BIT(TILESET), GRZ_XML_TILE, GRZ_XML_IN_LIST, "tiles", NULL},
    {"objectgroup", BIT(TILE), GRZ_XML_SHAPES, GRZ_XML_AS_MEMBER, "objectgroup", "objectgroup"},
    {"tileoffset", BIT(TILESET), GRZ_XML_OFFSET, GRZ_XML_AS_MEMBER, "tileoffset", NULL},
    {"image", BIT(TILESET) | BIT(TILE) | BIT(IMAGE_LAYER), GRZ_XML_IMAGE, GRZ_XML_IN_PARENT, NULL,
     NULL},
};

// No name of these is one of the lists and objects above, which a node has besides.
static const grz_xml_attribute attributes[] = {
    {"class", GRZ_XML_STRING, 0},
    {"color", GRZ_XML_STRING, 0},
    {"columns", GRZ_XML_NUMBER, BIT(TILESET)},
    {"compression", GRZ_XML_STRING, BIT(DATA)},
    {"encoding", GRZ_XML_STRING, BIT(DATA)},
    {"firstgid", GRZ_XML_NUMBER, 0},
    {"gid", GRZ_XML_NUMBER, BIT(OBJECT)},
    {"height", GRZ_XML_NUMBER, 0},
    {"id", GRZ_XML_NUMBER, 0},
    {"infinite", GRZ_XML_BOOL, BIT(MAP)},
    {"margin", GRZ_XML_NUMBER, BIT(TILESET)},
    {"name", GRZ_XML_STRING, 0},
    {"objectalignment", GRZ_XML_STRING, 0},
    {"offsetx", GRZ_XML_NUMBER, 0},
    {"offsety", GRZ_XML_NUMBER, 0},
    {"orientation", GRZ_XML_STRING, BIT(MAP)},
    {"propertytype", GRZ_XML_STRING, VALUES},
    {"rotation", GRZ_XML_NUMBER, BIT(OBJECT)},
    {"source", GRZ_XML_STRING, BIT(TILESET)},
    {"spacing", GRZ_XML_NUMBER, BIT(TILESET)},
    {"template", GRZ_XML_STRING, BIT(OBJECT)},
    {"tilecount", GRZ_XML_NUMBER, 0},
    {"tiledversion", GRZ_XML_STRING, 0},
    {"tileheight", GRZ_XML_NUMBER, 0},
    {"tilewidth", GRZ_XML_NUMBER, 0},
    {"type", GRZ_XML_STRING, NAMED_BY_TYPE},
    {"value", GRZ_XML_STRING, VALUES},
    {"version", GRZ_XML_STRING, 0},
    {"visible", GRZ_XML_BOOL, 0},
    {"width", GRZ_XML_NUMBER, 0},
    {"x", GRZ_XML_NUMBER, 0},
    {"y", GRZ_XML_NUMBER, 0},
};

const grz_xml_element *grz_xml_find_element(const char *name, grz_xml_kind parent)
{
    for (size_t i = 0; i < COUNT_OF(elements); ++i) {
        const grz_xml_element *element = &elements[i];
        if ((element->parents >> parent & 1) && strcmp(element->name, name) == 0) {
            return element;
        }
    }
    return NULL;
}

const grz_xml_attribute *grz_xml_find_attribute(const char *name, grz_xml_kind kind)
{
    for (size_t i = 0; i < COUNT_OF(attributes); ++i) {
        const grz_xml_attribute *attribute = &attributes[i];
        if (strcmp(attribute->name, name) == 0) {
            return attribute->kinds == 0 || (attribute->kinds >> kind & 1) ? attribute : NULL;
        }
    }
    return NULL;
}
