/// @file list.h
/// Lists off the hot paths: chains, removed bodies, scene files.
///
/// A list is a plain pointer to its elements, null when empty. In front of them it keeps its
/// allocator, so that no global is needed. It grows only in grz_list_reserve, which can fail;
/// pushing never grows.
#ifndef GRZ_LIST_H
#define GRZ_LIST_H

#include <graze/allocator.h>

#include "asserts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What lies in front of the elements, which are aligned for any type.
typedef struct grz_list_head {
    _Alignas(16) size_t count;
    size_t capacity; ///< Of elements.
    size_t size;     ///< Of the whole block, bytes.
    graze_allocator allocator;
} grz_list_head;

/// Returns the head of a list that is not null.
static inline grz_list_head *grz_list_head_of(const void *list)
{
    return (grz_list_head *)((uintptr_t)list - sizeof(grz_list_head));
}

/// Returns how many elements the list holds.
static inline size_t grz_list_count(const void *list)
{
    return list ? grz_list_head_of(list)->count : 0;
}

/// Returns whether `extra` more elements can be pushed without growing.
static inline bool grz_list_has_room(const void *list, size_t extra)
{
    return (list ? grz_list_head_of(list)->capacity : 0) - grz_list_count(list) >= extra;
}

/// Returns `list`, or the longer block that replaces it, with room for `extra` more elements; the
/// list itself, unchanged, if memory runs out. Grows by half again, so that n pushes copy O(n). The
/// first growth stores `*allocator`; later ones use the stored one.
void *grz_list_grow(void *list, const graze_allocator *allocator, size_t element_size,
                    size_t extra);

/// Frees the memory of a list, which may be null.
void grz_list_release(void *list);

/// Appends `extra` elements without filling them; room must have been reserved.
static inline void grz_list_extend(void *list, size_t extra)
{
    GRZ_ASSERT(grz_list_has_room(list, extra));
    grz_list_head_of(list)->count += extra;
}

/// Makes the list empty; it keeps its memory.
static inline void grz_list_clear(void *list)
{
    if (list) {
        grz_list_head_of(list)->count = 0;
    }
}

// All of these evaluate `list` more than once, and those that make room `extra`, too.

/// Makes room for `extra` more elements. Yields false, with the list as it was, if memory runs out.
#define grz_list_reserve(list, allocator, extra)                                                   \
    ((list) = grz_list_grow((list), (allocator), sizeof *(list), (extra)),                         \
     grz_list_has_room((list), (extra)))

/// Appends; room must have been reserved.
#define grz_list_push(list, value)                                                                 \
    (GRZ_ASSERT(grz_list_has_room((list), 1)),                                                     \
     (void)((list)[grz_list_head_of(list)->count++] = (value)))

/// Makes room for `extra` elements and appends them without filling them. Yields false, with the
/// list as it was, if memory runs out.
#define grz_list_append(list, allocator, extra)                                                    \
    (grz_list_reserve(list, allocator, extra) && (grz_list_extend(list, extra), true))

/// Removes the last element and yields it; the list must not be empty.
#define grz_list_pop(list)                                                                         \
    (GRZ_ASSERT(grz_list_count(list) > 0), (list)[--grz_list_head_of(list)->count])

/// Frees the list, which is then null.
#define grz_list_free(list) (grz_list_release(list), (void)((list) = NULL))

#endif
