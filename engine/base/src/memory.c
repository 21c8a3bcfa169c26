#if defined(__linux__) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE // For madvise.
#endif

#include "memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

// Large blocks on huge pages
//
// A step streams through a dozen columns at once, each on pages of its own: if they take several
// megabytes, huge pages make it faster (bench: engine/step/gas/1M). Linux provides them on request;
// no result depends on it.

#if defined(__linux__) && defined(MADV_HUGEPAGE)
enum { HUGE_PAGE = 1 << 21 };

static size_t choose_alignment(size_t size, size_t alignment)
{
    return size < HUGE_PAGE ? alignment : HUGE_PAGE;
}

// Only for whole pages of the block, so that it uses no more memory.
static void ask_for_huge_pages(void *memory, size_t size)
{
    if (size >= HUGE_PAGE) {
        (void)madvise(memory, size & ~(size_t)(HUGE_PAGE - 1), MADV_HUGEPAGE);
    }
}
#else
static size_t choose_alignment(size_t size, size_t alignment)
{
    (void)size;
    return alignment;
}

static void ask_for_huge_pages(void *memory, size_t size)
{
    (void)memory;
    (void)size;
}
#endif

// C11's aligned_alloc is missing on Windows: the block's own address is kept in front of it.
static void *allocate_by_malloc(size_t size, size_t least_alignment, void *user)
{
    (void)user;
    const size_t alignment = choose_alignment(size, least_alignment);
    const size_t extra = alignment + sizeof(void *);
    if (size > SIZE_MAX - extra) {
        return NULL;
    }
    void *whole = malloc(size + extra);
    if (!whole) {
        return NULL;
    }
    const uintptr_t first = (uintptr_t)whole + sizeof(void *);
    const uintptr_t aligned = (first + alignment - 1) & ~(uintptr_t)(alignment - 1);
    memcpy((void *)(aligned - sizeof(void *)), &whole, sizeof whole);
    ask_for_huge_pages((void *)aligned, size);
    return (void *)aligned;
}

static void release_by_free(void *memory, size_t size, void *user)
{
    (void)size;
    (void)user;
    void *whole;
    memcpy(&whole, (char *)memory - sizeof whole, sizeof whole);
    free(whole);
}

bool grz_allocator_is_valid(const graze_allocator *allocator)
{
    return !allocator->allocate == !allocator->release;
}

graze_allocator grz_allocator_or_default(graze_allocator allocator)
{
    if (!allocator.allocate) {
        allocator.allocate = allocate_by_malloc;
        allocator.release = release_by_free;
    }
    return allocator;
}

// Spare room from the first time on: so sizes that vary little from step to step soon stop growing.
static size_t size_with_room(const grz_block *block, size_t size)
{
    const size_t target = block->size ? block->size + block->size / 2 : size + size / 8;
    return target > size ? target : size;
}

static bool block_grow(grz_block *block, const graze_allocator *allocator, size_t target, bool keep)
{
    if (target > SIZE_MAX / 2) {
        return false;
    }
    target = (target + GRZ_ALIGNMENT - 1) & ~(size_t)(GRZ_ALIGNMENT - 1);
    void *data = allocator->allocate(target + GRZ_PADDING, GRZ_ALIGNMENT, allocator->user);
    if (!data) {
        return false;
    }
    if (keep && block->size) {
        memcpy(data, block->data, block->size);
    }
    memset((char *)data + target, 0, GRZ_PADDING);
    grz_block_free(block, allocator);
    block->data = data;
    block->size = target;
    return true;
}

bool grz_block_reserve(grz_block *block, const graze_allocator *allocator, size_t size)
{
    return size <= block->size || (size <= SIZE_MAX / 4 &&
                                   block_grow(block, allocator, size_with_room(block, size), true));
}

bool grz_block_reserve_tight(grz_block *block, const graze_allocator *allocator, size_t size)
{
    return size <= block->size ||
           (size <= SIZE_MAX / 4 && block_grow(block, allocator, size + size / 8, true));
}

bool grz_block_reserve_exact(grz_block *block, const graze_allocator *allocator, size_t size)
{
    return size <= block->size || block_grow(block, allocator, size, true);
}

bool grz_block_reserve_scratch(grz_block *block, const graze_allocator *allocator, size_t size)
{
    return size <= block->size ||
           (size <= SIZE_MAX / 4 &&
            block_grow(block, allocator, size_with_room(block, size), false));
}

void grz_block_free(grz_block *block, const graze_allocator *allocator)
{
    if (block->data) {
        allocator->release(block->data, block->size + GRZ_PADDING, allocator->user);
    }
    block->data = NULL;
    block->size = 0;
}
