// Swept tests of shapes that turn, against an oracle that knows nothing of how they are found: the
// shapes themselves at thousands of times of the motion.

#include "random.h"

#include <graze/sweep_turn.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

static const uint64_t seed = 20261129;

enum { PAIRS = 30000, TIMES = 400 };

// Times are early by 2^-30 of a motion, and the rotations of rects are in float.
static const double tolerance = 1e-6;

typedef struct vector {
    double x, y;
} vector;

static double along_vector(vector a, vector b)
{
    return a.x * b.x + a.y * b.y;
}

/// A shape at some time: a rect of these axes, with a rim around it.
typedef struct placed {
    vector centre, u, v;
    double half_x, half_y, rim;
} placed;

/// A pair and its motion.
typedef struct trial {
    graze_turning a, b;
    graze_vec2d start, delta;
} trial;

static placed place(const graze_turning *shape, vector centre, double time)
{
    const bool is_rect = shape->shape.kind == GRAZE_SHAPE_RECT;
    const double angle =
        atan2((double)shape->rotation.sine, (double)shape->rotation.cosine) + shape->turn * time;
    const placed made = {centre,
                         {cos(angle), sin(angle)},
                         {-sin(angle), cos(angle)},
                         is_rect ? (double)shape->shape.half.x : 0,
                         is_rect ? (double)shape->shape.half.y : 0,
                         is_rect ? 0 : (double)shape->shape.radius};
    return made;
}

static double reach(const placed *shape, vector axis)
{
    return shape->half_x * fabs(along_vector(shape->u, axis)) +
           shape->half_y * fabs(along_vector(shape->v, axis)) + shape->rim;
}

// How far apart the two are along an axis of length 1; below 0 if they overlap on it.
static double gap_along(const placed *a, const placed *b, vector axis)
{
    const vector between = {b->centre.x - a->centre.x, b->centre.y - a->centre.y};
    return fabs(along_vector(between, axis)) - reach(a, axis) - reach(b, axis);
}

// The way from the nearest point of a rect to the centre of a round shape.
static vector way_to(const placed *rect, const placed *round)
{
    const vector between = {round->centre.x - rect->centre.x, round->centre.y - rect->centre.y};
    const double x = along_vector(between, rect->u), y = along_vector(between, rect->v);
    const double beyond_x = x - fmax(fmin(x, rect->half_x), -rect->half_x);
    const double beyond_y = y - fmax(fmin(y, rect->half_y), -rect->half_y);
    const double length = hypot(beyond_x, beyond_y);
    const vector way = {(rect->u.x * beyond_x + rect->v.x * beyond_y) / length,
                        (rect->u.y * beyond_x + rect->v.y * beyond_y) / length};
    return length > 0 ? way : rect->u;
}

// How far apart two convex shapes are, at least; below 0 if they overlap.
static double gap_of(const placed *a, const placed *b)
{
    const vector axes[] = {a->u, a->v, b->u, b->v, way_to(a, b), way_to(b, a)};
    double most = -HUGE_VAL;
    for (size_t k = 0; k < COUNT_OF(axes); ++k) {
        most = fmax(most, gap_along(a, b, axes[k]));
    }
    return most;
}

static void place_both(const trial *pair, double time, placed *a, placed *b)
{
    const vector centre = {pair->start.x + pair->delta.x * time,
                           pair->start.y + pair->delta.y * time};
    const vector origin = {0, 0};
    *a = place(&pair->a, centre, time);
    *b = place(&pair->b, origin, time);
}

static double gap_at(const trial *pair, double time)
{
    placed a, b;
    place_both(pair, time, &a, &b);
    return gap_of(&a, &b);
}

static graze_turning draw_shape(random_state *random, bool is_rect, double most_turn)
{
    graze_turning made = {{GRAZE_SHAPE_RAY, 0, {0, 0}}, {1, 0}, 0};
    if (is_rect) {
        made.shape =
            graze_shape_rect(random_float(random, 0.05f, 2), random_float(random, 0.01f, 1));
        made.rotation = graze_rotation_from_angle(random_float(random, -3, 3));
        made.turn = most_turn * (double)random_float(random, -1, 1);
    } else if (random_below(random, 3)) {
        made.shape = graze_shape_circle(random_float(random, 0, 0.5f));
    }
    return made;
}

static graze_vec2d draw_vector(random_state *random, float size)
{
    const graze_vec2d made = {(double)random_float(random, -size, size),
                              (double)random_float(random, -size, size)};
    return made;
}

