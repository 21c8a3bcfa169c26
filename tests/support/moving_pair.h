/// @file moving_pair.h
/// One type for the five moving tests of bodies and walls, so that a property is written once.
#ifndef GRAZE_TESTS_MOVING_PAIR_H
#define GRAZE_TESTS_MOVING_PAIR_H

#include "random.h"
#include "solid.h"

#include <graze/sweep.h>

typedef enum pair_kind {
    PAIR_CIRCLES,
    PAIR_CIRCLE_RECT,
    PAIR_RECTS,
    PAIR_CIRCLE_SEGMENT,
    PAIR_RECT_SEGMENT,
    PAIR_KIND_COUNT
} pair_kind;

/// The mover is a circle or a rect, the target a circle, a rect or a wall, as the kind says. The
/// circles' centres and radii are taken from the rects: half.x is the radius.
typedef struct moving_pair {
    pair_kind kind;
    graze_rect a, b;
    graze_segment wall;
    graze_vec2 delta;
} moving_pair;

/// Returns a pair of sizes about 1 that often meets; any angles; sometimes a zero radius or delta.
moving_pair moving_pair_random(random_state *random, pair_kind kind);

/// Returns a pair on small integers with rects parallel to the axes: full of ties.
moving_pair moving_pair_lattice(random_state *random, pair_kind kind);

/// Returns a circle whose rim passes exactly through an end of the wall, with its centre square to
/// the wall there: as far from the wall's line as from its end, apart from rounding.
moving_pair moving_pair_at_end(random_state *random);

/// Returns the circle that a rect of a pair represents.
graze_circle moving_pair_circle(graze_rect rect);

graze_sweep moving_pair_sweep(const moving_pair *pair);

/// Returns whether the two overlap at the start, by overlap.h.
bool moving_pair_overlaps(const moving_pair *pair);

solid moving_pair_mover(const moving_pair *pair);
solid moving_pair_target(const moving_pair *pair);

/// Returns the gap between the two after `time` of the motion.
long double moving_pair_gap(const moving_pair *pair, long double time);

/// Prints the pair and its answer, for a failed property.
void moving_pair_print(const char *what, const moving_pair *pair);

#endif
