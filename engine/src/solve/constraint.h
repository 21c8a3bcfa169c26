/// @file constraint.h
/// What finds the contacts of some bodies, for constraint.c and ghosts.c.
#ifndef GRZ_CONSTRAINT_H
#define GRZ_CONSTRAINT_H

#include "solve/obstacle.h"

/// A cursor in what is kept.
typedef struct grz_cache_cursor {
    const grz_contact_cache *cache;
    uint32_t place;
} grz_cache_cursor;

/// Finds the contacts of a block of bodies: what it writes, no other block reads or writes.
typedef struct grz_contact_finder {
    graze_world *world;
    grz_constraint_contact *contacts;
    uint32_t contact_count;  ///< The next one's place.
    grz_obstacle *obstacles; ///< Of one body.
    uint32_t obstacle_count;
    grz_cache_cursor cursor;
} grz_contact_finder;

/// Returns a finder for a block of bodies, which puts contacts at place `first` and behind.
grz_contact_finder grz_finder_of(graze_world *world, uint32_t block,
                                 grz_constraint_contact *contacts, uint32_t first);

/// Returns the slot behind the last one of a block.
uint32_t grz_finder_end(const grz_solve *solve, uint32_t block);

/// Lists what a body may meet that gives no way: walls, then driven bodies.
void grz_finder_list(grz_contact_finder *finder, const grz_met_by *body, grz_slot slot);

/// Lists a body behind these.
void grz_finder_add(grz_contact_finder *finder, const grz_met_by *body, grz_row row);

#endif
