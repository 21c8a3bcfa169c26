#!/usr/bin/env python3
"""Compiles and runs what the guide shows, and compiles the examples in public headers.

    check_guide.py --guide FOLDER --figures FILE --headers FOLDER... --context FILE
                   --work FOLDER --link FILE,... [--write] -- COMPILER FLAG...

A page of the guide is one program: its blocks of C follow each other in one main(), unless they
begin with a name at file scope (static, enum, typedef, struct), which puts them before it. A block
that has a main() of its own is a program by itself. What a block prints is the block of text that
follows it; without one it prints nothing. A block 'c not-compiled' is left out.

Names of the library that a page uses must be declared in a public header, and what a page links to
must be there. Figures in a table are those of bench/README.md.
"""

import argparse
import pathlib
import re
import subprocess
import sys

FENCE = re.compile(r'^```(\S*) *(.*)$')
FILE_SCOPE = re.compile(r'^(static|enum|typedef|struct|extern)\b', re.M)
# What the comments in examples of headers say that comes out.
CLAIMS = {
    'orient': 'side == 1',
    'overlap': '!touches',
    'cross': 'crossing.count == 1 && crossing.points[0].x == 2 && crossing.points[0].y == 2',
    'cast': 'hit.time == 0.4f && hit.point.x == 4 && hit.point.y == 0',
    'sweep': 'sweep.time == 0.5',
}
MARK = '\x1e'  # Before what a block prints comes this, and the number of its line.


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--guide', type=pathlib.Path, required=True)
    parser.add_argument('--figures', type=pathlib.Path, required=True)
    parser.add_argument('--headers', type=pathlib.Path, nargs='+', required=True)
    parser.add_argument('--context', type=pathlib.Path, required=True)
    parser.add_argument('--work', type=pathlib.Path, required=True)
    parser.add_argument('--write', action='store_true',
                        help='write what the blocks print into the pages')
    parser.add_argument('--link', type=lambda text: text.split(','), required=True)
    parser.add_argument('command', nargs='+', help='compiler and flags, after --')
    return parser.parse_args()


class Block:
    """A block of C: its first line's number and text; what it prints, and where that is."""

    def __init__(self, line, text):
        self.line, self.text, self.prints, self.prints_line = line, text, '', 0
        self.is_program = 'int main(' in text
        first = next((row for row in text.split('\n') if row and not row.startswith('//')), '')
        self.is_at_file_scope = bool(FILE_SCOPE.match(first))

    def source(self, page):
        return f'#line {self.line} "{page}"\n{self.text}'


def read_fences(text):
    """Yields (kind, remark, first line's number, text) of each fenced block."""
    rows = text.split('\n')
    at = 0
    while at < len(rows):
        fence = FENCE.match(rows[at])
        at += 1
        if not fence:
            continue
        begin = at
        while rows[at] != '```':
            at += 1
        yield fence[1], fence[2], begin + 1, ''.join(row + '\n' for row in rows[begin:at])
        at += 1


def read_blocks(text):
    blocks, last = [], None
    for kind, remark, line, body in read_fences(text):
        if kind == 'c' and not remark:
            last = Block(line, body)
            blocks.append(last)
        elif kind == 'text' and last:
            last.prints, last.prints_line = body, line
            last = None
        else:
            last = None
    return blocks


def page_program(page, blocks):
    parts = ['#include <graze/graze.h>\n#include <stdio.h>\n#include <stdlib.h>\n']
    parts += [block.source(page) for block in blocks if block.is_at_file_scope]
    parts.append('int main(void)\n{\n')
    for block in blocks:
        if not block.is_at_file_scope:
            parts.append(f'printf("\\036{block.line}\\n");\n{block.source(page)}')
    parts.append('return 0;\n}\n')
    return ''.join(parts)


