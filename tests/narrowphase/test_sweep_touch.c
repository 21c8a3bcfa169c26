// Swept tests of random pairs: they touch at the time of the hit, and not before.

#include "moving_pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

static const uint64_t seed = 20250107;

typedef moving_pair make_pair(random_state *random, pair_kind kind);

// The error of double for sizes of a few units, and of the rotations of rects in float, which are
// off unit length by 6e-8.
static const double rounding = 1e-13;
static const double float_rotation = 1e-6;

// A property returns null, or what is wrong with a pair.
typedef const char *pair_property(const moving_pair *pair, double tolerance);

static void for_all_pairs(make_pair *make, pair_property *property, double tolerance, int count)
{
    random_state random = random_seed(seed);
    for (int i = 0; i < count; ++i) {
        const pair_kind kind = (pair_kind)(i % PAIR_KIND_COUNT);
        const bool has_rect = kind != PAIR_CIRCLES && kind != PAIR_CIRCLE_SEGMENT;
        const moving_pair pair = make(&random, kind);
        const char *wrong = property(&pair, has_rect ? tolerance : rounding);
        if (wrong != NULL) {
            moving_pair_print(wrong, &pair);
            fail_msg("seed %llu, pair %d", (unsigned long long)seed, i);
        }
    }
}

static void check_random_and_lattice(pair_property *property)
{
    for_all_pairs(moving_pair_random, property, float_rotation, 40000);
    for_all_pairs(moving_pair_lattice, property, rounding, 40000);
}

static const char *hits_at_once_when_overlapping(const moving_pair *pair, double tolerance)
{
    (void)tolerance;
    const graze_sweep sweep = moving_pair_sweep(pair);
    const bool overlaps = moving_pair_overlaps(pair);
    if ((sweep.hit && sweep.time == 0) != overlaps) {
        return "time 0 and overlap differ";
    }
    return !overlaps && sweep.depth != 0 ? "depth without an overlap" : NULL;
}

static void time_0_is_the_overlap_test(void **state)
{
    (void)state;
    check_random_and_lattice(hits_at_once_when_overlapping);
}

// Moves a to within a rounding step or two of touching.
static moving_pair make_nearly_touching(random_state *random, pair_kind kind)
{
    moving_pair pair = moving_pair_random(random, kind);
    const graze_sweep sweep = moving_pair_sweep(&pair);
    pair.a.center.x += pair.delta.x * (float)sweep.time;
    pair.a.center.y += pair.delta.y * (float)sweep.time;
    return pair;
}

static void time_0_is_the_overlap_test_at_the_edge(void **state)
{
    (void)state;
    for_all_pairs(make_nearly_touching, hits_at_once_when_overlapping, 0, 100000);
}

static void a_disc_that_touches_an_end_hits_at_once_wherever_it_goes(void **state)
{
    (void)state;
    random_state random = random_seed(seed);
    for (int i = 0; i < 100000; ++i) {
        const moving_pair pair = moving_pair_at_end(&random);
        if (!moving_pair_overlaps(&pair) || hits_at_once_when_overlapping(&pair, 0) != NULL) {
            moving_pair_print("not hit at once", &pair);
            fail_msg("seed %llu, pair %d", (unsigned long long)seed, i);
        }
    }
}

static void check_range(const graze_sweep *sweep, int i)
{
    if (!(sweep->time >= 0 && sweep->time <= 1 && sweep->depth >= 0)) {
        fail_msg("seed %llu, round %d: time %a depth %a", (unsigned long long)seed, i, sweep->time,
                 sweep->depth);
    }
}

static void time_and_depth_stay_in_range_at_the_edge(void **state)
{
    (void)state;
    random_state random = random_seed(seed);
    for (int i = 0; i < 100000; ++i) {
        const moving_pair pair = moving_pair_random(&random, PAIR_CIRCLE_SEGMENT);
        const double radius = (double)pair.a.half.x;
        const double x = (double)pair.wall.b.x - (double)pair.wall.a.x;
        const double y = (double)pair.wall.b.y - (double)pair.wall.a.y;
        const double out = radius / hypot(x, y);
        const graze_vec2d far = {(double)pair.a.center.x, (double)pair.a.center.y};
        // Places over the middle of the wall, and beside the circle, that just touch, as far as
        // double can tell.
        const graze_vec2d over = {(double)pair.wall.a.x + x / 2 - y * out,
                                  (double)pair.wall.a.y + y / 2 + x * out};
        const graze_vec2d beside = {-y * out, x * out};
        const graze_vec2d still = {0, 0};
        const graze_vec2d to_wall = {over.x - far.x, over.y - far.y};
        const graze_vec2d to_circle = {beside.x - far.x, beside.y - far.y};
        const graze_sweep sweeps[] = {
            graze_sweep_circle_segment(over, still, radius, pair.wall),
            graze_sweep_circle_segment(far, to_wall, radius, pair.wall),
            graze_sweep_circles(beside, still, 0, radius),
            graze_sweep_circles(far, to_circle, 0, radius),
        };
        for (size_t k = 0; k < COUNT_OF(sweeps); ++k) {
            check_range(&sweeps[k], i);
        }
    }
}

