/// @file many_casts_wide.h
/// Rays and discs that move. Included by many_wide.h alone.

// Lanes where a determinant is clear: see sweep_point.h.
static inline marks is_clear(numbers left, numbers right, numbers value)
{
    const numbers products = add_numbers(absolute_numbers(left), absolute_numbers(right));
    return less_numbers(mul_numbers(products, fill_numbers(GRZ_CLEAR_SHARE)),
                        absolute_numbers(value));
}

typedef struct determinants_wide {
    numbers value;
    marks clear;
} determinants_wide;

static inline determinants_wide find_determinants(vectors a, vectors b)
{
    const numbers left = mul_numbers(a.x, b.y), right = mul_numbers(a.y, b.x);
    const numbers value = sub_numbers(left, right);
    const determinants_wide found = {value, is_clear(left, right, value)};
    return found;
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
    for (uint32_t k = 0; unclear >> k; ++k) {
        if (unclear >> k & 1) {
            hits[k] = graze_cast_ray_segment(rays[k], segments[k]);
            bits |= (uint32_t)hits[k].hit << k;
        }
    }
    return bits;
}

/// Points that move past discs of `radius` around the origin: see enter_disc().
typedef struct passages {
    numbers approach, reach, path, side, chord, gap;
    vectors end;
    marks touches, passes, meets;
} passages;

static inline passages follow_points(vectors start, vectors delta, numbers radius)
{
    const numbers zero = fill_numbers(0);
    passages way;
    way.reach = square_numbers(radius);
    way.approach = negate_numbers(dot_vectors(start, delta));
    way.path = dot_vectors(delta, delta);
    way.side = cross_vectors(start, delta);
    way.chord = sub_numbers(mul_numbers(way.reach, way.path), square_numbers(way.side));
    way.gap = dot_vectors(start, start);
    way.end = add_vectors(start, delta);
    way.passes = less_numbers(way.chord, zero);
    const marks ends_before = or_marks(at_most_numbers(way.path, way.approach), way.passes);
    const marks is_beyond = less_numbers(way.reach, dot_vectors(way.end, way.end));
    const marks is_ahead = less_numbers(zero, way.approach);
    way.meets = but_not_marks(is_ahead, and_marks(ends_before, is_beyond));
    way.touches = at_most_numbers(way.gap, way.reach);
    return way;
}

/// The results.
typedef struct disc_casts {
    marks hit;
    uint32_t rare; ///< Bits of lanes that are left to the single kernel; none of them is in `hit`.
    numbers time;
    vectors inward;  ///< From where it touches to the origin, of length 1.
    marks is_inside; ///< Of those that touch at the start: whether within `radius_b`.
} disc_casts;

// When a point first touches the disc, if it does not at the start.
static inline numbers time_of_entry(const passages *way, numbers root)
{
    return div_numbers(sub_numbers(way->gap, way->reach), add_numbers(root, way->approach));
}

static inline vectors turn_inward(const passages *way, vectors delta, numbers root)
{
    return add_vectors(scale_vectors(delta, root),
                       scale_vectors(left_of_vectors(delta), way->side));
}

// Mirrors sweep_discs(). Touching at the start and on the way share one root and one division.
static inline disc_casts cast_discs(const passages *way, vectors start, vectors delta,
                                    numbers radius, numbers radius_b)
{
    const numbers zero = fill_numbers(0), one = fill_numbers(1);
    const marks touches = way->touches;
    const numbers root = sqrt_numbers(select_numbers(touches, way->gap, way->chord));
    const numbers time = time_of_entry(way, root);
    const vectors inward = turn_inward(way, delta, root);
    const numbers span = select_numbers(touches, root, mul_numbers(radius, way->path));
    const numbers inverse = div_numbers(select_numbers(touches, negate_numbers(one), one), span);

    const marks finite = have_limits(add_numbers(radius, add_numbers(way->end.x, way->end.y)));
    const marks overlaps = and_marks(touches, finite);
    const marks enters = but_not_marks(way->meets, touches);
    const marks plain_overlap = and_marks(overlaps, less_numbers(zero, root));
    const marks is_round = but_not_marks(less_numbers(zero, radius), way->passes);
    const marks plain_entry = and_marks(enters, is_round);
    const marks plain = or_marks(plain_overlap, plain_entry);
    disc_casts made;
    made.rare = mark_bits(but_not_marks(or_marks(overlaps, enters), plain));
    made.hit = or_marks(plain_overlap, and_marks(plain_entry, at_most_numbers(zero, time)));
    made.time = select_numbers(touches, zero, min_numbers(time, one));
    made.inward = scale_vectors(select_vectors(touches, start, inward), inverse);
    made.is_inside = but_not_marks(touches, less_numbers(radius_b, root));
    return made;
}

