#include "moving_pair.h"

#include <graze/orient.h>

#include "hard_points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

static const uint64_t seed = 314159;

// Small integers: every hit and every miss, grazes included, is decided in integers here.

typedef struct int_vec {
    int64_t x, y;
} int_vec;

static int64_t dot_of(int_vec a, int_vec b)
{
    return a.x * b.x + a.y * b.y;
}

static int64_t cross_of(int_vec a, int_vec b)
{
    return a.x * b.y - a.y * b.x;
}

static int_vec plus(int_vec a, int_vec b)
{
    const int_vec sum = {a.x + b.x, a.y + b.y};
    return sum;
}

static int_vec minus(int_vec a, int_vec b)
{
    const int_vec difference = {a.x - b.x, a.y - b.y};
    return difference;
}

static int_vec int_of(graze_vec2 v)
{
    const int_vec rounded = {(int64_t)v.x, (int64_t)v.y};
    return rounded;
}

// The path comes as near to the origin as at one of its ends, or at its foot if that is between.
static bool path_meets_disc(int_vec start, int_vec delta, int64_t radius)
{
    const int_vec end = plus(start, delta);
    const int64_t reach = radius * radius;
    const int64_t side = cross_of(start, delta);
    const bool has_foot = dot_of(start, delta) < 0 && dot_of(end, delta) > 0;
    return dot_of(start, start) <= reach || dot_of(end, end) <= reach ||
           (has_foot && side * side <= reach * dot_of(delta, delta));
}

// |place + time * speed| <= reach for the time numerator / denominator.
static bool is_within(int64_t place, int64_t speed, int64_t reach, int64_t numerator,
                      int64_t denominator)
{
    const int64_t there = place * denominator + numerator * speed;
    return there <= reach * denominator && -there <= reach * denominator;
}

// If a path is in a set of the form |x| <= reach.x, |y| <= reach.y at any time, it is so at its
// start or when it crosses one of the four lines.
static bool path_meets_box(int_vec start, int_vec delta, int_vec reach)
{
    const int64_t numerators[5] = {0, reach.x - start.x, -reach.x - start.x, reach.y - start.y,
                                   -reach.y - start.y};
    const int64_t denominators[5] = {1, delta.x, delta.x, delta.y, delta.y};
    for (int i = 0; i < 5; ++i) {
        const int64_t sign = denominators[i] < 0 ? -1 : 1;
        const int64_t numerator = sign * numerators[i];
        const int64_t denominator = sign * denominators[i];
        if (denominator > 0 && numerator >= 0 && numerator <= denominator &&
            is_within(start.x, delta.x, reach.x, numerator, denominator) &&
            is_within(start.y, delta.y, reach.y, numerator, denominator)) {
            return true;
        }
    }
    return false;
}

// A rect's half sides as they lie after quarter turns.
static int_vec turned_half(graze_rect rect)
{
    const int_vec half = int_of(rect.half);
    const int_vec swapped = {half.y, half.x};
    return rect.rotation.cosine == 0 ? swapped : half;
}

static bool circle_meets_rect(int_vec start, int_vec delta, int64_t radius, int_vec half)
{
    const int_vec wide = {half.x + radius, half.y};
    const int_vec high = {half.x, half.y + radius};
    bool meets = path_meets_box(start, delta, wide) || path_meets_box(start, delta, high);
    for (int64_t x = -1; x <= 1; x += 2) {
        for (int64_t y = -1; y <= 1; y += 2) {
            const int_vec corner = {x * half.x, y * half.y};
            meets = meets || path_meets_disc(minus(start, corner), delta, radius);
        }
    }
    return meets;
}

// For walls of integer length: in coordinates along and across the wall, scaled by twice its
// length, the wall grown by the radius is a box and two discs.
static bool circle_meets_wall(int_vec start, int_vec delta, int64_t radius, int_vec a, int_vec b,
                              int64_t length)
{
    const int_vec wall = minus(b, a);
    const int_vec from_middle = minus(plus(start, start), plus(a, b));
    const int_vec twice = plus(delta, delta);
    const int_vec place = {dot_of(from_middle, wall), cross_of(wall, from_middle)};
    const int_vec motion = {dot_of(twice, wall), cross_of(wall, twice)};
    const int_vec box = {length * length, 2 * length * radius};
    return (length > 0 && path_meets_box(place, motion, box)) ||
           path_meets_disc(minus(start, a), delta, radius) ||
           path_meets_disc(minus(start, b), delta, radius);
}

