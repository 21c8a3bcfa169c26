// The tests for arrays of pairs, in every set of lanes, beside the single tests.

#include "lane_sets.h"
#include "many_table.h"
#include "moving_pair.h"
#include "random.h"

#include <graze/overlap.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 40,   ///< Pairs a call: more than two rounds of the widest lanes, and every tail.
    ROUNDS = 40, ///< Of all counts up to that.
    LONG_COUNT = 3001
};

// --- Hard numbers ---

typedef enum family {
    GRID,
    QUARTERS,
    SMALL,
    MIXED,
    SPECIAL,
    FAR,
    NEIGHBOURS,
    TINY,
    FAMILIES
} family;

static float draw_special(random_state *random)
{
    static const float specials[] = {0.0f,    -0.0f,   1,        -1,       FLT_MIN,  1e-45f,
                                     -1e-45f, FLT_MAX, -FLT_MAX, INFINITY, NAN,      3,
                                     4,       5,       1e-20f,   1e20f,    -INFINITY};
    return specials[random_below(random, sizeof specials / sizeof *specials)];
}

static float draw_mixed(random_state *random)
{
    const float fraction = random_float(random, -1, 1);
    return ldexpf(fraction, random_integer(random, -60, 60));
}

static float draw_neighbour(random_state *random)
{
    const float number = (float)random_integer(random, -2, 2);
    return nextafterf(number, (float)random_integer(random, -1, 1) * 9);
}

static float draw_number(random_state *random, family kind)
{
    switch (kind) {
    case GRID:
        return (float)random_integer(random, -3, 3);
    case QUARTERS:
        return (float)random_integer(random, -20, 20) * 0.25f;
    case SMALL:
        return random_float(random, -2, 2);
    case MIXED:
        return draw_mixed(random);
    case SPECIAL:
        return draw_special(random);
    case FAR:
        return random_float(random, -2e6f, 2e6f);
    case NEIGHBOURS:
        return draw_neighbour(random);
    default:
        return ldexpf((float)random_integer(random, -3, 3), -149);
    }
}

/// A size: mostly not negative, and often 0.
static float draw_size(random_state *random, family kind)
{
    const float number = draw_number(random, kind);
    switch (random_below(random, 8)) {
    case 0:
        return 0;
    case 1:
        return number;
    default:
        return fabsf(number);
    }
}

static graze_vec2 draw_place(random_state *random, family kind)
{
    const float x = draw_number(random, kind);
    const graze_vec2 place = {x, draw_number(random, kind)};
    return place;
}

static graze_rotation draw_rotation(random_state *random, family kind)
{
    static const graze_rotation straight[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {0.6f, 0.8f}};
    if (kind == SPECIAL) {
        const graze_vec2 axis = draw_place(random, kind);
        const graze_rotation any = {axis.x, axis.y};
        return any;
    }
    return random_below(random, 2) ? straight[random_below(random, 5)]
                                   : graze_rotation_from_angle(random_float(random, -4, 4));
}

/// Pairs of all kinds; the second of a pair often begins where the first does.
typedef struct pairs {
    uint32_t seed;
    graze_circle circles[2][LONG_COUNT];
    graze_rect rects[2][LONG_COUNT];
    graze_aabb boxes[2][LONG_COUNT];
    graze_segment segments[LONG_COUNT];
    graze_ray rays[LONG_COUNT];
    graze_vec2 deltas[LONG_COUNT];
} pairs;

static graze_circle draw_circle(random_state *random, family kind, graze_vec2 place)
{
    const graze_circle circle = {place, draw_size(random, kind)};
    return circle;
}

static graze_rect draw_rect(random_state *random, family kind, graze_vec2 place)
{
    const float width = draw_size(random, kind), height = draw_size(random, kind);
    const graze_rect rect = {place, {width, height}, draw_rotation(random, kind)};
    return rect;
}

static graze_vec2 draw_other(random_state *random, family kind, graze_vec2 place)
{
    return random_below(random, 6) == 0 ? place : draw_place(random, kind);
}

