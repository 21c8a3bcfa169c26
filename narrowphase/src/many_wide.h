/// @file many_wide.h
/// The kernels that take arrays of pairs: see lanes.h.
///
/// Each block_... works on GRZ_WIDTH_D pairs and mirrors the single kernel of that name, sum by
/// sum; where that one branches, lanes select. What is rare in the single kernel goes through it
/// here: those lanes are done again, one by one. A block returns which lanes hit, as bits; what it
/// makes of the others is masked.
///
/// HOT. bench: narrowphase/collide_circles_many, narrowphase/collide_rects_many
///
/// Data    Structs as users have them, turned into columns by shuffles: 16 to 24 bytes a shape are
///         read, 24 or 36 an answer written.
/// Branch  None but for rare lanes.
/// Order   By pairs; no pair looks at another.
#ifndef GRZ_MANY_WIDE_H
#define GRZ_MANY_WIDE_H

#include <graze/overlap.h>

#include "many_table.h"
#include "sweep_point.h"

#include <stddef.h>
#include <string.h>

_Static_assert(sizeof(graze_manifold) == 36 && offsetof(graze_manifold, points) == 4 &&
                   offsetof(graze_manifold, depths) == 20 && offsetof(graze_manifold, normal) == 28,
               "a manifold is a count and two rows of four floats");
_Static_assert(sizeof(graze_hit) == 24 && offsetof(graze_hit, point) == 8 &&
                   offsetof(graze_hit, normal) == 16,
               "the last four floats of a hit are a row");
_Static_assert(sizeof(graze_circle) == 12 && sizeof(graze_rect) == 24,
               "circles and rects are rows of floats");

// --- vectors of lanes ---

typedef struct vectors {
    doubles x, y;
} vectors;

static inline vectors join(doubles x, doubles y)
{
    const vectors v = {x, y};
    return v;
}

static inline vectors add_vectors(vectors a, vectors b)
{
    return join(add_doubles(a.x, b.x), add_doubles(a.y, b.y));
}

static inline vectors sub_vectors(vectors a, vectors b)
{
    return join(sub_doubles(a.x, b.x), sub_doubles(a.y, b.y));
}

static inline vectors scale_vectors(vectors v, doubles factor)
{
    return join(mul_doubles(v.x, factor), mul_doubles(v.y, factor));
}

static inline vectors left_of_vectors(vectors v)
{
    return join(negate_doubles(v.y), v.x);
}

static inline doubles dot_vectors(vectors a, vectors b)
{
    return add_doubles(mul_doubles(a.x, b.x), mul_doubles(a.y, b.y));
}

static inline doubles cross_vectors(vectors a, vectors b)
{
    return sub_doubles(mul_doubles(a.x, b.y), mul_doubles(a.y, b.x));
}

static inline vectors select_vectors(doubles_mask mask, vectors a, vectors b)
{
    return join(select_doubles(mask, a.x, b.x), select_doubles(mask, a.y, b.y));
}

static inline doubles square_doubles(doubles a)
{
    return mul_doubles(a, a);
}

// Where a number is neither NaN nor infinite.
static inline doubles_mask have_limits(doubles number)
{
    return at_most_doubles(sub_doubles(number, number), fill_doubles(0));
}

// --- in ---

typedef struct circles {
    vectors center;
    doubles radius;
} circles;

// Reads one float past the last circle.
static inline circles load_circles(const graze_circle *from)
{
    doubles columns[4];
    load_rows(&from->center.x, 3, columns);
    const circles loaded = {{columns[0], columns[1]}, columns[2]};
    return loaded;
}

// Two vectors: of a segment, a ray or a box.
typedef struct couples {
    vectors a, b;
} couples;

static inline couples load_couples(const graze_vec2 *from)
{
    doubles columns[4];
    load_rows(&from->x, 4, columns);
    const couples loaded = {{columns[0], columns[1]}, {columns[2], columns[3]}};
    return loaded;
}

typedef struct rects {
    vectors center, half, axis;
} rects;

static inline rects load_rects(const graze_rect *from)
{
    doubles first[4], last[4];
    load_rows(&from->center.x, 6, first);
    load_rows(&from->half.x, 6, last);
    const rects loaded = {{first[0], first[1]}, {last[0], last[1]}, {last[2], last[3]}};
    return loaded;
}

// --- out ---

// At most 8, of one vector or of several.
static inline uint32_t count_hits(uint32_t bits)
{
    bits = (bits & 0x55) + (bits >> 1 & 0x55);
    bits = (bits & 0x33) + (bits >> 2 & 0x33);
    return (bits & 0x0f) + (bits >> 4);
}

_Static_assert(sizeof(bool) == 1, "bits are spread to bytes");

