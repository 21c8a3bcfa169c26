/// @file many_casts_wide.h
/// Rays and discs that move. Included by many_wide.h alone.

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
