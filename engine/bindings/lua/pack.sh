#!/bin/sh
# Puts the module together, ready to be copied into a game: pack.sh FOLDER
set -eu
here=$(dirname "$(readlink -f "$0")")
mkdir -p "$1"
cp "$here/graze.lua" "$here/README.md" "$1/"
"$here/../../api/make_cdef.py" >"$1/graze.cdef"