// The rect grown by the wall is where three inequalities hold; if a path is there at any time, it
// is so at its start or when it crosses one of their six lines. Places are doubled, so that the
// middle of the wall is whole.
static bool rect_meets_wall(int_vec start, int_vec delta, int_vec half, int_vec a, int_vec b)
{
    const int_vec wall = minus(b, a);
    const int_vec from_middle = minus(plus(start, start), plus(a, b));
    const int_vec twice = plus(delta, delta);
    const int64_t reach_x = 2 * half.x + llabs(wall.x);
    const int64_t reach_y = 2 * half.y + llabs(wall.y);
    const int64_t across = 2 * (half.x * llabs(wall.y) + half.y * llabs(wall.x));
    const int64_t places[3] = {from_middle.x, from_middle.y, cross_of(wall, from_middle)};
    const int64_t speeds[3] = {twice.x, twice.y, cross_of(wall, twice)};
    const int64_t reaches[3] = {reach_x, reach_y, across};
    for (int i = -1; i < 6; ++i) {
        const int axis = i < 0 ? 0 : i / 2;
        const int64_t line = i % 2 == 0 ? reaches[axis] : -reaches[axis];
        const int64_t sign = speeds[axis] < 0 ? -1 : 1;
        const int64_t numerator = i < 0 ? 0 : sign * (line - places[axis]);
        const int64_t denominator = i < 0 ? 1 : sign * speeds[axis];
        bool meets = denominator > 0 && numerator >= 0 && numerator <= denominator;
        for (int k = 0; k < 3 && meets; ++k) {
            meets = is_within(places[k], speeds[k], reaches[k], numerator, denominator);
        }
        if (meets) {
            return true;
        }
    }
    return false;
}

// Makes the wall one of integer length, up to 5.
static int64_t make_length_whole(moving_pair *pair, random_state *random)
{
    static const int walls[][3] = {{0, 0, 0},  {3, 0, 3},  {0, 2, 2},   {3, 4, 5},
                                   {4, -3, 5}, {-4, 3, 5}, {-3, -4, 5}, {-1, 0, 1}};
    const int *wall = walls[random_below(random, 8)];
    pair->wall.b.x = pair->wall.a.x + (float)wall[0];
    pair->wall.b.y = pair->wall.a.y + (float)wall[1];
    return wall[2];
}

static bool pair_meets_exactly(const moving_pair *pair, int64_t wall_length)
{
    const int_vec a = int_of(pair->a.center);
    const int_vec start = minus(a, int_of(pair->b.center));
    const int_vec delta = int_of(pair->delta);
    const int64_t radius = (int64_t)pair->a.half.x;
    const int_vec wall_a = int_of(pair->wall.a);
    const int_vec wall_b = int_of(pair->wall.b);
    const int_vec half_a = turned_half(pair->a);
    const int_vec half_b = turned_half(pair->b);
    switch (pair->kind) {
    case PAIR_CIRCLES:
        return path_meets_disc(start, delta, radius + (int64_t)pair->b.half.x);
    case PAIR_CIRCLE_RECT:
        return circle_meets_rect(start, delta, radius, half_b);
    case PAIR_RECTS:
        return path_meets_box(start, delta, plus(half_a, half_b));
    case PAIR_CIRCLE_SEGMENT:
        return circle_meets_wall(a, delta, radius, wall_a, wall_b, wall_length);
    default:
        return rect_meets_wall(a, delta, half_a, wall_a, wall_b);
    }
}

static void on_a_lattice_every_tie_is_decided_exactly(void **state)
{
    (void)state;
    random_state random = random_seed(seed);
    int hits = 0;
    for (int i = 0; i < 400000; ++i) {
        moving_pair pair = moving_pair_lattice(&random, (pair_kind)(i % PAIR_KIND_COUNT));
        int64_t length = 0;
        if (pair.kind == PAIR_CIRCLE_SEGMENT) {
            length = make_length_whole(&pair, &random);
        }
        const bool expected = pair_meets_exactly(&pair, length);
        hits += expected;
        if (moving_pair_sweep(&pair).hit != expected) {
            moving_pair_print(expected ? "missed" : "hit", &pair);
            fail_msg("seed %llu, pair %d", (unsigned long long)seed, i);
        }
    }
    assert_in_range(hits, 100000, 300000);
}

