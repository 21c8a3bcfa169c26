#!/usr/bin/env python3
"""Makes api.json from the public headers: all that a binding for another language needs to know.

    engine/api/make_api.py             writes engine/api/api.json
    engine/api/make_api.py --check     fails if that file is not what the headers say

README.md beside this file says what is in api.json. The headers are read as they are written:
declarations of C11 without function-like macros, in the style of this tree. Whatever else turns up
ends the program with the file and the line.
"""

import argparse
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
API = pathlib.Path(__file__).resolve().with_name('api.json')

TOKEN = re.compile(r'''
    (?P<space>[ \t]+|//(?!/)[^\n]*|/\*.*?\*/)
  | (?P<line>\n)
  | (?P<after>///<[^\n]*)
  | (?P<doc>///[^\n]*)
  | (?P<macro>\#(?:[^\n\\]|\\.|\\\n)*)
  | (?P<text>"[^"\n]*")
  | (?P<name>[A-Za-z_]\w*)
  | (?P<number>\d[\w.]*)
  | (?P<mark>\.\.\.|[][(){}*,;=<>|&/+.-])
''', re.VERBOSE | re.DOTALL)

# What is no struct, enum, handle or callback: size and alignment, "pointer" for that of a pointer.
SCALARS = {'bool': 1, 'char': 1, 'int8_t': 1, 'uint8_t': 1, 'int16_t': 2, 'uint16_t': 2, 'int': 4,
           'int32_t': 4, 'uint32_t': 4, 'float': 4, 'int64_t': 8, 'uint64_t': 8, 'double': 8,
           'size_t': 'pointer', 'void': None}
LAYOUTS = {'lp64': 8, 'wasm32': 4}  # Bytes of a pointer.


class Token:
    def __init__(self, kind, text, line):
        self.kind, self.text, self.line = kind, text, line


class Header:
    """The tokens of one header, with its comments where they belong."""

    def __init__(self, path, module):
        self.path, self.module = path, module
        self.tokens = list(self.split(path.read_text()))
        self.place = 0
        self.doc = ''

    def split(self, text):
        place, line = 0, 1
        while place < len(text):
            match = TOKEN.match(text, place)
            if not match:
                sys.exit(f'{self.path}:{line}: cannot read {text[place:place + 20]!r}')
            if match.lastgroup != 'space':
                yield Token(match.lastgroup, match.group(), line)
            line += match.group().count('\n')
            place = match.end()

    def fail(self, what):
        line = self.tokens[min(self.place, len(self.tokens) - 1)].line
        sys.exit(f'{self.path}:{line}: {what}')

    def skip_lines(self):
        while self.place < len(self.tokens) and self.tokens[self.place].kind == 'line':
            self.place += 1

    def peek(self):
        """The next token that is neither a line end nor a comment; comments are lost."""
        place = self.place
        while self.tokens[place].kind in ('line', 'doc', 'after'):
            place += 1
        return self.tokens[place].text

    def take(self, wanted=None):
        while self.tokens[self.place].kind in ('line', 'doc', 'after'):
            self.place += 1
        token = self.tokens[self.place]
        if wanted is not None and token.text != wanted:
            self.fail(f'{wanted!r} expected, not {token.text!r}')
        self.place += 1
        return token.text

    def take_doc(self):
        """The lines of a comment that comes before something: of the last block, if any."""
        lines = []
        while True:
            token = self.tokens[self.place]
            if token.kind == 'doc':
                lines.append(re.sub('^/// ?', '', token.text))
            elif token.kind != 'line' or self.tokens[self.place + 1].kind not in ('line', 'doc'):
                if token.kind != 'line':
                    break
            elif self.tokens[self.place + 1].kind == 'line':
                lines = []
            self.place += 1
        return join(lines)

    def take_after(self):
        """A comment that stands behind something, and goes on in lines of its own."""
        lines = []
        while True:
            place = self.place
            while lines and self.tokens[place].kind == 'line':
                place += 1
            if self.tokens[place].kind != 'after':
                return join(lines)
            lines.append(self.tokens[place].text[4:].strip())
            self.place = place + 1


