/// @file box_set.h
/// Seeded sets of boxes for the tests of grids: each kind is hard for a grid in another way.
#ifndef GRAZE_TESTS_BOX_SET_H
#define GRAZE_TESTS_BOX_SET_H

#include "random.h"

#include <graze/grid.h>

#include <stdbool.h>
#include <stdint.h>

enum { BOX_SET_CAPACITY = 4096 };

/// Boxes as a grid takes them.
typedef struct box_set {
    graze_aabb box[BOX_SET_CAPACITY];
    uint8_t quiet[BOX_SET_CAPACITY];
    uint32_t count;
} box_set;

typedef void box_set_fill_fn(random_state *random, box_set *set);

/// A kind of set: its name, and a function that fills a set of given count. None is quiet.
typedef struct box_set_kind {
    const char *name;
    box_set_fill_fn *fill;
} box_set_kind;

/// Quiet boxes, whose kinds are 1 and 2, pair with loud ones alone. Those of kind 1 are as good as
/// points.
extern const graze_grid_meets box_set_meets;

/// Returns the set as a build reads it.
graze_grid_items box_set_items(const box_set *boxes);

/// Returns the kinds, and how many there are.
const box_set_kind *box_set_kinds(uint32_t *count);

/// Returns the kind of that name, which must exist.
const box_set_kind *box_set_kind_named(const char *name);

/// Fills `set` with `count` boxes of a kind.
void box_set_fill(const box_set_kind *kind, uint64_t seed, uint32_t count, box_set *set);

/// Makes about one in `one_in` boxes loud and all others quiet.
void box_set_hush(random_state *random, uint32_t one_in, box_set *set);

/// Returns whether boxes i and k, closed, share a point.
bool box_set_overlap(const box_set *set, uint32_t i, uint32_t k);

#endif
