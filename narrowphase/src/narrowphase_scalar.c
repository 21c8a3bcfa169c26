// The kernels that take arrays of pairs, without lanes: the single ones in a loop. Lanes one after
// the other would take two to three times as long. bench: narrowphase/collide_rects_many

#include <graze/overlap.h>

#include "many_table.h"

#define ONE_BY_ONE(name, type_a, type_b, type_answer, is_hit)                                      \
    static uint32_t name(const type_a *a, const type_b *b, uint32_t count, type_answer *answers)   \
    {                                                                                              \
        uint32_t hits = 0;                                                                         \
        for (uint32_t i = 0; i < count; ++i) {                                                     \
            const type_answer answer = graze_##name(a[i], b[i]);                                   \
            answers[i] = answer;                                                                   \
            hits += is_hit;                                                                        \
        }                                                                                          \
        return hits;                                                                               \
    }

GRZ_PAIR_KERNELS(ONE_BY_ONE)

static uint32_t cast_circle_circle(const graze_circle *movers, const graze_vec2 *deltas,
                                   const graze_circle *targets, uint32_t count, graze_hit *hits)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; ++i) {
        hits[i] = graze_cast_circle_circle(movers[i], deltas[i], targets[i]);
        found += hits[i].hit;
    }
    return found;
}

const grz_many_table grz_many_scalar = {
    overlap_aabbs, overlap_circles,  collide_circles, collide_circle_segment, collide_circle_rect,
    collide_rects, cast_ray_segment, cast_ray_circle, cast_circle_circle};
