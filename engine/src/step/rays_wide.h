/// @file rays_wide.h
/// The loops over many rays at a time: see lanes.h.

#include <graze/sweep.h>

#define GRZ_BLOCK_VECTORS 1

#include "numbers_wide.h"
#include "step/rays.h"

_Static_assert(sizeof(graze_ray) == 2 * sizeof(graze_vec2), "rays are rows of points");

static floats_mask is_not_zero(ints a)
{
    return less_ints(fill_ints(0), a);
}

/// Which of some rows are dynamic rays, and which of these have links: one bit per lane.
typedef struct ray_rows {
    uint32_t rays, linked;
} ray_rows;

static ray_rows find_rays(const uint32_t *traits, const uint32_t *links, grz_row row,
                          uint32_t count)
{
    const ints of = load_ints(traits + row);
    const ints kind = and_ints(of, fill_ints(GRZ_TRAIT_KIND));
    const floats_mask is_free = is_not_zero(and_ints(of, fill_ints(GRZ_TRAIT_FREE)));
    const floats_mask is_ray = mask_and(is_free, equal_ints(kind, fill_ints(GRAZE_SHAPE_RAY)));
    const uint32_t wanted = (UINT32_C(1) << (count < GRZ_WIDTH ? count : GRZ_WIDTH)) - 1;
    ray_rows found = {mask_bits(is_ray) & wanted, 0};
    if (links) {
        found.linked =
            found.rays & mask_bits(less_ints(load_ints(links + row), fill_ints(GRZ_NONE)));
    }
    return found;
}

// Stores those that have links: few, where all rays are listed.
static void put_linked(grz_ray_list *list, ray_rows found)
{
    for (uint32_t left = found.linked; left; left &= left - 1) {
        const uint32_t before = found.rays & ((left & (0 - left)) - 1);
        list->linked[list->linked_count++] = list->count + count_bits(before);
    }
}

// HOT. bench: engine/step/bullets-terrain/1k
//
// Data    8 bytes of a row, in sequence; 4 written for each ray, and 4 more if it has links.
// Branch  None per row, except in lists of all rays, few of which have links. Rays among rows
//         cannot be predicted.
static uint32_t list_rays(const uint32_t *traits, const uint32_t *links, grz_row row, uint32_t end,
                          bool all, grz_ray_list *list)
{
    list->count = 0;
    list->linked_count = 0;
    for (; row < end && list->count + GRZ_WIDTH <= GRZ_RAYS_AT_ONCE; row += GRZ_WIDTH) {
        const ray_rows found = find_rays(traits, links, row, end - row);
        const uint32_t listed = all ? found.rays : found.linked;
        if (all) {
            put_linked(list, found);
        } else {
            store_ints(list->linked + list->count,
                       add_ints(number_lanes(), fill_ints(list->count)));
            list->linked_count += count_bits(listed);
        }
        pack_ints(list->rows + list->count, listed, add_ints(number_lanes(), fill_ints(row)));
        list->count += count_bits(listed);
    }
    return row < end ? row : end;
}

// HOT. bench: engine/query_ray_many/bullets-terrain
//
// Data    16 bytes of a ray, in sequence.
// Branch  None: x - x is 0, or NaN if x is not finite, and a sum with a NaN stays NaN. Testing ends
//         suffices: if an origin is not finite, neither is the end.
// Lanes   Rays are origin x, y, delta x, y: origins are the halves, in whatever order.
static bool are_finite_rays(const graze_ray *rays, uint32_t count)
{
    enum { AT_ONCE = GRZ_WIDTH / 2 };
    floats doubt = fill_floats(0);
    uint32_t i = 0;
    for (; i + AT_ONCE <= count; i += AT_ONCE) {
        const float *next = &rays[i].origin.x;
        const floats first = load_floats(next), second = load_floats(next + GRZ_WIDTH);
        const floats ends = add_floats(low_halves(first, second), high_halves(first, second));
        doubt = add_floats(doubt, sub_floats(ends, ends));
    }
    bool all = mask_bits(at_most_floats(doubt, doubt)) == (UINT32_C(1) << GRZ_WIDTH) - 1;
    for (; i < count; ++i) {
        all &= is_finite(graze_vec2_add(rays[i].origin, rays[i].delta));
    }
    return all;
}

