#!/bin/sh
# Builds graze_golden for every compiler and machine that can be had here, runs it, and compares
# what it prints with hashes.txt. From the root of the project; ./dev hash calls it.
#
#   tests/golden/matrix.sh FOLDER [ROW...]    all rows, or these; what is built goes into FOLDER
#
# The table on stdout has a line for each row: same, DIFFERS (and the first scene that does), BROKEN
# (it does not compile or run; FOLDER/ROW.log says why), or skipped (and which tool is missing). Ends
# with 1 unless all rows that could be run are the same, and there is one.
set -eu

golden=tests/golden
folder=$1
shift

# --- the rows: name, tools, how it is compiled, how it is run ---

wasi='clang --target=wasm32-wasi --sysroot=/usr -fuse-ld=lld'
emscripten='emcc -sALLOW_MEMORY_GROWTH=1 -sENVIRONMENT=node'
mingw=x86_64-w64-mingw32-gcc
aarch64='aarch64-linux-gnu-gcc'
run_wasi="node --no-warnings --experimental-wasi-unstable-preview1 $golden/run_wasi.mjs @"
run_script='node --no-warnings --no-experimental-fetch @.js'

# Prints them all, or the one called $1. `@` stands for the file that is made and run.
rows() {
    while IFS='|' read -r name tools compile run; do
        case ${1-$name} in "$name") echo "$name|$tools|$compile|$run" ;; esac
    done <<END_OF_ROWS
gcc-O0|gcc|gcc -O0|@
gcc-O1|gcc|gcc -O1|@
gcc-O2|gcc|gcc -O2|@
gcc-O3|gcc|gcc -O3|@
gcc-O3-native|gcc|gcc -O3 -march=native|@
clang-O0|clang|clang -O0|@
clang-O1|clang|clang -O1|@
clang-O2|clang|clang -O2|@
clang-O3|clang|clang -O3|@
clang-O3-native|clang|clang -O3 -march=native|@
i686-O0|i686-linux-gnu-gcc|i686-linux-gnu-gcc -static -msse2 -mfpmath=sse -O0|@
i686-O3|i686-linux-gnu-gcc|i686-linux-gnu-gcc -static -msse2 -mfpmath=sse -O3|@
aarch64-O0|$aarch64 qemu-aarch64|$aarch64 -static -O0|qemu-aarch64 @
aarch64-O3|$aarch64 qemu-aarch64|$aarch64 -static -O3|qemu-aarch64 @
aarch64-clang-O3|clang $aarch64 qemu-aarch64|clang --target=aarch64-linux-gnu -static -O3|qemu-aarch64 @
s390x-O3|s390x-linux-gnu-gcc qemu-s390x|s390x-linux-gnu-gcc -static -fexcess-precision=fast -O3|qemu-s390x @
wasi-O0|clang wasm-ld-14 node|$wasi -O0|$run_wasi
wasi-O3|clang wasm-ld-14 node|$wasi -O3|$run_wasi
wasi-O3-simd128|clang wasm-ld-14 node|$wasi -O3 -msimd128|$run_wasi
emscripten-O3|emcc node|$emscripten -O3|$run_script
emscripten-O3-simd128|emcc node|$emscripten -O3 -msimd128|$run_script
windows-O0|$mingw wine64|$mingw -static -O0|wine64 @.exe
windows-O3|$mingw wine64|$mingw -static -O3|wine64 @.exe
END_OF_ROWS
}

# --- one row ---

flags() {
    echo -std=c11 -ffp-contract=off -w -isystem "$folder/include" -Itests/support -I$golden
    for part in engine/base narrowphase broadphase engine; do
        echo -I$part/include -I$part/src
    done
}

