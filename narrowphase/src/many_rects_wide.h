/// @file many_rects_wide.h
/// Manifolds of two rects. Included by many_wide.h alone.

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