typedef moving_pair make_pair(random_state *random, pair_kind kind);
typedef moving_pair change_pair(const moving_pair *pair);
typedef graze_vec2d change_vector(graze_vec2d v);

static graze_vec2 turn(graze_vec2 v)
{
    const graze_vec2 turned = {-v.y, v.x};
    return turned;
}

static graze_rect turn_rect(graze_rect rect)
{
    const graze_rotation turned = {-rect.rotation.sine, rect.rotation.cosine};
    rect.center = turn(rect.center);
    rect.rotation = turned;
    return rect;
}

static moving_pair turn_pair(const moving_pair *pair)
{
    const moving_pair turned = {pair->kind,
                                turn_rect(pair->a),
                                turn_rect(pair->b),
                                {turn(pair->wall.a), turn(pair->wall.b)},
                                turn(pair->delta)};
    return turned;
}

static graze_vec2d turn_vector(graze_vec2d v)
{
    const graze_vec2d turned = {-v.y, v.x};
    return turned;
}

static graze_vec2 mirror(graze_vec2 v)
{
    const graze_vec2 mirrored = {-v.x, v.y};
    return mirrored;
}

static graze_rect mirror_rect(graze_rect rect)
{
    rect.center = mirror(rect.center);
    rect.rotation.sine = -rect.rotation.sine;
    return rect;
}

static moving_pair mirror_pair(const moving_pair *pair)
{
    const moving_pair mirrored = {pair->kind,
                                  mirror_rect(pair->a),
                                  mirror_rect(pair->b),
                                  {mirror(pair->wall.a), mirror(pair->wall.b)},
                                  mirror(pair->delta)};
    return mirrored;
}

static graze_vec2d mirror_vector(graze_vec2d v)
{
    const graze_vec2d mirrored = {-v.x, v.y};
    return mirrored;
}

static const float factor = 0x1p-100f;

static graze_vec2 shrink(graze_vec2 v)
{
    const graze_vec2 smaller = {v.x * factor, v.y * factor};
    return smaller;
}

static graze_rect shrink_rect(graze_rect rect)
{
    rect.center = shrink(rect.center);
    rect.half = shrink(rect.half);
    return rect;
}

static moving_pair shrink_pair(const moving_pair *pair)
{
    const moving_pair smaller = {pair->kind,
                                 shrink_rect(pair->a),
                                 shrink_rect(pair->b),
                                 {shrink(pair->wall.a), shrink(pair->wall.b)},
                                 shrink(pair->delta)};
    return smaller;
}

static graze_vec2d keep_vector(graze_vec2d v)
{
    return v;
}

static bool is_same(double a, double b)
{
    return a == b;
}

// The whole answer, bit for bit but for the sign of zeros; the points times `scale`.
static bool is_same_answer(const graze_sweep *a, const graze_sweep *b, change_vector *change,
                           double scale)
{
    const graze_vec2d normal = change(a->normal);
    const graze_vec2d point = change(a->point);
    return a->hit == b->hit && is_same(a->time, b->time) && is_same(a->depth * scale, b->depth) &&
           is_same(normal.x, b->normal.x) && is_same(normal.y, b->normal.y) &&
           is_same(point.x * scale, b->point.x) && is_same(point.y * scale, b->point.y);
}

static bool is_same_place(graze_vec2 a, graze_vec2 b)
{
    return a.x == b.x && a.y == b.y;
}

// Whether the normal is by convention: from a centre to itself there is no direction.
static bool has_no_direction(const moving_pair *pair)
{
    const graze_vec2 center = pair->a.center;
    return (pair->kind == PAIR_CIRCLES && is_same_place(center, pair->b.center)) ||
           (pair->kind == PAIR_CIRCLE_SEGMENT && is_same_place(center, pair->wall.a) &&
            is_same_place(center, pair->wall.b));
}

static moving_pair make_any(random_state *random, pair_kind kind)
{
    return random_below(random, 2) == 0 ? moving_pair_random(random, kind)
                                        : moving_pair_lattice(random, kind);
}

static void check_change(make_pair *make, change_pair *change, change_vector *change_answer,
                         double scale)
{
    random_state random = random_seed(seed);
    for (int i = 0; i < 100000; ++i) {
        const moving_pair pair = make(&random, (pair_kind)(i % PAIR_KIND_COUNT));
        const moving_pair changed = change(&pair);
        const graze_sweep before = moving_pair_sweep(&pair);
        const graze_sweep after = moving_pair_sweep(&changed);
        if (!has_no_direction(&pair) && !is_same_answer(&before, &after, change_answer, scale)) {
            moving_pair_print("before", &pair);
            moving_pair_print("after", &changed);
            fail_msg("seed %llu, pair %d", (unsigned long long)seed, i);
        }
    }
}