// HOT. bench: engine/query_ray_many/bullets-terrain
//
// Data    16 bytes of a ray read, 16 written, in sequence.
static void load_rays(const graze_ray *rays, uint32_t count, graze_vec2 *from, graze_vec2 *to)
{
    enum { AT_ONCE = GRZ_WIDTH / 2 };
    uint32_t i = 0;
    for (; i + AT_ONCE <= count; i += AT_ONCE) {
        floats origin, delta;
        split_points(&rays[i].origin, &origin, &delta);
        store_floats(&from[i].x, origin);
        store_floats(&to[i].x, add_floats(origin, delta));
    }
    for (; i < count; ++i) {
        from[i] = rays[i].origin;
        to[i] = graze_vec2_add(rays[i].origin, rays[i].delta);
    }
}

/// A determinant, and whether its sign and its value can be used.
typedef struct side_lanes {
    doubles value;
    doubles_mask is_clear;
} side_lanes;

// The value is clear if it is more than `share` of its products.
static side_lanes side_of_lanes(vectors a, vectors b, doubles share)
{
    const doubles left = mul_doubles(a.x, b.y), right = mul_doubles(a.y, b.x);
    const doubles value = sub_doubles(left, right);
    const doubles sum = add_doubles(absolute_doubles(left), absolute_doubles(right));
    const side_lanes side = {value, less_doubles(mul_doubles(share, sum), absolute_doubles(value))};
    return side;
}

static doubles_mask differ_in_sign(doubles a, doubles b)
{
    const doubles zero = fill_doubles(0);
    const doubles_mask first = less_doubles(zero, a), second = less_doubles(zero, b);
    return mask_or_d(mask_but_not_d(first, second), mask_but_not_d(second, first));
}

/// Which moves cross which walls.
typedef struct verdict {
    uint32_t crosses; ///< One bit per lane.
    uint32_t is_open; ///< Likewise: rounding hides the answer.
} verdict;

/// On which sides of walls the ends of moves lie, and of moves the ends of walls.
typedef struct wide_sides {
    side_lanes before, after, at_a, at_b;
} wide_sides;

static wide_sides find_sides(vectors from, vectors to, vectors a, vectors b, doubles share)
{
    const vectors a_from = sub_vectors(a, from), b_from = sub_vectors(b, from);
    const vectors a_to = sub_vectors(a, to), b_to = sub_vectors(b, to);
    const wide_sides found = {side_of_lanes(a_from, b_from, share),
                              side_of_lanes(a_to, b_to, share), side_of_lanes(a_from, a_to, share),
                              side_of_lanes(b_from, b_to, share)};
    return found;
}

static verdict judge_sides(const wide_sides *of)
{
    const uint32_t clear =
        mask_bits_d(mask_and_d(mask_and_d(of->before.is_clear, of->after.is_clear),
                               mask_and_d(of->at_a.is_clear, of->at_b.is_clear)));
    const uint32_t crosses =
        mask_bits_d(mask_and_d(differ_in_sign(of->before.value, of->after.value),
                               differ_in_sign(of->at_a.value, of->at_b.value)));
    const verdict found = {crosses & clear, ~clear & ((UINT32_C(1) << GRZ_WIDTH_D) - 1)};
    return found;
}

// As in sweep_point.c, to the bit. Stores the times of those that cross.
static verdict judge(vectors from, vectors to, vectors a, vectors b, double *times)
{
    const wide_sides of = find_sides(from, to, a, b, fill_doubles(grz_clear_share));
    const doubles before = of.before.value;
    store_doubles(times, div_doubles(before, sub_doubles(before, of.after.value)));
    return judge_sides(&of);
}

