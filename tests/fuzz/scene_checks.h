/// @file scene_checks.h
/// What the targets of the program's readers share: bytes are text, and what a reader makes of it
/// is either an error that says something or a scene that runs.
#ifndef GRAZE_TESTS_SCENE_CHECKS_H
#define GRAZE_TESTS_SCENE_CHECKS_H

#include "scene.h"

#include <stddef.h>
#include <stdint.h>

/// Adds what a text says to an empty scene.
typedef bool scene_reader_fn(cli_scene *scene, const char *name, const char *text, size_t size,
                             cli_error *error);

/// Tries a reader on a text. Whatever does not hold ends the program.
void scene_check_text(scene_reader_fn *read, const uint8_t *data, size_t size);

#endif
