/// @file contact_write_wide.h
/// Writing contacts a vector at a time: see contact_order.h and lanes.h.

#include "prefetch.h"
#include "step/contact_order.h"
#include "stream.h"

enum {
    HITS_AHEAD = 128,     ///< How far ahead hits are prefetched; where these are many, from memory
    HITS_FAR_AHEAD = 256, ///< into the second cache, which can fetch more lines at a time,
    HITS_NEAR_AHEAD = 16  ///< and from there into the first.
};

_Static_assert(sizeof(grz_hit) == 8 * 4 && offsetof(grz_hit, time_or_depth) == 2 * 4 &&
                   offsetof(grz_hit, approach) == 7 * 4 && sizeof(graze_contact) == 17 * 4 &&
                   offsetof(graze_contact, segment) == 4 * 4 &&
                   offsetof(graze_contact, time) == 7 * 4 &&
                   offsetof(graze_contact, depth) == 12 * 4 &&
                   offsetof(graze_contact, approach) == 13 * 4 &&
                   offsetof(graze_contact, phase) == 15 * 4 &&
                   offsetof(graze_contact, flags) == 16 * 4,
               "a contact is what write_seventeen writes");
_Static_assert(GRZ_BEGINS == UINT32_C(1) << 31 && GRAZE_CONTACT_BEGIN == 0 &&
                   GRAZE_CONTACT_STAY == 1 && GRAZE_CONTACT_SENSOR == 1,
               "its phase and flags are bits of its place and rank");

/// What is written.
typedef struct writing {
    const uint64_t *ranks;  ///< Of the order.
    const uint32_t *places; ///< Likewise.
    const grz_hit *hits;
    uint32_t ray_hits_first;
} writing;

// Where some hits are of rays, flags are written again: those have others, and impulses.
static inline void write_contact(const graze_world *world, const writing *from, uint32_t k,
                                 bool has_rays, graze_contact *contact)
{
    const uint64_t rank = from->ranks[k];
    const uint32_t place = grz_place_of(from->places[k]);
    write_seventeen(contact, &from->hits[place], rank, ~from->places[k]);
    if (has_rays) {
        contact->flags = grz_hit_flags(rank, place >= from->ray_hits_first);
        if (contact->flags & GRAZE_CONTACT_BLOCKED) {
            contact->impulse = grz_impulse_of_ray_hit(world, contact);
        }
    }
}

static inline void write_some(const graze_world *world, uint32_t first, uint32_t end, bool has_rays,
                              bool many, graze_contact *contacts)
{
    const uint32_t ahead = many ? HITS_FAR_AHEAD : HITS_AHEAD;
    const writing from = {world->reports.order.ranks, world->reports.order.places,
                          world->found.hits.data, world->found.ray_hits_first};
    const uint32_t rest = world->reports.order.count - first;
    const uint32_t prefetch_end = first + (rest > ahead ? rest - ahead : 0);
    uint32_t k = first;
    for (; k < end && k < prefetch_end; ++k) {
        grz_prefetch(&from.hits[grz_place_of(from.places[k + ahead])], many);
        if (many) {
            GRZ_PREFETCH(&from.hits[grz_place_of(from.places[k + HITS_NEAR_AHEAD])]);
        }
        write_contact(world, &from, k, has_rays, contacts++);
    }
    for (; k < end; ++k) {
        write_contact(world, &from, k, has_rays, contacts++);
    }
}

// HOT. bench: engine/step/clusters, engine/step/gas/1M
//
// Data    12 bytes of the order and 32 of a hit read, the latter out of order: prefetched far
//         ahead, also of the next block. 68 of a contact written in order.
// Branch  None, but for rays.
static void write_hits(const graze_world *world, uint32_t first, uint32_t end,
                       graze_contact *contacts)
{
    if (world->found.ray_hit_count) {
        write_some(world, first, end, true, false, contacts);
    } else if (world->reports.order.count < GRZ_STREAMED_ITEMS) {
        write_some(world, first, end, false, false, contacts);
    } else {
        write_some(world, first, end, false, true, contacts);
    }
}

const grz_write_loops GRZ_WIDE(grz_write_loops) = {write_hits};
