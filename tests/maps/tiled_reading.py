"""Reads maps of the Tiled editor, in XML and in JSON, for the survey.

Written from the Tiled manual alone ("TMX Map Format", "JSON Map Format", "Global Tile IDs"), so
that it can be compared with the reader in C. Plain rather than fast; no input is hostile here.
"""

import base64
import gzip
import json
import os
import shutil
import struct
import subprocess
import xml.etree.ElementTree as ElementTree
import zlib

FLIP_X, FLIP_Y, FLIP_DIAGONAL = 0x80000000, 0x40000000, 0x20000000
GID_MASK = 0x0FFFFFFF
LAYER_KINDS = {"tilelayer": "tiles", "objectgroup": "objects", "imagelayer": "image",
               "group": "group"}
XML_LAYERS = {"layer": "tilelayer", "objectgroup": "objectgroup", "imagelayer": "imagelayer",
              "group": "group"}


class Unreadable(Exception):
    """What is wrong with a file, or missing for it here."""


class Shape:
    """An object: what it is, and where."""

    def __init__(self):
        self.id = 0
        self.name = ""
        self.type = ""
        self.x = self.y = self.width = self.height = self.rotation = 0.0
        self.kind = "rect"
        self.gid = 0
        self.points = []
        self.properties = {}
        self.template = None
        self.said = set()  # Which of these the file says, for templates.


class Tile:
    def __init__(self):
        self.type = ""
        self.properties = {}
        self.shapes = []
        self.width = self.height = None


class Tileset:
    def __init__(self):
        self.first_gid = 1
        self.tile_width = self.tile_height = 0.0
        self.offset = (0.0, 0.0)
        self.alignment = ""
        self.path = None
        self.tiles = {}


class Layer:
    def __init__(self):
        self.kind = "unknown"
        self.name = ""
        self.class_name = ""
        self.parent = None
        self.offset = (0.0, 0.0)
        self.properties = {}
        self.chunks = []
        self.objects = []


class Map:
    def __init__(self):
        self.orientation = "orthogonal"
        self.tile_width = self.tile_height = 16.0
        self.layers = []
        self.tilesets = []


# --- Bytes ---

def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def is_xml(data):
    return (data[:2] in (b"\xff\xfe", b"\xfe\xff")
            or data[:1024].replace(b"\xef\xbb\xbf", b"").lstrip()[:1] == b"<")


def parse_xml(data):
    if data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        data = data.replace(b"\xef\xbb\xbf", b"", 1).lstrip()
    try:
        return ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise Unreadable(str(error)) from error


def parse_json(data):
    try:
        return json.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, ValueError) as error:
        raise Unreadable(str(error)) from error


def unpack_plain_zstd(data):
    """A frame whose blocks are not compressed, or one byte repeated."""
    flags = data[4]
    at = 5 + (0 if flags & 0x20 else 1) + (0, 1, 2, 4)[flags & 3]
    at += (1 if flags & 0x20 else 0, 2, 4, 8)[flags >> 6]
    made, is_last = b"", False
    while not is_last:
        header = int.from_bytes(data[at:at + 3], "little")
        is_last, kind, size = header & 1, header >> 1 & 3, header >> 3
        at += 3
        if kind > 1:
            raise Unreadable("zstd is not installed")
        made += data[at:at + size] if kind == 0 else data[at:at + 1] * size
        at += size if kind == 0 else 1
    return made


def unpack_zstd(data):
    if not shutil.which("zstd"):
        return unpack_plain_zstd(data)
    done = subprocess.run(["zstd", "-d", "-q", "-c"], input=data, capture_output=True, check=False)
    if done.returncode:
        raise Unreadable("damaged zstd data")
    return done.stdout


UNPACK = {"": bytes, "zlib": zlib.decompress, "gzip": gzip.decompress, "zstd": unpack_zstd}


