#!/usr/bin/env python3
"""Makes the library one file: graze.c, with graze.h beside it. A game types cc -O2 -c graze.c.

The text is that of the sources, comments included, in this order:

Public headers   They all are graze.h, each after those that it includes.
Head             one_file_head.c: what a compiler must be like, and contraction switched off.
Private headers  Each once, before all sources. Includes of what is in the file go away; those of
                 the system stay. What headers declare becomes static: an object file has only
                 functions graze_... (and tables grz_...).
Sources          One after the other. A name that a source keeps for itself, and that another file
                 has too, gets the name of the source behind it. Macros of a source end with it.
Lanes            Sources that include lanes_begin.h compile the same headers for one set of lanes
                 each: see lanes.h. These headers are the last part of the file, one #if for each
                 module. graze.c includes itself for each such source, and then is that part alone.
                 All names in it are macros, which add the name of the source; so members of shared
                 structures have other names. lanes_begin.h sets the compiler's target, as always.

Files can be moved. Modules are what the main CMakeLists.txt names; of a module's folders, include
and those that its own CMakeLists.txt names are read. The script relies on what tests/layout checks,
that names of files are unique, and on prefixes: grz_ and graze_ are names that all files share.
Which names a file has it sees in what the preprocessor makes of it, where headers of the system are
empty. So any machine makes the same file.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+(?:"([^"]+)"|<([^>]+)>).*\n', re.MULTILINE)
DEFINE = re.compile(r'^[ \t]*#[ \t]*define[ \t]+(\w+)', re.MULTILINE)
FEATURE = re.compile(r'^#[ \t]*define[ \t]+(_\w+_SOURCE)(.*)\n', re.MULTILINE)
SET = re.compile(r'^(?:#if (.*)\n)?#define GRZ_LANES (\w+)$', re.MULTILINE)
LANES_OPENER, LANES_CLOSER = 'lanes_begin.h', 'lanes_end.h'

# What a machine has that chooses a set of lanes, for the preprocessor: see lanes.h.
MACHINES = {'x86': ['-D__SSE2__'], 'aarch64': ['-D__aarch64__', '-D__ARM_NEON'],
            'wasm': ['-D__wasm__', '-D__wasm_simd128__'], 'other': []}

# One set of lanes of one module.
RUN = '''#if {condition}
#define GRZ_LANES {lanes}
#define GRZ_MODULE {part}
#define GRZ_IN_MODULE(name) name##_in_{stem}
#include "graze.c"
#undef GRZ_IN_MODULE
#undef GRZ_MODULE
#undef GRZ_LANES
#endif

'''


class Sources:
    """All files of the library, by name: names are unique in the tree."""

    def __init__(self):
        names = re.findall(r'^add_subdirectory\((\S+)\)', (ROOT / 'CMakeLists.txt').read_text(),
                           re.MULTILINE)
        modules = [ROOT / name for name in names if (ROOT / name / 'include').is_dir()]
        folders = [folder for module in modules for folder in self.folders_of(module)]
        files = [path for folder in folders for path in sorted(folder.rglob('*.[ch]'))]
        self.paths = {path.name: path for path in files}
        self.folders = sorted({str(path.parent) for path in files} | set(map(str, folders)))
        self.texts = {name: path.read_text() for name, path in self.paths.items()}
        self.public = {name for name, path in self.paths.items() if 'include' in path.parts}
        self.includes = {name: self.includes_of(text) for name, text in self.texts.items()}

    @staticmethod
    def folders_of(module):
        """The folders of a module that are compiled: include, and what its CMakeLists.txt names."""
        words = re.findall(r'\w+', (module / 'CMakeLists.txt').read_text())
        return [path for path in sorted(module.iterdir()) if path.is_dir() and
                path.name in {'include', *words} and not (path / 'CMakeLists.txt').exists()]

    def includes_of(self, text):
        names = [pathlib.Path(own or system).name for own, system in INCLUDE.findall(text)]
        return [name for name in names if name in self.paths]

    def below(self, names, skipped=(), order=None):
        """The headers that these files include, and what they include, each after its own."""
        order = {} if order is None else order
        for other in (other for name in names for other in self.includes[name]):
            if other not in order and other not in skipped:
                self.below([other], skipped, order)
                order[other] = True
        return list(order)


# --- names ---

Declaration = collections.namedtuple('Declaration', 'file line names function static')
ATTRIBUTE = re.compile(r'__attribute__ \( (?:\( (?:[^()]|\([^()]*(?:\([^()]*\)[^()]*)*\))*\) )\) ')
TOKEN = re.compile(r'^# (\d+) "([^"]*)".*$|^#pragma.*|\n|[A-Za-z_]\w*|"(?:\\.|[^"\\])*"|'
                   r"'(?:\\.|[^'\\])*'|[^\s\w]|\w+", re.MULTILINE)


def declarations(text):
    """The declarations at file scope of text that the preprocessor printed."""
    file, line, tokens, first, depth, head_ends = '', 0, [], None, 0, None
    for match in TOKEN.finditer(text):
        token = match.group()
        if match.group(1):
            line, file = int(match.group(1)) - 1, pathlib.Path(match.group(2)).name
            continue
        if token == '\n' or token.startswith('#pragma'):
            line += token == '\n'
            continue
        if not tokens:
            first, head_ends = (file, line), None
        tokens.append(token)
        if token in '({[':
            if depth == 0 and token == '{' and head_ends is None:
                head_ends = tokens[-2] if len(tokens) > 1 else ''
            depth += 1
        elif token in ')}]':
            depth -= 1
        body = depth == 0 and token == '}' and head_ends == ')'
        if body or depth == 0 and token == ';':
            if tokens[0] != '_Static_assert':
                yield describe(*first, tokens)
            tokens = []


def describe(file, line, tokens):
    """The names that one declaration makes known."""
    names, outside, level, in_enum = [], [], 0, 0
    for i, token in enumerate(tokens):
        if token == '{':
            level += 1
            if 'enum' in tokens[max(0, i - 2):i]:
                in_enum = level
        if not level:
            outside.append(token)
            if token in ('struct', 'union', 'enum') and tokens[i + 2] == '{':
                names.append(tokens[i + 1])
        elif level == in_enum and tokens[i - 1] in '{,' and token.isidentifier():
            names.append(token)
        if token == '}':
            level -= 1
            in_enum = 0
    plain = ATTRIBUTE.sub('', ' '.join(outside) + ' ').split('=')[0]
    pointer = re.search(r'\( \* (?:const )?(\w+)', plain)
    called = re.search(r'(\w+) \(', plain)
    last = re.search(r'(\w+) (?:\[.*)?;? ?$', plain)
    found = pointer or called or last
    if found and found.group(1) != 'enum':
        names.append(found.group(1))
    return Declaration(file, line, names, bool(called and not pointer and 'typedef' not in plain),
                       'static' in outside)


class Preprocessor:
    """Preprocesses sources with headers of the system that are empty."""

    def __init__(self, sources, compiler, scratch):
        for text in sources.texts.values():
            for header in (system for _, system in INCLUDE.findall(text) if system):
                path = pathlib.Path(scratch) / header
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch()
        self.command = [compiler, '-E', '-undef', '-nostdinc', '-D__GNUC__=12', '-D__STDC__=1',
                        '-D__x86_64__', '-D__STDC_VERSION__=201112L']
        self.command += [f'-I{folder}' for folder in [*sources.folders, scratch]]

    def read(self, source, machine):
        """The declarations in a source, and in what it includes."""
        done = subprocess.run(self.command + MACHINES[machine] + [str(source)],
                              capture_output=True, text=True)
        if done.returncode:
            sys.exit(f'amalgamate: {self.command[0]} cannot preprocess {source}\n{done.stderr}')
        return list(declarations(done.stdout))


# --- text ---

def substitute(text, names, suffix):
    """Adds the suffix to names, but not in comments and strings, nor to members."""
    pattern = re.compile(r'//.*|"(?:\\.|[^"\\\n])*"|(?<![\w.])(?<!->)(' +
                         '|'.join(sorted(names)) + r')\b')
    return pattern.sub(lambda match: match.group() + (suffix if match.group(1) else ''), text)


def is_private(name):
    return not name.startswith(('grz_', 'graze_'))


def title(name):
    return f'\n// --- {name} ---\n\n'


class OneFile:
    def __init__(self, sources, preprocessor):
        self.sources = sources
        self.lane_sources = [name for name, has in sources.includes.items() if LANES_OPENER in has]
        self.plain_sources = [name for name in sources.paths
                              if name.endswith('.c') and name not in self.lane_sources]
        self.lane_headers = [name for name in sources.below(self.lane_sources)
                             if name not in sources.below(self.plain_sources)]
        # What headers of lanes include beside each other.
        plain = sources.below(self.plain_sources + self.lane_headers, self.lane_headers)
        self.headers = [name for name in plain if name not in sources.public]
        self.public = sources.below(sorted(sources.public) + self.headers, self.headers)
        self.public += sorted(sources.public - set(self.public))
        self.find_names(preprocessor)

    def find_names(self, preprocessor):
        """Sets the names that sources keep for themselves, those that several files have, the
        lines of headers where functions are declared, and the names in headers of lanes."""
        paths, owners = self.sources.paths, collections.defaultdict(set)
        self.own, self.prototypes = collections.defaultdict(set), collections.defaultdict(set)
        self.lane_names = set()
        for source in self.plain_sources:
            for found in preprocessor.read(paths[source], 'x86'):
                for name in found.names:
                    owners[name].add(found.file)
                if found.file == source and (found.static or not found.function):
                    self.own[source].update(filter(is_private, found.names))
                if found.file in self.headers and found.function and not found.static:
                    self.prototypes[found.file].add(found.line)
        self.clashing = {name for name, files in owners.items() if len(files) > 1}
        for machine in MACHINES:
            for source in self.lane_sources:
                for found in preprocessor.read(paths[source], machine):
                    if found.file in self.lane_headers:
                        self.lane_names.update(filter(is_private, found.names))

    def without_includes(self, text):
        """Leaves out includes of what is in the file already."""
        def replace(match):
            name = pathlib.Path(match.group(1) or match.group(2)).name
            if name in self.sources.paths:
                return ''
            return match.group()
        return re.sub(r'\n{3,}', '\n\n', INCLUDE.sub(replace, text))

    def header(self, name):
        lines = self.sources.texts[name].splitlines(keepends=True)
        for line in self.prototypes[name]:
            lines[line - 1] = 'static ' + lines[line - 1]
        return title(name) + self.without_includes(''.join(lines))

    def source(self, name):
        text = self.sources.texts[name]
        macros = sorted(set(DEFINE.findall(text)) - {macro for macro, _ in FEATURE.findall(text)})
        text = substitute(text, self.own[name] & self.clashing, '_' + name[:-len('.c')])
        undefined = ''.join(f'#undef {macro}\n' for macro in macros)
        return title(name) + self.without_includes(text) + undefined

    def features(self):
        """What C libraries must be told before any header."""
        found = {line for name in self.plain_sources
                 for line in FEATURE.findall(self.sources.texts[name])}
        return ''.join(f'#ifndef {macro}\n#define {macro}{value}\n#endif\n'
                       for macro, value in sorted(found))

    def sets_of(self, name):
        """The condition under which a source of lanes is more than empty, and its set."""
        found = SET.search(self.sources.texts[name])
        return found.group(1) or '1', found.group(2)

    def expand(self, name, placed):
        """A header with those of lanes that it includes in their places, unless placed before."""
        def replace(match):
            inner = pathlib.Path(match.group(1) or match.group(2)).name
            if inner not in self.lane_headers:
                return match.group()
            return '' if inner in placed else self.expand(inner, placed)
        placed.add(name)
        return title(name) + INCLUDE.sub(replace, self.sources.texts[name])

    def lane_part(self, names):
        """What sources of lanes of one module include, each header once, those that all of them
        have first; under the condition that the set has it."""
        includes, texts = self.sources.includes, []
        placed = set(self.sources.below([LANES_OPENER])) | {LANES_OPENER, LANES_CLOSER}
        direct = dict.fromkeys(header for name in names for header in includes[name]
                               if header in self.lane_headers)
        without = {header: [self.sets_of(name)[1] for name in names
                            if header not in self.sources.below([name])] for header in direct}
        for header in sorted(direct, key=lambda header: len(without[header])):
            if header not in placed:
                text = self.expand(header, placed)
                condition = ' && '.join(f'GRZ_LANES != {lanes}' for lanes in without[header])
                texts.append(f'\n#if {condition}\n{text}\n#endif\n' if condition else text)
        return ''.join(texts)

    def lanes(self):
        modules = collections.defaultdict(list)
        for name in self.lane_sources:
            modules[self.sources.paths[name].parent].append(name)
        runs, parts = '', ''
        for part, names in enumerate(modules.values()):
            parts += f'\n#{"elif" if part else "if"} GRZ_MODULE == {part}\n' + self.lane_part(names)
            for name in names:
                condition, lanes = self.sets_of(name)
                runs += RUN.format(condition=condition, lanes=lanes, part=part, stem=name[:-2])
        text = (self.expand(LANES_OPENER, set()) + parts + '\n#endif // GRZ_MODULE\n' +
                self.expand(LANES_CLOSER, set()))
        macros = ''.join(f'#undef {macro}\n' for macro in sorted(set(DEFINE.findall(text))))
        # A macro that has the name of a function of another set is not that name here.
        text = DEFINE.sub(lambda match: f'#undef {match.group(1)}\n' * (
            match.group(1) in self.lane_names) + match.group(), text)
        names = ''.join(f'#define {n} GRZ_IN_MODULE({n})\n' for n in sorted(self.lane_names))
        return (title('the part below, for each set of lanes') + runs + '\n#else // GRZ_LANES\n\n' +
                names + self.without_includes(text) + macros + '\n#endif // GRZ_LANES\n')

    def whole(self):
        head = pathlib.Path(__file__).with_name('one_file_head.c').read_text()
        return ('\n#ifndef GRZ_LANES // The file includes itself: see the end.\n\n' + head +
                '\n' + self.features() + '\n#include "graze.h"\n' +
                ''.join(map(self.header, self.headers)) +
                ''.join(map(self.source, self.plain_sources)) + self.lanes())


def banner(name, what):
    licence = (ROOT / 'LICENSE').read_text().strip().splitlines()
    lines = [f'{name}: {what}', 'Made from the sources by ./dev amalgamate.', '', *licence]
    return ''.join(f'// {line}'.rstrip() + '\n' for line in lines)


def write_if_changed(path, text):
    """What depends on the file by its time is made again only where the text is another."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description='Makes the library one file.')
    parser.add_argument('output', type=pathlib.Path, help='folder for graze.h and graze.c')
    parser.add_argument('--cc', default='cc', help='a compiler that knows -E: gcc or clang')
    options = parser.parse_args()
    sources = Sources()
    with tempfile.TemporaryDirectory() as scratch:
        one = OneFile(sources, Preprocessor(sources, options.cc, scratch))
    options.output.mkdir(parents=True, exist_ok=True)
    header = banner('graze.h', 'all headers of Graze') + ''.join(map(one.header, one.public))
    whole = banner('graze.c', 'all of Graze. Compile it by cc -O2 -c graze.c') + one.whole()
    write_if_changed(options.output / 'graze.h', header)
    write_if_changed(options.output / 'graze.c', whole)


main()
