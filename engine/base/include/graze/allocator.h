/// @file allocator.h
/// Where a world gets its memory from.
///
/// Threads    A world calls its allocator only from inside calls on that world.
#ifndef GRAZE_ALLOCATOR_H
#define GRAZE_ALLOCATOR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Two functions and a pointer that is handed to both. All zero means malloc and free; on Linux
/// huge pages are then asked for where a block has 2 MiB or more, which an allocator of the game's
/// own may do as well. Setting only one of the two functions is GRAZE_ERROR_ARGUMENT where the
/// allocator is handed in.
typedef struct graze_allocator {
    /// Returns `size` bytes aligned to `alignment` (a power of two, at most 64), or null when there
    /// are none left. `size` is never 0.
    void *(*allocate)(size_t size, size_t alignment, void *user);
    /// Takes back what `allocate` returned. `size` is the size asked for; `memory` is never null.
    void (*release)(void *memory, size_t size, void *user);
    void *user; ///< Handed to both.
} graze_allocator;

#ifdef __cplusplus
}
#endif

#endif
