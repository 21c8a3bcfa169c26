#include "failing_allocator.h"

// cmocka.h needs these four before it.
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

enum {
    LARGEST_ALIGNMENT = 64,
    FRESH = 0xCD, ///< Fills new memory.
    GUARD = 0xA5  ///< Fills what lies between the end of the block and the next 64 bytes.
};

/// The header in the LARGEST_ALIGNMENT bytes before every block.
typedef struct block_header {
    const failing_allocator *owner;
    size_t size;
} block_header;

static size_t round_up(size_t size)
{
    return (size + LARGEST_ALIGNMENT - 1) / LARGEST_ALIGNMENT * LARGEST_ALIGNMENT;
}

static bool is_to_fail(const failing_allocator *memory, size_t size)
{
    const bool is_full = memory->most_bytes && memory->live_bytes + size > memory->most_bytes;
    return memory->calls == memory->fail_at || size > SIZE_MAX / 4 || is_full;
}

static void count_allocation(failing_allocator *memory, size_t size)
{
    ++memory->live_blocks;
    memory->live_bytes += size;
    if (memory->peak_bytes < memory->live_bytes) {
        memory->peak_bytes = memory->live_bytes;
    }
}

static void *allocate_counted(size_t size, size_t alignment, void *user)
{
    failing_allocator *memory = user;
    assert_int_not_equal(size, 0);
    assert_int_not_equal(alignment, 0);
    assert_int_equal(alignment & (alignment - 1), 0);
    assert_in_range(alignment, 1, LARGEST_ALIGNMENT);
    ++memory->calls;
    if (is_to_fail(memory, size)) {
        return NULL;
    }
    char *whole = aligned_alloc(LARGEST_ALIGNMENT, LARGEST_ALIGNMENT + round_up(size));
    if (!whole) {
        return NULL;
    }
    block_header header = {memory, size};
    char *block = whole + LARGEST_ALIGNMENT;
    memcpy(whole, &header, sizeof header);
    memset(block, FRESH, size);
    memset(block + size, GUARD, round_up(size) - size);
    count_allocation(memory, size);
    return block;
}

static void assert_guard_untouched(const unsigned char *block, size_t size)
{
    for (size_t i = size; i < round_up(size); ++i) {
        if (block[i] != GUARD) {
            fail_msg("a block of %zu bytes was written at byte %zu", size, i);
        }
    }
}

static void release_counted(void *block, size_t size, void *user)
{
    failing_allocator *memory = user;
    assert_non_null(block);
    assert_int_equal((uintptr_t)block % LARGEST_ALIGNMENT, 0);
    char *whole = (char *)block - LARGEST_ALIGNMENT;
    block_header header;
    memcpy(&header, whole, sizeof header);
    assert_ptr_equal(header.owner, memory);
    assert_int_equal(header.size, size);
    assert_guard_untouched(block, size);
    --memory->live_blocks;
    memory->live_bytes -= size;
    free(whole);
}

graze_allocator failing_allocator_interface(failing_allocator *memory)
{
    graze_allocator allocator = {allocate_counted, release_counted, memory};
    return allocator;
}

void failing_allocator_arm(failing_allocator *memory, size_t n)
{
    memory->fail_at = memory->calls + n;
}

bool failing_allocator_disarm(failing_allocator *memory)
{
    bool failed = memory->fail_at && memory->calls >= memory->fail_at;
    memory->fail_at = 0;
    return failed;
}

void failing_allocator_assert_empty(const failing_allocator *memory)
{
    assert_int_equal(memory->live_blocks, 0);
    assert_int_equal(memory->live_bytes, 0);
}
