#include "lanes_check.h"

#include "random.h"
#include "root.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

// --- what plain C makes ---

/// Works one operation out, for as many lanes as a table has.
typedef void lanes_want(const lanes_given *given, lanes_made *made, uint32_t width,
                        uint32_t width_d);

#define WANT(name)                                                                                 \
    static void want_##name(const lanes_given *given, lanes_made *made, uint32_t width,            \
                            uint32_t width_d)

// An array of lanes from an expression of lane k.
#define WANT_LANES(name, count, to, expression)                                                    \
    WANT(name)                                                                                     \
    {                                                                                              \
        (void)width;                                                                               \
        (void)width_d;                                                                             \
        for (uint32_t k = 0; k < count; ++k) {                                                     \
            made->to[k] = expression;                                                              \
        }                                                                                          \
    }

// Bits of a mask from a condition on lane k.
#define WANT_BITS(name, count, condition)                                                          \
    WANT(name)                                                                                     \
    {                                                                                              \
        (void)width;                                                                               \
        (void)width_d;                                                                             \
        made->bits = 0;                                                                            \
        for (uint32_t k = 0; k < count && k < LANES_MAX; ++k) { /* gcc 12 asks for the bound. */   \
            made->bits |= (uint32_t)(condition) << k;                                              \
        }                                                                                          \
    }

// Two arrays of lanes.
#define WANT_BOTH(name, count, to, first, second)                                                  \
    WANT(name)                                                                                     \
    {                                                                                              \
        (void)width;                                                                               \
        (void)width_d;                                                                             \
        for (uint32_t k = 0; k < count; ++k) {                                                     \
            made->to[0][k] = first;                                                                \
            made->to[1][k] = second;                                                               \
        }                                                                                          \
    }

#define F(which) given->f[which][k]
#define D(which) given->d[which][k]
#define I(which) given->i[which][k]

WANT_LANES(copy_floats, width, f[0], F(0))
WANT_LANES(load_half, width, f[0], k < width / 2 ? F(0) : 0)
WANT_LANES(fill_floats, width, f[0], given->f[0][0])
WANT_LANES(add_floats, width, f[0], F(0) + F(1))
WANT_LANES(sub_floats, width, f[0], F(0) - F(1))
WANT_LANES(mul_floats, width, f[0], F(0) * F(1))
WANT_LANES(div_floats, width, f[0], F(0) / F(1))
WANT_LANES(min_floats, width, f[0], F(0) < F(1) ? F(0) : F(1))
WANT_LANES(max_floats, width, f[0], F(0) > F(1) ? F(0) : F(1))
WANT_BITS(less_floats, width, F(0) < F(1))
WANT_BITS(at_most_floats, width, F(2) <= F(3))
WANT_LANES(select_floats, width, f[0], F(0) < F(1) ? F(2) : F(3))

WANT_LANES(copy_doubles, width_d, d[0], D(0))
WANT_LANES(fill_doubles, width_d, d[0], given->d[0][0])
WANT_LANES(add_doubles, width_d, d[0], D(0) + D(1))
WANT_LANES(sub_doubles, width_d, d[0], D(0) - D(1))
WANT_LANES(mul_doubles, width_d, d[0], D(0) * D(1))
WANT_LANES(div_doubles, width_d, d[0], D(0) / D(1))
WANT_LANES(sqrt_doubles, width_d, d[0], grz_sqrt(D(0)))
WANT_LANES(min_doubles, width_d, d[0], D(0) < D(1) ? D(0) : D(1))
WANT_LANES(max_doubles, width_d, d[0], D(0) > D(1) ? D(0) : D(1))
WANT_BITS(less_doubles, width_d, D(0) < D(1))
WANT_BITS(at_most_doubles, width_d, D(2) <= D(3))
WANT_LANES(select_doubles, width_d, d[0], D(0) < D(1) ? D(2) : D(3))