class Checker:
    def __init__(self, options):
        self.options, self.faults, self.block_count = options, 0, 0
        self.names = set()
        for folder in options.headers:
            for header in folder.glob('graze/*.h'):
                self.names |= set(re.findall(r'\b(?:graze|GRAZE)_\w+', header.read_text()))
        options.work.mkdir(parents=True, exist_ok=True)

    def fault(self, text):
        print(text, file=sys.stderr)
        self.faults += 1

    def compile(self, name, source, *extra):
        path = self.options.work / f'{name}.c'
        path.write_text(source)
        quiet = ['-Wno-unused', '-Wno-unused-parameter'] if name.startswith('header_') else []
        done = subprocess.run([*self.options.command, *quiet, str(path), *extra],
                              capture_output=True, text=True)
        if done.returncode:
            self.fault(done.stdout + done.stderr)
        return done.returncode == 0

    def run(self, page, name, source):
        """Returns what a program prints, or None."""
        program = self.options.work / name
        if not self.compile(name, source, '-o', str(program), *self.options.link):
            return None
        done = subprocess.run([str(program.resolve())], capture_output=True, text=True)
        if done.returncode:
            self.fault(f'{page}: its program ends with {done.returncode}\n{done.stdout}'
                       f'{done.stderr}')
            return None
        return done.stdout

    def compare(self, page, block, printed):
        if printed != block.prints and block.prints_line and self.options.write:
            self.rewritten.append((block.prints_line, block.prints, printed))
        elif printed != block.prints:
            self.fault(f'{page}:{block.line}: the block prints\n{printed}but the page says\n'
                       f'{block.prints}')

    def check_page(self, page):
        text = page.read_text()
        blocks = read_blocks(text)
        self.block_count += len(blocks)
        self.rewritten = []
        for block in blocks:
            if block.is_program:
                printed = self.run(page, f'{page.stem}_{block.line}', block.source(page))
                if printed is not None:
                    self.compare(page, block, printed)
        together = [block for block in blocks if not block.is_program]
        if together:
            printed = self.run(page, page.stem, page_program(page, together))
            if printed is not None:
                self.compare_together(page, together, printed)
        self.rewrite(page, text)
        self.check_names(page, text)
        self.check_links(page, text)
        self.check_figures(page, text)
        for number, row in enumerate(text.split('\n'), 1):
            if len(row) > 100 and not row.startswith('|'):
                self.fault(f'{page}:{number}: more than 100 columns')

    def rewrite(self, page, text):
        rows = text.splitlines(keepends=True)
        for line, old, new in sorted(self.rewritten, reverse=True):
            rows[line - 1 : line - 1 + old.count('\n')] = [new]
        if self.rewritten:
            page.write_text(''.join(rows))

    def compare_together(self, page, blocks, printed):
        parts = dict(part.split('\n', 1) for part in printed.split(MARK)[1:])
        for block in blocks:
            self.compare(page, block, parts.get(str(block.line), ''))

    def check_names(self, page, text):
        for name in sorted(set(re.findall(r'\b(?:graze|GRAZE)_[a-zA-Z_]\w*', text))):
            if name not in self.names and not name.endswith('_'):
                self.fault(f'{page}: no public header has {name}')

    def check_links(self, page, text):
        for link in re.findall(r'\]\(([^)#\s]+)', text):
            if '://' not in link and not (page.parent / link).exists():
                self.fault(f'{page}: {link} is not there')

    def check_figures(self, page, text):
        measured = read_figures(self.options.figures.read_text())
        for row in re.findall(r'^\|.*\| *[0-9.]+ *\|$', text, re.M):
            if not read_figures(row) <= measured:
                self.fault(f'{page}: not a row of {self.options.figures}: {row}')

    def check_header(self, header):
        """Compiles the example with which a header begins; returns whether it has one."""
        example = read_example(header.read_text())
        if not example:
            return False
        line, rows = example
        top, body = split_functions(line, rows)
        claim = CLAIMS.get(header.stem)
        source = (f'#include "{self.options.context.resolve()}"\n#include <graze/{header.name}>\n'
                  + 'graze_vec2 from, to;\ngraze_segment wall;\n'
                  + f'{source_of(header, top)}int main(void)\n{{\n{source_of(header, body)}'
                  + f'return {f"!({claim})" if claim else 0};\n}}\n')
        if claim:
            self.run(header, f'header_{header.stem}', source)
        else:
            self.compile(f'header_{header.stem}', source, '-fsyntax-only')
        return True


def read_figures(text):
    """Returns the first two cells of all rows whose second is a number."""
    return set(re.findall(r'^\| *(.*?) *\| *([0-9.]+) *\|', text, re.M))


def read_example(text):
    """Returns the number of the first line, and the lines of the first indented paragraph."""
    rows = text.split('\n')
    for at, row in enumerate(rows):
        if not row.startswith('///'):
            return None
        if row.startswith('///     ') and row[8] != ' ' and rows[at - 1] == '///':
            end = at
            while rows[end].startswith('///     '):
                end += 1
            return at + 1, [code_of(row[8:]) for row in rows[at:end]]
    return None


def code_of(row):
    """'... code; ...' is code, and '... words ...' is none."""
    place = re.match(r'^( *)\.\.\. (.*?)(?: \.\.\.)?$', row)
    if not place:
        return row
    return place[1] + place[2] if place[2].endswith(';') else ''


def split_functions(line, rows):
    """Returns (line, row) of the functions, and of the rest."""
    top, body, inside = [], [], False
    for number, row in enumerate(rows, line):
        inside = inside or row.startswith('static ')
        (top if inside else body).append((number, row))
        inside = inside and row != '}'
    return top, body


def source_of(header, rows):
    return ''.join(f'#line {number} "{header}"\n{row}\n' for number, row in rows)


def main():
    options = parse_arguments()
    checker = Checker(options)
    pages = sorted(options.guide.glob('*.md'))
    for page in pages:
        checker.check_page(page)
    headers = [header for folder in options.headers for header in sorted(folder.glob('graze/*.h'))]
    examples = sum(checker.check_header(header) for header in headers)
    print(f'{len(pages)} pages with {checker.block_count} blocks, {examples} examples of '
          f'{len(headers)} headers')
    if len(pages) < 8 or checker.block_count < 30 or examples < 24:
        checker.fault('that is too few')
    sys.exit(1 if checker.faults else 0)


main()
