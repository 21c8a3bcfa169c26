/// @file many_casts_wide.h
/// Rays and discs that move. Included by many_wide.h alone.

// Lanes where a determinant is clear: see grz_clear_share.
GRZ_IN_PLACE marks is_clear(numbers left, numbers right, numbers value)
{
    const numbers products = add_numbers(absolute_numbers(left), absolute_numbers(right));
    return less_numbers(mul_numbers(products, fill_numbers(grz_clear_share)),
                        absolute_numbers(value));
}

typedef struct determinants_wide {
    numbers value;
    marks clear;
} determinants_wide;

GRZ_IN_PLACE determinants_wide find_determinants(vectors a, vectors b)
{
    const numbers left = mul_numbers(a.x, b.y), right = mul_numbers(a.y, b.x);
    const numbers value = sub_numbers(left, right);
    const determinants_wide found = {value, is_clear(left, right, value)};
    return found;
}

// Lanes where two determinants, neither of them 0, differ in sign: a product of two can neither
// overflow nor vanish.
GRZ_IN_PLACE marks differ_in_sign(numbers a, numbers b)
{
    return less_numbers(mul_numbers(a, b), fill_numbers(0));
}

// A ray's end, rounded to float as graze_vec2_add() does it.
GRZ_IN_PLACE vectors end_of_rays(couples ray)
{
    const vectors end = add_vectors(ray.a, ray.b);
    return join(round_numbers(end.x), round_numbers(end.y));
}

// The root and the quotients take longest, so they come as soon as they can.
GRZ_IN_PLACE uint32_t block_cast_ray_segment(const graze_ray *rays, const graze_segment *segments,
                                             graze_hit *hits)
{
    const couples ray = load_couples(&rays->origin);
    const couples wall = load_couples(&segments->a);
    const vectors direction = sub_vectors(wall.b, wall.a);
    const numbers length = sqrt_numbers(dot_vectors(direction, direction));
    const vectors end = end_of_rays(ray);
    const vectors a_from = sub_vectors(wall.a, ray.a), b_from = sub_vectors(wall.b, ray.a);
    const vectors a_to = sub_vectors(wall.a, end), b_to = sub_vectors(wall.b, end);
    const determinants_wide before = find_determinants(a_from, b_from);
    const determinants_wide after = find_determinants(a_to, b_to);
    const numbers time = div_numbers(before.value, sub_numbers(before.value, after.value));
    const numbers turn = select_numbers(less_numbers(fill_numbers(0), before.value),
                                        fill_numbers(-1), fill_numbers(1));
    const vectors normal = scale_vectors(left_of_vectors(direction), div_numbers(turn, length));
    const determinants_wide at_a = find_determinants(a_from, a_to);
    const determinants_wide at_b = find_determinants(b_from, b_to);
    const marks clear =
        and_marks(and_marks(before.clear, after.clear), and_marks(at_a.clear, at_b.clear));
    const marks crosses = and_marks(differ_in_sign(before.value, after.value),
                                    differ_in_sign(at_a.value, at_b.value));
    const marks hit = and_marks(clear, crosses);
    const vectors path = sub_vectors(end, ray.a);
    const vectors point = add_vectors(ray.a, scale_vectors(path, time));
    const vectors zero = {fill_numbers(0), fill_numbers(0)};
    uint32_t bits =
        store_hits(hit, time, add_vectors(zero, point), sub_vectors(zero, normal), hits);
    const uint32_t unclear = ~mark_bits(clear) & ((1u << GRZ_BLOCK) - 1);
    GRZ_ANSWER_RARE(unclear, hits, graze_cast_ray_segment(rays[k], segments[k]), hits[k].hit, bits)
    return bits;
}

// Of those that touch at the start only finite ones hit, as in sweep_discs().
GRZ_IN_PLACE sweeps cast_finite_discs(const passages *way, vectors start, vectors delta,
                                      numbers radius, numbers radius_b)
{
    const vectors end = add_vectors(start, delta);
    const marks finite = have_limits(add_numbers(radius, add_numbers(end.x, end.y)));
    sweeps cast = cast_discs(way, start, delta, radius, radius_b);
    cast.hit = but_not_marks(cast.hit, but_not_marks(way->touches, finite));
    return cast;
}

GRZ_IN_PLACE uint32_t store_casts(const sweeps *cast, vectors point, graze_hit *hits)
{
    const vectors none = {fill_numbers(0), fill_numbers(0)};
    return store_hits(cast->hit, cast->time, point, sub_vectors(none, cast->normal), hits);
}

// Rays of any kind. Computes the block again, so that for others its inputs need not be kept.
GRZ_APART static uint32_t block_cast_any_rays(const graze_ray *rays, const graze_circle *circles_of,
                                              uint32_t *rare, graze_hit *hits)
{
    const couples ray = load_couples(&rays->origin);
    const circles target = load_circles(circles_of);
    const vectors start = sub_vectors(ray.a, target.center);
    const passages way = follow_points(start, ray.b, target.radius);
    const sweeps cast = cast_finite_discs(&way, start, ray.b, target.radius, target.radius);
    const vectors entry = add_vectors(target.center, cast.point);
    *rare = mark_bits(cast.rare);
    return store_casts(&cast, select_vectors(way.touches, ray.a, entry), hits);
}

// HOT. bench: narrowphase/cast_ray_circle_many
//
// Branch  On whether any ray of the block starts inside, which is rare in most arrays.
GRZ_IN_PLACE uint32_t block_cast_ray_circle(const graze_ray *rays, const graze_circle *circles_of,
                                            graze_hit *hits)
{
    const couples ray = load_couples(&rays->origin);
    const circles target = load_circles(circles_of);
    const vectors start = sub_vectors(ray.a, target.center);
    const passages way = follow_points(start, ray.b, target.radius);
    uint32_t bits, rare;
    if (mark_bits(way.touches)) {
        bits = block_cast_any_rays(rays, circles_of, &rare, hits);
    } else {
        const sweeps cast = enter_discs(&way, ray.b, target.radius, target.radius);
        rare = mark_bits(way.rare);
        bits = store_casts(&cast, add_vectors(target.center, cast.point), hits);
    }
    GRZ_ANSWER_RARE(rare, hits, graze_cast_ray_circle(rays[k], circles_of[k]), hits[k].hit, bits)
    return bits;
}

GRZ_IN_PLACE uint32_t block_cast_circle_circle(const graze_circle *movers, const graze_vec2 *deltas,
                                               const graze_circle *targets, graze_hit *hits)
{
    numbers columns[4];
    load_rows_of(&deltas->x, 2, columns);
    const vectors delta = {columns[0], columns[1]};
    const circles mover = load_circles(movers), target = load_circles(targets);
    const vectors start = sub_vectors(mover.center, target.center);
    const numbers radius = add_numbers(mover.radius, target.radius);
    const passages way = follow_points(start, delta, radius);
    const sweeps cast = cast_finite_discs(&way, start, delta, radius, target.radius);
    uint32_t bits = store_casts(&cast, add_vectors(target.center, cast.point), hits);
    GRZ_ANSWER_RARE(mark_bits(cast.rare), hits,
                    graze_cast_circle_circle(movers[k], deltas[k], targets[k]), hits[k].hit, bits)
    return bits;
}