static void quarter_turns_turn_the_answer_and_change_no_bit(void **state)
{
    (void)state;
    check_change(make_any, turn_pair, turn_vector, 1);
}

// Not on the lattice: of equally short ways out, which one is taken is by convention.
static void a_mirror_mirrors_the_answer_and_changes_no_bit(void **state)
{
    (void)state;
    check_change(moving_pair_random, mirror_pair, mirror_vector, 1);
}

static void tiny_pairs_have_the_bits_of_large_ones(void **state)
{
    (void)state;
    check_change(make_any, shrink_pair, keep_vector, (double)factor);
}

static moving_pair grow_pair(const moving_pair *pair)
{
    moving_pair larger = *pair;
    graze_vec2 *vectors[] = {&larger.a.center, &larger.a.half, &larger.b.center, &larger.b.half,
                             &larger.wall.a,   &larger.wall.b, &larger.delta};
    for (int i = 0; i < 7; ++i) {
        vectors[i]->x *= 0x1p100f;
        vectors[i]->y *= 0x1p100f;
    }
    return larger;
}

static void huge_pairs_have_the_bits_of_small_ones(void **state)
{
    (void)state;
    check_change(make_any, grow_pair, keep_vector, 0x1p100);
}

static graze_vec2 shift(graze_vec2 v)
{
    const graze_vec2 shifted = {v.x + 1048576, v.y - 4194304};
    return shifted;
}

static void far_from_the_origin_the_answer_is_the_same(void **state)
{
    (void)state;
    random_state random = random_seed(seed);
    for (int i = 0; i < 100000; ++i) {
        const moving_pair near = moving_pair_lattice(&random, (pair_kind)(i % PAIR_KIND_COUNT));
        moving_pair far = near;
        far.a.center = shift(near.a.center);
        far.b.center = shift(near.b.center);
        far.wall.a = shift(near.wall.a);
        far.wall.b = shift(near.wall.b);
        const graze_sweep before = moving_pair_sweep(&near);
        const graze_sweep after = moving_pair_sweep(&far);
        if (before.hit != after.hit || before.time != after.time || before.depth != after.depth ||
            before.normal.x != after.normal.x || before.normal.y != after.normal.y) {
            moving_pair_print("near", &near);
            moving_pair_print("far", &far);
            fail_msg("seed %llu, pair %d", (unsigned long long)seed, i);
        }
    }
}

static void swapping_two_bodies_turns_the_normal(void **state)
{
    (void)state;
    random_state random = random_seed(seed);
    for (int i = 0; i < 100000; ++i) {
        const moving_pair pair =
            moving_pair_random(&random, i % 2 == 0 ? PAIR_CIRCLES : PAIR_RECTS);
        moving_pair swapped = pair;
        swapped.a = pair.b;
        swapped.b = pair.a;
        swapped.delta.x = -pair.delta.x;
        swapped.delta.y = -pair.delta.y;
        const graze_sweep one = moving_pair_sweep(&pair);
        const graze_sweep other = moving_pair_sweep(&swapped);
        if (one.hit != other.hit || one.time != other.time || one.depth != other.depth ||
            one.normal.x != -other.normal.x || one.normal.y != -other.normal.y) {
            moving_pair_print("one way", &pair);
            moving_pair_print("the other", &swapped);
            fail_msg("seed %llu, pair %d", (unsigned long long)seed, i);
        }
    }
}

static void check_point_hit(graze_vec2 from, graze_vec2 to, graze_segment wall,
                            const graze_sweep *sweep)
{
    const int before = graze_orient(wall.a, wall.b, from);
    const int after = graze_orient(wall.a, wall.b, to);
    const double left_x = -((double)wall.b.y - (double)wall.a.y);
    const double left_y = (double)wall.b.x - (double)wall.a.x;
    const double toward_left = sweep->normal.x * left_x + sweep->normal.y * left_y;
    assert_true(sweep->time >= 0 && sweep->time <= 1 && sweep->depth == 0);
    assert_true((sweep->time == 0) == (before == 0));
    assert_true(sweep->time == 1 || after != 0);
    assert_true(fabs(hypot(sweep->normal.x, sweep->normal.y) - 1) < 1e-12);
    // It leads away from the side that the mover was on; where it starts on the line, to the side
    // that it goes to.
    assert_true((toward_left < 0) == (before > 0 || after < 0));
}

