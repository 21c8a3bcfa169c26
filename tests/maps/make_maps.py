#!/usr/bin/env python3
"""Writes small Tiled maps of every kind: make_maps.py FOLDER.

Each is described once, as Tiled's JSON; from that come a .tmj and a .tmx, whose tile data take
turns with the encodings and compressions. Files of the same stem say the same.
"""

import base64
import copy
import gzip
import json
import os
import struct
import sys
import xml.sax.saxutils as saxutils
import zlib

FLIP_X, FLIP_Y, FLIP_DIAGONAL = 0x80000000, 0x40000000, 0x20000000
LAYER_TAGS = {"tilelayer": "layer", "objectgroup": "objectgroup", "imagelayer": "imagelayer",
              "group": "group"}


def plain_zstd(data):
    """A frame of one block that is not compressed: Python has no zstd."""
    return (b"\x28\xb5\x2f\xfd\x60" + struct.pack("<H", len(data) - 256)
            + (len(data) << 3 | 1).to_bytes(3, "little") + data)


def pack_zstd(data):
    return plain_zstd(data.ljust(256, b"\0")) if len(data) < 256 else plain_zstd(data)


PACK = {"": bytes, "zlib": zlib.compress, "gzip": lambda data: gzip.compress(data, mtime=0),
        "zstd": pack_zstd}
FORMS = [("csv", ""), ("base64", ""), ("base64", "zlib"), ("base64", "gzip"), ("base64", "zstd")]


def encode(gids, encoding, compression):
    if encoding == "csv":
        return gids
    return base64.b64encode(PACK[compression](struct.pack(f"<{len(gids)}I", *gids))).decode()


def with_data(made, encoding, compression):
    """The map with its tile data in another form."""
    made = copy.deepcopy(made)
    layers = list(made["layers"])
    for layer in layers:
        layers += layer.get("layers", [])
        if layer["type"] != "tilelayer":
            continue
        layer["encoding"], layer["compression"] = encoding, compression
        for part in layer.get("chunks", [layer]):
            part["data"] = encode(part["data"], encoding, compression)
    return made


# --- XML ---

def element(tag, attributes, content=""):
    words = [tag] + [f"{key}={saxutils.quoteattr(xml_text(value))}"
                     for key, value in attributes.items() if value is not None]
    head = " ".join(words)
    return f"<{head}>\n{content}</{tag}>\n" if content else f"<{head}/>\n"


def xml_text(value):
    if isinstance(value, bool):
        return "1" if value else "0"
    return f"{value:g}" if isinstance(value, float) else str(value)


def pick(node, *keys):
    return {key: node[key] for key in keys if key in node}


def xml_property(one):
    head = {"name": one["name"], "type": one.get("type", "string"),
            "propertytype": one.get("propertytype")}
    value = one["value"]
    if isinstance(value, dict):
        members = "".join(xml_property({"name": key, "value": value[key],
                                        "type": {bool: "bool", str: "string"}.get(
                                            type(value[key]), "float")}) for key in value)
        return element("property", head, element("properties", {}, members))
    if isinstance(value, bool):
        value = "true" if value else "false"
    if "\n" in str(value):
        return f'<property name="{one["name"]}">{saxutils.escape(value)}</property>\n'
    return element("property", {**head, "value": value})


def xml_properties(node):
    found = node.get("properties", [])
    return element("properties", {}, "".join(map(xml_property, found))) if found else ""


def xml_object(node):
    content = xml_properties(node)
    for key in ("ellipse", "point", "capsule"):
        content += element(key, {}) if node.get(key) else ""
    for key in ("polygon", "polyline"):
        if key in node:
            points = " ".join(f"{one['x']:g},{one['y']:g}" for one in node[key])
            content += element(key, {"points": points})
    if "text" in node:
        content += f'<text wrap="1">{saxutils.escape(node["text"]["text"])}</text>\n'
    return element("object", pick(node, "id", "template", "name", "type", "gid", "x", "y", "width",
                                  "height", "rotation", "visible"), content)


