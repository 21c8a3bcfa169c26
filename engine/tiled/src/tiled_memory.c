#include "tiled_memory.h"

#include "memory.h"

#include <stdint.h>
#include <string.h>

enum { CHUNK = 16 * 1024 }; ///< Bytes for texts.

/// In front of every block, as large as its alignment may be.
typedef struct grz_memory_block {
    struct grz_memory_block *before, *after;
    size_t size; ///< With this.
} grz_memory_block;

static void *allocate(size_t size, size_t alignment, void *user)
{
    (void)alignment;
    grz_memory *memory = user;
    grz_memory_block *block = NULL;
    if (size <= SIZE_MAX - GRZ_ALIGNMENT) {
        block = memory->outer.allocate(size + GRZ_ALIGNMENT, GRZ_ALIGNMENT, memory->outer.user);
    }
    grz_memory_require(memory, block);
    block->size = size + GRZ_ALIGNMENT;
    block->before = NULL;
    block->after = memory->blocks;
    if (block->after) {
        block->after->before = block;
    }
    memory->blocks = block;
    return (char *)block + GRZ_ALIGNMENT;
}

static void release(void *address, size_t size, void *user)
{
    (void)size;
    grz_memory *memory = user;
    grz_memory_block *block = (grz_memory_block *)((char *)address - GRZ_ALIGNMENT);
    *(block->before ? &block->before->after : &memory->blocks) = block->after;
    if (block->after) {
        block->after->before = block->before;
    }
    memory->outer.release(block, block->size, memory->outer.user);
}

void grz_memory_init(grz_memory *memory, graze_allocator outer)
{
    memset(memory, 0, sizeof *memory);
    const graze_allocator inner = {allocate, release, memory};
    memory->outer = outer;
    memory->inner = inner;
}

void grz_memory_release_deferred(grz_memory *memory)
{
    while (grz_list_count(memory->deferred) > 0) {
        const grz_deferred last = grz_list_pop(memory->deferred);
        if (last.thing) {
            last.release(last.thing);
        }
    }
    grz_list_free(memory->deferred);
}

void grz_memory_free(grz_memory *memory)
{
    grz_memory_release_deferred(memory);
    while (memory->blocks) {
        grz_memory_block *block = memory->blocks;
        memory->blocks = block->after;
        memory->outer.release(block, block->size, memory->outer.user);
    }
}

void grz_memory_require(grz_memory *memory, bool there_was_memory)
{
    if (!there_was_memory) {
        longjmp(memory->on_lack, 1);
    }
}

void *grz_memory_take(grz_memory *memory, size_t size)
{
    return memory->inner.allocate(size, GRZ_ALIGNMENT, memory);
}

char *grz_memory_copy(grz_memory *memory, const char *text)
{
    const size_t size = strlen(text) + 1;
    if (size > CHUNK / 4) {
        return memcpy(grz_memory_take(memory, size), text, size);
    }
    if (size > memory->chunk_left) {
        memory->chunk = grz_memory_take(memory, CHUNK);
        memory->chunk_left = CHUNK;
    }
    char *copy = memcpy(memory->chunk, text, size);
    memory->chunk += size;
    memory->chunk_left -= size;
    return copy;
}

size_t grz_memory_defer(grz_memory *memory, void (*release_thing)(void *thing), void *thing)
{
    const grz_deferred deferred = {release_thing, thing};
    grz_push(memory, memory->deferred, deferred);
    return grz_list_count(memory->deferred) - 1;
}

void grz_memory_update(grz_memory *memory, size_t number, void *thing)
{
    memory->deferred[number].thing = thing;
}
