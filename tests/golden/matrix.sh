#!/bin/sh
# Builds graze_golden for every compiler and machine that can be had here, runs it in several ways,
# and compares what it prints with hashes.txt. From the root of the project; ./dev hash calls it.
#
#   tests/golden/matrix.sh FOLDER [--short] [ROW...]
#
# Does all rows, or these; what is built goes into FOLDER. With --short the scenes take a tenth of
# their steps, and hashes_short.txt says what they come to.
#
# The first row that can be run writes snapshots in the middle of its runs; all other runs load them
# there and go on from them, on a machine of another byte order, too.
#
# The table on stdout has a line for each run; the first of a row says what became of the snapshots:
# it saves or loads them (as the other runs of the row do). Then: same, DIFFERS (and the first scene that does), BROKEN
# (it does not compile or run; FOLDER/ROW.log says why), or skipped (and what is missing). Ends
# with 1 unless all that could be run are the same, and there is one.
set -eu

golden=tests/golden
folder=$1
shift
short=
if [ "${1-}" = --short ]; then
    short=--short
    shift
fi
hashes=$golden/hashes${short:+_short}.txt

# --- the rows: name, tools, how it is compiled, how it is run, and how else ---

# The stack is what world.h says that a call needs, and no more.
wasi='clang --target=wasm32-wasi --sysroot=/usr -fuse-ld=lld -Wl,-z,stack-size=98304'
emscripten='emcc -sALLOW_MEMORY_GROWTH=1 -sENVIRONMENT=node -sNODERAWFS=1'
mingw=x86_64-w64-mingw32-gcc
aarch64='aarch64-linux-gnu-gcc'
run_i686="$golden/run_i686.sh @"
run_wasi="node --no-warnings --experimental-wasi-unstable-preview1 $golden/run_wasi.mjs @"
run_script='node --no-warnings --no-experimental-fetch @.js'
lanes='lanes=scalar lanes=sse2 lanes=avx2 lanes=avx512'
threads='threads=1 threads=2 threads=3 threads=8'

# Prints them all, or the one called $1. `@` stands for the file that is made and run. Each is run
# as it is, and once more for each word at the end.
rows() {
    while IFS='|' read -r name tools compile run ways; do
        case ${1-$name} in "$name") echo "$name|$tools|$compile|$run|$ways" ;; esac
    done <<END_OF_ROWS
gcc-O0|gcc|gcc -O0|@|$lanes threads=2
gcc-O1|gcc|gcc -O1|@|$lanes
gcc-O1-no-inline|gcc|gcc -O1 -fno-inline|@|$lanes
gcc-O2|gcc|gcc -O2|@|$lanes
gcc-O3|gcc|gcc -O3|@|$lanes $threads
gcc-O3-native|gcc|gcc -O3 -march=native|@|$lanes
clang-O0|clang|clang -O0|@|$lanes threads=2
clang-O1|clang|clang -O1|@|$lanes
clang-O2|clang|clang -O2|@|$lanes
clang-O3|clang|clang -O3|@|$lanes $threads
clang-O3-native|clang|clang -O3 -march=native|@|$lanes
i686-O0|i686-linux-gnu-gcc qemu-i386|i686-linux-gnu-gcc -static -msse2 -mfpmath=sse -O0|$run_i686|
i686-O3|i686-linux-gnu-gcc qemu-i386|i686-linux-gnu-gcc -static -msse2 -mfpmath=sse -O3|$run_i686|$lanes threads=3
aarch64-O0|$aarch64 qemu-aarch64|$aarch64 -static -O0|qemu-aarch64 @|lanes=scalar
aarch64-O3|$aarch64 qemu-aarch64|$aarch64 -static -O3|qemu-aarch64 @|lanes=scalar lanes=neon threads=3
aarch64-clang-O3|clang $aarch64 qemu-aarch64|clang --target=aarch64-linux-gnu -static -O3|qemu-aarch64 @|lanes=scalar
arm-O3|arm-linux-gnueabihf-gcc qemu-arm|arm-linux-gnueabihf-gcc -static -O3|qemu-arm @|threads=3
s390x-O3|s390x-linux-gnu-gcc qemu-s390x|s390x-linux-gnu-gcc -static -fexcess-precision=fast -O3|qemu-s390x @|threads=3
wasi-O0|clang wasm-ld-14 node|$wasi -O0|$run_wasi|
wasi-O3|clang wasm-ld-14 node|$wasi -O3|$run_wasi|
wasi-O0-simd128|clang wasm-ld-14 node|$wasi -O0 -msimd128|$run_wasi|
wasi-O3-simd128|clang wasm-ld-14 node|$wasi -O3 -msimd128|$run_wasi|lanes=scalar lanes=simd128
emscripten-O3|emcc node|$emscripten -O3|$run_script|
emscripten-O3-simd128|emcc node|$emscripten -O3 -msimd128|$run_script|
windows-O0|$mingw wine64|$mingw -static -O0|wine64 @.exe|
windows-O3|$mingw wine64|$mingw -static -O3|wine64 @.exe|$lanes threads=3
END_OF_ROWS
}

