#!/bin/sh
# Makes what a release consists of, in build/release/, from what HEAD has:
#
#   graze-VERSION.tar.gz              the sources, as git has them
#   graze-one-file-VERSION.tar.gz     graze.h, graze.c and the license
#   graze-playground-VERSION.html     the playground, one page
#   graze-physics-VERSION.tgz         the npm package
#   graze-physics-VERSION.tar.gz      the Python package, with its sources (sdist)
#   SHA256SUMS                        of all of them
#
# ./dev dist makes the one file and the page before, and afterwards tries each of the files
# (tests/dist/check.sh).
set -eu
cd "$(dirname "$0")/../.."

fail() {
    echo "dist.sh: $*" >&2
    exit 1
}

# part MAJOR|MINOR|PATCH
part() {
    sed -n "s/^#define GRAZE_VERSION_$1 \([0-9]*\)\$/\1/p" engine/base/include/graze/version.h
}

version=$(part MAJOR).$(part MINOR).$(part PATCH)
root=$PWD
release=build/release
one_file=graze-one-file-$version

said=$(git rev-parse --verify HEAD 2>&1) || fail "a release is made from a clone: $said"
grep -q "^## \[$version\] - [0-9]\{4\}-[0-9][0-9]-[0-9][0-9]\$" CHANGELOG.md ||
    fail "CHANGELOG.md has no '## [$version] - DATE'"
[ -z "$(git status --porcelain)" ] || echo 'dist.sh: the sources are those of HEAD, without changes' >&2

rm -rf $release
mkdir -p "$release/$one_file"
git archive --prefix="graze-$version/" -o "$release/graze-$version.tar.gz" HEAD
cp build/dist/graze.h build/dist/graze.c LICENSE "$release/$one_file"
tar -C $release --owner=0 --group=0 --sort=name --mtime="@$(git log -1 --format=%ct)" \
    -czf "$release/$one_file.tar.gz" "$one_file"
rm -r "${release:?}/$one_file"
cp build/playground.html "$release/graze-playground-$version.html"
cp "$(engine/bindings/js/build.sh)" $release
(cd engine/bindings/python && /usr/bin/python3 setup.py -q sdist --dist-dir "$root/$release") >build/sdist.log 2>&1 ||
    fail "$(cat build/sdist.log)"
(cd $release && sha256sum -- * >../SHA256SUMS && mv ../SHA256SUMS .)