def xml_tile(node):
    content = xml_properties(node)
    if "image" in node:
        content += element("image", {"source": node["image"], "width": node["imagewidth"],
                                     "height": node["imageheight"]})
    if "objectgroup" in node:
        content += element("objectgroup", {"draworder": "index"},
                           "".join(map(xml_object, node["objectgroup"]["objects"])))
    return element("tile", pick(node, "id", "type"), content)


def xml_tileset(node):
    content = xml_properties(node)
    if "tileoffset" in node:
        content += element("tileoffset", node["tileoffset"])
    if "image" in node:
        content += element("image", {"source": node["image"], "width": node["imagewidth"],
                                     "height": node["imageheight"]})
    content += "".join(map(xml_tile, node.get("tiles", [])))
    content += element("wangsets", {}, element("wangset", {"name": "w", "tile": -1}))
    keys = ("firstgid", "source", "name", "tilewidth", "tileheight", "tilecount", "columns",
            "objectalignment")
    return element("tileset", pick(node, *keys), "" if "source" in node else content)


def xml_data(layer):
    head = {"encoding": layer.get("encoding", ""), "compression": layer.get("compression") or None}
    chunks = layer.get("chunks")
    content = ""
    for part in chunks or [layer]:
        data = part["data"]
        text = (",\n".join(",".join(map(str, data[i:i + part["width"]]))
                           for i in range(0, len(data), part["width"]))
                if isinstance(data, list) else f"   {data}\n  ")
        content += (element("chunk", pick(part, "x", "y", "width", "height"), text) if chunks
                    else text + "\n")
    return element("data", head, content)


def xml_layer(node):
    content = xml_properties(node)
    if node["type"] == "tilelayer":
        content += xml_data(node)
    if node["type"] == "imagelayer":
        content += element("image", {"source": node["image"]})
    content += "".join(map(xml_object, node.get("objects", [])))
    content += "".join(map(xml_layer, node.get("layers", [])))
    return element(LAYER_TAGS[node["type"]], pick(node, "id", "name", "class", "width", "height",
                                                  "offsetx", "offsety", "visible"), content)


def xml_map(made):
    content = xml_properties(made) + "".join(map(xml_tileset, made["tilesets"]))
    content += "".join(map(xml_layer, made["layers"]))
    head = pick(made, "version", "tiledversion", "orientation", "renderorder", "width", "height",
                "tilewidth", "tileheight", "infinite")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + element("map", head, content)


# --- The maps ---

def shape(number, x, y, **more):
    return {"id": number, "name": "", "type": "", "x": x, "y": y, "width": 0, "height": 0,
            "rotation": 0, "visible": True, **more}


def points(*pairs):
    return [{"x": x, "y": y} for x, y in pairs]


def flag(name, value=True):
    return {"name": name, "type": "bool", "value": value}


def ground_set(**more):
    tiles = [
        {"id": 1, "objectgroup": {"type": "objectgroup", "objects": [
            shape(1, 0, 16, polygon=points((0, 0), (16, 0), (16, -16)))]}},
        {"id": 2, "objectgroup": {"type": "objectgroup", "objects": [
            shape(1, 2, 4, width=10, height=6), shape(2, 1, 1, width=6, height=3, ellipse=True),
            shape(3, 12, 3, width=5, height=4, rotation=30)]}},
        {"id": 3, "objectgroup": {"type": "objectgroup", "objects": [
            shape(1, 0, 0, width=16, height=16)]}},
        {"id": 4, "objectgroup": {"type": "objectgroup", "objects": [
            shape(1, 16, 2, polyline=points((0, 0), (-9, 1.5), (-16, 0)))]},
         "properties": [flag("one_sided")]},
        {"id": 5, "type": "Grass"},
        {"id": 6, "objectgroup": {"type": "objectgroup", "objects": [shape(1, 3, 3, point=True)]}},
    ]
    return {"firstgid": 1, "name": "ground", "tilewidth": 16, "tileheight": 16, "tilecount": 12,
            "columns": 4, "margin": 0, "spacing": 0, "image": "ground.png", "imagewidth": 64,
            "imageheight": 48, "tiles": tiles, **more}