static void draw_pair(random_state *random, pairs *drawn, uint32_t i)
{
    family kind = (family)random_below(random, FAMILIES);
    const graze_vec2 first = draw_place(random, kind);
    const graze_vec2 second = draw_other(random, kind, first);
    const graze_vec2 third = draw_other(random, kind, second);
    drawn->circles[0][i] = draw_circle(random, kind, first);
    drawn->circles[1][i] = draw_circle(random, kind, second);
    drawn->rects[0][i] = draw_rect(random, kind, first);
    drawn->rects[1][i] = draw_rect(random, kind, second);
    drawn->boxes[0][i].lower = first;
    drawn->boxes[0][i].upper = draw_other(random, kind, first);
    drawn->boxes[1][i].lower = second;
    drawn->boxes[1][i].upper = third;
    drawn->segments[i].a = second;
    drawn->segments[i].b = third;
    drawn->rays[i].origin = first;
    drawn->rays[i].delta = draw_place(random, kind);
    drawn->deltas[i] = drawn->rays[i].delta;
    if (random_below(random, 16) == 0) {
        const moving_pair pair = moving_pair_at_end(random);
        drawn->circles[0][i] = moving_pair_circle(pair.a);
        drawn->segments[i] = pair.wall;
    }
}

// --- Whether two answers are the same ---

static bool same_float(float a, float b)
{
    return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}

static bool same_vec2(graze_vec2 a, graze_vec2 b)
{
    return same_float(a.x, b.x) && same_float(a.y, b.y);
}

static bool same_manifold(graze_manifold a, graze_manifold b)
{
    return a.count == b.count && same_vec2(a.points[0], b.points[0]) &&
           same_vec2(a.points[1], b.points[1]) && same_float(a.depths[0], b.depths[0]) &&
           same_float(a.depths[1], b.depths[1]) && same_vec2(a.normal, b.normal);
}

static bool same_hit(graze_hit a, graze_hit b)
{
    return a.hit == b.hit && same_float(a.time, b.time) && same_vec2(a.point, b.point) &&
           same_vec2(a.normal, b.normal);
}

static bool same_bool(bool a, bool b)
{
    return a == b;
}

// --- Each kernel, against a table and its single test ---

/// Compares a call of `count` pairs, from `from` on, with single ones; fails with the pair's place.
typedef void compare_call(const grz_many_table *table, const pairs *of, uint32_t from,
                          uint32_t count);

#define COMPARE(name, type, same, is_hit, many, single)                                            \
    static void compare_##name(const grz_many_table *table, const pairs *of, uint32_t from,        \
                               uint32_t count)                                                     \
    {                                                                                              \
        static type answers[LONG_COUNT + 1];                                                       \
        type past;                                                                                 \
        memset(answers, 1, (count + 1) * sizeof *answers);                                         \
        memcpy(&past, &answers[count], sizeof past);                                               \
        const uint32_t hits = table->name many;                                                    \
        uint32_t wanted = 0;                                                                       \
        assert_memory_equal(&past, &answers[count], sizeof past);                                  \
        for (uint32_t k = 0; k < count; ++k) {                                                     \
            const uint32_t i = from + k;                                                           \
            const type answer = single;                                                            \
            wanted += (is_hit);                                                                    \
            if (!same(answer, answers[k])) {                                                       \
                fail_msg(#name ": pair %u, %u of %u, seed %u", (unsigned)i, (unsigned)k,           \
                         (unsigned)count, (unsigned)of->seed);                                     \
            }                                                                                      \
        }                                                                                          \
        assert_int_equal(hits, wanted);                                                            \
    }

COMPARE(overlap_aabbs, bool, same_bool, answer,
        (of->boxes[0] + from, of->boxes[1] + from, count, answers),
        graze_overlap_aabbs(of->boxes[0][i], of->boxes[1][i]))
COMPARE(overlap_circles, bool, same_bool, answer,
        (of->circles[0] + from, of->circles[1] + from, count, answers),
        graze_overlap_circles(of->circles[0][i], of->circles[1][i]))
COMPARE(collide_circles, graze_manifold, same_manifold, answer.count > 0,
        (of->circles[0] + from, of->circles[1] + from, count, answers),
        graze_collide_circles(of->circles[0][i], of->circles[1][i]))
COMPARE(collide_circle_segment, graze_manifold, same_manifold, answer.count > 0,
        (of->circles[0] + from, of->segments + from, count, answers),
        graze_collide_circle_segment(of->circles[0][i], of->segments[i]))
COMPARE(collide_circle_rect, graze_manifold, same_manifold, answer.count > 0,
        (of->circles[0] + from, of->rects[1] + from, count, answers),
        graze_collide_circle_rect(of->circles[0][i], of->rects[1][i]))
COMPARE(collide_rects, graze_manifold, same_manifold, answer.count > 0,
        (of->rects[0] + from, of->rects[1] + from, count, answers),
        graze_collide_rects(of->rects[0][i], of->rects[1][i]))
