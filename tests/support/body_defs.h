/// @file body_defs.h
/// For tests and benchmarks: a def that does not depend on what a body does by default.
#ifndef GRAZE_TESTS_BODY_DEFS_H
#define GRAZE_TESTS_BODY_DEFS_H

#include <graze/body.h>

/// Returns a def with GRAZE_PASS and without friction; everything else is the default.
static inline graze_body_def test_body_def(void)
{
    graze_body_def def = graze_body_def_default();
    def.response = GRAZE_PASS;
    def.friction = 0;
    return def;
}

#endif
