// Overlap tests: tables of known cases.

#include <graze/overlap.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

static const float tiny = 0x1p-149f;
static const float not_finite[] = {NAN, INFINITY, -INFINITY};

static graze_rect make_rect(float x, float y, float half_x, float half_y, float angle)
{
    const graze_rect rect = {{x, y}, {half_x, half_y}, graze_rotation_from_angle(angle)};
    return rect;
}

static void point_in_circle_is_decided_without_a_root(void **state)
{
    (void)state;
    const struct {
        graze_vec2 point;
        graze_circle circle;
        bool touches;
    } table[] = {
        {{0, 0}, {{0, 0}, 1}, true},           // the centre
        {{3, 4}, {{0, 0}, 5}, true},           // on the rim
        {{4, 6}, {{1, 2}, 5}, true},           // on the rim, elsewhere
        {{3, 4}, {{0, 0}, 4.9999995f}, false}, // a rounding step outside
        {{1, 1}, {{1, 1}, 0}, true},           // radius 0
        {{1, 1.0000001f}, {{1, 1}, 0}, false}, // radius 0, beside it
        {{1e6f, 1e6f}, {{999997, 999996}, 5}, true},
        {{1e6f, 1e6f}, {{999997, 999995.9375f}, 5}, false},
        {{0x1p-149f, 0}, {{0, 0}, 0x1p-149f}, true},
        {{0x1p-148f, 0}, {{0, 0}, 0x1p-149f}, false},
        {{3e38f, 0}, {{-3e38f, 0}, 3e38f}, false},
        {{0, 0}, {{-3e38f, 0}, 3e38f}, true},
    };
    for (size_t i = 0; i < COUNT_OF(table); ++i) {
        if (graze_overlap_point_circle(table[i].point, table[i].circle) != table[i].touches) {
            fail_msg("row %zu", i);
        }
    }
}

static void circle_and_circle_touch_within_the_sum_of_their_radii(void **state)
{
    (void)state;
    const struct {
        graze_circle a, b;
        bool touches;
    } table[] = {
        {{{0, 0}, 1}, {{1, 0}, 1}, true}, // overlapping
        {{{0, 0}, 2}, {{3, 4}, 3}, true}, // touching
        {{{0, 0}, 2}, {{3, 4}, 2.9999998f}, false} /* a rounding step apart */,
        {{{0, 0}, 9}, {{1, 1}, 1}, true},  // one inside the other
        {{{2, 2}, 1}, {{2, 2}, 1}, true},  // the same
        {{{2, 2}, 0}, {{2, 2}, 0}, true},  // two points, the same
        {{{2, 2}, 0}, {{2, 3}, 0}, false}, // two points
        {{{3, 4}, 0}, {{0, 0}, 5}, true},  // a point on a rim
        {{{1e5f, 1e5f}, 2}, {{100003, 100004}, 3}, true},
        {{{0, 0}, tiny}, {{2 * tiny, 0}, tiny}, true},
        {{{0, 0}, tiny}, {{3 * tiny, 0}, tiny}, false},
        {{{-3e38f, 0}, 3e38f}, {{3e38f, 0}, 3e38f}, true},
    };
    for (size_t i = 0; i < COUNT_OF(table); ++i) {
        if (graze_overlap_circles(table[i].a, table[i].b) != table[i].touches ||
            graze_overlap_circles(table[i].b, table[i].a) != table[i].touches) {
            fail_msg("row %zu", i);
        }
    }
}

