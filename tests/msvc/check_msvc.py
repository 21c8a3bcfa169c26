#!/usr/bin/env python3
"""Witnesses for a compiler that is not here: Microsoft's.

    check_msvc.py --one-file FOLDER --work FOLDER --clang CLANG --gcc GCC --program FILE,...
                  --hashes FILE

The one file compiles without a warning as clang does it for Windows, with the enums, the sizes and
the names of MSVC, as MSVC and as clang-cl. The headers of C beside this file declare what
Microsoft's have of what Graze uses, and nothing else. No GNU extension is left after the
preprocessor. The same choices of the preprocessor, compiled by gcc, give the golden hashes. An
empty CLANG, or GCC: not tried.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

HEADERS = pathlib.Path(__file__).parent / 'include'
STRICT = ['-std=c11', '-Wall', '-Wextra', '-Wpedantic', '-Wno-unused-function', '-Werror']
WINDOWS = ['--target=x86_64-pc-windows-msvc', '-fms-compatibility', '-Wno-unknown-pragmas']
MSVC = [*WINDOWS, '-U__clang__']

# What clang takes for MSVC without a word, but MSVC does not.
EXTENSION = re.compile(r'__attribute__|__extension__|\b__asm|\basm\b|__typeof|__auto_type|__int128|'
                       r'\[\s*static\b|__builtin_(?!offsetof|va_|ia32_)')

# None of these may pass; otherwise the witness is blind.
REFUSED = ['int f(int a) { return ({ a; }); }',
           'int f(int a) { return a ?: 1; }',
           'int f(int n) { int a[n]; return (int)sizeof a; }',
           'int f(void) { static const int a[] = {[0 ... 3] = 1}; return a[0]; }',
           'int f(__typeof__(1) a) { return a; }',
           'int f(unsigned long long a) { return __builtin_ctzll(a); }',
           'int f(int a[static 2]) { return a[0]; }',
           '__attribute__((noinline)) int f(void) { return 1; }',
           'typedef int f __attribute__((vector_size(16)));',
           'enum e { A = 1 }; _Static_assert((enum e)-1 > 0, "");',
           'enum e { A = 1 }; int f(enum e a, unsigned b) { return a < b; }',
           '#include <stdlib.h>\nvoid *f(void) { return aligned_alloc(64, 64); }',
           '#include <unistd.h>\nint f;',
           '#include <threads.h>\nint f;']


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--one-file', type=pathlib.Path, required=True)
    parser.add_argument('--work', type=pathlib.Path, required=True)
    parser.add_argument('--clang', required=True)
    parser.add_argument('--gcc', required=True)
    parser.add_argument('--program', type=lambda text: text.split(','), required=True)
    parser.add_argument('--hashes', type=pathlib.Path, required=True)
    return parser.parse_args()


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          **options)


def must(*command, **options):
    done = run(*command, **options)
    if done.returncode:
        sys.exit(f'{" ".join(map(str, command))}\n{done.stdout}{done.stderr}')
    return done.stdout


def find_extensions(preprocessed, path):
    """Yields the lines of that file in which an extension is left."""
    is_own = False
    for row in preprocessed.split('\n'):
        marker = re.match(r'# \d+ "(.*?)"', row)
        if marker:
            is_own = marker[1] == str(path)
        elif is_own and EXTENSION.search(row):
            yield row


def check_as_msvc(clang, flags, path):
    """Returns what is wrong with a file, or an empty string."""
    command = [clang, *STRICT, '-Wgnu', '-Wvla', *flags, '-nostdlibinc', '-isystem', HEADERS]
    done = run(*command, '-fsyntax-only', path)
    if done.returncode:
        return done.stdout + done.stderr
    if flags is WINDOWS:  # It is clang: what follows its name in the preprocessor is for it.
        return ''
    return '\n'.join(find_extensions(must(*command, '-E', path), path))


def check_with_clang(options):
    snippet = options.work / 'snippet.c'
    for text in REFUSED:
        snippet.write_text(text + '\n')
        if not check_as_msvc(options.clang, MSVC, snippet):
            sys.exit(f'MSVC would refuse this, but nothing says so:\n{text}')
    for flags in MSVC, WINDOWS:
        fault = check_as_msvc(options.clang, flags, options.one_file / 'graze.c')
        if fault:
            sys.exit(fault)
    game = options.work / 'game.cpp'
    game.write_text('#include "graze.h"\n'
                    'int main() { return graze_world_def_default().substeps == 0; }\n')
    must(options.clang, '-x', 'c++', '-std=c++17', '-Wall', '-Wextra', '-Werror', *MSVC,
         '-nostdlibinc', '-isystem', HEADERS, '-I', options.one_file, '-fsyntax-only', game)


def check_with_gcc(options):
    """As on Windows, but for the processor's own instructions: what stands for them runs, too."""
    own = must(options.gcc, '-print-file-name=include').strip()
    library, program = options.work / 'plain.o', options.work / 'plain'
    must(options.gcc, *STRICT, '-O0', '-ffreestanding', '-nostdinc', '-isystem', HEADERS,
         '-isystem', own, '-U__GNUC__', '-U__linux__', '-U__SSE__', '-U__SSE2__',
         '-ffp-contract=off',
         '-DGRAZE_NO_CONTRACTION', '-DNDEBUG', '-c', options.one_file / 'graze.c', '-o', library)
    must(options.gcc, '-o', program, library, *options.program, '-lm', '-pthread')
    found = must(program.resolve(), '--short', env={**os.environ, 'GRAZE_LANES': 'scalar'})
    if found != options.hashes.read_text():
        sys.exit(f'it prints\n{found}but {options.hashes} has other hashes')


def main():
    options = parse_arguments()
    options.work.mkdir(parents=True, exist_ok=True)
    if options.clang:
        check_with_clang(options)
    if options.gcc:
        check_with_gcc(options)


main()
