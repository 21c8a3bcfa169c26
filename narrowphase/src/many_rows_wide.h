/// @file many_rows_wide.h
/// Shapes and answers, structs as users have them, in and out of lanes. Included by many_wide.h
/// alone.

_Static_assert(sizeof(graze_manifold) == 36 && offsetof(graze_manifold, points) == 4 &&
                   offsetof(graze_manifold, depths) == 20 && offsetof(graze_manifold, normal) == 28,
               "a manifold is a count and two rows of four floats");
_Static_assert(sizeof(graze_hit) == 24 && offsetof(graze_hit, point) == 8 &&
                   offsetof(graze_hit, normal) == 16,
               "the last four floats of a hit are a row");
_Static_assert(sizeof(graze_circle) == 12 && sizeof(graze_rect) == 24,
               "circles and rects are rows of floats");

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