static void point_in_rect_works_aligned_and_oriented(void **state)
{
    (void)state;
    const graze_rotation quarter = {0, 1};
    const graze_rect aligned = make_rect(1, 2, 3, 1, 0);
    const graze_rect upright = {{1, 2}, {3, 1}, quarter};
    const graze_rect slanted = make_rect(0, 0, 2, 1, 0.5f);
    const struct {
        graze_vec2 point;
        graze_rect rect;
        bool touches;
    } table[] = {
        {{1, 2}, aligned, true},           {{4, 3}, aligned, true},
        {{-2, 1}, aligned, true},          {{4.0000005f, 2}, aligned, false},
        {{1, 3.0000002f}, aligned, false}, {{2, 5}, upright, true},
        {{0, -1}, upright, true},          {{4, 2}, upright, false},
        {{1.7f, 0.9f}, slanted, true},     {{1.7f, -0.9f}, slanted, false},
        {{-1.2f, -1.4f}, slanted, true},   {{-1.2f, 1.4f}, slanted, false},
    };
    for (size_t i = 0; i < COUNT_OF(table); ++i) {
        if (graze_overlap_point_rect(table[i].point, table[i].rect) != table[i].touches) {
            fail_msg("row %zu", i);
        }
    }
}

static void aligned_rect_and_rect_touch_at_sides_and_corners(void **state)
{
    (void)state;
    const graze_aabb box = {{0, 0}, {2, 1}};
    const struct {
        graze_aabb other;
        bool touches;
    } table[] = {
        {{{1, 0}, {3, 1}}, true},           {{{2, 0}, {3, 1}}, true},
        {{{2, 1}, {3, 3}}, true},           {{{0.5f, 0.25f}, {0.5f, 0.25f}}, true},
        {{{-5, -5}, {5, 5}}, true},         {{{-INFINITY, -INFINITY}, {0, 0}}, true},
        {{{2.0000002f, 0}, {3, 1}}, false}, {{{0, -2}, {2, -0x1p-149f}}, false},
        {{{NAN, 0}, {2, 1}}, false},        {{{0, 0}, {2, NAN}}, false},
    };
    for (size_t i = 0; i < COUNT_OF(table); ++i) {
        if (graze_overlap_aabbs(box, table[i].other) != table[i].touches ||
            graze_overlap_aabbs(table[i].other, box) != table[i].touches) {
            fail_msg("row %zu", i);
        }
    }
}

static void circle_and_infinite_line_touch_within_the_height_over_it(void **state)
{
    (void)state;
    const struct {
        graze_circle circle;
        graze_line line;
        bool touches;
    } table[] = {
        {{{5, 2}, 2}, {{0, 0}, {1, 0}}, true}, // touching, beyond both points
        {{{-5, 2}, 1.9999999f}, {{0, 0}, {1, 0}}, false},
        {{{1, 7}, 5}, {{0, 0}, {4, 3}}, true}, // height 25/5
        {{{1, 7}, 4.9999995f}, {{0, 0}, {4, 3}}, false},
        {{{1, 1}, 0}, {{0, 0}, {7, 7}}, true}, // a point on the line
        {{{1, 1.0000001f}, 0}, {{0, 0}, {7, 7}}, false},
        {{{3, 4}, 5}, {{0, 0}, {0, 0}}, true}, // a line that is a point
        {{{3, 4}, 4.9999995f}, {{0, 0}, {0, 0}}, false},
        {{{1e6f, 1e6f + 1}, 1}, {{0, 1e6f}, {1, 1e6f}}, true},
        {{{0, 2 * 0x1p-149f}, 0x1p-149f}, {{0, 0}, {0x1p-149f, 0}}, false},
        {{{3e38f, 3e38f}, 3e38f}, {{-3e38f, 0}, {3e38f, 0}}, true},
    };
    for (size_t i = 0; i < COUNT_OF(table); ++i) {
        const graze_line reversed = {table[i].line.b, table[i].line.a};
        if (graze_overlap_circle_line(table[i].circle, table[i].line) != table[i].touches ||
            graze_overlap_circle_line(table[i].circle, reversed) != table[i].touches) {
            fail_msg("row %zu", i);
        }
    }
}