def join(lines):
    return '\n'.join(line.rstrip() for line in lines).strip()


class Api:
    """All that the headers declare, by kind, in their order."""

    def __init__(self):
        self.headers, self.macros, self.enums, self.handles = [], [], [], []
        self.callbacks, self.structs, self.functions = [], [], []
        self.values = {'UINT32_MAX': 2 ** 32 - 1}

    # --- numbers ---

    def value(self, header, text):
        """The number that an expression of C is, or None where it is none."""
        words = re.findall(r'[A-Za-z_]\w*', text)
        if not text or any(word not in self.values for word in words):
            return None
        try:
            return eval(re.sub(r'(?<!/)/(?!/)', '//', text), {'__builtins__': {}}, self.values)
        except SyntaxError:
            header.fail(f'cannot compute {text!r}')

    def add_macro(self, header, doc):
        text = header.tokens[header.place].text.replace('\\\n', ' ')
        header.place += 1
        text, _, after = text.partition('///<')
        match = re.match(r'#\s*define\s+(\w+)(?!\()\s+(.*)', text, re.DOTALL)
        if not match:
            return
        value = self.value(header, match[2].strip())
        if value is not None:
            self.values[match[1]] = value
            self.macros.append({'name': match[1], 'value': value, 'doc': doc or after.strip(),
                                'header': header.path.name})

    # --- types ---

    @staticmethod
    def take_specifiers(header):
        words = []
        while not words or words[-1] in ('const', 'struct', 'static', 'inline', 'GRAZE_ANONYMOUS'):
            if words and header.peek() == '{':
                break
            words.append(header.take())
        return words

    def take_parameters(self, header):
        header.take('(')
        parameters = []
        while header.peek() != ')':
            words = self.take_specifiers(header)
            if words == ['void'] and header.peek() == ')':
                break
            parameters.append(self.take_declarator(header, ' '.join(words)))
            if header.peek() == ',':
                header.take()
        header.take(')')
        return parameters

    def take_declarator(self, header, base):
        """One name with what is around it: pointers, arrays, parameters."""
        stars = ''
        while header.peek() == '*':
            stars += header.take()
        kind = f'{base} {stars}'.strip()
        if header.peek() == '(':
            header.take('(')
            header.take('*')
            name = header.take()
            header.take(')')
            parameters = self.take_parameters(header)
            types = ', '.join(spell(parameter) for parameter in parameters) or 'void'
            kind += '' if kind.endswith('*') else ' '
            return {'name': name, 'type': f'{kind}(*)({types})',
                    'function': {'result': kind.strip(), 'parameters': parameters}}
        entry = {'name': header.take(), 'type': kind}
        sizes = []
        while header.peek() == '[':
            header.take('[')
            text = ''
            while header.peek() != ']':
                text += header.take()
            header.take(']')
            size = self.value(header, text)
            if size is None:
                header.fail(f'the size {text!r} is not known')
            sizes.append(size)
        if sizes:
            entry['array'] = sizes
        return entry

    # --- declarations ---

    def take_fields(self, header):
        """The fields between braces, with their comments."""
        header.take('{')
        fields = []
        while header.peek() != '}':
            doc = header.take_doc()
            words = [word for word in self.take_specifiers(header) if word != 'GRAZE_ANONYMOUS']
            if header.peek() == '{':
                fields.append({words[0]: self.take_fields(header)})
                header.take(';')
                continue
            entries = [self.take_declarator(header, ' '.join(words))]
            while header.peek() == ',':
                header.take(',')
                entries.append(self.take_declarator(header, ' '.join(words)))
            header.take(';')
            doc = doc or header.take_after()
            for entry in entries:
                entry['doc'] = doc
            fields += entries
        header.take('}')
        return fields

    def take_constants(self, header):
        header.take('{')
        constants, previous = [], -1
        while header.peek() != '}':
            doc = header.take_doc()
            name, value = header.take(), previous + 1
            if header.peek() == '=':
                header.take('=')
                text = ''
                while header.peek() not in (',', '}'):
                    text += header.take()
                value = self.value(header, text)
            if header.peek() == ',':
                header.take(',')
            constants.append({'name': name, 'value': value, 'doc': doc or header.take_after()})
            self.values[name] = previous = value
        header.take('}')
        return constants

    def add_typedef(self, header, doc):
        header.take('typedef')
        if header.peek() == 'enum':
            header.take('enum')
            header.take()
            constants = self.take_constants(header)
            self.enums.append({'name': header.take(), 'doc': doc, 'header': header.path.name,
                               'constants': constants})
        elif header.peek() == 'struct':
            self.add_struct(header, doc)
        else:
            words = self.take_specifiers(header)
            entry = self.take_declarator(header, ' '.join(words))
            self.callbacks.append({'name': entry['name'], 'doc': doc, 'header': header.path.name,
                                   'result': entry['type'],
                                   'parameters': self.take_parameters(header)})
        header.take(';')

    def add_struct(self, header, doc):
        header.take('struct')
        tag = header.take()
        if header.peek() == '{':
            fields = self.take_fields(header)
            self.structs.append({'name': header.take(), 'doc': doc, 'header': header.path.name,
                                 'fields': fields})
        else:
            self.add_handle(header.take(tag), doc, header)

    def add_handle(self, name, doc, header):
        if all(handle['name'] != name for handle in self.handles):
            self.handles.append({'name': name, 'kind': 'pointer', 'doc': doc,
                                 'header': header.path.name})

    def add_function(self, header, doc, blank):
        words = self.take_specifiers(header)
        inline = 'inline' in words
        words = [word for word in words if word not in ('static', 'inline')]
        entry = self.take_declarator(header, ' '.join(words))
        function = {'name': entry['name'], 'doc': doc, 'header': header.path.name,
                    'result': entry['type'], 'parameters': self.take_parameters(header)}
        if inline:
            function['inline'] = True
            self.skip_body(header)
        else:
            header.take(';')
        after = header.take_after()
        if not doc and not blank and self.functions:  # One of several below one comment.
            function['doc'] = after
            last = self.functions[-1]
            function['doc_of'] = last.get('doc_of', last['name'])
        self.functions.append(function)

    @staticmethod
    def skip_body(header):
        depth = 0
        while True:
            mark = header.take()
            depth += (mark == '{') - (mark == '}')
            if depth == 0:
                return

    # --- files ---

    def read(self, path, module):
        header = Header(path, module)
        header.skip_lines()
        doc = re.sub(r'^@file \S+\n', '', header.take_doc())
        self.headers.append({'name': path.name, 'module': module, 'doc': doc})
        while True:
            lines = header.place
            header.skip_lines()
            if header.place == len(header.tokens):
                return
            blank = header.place - lines > 1
            doc = header.take_doc()
            token = header.tokens[header.place]
            if token.kind == 'line':
                continue
            if token.kind == 'macro':
                self.add_macro(header, doc)
            elif token.text == 'extern':
                header.take('extern')
                header.take('"C"')
                header.take('{')
            elif token.text == '}':  # Of extern "C".
                header.take('}')
            elif token.text == 'typedef':
                self.add_typedef(header, doc)
            elif token.text == 'enum':
                header.take('enum')
                self.enums.append({'name': None, 'doc': doc, 'header': path.name,
                                   'constants': self.take_constants(header)})
                header.take(';')
            elif token.text == 'struct':
                header.take('struct')
                self.add_handle(f'struct {header.take()}', doc, header)
                header.take(';')
            else:
                self.add_function(header, doc, blank)


