/// @file tiled_load_kit.h
/// Maps from texts, by the library itself.
///
/// Errors     A broken promise of a function fails the running cmocka test.
#ifndef GRAZE_TESTS_TILED_LOAD_KIT_H
#define GRAZE_TESTS_TILED_LOAD_KIT_H

#include <graze/tiled.h>

/// Returns the def of a map that is a text.
graze_tiled_def text_def(const char *text);

/// Returns the map of a text; fails the test if it is refused.
graze_tiled_map *load_text(const char *text);

#endif