static void disc_and_segment_touch_also_when_it_is_wholly_inside(void **state)
{
    (void)state;
    const struct {
        graze_circle disc;
        graze_segment segment;
        bool touches;
    } table[] = {
        {{{0, 0}, 5}, {{-1, 0}, {1, 1}}, true}, // wholly inside
        {{{2, 2}, 2}, {{0, 0}, {4, 0}}, true},  // touching between the ends
        {{{2, 2}, 1.9999999f}, {{0, 0}, {4, 0}}, false},
        {{{-3, 4}, 5}, {{0, 0}, {4, 0}}, true}, // touching a
        {{{7, -4}, 5}, {{0, 0}, {4, 0}}, true}, // touching b
        {{{7, -4}, 4.9999995f}, {{0, 0}, {4, 0}}, false},
        {{{9, 0}, 4}, {{0, 0}, {4, 0}}, false}, // collinear, beyond b
        {{{9, 0}, 5}, {{0, 0}, {4, 0}}, true},
        {{{1, 7}, 5}, {{0, 0}, {8, 6}}, true}, // slanted, height 5
        {{{3, 4}, 5}, {{0, 0}, {0, 0}}, true}, // a segment that is a point
        {{{2, 1}, 0}, {{0, 0}, {4, 2}}, true}, // a disc that is a point
        {{{2, 1.0000001f}, 0}, {{0, 0}, {4, 2}}, false},
        {{{100002, 100002}, 2}, {{1e5f, 1e5f}, {100004, 1e5f}}, true},
        {{{0, 0x1p-149f}, 0x1p-149f}, {{-1, 0}, {1, 0}}, true},
        {{{0, 0x1p-148f}, 0x1p-149f}, {{-1, 0}, {1, 0}}, false},
        {{{0, 3e38f}, 3e38f}, {{-3e38f, 0}, {3e38f, 0}}, true},
    };
    for (size_t i = 0; i < COUNT_OF(table); ++i) {
        const graze_segment reversed = {table[i].segment.b, table[i].segment.a};
        if (graze_overlap_circle_segment(table[i].disc, table[i].segment) != table[i].touches ||
            graze_overlap_circle_segment(table[i].disc, reversed) != table[i].touches) {
            fail_msg("row %zu", i);
        }
    }
}

static void circle_and_oriented_rect_touch_at_sides_and_corners(void **state)
{
    (void)state;
    const graze_vec2 corners[4] = {{0, 0}, {0, 2}, {4, 2}, {4, 0}};
    graze_rect given;
    assert_int_equal(graze_rect_from_vertices(corners, &given), GRAZE_OK);
    const graze_rect slanted = make_rect(0, 0, 2, 1, 0.7853982f);
    const struct {
        graze_circle circle;
        graze_rect rect;
        bool touches;
    } table[] = {
        {{{2, 1}, 0.5f}, given, true}, // inside
        {{{2, 1}, 50}, given, true},   // around
        {{{2, 5}, 3}, given, true},    // touching a side
        {{{2, 5}, 2.9999998f}, given, false},
        {{{7, 6}, 5}, given, true}, // touching a corner
        {{{7, 6}, 4.9999995f}, given, false},
        {{{-3, -4}, 5}, given, true},
        {{{4, 2}, 0}, given, true}, // a point in the corner
        {{{4.0000005f, 2}, 0}, given, false},
        {{{1.5f, -1.5f}, 1}, slanted, false},
        {{{1.5f, -1.5f}, 1.2f}, slanted, true},
        {{{1.5f, 1.5f}, 0.2f}, slanted, true},
    };
    for (size_t i = 0; i < COUNT_OF(table); ++i) {
        if (graze_overlap_circle_rect(table[i].circle, table[i].rect) != table[i].touches) {
            fail_msg("row %zu", i);
        }
    }
}