static verdict judge_half(const uint32_t *move, const graze_vec2 *from, const graze_vec2 *to,
                          vectors a, vectors b, double *times)
{
    return judge(load_vectors(from, move), load_vectors(to, move), a, b, times);
}

// GRZ_WIDTH of the finds, from `i` on.
static verdict judge_some(const graze_segment_finds *finds, uint32_t i, const uint32_t *move,
                          const graze_vec2 *from, const graze_vec2 *to, double *times)
{
    const floats ax = load_floats(finds->ax + i), ay = load_floats(finds->ay + i);
    const floats bx = load_floats(finds->bx + i), by = load_floats(finds->by + i);
    const vectors a_low = {widen_low(ax), widen_low(ay)};
    const vectors b_low = {widen_low(bx), widen_low(by)};
    const vectors a_high = {widen_high(ax), widen_high(ay)};
    const vectors b_high = {widen_high(bx), widen_high(by)};
    const verdict low = judge_half(move, from, to, a_low, b_low, times);
    const verdict high =
        judge_half(move + GRZ_WIDTH_D, from, to, a_high, b_high, times + GRZ_WIDTH_D);
    const verdict all = {low.crosses | high.crosses << GRZ_WIDTH_D,
                         low.is_open | high.is_open << GRZ_WIDTH_D};
    return all;
}

// The last ones do not fill all lanes: the others repeat some move.
static verdict judge_rest(const graze_segment_finds *finds, uint32_t i, const graze_vec2 *from,
                          const graze_vec2 *to, double *times)
{
    const uint32_t rest = finds->count - i;
    const uint32_t lanes = (UINT32_C(1) << rest) - 1;
    uint32_t move[GRZ_WIDTH];
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        move[k] = finds->move[k < rest ? i + k : i];
    }
    verdict found = judge_some(finds, i, move, from, to, times);
    found.crosses &= lanes;
    found.is_open &= lanes;
    return found;
}

// Returns which of those that were left open cross.
static uint32_t judge_exactly(const graze_segment_finds *finds, uint32_t i, uint32_t is_open,
                              const graze_vec2 *from, const graze_vec2 *to, double *times)
{
    uint32_t crosses = 0;
    for (uint32_t k = 0; is_open >> k; ++k) {
        if (is_open >> k & 1) {
            const uint32_t place = i + k, move = finds->move[place];
            const graze_segment wall = {{finds->ax[place], finds->ay[place]},
                                        {finds->bx[place], finds->by[place]}};
            const graze_sweep sweep = graze_sweep_point_segment(from[move], to[move], wall);
            times[k] = sweep.time;
            crosses |= (uint32_t)sweep.hit << k;
        }
    }
    return crosses;
}

