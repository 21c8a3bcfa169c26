#!/bin/sh
# Makes the npm package, installs its tarball into a clean folder, and tests it there: with Node, a
# bundler, the strict check of TypeScript, and Chromium, where there is one. All in build/npm.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
clean=$root/build/npm/clean
tools=$root/build/npm/tools
export npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false
export npm_config_package_lock=false npm_config_loglevel=error

# The one file is made anew where a source is newer than when this was done.
stamp=$root/build/npm/amalgamated
if [ ! -e "$root/build/dist/graze.c" ] || [ ! -e "$stamp" ] ||
    [ -n "$(find "$root/engine" "$root/narrowphase" "$root/broadphase" \
        -name bindings -prune -o -name '*.[ch]' -newer "$stamp" -print)" ]; then
    "$root/dev" amalgamate
    mkdir -p "$root/build/npm"
    touch "$stamp"
fi
tarball=$root/$("$here/build.sh")

rm -rf "$clean"
mkdir -p "$clean" "$tools"
cp "$here"/test/* "$here/README.md" "$clean"
cp "$here"/example/* "$clean"
echo '{ "private": true, "type": "module" }' >"$clean/package.json"
(cd "$clean" && npm install --offline "$tarball" >/dev/null)

cp "$here/test/package.json" "$tools"
(cd "$tools" && npm install --prefer-offline >/dev/null)

cd "$clean"
export GRAZE_ROOT="$root"
# What a bundler makes of the package gives the same hashes.
"$tools/node_modules/.bin/esbuild" bundled.mjs --bundle --splitting --format=esm --minify \
    --out-extension:.js=.mjs --outdir=bundle --log-level=warning
node bundle/bundled.mjs | diff "$root/engine/bindings/hashes.txt" -
# New objects have so much room that none are collected while a test counts what a loop makes.
node --expose-gc --min-semi-space-size=64 --test --test-reporter spec ./*.test.mjs
for module in node16:node16 esnext:bundler; do
    cat >tsconfig.json <<END
{ "files": ["types.mts"],
  "compilerOptions": { "strict": true, "noEmit": true, "target": "es2022", "types": [],
    "lib": ["es2022", "dom"], "module": "${module%:*}", "moduleResolution": "${module#*:}" } }
END
    "$tools/node_modules/.bin/tsc" --project .
done
echo "js: $tarball"