static void oriented_rect_and_rect_touch_unless_an_axis_separates_them(void **state)
{
    (void)state;
    const graze_rotation quarter = {0, 1};
    const graze_rect unit = make_rect(0, 0, 1, 1, 0);
    const graze_rect upright = {{3, 0}, {1, 2}, quarter};
    const graze_rect upright_apart = {{3.0000002f, 0}, {1, 2}, quarter};
    const struct {
        graze_rect a, b;
        bool touches;
    } table[] = {
        {unit, unit, true},
        {unit, make_rect(2, 0, 1, 1, 0), true}, // side to side
        {unit, make_rect(2, 2, 1, 1, 0), true}, // corner to corner
        {unit, make_rect(2.0000002f, 0, 1, 1, 0), false},
        {unit, make_rect(0, 0, 9, 9, 1), true}, // inside
        {unit, upright, true},
        {unit, upright_apart, false},
        {unit, make_rect(2.4f, 0, 1, 1, 0.7853982f), true}, // a corner pokes a side
        {unit, make_rect(2.42f, 0, 1, 1, 0.7853982f), false},
        {unit, make_rect(1.7f, 1.7f, 1, 1, 0.7853982f), true},
        {unit, make_rect(1.8f, 1.8f, 1, 1, 0.7853982f), false}, // only b's axis separates
        {make_rect(1e5f, 0, 1, 1, 0), make_rect(100002, 1, 1, 1, 0), true},
    };
    for (size_t i = 0; i < COUNT_OF(table); ++i) {
        if (graze_overlap_rects(table[i].a, table[i].b) != table[i].touches ||
            graze_overlap_rects(table[i].b, table[i].a) != table[i].touches) {
            fail_msg("row %zu", i);
        }
    }
}

static void rect_and_segment_touch_also_when_it_is_wholly_inside(void **state)
{
    (void)state;
    const graze_rect unit = make_rect(0, 0, 1, 1, 0);
    const graze_rect slanted = make_rect(0, 0, 2, 0.5f, 0.7853982f);
    const struct {
        graze_rect rect;
        graze_segment segment;
        bool touches;
    } table[] = {
        {unit, {{-0.5f, 0}, {0.5f, 0.5f}}, true}, // inside
        {unit, {{-5, 0}, {5, 0}}, true},          // through
        {unit, {{1, 5}, {1, -5}}, true},          // along a side
        {unit, {{1, 1}, {5, 5}}, true},           // from a corner
        {unit, {{0, 2}, {2, 0}}, true},           // across a corner, touching
        {unit, {{0, 2.0000002f}, {2.0000002f, 0}}, false},
        {unit, {{2, -5}, {2, 5}}, false},
        {unit, {{1, 1}, {1, 1}}, true}, // a point
        {unit, {{1, 1.0000001f}, {1, 1.0000001f}}, false},
        {slanted, {{1, 1}, {3, 3}}, true},
        {slanted, {{1, -1}, {3, -3}}, false},
        {slanted, {{0, 1}, {-1, 0}}, false},
    };
    for (size_t i = 0; i < COUNT_OF(table); ++i) {
        const graze_segment reversed = {table[i].segment.b, table[i].segment.a};
        if (graze_overlap_rect_segment(table[i].rect, table[i].segment) != table[i].touches ||
            graze_overlap_rect_segment(table[i].rect, reversed) != table[i].touches) {
            fail_msg("row %zu", i);
        }
    }
}