static void ray_and_segment_hit_exactly_when_they_cross(void **state)
{
    (void)state;
    for (int kind = 0; kind < HARD_KIND_COUNT; ++kind) {
        random_state random = random_seed(seed);
        for (int i = 0; i < 50000; ++i) {
            graze_vec2 points[4];
            hard_points_make(&random, (hard_kind)kind, points, 4);
            const graze_segment wall = {points[2], points[3]};
            const graze_sweep sweep = graze_sweep_point_segment(points[0], points[1], wall);
            if (sweep.hit != graze_crosses(points[0], points[1], wall)) {
                hard_points_show(seed, (hard_kind)kind, points, 4);
                fail_msg("point %d: hit and crossing differ", i);
            }
            if (sweep.hit) {
                check_point_hit(points[0], points[1], wall, &sweep);
            }
        }
    }
}

static void ray_and_segment_meet_at_time_point_and_normal(void **state)
{
    (void)state;
    const graze_segment wall = {{-2, 0}, {2, 0}};
    const graze_sweep down =
        graze_sweep_point_segment((graze_vec2){0, 1}, (graze_vec2){1, -3}, wall);
    assert_true(down.hit && down.time == 0.25);
    assert_true(down.point.x == 0.25 && down.point.y == 0);
    assert_true(down.normal.x == 0 && down.normal.y == -1);
    const graze_sweep up = graze_sweep_point_segment((graze_vec2){0, -1}, (graze_vec2){0, 1}, wall);
    assert_true(up.hit && up.time == 0.5 && up.normal.y == 1);
    const graze_sweep beside =
        graze_sweep_point_segment((graze_vec2){3, 1}, (graze_vec2){3, -1}, wall);
    assert_false(beside.hit);
    const graze_sweep along =
        graze_sweep_point_segment((graze_vec2){-3, 0}, (graze_vec2){3, 0}, wall);
    assert_false(along.hit);
}

static void a_ray_that_lands_on_a_wall_and_goes_on_hits_once(void **state)
{
    (void)state;
    random_state random = random_seed(seed);
    for (int i = 0; i < 20000; ++i) {
        graze_vec2 p[2];
        hard_points_make(&random, HARD_GRID, p, 2);
        const graze_segment wall = {{-4, 0}, {4, 0}};
        const graze_vec2 landing = {p[0].x, 0};
        const graze_vec2 above = {p[0].x, 1 + (float)(i % 3)};
        const graze_vec2 below = {p[0].x, -1 - (float)(i % 2)};
        const bool first = graze_sweep_point_segment(above, landing, wall).hit;
        const bool second = graze_sweep_point_segment(landing, below, wall).hit;
        assert_true(first != second);
        const graze_sweep back = graze_sweep_point_segment(landing, above, wall);
        assert_true(back.hit == first);
    }
}

static void rays_that_are_not_finite_hit_nothing(void **state)
{
    (void)state;
    static const float not_finite[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 8; ++i) {
        for (int k = 0; k < 3; ++k) {
            float v[8] = {0, 1, 0, -1, -2, 0, 2, 0};
            v[i] = not_finite[k];
            const graze_vec2 from = {v[0], v[1]};
            const graze_vec2 to = {v[2], v[3]};
            const graze_segment wall = {{v[4], v[5]}, {v[6], v[7]}};
            assert_false(graze_sweep_point_segment(from, to, wall).hit);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_a_lattice_every_tie_is_decided_exactly),
        cmocka_unit_test(quarter_turns_turn_the_answer_and_change_no_bit),
        cmocka_unit_test(a_mirror_mirrors_the_answer_and_changes_no_bit),
        cmocka_unit_test(tiny_pairs_have_the_bits_of_large_ones),
        cmocka_unit_test(huge_pairs_have_the_bits_of_small_ones),
        cmocka_unit_test(far_from_the_origin_the_answer_is_the_same),
        cmocka_unit_test(swapping_two_bodies_turns_the_normal),
        cmocka_unit_test(ray_and_segment_hit_exactly_when_they_cross),
        cmocka_unit_test(ray_and_segment_meet_at_time_point_and_normal),
        cmocka_unit_test(a_ray_that_lands_on_a_wall_and_goes_on_hits_once),
        cmocka_unit_test(rays_that_are_not_finite_hit_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
