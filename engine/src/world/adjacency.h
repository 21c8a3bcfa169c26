/// @file adjacency.h
/// Lists, for each row, of what it may meet in a step.
///
/// A link is a candidate pair, as seen from one of its two rows, or a touch that Decide has found.
/// A row's list has its candidate pairs first, in their order; its touches begin with the earliest.
/// A candidate pair is linked to each of its free or rigid bodies; but one with a dynamic ray only
/// to the ray, because no other motion depends on a ray's. A touch is linked to its ray.
#ifndef GRZ_ADJACENCY_H
#define GRZ_ADJACENCY_H

#include "world/world_state.h"

/// Lists what Pairs has found. Returns false if memory runs out.
bool grz_adjacency_list(graze_world *world);

enum { GRZ_ADJACENCY_PREFETCHED = 256 };

/// Prefetches the ids of at most GRZ_ADJACENCY_PREFETCHED active rows, their first links, and the
/// targets of these.
void grz_adjacency_prefetch(const graze_world *world, const uint32_t *rows, uint32_t count);

/// Returns the first link of an active row; GRZ_NONE: there is none.
static inline uint32_t grz_link_first(const graze_world *world, grz_row row)
{
    return world->impacts.link_of_row.data[row];
}

/// Returns whether a link is a candidate pair that may turn one of the two: not one over a sensor
/// (find_impacts.h). A row's list has these first. False for GRZ_NONE.
static inline bool grz_link_may_deflect(const graze_world *world, uint32_t link)
{
    return link < 2 * world->impacts.first_over_sensor;
}

/// Returns whether the step is cut: pairs of bodies that give way are found slice by slice, and
/// have no links but those of the first slice. See slices.h.
static inline bool grz_is_sliced(const graze_world *world)
{
    return world->impacts.slices.count > 1;
}

/// Returns whether a row is one of a body that slices pair.
static inline bool grz_row_is_sliced(const graze_world *world, grz_row row)
{
    return grz_is_sliced(world) && world->impacts.slices.place_of_row.data[row] != GRZ_NONE;
}

/// Returns whether both of a candidate pair are.
static inline bool grz_pair_is_sliced(const graze_world *world, const grz_candidate *candidate)
{
    return grz_row_is_sliced(world, candidate->row_a) && grz_row_is_sliced(world, candidate->row_b);
}

/// Returns whether an active row (no ray) can meet nothing that may turn it, or that it may turn.
static inline bool grz_is_isolated(const graze_world *world, grz_row row)
{
    return !grz_link_may_deflect(world, grz_link_first(world, row)) &&
           !world->config.no_shortcuts && !grz_row_is_sliced(world, row);
}

/// Returns the link after this one in its list; GRZ_NONE: there is none.
static inline uint32_t grz_link_next(const graze_world *world, uint32_t link)
{
    return world->impacts.next_link.data[link];
}

/// Returns whether a link, which is not GRZ_NONE, is a candidate pair. Otherwise it is a touch.
static inline bool grz_link_is_candidate(const graze_world *world, uint32_t link)
{
    return link < world->impacts.first_touch_link;
}

/// Returns how many candidate pairs there were when they were linked: touches of rays become
/// candidate pairs later.
static inline uint32_t grz_adjacency_candidate_count(const graze_world *world)
{
    return world->impacts.first_touch_link / 2;
}

/// Returns the place of a link's candidate pair.
static inline uint32_t grz_link_candidate(uint32_t link)
{
    return link / 2;
}

/// Returns the place of a link's touch.
static inline uint32_t grz_link_touch(const graze_world *world, uint32_t link)
{
    return link - world->impacts.first_touch_link;
}

#endif