static inline uint32_t store_casts(const disc_casts *cast, vectors point, graze_hit *hits)
{
    const vectors none = {fill_numbers(0), fill_numbers(0)};
    return store_hits(cast->hit, cast->time, point, sub_vectors(none, cast->inward), hits);
}

// Rays of any kind.
static inline uint32_t block_cast_any_rays(const graze_ray *rays, const graze_circle *circles_of,
                                           uint32_t *rare, graze_hit *hits)
{
    const couples ray = load_couples(&rays->origin);
    const circles target = load_circles(circles_of);
    const vectors start = sub_vectors(ray.a, target.center);
    const passages way = follow_points(start, ray.b, target.radius);
    const disc_casts cast = cast_discs(&way, start, ray.b, target.radius, target.radius);
    const vectors rim = scale_vectors(cast.inward, negate_numbers(target.radius));
    const vectors entry = add_vectors(target.center, rim);
    *rare = cast.rare;
    return store_casts(&cast, select_vectors(way.touches, ray.a, entry), hits);
}

/// GRZ_WIDTH_D rays, seen from the centres of discs that none of them touches at the start. As in
/// enter_disc(), with `lead` the square of the distance less that of the radius.
typedef struct entries {
    doubles x, y, radius, delta_x, delta_y;
    doubles path, side, root, approach, lead;
    doubles_mask touches, passes, meets;
} entries;

static inline doubles dot_doubles(doubles a_x, doubles a_y, doubles b_x, doubles b_y)
{
    return add_doubles(mul_doubles(a_x, b_x), mul_doubles(a_y, b_y));
}

static inline entries begin_entries(const graze_ray *rays, const graze_circle *circles_of)
{
    doubles ray[4], disc[4];
    load_rows(&rays->origin.x, 4, ray);
    load_rows(&circles_of->center.x, 3, disc);
    entries entry = {
        .x = disc[0], .y = disc[1], .radius = disc[2], .delta_x = ray[2], .delta_y = ray[3]};
    const doubles zero = fill_doubles(0);
    const doubles x = sub_doubles(ray[0], entry.x), y = sub_doubles(ray[1], entry.y);
    const doubles reach = mul_doubles(entry.radius, entry.radius);
    entry.path = dot_doubles(entry.delta_x, entry.delta_y, entry.delta_x, entry.delta_y);
    entry.side = sub_doubles(mul_doubles(x, entry.delta_y), mul_doubles(y, entry.delta_x));
    const doubles chord =
        sub_doubles(mul_doubles(reach, entry.path), mul_doubles(entry.side, entry.side));
    entry.root = sqrt_doubles(chord);
    entry.approach = negate_doubles(dot_doubles(x, y, entry.delta_x, entry.delta_y));
    entry.lead = sub_doubles(dot_doubles(x, y, x, y), reach);
    entry.touches = at_most_doubles(dot_doubles(x, y, x, y), reach);
    entry.passes = less_doubles(chord, zero);
    const doubles end_x = add_doubles(x, entry.delta_x), end_y = add_doubles(y, entry.delta_y);
    const doubles_mask is_beyond = less_doubles(reach, dot_doubles(end_x, end_y, end_x, end_y));
    const doubles_mask ends_before =
        mask_or_d(at_most_doubles(entry.path, entry.approach), entry.passes);
    entry.meets =
        mask_but_not_d(less_doubles(zero, entry.approach), mask_and_d(ends_before, is_beyond));
    return entry;
}

