/// @file tiled_memory.h
/// All memory of reading a map: what is found goes to the map, what was needed on the way is freed.
///
/// Invariant  An allocation here never returns null. Where the game's allocator has no more, the
///            reader jumps back to graze_tiled_load(). So no function of the reader checks for it,
///            and none may hold what only it can release: grz_memory_defer() registers that. Blocks
///            are linked, so that all of them can be found.
#ifndef GRZ_TILED_MEMORY_H
#define GRZ_TILED_MEMORY_H

#include <graze/allocator.h>

#include "list.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

/// A thing that is released when the reading ends, in whichever way.
typedef struct grz_deferred {
    void (*release)(void *thing);
    void *thing; ///< Null: nothing.
} grz_deferred;

typedef struct grz_memory {
    graze_allocator outer; ///< The game's.
    graze_allocator inner; ///< Never returns null; for lists.
    struct grz_memory_block *blocks;
    grz_deferred *deferred; ///< A list.
    char *chunk;            ///< Room for texts,
    size_t chunk_left;      ///< and how much of it there is.
    jmp_buf on_lack;        ///< Where to go when memory runs out.
} grz_memory;

/// Prepares an empty memory; setjmp(memory->on_lack) must follow. `outer` has both functions.
void grz_memory_init(grz_memory *memory, graze_allocator outer);

/// Releases what was deferred, the last first.
void grz_memory_release_deferred(grz_memory *memory);

/// Frees all blocks, and releases what is still deferred.
void grz_memory_free(grz_memory *memory);

/// Goes back to setjmp() unless `there_was_memory`.
void grz_memory_require(grz_memory *memory, bool there_was_memory);

/// Returns `size` bytes that live as long as the map.
void *grz_memory_take(grz_memory *memory, size_t size);

/// Returns a copy of a text that lives as long as the map.
char *grz_memory_copy(grz_memory *memory, const char *text);

/// Has release(thing) called at the end. Returns a number for grz_memory_update().
size_t grz_memory_defer(grz_memory *memory, void (*release)(void *thing), void *thing);

/// Replaces a deferred thing: null when it has been released already.
void grz_memory_update(grz_memory *memory, size_t number, void *thing);

/// Makes room, appends.
#define grz_push(memory, list, value)                                                              \
    (grz_memory_require((memory), grz_list_reserve((list), &(memory)->inner, 1)),                  \
     grz_list_push((list), (value)))

#endif
