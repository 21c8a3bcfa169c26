/// @file list.h
/// Lists off the hot paths (chains, removed bodies, scene files): arrays of stb_ds, wrapped so that
/// they use a world's allocator.
///
/// Invariant  A list stores its allocator in front of its elements, so that no global is needed. It
///            grows only in grz_list_reserve, which can fail; pushing never grows. The growing
///            macros and the maps of stb_ds must not be used: they would start from null, which has
///            no allocator, and write through the null that a failed growth returns.
///
/// A list is a plain pointer to its elements, null when empty. Of stb_ds.h this takes the header
/// alone: no function of it is called, so that a game may link its own stb_ds as well.
#ifndef GRZ_LIST_H
#define GRZ_LIST_H

#include <graze/allocator.h>

#include "asserts.h"

#include <stdbool.h>
#include <stddef.h>

/// stb_ds's realloc: returns a block of `size` bytes with the contents of `header`, from the same
/// allocator, or null (with the old block still valid) if memory runs out. `header` is never null.
void *grz_list_regrow(void *header, size_t size);

/// stb_ds's free, of a block that grz_list_grow made.
void grz_list_release(void *header);

#define STBDS_NO_SHORT_NAMES
#define STBDS_REALLOC(context, header, size) grz_list_regrow(header, size)
#define STBDS_FREE(context, header)          grz_list_release(header)

#include <stb/stb_ds.h>

/// Returns `list`, or the longer block that replaces it, with room for `extra` more elements; the
/// list itself, unchanged, if memory runs out. Grows by half again, so that n pushes copy O(n). The
/// first growth stores `*allocator`; later ones use the stored one.
void *grz_list_grow(void *list, const graze_allocator *allocator, size_t element_size,
                    size_t extra);

/// Returns whether `extra` more elements can be pushed without growing.
static inline bool grz_list_has_room(const void *list, size_t extra)
{
    return stbds_arrcap(list) - stbds_arrlenu(list) >= extra;
}

// All of these evaluate `list` more than once, and those that make room `extra`, too.

/// How many elements the list holds: a size_t.
#define grz_list_count(list) stbds_arrlenu(list)

/// Makes room for `extra` more elements. Yields false, with the list as it was, if memory runs out.
#define grz_list_reserve(list, allocator, extra)                                                   \
    ((list) = grz_list_grow((list), (allocator), sizeof *(list), (extra)),                         \
     grz_list_has_room((list), (extra)))

/// Appends; room must have been reserved.
#define grz_list_push(list, value)                                                                 \
    (GRZ_ASSERT(grz_list_has_room((list), 1)),                                                     \
     (void)((list)[stbds_header(list)->length++] = (value)))

/// Appends `extra` elements without filling them; room must have been reserved.
#define grz_list_extend(list, extra)                                                               \
    (GRZ_ASSERT(grz_list_has_room((list), (extra))), (void)(stbds_header(list)->length += (extra)))

/// Makes room for `extra` elements and appends them without filling them. Yields false, with the
/// list as it was, if memory runs out.
#define grz_list_append(list, allocator, extra)                                                    \
    (grz_list_reserve(list, allocator, extra) && (grz_list_extend(list, extra), true))

/// Removes the last element and yields it; the list must not be empty.
#define grz_list_pop(list) (GRZ_ASSERT(grz_list_count(list) > 0), stbds_arrpop(list))

/// Makes the list empty; it keeps its memory.
#define grz_list_clear(list) ((void)((list) ? (stbds_header(list)->length = 0) : 0))

/// Frees the list, which is then null.
#define grz_list_free(list) stbds_arrfree(list)

#endif
