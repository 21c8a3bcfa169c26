/// @file scene_reader.h
/// Reads texts of scenes, in the program's own JSON or as Tiled maps, for the tests of both
/// readers.
#ifndef GRAZE_TESTS_SCENE_READER_H
#define GRAZE_TESTS_SCENE_READER_H

#include "scene.h"

/// cli_scene_from_json or cli_scene_from_tiled.
typedef bool scene_from_fn(cli_scene *scene, const char *path, const char *text, size_t size,
                           cli_error *error);

/// A reader, and the file name for its texts.
typedef struct scene_reader {
    scene_from_fn *read;
    const char *file;
} scene_reader;

/// Fills `scene` from a text. Returns false, with the reason in `error`, if it is refused.
bool reader_try(scene_reader by, cli_scene *scene, const char *text, cli_error *error);

/// Returns the scene of a text; fails the test if it is refused.
cli_scene reader_accept(scene_reader by, const char *text);

/// Fails the test unless the text is refused with an error that begins with `line`.
void reader_refuse(scene_reader by, const char *text, const char *line);

#endif