static void segment_and_segment_touch_exactly(void **state)
{
    (void)state;
    const struct {
        graze_segment a, b;
        bool touches;
    } table[] = {
        {{{0, 0}, {2, 2}}, {{0, 2}, {2, 0}}, true},          // a cross
        {{{0, 0}, {2, 0}}, {{1, 0}, {1, 5}}, true},          // a T
        {{{0, 0}, {2, 0}}, {{1, 0x1p-149f}, {1, 5}}, false}, // a T, one denormal short
        {{{0, 0}, {2, 0}}, {{2, 0}, {3, 7}}, true},          // end to end
        {{{0, 0}, {4, 2}}, {{2, 1}, {8, 4}}, true},          // collinear, sharing a part
        {{{0, 0}, {4, 2}}, {{4, 2}, {8, 4}}, true},          // collinear, end to end
        {{{0, 0}, {4, 2}}, {{6, 3}, {8, 4}}, false},         // collinear, apart
        {{{0, 0}, {4, 2}}, {{0, 1}, {4, 3}}, false},         // parallel
        {{{2, 1}, {2, 1}}, {{0, 0}, {4, 2}}, true},          // a point on it
        {{{2, 1.0000001f}, {2, 1.0000001f}}, {{0, 0}, {4, 2}}, false},
        {{{6, 3}, {6, 3}}, {{0, 0}, {4, 2}}, false}, // a point beyond its end
        {{{1, 1}, {1, 1}}, {{1, 1}, {1, 1}}, true},  // two points
        {{{1, 1}, {1, 1}}, {{1, 2}, {1, 2}}, false},
        {{{-3e38f, -3e38f}, {3e38f, 3e38f}}, {{-3e38f, 3e38f}, {3e38f, -3e38f}}, true},
        {{{-3e38f, -3e38f}, {3e38f, 3e38f}}, {{0, 0x1p-149f}, {0, 1}}, false},
    };
    for (size_t i = 0; i < COUNT_OF(table); ++i) {
        if (graze_overlap_segments(table[i].a, table[i].b) != table[i].touches ||
            graze_overlap_segments(table[i].b, table[i].a) != table[i].touches) {
            fail_msg("row %zu", i);
        }
    }
}

// Shapes that touch no longer do when any of their numbers is not finite.
static void nothing_touches_what_is_not_finite(void **state)
{
    (void)state;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 14; ++j) {
            float c[14] = {0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0};
            c[j] = not_finite[i];
            const graze_rect rect_a = {{c[0], c[1]}, {c[2], c[3]}, {c[4], c[5]}};
            const graze_rect rect_b = {{c[6], c[7]}, {c[8], c[9]}, {c[10], c[11]}};
            const graze_circle circle = {{c[6], c[7]}, c[8]};
            const graze_segment segment = {{c[6], c[7]}, {c[8], c[9]}};
            const graze_line line = {{c[0], c[1]}, {c[2], c[3]}};
            const graze_segment on_line = {line.a, line.b};
            const graze_circle other = {{c[0], c[1]}, c[2]};
            const graze_vec2 point = {c[6], c[7]};
            assert_int_equal(graze_overlap_rects(rect_a, rect_b), j >= 12);
            assert_int_equal(graze_overlap_circle_rect(circle, rect_a), j >= 9);
            assert_int_equal(graze_overlap_rect_segment(rect_a, segment), j >= 10);
            assert_int_equal(graze_overlap_point_rect(point, rect_a), j >= 8);
            assert_int_equal(graze_overlap_point_circle(point, other), j >= 8 || (j > 2 && j < 6));
            assert_int_equal(graze_overlap_circles(circle, other), j >= 9 || (j > 2 && j < 6));
            assert_int_equal(graze_overlap_circle_line(circle, line), j >= 9 || (j > 3 && j < 6));
            assert_int_equal(graze_overlap_circle_segment(circle, on_line),
                             j >= 9 || (j > 3 && j < 6));
            assert_int_equal(graze_overlap_segments(segment, on_line), j >= 10 || (j > 3 && j < 6));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(point_in_circle_is_decided_without_a_root),
        cmocka_unit_test(circle_and_circle_touch_within_the_sum_of_their_radii),
        cmocka_unit_test(point_in_rect_works_aligned_and_oriented),
        cmocka_unit_test(aligned_rect_and_rect_touch_at_sides_and_corners),
        cmocka_unit_test(circle_and_infinite_line_touch_within_the_height_over_it),
        cmocka_unit_test(disc_and_segment_touch_also_when_it_is_wholly_inside),
        cmocka_unit_test(circle_and_oriented_rect_touch_at_sides_and_corners),
        cmocka_unit_test(oriented_rect_and_rect_touch_unless_an_axis_separates_them),
        cmocka_unit_test(rect_and_segment_touch_also_when_it_is_wholly_inside),
        cmocka_unit_test(segment_and_segment_touch_exactly),
        cmocka_unit_test(nothing_touches_what_is_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
