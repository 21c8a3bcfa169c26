#!/usr/bin/env python3
"""Makes one file of the page: build_page.py PAGE_FOLDER SCALAR.wasm SIMD128.wasm OUTPUT.html

The modules of JavaScript become one, in the order of their imports, so names must be unique in
them. The wasm files are gzipped and in base64."""

import base64
import gzip
import pathlib
import re
import sys

IMPORT = re.compile(r"^import \{[^}]*\} from '\./([a-z]+\.js)';\n", re.MULTILINE)
RENAMED = re.compile(r"(\w+) as (\w+)")


def join_modules(folder, name, done):
    """Returns the module's text after that of all that it imports; each module once."""
    if name in done:
        return ""
    done.add(name)
    text = (folder / name).read_text()
    before = "".join(join_modules(folder, other, done) for other in IMPORT.findall(text))
    if any(RENAMED.search(line.group(0)) for line in IMPORT.finditer(text)):
        sys.exit(f"{folder / name}: an import is renamed, which one file cannot have")
    body = IMPORT.sub("", text)
    return before + re.sub(r"^export ", "", body, flags=re.MULTILINE)


def check_names(text):
    names = re.findall(r"^(?:async )?(?:const|let|class|function) (\w+)", text, re.MULTILINE)
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        sys.exit(f"these names are in two modules: {', '.join(twice)}")


def pack(path):
    data = gzip.compress(pathlib.Path(path).read_bytes(), 9, mtime=0)
    return base64.b64encode(data).decode()


def replace_once(text, old, new):
    if text.count(old) != 1:
        sys.exit(f"index.html should have this line once: {old}")
    return text.replace(old, new)


def main():
    folder, scalar, simd128, output = (pathlib.Path(word) for word in sys.argv[1:])
    script = join_modules(folder, "main.js", set())
    check_names(script)
    wasm = "".join(f'<script type="text/plain" id="wasm-{lanes}">{pack(path)}</script>\n'
                   for lanes, path in (("scalar", scalar), ("simd128", simd128)))
    page = (folder / "index.html").read_text()
    page = replace_once(page, '<link rel="stylesheet" href="style.css">',
                        f"<style>\n{(folder / 'style.css').read_text()}</style>")
    page = replace_once(page, '<script type="module" src="main.js"></script>\n',
                        f'{wasm}<script type="module">\n{script}</script>\n')
    output.write_text(page)


main()
