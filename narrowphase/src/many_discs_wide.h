/// @file many_discs_wide.h
/// Manifolds of a disc and another shape. Included by many_wide.h alone.

GRZ_IN_PLACE uint32_t block_collide_circles(const graze_circle *a, const graze_circle *b,
                                            graze_manifold *manifolds)
{
    const circles first = load_circles(a), second = load_circles(b);
    const vectors start = sub_vectors(first.center, second.center);
    const numbers reach = add_numbers(first.radius, second.radius);
    const numbers gap = dot_vectors(start, start);
    const marks touch = at_most_numbers(gap, square_numbers(reach));
    const marks hit = and_marks(touch, have_limits(add_numbers(gap, reach)));
    if (mark_bits(hit) == 0) {
        return store_misses(manifolds);
    }

    const numbers distance = sqrt_numbers(gap);
    const vectors normal = part_discs(start, distance, div_numbers(fill_numbers(-1), distance));
    return store_manifolds(hit, first, normal, sub_numbers(reach, distance), manifolds);
}

GRZ_IN_PLACE uint32_t block_collide_circle_segment(const graze_circle *a, const graze_segment *b,
                                                   graze_manifold *manifolds)
{
    const circles disc = load_circles(a);
    const couples ends = load_couples(&b->a);
    const numbers zero = fill_numbers(0);
    const vectors wall = sub_vectors(ends.b, ends.a);
    const vectors from_a = sub_vectors(disc.center, ends.a);
    const vectors from_b = sub_vectors(disc.center, ends.b);
    const numbers square = square_numbers(disc.radius);
    const numbers height = cross_vectors(wall, from_a);
    const numbers band = mul_numbers(square, dot_vectors(wall, wall));
    const numbers drop = sub_numbers(square_numbers(height), band);
    const marks is_off_a = at_most_numbers(dot_vectors(from_a, wall), zero);
    const marks is_off_b = at_most_numbers(zero, dot_vectors(from_b, wall));
    const marks is_off = or_marks(is_off_a, is_off_b);
    const vectors from_end = select_vectors(is_off_a, from_a, from_b);
    const marks is_far = less_numbers(square, dot_vectors(from_end, from_end));
    const marks is_near_line = but_not_marks(at_most_numbers(drop, zero), is_off);
    const marks is_near = or_marks(is_near_line, but_not_marks(is_off, is_far));
    const marks hit = and_marks(is_near, have_limits(drop));
    if (mark_bits(hit) == 0) {
        return store_misses(manifolds);
    }

    const numbers side =
        select_numbers(less_numbers(height, zero), fill_numbers(1), fill_numbers(-1));
    const vectors across = scale_vectors(left_of_vectors(wall), side);
    const vectors nowhere = {zero, zero};
    const vectors toward = select_vectors(is_off, sub_vectors(nowhere, from_end), across);
    const numbers length = sqrt_numbers(dot_vectors(toward, toward));
    const numbers inner = div_numbers(absolute_numbers(height), length);
    const numbers distance = select_numbers(is_off, length, inner);
    const numbers depth = max_numbers(sub_numbers(disc.radius, distance), zero);
    const vectors normal = scale_vectors(toward, div_numbers(fill_numbers(1), length));
    uint32_t bits = store_manifolds(hit, disc, normal, depth, manifolds);
    GRZ_ANSWER_RARE(mark_bits(but_not_marks(hit, less_numbers(zero, length))), manifolds,
                    graze_collide_circle_segment(a[k], b[k]), manifolds[k].count > 0, bits)
    return bits;
}

GRZ_IN_PLACE uint32_t block_collide_circle_rect(const graze_circle *a, const graze_rect *b,
                                                graze_manifold *manifolds)
{
    const circles disc = load_circles(a);
    const rects box = load_rects(b);
    const numbers zero = fill_numbers(0), one = fill_numbers(1);
    const vectors u = box.frame.axis, v = left_of_vectors(u);
    const vectors offset = sub_vectors(disc.center, box.center);
    const vectors local = {dot_vectors(offset, u), dot_vectors(offset, v)};
    const vectors away = {absolute_numbers(local.x), absolute_numbers(local.y)};
    const vectors excess = sub_vectors(away, box.frame.half);
    const vectors radii = {disc.radius, disc.radius};
    const vectors gap = sub_vectors(excess, radii);
    const vectors beyond = {max_numbers(excess.x, zero), max_numbers(excess.y, zero)};
    const numbers square = dot_vectors(beyond, beyond);
    const marks is_near = and_marks(at_most_numbers(square, square_numbers(disc.radius)),
                                    have_limits(add_numbers(gap.x, gap.y)));
    const marks in_box = and_marks(at_most_numbers(gap.x, zero), at_most_numbers(gap.y, zero));
    const marks hit = and_marks(is_near, in_box);
    if (mark_bits(hit) == 0) {
        return store_misses(manifolds);
    }

    const numbers distance = sqrt_numbers(square);
    const marks is_out = less_numbers(zero, distance);
    const marks by_x = at_most_numbers(excess.y, excess.x);
    const numbers inside = select_numbers(by_x, excess.x, excess.y);
    const numbers depth = sub_numbers(disc.radius, select_numbers(is_out, distance, inside));
    const vectors side = {select_numbers(by_x, one, zero), select_numbers(by_x, zero, one)};
    const vectors straight = scale_vectors(beyond, div_numbers(one, distance));
    const vectors way_out = select_vectors(is_out, straight, side);
    const vectors back = negate_vectors(way_out);
    const numbers on_u = select_numbers(less_numbers(local.x, zero), way_out.x, back.x);
    const numbers on_v = select_numbers(less_numbers(local.y, zero), way_out.y, back.y);
    const vectors way_in = add_vectors(scale_vectors(u, on_u), scale_vectors(v, on_v));
    const numbers correction =
        sub_numbers(fill_numbers(1.5), mul_numbers(fill_numbers(0.5), dot_vectors(way_in, way_in)));
    return store_manifolds(hit, disc, scale_vectors(way_in, correction), depth, manifolds);
}