sources() {
    echo engine/base/src/*.c narrowphase/src/*.c broadphase/src/*.c engine/src/*.c
    echo $golden/*.c tests/support/random.c tests/support/scenes.c
}

find_missing_tool() {
    for tool in "$@"; do
        command -v "$tool" >/dev/null || { echo "$tool" && return; }
    done
}

# Where emscripten and node of one distribution do not know each other: its optimizer's parser.
# Wine keeps its settings, and what it has to say, out of the way.
prepare_tools() {
    export NODE_PATH="${NODE_PATH:-/usr/share/nodejs}"
    export WINEPREFIX="$PWD/$folder/wine" WINEDEBUG=-all
    PATH=$PATH:/usr/lib/wine
}

# What is run last must be the compiler's own name for a file: .js and .exe come from the runner.
make_and_run() {
    made=$folder/$1
    case $3 in *'@.js'*) target=$made.js ;; *'@.exe'*) target=$made.exe ;; *) target=$made ;; esac
    # shellcheck disable=SC2046,SC2086 # Lists of words.
    $2 $(flags) $(sources) -lm -o "$target" || return 1
    run_words=$(echo "$3" | sed "s|@|$made|")
    # shellcheck disable=SC2086
    $run_words >"$made.raw" || return 1
    tr -d '\r' <"$made.raw" >"$made.out"
}

# The bytes of snapshots have the machine's order.
expected_of() {
    case $1 in
    s390x*) sed 's/ [^ ]*$/ -/' "$golden/hashes.txt" ;;
    *) cat "$golden/hashes.txt" ;;
    esac
}

first_difference() {
    expected_of "$1" | diff - "$folder/$1.out" | sed -n 's/^> //p' | head -n 1
}

# Writes what became of a row to its .result: one word, then why.
do_row() {
    IFS='|' read -r name tools compile run <<END_OF_ROW
$(rows "$1")
END_OF_ROW
    prepare_tools
    started=$(date +%s)
    # shellcheck disable=SC2086
    missing=$(find_missing_tool $tools)
    if [ -n "$missing" ]; then
        result="skipped there is no $missing"
    elif ! make_and_run "$name" "$compile" "$run" >"$folder/$name.log" 2>&1; then
        result="BROKEN see $folder/$name.log"
    elif expected_of "$name" | cmp -s - "$folder/$name.out"; then
        result="same after $(($(date +%s) - started)) s"
    else
        result="DIFFERS first in $(first_difference "$name")"
    fi
    echo "$result" >"$folder/$name.result"
    echo "$name: $result" >&2
}

# --- all of them ---

# The folder that holds stb/stb_ds.h alone: a cross compiler must not see the rest of /usr/include.
make_stb_folder() {
    mkdir -p "$folder/include/stb"
    for include in ${STB_INCLUDE_DIR-} /usr/include /usr/local/include; do
        if [ -f "$include/stb/stb_ds.h" ]; then
            cp "$include/stb/stb_ds.h" "$folder/include/stb/"
            return
        fi
    done
    echo 'matrix.sh: there is no stb/stb_ds.h (libstb-dev); STB_INCLUDE_DIR can say where' >&2
    exit 1
}

print_table() {
    printf '%-22s %-8s %-28s %s\n' row result '' how
    for name in "$@"; do
        how=$(rows "$name" | cut -d '|' -f 3)
        runner=$(rows "$name" | cut -d '|' -f 4 | sed 's|[ @].*||')
        read -r result why <"$folder/$name.result"
        printf '%-22s %-8s %-28s %s\n' "$name" "$result" "$why" "$how${runner:+, run by $runner}"
    done
}

check_results() {
    results=$(for name in "$@"; do cut -d ' ' -f 1 "$folder/$name.result"; done)
    echo "$results" | grep -q '^same$' && ! echo "$results" | grep -q '^DIFFERS$\|^BROKEN$'
}

if [ "${1-}" = --row ]; then
    do_row "$2"
    exit
fi
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(rows | cut -d '|' -f 1)
for name in "$@"; do
    [ -n "$(rows "$name")" ] || { echo "matrix.sh: no row is called $name" >&2 && exit 1; }
done
make_stb_folder
printf '%s\n' "$@" | xargs -n 1 -P "$(nproc 2>/dev/null || echo 1)" "$0" "$folder" --row
cat $golden/hashes.txt
print_table "$@"
check_results "$@"
