#!/bin/sh
# Tries what a release consists of, each in a clean folder, as a person does who has nothing else:
#
#   check.sh RELEASE WORK
#
# RELEASE is the folder that engine/dist/dist.sh fills. WORK is made anew.
set -eu
release=$(cd "$1" && pwd)
sources=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$2"
mkdir -p "$2"
work=$(cd "$2" && pwd)

# enter NAME: says what is tried, and goes to a new folder.
enter() {
    echo "-- $1"
    mkdir "$work/$1"
    cd "$work/$1"
}

# only PATTERN: prints the one file of the release that matches.
only() {
    set -- "$release"/$1
    [ $# -eq 1 ] && [ -f "$1" ] || { echo "not one file: $*" >&2 && exit 1; }
    echo "$1"
}

# prints_hit COMMAND...: the game of the README prints what the README says.
prints_hit() {
    said=$("$@")
    [ "$said" = 'hit at 8, 0.8' ] || { echo "$* says '$said'" >&2 && exit 1; }
}

# The first game of the README.
readme_game() {
    awk '/^```c$/ { on = 1; next } /^```$/ && on { exit } on' "$sources/README.md"
}

(cd "$release" && sha256sum --quiet --check SHA256SUMS)

# The library, installed from the sources, and a game that is compiled with it.
enter sources
tar -xzf "$(only 'graze-[0-9]*.tar.gz')" --strip-components=1
cmake --preset library -G Ninja >cmake.log
cmake --build --preset library >>cmake.log
cmake --install build-library --prefix installed >>cmake.log
readme_game >game.c
export PKG_CONFIG_PATH="$PWD/installed/lib/pkgconfig"
# shellcheck disable=SC2046 # A list of words.
cc -std=c11 game.c $(pkg-config --cflags --libs graze) -o game
prints_hit ./game
# shellcheck disable=SC2046
cc -std=c11 engine/examples/game_loop.c $(pkg-config --cflags --libs graze) -o loop
./loop

enter one-file
tar -xzf "$(only 'graze-one-file-*.tar.gz')" --strip-components=1
readme_game | sed 's:<graze/graze.h>:"graze.h":' >game.c
cc -O2 game.c graze.c -lm -o game
prints_hit ./game

# The scene that all bindings play: the same hashes as in C.
bindings=$sources/engine/bindings

enter npm
npm install --silent --offline --no-package-lock "$(only 'graze-physics-*.tgz')"
cp "$bindings/js/test/scene.mjs" "$bindings/js/test/bundled.mjs" .
node bundled.mjs | diff "$bindings/hashes.txt" -

enter python
package=$(only 'graze-physics-*.tar.gz')
CFLAGS=-O0 /usr/bin/python3 -m pip install -q --root-user-action=ignore \
    --disable-pip-version-check --no-build-isolation --no-index --no-deps --target . "$package"
tar -xzf "$package" --strip-components=1 --wildcards '*/test_graze.py' '*/native/hashes.txt'
/usr/bin/python3 -m unittest -q test_graze.Scene.test_hashes_are_those_of_c

# (A browser plays the page afterwards.)
cp "$(only 'graze-playground-*.html')" "$work/page.html"
