/// @file query_rays_wide.h
/// The loop that finds where rays meet circles: see lanes.h.

#include "api/query_rays.h"
#include "step/decide_wide.h"

static inline motion_lanes load_motions_of_rays(const grz_rows *rows, const graze_vec2 *from,
                                                const graze_vec2 *to, const uint32_t *ray,
                                                const uint32_t *row)
{
    motion_lanes motion;
    const vectors start = load_vectors(from, ray);
    motion.b = load_vectors(rows->position, row);
    motion.a.start = sub_vectors(start, motion.b);
    motion.a.delta = sub_vectors(load_vectors(to, ray), start);
    motion.b_delta = join(fill_numbers(0), fill_numbers(0));
    return motion;
}

// Whether a circle's box and a ray overlap on one axis, by two sides and two ends.
static inline doubles_mask overlap_on_axis(doubles from, doubles to, doubles centre, doubles radius)
{
    const doubles lower = min_doubles(from, to), upper = max_doubles(from, to);
    return mask_and_d(at_most_doubles(sub_doubles(centre, radius), upper),
                      at_most_doubles(lower, add_doubles(centre, radius)));
}

// Whether a ray's line surely meets a circle's box. The share exceeds all rounding errors here.
static inline doubles_mask meet_lines(const motion_lanes *motion, doubles radius)
{
    const doubles rounding_share = fill_doubles(0x1p-49);
    const doubles rise = mul_doubles(motion->a.start.x, motion->a.delta.y);
    const doubles run = mul_doubles(motion->a.start.y, motion->a.delta.x);
    const doubles magnitude = add_doubles(absolute_doubles(rise), absolute_doubles(run));
    const doubles extent = mul_doubles(radius, add_doubles(absolute_doubles(motion->a.delta.x),
                                                           absolute_doubles(motion->a.delta.y)));
    return at_most_doubles(add_doubles(absolute_doubles(sub_doubles(rise, run)),
                                       mul_doubles(magnitude, rounding_share)),
                           extent);
}

// If these hold so does grz_is_near_ray: the rounding of a side in double is less than the margin
// of its boxes.
static inline doubles_mask find_near(const graze_vec2 *from, const graze_vec2 *to,
                                     const uint32_t *ray, const motion_lanes *motion,
                                     const reach_lanes *reaches)
{
    const vectors start = load_vectors(from, ray), end = load_vectors(to, ray);
    const doubles_mask overlap =
        mask_and_d(overlap_on_axis(start.x, end.x, motion->b.x, reaches->radius_b),
                   overlap_on_axis(start.y, end.y, motion->b.y, reaches->radius_b));
    return mask_and_d(overlap, meet_lines(motion, reaches->radius_b));
}

static inline void store_touches(const sweeps *touch, uint32_t first, grz_body_ray_meets *meets)
{
    store_doubles(meets->time + first, touch->time);
    store_doubles(meets->x + first, touch->point.x);
    store_doubles(meets->y + first, touch->point.y);
    store_doubles(meets->normal_x + first, touch->normal.x);
    store_doubles(meets->normal_y + first, touch->normal.y);
}

static inline void pad_rays(grz_body_ray_pairs *pairs)
{
    for (uint32_t pad = 0; pad < GRZ_WIDTH_D; ++pad) {
        pairs->ray[pairs->count + pad] = 0;
        pairs->row[pairs->count + pad] = 0;
    }
}

// HOT. bench: engine/query_ray_many/bullets-bodies
//
// Data    Both ends of a ray, position and half extents of a row, 32 bytes; 44 written a pair, in
//         the nearest cache.
// Branch  On whether any lane begins inside a circle, and on pairs left to the single kernel, which
//         are very few: among them touches by rounding alone.
// Order   That of the pairs; nothing depends on it.
static void meet_rays(const grz_rows *rows, const graze_vec2 *from, const graze_vec2 *to,
                      grz_body_ray_pairs *pairs, grz_body_ray_meets *meets)
{
    meets->met_count = 0;
    meets->open_count = 0;
    pad_rays(pairs);
    for (uint32_t first = 0; first < pairs->count; first += GRZ_WIDTH_D) {
        const uint32_t valid = valid_lanes(pairs->count - first, GRZ_WIDTH_D);
        const motion_lanes motion =
            load_motions_of_rays(rows, from, to, pairs->ray + first, pairs->row + first);
        const reach_lanes reaches = load_radii(rows, pairs->row + first);
        const sweeps touch = sweep_motions(&motion, &reaches);
        const doubles_mask is_near = find_near(from, to, pairs->ray + first, &motion, &reaches);
        const uint32_t hits = mask_bits_d(mask_and_d(touch.hit, is_near)) & valid;
        const doubles_mask unsure = mask_but_not_d(touch.hit, is_near);
        const uint32_t open = mask_bits_d(mask_or_d(touch.rare, unsure)) & valid;
        const ints places = add_ints(fill_ints(first), number_lanes());
        store_touches(&touch, first, meets);
        pack_ints(meets->met + meets->met_count, hits, places);
        meets->met_count += count_bits(hits);
        if (open) {
            pack_ints(meets->open + meets->open_count, open, places);
            meets->open_count += count_bits(open);
        }
    }
}

const grz_body_ray_loops GRZ_WIDE(grz_body_ray_loops) = {meet_rays};
