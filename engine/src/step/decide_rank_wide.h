/// @file decide_rank_wide.h
/// Chooses which body of a pair is a, and computes the rank of their contact, many at a time.
/// Included by decide_wide.h alone.

// As grz_rank_pair does.
static inline void rank_lanes(const grz_rows *rows, const graze_pair *pairs, bool with_traits,
                              grz_ranked_pairs *ranked)
{
    ints row_a, row_b;
    load_pairs(&pairs->a, &row_a, &row_b);
    const ints index_a = gather_ints(rows->index, &pairs->a, 2);
    const ints index_b = gather_ints(rows->index, &pairs->b, 2);
    const floats_mask turned = less_ints(index_b, index_a);
    const ints first = select_ints(turned, index_b, index_a);
    ints second = shift_left(select_ints(turned, index_a, index_b), 1);
    if (with_traits) {
        const ints of_a = gather_ints(rows->traits, &pairs->a, 2);
        const ints of_b = gather_ints(rows->traits, &pairs->b, 2);
        const ints either = or_ints(of_a, of_b);
        const ints spins = and_ints(either, fill_ints(GRZ_TRAIT_SPINS));
        const ints sensors = and_ints(either, fill_ints(GRZ_TRAIT_SENSOR));
        const floats_mask are_sensors = less_ints(fill_ints(0), sensors);
        second = or_ints(second, select_ints(are_sensors, fill_ints(1), fill_ints(0)));
        store_ints(ranked->traits + ranked->count, or_ints(select_ints(turned, of_b, of_a), spins));
    }
    store_ints(ranked->a + ranked->count, select_ints(turned, row_b, row_a));
    store_ints(ranked->b + ranked->count, select_ints(turned, row_a, row_b));
    store_longs(ranked->ranks + ranked->count, second, first);
    ranked->count += GRZ_WIDTH;
}

// HOT. bench: engine/step/gas
//
// Data    The pair and two indices read, 16 bytes, and if there are sensors or rects two rows'
//         traits, 8; 16 or 20 written.
// Branch  None: which index is the smaller cannot be predicted.
static void rank_pairs(const grz_rows *rows, const graze_pair *pairs, uint32_t count,
                       bool with_traits, grz_ranked_pairs *ranked)
{
    uint32_t k = 0;
    ranked->count = 0;
    for (; count - k >= GRZ_WIDTH; k += GRZ_WIDTH) {
        rank_lanes(rows, pairs + k, with_traits, ranked);
    }
    for (; k < count; ++k) {
        grz_rank_pair(rows, pairs[k], ranked);
    }
}
