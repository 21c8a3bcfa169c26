#!/bin/sh
# Makes the page of the library as one file (./dev amalgamate makes that): build.sh OUTPUT.html
set -eu

output=$1
folder=$(cd "$(dirname "$0")" && pwd)
build=$folder/../../build
mkdir -p "$build/play"

# Its objects know nothing of its headers, so they are made anew.
rm -f "$build"/dist/wasm-*/play*.o
for lanes in scalar simd128; do
    set -- "$folder"/play*.c
    for source in "$@"; do
        shift
        case $source in
        */play_main.c | */play_threads.c) ;; # Without a page; without WebAssembly.
        *) set -- "$@" "$source" ;;
        esac
    done
    "$folder/../dist/wasm.sh" $lanes "$build/play/playground-$lanes.wasm" "$folder/exports.txt" "$@"
done
"$folder/build_page.py" "$folder/page" "$build/play/playground-scalar.wasm" \
    "$build/play/playground-simd128.wasm" "$output"
