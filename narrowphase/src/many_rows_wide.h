/// @file many_rows_wide.h
/// Loads shapes into lanes and stores results, from and to the structs of users. Included by
/// many_wide.h alone.

_Static_assert(sizeof(graze_manifold) == 36 && offsetof(graze_manifold, points) == 4 &&
                   offsetof(graze_manifold, depths) == 20 && offsetof(graze_manifold, normal) == 28,
               "a manifold is a count and two rows of four floats");
_Static_assert(sizeof(graze_hit) == 24 && offsetof(graze_hit, point) == 8 &&
                   offsetof(graze_hit, normal) == 16,
               "the last four floats of a hit are a row");
_Static_assert(sizeof(graze_circle) == 12 && sizeof(graze_rect) == 24,
               "circles and rects are rows of floats");

typedef struct circles {
    vectors center;
    numbers radius;
} circles;

// Reads one float past the last circle.
GRZ_IN_PLACE circles load_circles(const graze_circle *from)
{
    numbers columns[4];
    load_rows_of(&from->center.x, 3, columns);
    const circles loaded = {{columns[0], columns[1]}, columns[2]};
    return loaded;
}

/// Two vectors: of a segment, a ray or a box.
typedef struct couples {
    vectors a, b;
} couples;

GRZ_IN_PLACE couples load_couples(const graze_vec2 *from)
{
    numbers columns[4];
    load_rows_of(&from->x, 4, columns);
    const couples loaded = {{columns[0], columns[1]}, {columns[2], columns[3]}};
    return loaded;
}

typedef struct rects {
    vectors center;
    frames frame;
} rects;

GRZ_IN_PLACE rects load_rects(const graze_rect *from)
{
    numbers first[4], last[4];
    load_rows_of(&from->center.x, 6, first);
    load_rows_of(&from->half.x, 6, last);
    const rects loaded = {{first[0], first[1]}, {{last[0], last[1]}, {last[2], last[3]}}};
    return loaded;
}

_Static_assert(sizeof(bool) == 1, "bits are spread to bytes");

// Writes `count` bits, at most 8, each to a bool of its own. Machines with lanes are little-endian:
// byte k of a word is byte k in memory. Each byte keeps its own bit of a copy, which then carries
// into its highest one.
GRZ_IN_PLACE void store_bits(uint32_t bits, uint32_t count, bool *to)
{
    const uint64_t own = bits * 0x0101010101010101u & 0x8040201008040201u;
    const uint64_t bytes = (own + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
    memcpy(to, &bytes, count);
}

GRZ_IN_PLACE numbers keep_numbers(marks mask, numbers a)
{
    return select_numbers(mask, a, fill_numbers(0));
}

// Mirrors touch_disc().
GRZ_IN_PLACE uint32_t store_manifolds(marks hit, circles disc, vectors normal, numbers depth,
                                      graze_manifold *to)
{
    const numbers midway = sub_numbers(disc.radius, mul_numbers(depth, fill_numbers(0.5)));
    const vectors point = add_vectors(disc.center, scale_vectors(normal, midway));
    store_nines_of(to, hit, point.x, point.y, depth, normal.x, normal.y);
    return mark_bits(hit);
}

// Writes misses, two at a time: compilers may turn a longer run into a string instruction (bench:
// narrowphase/collide_rects_many).
GRZ_IN_PLACE uint32_t store_misses(graze_manifold *to)
{
    GRZ_UNROLLED
    for (uint32_t k = 0; k < GRZ_BLOCK; k += 2) {
        memset(to + k, 0, 2 * sizeof *to);
    }
    return 0;
}

GRZ_IN_PLACE uint32_t store_hits(marks hit, numbers time, vectors point, vectors normal,
                                 graze_hit *to)
{
    store_sixes_of(to, hit, time, point.x, point.y, normal.x, normal.y);
    return mark_bits(hit);
}

// Answers the rare lanes by the single kernel, `call` for lane k. Adds those that hit to `bits`.
#define GRZ_ANSWER_RARE(rare, answers, call, is_hit, bits)                                         \
    for (uint32_t left = (rare), k = 0; left >> k; ++k) {                                          \
        if (left >> k & 1) {                                                                       \
            (answers)[k] = call;                                                                   \
            (bits) |= (uint32_t)(is_hit) << k;                                                     \
        }                                                                                          \
    }