// Returns the lanes that hit.
static inline uint32_t end_entries(const entries *entry, uint32_t *rare, graze_hit *hits)
{
    const doubles zero = fill_doubles(0), one = fill_doubles(1);
    const doubles inverse = div_doubles(one, mul_doubles(entry->path, entry->radius));
    const doubles time = div_doubles(entry->lead, add_doubles(entry->root, entry->approach));
    const doubles_mask is_round = mask_but_not_d(less_doubles(zero, entry->radius), entry->passes);
    const doubles_mask hit =
        mask_and_d(mask_and_d(entry->meets, is_round), at_most_doubles(zero, time));
    const doubles inward_x = mul_doubles(
        dot_doubles(entry->delta_x, negate_doubles(entry->delta_y), entry->root, entry->side),
        inverse);
    const doubles inward_y =
        mul_doubles(dot_doubles(entry->delta_y, entry->delta_x, entry->root, entry->side), inverse);
    const doubles rim = negate_doubles(entry->radius);
    *rare = mask_bits_d(mask_but_not_d(entry->meets, is_round));
    store_sixes(hits, hit, min_doubles(time, one),
                add_doubles(entry->x, mul_doubles(inward_x, rim)),
                add_doubles(entry->y, mul_doubles(inward_y, rim)), sub_doubles(zero, inward_x),
                sub_doubles(zero, inward_y));
    return mask_bits_d(hit);
}

// HOT. bench: narrowphase/cast_ray_circle_many
//
// Data    Each vector's root is begun before the next vector: from then on it needs half as many
//         registers, so that two vectors fit.
// Branch  On whether any ray of the block starts inside, which is rare in most arrays. Then the
//         block is computed again, so that its inputs need not be kept.
static inline uint32_t block_cast_ray_circle(const graze_ray *rays, const graze_circle *circles_of,
                                             graze_hit *hits)
{
    enum { VECTORS = GRZ_BLOCK / GRZ_WIDTH_D };
    entries entry[VECTORS];
    uint32_t touches = 0, bits = 0, rare = 0;
    for (uint32_t v = 0, first = 0; v < VECTORS; ++v, first += GRZ_WIDTH_D) {
        entry[v] = begin_entries(rays + first, circles_of + first);
        touches |= mask_bits_d(entry[v].touches);
    }
    for (uint32_t v = 0, first = 0; !touches && v < VECTORS; ++v, first += GRZ_WIDTH_D) {
        uint32_t own_rare;
        bits |= end_entries(&entry[v], &own_rare, hits + first) << first;
        rare |= own_rare << first;
    }
    if (touches) {
        bits = block_cast_any_rays(rays, circles_of, &rare, hits);
    }
    for (uint32_t k = 0; rare >> k; ++k) {
        if (rare >> k & 1) {
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
    const circles mover = load_circles(movers), target = load_circles(targets);
    const vectors start = sub_vectors(mover.center, target.center);
    const numbers radius = add_numbers(mover.radius, target.radius);
    const passages way = follow_points(start, delta, radius);
    const disc_casts cast = cast_discs(&way, start, delta, radius, target.radius);
    const vectors rim = scale_vectors(cast.inward, negate_numbers(target.radius));
    const vectors touch = select_vectors(cast.is_inside, start, rim);
    uint32_t bits = store_casts(&cast, add_vectors(target.center, touch), hits);
    for (uint32_t k = 0; cast.rare >> k; ++k) {
        if (cast.rare >> k & 1) {
            hits[k] = graze_cast_circle_circle(movers[k], deltas[k], targets[k]);
            bits |= (uint32_t)hits[k].hit << k;
        }
    }
    return bits;
}
