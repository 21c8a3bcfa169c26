"""What cffi compiles: the declarations of api.json, and the library.

What is not Python comes from a folder `native`. A source distribution has it; the source tree makes
it in build/python, with the one file of ./dev amalgamate.

GRAZE_LIBRARY_DIR   A folder with libgraze: link that, wherever it lies later. Without it, the
                    library is compiled from the one file graze.c, and is inside the module.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import cffi

HERE = pathlib.Path(__file__).resolve().parent
ENGINE = HERE.parents[1]
IN_TREE = (ENGINE / 'api/make_cdef.py').exists()
BUILD = ENGINE.parent / 'build/python' if IN_TREE else HERE / 'build'
NATIVE = BUILD / 'native' if IN_TREE else HERE / 'native'
BUILD.mkdir(parents=True, exist_ok=True)
LIBRARY_DIR = os.environ.get('GRAZE_LIBRARY_DIR')

# What the library calls back: see graze/__init__.py.
CALLBACKS = '''
extern "Python" void graze_python_log(graze_status status, const char *message, void *user);
extern "Python" bool graze_python_filter(const graze_world *world, graze_body_id a,
                                         graze_body_id b, graze_segment_id segment, void *user);
extern "Python" void graze_python_parallel(void (*task)(void *context, uint32_t index),
                                           void *context, uint32_t count, void *user);
'''


def read_api():
    path = ENGINE / 'api/api.json' if IN_TREE else NATIVE / 'api.json'
    return json.loads(path.read_text(encoding='utf-8'))


def is_current(one_file):
    modules = [ENGINE / name for name in ('base', 'include', 'src', 'dist')]
    modules += [ENGINE.parent / name for name in ('narrowphase', 'broadphase')]
    made = one_file.stat().st_mtime if one_file.exists() else 0
    return all(path.stat().st_mtime < made for folder in modules for path in folder.rglob('*.*'))


def prepare():
    """Makes `native` in the source tree: declarations, the one file and its header."""
    if not IN_TREE:
        return
    NATIVE.mkdir(parents=True, exist_ok=True)
    dist = ENGINE.parent / 'build/dist'  # Where ./dev amalgamate puts it, too.
    if not is_current(dist / 'graze.c'):
        made = subprocess.run([sys.executable, str(ENGINE / 'dist/amalgamate.py'), str(dist)])
        if made.returncode != 0:
            sys.exit(made.returncode)  # It has said why, in one line.
    for path in ('api/api.json', 'api/make_cdef.py', 'bindings/hashes.txt', '../LICENSE',
                 '../build/dist/graze.c', '../build/dist/graze.h'):
        shutil.copy2(ENGINE / path, NATIVE)


def make_cdef():
    folder = ENGINE / 'api' if IN_TREE else NATIVE
    text = subprocess.run([sys.executable, str(folder / 'make_cdef.py')], check=True,
                          capture_output=True, text=True).stdout
    return text + CALLBACKS


def link_options():
    """The public headers, and where they and the library are."""
    modules = ['include', 'base/include', '../narrowphase/include', '../broadphase/include']
    headers = [f"#include <graze/{header['name']}>" for header in read_api()['headers']]
    return {'depends': [str(ENGINE / 'api/api.json')] if IN_TREE else [],
            'source': '\n'.join(headers) if IN_TREE else '#include "graze.h"',
            'include_dirs': [str(ENGINE / path) for path in modules] if IN_TREE else [str(NATIVE)],
            'libraries': ['graze'], 'library_dirs': [LIBRARY_DIR],
            'runtime_library_dirs': [LIBRARY_DIR]}


def make_builder():
    builder = cffi.FFI()
    builder.cdef(make_cdef())
    flags = [] if os.name == 'nt' else ['-g0']
    if LIBRARY_DIR:
        builder.set_source('graze._graze', extra_compile_args=flags, **link_options())
    else:
        prepare()
        builder.set_source('graze._graze', '#include "graze.c"', include_dirs=[str(NATIVE)],
                           depends=[str(NATIVE / 'graze.c')], extra_compile_args=flags)
    return builder


ffibuilder = make_builder()