COMPARE(cast_ray_segment, graze_hit, same_hit, answer.hit,
        (of->rays + from, of->segments + from, count, answers),
        graze_cast_ray_segment(of->rays[i], of->segments[i]))
COMPARE(cast_ray_circle, graze_hit, same_hit, answer.hit,
        (of->rays + from, of->circles[1] + from, count, answers),
        graze_cast_ray_circle(of->rays[i], of->circles[1][i]))
COMPARE(cast_circle_circle, graze_hit, same_hit, answer.hit,
        (of->circles[0] + from, of->deltas + from, of->circles[1] + from, count, answers),
        graze_cast_circle_circle(of->circles[0][i], of->deltas[i], of->circles[1][i]))

static compare_call *const calls[] = {
    compare_overlap_aabbs,          compare_overlap_circles,     compare_collide_circles,
    compare_collide_circle_segment, compare_collide_circle_rect, compare_collide_rects,
    compare_cast_ray_segment,       compare_cast_ray_circle,     compare_cast_circle_circle,
};

enum { CALL_COUNT = sizeof calls / sizeof *calls };

static pairs *draw_pairs(uint32_t seed, uint32_t count)
{
    random_state random = random_seed(seed);
    pairs *drawn = calloc(1, sizeof *drawn);
    assert_non_null(drawn);
    drawn->seed = seed;
    for (uint32_t i = 0; i < count; ++i) {
        draw_pair(&random, drawn, i);
    }
    return drawn;
}

static void compare_calls(const grz_many_table *table, const pairs *of, uint32_t from,
                          uint32_t count)
{
    for (uint32_t call = 0; call < CALL_COUNT; ++call) {
        calls[call](table, of, from, count);
    }
}

static void *copy(const void *from, uint32_t count, size_t size)
{
    void *made = malloc(count * size);
    assert_non_null(made);
    memcpy(made, from, count * size);
    return made;
}

/// Shapes of 12, 8 and 24 bytes in blocks of just their size: the sanitizers see what reads on.
static void read_to_the_end(const grz_many_table *table, const pairs *of, uint32_t count)
{
    graze_circle *a = copy(of->circles[0], count, sizeof *a);
    graze_circle *b = copy(of->circles[1], count, sizeof *b);
    graze_vec2 *deltas = copy(of->deltas, count, sizeof *deltas);
    graze_rect *rects = copy(of->rects[0], count, sizeof *rects);
    graze_segment *segments = copy(of->segments, count, sizeof *segments);
    graze_manifold *manifolds = malloc(count * sizeof *manifolds);
    graze_hit *hits = malloc(count * sizeof *hits);
    bool *overlaps = malloc(count * sizeof *overlaps);
    (void)table->overlap_circles(a, b, count, overlaps);
    (void)table->overlap_aabbs(of->boxes[0], of->boxes[1], count, overlaps);
    (void)table->collide_circle_rect(a, rects, count, manifolds);
    (void)table->collide_circle_segment(a, segments, count, manifolds);
    (void)table->cast_circle_circle(a, deltas, b, count, hits);
    free(a);
    free(b);
    free(deltas);
    free(rects);
    free(segments);
    free(manifolds);
    free(hits);
    free(overlaps);
}

/// Circles that touch or miss by a few roundings of a float, if at all.
static void draw_near_misses(random_state *random, pairs *drawn, uint32_t count, int exponent)
{
    for (uint32_t i = 0; i < count; ++i) {
        const graze_vec2 a = draw_place(random, SMALL), b = draw_place(random, SMALL);
        const double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y;
        const double share = (double)random_float(random, 0, 1), reach = sqrt(x * x + y * y);
        const double off = 1 + ldexp(random_integer(random, -4, 4), -24);
        const graze_circle first = {{ldexpf(a.x, exponent), ldexpf(a.y, exponent)},
                                    (float)ldexp(reach * share, exponent)};
        const graze_circle second = {{ldexpf(b.x, exponent), ldexpf(b.y, exponent)},
                                     (float)ldexp(reach * (1 - share) * off, exponent)};
        drawn->circles[0][i] = first;
        drawn->circles[1][i] = second;
    }
}

