/// @file many_casts_wide.h
/// Rays and discs that move. Included by many_wide.h alone.

// Lanes where a determinant is clear: see sweep_point.h.
static inline marks is_clear(numbers left, numbers right, numbers value)
{
    const numbers products = add_numbers(absolute_numbers(left), absolute_numbers(right));
    return less_numbers(mul_numbers(products, fill_numbers(GRZ_CLEAR_SHARE)),
                        absolute_numbers(value));
}

typedef struct determinants_of {
    numbers value;
    marks clear;
} determinants_of;

static inline determinants_of sides_of_vectors(vectors a, vectors b)
{
    const numbers left = mul_numbers(a.x, b.y), right = mul_numbers(a.y, b.x);
    const numbers value = sub_numbers(left, right);
    const determinants_of sides = {value, is_clear(left, right, value)};
    return sides;
}

// Lanes where two determinants, neither of them 0, differ in sign: a product of two can neither
// overflow nor vanish.
static inline marks differ_in_sign(numbers a, numbers b)
{
    return less_numbers(mul_numbers(a, b), fill_numbers(0));
}

// A ray's end, rounded to float as graze_vec2_add() does it.
static inline vectors end_of_rays(couples ray)
{
    const vectors end = add_vectors(ray.a, ray.b);
    return join(round_numbers(end.x), round_numbers(end.y));
}

// The root and the quotients take longest, so they come as soon as they can.
static inline uint32_t block_cast_ray_segment(const graze_ray *rays, const graze_segment *segments,
                                              graze_hit *hits)
{
    const couples ray = load_couples(&rays->origin);
    const couples wall = load_couples(&segments->a);
    const vectors direction = sub_vectors(wall.b, wall.a);
    const numbers length = root_numbers(dot_vectors(direction, direction));
    const vectors end = end_of_rays(ray);
    const vectors a_from = sub_vectors(wall.a, ray.a), b_from = sub_vectors(wall.b, ray.a);
    const vectors a_to = sub_vectors(wall.a, end), b_to = sub_vectors(wall.b, end);
    const determinants_of before = sides_of_vectors(a_from, b_from);
    const determinants_of after = sides_of_vectors(a_to, b_to);
    const numbers time = div_numbers(before.value, sub_numbers(before.value, after.value));
    const numbers turn = select_numbers(less_numbers(fill_numbers(0), before.value),
                                        fill_numbers(-1), fill_numbers(1));
    const vectors normal = scale_vectors(left_of_vectors(direction), div_numbers(turn, length));
    const determinants_of at_a = sides_of_vectors(a_from, a_to);
    const determinants_of at_b = sides_of_vectors(b_from, b_to);
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
    marks hit;
    uint32_t rare; // Bits of lanes that are left to the single kernel; none of them is in `hit`.
    numbers time;
    vectors point, normal;
    vectors rim; // Where a ray touches, but for one that starts inside: that is at its origin.
} disc_casts;

// Mirrors sweep_discs().
static inline disc_casts cast_discs(vectors origin, vectors delta, numbers radius_a, circles target)
{
    const numbers zero = fill_numbers(0), one = fill_numbers(1);
    const vectors start = sub_vectors(origin, target.center);
    const numbers radius = add_numbers(radius_a, target.radius);
    const numbers reach = square_numbers(radius);
    const numbers approach = negate_numbers(dot_vectors(start, delta));
    const numbers path = dot_vectors(delta, delta);
    const numbers side = cross_vectors(start, delta);
    const numbers chord = sub_numbers(mul_numbers(reach, path), square_numbers(side));
    const numbers gap = dot_vectors(start, start);
    const vectors end = add_vectors(start, delta);
    const marks passes = less_numbers(chord, zero);
    const marks ends_before = or_marks(at_most_numbers(path, approach), passes);
    const marks is_short = and_marks(ends_before, less_numbers(reach, dot_vectors(end, end)));
    const marks meets = but_not_marks(less_numbers(zero, approach), is_short);
    const marks touches = at_most_numbers(gap, reach);

    // Touching at the start, or on the way: what both need, one root and one division.
    const numbers root = root_numbers(select_numbers(touches, gap, chord));
    const numbers time = div_numbers(sub_numbers(gap, reach), add_numbers(root, approach));
    const vectors inward =
        add_vectors(scale_vectors(delta, root), scale_vectors(left_of_vectors(delta), side));
    const numbers span = select_numbers(touches, root, mul_numbers(radius, path));
    const numbers inverse = div_numbers(select_numbers(touches, negate_numbers(one), one), span);
    const vectors normal = scale_vectors(select_vectors(touches, start, inward), inverse);
    const vectors rim = scale_vectors(normal, negate_numbers(target.radius));
    const marks is_inside = but_not_marks(touches, less_numbers(target.radius, root));
    const vectors point = select_vectors(is_inside, start, rim);

    const marks finite = have_limits(add_numbers(radius, add_numbers(end.x, end.y)));
    const marks rests = and_marks(touches, finite);
    const marks enters = but_not_marks(meets, touches);
    const marks plain_rest = and_marks(rests, less_numbers(zero, root));
    const marks plain_entry = and_marks(but_not_marks(enters, passes), less_numbers(zero, radius));
    const marks in_time = at_most_numbers(zero, time);
    disc_casts made;
    made.hit = or_marks(plain_rest, and_marks(plain_entry, in_time));
    made.rare =
        mark_bits(but_not_marks(or_marks(rests, enters), or_marks(plain_rest, plain_entry)));
    made.time = select_numbers(touches, zero, lesser_numbers(time, one));
    made.point = add_vectors(target.center, point);
    made.rim = add_vectors(target.center, rim);
    made.normal = join(sub_numbers(zero, normal.x), sub_numbers(zero, normal.y));
    return made;
}

static inline uint32_t block_cast_ray_circle(const graze_ray *rays, const graze_circle *circles_of,
                                             graze_hit *hits)
{
    const couples ray = load_couples(&rays->origin);
    const disc_casts cast = cast_discs(ray.a, ray.b, fill_numbers(0), load_circles(circles_of));
    const marks enters = less_numbers(fill_numbers(0), cast.time);
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
    numbers columns[4];
    load_rows_of(&deltas->x, 2, columns);
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
