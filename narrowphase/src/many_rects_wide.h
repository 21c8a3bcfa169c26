/// @file many_rects_wide.h
/// Manifolds of two rects. Included by many_wide.h alone.

// Half a rect's projection on an axis that makes an angle of this cosine and sine with its x axis.
static inline numbers half_projection(vectors half, numbers cosine, numbers sine)
{
    return add_numbers(mul_numbers(half.x, cosine), mul_numbers(half.y, sine));
}

/// The axis of least penetration so far: see separating_axis.h.
typedef struct penetrations {
    numbers depth, toward;
    marks by_v; ///< The axis is its rect's v, not u.
    marks of_b; ///< The rect is b, not a.
} penetrations;

// The penetration on one axis, without saying which.
static inline penetrations penetrations_along(vectors start, vectors axis, numbers reach)
{
    const numbers center = negate_numbers(dot_vectors(start, axis));
    const numbers back = sub_numbers(reach, center), ahead = add_numbers(center, reach);
    const numbers one = fill_numbers(1);
    const marks none = less_numbers(one, one);
    const numbers toward = select_numbers(at_most_numbers(back, ahead), one, fill_numbers(-1));
    const penetrations best = {min_numbers(back, ahead), toward, none, none};
    return best;
}

// The first of two, unless the second is shallower.
static inline penetrations shallower(penetrations first, penetrations second)
{
    const marks is_second = less_numbers(second.depth, first.depth);
    const penetrations best = {
        select_numbers(is_second, second.depth, first.depth),
        select_numbers(is_second, second.toward, first.toward),
        or_marks(but_not_marks(first.by_v, is_second), and_marks(second.by_v, is_second)),
        or_marks(but_not_marks(first.of_b, is_second), and_marks(second.of_b, is_second))};
    return best;
}

typedef struct rect_penetrations {
    marks hit;
    penetrations best;
} rect_penetrations;

// Mirrors the loop of graze_collide_rects(): of equally deep axes the first stays.
static inline rect_penetrations find_penetrations(rects a, rects b, vectors start)
{
    const vectors a_v = left_of_vectors(a.axis), b_v = left_of_vectors(b.axis);
    const numbers cosine = absolute_numbers(dot_vectors(a.axis, b.axis));
    const numbers sine = absolute_numbers(dot_vectors(a.axis, b_v));
    const numbers reach_x = add_numbers(a.half.x, half_projection(b.half, cosine, sine));
    const numbers reach_y = add_numbers(a.half.y, half_projection(b.half, sine, cosine));
    const numbers reach_u = add_numbers(b.half.x, half_projection(a.half, cosine, sine));
    const numbers reach_v = add_numbers(b.half.y, half_projection(a.half, sine, cosine));
    const penetrations by_x = penetrations_along(start, a.axis, reach_x);
    penetrations by_y = penetrations_along(start, a_v, reach_y);
    penetrations by_u = penetrations_along(start, b.axis, reach_u);
    penetrations by_v = penetrations_along(start, b_v, reach_v);
    const numbers zero = fill_numbers(0), one = fill_numbers(1);
    const marks all = less_numbers(zero, one);
    by_y.by_v = by_u.of_b = by_v.by_v = by_v.of_b = all;
    const penetrations best = shallower(shallower(shallower(by_x, by_y), by_u), by_v);
    const numbers sums =
        add_numbers(add_numbers(by_x.depth, by_y.depth), add_numbers(reach_x, reach_y));
    const rect_penetrations found = {
        and_marks(at_most_numbers(zero, best.depth), have_limits(sums)), best};
    return found;
}

// Mirrors unit_axis().
static inline vectors unit_axes(vectors axis)
{
    const numbers half_square = mul_numbers(fill_numbers(0.5), dot_vectors(axis, axis));
    return scale_vectors(axis, sub_numbers(fill_numbers(1.5), half_square));
}

/// A reference face and its incident edge: see feature_pair.h.
typedef struct feature_pairs {
    vectors center, normal, reference;
    numbers distance, half_width;
    vectors middle, half;
} feature_pairs;

// Mirrors find_incident_edge() and the swap in pair_features().
static inline void find_incident_edges(feature_pairs *features, rects other, vectors between)
{
    const vectors u = other.axis, v = left_of_vectors(u);
    const numbers zero = fill_numbers(0);
    const numbers along_u = dot_vectors(u, features->reference),
                  along_v = dot_vectors(v, features->reference);
    const marks by_u = at_most_numbers(absolute_numbers(along_v), absolute_numbers(along_u));
    const numbers extent = select_numbers(by_u, other.half.x, other.half.y);
    const numbers width = select_numbers(by_u, other.half.y, other.half.x);
    const marks is_against = less_numbers(select_numbers(by_u, along_u, along_v), zero);
    const numbers out = select_numbers(is_against, extent, negate_numbers(extent));
    features->middle = add_vectors(between, scale_vectors(select_vectors(by_u, u, v), out));
    const vectors half = scale_vectors(select_vectors(by_u, v, u), width);
    const marks turns = less_numbers(cross_vectors(features->reference, half), zero);
    const vectors turned = {negate_numbers(half.x), negate_numbers(half.y)};
    features->half = select_vectors(turns, turned, half);
}

