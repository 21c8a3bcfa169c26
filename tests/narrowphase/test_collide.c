#include "moving_pair.h"

#include <graze/cast.h>
#include <graze/collide.h>
#include <graze/sweep.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

static const uint64_t seed = 27182818;

static bool is_near(graze_vec2 a, graze_vec2 b, double tolerance)
{
    return fabs((double)a.x - (double)b.x) <= tolerance &&
           fabs((double)a.y - (double)b.y) <= tolerance;
}

static void check_manifold(size_t row, graze_manifold found, graze_manifold expected,
                           double tolerance)
{
    bool is_right =
        found.count == expected.count && is_near(found.normal, expected.normal, tolerance);
    for (uint32_t i = 0; i < 2; ++i) {
        is_right = is_right && is_near(found.points[i], expected.points[i], tolerance) &&
                   fabs((double)found.depths[i] - (double)expected.depths[i]) <= tolerance;
    }
    if (!is_right) {
        fail_msg("row %zu: count %u normal %g %g points %g %g (%g), %g %g (%g)", row, found.count,
                 (double)found.normal.x, (double)found.normal.y, (double)found.points[0].x,
                 (double)found.points[0].y, (double)found.depths[0], (double)found.points[1].x,
                 (double)found.points[1].y, (double)found.depths[1]);
    }
}

static const graze_manifold apart = {0, {{0, 0}, {0, 0}}, {0, 0}, {0, 0}};

static graze_manifold one_point(float x, float y, float depth, float normal_x, float normal_y)
{
    const graze_manifold manifold = {1, {{x, y}, {0, 0}}, {depth, 0}, {normal_x, normal_y}};
    return manifold;
}

static void circle_and_circle_have_one_point_midway(void **state)
{
    (void)state;
    const struct {
        graze_circle a, b;
        graze_manifold manifold;
    } rows[] = {
        {{{0, 0}, 1}, {{2, 0}, 1}, one_point(1, 0, 0, 1, 0)}, // touching
        {{{0, 0}, 1}, {{nextafterf(2, 3), 0}, 1}, apart},     // just apart
        {{{0, 0}, 2}, {{3, 4}, 3}, one_point(1.2f, 1.6f, 0, 0.6f, 0.8f)},
        {{{0, 0}, 1}, {{0, -1.5f}, 1}, one_point(0, -0.75f, 0.5f, 0, -1)},
        {{{1, 1}, 1}, {{1, 1}, 2}, one_point(0.5f, 1, 3, 1, 0)},               // one centre
        {{{0.5f, 0}, 0.25f}, {{0, 0}, 2}, one_point(1.125f, 0, 1.75f, -1, 0)}, // contained
        {{{2, 0}, 0}, {{0, 0}, 2}, one_point(2, 0, 0, -1, 0)},                 // a point on the rim
        {{{3, 3}, 0}, {{3, 3}, 0}, one_point(3, 3, 0, 1, 0)},
        {{{1e6f, 1e6f}, 5},
         {{1e6f + 8, 1e6f + 6}, 5},
         one_point(1e6f + 4, 1e6f + 3, 0, 0.8f, 0.6f)},
        {{{0, 0}, 0x1p-140f}, {{0x1p-139f, 0}, 0x1p-140f}, one_point(0x1p-140f, 0, 0, 1, 0)},
        {{{-1e38f, 0}, 2e38f}, {{1e38f, 0}, 1e38f}, one_point(5e37f, 0, 1e38f, 1, 0)},
        {{{NAN, 0}, 1}, {{0, 0}, 1}, apart},
        {{{0, 0}, INFINITY}, {{0, 0}, 1}, apart},
        {{{INFINITY, 0}, 1}, {{INFINITY, 0}, 1}, apart},
    };
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        const double size = fmax(1, fabs((double)rows[i].manifold.depths[0]));
        check_manifold(i, graze_collide_circles(rows[i].a, rows[i].b), rows[i].manifold,
                       1e-6 * size);
    }
}