WANT_LANES(copy_ints, width, i, I(0))
WANT_LANES(fill_ints, width, i, given->i[0][0])
WANT_LANES(add_ints, width, i, I(0) + I(1))
WANT_LANES(sub_ints, width, i, I(0) - I(1))
WANT_LANES(and_ints, width, i, I(0) & I(1))
WANT_LANES(or_ints, width, i, I(0) | I(1))
WANT_LANES(shift_left, width, i, I(0) << given->shift)
WANT_LANES(shift_right, width, i, I(0) >> given->shift)
WANT_LANES(mul_ints, width, i, I(0) * I(1))
WANT_LANES(read_ints, width, i, I(0))
WANT_LANES(write_ints, width, i, I(0))

WANT_BITS(mask_and, width, F(0) < F(1) && F(2) <= F(3))
WANT_BITS(mask_or, width, F(0) < F(1) || F(2) <= F(3))
WANT_BITS(mask_and_d, width_d, D(0) < D(1) && D(2) <= D(3))
WANT_BITS(mask_or_d, width_d, D(0) < D(1) || D(2) <= D(3))
WANT_BITS(mask_but_not_d, width_d, D(0) < D(1) && !(D(2) <= D(3)))

WANT_LANES(widen_low, width_d, d[0], (double)F(0))
WANT_LANES(widen_high, width_d, d[0], (double)given->f[0][width_d + k])
WANT_LANES(narrow_doubles, width, f[0],
           (float)(k < width_d ? given->d[0][k] : given->d[1][k - width_d]))
WANT_LANES(truncate_doubles, width, i, (uint32_t)(int32_t)given->whole[k])

WANT_LANES(floor_doubles, width, i, (uint32_t)(int32_t)floor(fmax(given->whole[k], -2147483648.0)))
WANT_BITS(equal_ints, width, (I(0) & 3) == (I(1) & 3))
WANT_BITS(less_ints, width, (int32_t)I(0) < (int32_t)I(1))

WANT(pack_ints)
{
    (void)width_d;
    made->bits = 0;
    for (uint32_t k = 0; k < width; ++k) {
        if (given->i[1][0] >> k & 1) {
            made->i[made->bits++] = I(0);
        }
    }
}

WANT(store_places)
{
    (void)width_d;
    made->bits = 0;
    for (uint32_t k = 0; k < width; ++k) {
        if (given->i[1][0] >> k & 1) {
            made->wholes[0][made->bits] = given->i[1][1];
            made->wholes[1][made->bits++] = given->i[1][2] + k;
        }
    }
}

WANT_BOTH(load_points, width, f, given->points[k].x, given->points[k].y)
WANT_BOTH(split_points, width, f, (&given->points[k / 2 * 2].x)[k % 2],
          (&given->points[k / 2 * 2 + 1].x)[k % 2])
WANT_BOTH(gather_points, width_d, d, (double)given->points[given->places[k]].x,
          (double)given->points[given->places[k]].y)
WANT_LANES(gather_vectors, width_d, points, given->points[given->places[k]])

WANT(store_points)
{
    (void)width_d;
    for (uint32_t k = 0; k < width; ++k) {
        made->points[k].x = F(0);
        made->points[k].y = F(1);
    }
}

WANT(load_boxes)
{
    (void)width_d;
    for (uint32_t k = 0; k < width; ++k) {
        made->f[0][k] = given->points[2 * k].x;
        made->f[1][k] = given->points[2 * k].y;
        made->f[2][k] = given->points[2 * k + 1].x;
        made->f[3][k] = given->points[2 * k + 1].y;
    }
}

WANT(gather_boxes)
{
    (void)width_d;
    for (uint32_t k = 0; k < width; ++k) {
        const graze_vec2 *corners = &given->points[given->places[k] / 2 * 2];
        made->f[0][k] = corners[0].x;
        made->f[1][k] = corners[0].y;
        made->f[2][k] = corners[1].x;
        made->f[3][k] = corners[1].y;
    }
}

WANT(store_boxes)
{
    (void)width_d;
    for (uint32_t k = 0; k < width; ++k) {
        const graze_aabb box = {{F(0), F(1)}, {F(2), F(3)}};
        made->boxes[k] = box;
    }
}