// Writes `count` bits, at most 8, each to a bool of its own. Machines with lanes are little-endian:
// byte k of a word is byte k in memory. Each byte keeps its own bit of a copy, which then carries
// into its highest one.
static inline void store_bits(uint32_t bits, uint32_t count, bool *to)
{
    const uint64_t own = bits * 0x0101010101010101u & 0x8040201008040201u;
    const uint64_t bytes = (own + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
    memcpy(to, &bytes, count);
}

static inline doubles keep_doubles(doubles_mask mask, doubles a)
{
    return select_doubles(mask, a, fill_doubles(0));
}

// Mirrors touch_disc().
static inline uint32_t store_manifolds(doubles_mask hit, circles disc, vectors normal,
                                       doubles depth, graze_manifold *to)
{
    const doubles midway = sub_doubles(disc.radius, mul_doubles(depth, fill_doubles(0.5)));
    const vectors point = add_vectors(disc.center, scale_vectors(normal, midway));
    const doubles zero = fill_doubles(0);
    const uint32_t bits = mask_bits_d(hit);
    store_rows(&to->points[0].x, 9, keep_doubles(hit, point.x), keep_doubles(hit, point.y), zero,
               zero);
    store_rows(&to->depths[0], 9, keep_doubles(hit, depth), zero, keep_doubles(hit, normal.x),
               keep_doubles(hit, normal.y));
    for (uint32_t k = 0; k < GRZ_WIDTH_D; ++k) {
        to[k].count = bits >> k & 1;
    }
    return bits;
}

// Where no lane hits, nothing that makes a hit is needed. Two at a time: more in one go can become
// an instruction of its own, which takes longer to begin than this takes.
static inline uint32_t store_misses(graze_manifold *to)
{
    for (uint32_t k = 0; k < GRZ_WIDTH_D; k += 2) {
        memset(to + k, 0, 2 * sizeof *to);
    }
    return 0;
}

static inline uint32_t store_hits(doubles_mask hit, doubles time, vectors point, vectors normal,
                                  graze_hit *to)
{
    const uint32_t bits = mask_bits_d(hit);
    float times[GRZ_WIDTH];
    store_floats(times, narrow_doubles(keep_doubles(hit, time), fill_doubles(0)));
    store_rows(&to->point.x, 6, keep_doubles(hit, point.x), keep_doubles(hit, point.y),
               keep_doubles(hit, normal.x), keep_doubles(hit, normal.y));
    for (uint32_t k = 0; k < GRZ_WIDTH_D; ++k) {
        to[k].hit = (bits >> k & 1) != 0;
        to[k].time = times[k];
    }
    return bits;
}

// --- blocks ---

enum { GRZ_BOXES = GRZ_WIDTH / 4 }; // In a vector: a box is four lanes.

// Of GRZ_BOXES boxes, each four lanes: whether its lower sides are at most the other's upper ones,
// and the other's lower sides its upper ones.
static inline floats_mask compare_sides(const graze_aabb *a, const graze_aabb *b)
{
    const floats first = load_floats(&a->lower.x), second = load_floats(&b->lower.x);
    return at_most_floats(low_halves(first, second), high_halves(second, first));
}

static inline uint32_t block_overlap_aabbs(const graze_aabb *a, const graze_aabb *b, bool *overlaps)
{
    return store_fours(overlaps, compare_sides(a, b), compare_sides(a + GRZ_BOXES, b + GRZ_BOXES),
                       compare_sides(a + 2 * GRZ_BOXES, b + 2 * GRZ_BOXES),
                       compare_sides(a + 3 * GRZ_BOXES, b + 3 * GRZ_BOXES));
}

// How many boxes before it the last vector began that memory has whole: a read that lies across
// two lines of the cache takes as long as two.
static inline uint32_t boxes_past_line(const graze_aabb *from)
{
    return (uint32_t)((uintptr_t)from / sizeof *from % GRZ_BOXES);
}

// HOT. bench: narrowphase/overlap_aabbs_many
//
// Data    32 bytes of a pair read, one written: nothing is computed for longer than these take to
//         come from the second cache. The first block is followed by one that begins a line, so
//         that a few pairs are done twice.
// Branch  None.
// Lanes   Four of a box: both lower sides at most the other's upper ones, and the other's likewise.
static uint32_t many_overlap_aabbs(const graze_aabb *a, const graze_aabb *b, uint32_t count,
                                   bool *overlaps)
{
    uint32_t done = 0, hits = 0;
    if (count >= GRZ_WIDTH) {
        hits = block_overlap_aabbs(a, b, overlaps);
        done = GRZ_WIDTH - boxes_past_line(a);
        for (uint32_t i = done; i < GRZ_WIDTH; ++i) {
            hits -= overlaps[i];
        }
    }
    for (; count - done >= GRZ_WIDTH; done += GRZ_WIDTH) {
        hits += block_overlap_aabbs(a + done, b + done, overlaps + done);
    }
    const uint32_t left = count - done;
    return hits + grz_many_scalar.overlap_aabbs(a + done, b + done, left, overlaps + done);
}

static inline uint32_t block_overlap_circles(const graze_circle *a, const graze_circle *b,
                                             bool *overlaps)
{
    const circles first = load_circles(a), second = load_circles(b);
    const vectors start = sub_vectors(first.center, second.center);
    const doubles reach = add_doubles(first.radius, second.radius);
    const doubles_mask touch = at_most_doubles(dot_vectors(start, start), square_doubles(reach));
    const uint32_t bits = mask_bits_d(mask_and_d(touch, have_limits(reach)));
    store_bits(bits, GRZ_WIDTH_D, overlaps);
    return bits;
}

static inline uint32_t block_collide_circles(const graze_circle *a, const graze_circle *b,
                                             graze_manifold *manifolds)
{
    const circles first = load_circles(a), second = load_circles(b);
    const vectors start = sub_vectors(first.center, second.center);
    const doubles reach = add_doubles(first.radius, second.radius);
    const doubles gap = dot_vectors(start, start);
    const doubles_mask touch = at_most_doubles(gap, square_doubles(reach));
    const doubles_mask hit = mask_and_d(touch, have_limits(add_doubles(gap, reach)));
    if (mask_bits_d(hit) == 0) {
        return store_misses(manifolds);
    }

    const doubles distance = root_doubles(gap);
    const doubles_mask is_apart = less_doubles(fill_doubles(0), distance);
    const vectors unit = scale_vectors(start, div_doubles(fill_doubles(-1), distance));
    const vectors fallback = {fill_doubles(1), fill_doubles(0)};
    const vectors normal = select_vectors(is_apart, unit, fallback);
    return store_manifolds(hit, first, normal, sub_doubles(reach, distance), manifolds);
}

static inline uint32_t block_collide_circle_segment(const graze_circle *a, const graze_segment *b,
                                                    graze_manifold *manifolds)
{
    const circles disc = load_circles(a);
    const couples ends = load_couples(&b->a);
    const doubles zero = fill_doubles(0);
    const vectors wall = sub_vectors(ends.b, ends.a);
    const vectors from_a = sub_vectors(disc.center, ends.a);
    const vectors from_b = sub_vectors(disc.center, ends.b);
    const doubles square = square_doubles(disc.radius);
    const doubles height = cross_vectors(wall, from_a);
    const doubles band = mul_doubles(square, dot_vectors(wall, wall));
    const doubles drop = sub_doubles(square_doubles(height), band);
    const doubles_mask is_off_a = at_most_doubles(dot_vectors(from_a, wall), zero);
    const doubles_mask is_off_b = at_most_doubles(zero, dot_vectors(from_b, wall));
    const doubles_mask is_off = mask_or_d(is_off_a, is_off_b);
    const vectors from_end = select_vectors(is_off_a, from_a, from_b);
    const doubles_mask is_far = less_doubles(square, dot_vectors(from_end, from_end));
    const doubles_mask is_near_line = mask_and_d(at_most_doubles(drop, zero), have_limits(drop));
    const doubles_mask hit = mask_but_not_d(is_near_line, mask_and_d(is_off, is_far));
    if (mask_bits_d(hit) == 0) {
        return store_misses(manifolds);
    }

    const doubles side =
        select_doubles(less_doubles(height, zero), fill_doubles(1), fill_doubles(-1));
    const vectors across = scale_vectors(left_of_vectors(wall), side);
    const vectors nowhere = {zero, zero};
    const vectors end = select_vectors(is_off_a, nowhere, wall);
    const vectors toward = select_vectors(is_off, sub_vectors(end, from_a), across);
    const doubles length = root_doubles(dot_vectors(toward, toward));
    const doubles inner = div_doubles(absolute_doubles(height), length);
    const doubles distance = select_doubles(is_off, length, inner);
    const doubles depth = greater_doubles(sub_doubles(disc.radius, distance), zero);
    const vectors normal = scale_vectors(toward, div_doubles(fill_doubles(1), length));
    const uint32_t bits = store_manifolds(hit, disc, normal, depth, manifolds);
    const uint32_t rare = mask_bits_d(mask_but_not_d(hit, less_doubles(zero, length)));
    for (uint32_t k = 0; rare >> k; ++k) {
        if (rare >> k & 1) {
            manifolds[k] = graze_collide_circle_segment(a[k], b[k]);
        }
    }
    return bits;
}

static inline uint32_t block_collide_circle_rect(const graze_circle *a, const graze_rect *b,
                                                 graze_manifold *manifolds)
{
    const circles disc = load_circles(a);
    const rects box = load_rects(b);
    const doubles zero = fill_doubles(0), one = fill_doubles(1);
    const vectors u = box.axis, v = left_of_vectors(u);
    const vectors offset = sub_vectors(disc.center, box.center);
    const vectors local = {dot_vectors(offset, u), dot_vectors(offset, v)};
    const vectors away = {absolute_doubles(local.x), absolute_doubles(local.y)};
    const vectors excess = sub_vectors(away, box.half);
    const vectors radii = {disc.radius, disc.radius};
    const vectors gap = sub_vectors(excess, radii);
    const vectors beyond = {greater_doubles(excess.x, zero), greater_doubles(excess.y, zero)};
    const doubles square = dot_vectors(beyond, beyond);
    const doubles_mask is_near = mask_and_d(at_most_doubles(square, square_doubles(disc.radius)),
                                            have_limits(add_doubles(gap.x, gap.y)));
    const doubles_mask in_box =
        mask_and_d(at_most_doubles(gap.x, zero), at_most_doubles(gap.y, zero));
    const doubles_mask hit = mask_and_d(is_near, in_box);
    if (mask_bits_d(hit) == 0) {
        return store_misses(manifolds);
    }

    const doubles distance = root_doubles(square);
    const doubles_mask is_out = less_doubles(zero, distance);
    const doubles_mask by_x = at_most_doubles(excess.y, excess.x);
    const doubles inside = select_doubles(by_x, excess.x, excess.y);
    const doubles depth = sub_doubles(disc.radius, select_doubles(is_out, distance, inside));
    const vectors side = {select_doubles(by_x, one, zero), select_doubles(by_x, zero, one)};
    const vectors straight = scale_vectors(beyond, div_doubles(one, distance));
    const vectors way_out = select_vectors(is_out, straight, side);
    const vectors back = {negate_doubles(way_out.x), negate_doubles(way_out.y)};
    const doubles on_u = select_doubles(less_doubles(local.x, zero), way_out.x, back.x);
    const doubles on_v = select_doubles(less_doubles(local.y, zero), way_out.y, back.y);
    const vectors way_in = add_vectors(scale_vectors(u, on_u), scale_vectors(v, on_v));
    const doubles correction =
        sub_doubles(fill_doubles(1.5), mul_doubles(fill_doubles(0.5), dot_vectors(way_in, way_in)));
    return store_manifolds(hit, disc, scale_vectors(way_in, correction), depth, manifolds);
}

// Half a rect's shadow on an axis that makes an angle of this cosine and sine with its x axis.
static inline doubles half_shadow(vectors half, doubles cosine, doubles sine)
{
    return add_doubles(mul_doubles(half.x, cosine), mul_doubles(half.y, sine));
}

// The shallowest way out so far: see shadow.h.
typedef struct ways_out {
    doubles depth, toward;
    doubles_mask by_v; // The axis is its rect's v, not u;
    doubles_mask of_b; // the rect is b, not a.
} ways_out;

// What one axis offers; which axis it is stays open.
static inline ways_out way_along(vectors start, vectors axis, doubles reach)
{
    const doubles center = negate_doubles(dot_vectors(start, axis));
    const doubles back = sub_doubles(reach, center), ahead = add_doubles(center, reach);
    const doubles one = fill_doubles(1);
    const doubles_mask none = less_doubles(one, one);
    const doubles toward = select_doubles(at_most_doubles(back, ahead), one, fill_doubles(-1));
    const ways_out way = {lesser_doubles(back, ahead), toward, none, none};
    return way;
}

// The first of two, except where the second is shallower.
static inline ways_out shallower(ways_out first, ways_out second)
{
    const doubles_mask is_second = less_doubles(second.depth, first.depth);
    const ways_out best = {
        select_doubles(is_second, second.depth, first.depth),
        select_doubles(is_second, second.toward, first.toward),
        mask_or_d(mask_but_not_d(first.by_v, is_second), mask_and_d(second.by_v, is_second)),
        mask_or_d(mask_but_not_d(first.of_b, is_second), mask_and_d(second.of_b, is_second))};
    return best;
}

typedef struct rect_ways {
    doubles_mask hit;
    ways_out best;
} rect_ways;

// Mirrors the loop of graze_collide_rects(): of equally deep axes the first stays.
static inline rect_ways leave_rects(rects a, rects b, vectors start)
{
    const vectors a_v = left_of_vectors(a.axis), b_v = left_of_vectors(b.axis);
    const doubles cosine = absolute_doubles(dot_vectors(a.axis, b.axis));
    const doubles sine = absolute_doubles(dot_vectors(a.axis, b_v));
    const doubles reach_x = add_doubles(a.half.x, half_shadow(b.half, cosine, sine));
    const doubles reach_y = add_doubles(a.half.y, half_shadow(b.half, sine, cosine));
    const doubles reach_u = add_doubles(b.half.x, half_shadow(a.half, cosine, sine));
    const doubles reach_v = add_doubles(b.half.y, half_shadow(a.half, sine, cosine));
    const ways_out by_x = way_along(start, a.axis, reach_x);
    ways_out by_y = way_along(start, a_v, reach_y);
    ways_out by_u = way_along(start, b.axis, reach_u);
    ways_out by_v = way_along(start, b_v, reach_v);
    const doubles zero = fill_doubles(0), one = fill_doubles(1);
    const doubles_mask all = less_doubles(zero, one);
    by_y.by_v = by_u.of_b = by_v.by_v = by_v.of_b = all;
    const ways_out best = shallower(shallower(shallower(by_x, by_y), by_u), by_v);
    const doubles sums =
        add_doubles(add_doubles(by_x.depth, by_y.depth), add_doubles(reach_x, reach_y));
    const rect_ways ways = {mask_and_d(at_most_doubles(zero, best.depth), have_limits(sums)), best};
    return ways;
}

// Mirrors unit_axis().
static inline vectors unit_axes(vectors axis)
{
    const doubles half_square = mul_doubles(fill_doubles(0.5), dot_vectors(axis, axis));
    return scale_vectors(axis, sub_doubles(fill_doubles(1.5), half_square));
}

// A face and the edge that faces it: see sides.h.
typedef struct sides_wide {
    vectors center, normal, front;
    doubles distance, half_width;
    vectors middle, half;
} sides_wide;

// Mirrors side_facing() and the turn of sides_of().
static inline void face_side(sides_wide *met, rects other, vectors between)
{
    const vectors u = other.axis, v = left_of_vectors(u);
    const doubles zero = fill_doubles(0);
    const doubles along_u = dot_vectors(u, met->front), along_v = dot_vectors(v, met->front);
    const doubles_mask by_u = at_most_doubles(absolute_doubles(along_v), absolute_doubles(along_u));
    const doubles extent = select_doubles(by_u, other.half.x, other.half.y);
    const doubles width = select_doubles(by_u, other.half.y, other.half.x);
    const doubles_mask is_against = less_doubles(select_doubles(by_u, along_u, along_v), zero);
    const doubles out = select_doubles(is_against, extent, negate_doubles(extent));
    met->middle = add_vectors(between, scale_vectors(select_vectors(by_u, u, v), out));
    const vectors half = scale_vectors(select_vectors(by_u, v, u), width);
    const doubles_mask turns = less_doubles(cross_vectors(met->front, half), zero);
    const vectors turned = {negate_doubles(half.x), negate_doubles(half.y)};
    met->half = select_vectors(turns, turned, half);
}

// Mirrors sides_of_rects().
static inline sides_wide meet_sides(rects a, rects b, vectors start, ways_out way)
{
    const rects owner = {a.center, select_vectors(way.of_b, b.half, a.half),
                         select_vectors(way.of_b, b.axis, a.axis)};
    const rects other = {b.center, select_vectors(way.of_b, a.half, b.half),
                         select_vectors(way.of_b, a.axis, b.axis)};
    const vectors axis = select_vectors(way.by_v, left_of_vectors(owner.axis), owner.axis);
    const vectors back = {negate_doubles(start.x), negate_doubles(start.y)};
    const vectors nowhere = {fill_doubles(0), fill_doubles(0)};
    sides_wide met;
    met.center = select_vectors(way.of_b, nowhere, start);
    met.normal = scale_vectors(unit_axes(axis), way.toward);
    const vectors against = {negate_doubles(met.normal.x), negate_doubles(met.normal.y)};
    met.front = select_vectors(way.of_b, against, met.normal);
    met.distance = select_doubles(way.by_v, owner.half.y, owner.half.x);
    met.half_width = select_doubles(way.by_v, owner.half.x, owner.half.y);
    face_side(&met, other, select_vectors(way.of_b, start, back));
    return met;
}

typedef struct contact_points {
    vectors place;
    doubles depth;
} contact_points;

// Mirrors contact_at().
static inline contact_points contacts_at(const sides_wide *met, vectors origin, doubles t)
{
    const vectors on_edge = add_vectors(met->middle, scale_vectors(met->half, t));
    const doubles depth = sub_doubles(met->distance, dot_vectors(met->front, on_edge));
    const vectors midway =
        add_vectors(on_edge, scale_vectors(met->front, mul_doubles(depth, fill_doubles(0.5))));
    const vectors place = add_vectors(origin, add_vectors(met->center, midway));
    const contact_points points = {place, depth};
    return points;
}

static inline doubles clamp_doubles(doubles value)
{
    return lesser_doubles(greater_doubles(value, fill_doubles(-1)), fill_doubles(1));
}

// Mirrors size_of().
static inline doubles size_of_sides(const sides_wide *met)
{
    const doubles front = add_doubles(met->distance, met->half_width);
    return add_doubles(add_doubles(front, absolute_doubles(met->half.x)),
                       absolute_doubles(met->half.y));
}

// Mirrors clip_sides(), its float_share too.
static inline uint32_t store_clipped(doubles_mask hit, const sides_wide *met, vectors origin,
                                     graze_manifold *to)
{
    const doubles zero = fill_doubles(0), one = fill_doubles(1);
    const doubles middle = cross_vectors(met->front, met->middle);
    const doubles half = cross_vectors(met->front, met->half);
    const doubles_mask is_wide = less_doubles(zero, half);
    const doubles inverse = div_doubles(one, half);
    const doubles low = sub_doubles(negate_doubles(met->half_width), middle);
    const doubles high = sub_doubles(met->half_width, middle);
    const doubles from =
        select_doubles(is_wide, clamp_doubles(mul_doubles(low, inverse)), fill_doubles(-1));
    const doubles until = select_doubles(is_wide, clamp_doubles(mul_doubles(high, inverse)), one);
    const doubles_mask is_forward = less_doubles(zero, dot_vectors(met->normal, met->front));
    const contact_points first = contacts_at(met, origin, select_doubles(is_forward, from, until));
    const contact_points second = contacts_at(met, origin, select_doubles(is_forward, until, from));
    const doubles least = lesser_doubles(greater_doubles(first.depth, second.depth),
                                         mul_doubles(fill_doubles(-1e-7), size_of_sides(met)));
    const doubles_mask is_stretch = mask_and_d(
        less_doubles(from, until), less_doubles(zero, dot_vectors(met->half, met->half)));
    const doubles_mask has_first = mask_and_d(hit, at_most_doubles(least, first.depth));
    const doubles_mask reaches = mask_and_d(hit, at_most_doubles(least, second.depth));
    const doubles_mask has_both = mask_and_d(mask_and_d(has_first, reaches), is_stretch);
    const doubles_mask has_one = mask_or_d(has_first, reaches);
    const vectors place = select_vectors(has_first, first.place, second.place);
    const doubles depth = select_doubles(has_first, first.depth, second.depth);
    store_rows(&to->points[0].x, 9, keep_doubles(has_one, place.x), keep_doubles(has_one, place.y),
               keep_doubles(has_both, second.place.x), keep_doubles(has_both, second.place.y));
    store_rows(&to->depths[0], 9, keep_doubles(has_one, greater_doubles(depth, zero)),
               keep_doubles(has_both, greater_doubles(second.depth, zero)),
               keep_doubles(hit, met->normal.x), keep_doubles(hit, met->normal.y));
    const uint32_t ones = mask_bits_d(has_one), twos = mask_bits_d(has_both);
    for (uint32_t k = 0; k < GRZ_WIDTH_D; ++k) {
        to[k].count = (ones >> k & 1) + (twos >> k & 1);
    }
    return ones;
}

static inline uint32_t block_collide_rects(const graze_rect *a, const graze_rect *b,
                                           graze_manifold *manifolds)
{
    const rects first = load_rects(a), second = load_rects(b);
    const vectors start = sub_vectors(first.center, second.center);
    const rect_ways ways = leave_rects(first, second, start);
    if (mask_bits_d(ways.hit) == 0) {
        return store_misses(manifolds);
    }
    const sides_wide met = meet_sides(first, second, start, ways.best);
    return store_clipped(ways.hit, &met, second.center, manifolds);
}

// Lanes where a determinant is clear: see sweep_point.h.
static inline doubles_mask is_clear(doubles left, doubles right, doubles value)
{
    const doubles products = add_doubles(absolute_doubles(left), absolute_doubles(right));
    return less_doubles(mul_doubles(products, fill_doubles(GRZ_CLEAR_SHARE)),
                        absolute_doubles(value));
}

typedef struct determinants_of {
    doubles value;
    doubles_mask clear;
} determinants_of;

static inline determinants_of sides_of_vectors(vectors a, vectors b)
{
    const doubles left = mul_doubles(a.x, b.y), right = mul_doubles(a.y, b.x);
    const doubles value = sub_doubles(left, right);
    const determinants_of sides = {value, is_clear(left, right, value)};
    return sides;
}

// Lanes where two numbers, neither of them 0, differ in sign.
static inline doubles_mask differ_in_sign(doubles a, doubles b)
{
    const doubles zero = fill_doubles(0);
    return mask_or_d(mask_and_d(less_doubles(a, zero), less_doubles(zero, b)),
                     mask_and_d(less_doubles(zero, a), less_doubles(b, zero)));
}

// A ray's end, rounded to float as graze_vec2_add() does it.
static inline vectors end_of_rays(couples ray)
{
    const vectors end = add_vectors(ray.a, ray.b);
    const floats rounded = narrow_doubles(end.x, end.y);
    return join(widen_low(rounded), widen_high(rounded));
}

static inline uint32_t block_cast_ray_segment(const graze_ray *rays, const graze_segment *segments,
                                              graze_hit *hits)
{
    const couples ray = load_couples(&rays->origin);
    const couples wall = load_couples(&segments->a);
    const vectors end = end_of_rays(ray);
    const vectors a_from = sub_vectors(wall.a, ray.a), b_from = sub_vectors(wall.b, ray.a);
    const vectors a_to = sub_vectors(wall.a, end), b_to = sub_vectors(wall.b, end);
    const determinants_of before = sides_of_vectors(a_from, b_from);
    const determinants_of after = sides_of_vectors(a_to, b_to);
    const determinants_of at_a = sides_of_vectors(a_from, a_to);
    const determinants_of at_b = sides_of_vectors(b_from, b_to);
    const doubles_mask clear =
        mask_and_d(mask_and_d(before.clear, after.clear), mask_and_d(at_a.clear, at_b.clear));
    const doubles_mask crosses = mask_and_d(differ_in_sign(before.value, after.value),
                                            differ_in_sign(at_a.value, at_b.value));
    const doubles_mask hit = mask_and_d(clear, crosses);

    const vectors direction = sub_vectors(wall.b, wall.a);
    const doubles length = root_doubles(dot_vectors(direction, direction));
    const doubles time = div_doubles(before.value, sub_doubles(before.value, after.value));
    const vectors path = sub_vectors(end, ray.a);
    const vectors point = add_vectors(ray.a, scale_vectors(path, time));
    const doubles turn = select_doubles(less_doubles(fill_doubles(0), before.value),
                                        fill_doubles(-1), fill_doubles(1));
    const vectors normal = scale_vectors(left_of_vectors(direction), div_doubles(turn, length));
    const vectors zero = {fill_doubles(0), fill_doubles(0)};
    uint32_t bits =
        store_hits(hit, time, add_vectors(zero, point), sub_vectors(zero, normal), hits);
    const uint32_t unclear = ~mask_bits_d(clear) & ((1u << GRZ_WIDTH_D) - 1);
    for (uint32_t k = 0; unclear >> k; ++k) {
        if (unclear >> k & 1) {
            hits[k] = graze_cast_ray_segment(rays[k], segments[k]);
            bits |= (uint32_t)hits[k].hit << k;
        }
    }
    return bits;
}

// Circles that move, or points where radius_a is 0, and circles that stand.
typedef struct disc_casts {
    doubles_mask hit;
    uint32_t rare; // Bits of lanes that are left to the single kernel; none of them is in `hit`.
    doubles time;
    vectors point, normal;
    vectors rim; // Where a ray touches, but for one that starts inside: that is at its origin.
} disc_casts;

// Mirrors sweep_discs().
static inline disc_casts cast_discs(vectors origin, vectors delta, doubles radius_a, circles target)
{
    const doubles zero = fill_doubles(0), one = fill_doubles(1);
    const vectors start = sub_vectors(origin, target.center);
    const doubles radius = add_doubles(radius_a, target.radius);
    const doubles reach = square_doubles(radius);
    const doubles approach = negate_doubles(dot_vectors(start, delta));
    const doubles path = dot_vectors(delta, delta);
    const doubles side = cross_vectors(start, delta);
    const doubles chord = sub_doubles(mul_doubles(reach, path), square_doubles(side));
    const doubles gap = dot_vectors(start, start);
    const vectors end = add_vectors(start, delta);
    const doubles_mask passes = less_doubles(chord, zero);
    const doubles_mask ends_before = mask_or_d(at_most_doubles(path, approach), passes);
    const doubles_mask is_short =
        mask_and_d(ends_before, less_doubles(reach, dot_vectors(end, end)));
    const doubles_mask meets = mask_but_not_d(less_doubles(zero, approach), is_short);
    const doubles_mask touches = at_most_doubles(gap, reach);

    // Touching at the start, or on the way: what both need, one root and one division.
    const doubles root = root_doubles(select_doubles(touches, gap, chord));
    const doubles time = div_doubles(sub_doubles(gap, reach), add_doubles(root, approach));
    const vectors inward =
        add_vectors(scale_vectors(delta, root), scale_vectors(left_of_vectors(delta), side));
    const doubles span = select_doubles(touches, root, mul_doubles(radius, path));
    const doubles inverse = div_doubles(select_doubles(touches, negate_doubles(one), one), span);
    const vectors normal = scale_vectors(select_vectors(touches, start, inward), inverse);
    const vectors rim = scale_vectors(normal, negate_doubles(target.radius));
    const doubles_mask is_inside = mask_but_not_d(touches, less_doubles(target.radius, root));
    const vectors point = select_vectors(is_inside, start, rim);

    const vectors sums = add_vectors(start, delta);
    const doubles_mask finite = have_limits(add_doubles(radius, add_doubles(sums.x, sums.y)));
    const doubles_mask rests = mask_and_d(touches, finite);
    const doubles_mask enters = mask_but_not_d(meets, touches);
    const doubles_mask plain_rest = mask_and_d(rests, less_doubles(zero, root));
    const doubles_mask plain_entry =
        mask_and_d(mask_but_not_d(enters, passes), less_doubles(zero, radius));
    const doubles_mask in_time = at_most_doubles(zero, time);
    disc_casts made;
    made.hit = mask_or_d(plain_rest, mask_and_d(plain_entry, in_time));
    made.rare =
        mask_bits_d(mask_but_not_d(mask_or_d(rests, enters), mask_or_d(plain_rest, plain_entry)));
    made.time = select_doubles(touches, zero, lesser_doubles(time, one));
    made.point = add_vectors(target.center, point);
    made.rim = add_vectors(target.center, rim);
    made.normal = join(sub_doubles(zero, normal.x), sub_doubles(zero, normal.y));
    return made;
}

static inline uint32_t block_cast_ray_circle(const graze_ray *rays, const graze_circle *circles_of,
                                             graze_hit *hits)
{
    const couples ray = load_couples(&rays->origin);
    const disc_casts cast = cast_discs(ray.a, ray.b, fill_doubles(0), load_circles(circles_of));
    const doubles_mask enters = less_doubles(fill_doubles(0), cast.time);
    const vectors point = select_vectors(enters, cast.rim, ray.a);
    uint32_t bits = store_hits(cast.hit, cast.time, point, cast.normal, hits);
    for (uint32_t k = 0; cast.rare >> k; ++k) {
        if (cast.rare >> k & 1) {
            hits[k] = graze_cast_ray_circle(rays[k], circles_of[k]);
            bits |= (uint32_t)hits[k].hit << k;
        }
    }
    return bits;
}

static inline uint32_t block_cast_circle_circle(const graze_circle *movers,
                                                const graze_vec2 *deltas,
                                                const graze_circle *targets, graze_hit *hits)
{
    doubles columns[4];
    load_rows(&deltas->x, 2, columns);
    const vectors delta = {columns[0], columns[1]};
    const circles mover = load_circles(movers);
    const disc_casts cast = cast_discs(mover.center, delta, mover.radius, load_circles(targets));
    uint32_t bits = store_hits(cast.hit, cast.time, cast.point, cast.normal, hits);
    for (uint32_t k = 0; cast.rare >> k; ++k) {
        if (cast.rare >> k & 1) {
            hits[k] = graze_cast_circle_circle(movers[k], deltas[k], targets[k]);
            bits |= (uint32_t)hits[k].hit << k;
        }
    }
    return bits;
}

// --- arrays ---

// Blocks while an element follows that may be read past theirs; the rest, of at most a block, in a
// copy that is long enough. Its lanes past the end are zeros, and not counted.
#define GRZ_MANY_PAIRS(name, type_a, type_b, type_answer)                                          \
    static uint32_t many_##name(const type_a *a, const type_b *b, uint32_t count,                  \
                                type_answer *answers)                                              \
    {                                                                                              \
        uint32_t done = 0, hits = 0;                                                               \
        for (; count - done > GRZ_WIDTH_D; done += GRZ_WIDTH_D) {                                  \
            hits += count_hits(block_##name(a + done, b + done, answers + done));                  \
        }                                                                                          \
        const uint32_t left = count - done;                                                        \
        if (left == 0) {                                                                           \
            return 0;                                                                              \
        }                                                                                          \
        type_a last_a[GRZ_WIDTH_D + 1] = {0};                                                      \
        type_b last_b[GRZ_WIDTH_D + 1] = {0};                                                      \
        type_answer last_answers[GRZ_WIDTH_D];                                                     \
        memcpy(last_a, a + done, left * sizeof *a);                                                \
        memcpy(last_b, b + done, left * sizeof *b);                                                \
        const uint32_t bits = block_##name(last_a, last_b, last_answers);                          \
        memcpy(answers + done, last_answers, left * sizeof *answers);                              \
        return hits + count_hits(bits & ((1u << left) - 1));                                       \
    }

GRZ_MANY_PAIRS(overlap_circles, graze_circle, graze_circle, bool)
GRZ_MANY_PAIRS(collide_circles, graze_circle, graze_circle, graze_manifold)
GRZ_MANY_PAIRS(collide_circle_segment, graze_circle, graze_segment, graze_manifold)
GRZ_MANY_PAIRS(collide_circle_rect, graze_circle, graze_rect, graze_manifold)
GRZ_MANY_PAIRS(collide_rects, graze_rect, graze_rect, graze_manifold)
GRZ_MANY_PAIRS(cast_ray_segment, graze_ray, graze_segment, graze_hit)
GRZ_MANY_PAIRS(cast_ray_circle, graze_ray, graze_circle, graze_hit)

#undef GRZ_MANY_PAIRS

static uint32_t many_cast_circle_circle(const graze_circle *movers, const graze_vec2 *deltas,
                                        const graze_circle *targets, uint32_t count,
                                        graze_hit *hits)
{
    uint32_t done = 0, found = 0;
    for (; count - done > GRZ_WIDTH_D; done += GRZ_WIDTH_D) {
        found += count_hits(
            block_cast_circle_circle(movers + done, deltas + done, targets + done, hits + done));
    }
    const uint32_t left = count - done;
    if (left == 0) {
        return 0;
    }
    graze_circle last_movers[GRZ_WIDTH_D + 1] = {{{0, 0}, 0}};
    graze_circle last_targets[GRZ_WIDTH_D + 1] = {{{0, 0}, 0}};
    graze_vec2 last_deltas[GRZ_WIDTH_D + 1] = {{0, 0}};
    graze_hit last_hits[GRZ_WIDTH_D];
    memcpy(last_movers, movers + done, left * sizeof *movers);
    memcpy(last_targets, targets + done, left * sizeof *targets);
    memcpy(last_deltas, deltas + done, left * sizeof *deltas);
    const uint32_t bits =
        block_cast_circle_circle(last_movers, last_deltas, last_targets, last_hits);
    memcpy(hits + done, last_hits, left * sizeof *hits);
    return found + count_hits(bits & ((1u << left) - 1));
}

const grz_many_table GRZ_WIDE(grz_many) = {
    many_overlap_aabbs,          many_overlap_circles,     many_collide_circles,
    many_collide_circle_segment, many_collide_circle_rect, many_collide_rects,
    many_cast_ray_segment,       many_cast_ray_circle,     many_cast_circle_circle};

#endif
