// Swept tests on a lattice of small integers: every hit and every miss, grazes included, is decided
// in integers here.

#include "moving_pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

static const uint64_t seed = 314159;

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_a_lattice_every_tie_is_decided_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