static void disc_and_segment_have_one_point_midway(void **state)
{
    (void)state;
    const graze_segment wall = {{-2, 0}, {2, 0}};
    const graze_segment spot = {{1, 1}, {1, 1}};
    const struct {
        graze_circle a;
        graze_segment b;
        graze_manifold manifold;
    } rows[] = {
        {{{0, 1}, 1}, wall, one_point(0, 0, 0, 0, -1)}, // touching
        {{{0, nextafterf(1, 2)}, 1}, wall, apart},
        {{{1, -0.5f}, 1}, wall, one_point(1, 0.25f, 0.5f, 0, 1)},
        {{{5, 4}, 5}, wall, one_point(2, 0, 0, -0.6f, -0.8f)}, // its end, 3-4-5
        {{{-2.5f, 0}, 1}, wall, one_point(-1.75f, 0, 0.5f, 1, 0)},
        {{{0, 0}, 1}, wall, one_point(0, -0.5f, 1, 0, -1)},            // on it: left of it
        {{{0, 0.5f}, 100}, wall, one_point(0, -49.75f, 99.5f, 0, -1)}, // wholly inside
        {{{1, 0}, 0}, wall, one_point(1, 0, 0, 0, -1)},                // a point
        {{{1, 2}, 1}, spot, one_point(1, 1, 0, 0, -1)},
        {{{1, 1}, 1}, spot, one_point(1.5f, 1, 1, 1, 0)},
        {{{3, 2}, 1}, spot, apart},
        {{{NAN, 0}, 1}, wall, apart},
        {{{0, 0}, INFINITY}, wall, apart},
        {{{0, 0}, 1}, {{0, 0}, {INFINITY, 0}}, apart},
    };
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        check_manifold(i, graze_collide_circle_segment(rows[i].a, rows[i].b), rows[i].manifold,
                       1e-6);
    }
}

static void circle_and_rect_have_one_point_midway(void **state)
{
    (void)state;
    const graze_rect rect = {{0, 0}, {2, 1}, {1, 0}};
    const struct {
        graze_circle a;
        graze_manifold manifold;
    } rows[] = {
        {{{3, 0}, 1}, one_point(2, 0, 0, -1, 0)}, // touching a side
        {{{nextafterf(3, 4), 0}, 1}, apart},
        {{{5, 5}, 5}, one_point(2, 1, 0, -0.6f, -0.8f)}, // touching a corner, 3-4-5
        {{{5, nextafterf(5, 6)}, 5}, apart},
        {{{0.5f, -1.5f}, 1}, one_point(0.5f, -0.75f, 0.5f, 0, 1)},
        {{{1.5f, 0}, 1}, one_point(1.25f, 0, 1.5f, -1, 0)}, // centre inside
        {{{0, 0}, 0.5f}, one_point(0, 0.25f, 1.5f, 0, -1)}, // its middle: up, the shorter side
        {{{-1.75f, 0.75f}, 0}, one_point(-1.875f, 0.75f, 0.25f, 1, 0)}, // a tie: by x
        {{{2, 1}, 0}, one_point(2, 1, 0, -1, 0)},                       // a point on the corner
        {{{0, NAN}, 1}, apart},
        {{{0, 0}, INFINITY}, apart},
    };
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        check_manifold(i, graze_collide_circle_rect(rows[i].a, rect), rows[i].manifold, 1e-6);
    }
}

static void circle_and_oriented_rect_given_by_four_vertices(void **state)
{
    (void)state;
    // A square on its corner: its right corner is at (2, 0), its sides are at a distance of sqrt 2.
    const graze_vec2 windings[2][4] = {{{2, 0}, {0, 2}, {-2, 0}, {0, -2}},
                                       {{2, 0}, {0, -2}, {-2, 0}, {0, 2}}};
    for (size_t i = 0; i < 2; ++i) {
        graze_rect rect;
        assert_int_equal(graze_rect_from_vertices(windings[i], &rect), GRAZE_OK);
        const graze_circle at_corner = {{2.5f, 0}, 1};
        check_manifold(i, graze_collide_circle_rect(at_corner, rect),
                       one_point(1.75f, 0, 0.5f, -1, 0), 1e-5);
        const graze_circle at_side = {{1.5f, 1.5f}, 1};
        const float half_way = (float)(1.5 - (1 - 0.29289322 / 2) * 0.70710678);
        check_manifold(2 + i, graze_collide_circle_rect(at_side, rect),
                       one_point(half_way, half_way, 0.29289322f, -0.70710678f, -0.70710678f),
                       1e-5);
    }
}