def spell(entry):
    """A parameter's or field's type as C has it without the name."""
    return entry['type'] + ('*' if 'array' in entry and entry['type'].endswith('*') else
                            ' *' if 'array' in entry else '')


# --- sizes ---

class Layout:
    """Sizes and offsets, where everything is aligned to its own size."""

    def __init__(self, api, pointer):
        self.pointer = pointer
        self.enums = {enum['name'] for enum in api.enums}
        self.structs = {struct['name']: struct for struct in api.structs}

    def of_type(self, kind):
        """Size and alignment."""
        if '*' in kind:
            return self.pointer, self.pointer
        kind = kind.replace('const ', '')
        if kind in self.structs:
            return self.of_fields(self.structs[kind]['fields'])[:2]
        size = 4 if kind in self.enums else SCALARS[kind]
        size = self.pointer if size == 'pointer' else size
        return size, size

    def of_field(self, field):
        if 'union' in field or 'struct' in field:
            return self.of_fields(field.get('union') or field['struct'], 'union' in field)[:2]
        size, alignment = self.of_type(field['type'])
        for count in field.get('array', []):
            size *= count
        return size, alignment

    def of_fields(self, fields, is_union=False):
        """Size, alignment, and the offset of each field."""
        end, largest, offsets, size = 0, 1, [], 0
        for field in fields:
            length, alignment = self.of_field(field)
            start = 0 if is_union else -(-end // alignment) * alignment
            offsets.append(start)
            end = start + length
            size, largest = max(size, end), max(largest, alignment)
        return -(-size // largest) * largest, largest, offsets


def add_offsets(fields, layouts, is_union=False, base=None):
    """Writes into each field where it is, from the start of the whole struct."""
    base = base or dict.fromkeys(layouts, 0)
    found = {name: layout.of_fields(fields, is_union)[2] for name, layout in layouts.items()}
    for i, field in enumerate(fields):
        place = {name: base[name] + found[name][i] for name in layouts}
        for inner in ('union', 'struct'):
            if inner in field:
                add_offsets(field[inner], layouts, inner == 'union', place)
        if 'name' in field:
            field['offset'] = place


def add_layouts(api):
    layouts = {name: Layout(api, pointer) for name, pointer in LAYOUTS.items()}
    for struct in api.structs:
        struct['size'] = {name: layout.of_fields(struct['fields'])[0]
                          for name, layout in layouts.items()}
        add_offsets(struct['fields'], layouts)


# --- writing ---

def write(value, indent=0):
    """JSON in lines of at most 100 characters, where that is possible."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + indent <= 99 or not isinstance(value, (dict, list)):
        return flat
    gap = '\n' + ' ' * (indent + 1)
    if isinstance(value, list):
        return '[' + gap + (',' + gap).join(write(item, indent + 1) for item in value) + ']'
    items = [f'{json.dumps(key)}: {write(item, indent + 1)}' for key, item in value.items()]
    return '{' + gap + (',' + gap).join(items) + '}'


def find_headers():
    """The public headers of all modules, each after those that it includes."""
    names = re.findall(r'^add_subdirectory\((\S+)\)', (ROOT / 'CMakeLists.txt').read_text(),
                       re.MULTILINE)
    paths = {path.name: (path, pathlib.Path(name).name) for name in names
             for path in sorted((ROOT / name / 'include/graze').glob('*.h'))}
    done = {}

    def visit(name):
        if name in done:
            return
        for other in re.findall(r'#include <graze/(\S+)>', paths[name][0].read_text()):
            visit(other)
        done[name] = paths[name]

    for name in paths:
        visit(name)
    return list(done.values())


def make():
    api = Api()
    for path, module in find_headers():
        api.read(path, module)
    add_layouts(api)
    api.handles += [{'name': struct['name'], 'kind': 'id', 'doc': struct['doc'],
                     'header': struct['header']}
                    for struct in api.structs if struct['name'].endswith('_id')]
    version = '.'.join(str(api.values[f'GRAZE_VERSION_{part}'])
                       for part in ('MAJOR', 'MINOR', 'PATCH'))
    return write({'version': version, 'headers': api.headers, 'macros': api.macros,
                  'enums': api.enums, 'handles': api.handles, 'callbacks': api.callbacks,
                  'structs': api.structs, 'functions': api.functions}) + '\n'


def main():
    parser = argparse.ArgumentParser(description='Makes api.json from the public headers.')
    parser.add_argument('--check', action='store_true', help='fail if api.json is not current')
    options = parser.parse_args()
    text = make()
    if not options.check:
        API.write_text(text)
    elif not API.exists() or API.read_text() != text:
        sys.exit(f'{API} is not what the headers say: run engine/api/make_api.py')


if __name__ == '__main__':
    main()
