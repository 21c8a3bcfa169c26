#include "world/contact_keys.h"

#include "bits.h"

#include <string.h>

// Copies from array to array. A key composed on the stack by small stores and read back by wide
// loads would stall the processor.
void grz_keys_copy(const graze_world *world, void *to)
{
    const uint32_t count = world->reports.keys.count;
    if (world->reports.keys_apart && count) {
        memcpy(to, world->reports.keys.data, count * sizeof *world->reports.keys.data);
        return;
    }
    const graze_contact *contacts = world->reports.contacts.data;
    unsigned char *next = to;
    for (uint32_t k = 0; k < count; ++k, next += sizeof(graze_contact_end)) {
        memcpy(next, &contacts[k], sizeof(graze_contact_end));
    }
}

// A bit per index: it is in a key of the last step.
bool grz_note_met_before(graze_world *world)
{
    const uint32_t words = world->bodies.cold.count / 32 + 1;
    if (!grz_array_reserve(&world->found.met_before, &world->config.counting, words)) {
        return false;
    }
    uint32_t *bits = world->found.met_before.data;
    for (uint32_t i = 0; i < words; ++i) {
        bits[i] = 0;
    }
    for (uint32_t i = 0; i < world->reports.keys.count; ++i) {
        const uint64_t rank = grz_rank_at(world, i);
        bits[grz_a_of_rank(rank) / 32] |= UINT32_C(1) << grz_a_of_rank(rank) % 32;
        bits[grz_b_of_rank(rank) / 32] |= UINT32_C(1) << grz_b_of_rank(rank) % 32;
    }
    return true;
}

// The index has about one entry for two keys.
bool grz_keys_index(graze_world *world)
{
    if (world->reports.keys_indexed) {
        return true;
    }
    const uint32_t index_bits = grz_count_bits_of(world->bodies.cold.count);
    const uint32_t key_bits = grz_count_bits_of(world->reports.keys.count / 2);
    const uint32_t bits = key_bits < index_bits ? key_bits : index_bits;
    const uint32_t buckets = 1u << bits;
    if (!grz_array_reserve(&world->reports.key_starts, &world->config.counting,
                           (size_t)buckets + 1)) {
        return false;
    }
    uint32_t *starts = world->reports.key_starts.data;
    uint32_t bucket = 0;
    world->reports.key_shift = index_bits - bits;
    starts[0] = 0;
    for (uint32_t k = 0; k < world->reports.keys.count; ++k) {
        while (bucket < grz_a_of_rank(grz_rank_at(world, k)) >> world->reports.key_shift) {
            starts[++bucket] = k;
        }
    }
    while (bucket < buckets) {
        starts[++bucket] = world->reports.keys.count;
    }
    world->reports.keys_indexed = true;
    return true;
}

/// Some keys of the last step, in order: from `first` to end - 1.
typedef struct key_range {
    uint32_t first, end;
} key_range;

// The rank tells most keys apart, and is at hand. It orders them as they are: no two of one step's
// keys have the same index with different generations.
static inline int compare_with_key(const graze_world *world, uint32_t k, uint64_t rank,
                                   const graze_contact_end *wanted)
{
    const uint64_t other = grz_rank_at(world, k);
    if (other != rank) {
        return other < rank ? -1 : 1;
    }
    const graze_contact_end key = grz_key_at(world, k);
    return grz_compare_keys(&key, wanted);
}

// Narrows a range down to the place of a key, or to where it would be. Returns whether it is there.
static inline bool find_key(const graze_world *world, const graze_contact_end *wanted,
                            key_range *range)
{
    const uint64_t rank = grz_rank(wanted->a.index, wanted->b.index);
    while (range->first < range->end) {
        const uint32_t middle = range->first + (range->end - range->first) / 2;
        const int order = compare_with_key(world, middle, rank, wanted);
        if (order == 0) {
            range->first = range->end = middle;
            return true;
        }
        range->first = order < 0 ? middle + 1 : range->first;
        range->end = order < 0 ? range->end : middle;
    }
    return false;
}

bool grz_pair_met_before(const graze_world *world, const graze_contact_end *key)
{
    const uint32_t *start =
        world->reports.key_starts.data + (key->a.index >> world->reports.key_shift);
    key_range range = {start[0], start[1]};
    return find_key(world, key, &range);
}

uint32_t grz_keys_of_terrain(const graze_world *world, graze_body_id body)
{
    const graze_contact_end wanted = {.a = body};
    key_range range = {0, world->reports.keys.count};
    find_key(world, &wanted, &range);
    return range.first;
}

bool grz_key_is_of_terrain(const graze_world *world, graze_body_id body, uint32_t key,
                           graze_segment_id *segment)
{
    if (key >= world->reports.keys.count) {
        return false;
    }
    const graze_contact_end found = grz_key_at(world, key);
    *segment = found.segment;
    return grz_compare_ids(found.a, body) == 0 && found.b.generation == 0;
}