def decode_gids(value, encoding, compression):
    """The gids of a layer's data, or of a chunk's."""
    if isinstance(value, list):
        return value
    if encoding == "csv":
        return [int(word) for word in value.replace(",", " ").split()]
    if encoding != "base64" or compression not in UNPACK:
        raise Unreadable(f"encoding {encoding!r}, compression {compression!r}")
    try:
        data = UNPACK[compression](base64.b64decode("".join(value.split())))
    except (ValueError, zlib.error, OSError, EOFError) as error:
        raise Unreadable(str(error)) from error
    return list(struct.unpack(f"<{len(data) // 4}I", data[:len(data) // 4 * 4]))


def path_beside(path, name):
    return os.path.normpath(os.path.join(os.path.dirname(path), name.replace("\\", "/")))


# --- XML ---

def number(element, key, otherwise=0.0):
    return float(element.get(key, otherwise))


def xml_value(element):
    if element.find("properties") is not None:
        return xml_properties(element)
    text = element.get("value")
    if text is None:
        text = element.text or ""
    kind = element.get("type", "string")
    if kind == "bool":
        return text == "true"
    if kind in ("int", "float", "object"):
        try:
            return float(text)
        except ValueError:
            return text
    return text


def xml_properties(element):
    return {one.get("name", ""): xml_value(one) for one in element.findall("properties/property")}


def xml_points(text):
    return [tuple(float(part) for part in pair.split(",")) for pair in text.split()]


def xml_object(element):
    shape = Shape()
    shape.said = set(element.keys()) | {child.tag for child in element}
    shape.template = element.get("template")
    shape.id = int(element.get("id", 0))
    shape.name = element.get("name", "")
    shape.type = element.get("type") or element.get("class") or ""
    for key in ("x", "y", "width", "height", "rotation"):
        setattr(shape, key, number(element, key))
    shape.gid = int(element.get("gid", 0))
    shape.kind = "tile" if element.get("gid") else "rect"
    for tag in ("ellipse", "point", "capsule", "text"):
        if element.find(tag) is not None:
            shape.kind = tag
    for tag in ("polygon", "polyline"):
        if element.find(tag) is not None:
            shape.kind = tag
            shape.points = xml_points(element.find(tag).get("points", ""))
    shape.properties = xml_properties(element)
    return shape


def xml_tile(element):
    tile = Tile()
    tile.type = element.get("type") or element.get("class") or ""
    tile.properties = xml_properties(element)
    tile.shapes = [xml_object(one) for one in element.findall("objectgroup/object")]
    image = element.find("image")
    for key in ("width", "height"):
        if element.get(key):
            setattr(tile, key, number(element, key))
        elif image is not None and image.get(key):
            setattr(tile, key, number(image, key))
    return tile


def xml_tileset(element):
    made = Tileset()
    made.tile_width, made.tile_height = number(element, "tilewidth"), number(element, "tileheight")
    made.alignment = element.get("objectalignment", "")
    offset = element.find("tileoffset")
    if offset is not None:
        made.offset = (number(offset, "x"), number(offset, "y"))
    made.tiles = {int(one.get("id")): xml_tile(one) for one in element.findall("tile")}
    return made


def xml_gids(element, encoding, compression):
    if not encoding:
        return [int(one.get("gid", 0)) for one in element.findall("tile")]
    return decode_gids(element.text or "", encoding, compression)


def xml_chunks(layer):
    data = layer.find("data")
    if data is None:
        raise Unreadable("a layer without data")
    encoding, compression = data.get("encoding", ""), data.get("compression", "")
    areas = data.findall("chunk")
    for area in areas or [layer]:
        where = [int(area.get(key, 0)) for key in ("x", "y", "width", "height")]
        if not areas:
            where[:2] = (0, 0)
        gids = xml_gids(area if areas else data, encoding, compression)
        yield (*where, gids) if gids else (*where[:2], 0, 0, [])


def xml_layers(parent, parent_index, offset, made):
    for element in parent:
        if element.tag not in XML_LAYERS:
            continue
        layer = Layer()
        layer.kind = LAYER_KINDS[XML_LAYERS[element.tag]]
        layer.name, layer.class_name = element.get("name", ""), element.get("class", "")
        layer.parent = parent_index
        layer.offset = (offset[0] + number(element, "offsetx"),
                        offset[1] + number(element, "offsety"))
        layer.properties = xml_properties(element)
        made.append(layer)
        if layer.kind == "tiles":
            layer.chunks = list(xml_chunks(element))
        layer.objects = [xml_object(one) for one in element.findall("object")]
        if layer.kind == "group":
            xml_layers(element, len(made) - 1, layer.offset, made)


# --- JSON ---

def json_properties(node):
    found = node.get("properties", {})
    if isinstance(found, dict):
        return found
    return {one["name"]: one.get("value") for one in found}


def json_object(node):
    shape = Shape()
    shape.said = set(node)
    shape.template = node.get("template")
    shape.id = int(node.get("id", 0))
    shape.name = node.get("name", "")
    shape.type = node.get("type") or node.get("class") or ""
    for key in ("x", "y", "width", "height", "rotation"):
        setattr(shape, key, float(node.get(key, 0)))
    shape.gid = int(node.get("gid", 0))
    shape.kind = "tile" if "gid" in node else "rect"
    for key in ("ellipse", "point", "capsule", "text"):
        if node.get(key):
            shape.kind = key
    for key in ("polygon", "polyline"):
        if key in node:
            shape.kind = key
            shape.points = [(float(one["x"]), float(one["y"])) for one in node[key]]
    shape.properties = json_properties(node)
    return shape


def json_tile(node):
    tile = Tile()
    tile.type = node.get("type") or node.get("class") or ""
    tile.properties = json_properties(node)
    tile.shapes = [json_object(one) for one in node.get("objectgroup", {}).get("objects", [])]
    tile.width = node.get("width", node.get("imagewidth"))
    tile.height = node.get("height", node.get("imageheight"))
    return tile


def json_tileset(node):
    made = Tileset()
    made.tile_width = float(node.get("tilewidth", 0))
    made.tile_height = float(node.get("tileheight", 0))
    made.alignment = node.get("objectalignment", "")
    offset = node.get("tileoffset", {})
    made.offset = (float(offset.get("x", 0)), float(offset.get("y", 0)))
    tiles = node.get("tiles", [])
    if isinstance(tiles, dict):  # Before Tiled 1.2, by their ids.
        made.tiles = {int(key): json_tile(one) for key, one in tiles.items()}
    else:
        made.tiles = {int(one["id"]): json_tile(one) for one in tiles}
    for key, values in node.get("tileproperties", {}).items():
        made.tiles.setdefault(int(key), Tile()).properties = values
    return made


def json_chunks(node):
    encoding, compression = node.get("encoding", ""), node.get("compression", "")
    if "chunks" in node:
        for one in node["chunks"]:
            yield (one["x"], one["y"], one["width"], one["height"],
                   decode_gids(one["data"], encoding, compression))
    else:
        yield (node.get("x", 0), node.get("y", 0), node["width"], node["height"],
               decode_gids(node["data"], encoding, compression))


def json_layers(nodes, parent_index, offset, made):
    for node in nodes:
        layer = Layer()
        layer.kind = LAYER_KINDS.get(node.get("type"), "unknown")
        layer.name, layer.class_name = node.get("name", ""), node.get("class", "")
        layer.parent = parent_index
        layer.offset = (offset[0] + node.get("offsetx", 0), offset[1] + node.get("offsety", 0))
        layer.properties = json_properties(node)
        made.append(layer)
        if layer.kind == "tiles":
            layer.chunks = list(json_chunks(node))
        layer.objects = [json_object(one) for one in node.get("objects", [])]
        if layer.kind == "group":
            json_layers(node.get("layers", []), len(made) - 1, layer.offset, made)


# --- Files that others name ---

def load_tileset(path):
    data = read_bytes(path)
    return xml_tileset(parse_xml(data)) if is_xml(data) else json_tileset(parse_json(data))


def find_tileset(entry_of, source, first_gid, path):
    if not source:
        made = entry_of()
    else:
        full = path_beside(path, source)
        try:
            made = load_tileset(full)
        except OSError:
            made = Tileset()
        made.path = full
    made.first_gid = first_gid
    return made


def load_template(path):
    """The object, the first gid and the path of its tileset."""
    data = read_bytes(path)
    if is_xml(data):
        root = parse_xml(data)
        entry = root.find("tileset")
        source = None if entry is None else entry.get("source")
        first = 1 if entry is None else int(entry.get("firstgid", 1))
        shape = xml_object(root.find("object"))
    else:
        root = parse_json(data)
        entry = root.get("tileset", {})
        source, first = entry.get("source"), int(entry.get("firstgid", 1))
        shape = json_object(root["object"])
    return shape, first, source and path_beside(path, source)


def fill_in(shape, template, made, path):
    """Gives an object what its template has and it has not."""
    try:
        model, first, set_path = load_template(path_beside(path, template))
    except OSError:
        shape.kind = "unknown"
        return
    for key in ("name", "width", "height", "rotation"):
        if key not in shape.said:
            setattr(shape, key, getattr(model, key))
    if not shape.said & {"type", "class"}:
        shape.type = model.type
    shape.properties = {**model.properties, **shape.properties}
    if not shape.said & {"gid", "ellipse", "point", "capsule", "text", "polygon", "polyline"}:
        shape.kind, shape.points = model.kind, model.points
        sets = [one for one in made.tilesets if one.path == set_path]
        known = sets and model.gid
        shape.gid = model.gid + sets[0].first_gid - first if known else 0


def finish(made, path):
    for layer in made.layers:
        for shape in layer.objects:
            if shape.template:
                fill_in(shape, shape.template, made, path)
            is_empty = not shape.width and not shape.height
            if shape.kind in ("rect", "ellipse", "capsule") and is_empty:
                shape.kind = "point"
    made.tilesets.sort(key=lambda one: one.first_gid)
    return made


def load_xml_map(root, path):
    made = Map()
    if root.tag != "map":
        raise Unreadable(f"<{root.tag}> is no map")
    made.orientation = root.get("orientation", "orthogonal")
    made.tile_width = number(root, "tilewidth", 16)
    made.tile_height = number(root, "tileheight", 16)
    for entry in root.findall("tileset"):
        made.tilesets.append(find_tileset(lambda entry=entry: xml_tileset(entry),
                                          entry.get("source"), int(entry.get("firstgid")), path))
    xml_layers(root, None, (0.0, 0.0), made.layers)
    return finish(made, path)


def load_json_map(root, path):
    made = Map()
    if not isinstance(root, dict) or root.get("type", "map") != "map" or "layers" not in root:
        raise Unreadable("no map")
    made.orientation = root.get("orientation", "orthogonal")
    made.tile_width = float(root.get("tilewidth", 16))
    made.tile_height = float(root.get("tileheight", 16))
    for entry in root.get("tilesets", []):
        made.tilesets.append(find_tileset(lambda entry=entry: json_tileset(entry),
                                          entry.get("source"), int(entry["firstgid"]), path))
    json_layers(root["layers"], None, (0.0, 0.0), made.layers)
    return finish(made, path)


def load_map(path):
    """Reads a map with all that it names. Raises Unreadable."""
    data = read_bytes(path)
    try:
        return (load_xml_map(parse_xml(data), path) if is_xml(data)
                else load_json_map(parse_json(data), path))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, struct.error) as error:
        raise Unreadable(f"{type(error).__name__}: {error}") from error
