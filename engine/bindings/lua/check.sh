#!/bin/sh
# Tests the module: check.sh FOLDER, where libgraze.so is. What it makes goes to FOLDER/lua.
set -eu
here=$(dirname "$(readlink -f "$0")")
out=$1/lua
rm -rf "$out"
"$here/pack.sh" "$out"
GRAZE_LIBRARY="$1/libgraze.so" luajit "$here/test.lua" "$out" "$here/../hashes.txt"

# In LÖVE, with the library beside the game: the example, and the README's program.
if ! command -v love >/dev/null || ! command -v xvfb-run >/dev/null; then
    echo 'lua: skipped LÖVE, there is none here, or no Xvfb'
    exit
fi
mkdir "$out/game"
cp "$out/graze.lua" "$out/graze.cdef" "$1/libgraze.so" "$out/game/"
cp "$here/main.lua" "$out/game/example.lua"
sed -n '/^```lua$/,/^```$/{/^```/!p}' "$here/README.md" >"$out/game/readme.lua"
cp "$here/test_love.lua" "$out/game/main.lua"
echo "function love.conf(t) t.identity, t.window.vsync, t.modules.audio = 'game', 0, false end" \
    >"$out/game/conf.lua"
XDG_DATA_HOME="$out" SDL_AUDIODRIVER=dummy xvfb-run -a -s '-screen 0 800x600x24' \
    timeout -k 10 120 love "$out/game" example.lua readme.lua
echo "lua: pictures are in $out/love/game"
