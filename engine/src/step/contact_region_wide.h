/// @file contact_region_wide.h
/// Sorts contacts in lanes: see contact_region.h and lanes.h.

#include "min_max.h"
#include "step/contact_region.h"

enum { RUN_LIMIT = 8 * GRZ_WIDTH < GRZ_RUN_LIMIT ? 8 * GRZ_WIDTH : GRZ_RUN_LIMIT };

// HOT. bench: engine/step/clusters
//
// Data    8 bytes of a rank read, 4 of a key written, in order.
// Branch  None.
static void cut_keys(const grz_key_cut *cut, const uint64_t *ranks, uint32_t count, uint32_t *keys)
{
    const ints first_a = fill_ints(cut->first_a);
    uint32_t k = 0;
    for (; count - k >= GRZ_WIDTH; k += GRZ_WIDTH) {
        ints low, a;
        load_pairs(ranks + k, &low, &a);
        store_ints(keys + k, or_ints(shift_left(sub_ints(a, first_a), cut->b_bits), low));
    }
    for (; k < count; ++k) {
        keys[k] = grz_key_of_rank(cut, ranks[k]);
    }
}

// Stores the ranks of all lanes: see grz_rank_of_key.
static inline void store_ranks(const grz_key_cut *cut, ints keys, uint64_t *ranks)
{
    const ints a = shift_right(keys, cut->b_bits);
    const ints low = and_ints(keys, fill_ints((1u << cut->b_bits) - 1));
    store_longs(ranks, low, add_ints(a, fill_ints(cut->first_a)));
}

// Returns whether the key `far` places before or after any lane is still of that lane's run.
static inline bool reach_own_runs(const grz_region *region, const uint32_t *keys, ints own,
                                  uint32_t far)
{
    const ints first = and_ints(own, fill_ints(~region->run_mask));
    const ints last = or_ints(own, fill_ints(region->run_mask));
    const floats_mask is_after = less_ints(last, load_ints(keys + far));
    const floats_mask is_before = less_ints(load_ints(keys - far), first);
    return mask_bits(mask_and(is_after, is_before)) != (1u << GRZ_WIDTH) - 1;
}

// Returns the places of the next lanes' contacts: each moves on by the number of smaller keys after
// it, and back by the number of greater ones before it. These are all of its own run, and so near.
static inline ints find_places(const grz_region *region, uint32_t first)
{
    const uint32_t *keys = region->keys + first;
    const ints own = load_ints(keys);
    ints after = add_ints(number_lanes(), fill_ints(first)), before = fill_ints(0);
    for (uint32_t far = 1; far < region->most && reach_own_runs(region, keys, own, far);
         far += GRZ_REGION_STRIDE) {
        for (uint32_t d = far; d < far + GRZ_REGION_STRIDE; ++d) {
            after = count_in(after, less_ints(load_ints(keys + d), own));
            before = count_in(before, less_ints(own, load_ints(keys - d)));
        }
    }
    return sub_ints(after, before);
}

// HOT. bench: engine/step/clusters
//
// Data    4 bytes of a key read, and of those around it from the first cache, 4 of a place; 12
//         written, nearly in order.
// Branch  None: which of two is the smaller cannot be predicted.
static void order_region(const grz_region *region, uint64_t *ranks, uint32_t *places)
{
    const grz_region local = *region;
    for (uint32_t first = 0; first < local.count; first += GRZ_WIDTH) {
        const uint32_t rest = local.count - first;
        const uint32_t some = min_u32(rest, GRZ_WIDTH);
        uint32_t to[GRZ_WIDTH];
        uint64_t own[GRZ_WIDTH];
        store_ints(to, find_places(&local, first));
        store_ranks(&local.cut, load_ints(local.keys + first), own);
        for (uint32_t k = 0; k < some; ++k) {
            ranks[to[k]] = own[k];
            places[to[k]] = local.places[first + k];
        }
    }
}

const grz_region_loops GRZ_WIDE(grz_region_loops) = {RUN_LIMIT, cut_keys, order_region};