// Mirrors features_of_rects().
static inline feature_pairs features_of_pairs(rects a, rects b, vectors start, penetrations best)
{
    const rects owner = {a.center, select_vectors(best.of_b, b.half, a.half),
                         select_vectors(best.of_b, b.axis, a.axis)};
    const rects other = {b.center, select_vectors(best.of_b, a.half, b.half),
                         select_vectors(best.of_b, a.axis, b.axis)};
    const vectors axis = select_vectors(best.by_v, left_of_vectors(owner.axis), owner.axis);
    const vectors back = {negate_numbers(start.x), negate_numbers(start.y)};
    const vectors nowhere = {fill_numbers(0), fill_numbers(0)};
    feature_pairs features;
    features.center = select_vectors(best.of_b, nowhere, start);
    features.normal = scale_vectors(unit_axes(axis), best.toward);
    const vectors against = {negate_numbers(features.normal.x), negate_numbers(features.normal.y)};
    features.reference = select_vectors(best.of_b, against, features.normal);
    features.distance = select_numbers(best.by_v, owner.half.y, owner.half.x);
    features.half_width = select_numbers(best.by_v, owner.half.x, owner.half.y);
    find_incident_edges(&features, other, select_vectors(best.of_b, start, back));
    return features;
}

typedef struct contact_points {
    vectors place;
    numbers depth;
} contact_points;

// Mirrors contact_at().
static inline contact_points contacts_at(const feature_pairs *features, vectors origin, numbers t)
{
    const vectors on_edge = add_vectors(features->middle, scale_vectors(features->half, t));
    const numbers depth =
        sub_numbers(features->distance, dot_vectors(features->reference, on_edge));
    const vectors midway = add_vectors(
        on_edge, scale_vectors(features->reference, mul_numbers(depth, fill_numbers(0.5))));
    const vectors place = add_vectors(origin, add_vectors(features->center, midway));
    const contact_points points = {place, depth};
    return points;
}

static inline numbers clamp_numbers(numbers value)
{
    return min_numbers(max_numbers(value, fill_numbers(-1)), fill_numbers(1));
}

// Mirrors size_of().
static inline numbers size_of_features(const feature_pairs *features)
{
    const numbers reference = add_numbers(features->distance, features->half_width);
    return add_numbers(add_numbers(reference, absolute_numbers(features->half.x)),
                       absolute_numbers(features->half.y));
}

// Mirrors clip_features().
static inline uint32_t store_clipped(marks hit, const feature_pairs *features, vectors origin,
                                     graze_manifold *to)
{
    const numbers zero = fill_numbers(0), one = fill_numbers(1);
    const numbers middle = cross_vectors(features->reference, features->middle);
    const numbers half = cross_vectors(features->reference, features->half);
    const marks is_wide = less_numbers(zero, half);
    const numbers inverse = div_numbers(one, half);
    const numbers low = sub_numbers(negate_numbers(features->half_width), middle);
    const numbers high = sub_numbers(features->half_width, middle);
    const numbers from =
        select_numbers(is_wide, clamp_numbers(mul_numbers(low, inverse)), fill_numbers(-1));
    const numbers until = select_numbers(is_wide, clamp_numbers(mul_numbers(high, inverse)), one);
    const marks is_forward = less_numbers(zero, dot_vectors(features->normal, features->reference));
    const contact_points first =
        contacts_at(features, origin, select_numbers(is_forward, from, until));
    const contact_points second =
        contacts_at(features, origin, select_numbers(is_forward, until, from));
    const numbers least =
        min_numbers(max_numbers(first.depth, second.depth),
                    mul_numbers(fill_numbers(-grz_face_tolerance), size_of_features(features)));
    const marks has_length = and_marks(
        less_numbers(from, until), less_numbers(zero, dot_vectors(features->half, features->half)));
    const marks has_first = and_marks(hit, at_most_numbers(least, first.depth));
    const marks reaches = and_marks(hit, at_most_numbers(least, second.depth));
    const marks has_both = and_marks(and_marks(has_first, reaches), has_length);
    const marks has_one = or_marks(has_first, reaches);
    const vectors place = select_vectors(has_first, first.place, second.place);
    const numbers depth = select_numbers(has_first, first.depth, second.depth);
    store_rows_of(&to->points[0].x, 9, keep_numbers(has_one, place.x),
                  keep_numbers(has_one, place.y), keep_numbers(has_both, second.place.x),
                  keep_numbers(has_both, second.place.y));
    store_rows_of(&to->depths[0], 9, keep_numbers(has_one, max_numbers(depth, zero)),
                  keep_numbers(has_both, max_numbers(second.depth, zero)),
                  keep_numbers(hit, features->normal.x), keep_numbers(hit, features->normal.y));
    const uint32_t ones = mark_bits(has_one), twos = mark_bits(has_both);
    for (uint32_t k = 0; k < GRZ_BLOCK; ++k) {
        to[k].count = (ones >> k & 1) + (twos >> k & 1);
    }
    return ones;
}

static inline uint32_t block_collide_rects(const graze_rect *a, const graze_rect *b,
                                           graze_manifold *manifolds)
{
    const rects first = load_rects(a), second = load_rects(b);
    const vectors start = sub_vectors(first.center, second.center);
    const rect_penetrations found = find_penetrations(first, second, start);
    if (mark_bits(found.hit) == 0) {
        return store_misses(manifolds);
    }
    const feature_pairs features = features_of_pairs(first, second, start, found.best);
    return store_clipped(found.hit, &features, second.center, manifolds);
}
