#!/bin/sh
# Links WebAssembly from the library as one file (./dev amalgamate makes that) and further sources:
#
#   wasm.sh scalar|simd128 OUTPUT.wasm EXPORTS SOURCE.c...
#
# EXPORTS is a file with the name of a function on each line. The result is a reactor: call its
# _initialize first. Of WASI it needs what its imports say, which is the clock where time is asked for.
# Wasm files of both lanes give the same bits. The library is compiled once for each of the two.
set -eu

lanes=$1
output=$2
exports=$3
shift 3
one_file=$(cd "$(dirname "$0")/../.." && pwd)/build/dist
objects=$one_file/wasm-$lanes
case $lanes in
scalar) wide= ;;
simd128) wide=-msimd128 ;;
*)
    echo "wasm.sh: there are scalar and simd128, not '$lanes'" >&2
    exit 1
    ;;
esac

compile="clang --target=wasm32-wasi --sysroot=/usr -O3 $wide -std=c11 -ffp-contract=off -DNDEBUG"
compile="$compile -ffunction-sections -fdata-sections -I$one_file"

# compile_source SOURCE OBJECT
compile_source() {
    [ "$2" -nt "$1" ] && [ "$2" -nt "$one_file/graze.h" ] || $compile -c "$1" -o "$2"
}

mkdir -p "$objects" "$(dirname "$output")"
set -- "$one_file/graze.c" "$@"
for source in "$@"; do
    shift
    object=$objects/$(basename "$source" .c).o
    compile_source "$source" "$object"
    set -- "$@" "$object"
done
while read -r name; do
    set -- "$@" "-Wl,--export=$name"
done <"$exports"
# (Without its sections of features wasm-opt would fail, so not all is stripped.)
$compile -fuse-ld=lld -mexec-model=reactor -Wl,-z,stack-size=131072,--gc-sections,--strip-debug \
    "$@" -o "$output"