static void rect_and_rect_have_two_points_on_parallel_sides(void **state)
{
    (void)state;
    const graze_rect table = {{0, 0}, {2, 1}, {1, 0}};
    const graze_rect turned_table = {{0, 0}, {1, 2}, {0, 1}};
    const struct {
        graze_rect a;
        graze_manifold manifold;
    } rows[] = {
        // On top, 0.5 deep: the normal points down, left of it is +x.
        {{{0, 1.5f}, {1, 1}, {1, 0}}, {2, {{-1, 0.75f}, {1, 0.75f}}, {0.5f, 0.5f}, {0, -1}}},
        {{{0, -1.5f}, {1, 1}, {1, 0}}, {2, {{1, -0.75f}, {-1, -0.75f}}, {0.5f, 0.5f}, {0, 1}}},
        {{{2.5f, 0}, {1, 4}, {1, 0}}, {2, {{1.75f, 1}, {1.75f, -1}}, {0.5f, 0.5f}, {-1, 0}}},
        // Half over the edge, touching; a quarter turn makes no difference.
        {{{2.5f, 2}, {1, 1}, {1, 0}}, {2, {{1.5f, 1}, {2, 1}}, {0, 0}, {0, -1}}},
        {{{2.5f, 2}, {1, 1}, {0, -1}}, {2, {{1.5f, 1}, {2, 1}}, {0, 0}, {0, -1}}},
        {{{3, 0}, {1, 1}, {1, 0}}, {2, {{2, 1}, {2, -1}}, {0, 0}, {-1, 0}}},
        {{{3, 2}, {1, 1}, {1, 0}}, {1, {{2, 1}, {0, 0}}, {0, 0}, {-1, 0}}}, // corners touch
        {{{nextafterf(3, 4), 0}, {1, 1}, {1, 0}}, apart},
        {{{0, nextafterf(2, 3)}, {1, 1}, {1, 0}}, apart},
        {{{0, 0}, {1, 1}, {1, 0}}, {2, {{1, 0}, {-1, 0}}, {2, 2}, {0, 1}}}, // one centre
        {{{NAN, 0}, {1, 1}, {1, 0}}, apart},
        {{{0, 0}, {1, INFINITY}, {1, 0}}, apart},
        {{{0, 0}, {1, 1}, {1, NAN}}, apart},
    };
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        check_manifold(i, graze_collide_rects(rows[i].a, table), rows[i].manifold, 1e-6);
        check_manifold(100 + i, graze_collide_rects(rows[i].a, turned_table), rows[i].manifold,
                       1e-6);
    }
}

static void oriented_rect_and_rect_have_a_point_at_the_corner(void **state)
{
    (void)state;
    const graze_rect table = {{0, 0}, {2, 1}, {1, 0}};
    const graze_rotation eighth = graze_rotation_from_angle(0.785398163f);
    const graze_rect on_corner = {{0.5f, 2}, {1, 1}, eighth};
    check_manifold(0, graze_collide_rects(on_corner, table),
                   one_point(0.5f, 0.79289322f, 0.41421356f, 0, -1), 1e-6);
    const graze_rect off = {{0.5f, 2.5f}, {1, 1}, eighth};
    check_manifold(1, graze_collide_rects(off, table), apart, 0);
    const graze_rect leaning = {{0, 1.9f}, {1, 1}, graze_rotation_from_angle(0.05f)};
    const graze_manifold manifold = graze_collide_rects(leaning, table);
    assert_int_equal(manifold.count, 2);
    assert_true(manifold.depths[0] > manifold.depths[1] + 0.05f);
}

