/// @file contact_region_wide.h
/// The order of contacts in lanes: see contact_region.h and lanes.h.

#include "contact_region.h"

enum { RUN_LIMIT = 8 * GRZ_WIDTH < GRZ_RUN_LIMIT ? 8 * GRZ_WIDTH : GRZ_RUN_LIMIT };

// Where the contacts of the next lanes go: as far on as there are smaller keys after them, back as
// there are greater ones before. Those are of the same a, and so not far.
static inline ints find_places(const grz_region *of, uint32_t first)
{
    const uint32_t *keys = of->keys + first;
    const ints own = load_ints(keys);
    ints after = add_ints(number_lanes(), fill_ints(first)), before = fill_ints(0);
    for (uint32_t d = 1; d < of->most; ++d) {
        const floats_mask smaller = less_ints(load_ints(keys + d), own);
        const floats_mask greater = less_ints(own, load_ints(keys - d));
        after = count_in(after, smaller);
        before = count_in(before, greater);
    }
    return sub_ints(after, before);
}

// HOT. bench: engine/step/clusters
//
// Data    4 bytes of a key read, and of those around it from the first cache, 4 of a place; 12
//         written, nearly in order.
// Branch  None: which of two is the smaller is a toss of a coin.
static void order_region(const grz_region *region, grz_sorted *items)
{
    const grz_region of = *region;
    for (uint32_t first = 0; first < of.count; first += GRZ_WIDTH) {
        const uint32_t rest = of.count - first;
        const uint32_t some = rest < GRZ_WIDTH ? rest : GRZ_WIDTH;
        uint32_t to[GRZ_WIDTH];
        store_ints(to, find_places(&of, first));
        for (uint32_t k = 0; k < some; ++k) {
            items[to[k]] = grz_sorted_of_key(&of.cut, of.keys[first + k], of.places[first + k]);
        }
    }
}

const grz_region_loops GRZ_WIDE(grz_region_loops) = {RUN_LIMIT, order_region};
