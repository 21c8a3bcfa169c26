/// @file forgery.h
/// Snapshots that were changed, made to look as if they had been saved so.
#ifndef GRAZE_TESTS_FORGERY_H
#define GRAZE_TESTS_FORGERY_H

#include "snapshot/snapshot.h"

#include <stddef.h>

/// Puts the checksum that fits into the header, where the counts in the header fit `size`. Bytes
/// that have no room for a header stay as they are.
void forge_checksum(unsigned char *bytes, size_t size);

/// Turns a whole snapshot into one of a machine of the other byte order, field by field. `words` is
/// room for as many bytes.
void forge_foreign(unsigned char *bytes, unsigned char *words, size_t size);

#endif