static void rect_and_segment_have_up_to_two_points(void **state)
{
    (void)state;
    const graze_segment wall = {{-2, 0}, {2, 0}};
    const struct {
        graze_rect a;
        graze_segment b;
        graze_manifold manifold;
    } rows[] = {
        {{{0, 1}, {1, 1}, {1, 0}}, wall, {2, {{-1, 0}, {1, 0}}, {0, 0}, {0, -1}}}, // stands on it
        {{{0, nextafterf(1, 2)}, {1, 1}, {1, 0}}, wall, apart},
        {{{0, 0.5f}, {1, 1}, {1, 0}},
         wall,
         {2, {{-1, -0.25f}, {1, -0.25f}}, {0.5f, 0.5f}, {0, -1}}},
        {{{2.5f, -0.5f}, {1, 1}, {0, 1}},
         wall,
         {2, {{2, 0.25f}, {1.5f, 0.25f}}, {0.5f, 0.5f}, {0, 1}}},
        {{{-2.75f, 0}, {1, 1}, {1, 0}}, wall, one_point(-1.875f, 0, 0.25f, 1, 0)}, // its end
        {{{-3, -1}, {1, 1}, {1, 0}}, wall, one_point(-2, 0, 0, 0, 1)},             // corner on end
        {{{0, 0}, {1, 1}, {1, 0}}, {{0.5f, 0}, {0.5f, 0}}, one_point(0.75f, 0, 0.5f, 1, 0)},
        {{{0, 0}, {1, 1}, {1, 0}}, {{5, 0}, {5, 0}}, apart},
        {{{0, 0}, {1, 1}, {1, 0}}, {{0, 0}, {NAN, 0}}, apart},
        {{{0, 0}, {1, 1}, {1, 0}}, {{0, 0}, {INFINITY, 0}}, apart},
        {{{0, 0}, {1, 1}, {INFINITY, 0}}, wall, apart},
    };
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        check_manifold(i, graze_collide_rect_segment(rows[i].a, rows[i].b), rows[i].manifold, 1e-6);
    }
}

static graze_manifold collide_pair(const moving_pair *pair)
{
    switch (pair->kind) {
    case PAIR_CIRCLES:
        return graze_collide_circles(moving_pair_circle(pair->a), moving_pair_circle(pair->b));
    case PAIR_CIRCLE_RECT:
        return graze_collide_circle_rect(moving_pair_circle(pair->a), pair->b);
    case PAIR_RECTS:
        return graze_collide_rects(pair->a, pair->b);
    case PAIR_CIRCLE_SEGMENT:
        return graze_collide_circle_segment(moving_pair_circle(pair->a), pair->wall);
    default:
        return graze_collide_rect_segment(pair->a, pair->wall);
    }
}

static long double gap_to_point(const solid *shape, graze_vec2 point)
{
    const graze_circle spot = {point, 0};
    const solid other = solid_of_circle(spot);
    return solid_gap(shape, &other);
}

static const char *what_is_wrong(const moving_pair *pair, const graze_manifold *manifold)
{
    moving_pair still = *pair;
    still.delta.x = 0;
    still.delta.y = 0;
    const graze_sweep rest = moving_pair_sweep(&still);
    const bool is_round = pair->kind != PAIR_RECTS && pair->kind != PAIR_RECT_SEGMENT;
    if ((manifold->count > 0) != moving_pair_overlaps(pair)) {
        return "count and overlap differ";
    }
    if (manifold->count == 0) {
        return NULL;
    }
    if (manifold->count > (is_round ? 1u : 2u)) {
        return "too many points";
    }
    if (manifold->normal.x != (float)rest.normal.x || manifold->normal.y != (float)rest.normal.y) {
        return "another normal than at the start of a sweep";
    }
    if (is_round && manifold->depths[0] != (float)rest.depth) {
        return "another depth than at the start of a sweep";
    }
    const solid a = moving_pair_mover(pair);
    const solid b = moving_pair_target(pair);
    for (uint32_t i = 0; i < manifold->count; ++i) {
        const long double half = (long double)manifold->depths[i] / 2 + 2e-6L;
        if (!(manifold->depths[i] >= 0 && (double)manifold->depths[i] <= rest.depth + 1e-6)) {
            return "deeper than the shapes overlap";
        }
        if (gap_to_point(&a, manifold->points[i]) > half ||
            gap_to_point(&b, manifold->points[i]) > half) {
            return "a point is not between the surfaces";
        }
    }
    return NULL;
}

