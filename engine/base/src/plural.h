/// @file plural.h
/// Numbers in messages.
#ifndef GRZ_PLURAL_H
#define GRZ_PLURAL_H

#include <stdint.h>

/// Returns the word that goes with the number: `one` for 1, otherwise `many`.
static inline const char *grz_plural(uint64_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

#endif
