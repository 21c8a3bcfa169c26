/// @file tiled_files.h
/// The files that a map is made of.
#ifndef GRZ_TILED_FILES_H
#define GRZ_TILED_FILES_H

#include "json_reader.h"

#include <graze/tiled.h>

#include <stdbool.h>

/// How files are opened, and which were.
typedef struct grz_files {
    const graze_tiled_def *def;
    grz_memory *memory;
    char **paths;                 ///< A list: of all but the map's own.
    char **notes;                 ///< A list of lines: what was left out, and why.
    bool is_missing;              ///< The last file could not be opened.
    const char *missing_template; ///< The path of the first that could not be opened, or null.
} grz_files;

/// Adds a line to the notes.
void grz_files_note(grz_files *files, const char *format, ...) GRZ_PRINTF(2, 3);

/// Reads the map's own file. `json` has its error and memory.
bool grz_files_read_map(grz_files *files, grz_json *json);

/// Reads the file that a text in another file names. Errors of the file also name that place.
bool grz_files_read(grz_files *files, grz_json *json, const grz_json *from, const cJSON *name);

/// Returns `name`, taken as relative to the folder that `path` is in, in the map's memory; `name`
/// itself if it is absolute. Folders end with '/' or '\'.
char *grz_path_beside(grz_memory *memory, const char *path, const char *name);

#endif
