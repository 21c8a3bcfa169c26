/// @file allocator_fixture.h
/// A fixture for tests that allocate from one allocator, which is new for each test.
#ifndef GRAZE_TESTS_ALLOCATOR_FIXTURE_H
#define GRAZE_TESTS_ALLOCATOR_FIXTURE_H

// cmocka.h needs these four before it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_allocator.h"

static failing_allocator memory;
static graze_allocator allocator;

/// Sets up a test: for cmocka_unit_test_setup().
static int make_allocator(void **state)
{
    const failing_allocator fresh = {0};
    (void)state;
    memory = fresh;
    allocator = failing_allocator_interface(&memory);
    return 0;
}

#endif
