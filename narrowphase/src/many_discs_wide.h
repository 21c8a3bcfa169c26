/// @file many_discs_wide.h
/// Manifolds of a disc and another shape. Included by many_wide.h alone.

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
