#!/bin/sh
# Makes the npm package from build/dist/graze.c (./dev amalgamate makes that) and from api.json: the
# folder build/npm/package, and build/dist/npm/graze-physics-VERSION.tgz, whose name is printed. It
# needs what engine/dist/wasm.sh needs, Node and npm.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
output=$root/build/npm
package=$output/package

rm -rf "$package"
mkdir -p "$package/src" "$root/build/dist/npm"
cp "$here"/src/*.js "$package/src"
cp "$here/README.md" "$root/LICENSE" "$package"
node "$here/generate.mjs" "${GRAZE_API:-$root/engine/api/api.json}" "$output"

for lanes in scalar simd128; do
    wasm=$package/graze.$lanes.wasm
    "$root/engine/dist/wasm.sh" $lanes "$wasm" "$output/exports.txt" "$here/src/graze_js.c" \
        "$output/graze_js_layout.c"
    chmod 644 "$wasm"
    {
        echo "// graze.$lanes.wasm, for those who do not load that."
        printf "export const base64 = '%s';\n" "$(base64 -w 0 "$wasm")"
    } >"$package/src/embedded_$lanes.js"
done

rm -f "$root"/build/dist/npm/graze-physics-*.tgz
cd "$package"
name=$(npm pack --silent --pack-destination "$root/build/dist/npm")
echo "build/dist/npm/$name"
