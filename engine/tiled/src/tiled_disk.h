/// @file tiled_disk.h
/// Files on the disk, for games that have no files of their own.
#ifndef GRZ_TILED_DISK_H
#define GRZ_TILED_DISK_H

#include <graze/tiled.h>

#include <stdbool.h>

/// Reads a whole file into memory. Only plain files, if `must_be_plain`: opening a pipe would wait
/// for its writer.
bool grz_disk_open(const char *path, bool must_be_plain, graze_tiled_file *file);
void grz_disk_close(graze_tiled_file *file, void *user);

#endif
