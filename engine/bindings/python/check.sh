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

# From the source tree, with the shared library. (tests/dist/check.sh tries a source distribution
# alone, with the one file.)
GRAZE_LIBRARY_DIR=$1 install "$here" "$out/linked"
(cd "$here" && PYTHONPATH="$out/linked" "$python" -m unittest -q test_graze)
echo "python: pictures are in $out/pictures"