# --- one row ---

flags() {
    echo -std=c11 -ffp-contract=off -w -Itests/support -Itests/base
    echo -I$golden -Iengine/examples -Inarrowphase/lanes
    for part in engine/base narrowphase broadphase engine; do
        echo -I$part/include -I$part/src
    done
    case $1 in *wasm* | emcc*) ;; *) echo -pthread ;; esac
}

# WebAssembly has no threads here.
sources() {
    echo engine/base/src/*.c narrowphase/src/*.c broadphase/src/*.c engine/src/*.c engine/src/*/*.c
    echo $golden/*.c tests/support/random.c tests/support/scenes.c tests/base/lanes_check*.c
    case $1 in *wasm* | emcc*) ;; *) echo engine/examples/worker_pool.c ;; esac
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

# Wine's server stays for a minute: a program that begins while the server ends does not run.
keep_server() {
    case $1 in wine*) wineserver -p60 >/dev/null 2>&1 || true ;; esac
}

# What is run last must be the compiler's own name for a file: .js and .exe come from the runner.
make_program() {
    case $3 in *'@.js'*) target=$1.js ;; *'@.exe'*) target=$1.exe ;; *) target=$1 ;; esac
    # shellcheck disable=SC2046,SC2086 # Lists of words.
    $2 $(flags "$2") $(sources "$2") -lm -o "$target"
}

first_difference() {
    diff "$hashes" "$1" | sed -n 's/^> //p' | head -n 1
}

# run_program ROW FILE RUN WAY OPTION...: prints what became of it, one word, then why.
run_program() {
    row=$1 made=$2 words=$(echo "$3" | sed "s|@|$2|") way=$4
    shift 4
    lanes=
    case $way in
    lanes=*) lanes=${way#lanes=} ;;
    threads=*) set -- "$@" --threads "${way#threads=}" ;;
    esac
    started=$(date +%s)
    status=0
    # shellcheck disable=SC2086
    GRAZE_LANES=$lanes $words $short "$@" >"$made.raw" 2>>"$folder/$row.log" || status=$?
    tr -d '\r' <"$made.raw" >"$made.out"
    if [ $status -eq 77 ]; then
        sed -n 's/^skipped: /skipped /p' "$made.out"
    elif [ $status -ne 0 ]; then
        echo "BROKEN see $folder/$row.log"
    elif cmp -s "$hashes" "$made.out"; then
        echo "same after $(($(date +%s) - started)) s"
    else
        echo "DIFFERS first in $(first_difference "$made.out")"
    fi
}

# Each operation on lanes by itself.
check_lanes() {
    words=$(echo "$2" | sed "s|@|$1|")
    # shellcheck disable=SC2086
    $words --lanes
}

# Prints the part of row $1 in column $2: name, tools, how it is compiled, how it is run, how else.
part_of() {
    rows "$1" | cut -d '|' -f "$2"
}

# Compiles a row; what became of it goes to its .made: `made`, or what the table says instead.
make_row() {
    compile=$(part_of "$1" 3)
    run=$(part_of "$1" 4)
    # shellcheck disable=SC2046
    missing=$(find_missing_tool $(part_of "$1" 2))
    if [ -n "$missing" ]; then
        echo "skipped there is no $missing"
    elif make_program "$folder/$1" "$compile" "$run" >"$folder/$1.log" 2>&1; then
        echo made
    else
        echo "BROKEN see $folder/$1.log"
    fi >"$folder/$1.made"
}

# Runs a row that has been compiled in all ways.
try_row() {
    made=$(cat "$folder/$1.made")
    run=$(part_of "$1" 4)
    keep_server "$run"
    if [ "$made" != made ]; then
        echo "plain $made"
    elif ! check_lanes "$folder/$1" "$run" >>"$folder/$1.log" 2>&1; then
        echo "plain BROKEN see $folder/$1.log"
    else
        echo "plain $(run_program "$1" "$folder/$1" "$run" plain "$2" "$folder/snapshots")"
        for way in $(part_of "$1" 5); do
            echo "$way $(run_program "$1" "$folder/$1" "$run" "$way" --load "$folder/snapshots")"
        done
    fi
}

# Writes what became of a row to its .result: a line for each way, one word, then why.
do_row() {
    try_row "$1" "$2" >"$folder/$1.result"
    sed "s/^plain //; s/^/$1: /" "$folder/$1.result" >&2
}

# --- all of them ---

# on_all_processors WHAT ROW...: calls this program once for each row, as --make or --run.
on_all_processors() {
    what=$1
    shift
    processors=$(nproc 2>/dev/null || echo 1)
    [ $# -eq 0 ] ||
        printf '%s\n' "$@" | xargs -n 1 -P "$processors" "$0" "$folder" $short "$what"
}

# Does the rows given until one has written snapshots; `writer` is its name, empty when none could.
find_writer() {
    rm -rf "$folder/snapshots"
    mkdir -p "$folder/snapshots"
    for writer in "$@"; do
        do_row "$writer" --save
        ! grep -q '^plain same' "$folder/$writer.result" || return 0
    done
    writer=
}

do_rows_after() {
    writer=$1
    shift
    [ -n "$writer" ] || return 0
    while [ "$1" != "$writer" ]; do
        shift
    done
    shift
    on_all_processors --run "$@"
}

print_table() {
    printf '%-22s %-15s %-8s %-30s %s\n' row '' result '' how
    for name in "$@"; do
        how=$(part_of "$name" 3)
        runner=$(part_of "$name" 4 | sed 's|[ @].*||')
        how=$how${runner:+, run by $runner}
        while read -r way result why; do
            case $way:$name in
            plain:"$writer") way='saves' ;;
            plain:*) way='loads' ;;
            *) how= ;;
            esac
            printf '%-22s %-15s %-8s %-30s %s\n' "$name" "$way" "$result" "$why" "$how"
        done <"$folder/$name.result"
    done
}

check_results() {
    results=$(for name in "$@"; do cut -d ' ' -f 2 "$folder/$name.result"; done)
    echo "$results" | grep -q '^same$' && ! echo "$results" | grep -q '^DIFFERS$\|^BROKEN$'
}

prepare_tools
case ${1-} in
--make)
    make_row "$2"
    exit
    ;;
--run)
    do_row "$2" --load
    exit
    ;;
esac
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(rows | cut -d '|' -f 1)
for name in "$@"; do
    [ -n "$(rows "$name")" ] || { echo "matrix.sh: no row is called $name" >&2 && exit 1; }
done
mkdir -p "$folder"
on_all_processors --make "$@"
find_writer "$@"
do_rows_after "$writer" "$@"
echo "The hashes of the golden scenes${short:+, each with a tenth of its steps} ($hashes):"
cat "$hashes"
print_table "$@"
check_results "$@"