WANT(scatter_boxes)
{
    (void)width_d;
    for (uint32_t k = 0; k < width; ++k) {
        const graze_aabb box = {{F(0), F(1)}, {F(2), F(3)}};
        made->boxes[width - 1 - k] = box;
    }
}

WANT_LANES(negate_doubles, width_d, d[0], -D(0))
WANT_LANES(absolute_doubles, width_d, d[0], fabs(D(0)))

static void want_rows(const lanes_given *given, lanes_made *made, uint32_t stride, uint32_t count)
{
    const float *rows = &given->f[0][0];
    for (uint32_t k = 0; k < count; ++k) {
        for (uint32_t column = 0; column < 4; ++column) {
            made->d[column][k] = (double)rows[stride * k + column];
        }
    }
}

#define WANT_ROWS(name, stride)                                                                    \
    WANT(name)                                                                                     \
    {                                                                                              \
        (void)width;                                                                               \
        want_rows(given, made, stride, width_d);                                                   \
    }

WANT_ROWS(load_rows, LANES_STRIDE)
WANT_ROWS(load_rows_of_2, 2)
WANT_ROWS(load_rows_of_3, 3)
WANT_ROWS(load_rows_of_4, 4)

WANT(store_rows)
{
    (void)width;
    for (uint32_t k = 0; k < width_d; ++k) {
        for (uint32_t column = 0; column < 4; ++column) {
            made->rows[LANES_STRIDE * k + column] = (float)D(column);
        }
    }
}

WANT(store_sixes)
{
    (void)width;
    for (uint32_t k = 0; k < width_d; ++k) {
        float *six = made->sixes + 6 * k;
        const uint32_t flag = D(0) < D(1);
        memcpy(six, &flag, sizeof flag);
        for (uint32_t i = 1; i < 6; ++i) {
            six[i] = flag ? (float)D((i - 1) % 4) : 0;
        }
    }
}

WANT(store_nines)
{
    static const uint32_t places[5] = {1, 2, 5, 7, 8};
    (void)width;
    memset(made->nines, 0, 9 * width_d * sizeof *made->nines);
    for (uint32_t k = 0; k < width_d; ++k) {
        float *nine = made->nines + 9 * k;
        const uint32_t flag = D(0) < D(1);
        memcpy(nine, &flag, sizeof flag);
        for (uint32_t i = 0; flag && i < 5; ++i) {
            nine[places[i]] = (float)D(i % 4);
        }
    }
}

WANT_LANES(low_halves, width, f[0], given->f[k / 2 % 2][k / 4 * 4 + k % 2])
WANT_LANES(high_halves, width, f[0], given->f[k / 2 % 2][k / 4 * 4 + 2 + k % 2])
WANT_BITS(overlap_fours, width, k % 4 < 2 ? F(0) <= given->f[1][k + 2] : F(0) >= given->f[1][k - 2])

WANT(store_octets)
{
    (void)width;
    for (uint32_t k = 0; k < width_d; ++k) {
        for (uint32_t which = 0; which < 4; ++which) {
            float *two = &made->octets[2 * k + which / 2][which % 2 * 2];
            two[0] = given->f[which][k];
            two[1] = given->f[which][width_d + k];
        }
    }
}

static bool is_set(const lanes_given *given, uint32_t mask, uint32_t k)
{
    const bool set[] = {F(0) < F(1), F(2) <= F(3), F(1) < F(2), F(3) <= F(3)};
    return set[mask];
}

WANT(store_fours)
{
    (void)width_d;
    made->bits = 0;
    for (uint32_t i = 0; i < width; ++i) {
        const uint32_t mask = 4 * i / width, k = 4 * i % width;
        made->fours[i] = is_set(given, mask, k) && is_set(given, mask, k + 1) &&
                         is_set(given, mask, k + 2) && is_set(given, mask, k + 3);
        made->bits += made->fours[i];
    }
}

