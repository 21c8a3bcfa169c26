/// @file memory.h
/// Blocks of memory that grow. All modules allocate by these or by list.h.
#ifndef GRZ_MEMORY_H
#define GRZ_MEMORY_H

#include <graze/allocator.h>

#include <stdbool.h>
#include <stddef.h>

enum {
    GRZ_ALIGNMENT = 64, ///< Of every block: one cache line, the widest vector register.
    GRZ_PADDING = 64    ///< Readable bytes past the end of every block, for loads that overshoot.
};

/// A block of memory that only grows. All zero is an empty block.
typedef struct grz_block {
    void *data;  ///< Null while size is 0; aligned to GRZ_ALIGNMENT.
    size_t size; ///< Usable bytes; GRZ_PADDING more may be read, never written.
} grz_block;

/// Returns whether both functions are given, or neither, as a graze_allocator requires.
bool grz_allocator_is_valid(const graze_allocator *allocator);

/// Returns the allocator itself, or one on malloc and free if it is all zero.
graze_allocator grz_allocator_or_default(graze_allocator allocator);

/// Makes the block hold at least `size` bytes, and keeps its contents. Grows by half again, so that
/// n calls copy O(n) bytes. Returns false, with the block unchanged, if memory runs out.
bool grz_block_reserve(grz_block *block, const graze_allocator *allocator, size_t size);

/// The same, but grows to an eighth more than `size`: for what is long, and varies little.
bool grz_block_reserve_tight(grz_block *block, const graze_allocator *allocator, size_t size);

/// The same, but makes the block no larger than `size`: for callers that know how it grows.
bool grz_block_reserve_exact(grz_block *block, const graze_allocator *allocator, size_t size);

/// Like grz_block_reserve, but loses the contents when it grows: for scratch.
bool grz_block_reserve_scratch(grz_block *block, const graze_allocator *allocator, size_t size);

/// Frees the memory; the block is then empty.
void grz_block_free(grz_block *block, const graze_allocator *allocator);

#endif