static void manifolds_agree_with_overlaps_and_sweeps(void **state)
{
    (void)state;
    random_state random = random_seed(seed);
    for (int i = 0; i < 100000; ++i) {
        const pair_kind kind = (pair_kind)(i % PAIR_KIND_COUNT);
        const moving_pair pair =
            i % 2 == 0 ? moving_pair_random(&random, kind) : moving_pair_lattice(&random, kind);
        const graze_manifold manifold = collide_pair(&pair);
        const char *wrong = what_is_wrong(&pair, &manifold);
        if (wrong != NULL) {
            moving_pair_print(wrong, &pair);
            fail_msg("seed %llu, pair %d", (unsigned long long)seed, i);
        }
    }
}

static void a_disc_that_touches_an_end_has_a_manifold(void **state)
{
    (void)state;
    random_state random = random_seed(seed);
    for (int i = 0; i < 100000; ++i) {
        const moving_pair pair = moving_pair_at_end(&random);
        const graze_manifold manifold = collide_pair(&pair);
        const char *wrong = manifold.count == 0 ? "no manifold" : what_is_wrong(&pair, &manifold);
        if (wrong != NULL) {
            moving_pair_print(wrong, &pair);
            fail_msg("seed %llu, pair %d", (unsigned long long)seed, i);
        }
    }
}

// At the end that is near, whichever end of the wall that is.
static void the_length_of_a_wall_costs_no_accuracy(void **state)
{
    (void)state;
    random_state random = random_seed(seed);
    uint32_t touches = 0;
    for (int i = 0; i < 100000; ++i) {
        const float reach = ldexpf(1, (int)random_below(&random, 40));
        const graze_vec2 far = {-reach * random_float(&random, 1, 2), random_float(&random, -1, 1)};
        const graze_vec2 near = {random_float(&random, 0, 1), random_float(&random, 0, 1)};
        const graze_circle disc = {{near.x + random_float(&random, 0, 1e-3f),
                                    near.y + random_float(&random, -1e-3f, 1e-3f)},
                                   2e-3f};
        const graze_segment wall = {far, near}, turned = {near, far};
        const double beyond_x = (double)disc.center.x - (double)near.x;
        const double beyond_y = (double)disc.center.y - (double)near.y;
        if (beyond_x * ((double)near.x - (double)far.x) +
                beyond_y * ((double)near.y - (double)far.y) <
            0) {
            continue;
        }
        ++touches;
        const graze_manifold manifold = graze_collide_circle_segment(disc, wall);
        const graze_manifold other = graze_collide_circle_segment(disc, turned);
        assert_int_equal(manifold.count, other.count);
        assert_true(manifold.depths[0] == other.depths[0]);
        assert_true(is_near(manifold.points[0], other.points[0], 0));
        const graze_vec2d center = {(double)disc.center.x, (double)disc.center.y}, still = {0, 0};
        const double radius = (double)disc.radius;
        const graze_sweep sweep = graze_sweep_circle_segment(center, still, radius, wall);
        const graze_sweep back = graze_sweep_circle_segment(center, still, radius, turned);
        assert_true(sweep.hit && back.hit && sweep.depth == back.depth);
        assert_true(sweep.point.x == (double)near.x && sweep.point.y == (double)near.y);
        assert_true(back.point.x == (double)near.x && back.point.y == (double)near.y);
        assert_true(sweep.normal.x == back.normal.x && sweep.normal.y == back.normal.y);
    }
    assert_true(touches > 50000);
}