WANT_BOTH(gather_ints, width, wholes, given->wholes[given->places[k]],
          given->wholes[given->places[2 * k]])
WANT_BOTH(load_pairs, width, wholes, given->wholes[2 * k], given->wholes[2 * k + 1])

WANT(load_threes)
{
    (void)width_d;
    for (uint32_t k = 0; k < width; ++k) {
        made->i[k] = given->wholes[3 * k];
        made->wholes[0][k] = given->wholes[3 * k + 1];
        made->wholes[1][k] = given->wholes[3 * k + 2];
    }
}

WANT_LANES(gather_halves, width, i,
           (k < width_d ? given->wholes : given->more)[given->places[k % width_d]])

WANT(pack_octets)
{
    (void)width;
    made->bits = 0;
    for (uint32_t k = 0; k < width_d; ++k) {
        if (given->i[1][0] >> k & 1) {
            float *low = made->octets[2 * made->bits], *high = made->octets[2 * made->bits + 1];
            low[0] = F(0);
            low[1] = given->f[0][width_d + k];
            low[2] = F(1);
            low[3] = given->f[1][width_d + k];
            high[0] = F(2);
            high[1] = given->f[2][width_d + k];
            high[2] = F(3);
            high[3] = given->f[3][width_d + k];
            ++made->bits;
        }
    }
}

static const struct {
    const char *name;
    lanes_want *want;
} checks[LANES_CHECK_COUNT] = {
#define WANT_NAMED(name) {#name, want_##name},
    LANES_CHECKS(WANT_NAMED)
#undef WANT_NAMED
};

// --- what is tried ---

// Small and large, ties and near ties in rounding, zeros, what is not finite.
static const double hard_numbers[] = {
    0.0,
    -0.0,
    1,
    -1,
    0.5,
    -1.5,
    1.0 / 3,
    1e10,
    -1e10,
    (double)INFINITY,
    -(double)INFINITY,
    (double)NAN,
    (double)FLT_MAX,
    -(double)FLT_MAX,
    (double)FLT_MIN,
    -(double)FLT_MIN,
    0x1p-149,
    -0x1p-149,
    0x1.fffffcp-127,
    16777215,
    16777216,
    16777217,
    DBL_MAX,
    -DBL_MAX,
    DBL_MIN,
    0x1p-1074,
    0x1.fffffeffffffep127,
    0x1.ffffffp127,
    1 + 0x1p-23,
    1 - 0x1p-24,
    1 + 0x1p-24,
    1 + 0x1.8p-23,
    1 + 0x1.0000002p-24,
    0x1p-150,
    0x1.8p-149,
    0x1.0000000000001p-150,
    1 + 0x1p-52,
    9007199254740993.0,
    4503599627370495.5,
};

static const double hard_wholes[] = {
    0.0,
    -0.0,
    0.5,
    -0.5,
    0.9999999999999999,
    -0.9999999999999999,
    1,
    -1,
    -1.5,
    2.5,
    8388607.5,
    16777216.9,
    2147483647.0,
    2147483646.5,
    2147483647.75,
    -2147483648.0,
    -2147483647.5,
    -2147483648.75,
};

enum {
    HARD_COUNT = sizeof hard_numbers / sizeof *hard_numbers,
    WHOLE_COUNT = sizeof hard_wholes / sizeof *hard_wholes
};

static double draw_pattern(random_state *random)
{
    const uint64_t upper = random_bits(random);
    const uint64_t pattern = upper << 32 | random_bits(random);
    double number;
    memcpy(&number, &pattern, sizeof number);
    return number;
}

static double draw_double(random_state *random)
{
    switch (random_below(random, 4)) {
    case 0:
        return draw_pattern(random);
    case 1:
        return (double)random_float(random, -100, 100) / 3;
    default:
        return hard_numbers[random_below(random, HARD_COUNT)];
    }
}

static float draw_float(random_state *random)
{
    if (random_below(random, 4)) {
        return (float)draw_double(random);
    }
    const uint32_t pattern = random_bits(random);
    float number;
    memcpy(&number, &pattern, sizeof number);
    return number;
}

