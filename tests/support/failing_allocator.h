/// @file failing_allocator.h
/// An allocator for tests: counts live blocks, fails the n-th call, and checks every release.
///
/// A test hands `failing_allocator_interface(&memory)` to the code under test, and calls
/// `failing_allocator_assert_empty(&memory)` when everything has been released. To fail every
/// allocation of an operation once:
///
///     for (size_t n = 1;; ++n) {
///         failing_allocator_arm(&memory, n);
///         graze_status status = operation();
///         if (!failing_allocator_disarm(&memory)) {
///             break; // There were fewer than n allocations, and all succeeded.
///         }
///         ... status must be GRAZE_ERROR_OUT_OF_MEMORY, and nothing changed ...
///     }
///
/// Errors     A wrong size or owner, bytes written past the end, or a leak fails the running cmocka
///            test.
/// Threads    One thread at a time for each allocator.
#ifndef GRAZE_TESTS_FAILING_ALLOCATOR_H
#define GRAZE_TESTS_FAILING_ALLOCATOR_H

#include <graze/allocator.h>

#include <stdbool.h>
#include <stddef.h>

/// All zero is a new one. It must not move while blocks are live.
typedef struct failing_allocator {
    size_t calls;       ///< Of allocate so far, failed ones included.
    size_t live_blocks; ///< Not released yet.
    size_t live_bytes;  ///< Sum of their requested sizes.
    size_t peak_bytes;  ///< The largest live_bytes so far.
    size_t fail_at;     ///< The number of the call that fails; 0: none.
    size_t most_bytes;  ///< Calls fail that would make live_bytes larger; 0: none.
} failing_allocator;

/// Returns what a graze_..._def takes. Fresh memory is filled with 0xCD.
graze_allocator failing_allocator_interface(failing_allocator *memory);

/// Makes the n-th call of allocate from now on return null (1: the next); only that one.
void failing_allocator_arm(failing_allocator *memory, size_t n);

/// Ends failing. Returns whether the armed call was made: an allocation failed.
bool failing_allocator_disarm(failing_allocator *memory);

/// Fails the test unless everything was released.
void failing_allocator_assert_empty(const failing_allocator *memory);

#endif
