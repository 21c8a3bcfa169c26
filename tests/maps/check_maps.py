#!/usr/bin/env python3
"""Tries the program `graze` on maps of every kind: check_maps.py GRAZE FOLDER [--large].

Makes the maps in FOLDER; all must load, get terrain and agree with an independent reading (survey),
and files of one stem must say the same. With --large, also maps that take too much memory
or time unless they are read in a good way, and small files that hold or announce too much.
"""

import base64
import json
import os
import resource
import shutil
import subprocess
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
CPU_SECONDS = 20  # 0.03 to 0.7 on a server of 2022; with a node for each cell, or in the square of
                  # the layers, more than 30.
MEMORY = 320 << 20


def say(graze, path):
    """What a map becomes, but for the names of its files and its notes."""
    done = subprocess.run([graze, "map", path, "--tiles", "--solid", "@shapes", "--solid",
                           "Collision"], capture_output=True, text=True, check=False)
    if done.returncode:
        done = subprocess.run([graze, "map", path, "--tiles"], capture_output=True, text=True,
                              check=True)
    made = json.loads(done.stdout)
    for key in ("file", "files", "notes"):
        del made[key]
    return made


def compare_forms(graze, folder):
    """Counts the files that do not say what the first of their stem says."""
    first, wrong = {}, 0
    for name in sorted(os.listdir(folder)):
        stem = name.split(".")[0]
        if not os.path.isfile(os.path.join(folder, name)) or stem == name:
            continue
        made = say(graze, os.path.join(folder, name))
        if stem == "cave" or "old" not in name:
            said = first.setdefault(stem, made)
        if said != made:
            keys = [key for key in said if said[key] != made[key]]
            print(f"{name} differs from the first {stem} in {', '.join(keys)}")
            wrong += 1
    return wrong


def large_map(width, height, layers):
    head = (f'<map orientation="orthogonal" width="{width}" height="{height}" tilewidth="16" '
            'tileheight="16"><tileset firstgid="1" name="t" tilewidth="16" tileheight="16" '
            'tilecount="9" columns="3"><image source="t.png" width="48" height="48"/></tileset>')
    body = "".join(f'<layer name="{name}" width="{width}" height="{height}"><data {head_of}>{data}'
                   '</data></layer>' for name, head_of, data in layers)
    return f"{head}{body}</map>"


def rows(size):
    """Rows of tiles: a block of eight rows has solid pieces of 40 cells, of 64."""
    solid = [1 + x % 9 if x % 64 < 40 or x in (0, size - 1) else 0 for x in range(size)]
    empty = [1] + [0] * (size - 2) + [1]
    return [solid if y % 64 < 8 or y in (0, size - 1) else empty for y in range(size)]


def write_large(folder):
    made = rows(4096)
    csv = ",\n".join(",".join(map(str, row)) for row in made)
    data = b"".join(b"".join(gid.to_bytes(4, "little") for gid in row) for row in made)
    plain = base64.b64encode(data).decode()
    packed = base64.b64encode(zlib.compress(data, 1)).decode()
    yield "csv.tmx", large_map(4096, 4096, [("Collision", 'encoding="csv"', csv)])
    yield "base64.tmx", large_map(4096, 4096, [("Collision", 'encoding="base64"', plain)])
    yield "zlib.tmx", large_map(4096, 4096, [
        ("Collision", 'encoding="base64" compression="zlib"', packed)])
    yield "numbers.tmj", json.dumps({
        "type": "map", "orientation": "orthogonal", "width": 4096, "height": 4096, "tilewidth": 16,
        "tileheight": 16, "tilesets": [], "layers": [{
            "type": "tilelayer", "name": "Collision", "width": 4096, "height": 4096,
            "data": [gid for row in made for gid in row]}]}, separators=(",", ":"))
    small = ",".join(str(i * 7919 >> 3 & 1) for i in range(10000))
    yield "layers.tmx", large_map(100, 100, [
        (f"deco{i}" if i else "Collision", 'encoding="csv"', small) for i in range(200)])


def write_bombs():
    """Small files that announce, or hold, more than they may: each with what is said."""
    zeros = base64.b64encode(zlib.compress(bytes(1 << 26))).decode()
    head = 'encoding="base64" compression="zlib"'
    yield "holds more tiles than its size, 2 x 2", large_map(2, 2, [("Collision", head, zeros)])
    yield "have more than 134217728 cells", large_map(1 << 15, 1 << 15, [
        ("Collision", head, zeros)])
    entities = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 10))
    yield "<!DOCTYPE> has declarations", (
        f'<!DOCTYPE map [<!ENTITY a0 "lol">{entities}]><map class="&a9;"/>')


def check_bombs(graze, folder):
    wrong = 0
    path = os.path.join(folder, "bomb.tmx")
    for said, text in write_bombs():
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run([graze, "map", path], capture_output=True, text=True, check=False,
                              preexec_fn=set_limits)
        if done.returncode != 2 or said not in done.stderr:
            print(f"status {done.returncode}, not 2 and {said!r}: {done.stderr[:500]}")
            wrong += 1
    return wrong


def set_limits():
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def check_large(graze, folder):
    wrong = 0
    os.makedirs(folder, exist_ok=True)
    for name, text in write_large(folder):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run([graze, "map", path], capture_output=True, text=True, check=False,
                              preexec_fn=set_limits)
        chains = len(json.loads(done.stdout)["chains"]) if done.returncode == 0 else 0
        print(f"{name}: {chains} chains")
        if not chains:
            print(f"{name}: status {done.returncode}: {done.stderr[:500]}")
            wrong += 1
        os.remove(path)
    return wrong


def main():
    graze, folder = sys.argv[1:3]
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, os.path.join(HERE, "make_maps.py"), folder], check=True)
    survey = subprocess.run([sys.executable, os.path.join(HERE, "survey"), "--graze", graze,
                             "--strict", folder], check=False)
    wrong = compare_forms(graze, folder)
    if "--large" in sys.argv:
        wrong += check_large(graze, os.path.join(folder, "large"))
        wrong += check_bombs(graze, os.path.join(folder, "large"))
    return 1 if wrong or survey.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
