/// @file contact_write_wide.h
/// Writing contacts a vector at a time: see contact_write.h and lanes.h.

#include "contact/contact_write.h"
#include "prefetch.h"

enum { HITS_AHEAD = 128 }; ///< How far ahead hits are prefetched.

_Static_assert(sizeof(grz_hit) == 8 * 4 && offsetof(grz_hit, time) == 2 * 4 &&
                   sizeof(graze_contact) == 15 * 4 && offsetof(graze_contact, segment) == 4 * 4 &&
                   offsetof(graze_contact, time) == 7 * 4 &&
                   offsetof(graze_contact, phase) == 13 * 4 &&
                   offsetof(graze_contact, flags) == 14 * 4,
               "a contact is what write_fifteen writes");
_Static_assert(GRZ_BEGINS == UINT32_C(1) << 31 && GRAZE_CONTACT_BEGIN == 0 &&
                   GRAZE_CONTACT_STAY == 1 && GRAZE_CONTACT_SENSOR == 1,
               "its phase and flags are bits of its place and rank");

// HOT. bench: engine/step/clusters
//
// Data    12 bytes of the order and 32 of a hit read, the latter out of order: prefetched far
//         ahead, also of the next block. 60 of a contact written in order.
// Branch  None.
static void write_hits(const graze_world *world, uint32_t first, uint32_t end,
                       graze_contact *contacts)
{
    const uint64_t *ranks = world->order.ranks;
    const uint32_t *places = world->order.places;
    const grz_hit *hits = world->hits.data;
    const uint32_t rest = world->order.count - first;
    const uint32_t prefetch_end = first + (rest > HITS_AHEAD ? rest - HITS_AHEAD : 0);
    uint32_t k = first;
    for (; k < end && k < prefetch_end; ++k) {
        GRZ_PREFETCH(&hits[grz_place_of(places[k + HITS_AHEAD])]);
        write_fifteen(contacts++, &hits[grz_place_of(places[k])], ranks[k], ~places[k]);
    }
    for (; k < end; ++k) {
        write_fifteen(contacts++, &hits[grz_place_of(places[k])], ranks[k], ~places[k]);
    }
}

const grz_write_loops GRZ_WIDE(grz_write_loops) = {write_hits};
