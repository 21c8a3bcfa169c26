#!/bin/sh
# Counts the files and functions of the library that run in four small scenes (graze_walk.c). A
# reader who wants to understand a scene walks through them. ./dev walk calls this script from the
# root of the project.
#
#   tests/walk/walk.sh FOLDER [--list SCENE]
#
# Prints a table; with --list, the files and functions of one scene. What is built goes into FOLDER.
#
# Counting   gcc -O0 --coverage compiles the library, and it runs on scalar lanes. Only the steps or
#            the query count: the world is made before. A function counts once by its name.
#            Functions of the library's headers count, too.
# Before     The column is what the sources of 2026-11-28 give (commit d6fb842). They had no rigid
#            bodies, so the discs of the heap slid. The goal is half of that.
set -eu

folder=$1
shift
scenes='bullet bounce heap query'

# before SCENE: files, then functions.
before() {
    case $1 in
    bullet) echo 94 521 ;;
    bounce) echo 114 624 ;;
    heap) echo 144 981 ;;
    query) echo 25 104 ;;
    esac
}

flags() {
    echo -std=c11 -O0 --coverage -ffp-contract=off -w -Inarrowphase/lanes
    for part in engine/base narrowphase broadphase engine; do
        echo -I$part/include -I$part/src
    done
}

sources() {
    ls engine/base/src/*.c narrowphase/src/*.c broadphase/src/*.c engine/src/*.c engine/src/*/*.c \
        tests/walk/graze_walk.c
}

# File names are unique in the tree.
build() {
    rm -rf "$folder"
    mkdir -p "$folder"
    # shellcheck disable=SC2016,SC2046 # The inner shell expands; a list of words.
    sources | xargs -n 8 -P "$(nproc 2>/dev/null || echo 1)" sh -c '
        folder=$1 flags=$2
        shift 2
        for source; do
            name=${source##*/}
            gcc $flags -c "$source" -o "$folder/${name%.c}.o" || exit 255
        done' sh "$folder" "$(flags | tr '\n' ' ')"
    gcc --coverage "$folder"/*.o -lm -o "$folder/graze_walk"
}

# Prints `file function` for each function of the library that was called. (gcov leaves functions
# of headers out when it gets more than one file at a time.)
list_called() {
    for data in "$folder"/*.gcda; do
        [ "$data" = "$folder/graze_walk.gcda" ] || gcov -b -c -t "$data"
    done | awk '/^ *-: *0:Source:/ { sub(/.*Source:/, ""); file = $0 }
             /^function .* called [1-9]/ && file !~ /^\// { print file, $2 }' | sort -u
}

# Plays a scene and writes what it called to FOLDER/SCENE.txt.
walk() {
    rm -f "$folder"/*.gcda
    GRAZE_LANES=scalar "$folder/graze_walk" "$1"
    list_called >"$folder/$1.txt"
    [ -s "$folder/$1.txt" ] || { echo "walk.sh: gcov counted nothing in $1" >&2 && return 1; }
}

# count SCENE COLUMN: how many different words.
count() {
    cut -d ' ' -f "$2" "$folder/$1.txt" | sort -u | wc -l
}

print_table() {
    echo '         now               goal              before'
    echo 'scene    files functions   files functions   files functions'
    for scene in $scenes; do
        # shellcheck disable=SC2046 # Two words.
        set -- $(before "$scene")
        printf '%-8s %5d %9d   %5d %9d   %5d %9d\n' "$scene" "$(count "$scene" 1)" \
            "$(count "$scene" 2)" $(($1 / 2)) $(($2 / 2)) "$1" "$2"
    done
}

print_list() {
    awk '$1 != file { print file = $1 } { print "    " $2 }' "$folder/$1.txt"
}

case ${1-} in
--list)
    [ -n "$(before "${2-}")" ] || { echo "walk.sh: the scenes are: $scenes" >&2 && exit 1; }
    scenes=$2
    ;;
esac
build
for scene in $scenes; do
    walk "$scene"
done
case ${1-} in --list) print_list "$scenes" ;; *) print_table ;; esac
