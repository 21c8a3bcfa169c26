#include "list.h"

#include "memory.h"

#include <stdint.h>
#include <string.h>

enum { FIRST_CAPACITY = 4 }; ///< Minimum, when a list first grows.

void grz_list_release(void *list)
{
    if (list) {
        const grz_list_head head = *grz_list_head_of(list);
        head.allocator.release(grz_list_head_of(list), head.size, head.allocator.user);
    }
}

// A byte count beyond the range of pointer differences counts as out of memory.
static bool capacity_fits(size_t capacity, size_t element_size)
{
    return capacity <= (PTRDIFF_MAX - sizeof(grz_list_head)) / element_size;
}

static size_t grown_capacity(size_t held, size_t needed)
{
    size_t target = held + held / 2;
    target = target > FIRST_CAPACITY ? target : FIRST_CAPACITY;
    return target > needed ? target : needed;
}

void *grz_list_grow(void *list, const graze_allocator *allocator, size_t element_size, size_t extra)
{
    if (grz_list_has_room(list, extra)) {
        return list;
    }
    const size_t count = grz_list_count(list), needed = count + extra;
    const size_t held = list ? grz_list_head_of(list)->capacity : 0;
    const size_t capacity = grown_capacity(held, needed);
    if (needed < extra || !capacity_fits(capacity, element_size)) {
        return list;
    }
    const grz_list_head head = {
        .count = count,
        .capacity = capacity,
        .size = sizeof head + capacity * element_size,
        .allocator = list ? grz_list_head_of(list)->allocator : *allocator,
    };
    grz_list_head *grown = head.allocator.allocate(head.size, GRZ_ALIGNMENT, head.allocator.user);
    if (!grown) {
        return list;
    }
    *grown = head;
    if (list) {
        memcpy(grown + 1, list, count * element_size);
        grz_list_release(list);
    }
    return grown + 1;
}
