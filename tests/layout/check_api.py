#!/usr/bin/env python3
"""api.json is what the headers say, and the compiler and the library agree with it.

    check_api.py WORK_DIR --compiler CC [--compiler CC...] --nm NM LIBRARY...

Current    make_api.py makes the same file.
Names      Every name of the headers is in it. The libraries define its functions, and no others
           that are public.
Types      Each compiler takes all declarations again, as api.json has them.
Layouts    Sizes and offsets are those of each compiler; with clang, also those of WebAssembly.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'engine/api'))
import make_api  # noqa: E402 (found by the line above)
import make_cdef  # noqa: E402

NOT_FOR_OTHERS = re.compile(r'GRAZE_ANONYMOUS$|GRAZE_\w+_H$')


def check_names(api):
    known = {'graze'}
    for kind in ('macros', 'enums', 'handles', 'callbacks', 'structs', 'functions'):
        known |= {entry['name'] for entry in api[kind]}
    known |= {item['name'] for enum in api['enums'] for item in enum['constants']}
    for path, _ in make_api.find_headers():
        text = re.sub(r'//[^\n]*', '', path.read_text())
        for name in re.findall(r'\bgraze_\w+|\bGRAZE_\w+', text):
            if name not in known and not NOT_FOR_OTHERS.match(name):
                sys.exit(f'{path.name} has {name}, which is not in api.json')


def check_exports(api, nm, libraries):
    table = '-D' if libraries[0].endswith('.so') else '-g'
    text = subprocess.run([nm, table, *libraries], check=True, capture_output=True,
                          text=True).stdout
    exported = set(re.findall(r' T _?(graze_\w+)$', text, re.MULTILINE))
    wanted = {function['name'] for function in api['functions'] if 'inline' not in function}
    if exported != wanted:
        sys.exit(f'only in the library: {sorted(exported - wanted)}\n'
                 f'only in api.json: {sorted(wanted - exported)}')


def all_fields(fields):
    for field in fields:
        if 'name' in field:
            yield field
        yield from all_fields(field.get('union') or field.get('struct') or [])


def assert_layout(struct, layout):
    name = struct['name']
    yield f"_Static_assert(sizeof({name}) == {struct['size'][layout]}, \"{name}\");"
    for field in all_fields(struct['fields']):
        yield (f"_Static_assert(offsetof({name}, {field['name']}) == {field['offset'][layout]}, "
               f"\"{name}.{field['name']}\");")


def declare_again(api):
    """Declarations that a compiler refuses unless they are compatible with the headers' own."""
    for function in api['functions']:
        yield make_cdef.declare_function(function, 'static inline ' if 'inline' in function else '')
    for callback in api['callbacks']:
        name = callback['name']
        yield f'extern {name} check_{name};'
        yield 'extern ' + make_cdef.declare_function({**callback, 'name': f'check_{name}'})
    for struct in api['structs']:
        for field in all_fields(struct['fields']):
            name = f"check_{struct['name']}_{field['name']}"
            yield f"extern __typeof__((({struct['name']} *)0)->{field['name']}) {name};"
            yield f"extern {make_cdef.declare({**field, 'name': name})};"
    items = api['macros'] + [item for enum in api['enums'] for item in enum['constants']]
    for item in items:
        name, value = item['name'], item['value']
        yield f'extern char check_{name}[{name} == {value} ? 1 : -1];'


def check_compiler(api, work, layout, command):
    lines = [f"#include <graze/{header['name']}>" for header in api['headers']]
    lines += ['#include <stddef.h>', *declare_again(api)]
    for struct in api['structs']:
        lines += assert_layout(struct, layout)
    source = work / f'{layout}.c'
    source.write_text('\n'.join(lines) + '\n')
    folders = sorted({path.parent.parent for path, _ in make_api.find_headers()})
    result = subprocess.run([*command, '-std=c11', '-fsyntax-only',
                             *(f'-I{folder}' for folder in folders), str(source)],
                            capture_output=True, text=True)
    if result.returncode:
        sys.exit(f'{" ".join(command)} takes api.json ({layout}) for wrong:\n{result.stderr}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('work', type=pathlib.Path)
    parser.add_argument('--compiler', action='append', required=True)
    parser.add_argument('--nm', required=True)
    parser.add_argument('libraries', nargs='+')
    options = parser.parse_args()
    text = make_api.make()
    if make_api.API.read_text() != text:
        sys.exit('api.json is not what the headers say: run engine/api/make_api.py')
    api = json.loads(text)
    check_names(api)
    check_exports(api, options.nm, options.libraries)
    options.work.mkdir(parents=True, exist_ok=True)
    for compiler in options.compiler:
        check_compiler(api, options.work, 'lp64', [compiler])
        if 'clang' in pathlib.Path(compiler).name:
            check_compiler(api, options.work, 'wasm32',
                           [compiler, '--target=wasm32', '-ffreestanding'])


if __name__ == '__main__':
    main()