// The gap is a convex function of time, so thirds lead to its least value.
static long double least_gap(const moving_pair *pair)
{
    long double low = 0;
    long double high = 1;
    for (int i = 0; i < 45; ++i) {
        const long double third = (high - low) / 3;
        if (moving_pair_gap(pair, low + third) <= moving_pair_gap(pair, high - third)) {
            high -= third;
        } else {
            low += third;
        }
    }
    return fminl(moving_pair_gap(pair, low), moving_pair_gap(pair, high));
}

static const char *touches_first_at_time(const moving_pair *pair, double tolerance)
{
    const graze_sweep sweep = moving_pair_sweep(pair);
    if (!sweep.hit) {
        return least_gap(pair) > -(long double)tolerance ? NULL : "missed";
    }
    if (!(sweep.time >= 0 && sweep.time <= 1)) {
        return "time outside 0..1";
    }
    const long double gap = moving_pair_gap(pair, (long double)sweep.time);
    if (fabsl(gap + (long double)sweep.depth) > (long double)tolerance) {
        return sweep.time > 0 ? "does not touch at its time" : "not as deep as it says";
    }
    for (int i = 0; i < 16; ++i) {
        const long double earlier = (long double)sweep.time * i / 16;
        if (sweep.time > 0 && moving_pair_gap(pair, earlier) < -(long double)tolerance) {
            return "touched earlier";
        }
    }
    return NULL;
}

static void movers_touch_at_the_time_of_the_hit_and_not_before(void **state)
{
    (void)state;
    for_all_pairs(moving_pair_random, touches_first_at_time, float_rotation, 5000);
    for_all_pairs(moving_pair_lattice, touches_first_at_time, rounding, 5000);
}

static graze_vec2 to_float(graze_vec2d v, double factor)
{
    const graze_vec2 rounded = {(float)(v.x * factor), (float)(v.y * factor)};
    return rounded;
}

static const char *normal_leads_out(const moving_pair *pair, double tolerance)
{
    (void)tolerance;
    const graze_sweep sweep = moving_pair_sweep(pair);
    if (!sweep.hit) {
        return NULL;
    }
    if (fabs(hypot(sweep.normal.x, sweep.normal.y) - 1) > 1e-12) {
        return "normal is not of length 1";
    }
    const double step = sweep.depth + 0.5;
    const solid target = moving_pair_target(pair);
    solid mover = solid_moved(moving_pair_mover(pair), pair->delta, (long double)sweep.time);
    mover = solid_moved(mover, to_float(sweep.normal, -step), 1);
    const double gap = (double)solid_gap(&mover, &target);
    return fabs(gap - 0.5) <= float_rotation ? NULL : "the normal is not the way out";
}

static void the_normal_is_the_shortest_way_out(void **state)
{
    (void)state;
    for_all_pairs(moving_pair_random, normal_leads_out, float_rotation, 40000);
    for_all_pairs(moving_pair_lattice, normal_leads_out, float_rotation, 40000);
}

static bool reaches_point(const solid *shape, graze_vec2d point, double tolerance)
{
    solid spot = {1, {{0, 0}}, 0};
    spot.corners[0].x = (long double)point.x;
    spot.corners[0].y = (long double)point.y;
    return solid_gap(shape, &spot) <= (long double)tolerance;
}

static const char *point_is_in_both(const moving_pair *pair, double tolerance)
{
    const graze_sweep sweep = moving_pair_sweep(pair);
    const bool is_wall = pair->kind == PAIR_CIRCLE_SEGMENT || pair->kind == PAIR_RECT_SEGMENT;
    const bool is_rect = pair->kind == PAIR_RECTS || pair->kind == PAIR_RECT_SEGMENT;
    if (!sweep.hit || (is_rect && sweep.time == 0)) {
        return NULL;
    }
    graze_vec2d point = sweep.point;
    if (!is_wall) {
        point.x += (double)pair->b.center.x;
        point.y += (double)pair->b.center.y;
    }
    const solid target = moving_pair_target(pair);
    const solid mover = solid_moved(moving_pair_mover(pair), pair->delta, (long double)sweep.time);
    const bool is_shared =
        reaches_point(&target, point, tolerance) && reaches_point(&mover, point, tolerance);
    return is_shared ? NULL : "the point is not in both";
}

static void the_point_is_in_both_shapes(void **state)
{
    (void)state;
    check_random_and_lattice(point_is_in_both);
}

