/// @file allocator.h
/// The functions through which a world, a replay or a grid obtains all its memory.
///
///     graze_world_def def = graze_world_def_default(); // malloc and free.
///     def.allocator = (graze_allocator){pool_allocate, pool_release, &pool};
///
/// Ownership  The struct is copied. Its functions, and what `user` points to, must remain usable
///            until all that was made with them is destroyed.
/// Errors     If `allocate` returns null, the call that needs the memory returns
///            GRAZE_ERROR_OUT_OF_MEMORY, or no id or world, and leaves everything as it was. In two
///            cases the call goes on. A recording that lacks memory stops (record.h). And bodies at
///            rest may take part in later steps, which changes no result. An allocator with only
///            one of the two functions is refused as GRAZE_ERROR_ARGUMENT.
/// Threads    A world calls them only from inside calls on that world, on the thread that made the
///            call. Tasks that `parallel` runs on other threads (tasks.h) allocate and release
///            nothing. Nor does any call that takes a const world or a const grid. So an allocator
///            needs no lock, unless worlds that several threads use at once share it. A game may
///            hand a world from one thread to another. Then memory may be released on another
///            thread than the one that allocated it.
/// Re-entry   They must return to their caller (no longjmp, no exception). They must not call any
///            function on the world that they serve: it is in the midst of a change.
/// Contents   New memory may hold anything: no result depends on it.
/// Cost       After warm-up a step allocates nothing (world.h, Memory).
#ifndef GRAZE_ALLOCATOR_H
#define GRAZE_ALLOCATOR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Two functions and a pointer that is passed to both. All zero means malloc and free. On Linux,
/// blocks of 2 MiB or more then ask for huge pages; a game's own allocator may do so, too.
typedef struct graze_allocator {
    /// Returns `size` bytes, aligned to `alignment`, or null if there is no memory. `size` is above
    /// 0; `alignment` is a power of two, at most 64.
    void *(*allocate)(size_t size, size_t alignment, void *user);
    /// Releases a block that `allocate` returned: `memory` is its address, never null, and `size`
    /// what was asked for. Each block is released once, in any order, whole. It cannot fail.
    void (*release)(void *memory, size_t size, void *user);
    void *user; ///< Passed to both; may be null.
} graze_allocator;

#ifdef __cplusplus
}
#endif

#endif