def tall_set(first):
    """Images of their own sizes, drawn 3 pixels to the right and 5 up."""
    return {"firstgid": first, "name": "tall", "tilewidth": 24, "tileheight": 40, "tilecount": 2,
            "columns": 0, "tileoffset": {"x": 3, "y": -5}, "tiles": [
                {"id": 0, "image": "tree.png", "imagewidth": 24, "imageheight": 40,
                 "objectgroup": {"type": "objectgroup", "objects": [
                     shape(1, 8, 30, width=8, height=10)]}},
                {"id": 7, "image": "rock.png", "imagewidth": 20, "imageheight": 12}]}


def tile_layer(name, width, height, gids, **more):
    return {"id": 1, "type": "tilelayer", "name": name, "x": 0, "y": 0, "width": width,
            "height": height, "opacity": 1, "visible": True, "data": gids, **more}


def object_layer(name, shapes, **more):
    return {"id": 2, "type": "objectgroup", "name": name, "x": 0, "y": 0, "opacity": 1,
            "visible": True, "draworder": "topdown", "objects": shapes, **more}


def tiled_map(layers, tilesets, width=8, height=8, **more):
    return {"type": "map", "version": "1.10", "tiledversion": "1.11.0",
            "orientation": "orthogonal", "renderorder": "right-down", "width": width,
            "height": height, "tilewidth": 16, "tileheight": 16, "infinite": False,
            "tilesets": tilesets, "layers": layers, **more}


