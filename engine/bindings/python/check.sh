#!/bin/sh
# Tests the package: check.sh FOLDER, where libgraze.so is. What it makes goes to FOLDER/python.
set -eu
here=$(dirname "$(readlink -f "$0")")
out=$1/python
python=/usr/bin/python3 # For which there are cffi and numpy.
rm -rf "$out"
mkdir -p "$out/pictures"
export GRAZE_PICTURES="$out/pictures" PYTHONDONTWRITEBYTECODE=1

# install FROM TO
install() {
    "$python" -m pip install -q --root-user-action=ignore --disable-pip-version-check \
        --no-build-isolation --no-index --no-deps --target "$2" "$1" 2>"$out/pip.log" ||
        { cat "$out/pip.log" >&2 && exit 1; }
}

# From the source tree, with the shared library.
GRAZE_LIBRARY_DIR=$1 install "$here" "$out/linked"
(cd "$here" && PYTHONPATH="$out/linked" "$python" -m unittest -q test_graze)
echo "python: pictures are in $out/pictures"

# From a source distribution alone, with the one file. Unoptimised, it has the same bits.
(cd "$here" && "$python" setup.py -q sdist --dist-dir "$out/dist" >"$out/sdist.log" 2>&1) ||
    { cat "$out/sdist.log" >&2 && exit 1; }
mkdir "$out/clean"
tar -xf "$out"/dist/graze-physics-*.tar.gz -C "$out/clean" --strip-components 1
CFLAGS=-O0 install "$out/clean" "$out/alone"
(cd "$out/clean" && PYTHONPATH="$out/alone" "$python" -m unittest -q \
    test_graze.Scene.test_hashes_are_those_of_c)