// HOT. bench: engine/query_ray_many/bullets-terrain
//
// Data    20 bytes of each find and 16 of its move, which are near each other; 8 written, 4 more if
//         they cross.
// Branch  On what only an exact sum can tell, which is rare. Half of the finds are crossed: a
//         misprediction at each would cost more than all the arithmetic here.
static uint32_t sift_finds(const graze_segment_finds *finds, const graze_vec2 *from,
                           const graze_vec2 *to, grz_crossings *crossings)
{
    static const uint32_t places[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const ints place = load_ints(places);
    uint32_t count = 0;
    for (uint32_t i = 0; i < finds->count; i += GRZ_WIDTH) {
        double *times = crossings->times + i;
        const bool all = finds->count - i >= GRZ_WIDTH;
        verdict found = all ? judge_some(finds, i, finds->move + i, from, to, times)
                            : judge_rest(finds, i, from, to, times);
        if (found.is_open) {
            found.crosses |= judge_exactly(finds, i, found.is_open, from, to, times);
        }
        pack_ints(crossings->places + count, found.crosses, add_ints(place, fill_ints(i)));
        count += count_bits(found.crosses);
    }
    return count;
}

/// Points and normals of hits of rays on walls.
typedef struct hit_lanes {
    vectors point, normal;
    uint32_t is_open; ///< One bit per lane: rounding hides the side.
} hit_lanes;

// With the bits of sweep_point.c; normals reversed, and rounded.
static hit_lanes find_hits(const grz_wall_hits *hits, const uint32_t *rays, const graze_vec2 *from,
                           const graze_vec2 *to)
{
    const doubles zero = fill_doubles(0), one = fill_doubles(1);
    const vectors start = load_vectors(from, rays), end = load_vectors(to, rays);
    const vectors a = load_vectors(hits->a, rays), b = load_vectors(hits->b, rays);
    double times[GRZ_WIDTH_D];
    for (uint32_t k = 0; k < GRZ_WIDTH_D; ++k) {
        times[k] = hits->time[rays[k]];
    }
    const doubles time = load_doubles(times);
    const side_lanes before =
        side_of_lanes(sub_vectors(a, start), sub_vectors(b, start), fill_doubles(grz_clear_share));
    const vectors way = sub_vectors(end, start), wall = sub_vectors(b, a);
    const doubles length = sqrt_doubles(dot_vectors(wall, wall));
    const doubles_mask from_left = less_doubles(zero, before.value);
    const doubles factor =
        div_doubles(select_doubles(from_left, sub_doubles(zero, one), one), length);
    const hit_lanes found = {
        place_at(start, way, time),
        {mul_doubles(wall.y, factor), sub_doubles(zero, mul_doubles(wall.x, factor))},
        ~mask_bits_d(before.is_clear) & ((UINT32_C(1) << GRZ_WIDTH_D) - 1),
    };
    return found;
}

static void locate_exactly(const grz_wall_hits *hits, uint32_t place, const graze_vec2 *from,
                           const graze_vec2 *to, grz_wall_points *points)
{
    const uint32_t ray = hits->rays[place];
    const graze_segment wall = {hits->a[ray], hits->b[ray]};
    const graze_sweep sweep = graze_sweep_point_segment(from[ray], to[ray], wall);
    points->point[place] = without_negative_zero(narrow(sweep.point));
    points->normal[place] = without_negative_zero(narrow(negate(sweep.normal)));
}

// HOT. bench: engine/query_ray_many/bullets-terrain
//
// Data    44 bytes of a hit read, 16 written: once per ray, when its closest wall is known.
// Branch  None except where only an exact sum can tell.
static void locate_hits(grz_wall_hits *hits, const graze_vec2 *from, const graze_vec2 *to,
                        grz_wall_points *points)
{
    for (uint32_t k = 0; k < GRZ_WIDTH; ++k) {
        hits->rays[hits->count + k] = hits->rays[0];
    }
    for (uint32_t i = 0; i < hits->count; i += GRZ_WIDTH) {
        const uint32_t *rays = hits->rays + i;
        const hit_lanes low = find_hits(hits, rays, from, to);
        const hit_lanes high = find_hits(hits, rays + GRZ_WIDTH_D, from, to);
        store_points(points->point + i, round_doubles(low.point.x, high.point.x),
                     round_doubles(low.point.y, high.point.y));
        store_points(points->normal + i, round_doubles(low.normal.x, high.normal.x),
                     round_doubles(low.normal.y, high.normal.y));
        uint32_t is_open = low.is_open | high.is_open << GRZ_WIDTH_D;
        for (uint32_t k = i; is_open && k < hits->count; ++k, is_open >>= 1) {
            if (is_open & 1) {
                locate_exactly(hits, k, from, to, points);
            }
        }
    }
}

const grz_ray_loops GRZ_WIDE(grz_ray_loops) = {list_rays, are_finite_rays, load_rays, sift_finds,
                                               locate_hits};