// Returns a wall that starts at a corner of the rect and leads away from it along the rect's x
// axis, in line with a side: upright on the side at whose end the corner is.
static graze_segment make_wall_at_corner(random_state *random, graze_rect rect)
{
    graze_vec2 corners[4];
    graze_rect_get_vertices(rect, corners);
    const uint32_t corner = random_below(random, 4);
    const float out = corner == 0 || corner == 3 ? -1.0f : 1.0f;
    const float length = out * random_float(random, 1, 10);
    const graze_segment wall = {corners[corner],
                                {corners[corner].x + length * rect.rotation.cosine,
                                 corners[corner].y + length * rect.rotation.sine}};
    return wall;
}

static void a_wall_upright_at_the_end_of_a_side_touches_the_corner(void **state)
{
    (void)state;
    random_state random = random_seed(seed);
    int touches = 0, hits = 0;
    for (int i = 0; i < 100000; ++i) {
        const graze_rect rect = {{random_float(&random, -5, 5), random_float(&random, -5, 5)},
                                 {random_float(&random, 0.2f, 2), random_float(&random, 0.2f, 2)},
                                 graze_rotation_from_angle(random_float(&random, -3, 3))};
        const graze_segment wall = make_wall_at_corner(&random, rect);
        const graze_manifold met = graze_collide_rect_segment(rect, wall);
        for (uint32_t k = 0; k < met.count; ++k) {
            assert_true(is_near(met.points[k], wall.a, 5e-6));
        }
        touches += met.count > 0;
        const graze_vec2 delta = {random_float(&random, -5, 5), random_float(&random, -5, 5)};
        graze_rect mover = rect;
        mover.center.x -= delta.x / 2;
        mover.center.y -= delta.y / 2;
        const graze_hit hit = graze_cast_rect_segment(mover, delta, wall);
        if (hit.hit && fabsf(hit.time - 0.5f) < 1e-6f) {
            assert_true(is_near(hit.point, wall.a, 5e-6));
            ++hits;
        }
    }
    assert_true(touches > 10000 && hits > 10000);
}

static void swapping_two_rects_turns_the_manifold(void **state)
{
    (void)state;
    random_state random = random_seed(seed);
    for (int i = 0; i < 50000; ++i) {
        const moving_pair pair = moving_pair_random(&random, PAIR_RECTS);
        const graze_manifold one = graze_collide_rects(pair.a, pair.b);
        graze_manifold other = graze_collide_rects(pair.b, pair.a);
        other.normal.x = 0 - other.normal.x;
        other.normal.y = 0 - other.normal.y;
        if (other.count == 2) {
            const graze_manifold copy = other;
            other.points[0] = copy.points[1];
            other.points[1] = copy.points[0];
            other.depths[0] = copy.depths[1];
            other.depths[1] = copy.depths[0];
        }
        check_manifold((size_t)i, one, other, 2e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circle_and_circle_have_one_point_midway),
        cmocka_unit_test(disc_and_segment_have_one_point_midway),
        cmocka_unit_test(circle_and_rect_have_one_point_midway),
        cmocka_unit_test(circle_and_oriented_rect_given_by_four_vertices),
        cmocka_unit_test(rect_and_rect_have_two_points_on_parallel_sides),
        cmocka_unit_test(oriented_rect_and_rect_have_a_point_at_the_corner),
        cmocka_unit_test(rect_and_segment_have_up_to_two_points),
        cmocka_unit_test(manifolds_agree_with_overlaps_and_sweeps),
        cmocka_unit_test(a_disc_that_touches_an_end_has_a_manifold),
        cmocka_unit_test(the_length_of_a_wall_costs_no_accuracy),
        cmocka_unit_test(a_wall_upright_at_the_end_of_a_side_touches_the_corner),
        cmocka_unit_test(swapping_two_rects_turns_the_manifold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