// Turns of all sizes, and motions from none to far ones.
static trial draw_trial(random_state *random)
{
    static const double turns[] = {0.03, 0.3, 2, 7};
    static const float ways[] = {0, 0.1f, 2, 8};
    const uint32_t rects = 1 + random_below(random, 3);
    const double most = turns[random_below(random, 4)];
    trial pair;
    pair.a = draw_shape(random, rects & 1, most);
    pair.b = draw_shape(random, rects & 2, random_below(random, 2) ? most : 0);
    pair.start = draw_vector(random, 3);
    pair.delta = draw_vector(random, ways[random_below(random, 4)]);
    return pair;
}

static void fail_trial(const trial *pair, int round, const char *words, double time, double gap)
{
    print_message("a: kind %d, half %a %a, radius %a, rotation %a %a, turn %a\n",
                  (int)pair->a.shape.kind, (double)pair->a.shape.half.x,
                  (double)pair->a.shape.half.y, (double)pair->a.shape.radius,
                  (double)pair->a.rotation.cosine, (double)pair->a.rotation.sine, pair->a.turn);
    print_message("b: kind %d, half %a %a, radius %a, rotation %a %a, turn %a\n",
                  (int)pair->b.shape.kind, (double)pair->b.shape.half.x,
                  (double)pair->b.shape.half.y, (double)pair->b.shape.radius,
                  (double)pair->b.rotation.cosine, (double)pair->b.rotation.sine, pair->b.turn);
    print_message("start %a %a, delta %a %a\n", pair->start.x, pair->start.y, pair->delta.x,
                  pair->delta.y);
    fail_msg("seed %llu, pair %d: %s at %.9g, gap %.3g", (unsigned long long)seed, round, words,
             time, gap);
}

// Returns the time at which they certainly overlap first, of all that are looked at before `until`;
// 2 if at none.
static double first_overlap(const trial *pair, double until)
{
    for (int k = 0; k <= TIMES; ++k) {
        const double time = (double)k / TIMES;
        if (time < until && gap_at(pair, time) < -tolerance) {
            return time;
        }
    }
    return 2;
}

static void no_touch_is_missed_or_made_up(void **state)
{
    (void)state;
    random_state random = random_seed(seed);
    int hits = 0;
    for (int round = 0; round < PAIRS; ++round) {
        const trial pair = draw_trial(&random);
        const graze_sweep sweep = graze_sweep_turning(&pair.a, &pair.b, pair.start, pair.delta);
        const double missed = first_overlap(&pair, sweep.hit ? sweep.time - 1e-9 : 2);
        if (missed <= 1) {
            fail_trial(&pair, round, "missed", missed, gap_at(&pair, missed));
        }
        const double gap = sweep.hit ? gap_at(&pair, sweep.time) : 0;
        if (gap > tolerance || (sweep.time > 0 && gap < -tolerance)) {
            fail_trial(&pair, round, "made up", sweep.time, gap);
        }
        hits += sweep.hit && sweep.time > 0;
    }
    assert_true(hits > PAIRS / 20);
}

static void point_and_normal_are_those_of_the_touch(void **state)
{
    (void)state;
    random_state random = random_seed(seed + 1);
    for (int round = 0; round < PAIRS; ++round) {
        const trial pair = draw_trial(&random);
        const graze_sweep sweep = graze_sweep_turning(&pair.a, &pair.b, pair.start, pair.delta);
        if (!sweep.hit || sweep.time <= 0) {
            continue;
        }
        placed a, b;
        place_both(&pair, sweep.time, &a, &b);
        const vector normal = {sweep.normal.x, sweep.normal.y};
        const placed point = {{sweep.point.x, sweep.point.y}, {1, 0}, {0, 1}, 0, 0, 0};
        const double side = along_vector(normal, a.centre);
        if (fabs(hypot(normal.x, normal.y) - 1) > tolerance || side > tolerance) {
            fail_trial(&pair, round, "normal", sweep.time, side);
        }
        if (fabs(gap_along(&a, &b, normal)) > tolerance) {
            fail_trial(&pair, round, "not along the normal", sweep.time, gap_along(&a, &b, normal));
        }
        if (gap_of(&a, &point) > tolerance || gap_of(&b, &point) > tolerance) {
            fail_trial(&pair, round, "point", sweep.time, gap_of(&a, &point));
        }
    }
}

