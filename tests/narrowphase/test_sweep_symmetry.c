// Swept tests turned, mirrored, scaled, moved and swapped: the answers are, too.

#include "moving_pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const uint64_t seed = 314159;

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

// Not on the lattice: there several ways out are equally short, and convention picks one.
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quarter_turns_turn_the_answer_and_change_no_bit),
        cmocka_unit_test(a_mirror_mirrors_the_answer_and_changes_no_bit),
        cmocka_unit_test(tiny_pairs_have_the_bits_of_large_ones),
        cmocka_unit_test(huge_pairs_have_the_bits_of_small_ones),
        cmocka_unit_test(far_from_the_origin_the_answer_is_the_same),
        cmocka_unit_test(swapping_two_bodies_turns_the_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
