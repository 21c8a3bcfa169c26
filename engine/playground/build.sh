#!/bin/sh
# Makes the page of the library as one file (./dev amalgamate makes that): build.sh OUTPUT.html
set -eu

output=$1
folder=$(cd "$(dirname "$0")" && pwd)
build=$folder/../../build

# What there is without a page, or without WebAssembly, is left out.
set --
for source in "$folder"/play*.c; do
    case $source in
    */play_main.c | */play_threads.c) ;;
    *) set -- "$@" "$source" ;;
    esac
done

# Objects know nothing of the playground's headers, so they are made anew.
mkdir -p "$build/play"
rm -f "$build"/dist/wasm-*/play*.o
link="$folder/../dist/wasm.sh"
"$link" scalar "$build/play/scalar.wasm" "$folder/exports.txt" "$@" &
scalar=$!
"$link" simd128 "$build/play/simd128.wasm" "$folder/exports.txt" "$@"
wait $scalar
"$folder/build_page.py" "$folder/page" "$build/play/scalar.wasm" "$build/play/simd128.wasm" "$output"
