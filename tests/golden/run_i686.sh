#!/bin/sh
# run_i686.sh PROGRAM [ARGUMENT...]: runs a 32-bit x86 program, by qemu where the kernel cannot.
"$@"
status=$?
[ $status -eq 126 ] || exit $status
exec qemu-i386 "$@"