static const char *a_miss_is_all_zero(const moving_pair *pair, double tolerance)
{
    (void)tolerance;
    const graze_sweep sweep = moving_pair_sweep(pair);
    const double sum = fabs(sweep.time) + fabs(sweep.point.x) + fabs(sweep.point.y) +
                       fabs(sweep.normal.x) + fabs(sweep.normal.y) + fabs(sweep.depth);
    return !sweep.hit && sum != 0 ? "a miss with values" : NULL;
}

static void without_a_hit_all_fields_are_0(void **state)
{
    (void)state;
    check_random_and_lattice(a_miss_is_all_zero);
}

// To the last bit: the step takes one for the other.
static const char *the_normal_alone_is_the_same(const moving_pair *pair, double tolerance)
{
    (void)tolerance;
    if (pair->kind != PAIR_RECT_SEGMENT) {
        return NULL;
    }
    const graze_sweep sweep = moving_pair_sweep(pair);
    const graze_vec2d place = {(double)pair->a.center.x, (double)pair->a.center.y};
    const graze_vec2d delta = {(double)pair->delta.x, (double)pair->delta.y};
    graze_vec2d normal = {0, 0};
    const bool hit = graze_sweep_rect_segment_normal(place, delta, pair->a.half, pair->a.rotation,
                                                     pair->wall, &normal);
    const bool is_same =
        hit == sweep.hit && normal.x == sweep.normal.x && normal.y == sweep.normal.y;
    return is_same ? NULL : "the normal by itself differs";
}

static void the_normal_of_a_rect_and_a_wall_is_found_alone(void **state)
{
    (void)state;
    check_random_and_lattice(the_normal_alone_is_the_same);
}

static size_t used_numbers(moving_pair *pair, float **numbers)
{
    const bool has_wall = pair->kind == PAIR_CIRCLE_SEGMENT || pair->kind == PAIR_RECT_SEGMENT;
    const bool a_turns = pair->kind == PAIR_RECTS || pair->kind == PAIR_RECT_SEGMENT;
    const bool b_turns = pair->kind == PAIR_RECTS || pair->kind == PAIR_CIRCLE_RECT;
    float *a[] = {&pair->delta.x,           &pair->delta.y,        &pair->a.center.x,
                  &pair->a.center.y,        &pair->a.half.x,       &pair->a.half.y,
                  &pair->a.rotation.cosine, &pair->a.rotation.sine};
    float *b[] = {&pair->b.center.x, &pair->b.center.y,        &pair->b.half.x,
                  &pair->b.half.y,   &pair->b.rotation.cosine, &pair->b.rotation.sine};
    float *wall[] = {&pair->wall.a.x, &pair->wall.a.y, &pair->wall.b.x, &pair->wall.b.y};
    size_t count = 0;
    for (size_t i = 0; i < (a_turns ? 8 : 5); ++i) {
        numbers[count++] = a[i];
    }
    for (size_t i = 0; !has_wall && i < (b_turns ? 6 : 3); ++i) {
        numbers[count++] = b[i];
    }
    for (size_t i = 0; has_wall && i < 4; ++i) {
        numbers[count++] = wall[i];
    }
    return count;
}

static const char *hits_nothing_when_not_finite(const moving_pair *pair, double tolerance)
{
    (void)tolerance;
    static const float not_finite[] = {NAN, INFINITY, -INFINITY};
    moving_pair changed = *pair;
    float *numbers[16];
    const size_t count = used_numbers(&changed, numbers);
    for (size_t i = 0; i < count; ++i) {
        for (size_t k = 0; k < COUNT_OF(not_finite); ++k) {
            const float kept = *numbers[i];
            *numbers[i] = not_finite[k];
            if (moving_pair_sweep(&changed).hit) {
                moving_pair_print("this hits", &changed);
                return "a hit of what is not finite";
            }
            *numbers[i] = kept;
        }
    }
    return NULL;
}

static void what_is_not_finite_hits_nothing(void **state)
{
    (void)state;
    check_random_and_lattice(hits_nothing_when_not_finite);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_0_is_the_overlap_test),
        cmocka_unit_test(time_0_is_the_overlap_test_at_the_edge),
        cmocka_unit_test(a_disc_that_touches_an_end_hits_at_once_wherever_it_goes),
        cmocka_unit_test(time_and_depth_stay_in_range_at_the_edge),
        cmocka_unit_test(movers_touch_at_the_time_of_the_hit_and_not_before),
        cmocka_unit_test(the_normal_is_the_shortest_way_out),
        cmocka_unit_test(the_point_is_in_both_shapes),
        cmocka_unit_test(without_a_hit_all_fields_are_0),
        cmocka_unit_test(the_normal_of_a_rect_and_a_wall_is_found_alone),
        cmocka_unit_test(what_is_not_finite_hits_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