static double draw_whole(random_state *random)
{
    if (random_below(random, 2)) {
        return hard_wholes[random_below(random, WHOLE_COUNT)];
    }
    const double number = (double)(int32_t)random_bits(random);
    return number * ((double)random_below(random, 1000) / 1000);
}

static void draw(random_state *random, lanes_given *given)
{
    given->pad = 0;
    given->shift = random_below(random, 32);
    for (uint32_t k = 0; k <= LANES_MAX; ++k) {
        for (uint32_t which = 0; which < 4; ++which) {
            given->d[which][k] = draw_double(random);
            given->f[which][k] = draw_float(random);
        }
        given->whole[k] = draw_whole(random);
        given->i[0][k] = random_bits(random);
        given->i[1][k] = random_bits(random);
    }
    for (uint32_t k = 0; k <= 2 * LANES_MAX; ++k) {
        given->places[k] = random_below(random, LANES_POINTS);
    }
    for (uint32_t i = 0; i < LANES_POINTS; ++i) {
        given->wholes[i] = random_bits(random);
        given->more[i] = random_bits(random);
        given->points[i].x = draw_float(random);
        given->points[i].y = draw_float(random);
    }
}

// --- whether they agree ---

// The same bits, or NaN both: what a NaN carries is not promised.
static bool same_double(double a, double b)
{
    return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}

static bool same_float(float a, float b)
{
    return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}

static bool same_octets(const float *a, const float *b)
{
    return same_float(a[0], b[0]) && same_float(a[1], b[1]) && same_float(a[2], b[2]) &&
           same_float(a[3], b[3]);
}

static bool same_lanes(const lanes_made *a, const lanes_made *b, uint32_t k)
{
    return same_double(a->d[0][k], b->d[0][k]) && same_double(a->d[1][k], b->d[1][k]) &&
           same_double(a->d[2][k], b->d[2][k]) && same_double(a->d[3][k], b->d[3][k]) &&
           same_float(a->f[0][k], b->f[0][k]) && same_float(a->f[1][k], b->f[1][k]) &&
           a->i[k] == b->i[k] && a->wholes[0][k] == b->wholes[0][k] &&
           a->wholes[1][k] == b->wholes[1][k] && same_float(a->points[k].x, b->points[k].x) &&
           same_float(a->points[k].y, b->points[k].y) && same_octets(a->octets[k], b->octets[k]);
}

static bool same(const lanes_made *a, const lanes_made *b)
{
    bool all = a->bits == b->bits;
    for (uint32_t k = 0; k <= LANES_MAX; ++k) {
        all = all && same_lanes(a, b, k);
    }
    for (uint32_t i = 0; i < LANES_STRIDE * LANES_MAX; ++i) {
        all = all && same_float(a->rows[i], b->rows[i]);
    }
    for (uint32_t i = 0; i <= 6 * LANES_MAX; ++i) {
        all = all && same_float(a->sixes[i], b->sixes[i]);
    }
    for (uint32_t i = 0; i <= 9 * LANES_MAX; ++i) {
        all = all && same_float(a->nines[i], b->nines[i]);
    }
    return all;
}

static bool agrees(const lanes_table *table, uint32_t check, const lanes_given *given)
{
    lanes_made made, wanted;
    memset(&made, 0x5a, sizeof made);
    wanted = made;
    table->run[check](given, &made);
    checks[check].want(given, &wanted, table->width, table->width_d);
    return same(&made, &wanted);
}

const char *lanes_check_set(grz_lane_set set, uint32_t rounds, uint32_t *round)
{
    static const lanes_table *const tables[] = GRZ_WIDE_TABLES(lanes_check);
    random_state random = random_seed(set);
    for (*round = 0; *round < rounds; ++*round) {
        lanes_given given;
        draw(&random, &given);
        for (uint32_t check = 0; check < LANES_CHECK_COUNT; ++check) {
            if (!agrees(tables[set], check, &given)) {
                return checks[check].name;
            }
        }
    }
    return NULL;
}
