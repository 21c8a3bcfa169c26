#!/usr/bin/env python3
"""Makes the C declarations that LuaJIT's ffi and Python's cffi both read, from api.json.

    engine/api/make_cdef.py >graze.cdef

They are those of api.json without comments, without inline functions, and without macros that are
no whole numbers (the others become constants of an enum). Neither needs the headers then.
"""

import json
import pathlib
import sys


def declare(entry):
    """One field, parameter or result as C writes it."""
    if 'union' in entry or 'struct' in entry:
        word = 'union' if 'union' in entry else 'struct'
        return f'{word} {{ ' + ' '.join(declare(field) + ';' for field in entry[word]) + ' }'
    if 'function' in entry:
        return entry['type'].replace('(*)', f"(*{entry['name']})", 1)
    sizes = ''.join(f'[{size}]' for size in entry.get('array', []))
    return join(entry['type'], entry['name']) + sizes


def join(kind, name):
    return f'{kind}{name}' if kind.endswith('*') else f'{kind} {name}'


def declare_function(entry, word=''):
    parameters = ', '.join(declare(parameter) for parameter in entry['parameters']) or 'void'
    return f"{word}{join(entry['result'], entry['name'])}({parameters});"


def declare_enum(enum):
    constants = ', '.join(f"{item['name']} = {item['value']}" for item in enum['constants'])
    if enum['name'] is None:
        return f'enum {{ {constants} }};'
    return f"typedef enum {enum['name']} {{ {constants} }} {enum['name']};"


def types_in(entry):
    """All types that a struct, a callback or a part of one speaks of."""
    types = [entry.get('type', ''), entry.get('result', '')]
    for part in ('fields', 'parameters', 'union', 'struct'):
        for inner in entry.get(part, []):
            types += types_in(inner)
    return types + (types_in(entry['function']) if 'function' in entry else [])


def declare_types(api):
    """Structs and callbacks, each after those that it needs."""
    entries = {entry['name']: entry for entry in api['structs'] + api['callbacks']}
    lines, seen = [], set()

    def visit(name):
        if name in seen:
            return
        seen.add(name)
        entry = entries[name]
        for kind in types_in(entry):
            for word in kind.replace('*', ' ').split():
                if word in entries:
                    visit(word)
        if 'fields' in entry:
            fields = ' '.join(declare(field) + ';' for field in entry['fields'])
            lines.append(f'typedef struct {name} {{ {fields} }} {name};')
        else:
            lines.append(declare_function(entry, 'typedef '))

    for name in entries:
        visit(name)
    return lines


def make(api):
    """The declarations, one a line."""
    lines = []
    for handle in api['handles']:
        name = handle['name']
        if handle['kind'] == 'pointer':
            lines.append(f'{name};' if name.startswith('struct ') else
                         f'typedef struct {name} {name};')
    numbers = [macro for macro in api['macros'] if isinstance(macro['value'], int)]
    lines += [declare_enum(enum) for enum in api['enums'] + [{'name': None, 'constants': numbers}]]
    lines += declare_types(api)
    lines += [declare_function(function) for function in api['functions']
              if 'inline' not in function]
    return '\n'.join(lines) + '\n'


if __name__ == '__main__':
    API = pathlib.Path(__file__).resolve().with_name('api.json')
    sys.stdout.write(make(json.loads(API.read_text())))
