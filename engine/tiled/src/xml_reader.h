/// @file xml_reader.h
/// Reads Tiled's files in XML (.tmx, .tsx, .tx) as the tree that its JSON would give: the same
/// keys, types and lists. So whatever reads the tree reads both forms.
///
/// Limits     200 levels; 4 MiB for an attribute or a text; 4 million values besides tile data. No
///            document type with declarations of its own: so entities cannot be defined, and no
///            other file is ever opened.
/// Encodings  UTF-8, UTF-16, ISO-8859-1 and ASCII; a byte order mark and blanks before the XML are
///            skipped.
/// Source     "TMX Map Format", the Tiled manual (T. Lindeijer and contributors), up to 1.12.
#ifndef GRZ_XML_READER_H
#define GRZ_XML_READER_H

#include "json_reader.h"

#include <stdbool.h>
#include <stddef.h>

/// Returns whether a text is XML, by its first bytes.
bool grz_xml_is(const char *text, size_t size);

/// Parses a text whose root is a map, a tileset or a template. json->path, error and memory are
/// set. Errors have the line and the column, of which the first is 1.
bool grz_xml_parse(grz_json *json, const char *text, size_t size);

#endif