static void a_turning_rect_against_a_wall_misses_nothing(void **state)
{
    (void)state;
    random_state random = random_seed(seed + 2);
    int hits = 0;
    for (int round = 0; round < PAIRS; ++round) {
        trial pair = draw_trial(&random);
        pair.a = draw_shape(&random, true, round % 2 ? 3 : 0.1);
        const graze_vec2d a = draw_vector(&random, 2), b = draw_vector(&random, 2);
        const graze_segment wall = {{(float)a.x, (float)a.y}, {(float)b.x, (float)b.y}};
        const graze_sweep sweep = graze_sweep_turning_segment(
            pair.start, pair.delta, pair.a.shape.half, pair.a.rotation, pair.a.turn, wall);
        const double x = (double)wall.b.x - (double)wall.a.x;
        const double y = (double)wall.b.y - (double)wall.a.y;
        pair.b.shape = graze_shape_rect((float)(hypot(x, y) / 2), 0);
        pair.b.rotation = (graze_rotation){(float)(x / hypot(x, y)), (float)(y / hypot(x, y))};
        pair.b.turn = 0;
        pair.start.x -= ((double)wall.a.x + (double)wall.b.x) / 2;
        pair.start.y -= ((double)wall.a.y + (double)wall.b.y) / 2;
        const double missed = first_overlap(&pair, sweep.hit ? sweep.time - 1e-9 : 2);
        const double gap = sweep.hit ? gap_at(&pair, sweep.time) : 0;
        if (missed <= 1 || gap > tolerance) {
            fail_trial(&pair, round, "wall", missed, gap);
        }
        hits += sweep.hit && sweep.time > 0;
    }
    assert_true(hits > PAIRS / 20);
}

static void without_a_turn_it_is_the_sweep_without(void **state)
{
    (void)state;
    random_state random = random_seed(seed + 3);
    for (int round = 0; round < PAIRS; ++round) {
        trial pair = draw_trial(&random);
        pair.a = draw_shape(&random, true, 0);
        pair.b = draw_shape(&random, true, 0);
        const graze_sweep sweep = graze_sweep_turning(&pair.a, &pair.b, pair.start, pair.delta);
        const graze_sweep wanted =
            graze_sweep_rects(pair.start, pair.delta, pair.a.shape.half, pair.a.rotation,
                              pair.b.shape.half, pair.b.rotation);
        if (fabs(sweep.time - wanted.time) > tolerance) {
            fail_trial(&pair, round, "time", sweep.time, wanted.time);
        }
    }
}

// Of a half turn in a step neither end says anything: it ends as it begins.
static void a_half_turn_sweeps_over_what_is_beside(void **state)
{
    (void)state;
    const graze_turning blade = {graze_shape_rect(2, 0.05f), {1, 0}, 3.14159265358979};
    const graze_turning ball = {graze_shape_circle(0.25f), {1, 0}, 0};
    const graze_vec2d start = {0, -1.5}, still = {0, 0};
    const graze_sweep sweep = graze_sweep_turning(&blade, &ball, start, still);
    assert_true(sweep.hit && fabs(sweep.time - 0.5) < 0.1 && sweep.depth == 0);
    assert_true(fabs(sweep.normal.x + 1) < 0.1);
}

static void a_rest_that_is_left_is_no_touch(void **state)
{
    (void)state;
    const graze_turning blade = {graze_shape_rect(2, 1), {1, 0}, 0.01};
    const graze_turning ball = {graze_shape_circle(1), {1, 0}, 0};
    const graze_vec2d nearly = {0, 2 + 1e-12}, away = {0, 1};
    assert_false(graze_sweep_turning(&ball, &blade, nearly, away).hit);
}

static void what_is_not_finite_is_no_hit(void **state)
{
    (void)state;
    const double wrong[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    const graze_turning ball = {graze_shape_circle(1), {1, 0}, 0};
    for (size_t k = 0; k < COUNT_OF(wrong); ++k) {
        graze_turning blade = {graze_shape_rect(2, 1), {1, 0}, wrong[k]};
        const graze_vec2d start = {2.5, 2}, still = {0, 0}, far = {wrong[k], 0};
        assert_false(graze_sweep_turning(&blade, &ball, start, still).hit);
        blade.turn = 1;
        assert_false(graze_sweep_turning(&blade, &ball, start, far).hit);
        assert_false(graze_sweep_turning(&blade, &ball, far, still).hit);
    }
}

static void a_rotation_turns_further(void **state)
{
    (void)state;
    random_state random = random_seed(seed + 4);
    for (int round = 0; round < PAIRS; ++round) {
        const float angle = random_float(&random, -3, 3), turn = random_float(&random, -9, 9);
        const graze_rotation turned =
            graze_rotation_turned(graze_rotation_from_angle(angle), (double)turn);
        const double whole = (double)angle + (double)turn;
        assert_true(fabs((double)turned.cosine - cos(whole)) < 2e-7);
        assert_true(fabs((double)turned.sine - sin(whole)) < 2e-7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_touch_is_missed_or_made_up),
        cmocka_unit_test(point_and_normal_are_those_of_the_touch),
        cmocka_unit_test(a_turning_rect_against_a_wall_misses_nothing),
        cmocka_unit_test(without_a_turn_it_is_the_sweep_without),
        cmocka_unit_test(a_half_turn_sweeps_over_what_is_beside),
        cmocka_unit_test(a_rest_that_is_left_is_no_touch),
        cmocka_unit_test(what_is_not_finite_is_no_hit),
        cmocka_unit_test(a_rotation_turns_further),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
