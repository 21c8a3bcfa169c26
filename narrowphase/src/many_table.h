/// @file many_table.h
/// The functions of many.h that work on lanes, one table a set.
#ifndef GRZ_MANY_TABLE_H
#define GRZ_MANY_TABLE_H

#include <graze/many.h>

#include "lanes_choice.h"

/// The kernels of pairs: a name, the types of both and of the answer, and when that is a hit.
#define GRZ_PAIR_KERNELS(DO)                                                                       \
    DO(overlap_aabbs, graze_aabb, graze_aabb, bool, answer)                                        \
    DO(overlap_circles, graze_circle, graze_circle, bool, answer)                                  \
    DO(collide_circles, graze_circle, graze_circle, graze_manifold, answer.count > 0)              \
    DO(collide_circle_segment, graze_circle, graze_segment, graze_manifold, answer.count > 0)      \
    DO(collide_circle_rect, graze_circle, graze_rect, graze_manifold, answer.count > 0)            \
    DO(collide_rects, graze_rect, graze_rect, graze_manifold, answer.count > 0)                    \
    DO(cast_ray_segment, graze_ray, graze_segment, graze_hit, answer.hit)                          \
    DO(cast_ray_circle, graze_ray, graze_circle, graze_hit, answer.hit)

typedef struct grz_many_table {
#define GRZ_MEMBER(name, type_a, type_b, type_answer, is_hit)                                      \
    uint32_t (*name)(const type_a *, const type_b *, uint32_t, type_answer *);
    GRZ_PAIR_KERNELS(GRZ_MEMBER)
#undef GRZ_MEMBER
    uint32_t (*cast_circle_circle)(const graze_circle *, const graze_vec2 *, const graze_circle *,
                                   uint32_t, graze_hit *);
} grz_many_table;

GRZ_DECLARE_WIDE(grz_many_table, grz_many);

#endif
