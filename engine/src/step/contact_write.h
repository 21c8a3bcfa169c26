/// @file contact_write.h
/// Writes hits as the contacts that a game reads: a loop over lanes, see lanes.h.
#ifndef GRZ_CONTACT_WRITE_H
#define GRZ_CONTACT_WRITE_H

#include "step/contact_order.h"

/// Writes the contacts at places [first, end) of the order, all of which are hits.
typedef void grz_write_hits_fn(const graze_world *world, uint32_t first, uint32_t end,
                               graze_contact *contacts);

/// The loops that exist for each set of lanes.
typedef struct grz_write_loops {
    grz_write_hits_fn *write_hits;
} grz_write_loops;

GRZ_DECLARE_WIDE(grz_write_loops, grz_write_loops);

#endif
