"""Builds the package `graze`, with graze.c inside, or against a libgraze: see graze_build.py."""

import pathlib
import shutil
import sys

import setuptools
from setuptools.command.sdist import sdist

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import graze_build  # noqa: E402 (found by the line above)


class SelfContained(sdist):
    """A source distribution needs nothing of the tree that it was made in."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        graze_build.prepare()
        shutil.copytree(graze_build.NATIVE, pathlib.Path(base_dir) / 'native')


setuptools.setup(
    name='graze-physics',
    version=graze_build.read_api()['version'],
    description='The physics step for 2D games full of moving things and bullets',
    long_description=(graze_build.HERE / 'README.md').read_text(encoding='utf-8'),
    long_description_content_type='text/markdown',
    license='MIT',
    packages=['graze'],
    package_dir={'': 'src'},
    cffi_modules=['graze_build.py:ffibuilder'],
    cmdclass={'sdist': SelfContained},
    options={'build': {'build_base': str(graze_build.BUILD)},
             'egg_info': {'egg_base': str(graze_build.BUILD)}} if graze_build.IN_TREE else {},
    python_requires='>=3.8',
    install_requires=['cffi>=1.15', 'numpy>=1.20'],
    zip_safe=False,
)