/// Circles that clearly touch or miss, and one among them with numbers of any kind.
static void draw_odd_one(random_state *random, pairs *drawn, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        const graze_circle first = {draw_place(random, SMALL), 0.125f};
        const graze_circle second = {draw_place(random, SMALL), i % 2 ? 0.125f : 9};
        drawn->circles[0][i] = first;
        drawn->circles[1][i] = second;
    }
    const uint32_t odd = random_below(random, count);
    drawn->circles[0][odd] = draw_circle(random, SPECIAL, draw_place(random, SPECIAL));
    drawn->circles[1][odd] = draw_circle(random, SPECIAL, draw_place(random, SPECIAL));
}

/// Blocks in which floats could decide every pair, wrongly: tests on random pairs hardly have any.
static void compare_circles_that_floats_could_decide(const grz_many_table *table, pairs *drawn)
{
    static const int exponents[] = {0, -75, 62, 63};
    random_state random = random_seed(drawn->seed);
    for (uint32_t i = 0; i < 4; ++i) {
        draw_near_misses(&random, drawn, LONG_COUNT, exponents[i]);
        compare_overlap_circles(table, drawn, 0, LONG_COUNT);
    }
    for (uint32_t i = 0; i < LONG_COUNT; ++i) {
        draw_odd_one(&random, drawn, MOST);
        compare_overlap_circles(table, drawn, 0, MOST);
    }
}

/// Blocks of rays that all start outside their circles: among random pairs there are hardly any.
static void compare_rays_from_outside(const grz_many_table *table, pairs *drawn)
{
    for (uint32_t i = 0; i < LONG_COUNT; ++i) {
        const graze_vec2 from = drawn->rays[i].origin;
        graze_circle *circle = &drawn->circles[1][i];
        const graze_circle round = {circle->center, fabsf(circle->radius)};
        if (graze_overlap_point_circle(from, round)) {
            circle->radius = round.radius < 1e6f ? round.radius : 1;
            circle->center.x = from.x + 2 * circle->radius + 1;
        }
    }
    compare_cast_ray_circle(table, drawn, 0, LONG_COUNT);
}

static void check(grz_lane_set set)
{
    static const grz_many_table *const tables[] = GRZ_WIDE_TABLES(grz_many);
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        pairs *drawn = draw_pairs(round, LONG_COUNT);
        for (uint32_t count = 0; count <= MOST; ++count) {
            compare_calls(tables[set], drawn, round + count, count);
            read_to_the_end(tables[set], drawn, count + 1);
        }
        compare_calls(tables[set], drawn, 0, LONG_COUNT);
        compare_rays_from_outside(tables[set], drawn);
        compare_circles_that_floats_could_decide(tables[set], drawn);
        free(drawn);
    }
}

static void scalar_lanes_answer_like_single_tests(void **state)
{
    (void)state;
    check(lane_set_or_skip("scalar"));
}

static void the_builds_own_lanes_answer_like_single_tests(void **state)
{
    (void)state;
    check(lane_set_of_build_or_skip());
}

static void avx2_lanes_answer_like_single_tests(void **state)
{
    (void)state;
    check(lane_set_or_skip("avx2"));
}

static void avx512_lanes_answer_like_single_tests(void **state)
{
    (void)state;
    check(lane_set_or_skip("avx512"));
}

static void public_calls_use_the_chosen_lanes(void **state)
{
    static const grz_many_table chosen = {
        graze_overlap_aabbs_many,       graze_overlap_circles_many,
        graze_collide_circles_many,     graze_collide_circle_segment_many,
        graze_collide_circle_rect_many, graze_collide_rects_many,
        graze_cast_ray_segment_many,    graze_cast_ray_circle_many,
        graze_cast_circle_circle_many,
    };
    (void)state;
    pairs *drawn = draw_pairs(1234, LONG_COUNT);
    compare_calls(&chosen, drawn, 0, LONG_COUNT);
    free(drawn);
}

static void no_pairs_need_no_arrays(void **state)
{
    (void)state;
    assert_int_equal(graze_collide_circles_many(NULL, NULL, 0, NULL), 0);
    assert_int_equal(graze_cast_circle_circle_many(NULL, NULL, NULL, 0, NULL), 0);
    assert_int_equal(graze_overlap_aabbs_many(NULL, NULL, 0, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalar_lanes_answer_like_single_tests),
        cmocka_unit_test(the_builds_own_lanes_answer_like_single_tests),
        cmocka_unit_test(avx2_lanes_answer_like_single_tests),
        cmocka_unit_test(avx512_lanes_answer_like_single_tests),
        cmocka_unit_test(public_calls_use_the_chosen_lanes),
        cmocka_unit_test(no_pairs_need_no_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
