/// @file allocator.h
/// The functions through which a world obtains all its memory.
///
/// Threads    A world calls its allocator only from inside calls on that world.
#ifndef GRAZE_ALLOCATOR_H
#define GRAZE_ALLOCATOR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Two functions and a pointer that is passed to both. All zero means malloc and free; on Linux,
/// blocks of 2 MiB or more then ask for huge pages, which a game's own allocator may also do. An
/// allocator with only one of the two functions is refused as GRAZE_ERROR_ARGUMENT.
typedef struct graze_allocator {
    /// Returns `size` bytes aligned to `alignment` (a power of two, at most 64), or null if out of
    /// memory. `size` is never 0.
    void *(*allocate)(size_t size, size_t alignment, void *user);
    /// Releases what `allocate` returned. `size` is the size that was asked for; `memory` is never
    /// null.
    void (*release)(void *memory, size_t size, void *user);
    void *user; ///< Passed to both.
} graze_allocator;

#ifdef __cplusplus
}
#endif

#endif
