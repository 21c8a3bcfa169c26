/// @file contact_order.h
/// The order of a step's contacts.
///
/// Hits (of two kinematic bodies, or of one and the plain ray that it spends) and fresh
/// contacts (all others) stay where they are. Three passes sort their places:
///
///   1. by rank, which is by a, then by b (no two hits share a rank);
///   2. fresh contacts that share a rank, by segment: this is the order of keys, in which contacts
///      are matched with the last step's;
///   3. the contacts of one pair, by time: this is the order of the list that a game reads.
///
/// No pass goes over all bodies, nor over the contacts of still bodies (splice.h): a world at rest
/// costs next to nothing.
///
/// Hits are decided and stored whole as pairs are found: to decide them as the list is written
/// would move fewer bytes, but gather their rows twice, the second time out of order (bench:
/// engine/step/clusters). To report a hit moves some 250 bytes, read or written; where its lists
/// are larger than the caches, hits are read out of order, too (bench: engine/step/clusters-dense).
#ifndef GRZ_CONTACT_ORDER_H
#define GRZ_CONTACT_ORDER_H

#include "asserts.h"
#include "world/contact_keys.h"

/// Makes room for sorting this step's contacts. Returns false if memory runs out.
bool grz_order_reserve(graze_world *world);

/// Fills world->reports.order, in the order of keys and without repeats; sets has_runs and
/// hit_room.
void grz_order_contacts(graze_world *world);

/// Returns the first place in the order, from this one on, whose contact has the rank of the next
/// one; the end of the order if there is none.
uint32_t grz_order_find_run(const graze_world *world, uint32_t first);

/// Returns the place in the order after those that have the rank of the one at `first`.
uint32_t grz_order_find_end_of_rank(const graze_world *world, uint32_t first);

/// Puts contacts of one rank, places [first, end) of the order, into the order of the list.
void grz_order_sort_by_time(graze_world *world, uint32_t first, uint32_t end);

/// A bit of a place in the order: the pair did not meet in the last step.
#define GRZ_BEGINS UINT32_C(0x80000000)

/// Returns a place without that bit.
static inline uint32_t grz_place_of(uint32_t place)
{
    return place & ~GRZ_BEGINS;
}

static inline bool grz_is_hit(const graze_world *world, uint32_t place)
{
    return grz_place_of(place) < world->found.hit_room;
}

/// Returns the fresh contact at a place, one past those of the hits.
static inline graze_contact *grz_fresh_at(const graze_world *world, uint32_t place)
{
    return &world->found.fresh.data[grz_place_of(place) - world->found.hit_room];
}

/// Returns the place after the hits of kinematic bodies: there those of rays begin.
static inline uint32_t grz_fixed_hits_end(const graze_world *world)
{
    GRZ_ASSERT(world->found.part_count > 0);
    const grz_part_list *last = &world->found.parts[world->found.part_count - 1].hits;
    return last->first + (uint32_t)last->count;
}

/// Returns whether a hit is one by which a ray is spent.
static inline bool grz_is_ray_hit(const graze_world *world, uint32_t place)
{
    return grz_place_of(place) >= world->found.ray_hits_first;
}

_Static_assert(GRAZE_CONTACT_SENSOR == 1 && GRAZE_CONTACT_BLOCKED == 1 << 1,
               "a rank's flag is one or the other");

/// Returns the flags of a hit, by its rank, and whether it is one by which a ray is spent.
static inline uint32_t grz_hit_flags(uint64_t rank, uint32_t of_ray)
{
    return (uint32_t)(rank & 1) << of_ray | of_ray * (uint32_t)GRAZE_CONTACT_SPENT;
}

/// Returns the impulse by which a ray is stopped that a hit spends, as it is reported.
float grz_impulse_of_ray_hit(const graze_world *world, const graze_contact *contact);

/// Returns whether all fresh contacts are those by which plain rays are spent (rays.c). None
/// of these rays met anything in the last step, and each has one contact: so all of them begin, and
/// no two share a rank.
static inline bool grz_do_fresh_begin(const graze_world *world)
{
    return world->found.fresh.count + world->found.ray_hit_count == world->bullets.spent.count;
}

static inline bool grz_have_same_segment(const graze_contact *first, const graze_contact *second)
{
    return grz_compare_segments(first->segment, second->segment) == 0;
}

/// Returns whether the contact at this place of the order is of the same two as the one before it.
static inline bool grz_order_goes_on(const graze_world *world, uint32_t k)
{
    const uint64_t *ranks = world->reports.order.ranks;
    const uint32_t *places = world->reports.order.places;
    return world->reports.has_runs && k > 0 && ranks[k - 1] == ranks[k] &&
           grz_have_same_segment(grz_fresh_at(world, places[k - 1]),
                                 grz_fresh_at(world, places[k]));
}

/// Writes the contacts at places [first, end) of the order, all of which are hits.
typedef void grz_write_hits_fn(const graze_world *world, uint32_t first, uint32_t end,
                               graze_contact *contacts);

/// The loops that exist for each set of lanes.
typedef struct grz_write_loops {
    grz_write_hits_fn *write_hits;
} grz_write_loops;

GRZ_DECLARE_WIDE(grz_write_loops, grz_write_loops);

#endif
