/// @file lane_sets.h
/// The sets of lanes, for tests of all of them.
#ifndef GRAZE_TESTS_LANE_SETS_H
#define GRAZE_TESTS_LANE_SETS_H

// cmocka.h needs these four before it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lanes_choice.h"

#include <string.h>

/// Returns the set of this name; skips the running test if build or machine lack it.
static inline grz_lane_set lane_set_or_skip(const char *name)
{
    for (int set = 0; set < GRZ_SET_COUNT; ++set) {
        const grz_lane_set found = (grz_lane_set)set;
        if (strcmp(grz_lanes_name(found), name) == 0 && grz_lanes_has(found)) {
            return found;
        }
    }
    print_message("There are no lanes called %s here\n", name);
    skip();
    return GRZ_SET_SCALAR;
}

/// Returns the build's own set; skips the running test if that is the scalar one.
static inline grz_lane_set lane_set_of_build_or_skip(void)
{
#if GRZ_LANES_BASE == GRZ_LANES_SCALAR
    return lane_set_or_skip("of the build");
#else
    return GRZ_SET_BASE;
#endif
}

#endif
