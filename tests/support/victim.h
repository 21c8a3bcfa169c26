/// @file victim.h
/// A world into which damaged snapshots are loaded, and a test that it stays unchanged.
///
/// Errors     Whatever is not as a function promises fails the running cmocka test.
#ifndef GRAZE_TESTS_VICTIM_H
#define GRAZE_TESTS_VICTIM_H

#include "busy_world.h"

/// The world, and its state before.
typedef struct victim {
    kit_log log;
    graze_world *world;
    unsigned char *before; ///< Its own snapshot: state and reports.
    size_t before_size;
} victim;

/// Makes a busy world that logs to `one->log`; victim_free() frees what it takes.
void victim_make(victim *one);

void victim_free(victim *one);

/// Returns a copy in memory of exactly that size, so that a read past the end is detected. To be
/// freed.
unsigned char *victim_copy(const void *bytes, size_t size);

/// Fails the test, with `what` and `place`, unless the world is unchanged since it was made.
void victim_assert_unchanged(const victim *one, const char *what, size_t place);

/// Loads the bytes. Fails the test, with `what` and `place`, unless they are refused as
/// GRAZE_ERROR_FORMAT with a line in the log.
void victim_assert_refuses(victim *one, const void *bytes, size_t size, const char *what,
                           size_t place);

/// Fails the test unless the first `length` bytes of a snapshot are refused.
void victim_assert_refuses_start(victim *one, const unsigned char *bytes, size_t length);

/// Fails the test unless the bytes are refused with any one of them changed. Restores each.
void victim_assert_every_byte_counts(victim *one, unsigned char *bytes, size_t size);

#endif
