// The pixels near a segment, against the distances of all pixels.

#include "pixel_range.h"
#include "random.h"
#include "vec2d.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

enum { WIDTH = 60, HEIGHT = 40 };

static double distance_to(graze_vec2d a, graze_vec2d b, graze_vec2d p)
{
    const graze_vec2d way = subtract(b, a);
    const double square = dot(way, way);
    const double part = square > 0 ? clamp(dot(subtract(p, a), way) / square, 0, 1) : 0;
    return length_of(subtract(p, along(a, way, part)));
}

// Level, upright and of length 0, too; the ends may be outside.
static graze_segment pick_segment(random_state *random)
{
    const uint32_t kind = random_below(random, 8);
    graze_segment segment = {{random_float(random, -40, 100), random_float(random, -40, 80)},
                             {random_float(random, -40, 100), random_float(random, -40, 80)}};
    segment.b.x = kind == 0 || kind == 1 ? segment.a.x : segment.b.x;
    segment.b.y = kind == 1 || kind == 2 ? segment.a.y : segment.b.y;
    return segment;
}

static void the_columns_hold_what_is_near_and_little_else(void **state)
{
    (void)state;
    random_state random = random_seed(1);
    for (int i = 0; i < 2000; ++i) {
        const graze_segment segment = pick_segment(&random);
        const float reach = random_float(&random, 0.5f, 9);
        double near_count = 0, looked_at = 0;
        for (uint32_t y = 0; y < HEIGHT; ++y) {
            const cli_pixel_range range = cli_pixels_near(segment, reach, y, WIDTH);
            assert_true(range.first <= range.end && range.end <= WIDTH);
            looked_at += range.end - range.first;
            for (uint32_t x = 0; x < WIDTH; ++x) {
                const graze_vec2d middle = vec2d(x + 0.5, y + 0.5);
                const bool is_near =
                    distance_to(widen(segment.a), widen(segment.b), middle) <= (double)reach;
                near_count += is_near;
                if (is_near && (x < range.first || x >= range.end)) {
                    fail_msg("round %d: pixel %u of row %u is left out", i, x, y);
                }
            }
        }
        // The band is at most sqrt(2) as wide, and square at its ends.
        const double most = 1.42 * near_count + 4 * HEIGHT + 4 * squared((double)reach);
        if (looked_at > most) {
            fail_msg("round %d: %g pixels, of which %g are near", i, looked_at, near_count);
        }
    }
}

static void assert_same_distances(graze_segment whole, graze_vec2d a, graze_vec2d b, bool is_there,
                                  double margin)
{
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
        const graze_vec2d middle = vec2d(i % WIDTH + 0.5, i / WIDTH + 0.5);
        const double before = distance_to(widen(whole.a), widen(whole.b), middle);
        const double after = is_there ? distance_to(a, b, middle) : margin;
        assert_true(fabs(fmin(before, margin) - fmin(after, margin)) < 1e-9);
    }
}

static void a_cut_segment_is_as_far_from_the_picture_as_the_whole(void **state)
{
    (void)state;
    random_state random = random_seed(2);
    int outside = 0;
    for (int i = 0; i < 1000; ++i) {
        const graze_segment whole = pick_segment(&random);
        const double margin = (double)random_float(&random, 0, 9);
        graze_vec2d a = widen(whole.a);
        graze_vec2d b = widen(whole.b);
        const bool is_there = cli_segment_cut(&a, &b, vec2d(WIDTH, HEIGHT), margin);
        assert_same_distances(whole, a, b, is_there, margin);
        outside += !is_there;
    }
    assert_in_range(outside, 100, 900);
}

static void what_is_left_of_a_long_segment_is_in_the_picture(void **state)
{
    (void)state;
    static const double lengths[] = {1e3, 1e9, 1e12};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
        graze_vec2d a = vec2d(20 - lengths[i], 20 + lengths[i]);
        graze_vec2d b = vec2d(20 + lengths[i], 20 - lengths[i]);
        assert_true(cli_segment_cut(&a, &b, vec2d(WIDTH, HEIGHT), 5));
        assert_true(length_of(subtract(a, vec2d(-5, 45))) < 0.01);
        assert_true(length_of(subtract(b, vec2d(45, -5))) < 0.01);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_columns_hold_what_is_near_and_little_else),
        cmocka_unit_test(a_cut_segment_is_as_far_from_the_picture_as_the_whole),
        cmocka_unit_test(what_is_left_of_a_long_segment_is_in_the_picture),
    };
    return cmocka_run_group_tests_name("pixel_range", tests, NULL, NULL);
}
