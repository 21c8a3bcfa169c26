/// @file many_rects_wide.h
/// Manifolds of two rects. Included by many_wide.h alone.

typedef struct rect_penetrations {
    marks hit;
    penetrations best;
} rect_penetrations;

// Mirrors the loop of graze_collide_rects(): of equally deep axes the first stays.
GRZ_IN_PLACE rect_penetrations find_penetrations(frames a, frames b, vectors start)
{
    const rect_axes axes = find_axes(a, b);
    const penetrations by_x = penetrations_along(&axes, 0, start);
    const penetrations by_y = penetrations_along(&axes, 1, start);
    const penetrations of_a = shallower(by_x, by_y);
    const penetrations by_u = shallower(of_a, penetrations_along(&axes, 2, start));
    const penetrations best = shallower(by_u, penetrations_along(&axes, 3, start));
    const numbers sums =
        add_numbers(add_numbers(by_x.depth, by_y.depth), add_numbers(axes.reach[0], axes.reach[1]));
    const rect_penetrations found = {
        and_marks(at_most_numbers(fill_numbers(0), best.depth), have_limits(sums)), best};
    return found;
}

typedef struct contact_points {
    vectors place;
    numbers depth;
} contact_points;

// Mirrors contact_at().
GRZ_IN_PLACE contact_points contacts_at(const feature_pairs *features, vectors origin, numbers t)
{
    const vectors on_edge = point_on_edge(features, t);
    const numbers depth =
        sub_numbers(features->distance, dot_vectors(features->reference, on_edge));
    const vectors midway = add_vectors(
        on_edge, scale_vectors(features->reference, mul_numbers(depth, fill_numbers(0.5))));
    const vectors place = add_vectors(origin, add_vectors(features->center, midway));
    const contact_points points = {place, depth};
    return points;
}

// Mirrors size_of().
GRZ_IN_PLACE numbers size_of_features(const feature_pairs *features)
{
    const numbers reference = add_numbers(features->distance, features->half_width);
    return add_numbers(add_numbers(reference, absolute_numbers(features->half.x)),
                       absolute_numbers(features->half.y));
}

// Mirrors clip_features().
GRZ_IN_PLACE uint32_t store_clipped(marks hit, const feature_pairs *features, vectors origin,
                                    graze_manifold *to)
{
    const numbers zero = fill_numbers(0);
    const edge_parts part = clip_edges(features);
    const marks is_forward = less_numbers(zero, dot_vectors(features->normal, features->reference));
    const contact_points first =
        contacts_at(features, origin, select_numbers(is_forward, part.from, part.until));
    const contact_points second =
        contacts_at(features, origin, select_numbers(is_forward, part.until, part.from));
    const numbers least =
        min_numbers(max_numbers(first.depth, second.depth),
                    mul_numbers(fill_numbers(-grz_face_tolerance), size_of_features(features)));
    const marks has_length =
        and_marks(less_numbers(part.from, part.until),
                  less_numbers(zero, dot_vectors(features->half, features->half)));
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
    GRZ_UNROLLED
    for (uint32_t k = 0; k < GRZ_BLOCK; ++k) {
        to[k].count = (ones >> k & 1) + (twos >> k & 1);
    }
    return ones;
}

GRZ_IN_PLACE uint32_t block_collide_rects(const graze_rect *a, const graze_rect *b,
                                          graze_manifold *manifolds)
{
    const rects first = load_rects(a), second = load_rects(b);
    const vectors start = sub_vectors(first.center, second.center);
    const rect_penetrations found = find_penetrations(first.frame, second.frame, start);
    if (mark_bits(found.hit) == 0) {
        return store_misses(manifolds);
    }
    const feature_pairs features =
        features_of_pairs(first.frame, second.frame, start, found.best.face);
    return store_clipped(found.hit, &features, second.center, manifolds);
}
