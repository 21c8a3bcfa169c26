// The batch tests of many.h: each call chooses its lanes; the loops are in many_wide.h.

#include "many_table.h"

// Asked on each call, which takes some tens of nanoseconds: the library keeps no state outside of
// worlds and grids.
static const grz_many_table *choose_table(void)
{
    static const grz_many_table *const tables[] = GRZ_WIDE_TABLES(grz_many);
    return tables[grz_lanes_choose()];
}

#define DEFINE_MANY(name, type_a, type_b, type_answer, is_hit)                                     \
    uint32_t graze_##name##_many(const type_a *a, const type_b *b, uint32_t count,                 \
                                 type_answer *answers)                                             \
    {                                                                                              \
        return choose_table()->name(a, b, count, answers);                                         \
    }

GRZ_PAIR_KERNELS(DEFINE_MANY)

uint32_t graze_cast_circle_circle_many(const graze_circle *movers, const graze_vec2 *deltas,
                                       const graze_circle *targets, uint32_t count, graze_hit *hits)
{
    return choose_table()->cast_circle_circle(movers, deltas, targets, count, hits);
}
