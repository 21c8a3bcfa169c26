/// @file many_table.h
/// The functions of many.h that work on lanes, one table a set.
#ifndef GRZ_MANY_TABLE_H
#define GRZ_MANY_TABLE_H

#include <graze/many.h>

#include "lanes_choice.h"

typedef struct grz_many_table {
    uint32_t (*overlap_aabbs)(const graze_aabb *, const graze_aabb *, uint32_t, bool *);
    uint32_t (*overlap_circles)(const graze_circle *, const graze_circle *, uint32_t, bool *);
    uint32_t (*collide_circles)(const graze_circle *, const graze_circle *, uint32_t,
                                graze_manifold *);
    uint32_t (*collide_circle_segment)(const graze_circle *, const graze_segment *, uint32_t,
                                       graze_manifold *);
    uint32_t (*collide_circle_rect)(const graze_circle *, const graze_rect *, uint32_t,
                                    graze_manifold *);
    uint32_t (*collide_rects)(const graze_rect *, const graze_rect *, uint32_t, graze_manifold *);
    uint32_t (*cast_ray_segment)(const graze_ray *, const graze_segment *, uint32_t, graze_hit *);
    uint32_t (*cast_ray_circle)(const graze_ray *, const graze_circle *, uint32_t, graze_hit *);
    uint32_t (*cast_circle_circle)(const graze_circle *, const graze_vec2 *, const graze_circle *,
                                   uint32_t, graze_hit *);
} grz_many_table;

GRZ_DECLARE_WIDE(grz_many_table, grz_many);

#endif