def cave(size=8):
    """A ring of rock with a pillar in it, two pillars that touch at a corner, and flipped tiles."""
    gids = [1 if x in (0, size - 1) or y in (0, size - 1) else 0
            for y in range(size) for x in range(size)]
    flips = (0, FLIP_X, FLIP_Y, FLIP_DIAGONAL, FLIP_X | FLIP_Y, FLIP_X | FLIP_DIAGONAL,
             FLIP_Y | FLIP_DIAGONAL, FLIP_X | FLIP_Y | FLIP_DIAGONAL)
    for i, bits in enumerate(flips):
        gids[size + 1 + i % 6 + size * (i // 6)] = 2 + i % 4 | bits
    for x, y in ((3, 4), (4, 5), (2, 5)):
        gids[size * y + x] = 6
    return gids


def every_shape():
    return [shape(1, 10, 20, width=30, height=12),
            shape(2, 60, 20, width=30, height=12, rotation=37),
            shape(3, 10, 60, width=24, height=24, ellipse=True),
            shape(4, 60, 60, width=40, height=10, ellipse=True, rotation=-15),
            shape(5, 10, 90, width=40, height=12, capsule=True),
            shape(6, 60, 90, width=10, height=30, capsule=True, rotation=90),
            shape(7, 5, 5, polygon=points((0, 0), (20, 4), (12, 9.5), (-3, 7))),
            shape(8, 100, 5, polyline=points((0, 0), (-10, 2), (-20.25, -3)), rotation=10),
            shape(9, 50, 50, point=True), shape(10, 3, 3),
            shape(11, 64, 64, width=16, height=16, gid=2),
            shape(12, 80, 64, width=32, height=20, gid=3 | FLIP_X, rotation=45),
            shape(13, 20, 110, width=24, height=40, gid=13),
            shape(14, 90, 40, width=30, height=9, text={"text": "mind the <gap> & \"hole\""})]


def chunked(first_gid_layers):
    return {"type": "tilelayer", "name": "Collision", "x": 0, "y": 0, "width": 32, "height": 16,
            "startx": -16, "starty": 0, "chunks": first_gid_layers}


def describe():
    """Maps by their stems."""
    ground = ground_set()
    sets = [ground, tall_set(13)]
    no_shapes = {**ground, "tiles": []}
    half = [(i * 7919 >> 3) & 1 for i in range(256)]
    yield "cave", tiled_map([tile_layer("Collision", 8, 8, cave())], [ground])
    yield "solid", tiled_map([tile_layer("Walls", 8, 8, [1] * 64)], [no_shapes])
    yield "holes", tiled_map([tile_layer("Solid", 16, 16, half)], [no_shapes], 16, 16)
    yield "tall", tiled_map([tile_layer("Collision", 4, 4, [0, 13, 0, 20, 1, 0, 20 | FLIP_X, 0,
                                                            13 | FLIP_DIAGONAL, 0, 0, 0,
                                                            1, 1, 7, 6])], sets, 4, 4)
    yield "shapes", tiled_map([object_layer("Collision", every_shape())], sets)
    yield "groups", tiled_map(
        [{"type": "group", "id": 9, "name": "World", "offsetx": 4.5, "offsety": -2, "layers": [
            {"type": "group", "id": 10, "name": "Inner", "offsetx": 8, "layers": [
                object_layer("Collision", every_shape()[:8], offsety=3, id=11)]},
            {"type": "imagelayer", "id": 12, "name": "sky", "image": "sky.png", "offsetx": 7},
            tile_layer("Walls", 8, 8, cave(), offsetx=16, offsety=0.5, id=13)]}], [ground])
    yield "infinite", tiled_map(
        [chunked([{"x": -16, "y": 0, "width": 16, "height": 16, "data": half},
                  {"x": 0, "y": 0, "width": 16, "height": 16, "data": half[::-1]},
                  {"x": 160, "y": -320, "width": 16, "height": 16, "data": [6] * 256}])],
        [ground], 32, 16, infinite=True)
    typed = [flag("hard"), flag("soft", False), {"name": "hp", "type": "int", "value": 7},
             {"name": "speed", "type": "float", "value": 2.5},
             {"name": "tint", "type": "color", "value": "#ff336699"},
             {"name": "file", "type": "file", "value": "a/b.png"},
             {"name": "who", "type": "class", "propertytype": "Who",
              "value": {"alive": True, "name": "Bo", "place": {"x": 1.5}}}]
    note = {"name": "note", "type": "string", "value": "two\nlines & <more>"}
    box = shape(1, 4, 4, width=8, height=8, name="\u00e9\u2603", properties=typed)
    yield "properties", tiled_map(
        [tile_layer("deco", 2, 2, [1, 0, 0, 1], properties=[note]),
         object_layer("Collision", [box])],
        [no_shapes], 2, 2,
        properties=[{"name": "gravity_y", "type": "float", "value": 300.0}])
    outside = {"firstgid": 1, "source": "sets/ground.tsx"}
    yield "set-xml", tiled_map([tile_layer("Collision", 8, 8, cave())], [outside])
    yield "set-json", tiled_map([tile_layer("Collision", 8, 8, cave())],
                                [{"firstgid": 1, "source": "./sets/../sets/ground.tsj"}])
    yield "set-backslash", tiled_map([tile_layer("Collision", 8, 8, cave())],
                                     [{"firstgid": 1, "source": "sets\\ground.txt"}])
    yield "set-missing", tiled_map([tile_layer("Collision", 8, 8, cave())],
                                   [{"firstgid": 1, "source": "sets/nowhere.tsx"}])
    yield "templates", tiled_map(
        [object_layer("Collision", [
            {"id": 1, "template": "sets/crate.tx", "x": 16, "y": 32},
            {"id": 2, "template": "sets/crate.tj", "x": 48, "y": 32, "width": 20, "rotation": 20,
             "properties": [{"name": "hp", "type": "int", "value": 9}]},
            {"id": 3, "template": "sets/ramp.tx", "x": 64, "y": 64, "name": "mine"},
            {"id": 4, "template": "sets/ramp.tj", "x": 80, "y": 96}])],
        [{**no_shapes, "firstgid": 1}, {"firstgid": 40, "source": "sets/ground.tsx"}])


def write(folder, name, content, encoding="utf-8"):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode(encoding))


def write_sets(folder):
    ground = ground_set()
    del ground["firstgid"]
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    write(folder, "sets/ground.tsx", head + xml_tileset(ground))
    write(folder, "sets/ground.txt", head + xml_tileset(ground))
    write(folder, "sets/ground.tsj", json.dumps({"type": "tileset", **ground}))
    crate = shape(0, 0, 0, width=16, height=16, gid=3, name="crate", type="Box",
                  properties=[{"name": "hp", "type": "int", "value": 5}, flag("wood")])
    ramp = shape(0, 0, 0, name="ramp", polygon=points((0, 0), (32, 0), (32, -16)))
    outside = {"firstgid": 1, "source": "ground.tsx"}
    for name, one, sets in (("crate", crate, outside), ("ramp", ramp, None)):
        entry = xml_tileset(sets) if sets else ""
        kept = {key: value for key, value in one.items() if key not in ("x", "y", "id")}
        write(folder, f"sets/{name}.tx", head + element("template", {}, entry + xml_object(kept)))
        write(folder, f"sets/{name}.tj", json.dumps(
            {"type": "template", "object": kept, **({"tileset": sets} if sets else {})}))


def write_odd(folder):
    """Forms that are rare, or old; each says what cave says."""
    made = tiled_map([tile_layer("Collision", 8, 8, cave())], [ground_set()])
    text = xml_map(with_data(made, "csv", ""))
    write(folder, "cave.bom.tmx", b"\xef\xbb\xbf" + text.encode())
    write(folder, "cave.blanks.tmx", "\n \t" + text)
    write(folder, "cave.crlf.tmx", text.replace("\n", "\r\n"))
    write(folder, "cave.utf16.tmx", text.replace("UTF-8", "UTF-16"), "utf-16")
    write(folder, "cave.latin.tmx", text.replace("UTF-8", "ISO-8859-1"), "latin-1")
    write(folder, "cave.doctype.tmx", text.replace(
        "<map", '<!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">\n<map', 1))
    write(folder, "cave.xml", text)
    cells = "".join(f'<tile gid="{gid}"/>' if gid else "<tile/>" for gid in cave())
    data = text[text.index("<data"):text.index("</data>")]
    write(folder, "cave.cells.tmx", text.replace(data, f"<data>{cells}"))
    write(folder, "cave.json", b"\xef\xbb\xbf" + json.dumps(made, indent=1).encode())
    old = copy.deepcopy(made)
    tiles = old["tilesets"][0].pop("tiles")
    old["tilesets"][0]["tileproperties"] = {"4": {"one_sided": True}}
    old["tilesets"][0]["tiles"] = {
        str(one.pop("id")): {key: value for key, value in one.items() if key != "properties"}
        for one in tiles}
    write(folder, "cave.old.json", json.dumps(old))


def main():
    folder = sys.argv[1]
    write_sets(folder)
    write_odd(folder)
    for i, (stem, made) in enumerate(describe()):
        for k, (encoding, compression) in enumerate(FORMS if stem in ("cave", "infinite")
                                                    else [FORMS[i % len(FORMS)]]):
            # A frame of zstd is filled up to 256 bytes here, so small layers would be too long.
            if compression == "zstd" and any(len(one.get("data", [])) * 4 < 256
                                             for one in made["layers"]):
                encoding, compression = "base64", ""
            form = with_data(made, encoding, compression)
            write(folder, f"{stem}.{k}.tmj", json.dumps(form))
            write(folder, f"{stem}.{k}.tmx", xml_map(form))


if __name__ == "__main__":
    main()
