#include "list.h"

#include "memory.h"

#include <stdint.h>
#include <string.h>

/// The layout of a list: [list_prefix | padding][stbds_array_header][elements].
typedef struct list_prefix {
    graze_allocator allocator;
    size_t size; ///< Of the whole block, prefix included.
} list_prefix;

enum {
    PREFIX_SIZE = (sizeof(list_prefix) + 15) / 16 * 16,
    FIRST_CAPACITY = 4 ///< Minimum, when a list first grows.
};

_Static_assert((PREFIX_SIZE + sizeof(stbds_array_header)) % 16 == 0, "elements are 16-aligned");

static list_prefix *prefix_of(void *header)
{
    return (list_prefix *)(void *)((char *)header - PREFIX_SIZE);
}

static void *allocate_header(const graze_allocator *allocator, size_t size)
{
    if (size > SIZE_MAX - PREFIX_SIZE) {
        return NULL;
    }
    char *whole = allocator->allocate(size + PREFIX_SIZE, GRZ_ALIGNMENT, allocator->user);
    if (!whole) {
        return NULL;
    }
    const list_prefix prefix = {*allocator, size + PREFIX_SIZE};
    memcpy(whole, &prefix, sizeof prefix);
    return whole + PREFIX_SIZE;
}

static void *allocate_empty(const graze_allocator *allocator, size_t size)
{
    stbds_array_header *header = allocate_header(allocator, size);
    if (header) {
        memset(header, 0, sizeof *header);
    }
    return header;
}

void grz_list_release(void *header)
{
    const list_prefix prefix = *prefix_of(header);
    prefix.allocator.release(prefix_of(header), prefix.size, prefix.allocator.user);
}

void *grz_list_regrow(void *header, size_t size)
{
    list_prefix *prefix = prefix_of(header);
    void *grown = allocate_header(&prefix->allocator, size);
    if (grown) {
        const size_t kept = prefix->size - PREFIX_SIZE;
        memcpy(grown, header, kept < size ? kept : size);
        grz_list_release(header);
    }
    return grown;
}

// A byte count beyond the range of pointer differences counts as out of memory.
static bool capacity_fits(size_t capacity, size_t element_size)
{
    return capacity <= (PTRDIFF_MAX - sizeof(stbds_array_header) - PREFIX_SIZE) / element_size;
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
    const size_t needed = grz_list_count(list) + extra;
    const size_t capacity = grown_capacity(stbds_arrcap(list), needed);
    if (needed < extra || !capacity_fits(capacity, element_size)) {
        return list;
    }
    const size_t size = sizeof(stbds_array_header) + capacity * element_size;
    stbds_array_header *header =
        list ? grz_list_regrow(stbds_header(list), size) : allocate_empty(allocator, size);
    if (!header) {
        return list;
    }
    header->capacity = capacity;
    return header + 1;
}
