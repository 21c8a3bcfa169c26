/// @file forgery.h
/// Makes changed snapshots look as if saved like this.
#ifndef GRAZE_TESTS_FORGERY_H
#define GRAZE_TESTS_FORGERY_H

#include "history/snapshot.h"

#include <stddef.h>

/// The bytes of a grz_body from its response on, as one word.
enum { GRZ_FORM_RESPONSE_SHIFT = 0, GRZ_FORM_RECT = GRAZE_SHAPE_RECT << 16 };

/// Writes the right checksum into the header, if the counts in the header agree with `size`. Leaves
/// bytes that are too short for a header alone.
void forge_checksum(unsigned char *bytes, size_t size);

#endif
