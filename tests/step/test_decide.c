// The lanes of Decide against the kernel of a single pair: the decisions and the bits are the same
// in every set.

#include "collide/pair_sweep.h"
#include "random.h"
#include "step/decide.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <string.h>

enum {
    ROWS = 64,
    ROUND_ROWS = 32, ///< The others are rects.
    ROUNDS = 3000
};

static const grz_decide_loops *const loops[] = GRZ_WIDE_TABLES(grz_decide_loops);

/// The columns that the loops read.
typedef struct columns {
    graze_vec2 position[ROWS], end[ROWS], half[ROWS];
    graze_rotation rotation[ROWS], end_rotation[ROWS];
    float turn[ROWS];
    uint32_t traits[ROWS], index[ROWS], generation[ROWS];
} columns;

static grz_rows view(columns *of)
{
    grz_rows rows;
    memset(&rows, 0, sizeof rows);
    rows.position = of->position;
    rows.end = of->end;
    rows.half = of->half;
    rows.rotation = of->rotation;
    rows.end_rotation = of->end_rotation;
    rows.turn = of->turn;
    rows.traits = of->traits;
    rows.index = of->index;
    rows.generation = of->generation;
    return rows;
}

/// How numbers are drawn: on a lattice, where ties happen all the time, or anywhere.
typedef struct setting {
    float place, way, radius;
    bool lattice;
} setting;

static float draw(random_state *random, float size, bool lattice)
{
    return lattice ? (float)random_integer(random, -(int)size, (int)size)
                   : random_float(random, -size, size);
}

static float at_most_range(double number)
{
    return number > (double)FLT_MAX    ? FLT_MAX
           : number < -(double)FLT_MAX ? -FLT_MAX
                                       : (float)number;
}

static graze_rotation draw_rotation(random_state *random, bool lattice)
{
    const float right_angle = 1.57079633f;
    return graze_rotation_from_angle(lattice ? right_angle * (float)random_below(random, 4)
                                             : random_float(random, -3, 3));
}

static void fill_course(columns *to, random_state *random, const setting *by, uint32_t row)
{
    graze_vec2 *position = &to->position[row], *end = &to->end[row];
    position->x = draw(random, by->place, by->lattice);
    position->y = draw(random, by->place, by->lattice);
    end->x = at_most_range((double)position->x + (double)draw(random, by->way, by->lattice));
    end->y = at_most_range((double)position->y + (double)draw(random, by->way, by->lattice));
    if (random_below(random, 8) == 0) {
        *end = *position;
    }
}

static float draw_size(random_state *random, const setting *by)
{
    const float size = draw(random, by->radius, by->lattice);
    return size < 0 ? -size : size;
}

static void fill_shape(columns *to, random_state *random, const setting *by, uint32_t row)
{
    const bool is_rect = row >= ROUND_ROWS;
    const bool spins = is_rect && random_below(random, 2);
    to->half[row].x = is_rect || random_below(random, 5) ? draw_size(random, by) : 0;
    to->half[row].y = is_rect ? draw_size(random, by) : to->half[row].x;
    to->rotation[row] = draw_rotation(random, by->lattice);
    to->end_rotation[row] = spins ? draw_rotation(random, by->lattice) : to->rotation[row];
    to->turn[row] = spins ? random_float(random, -3, 3) : 0;
    to->turn[row] *= random_below(random, 2) ? 1 : 1.0f / 64;
    to->traits[row] = is_rect ? GRAZE_SHAPE_RECT : GRAZE_SHAPE_CIRCLE;
    to->traits[row] |= spins ? GRZ_TRAIT_SPINS : 0u;
}

static void fill(columns *to, random_state *random, const setting *by)
{
    for (uint32_t row = 0; row < ROWS; ++row) {
        fill_course(to, random, by, row);
        fill_shape(to, random, by, row);
        to->index[row] = row;
        to->generation[row] = random_bits(random);
    }
}

static void draw_pairs(grz_ordered_pairs *pairs, random_state *random, const columns *of,
                       uint32_t kind)
{
    pairs->count = random_below(random, GRZ_DECIDED_AT_ONCE + 1);
    for (uint32_t i = 0; i < pairs->count; ++i) {
        const uint32_t one =
            random_below(random, ROUND_ROWS) + (kind == GRZ_ANGULAR_PAIRS ? ROUND_ROWS : 0);
        const uint32_t other =
            random_below(random, ROUND_ROWS) + (kind == GRZ_ROUND_PAIRS ? 0 : ROUND_ROWS);
        const bool turned = random_below(random, 2);
        pairs->a[i] = turned ? other : one;
        pairs->b[i] = turned ? one : other;
        pairs->traits[i] = of->traits[pairs->a[i]] | (of->traits[pairs->b[i]] & GRZ_TRAIT_SPINS);
    }
}

static const double steps_per_second = 1 / 0.3;

static float reported(double number)
{
    return at_most_range(number) + 0.0f;
}

// Fills in what the kernel of a single pair says, as it is reported. Returns whether they touch.
static bool decide_alone(const grz_rows *rows, uint32_t a, uint32_t b, grz_contact *contact)
{
    grz_touch touch;
    memset(&touch, 0, sizeof touch);
    const bool touches = grz_touch_straight(rows, a, b, &touch);
    const double course_x = ((double)rows->end[a].x - (double)rows->end[b].x) -
                            ((double)rows->position[a].x - (double)rows->position[b].x);
    const double course_y = ((double)rows->end[a].y - (double)rows->end[b].y) -
                            ((double)rows->position[a].y - (double)rows->position[b].y);
    const double approach = course_x * touch.normal.x + course_y * touch.normal.y;
    const grz_contact made = {
        .a = {rows->index[a], rows->generation[a]},
        .b = {rows->index[b], rows->generation[b]},
        .time = reported(touch.time),
        .point = {reported(touch.point.x), reported(touch.point.y)},
        .normal = {reported(touch.normal.x), reported(touch.normal.y)},
        .depth = reported(touch.depth),
        .approach = reported(approach > 0 ? approach * steps_per_second : 0),
    };
    *contact = made;
    return touches;
}

/// The results of the loops for some pairs.
typedef struct result {
    grz_contact contacts[GRZ_DECIDED_AT_ONCE + GRZ_DECIDED_PADDING];
    grz_ordered_pairs left_over;
    uint32_t count;
} result;

static void decide_in_lanes(grz_lane_set set, const grz_rows *rows, const grz_ordered_pairs *pairs,
                            uint32_t kind, result *made)
{
    grz_ordered_pairs given = *pairs;
    grz_contact_sink sink = {made->contacts, 0, steps_per_second};
    made->left_over.count = 0;
    loops[set]->of_kind[kind](rows, &given, &sink, &made->left_over);
    made->count = sink.count;
}

static bool is_left_over(const result *made, const grz_ordered_pairs *pairs, uint32_t place)
{
    const grz_ordered_pairs *left = &made->left_over;
    for (uint32_t i = 0; i < left->count; ++i) {
        if (left->a[i] == pairs->a[place] && left->b[i] == pairs->b[place]) {
            return true;
        }
    }
    return false;
}

// Returns null when it is not among those from `first` on.
static grz_contact *find_contact(result *made, const grz_contact *wanted, uint32_t first)
{
    for (uint32_t i = first; i < made->count; ++i) {
        if (made->contacts[i].a.index == wanted->a.index &&
            made->contacts[i].b.index == wanted->b.index) {
            return &made->contacts[i];
        }
    }
    return NULL;
}

/// How many cases of each kind there were.
typedef struct tally {
    uint32_t hits, left_over;
} tally;

// What has been found goes to the front: a pair that was drawn twice needs two contacts.
static void assert_same(const grz_rows *rows, const grz_ordered_pairs *pairs, result *made,
                        tally *seen)
{
    uint32_t wanted_count = 0;
    for (uint32_t i = 0; i < pairs->count; ++i) {
        grz_contact wanted;
        if (is_left_over(made, pairs, i)) {
            ++seen->left_over;
            continue;
        }
        const bool hit = decide_alone(rows, pairs->a[i], pairs->b[i], &wanted);
        grz_contact *found = find_contact(made, &wanted, wanted_count);
        assert_int_equal(found != NULL, hit);
        if (hit) {
            assert_memory_equal(found, &wanted, sizeof wanted);
            *found = made->contacts[wanted_count];
            made->contacts[wanted_count++] = wanted;
        }
    }
    assert_int_equal(made->count, wanted_count);
    seen->hits += wanted_count;
}

static void compare(uint64_t seed, const setting *by, uint32_t kind)
{
    random_state random = random_seed(seed);
    static result made;
    tally seen = {0, 0};
    columns of;
    grz_ordered_pairs pairs;
    for (uint32_t round = 0; round < ROUNDS / 8; ++round) {
        fill(&of, &random, by);
        draw_pairs(&pairs, &random, &of, kind);
        const grz_rows rows = view(&of);
        for (int set = 0; set <= (int)grz_lanes_choose(); ++set) {
            decide_in_lanes((grz_lane_set)set, &rows, &pairs, kind, &made);
            assert_same(&rows, &pairs, &made, &seen);
        }
    }
    assert_true(seen.hits > 100);
    assert_true(seen.left_over < seen.hits);
}

static void compare_everywhere(uint32_t kind)
{
    static const setting settings[] = {
        {10, 5, 2, false},
        {4, 6, 2, true},
        {3, 2, 1, true},
        {1000, 20, 60, false},
        {1e-3f, 1, 1e-3f, false},
        {1e-30f, 1e-30f, 1e-30f, false},
        {FLT_MAX / 2, FLT_MAX / 2, FLT_MAX / 2, false},
        {0, 2, 1, true},
    };
    for (uint32_t which = 0; which < sizeof settings / sizeof *settings; ++which) {
        compare(which + 1, &settings[which], kind);
    }
}

// Bodies in any order of ids, some of them sensors.
static void fill_ids(columns *to, random_state *random)
{
    for (uint32_t row = 0; row < ROWS; ++row) {
        const uint32_t other = random_below(random, row + 1);
        to->index[row] = to->index[other];
        to->index[other] = row * 0x1FFFFF + random_below(random, 100);
        to->traits[row] = random_bits(random) & (GRZ_TRAIT_SENSOR | GRZ_TRAIT_SPINS | 3);
    }
}

static void assert_ordered(const columns *of, graze_pair pair, const grz_ordered_pairs *ordered,
                           uint32_t place, bool with_traits)
{
    const bool turned = of->index[pair.b] < of->index[pair.a];
    const uint32_t a = turned ? pair.b : pair.a, b = turned ? pair.a : pair.b;
    const uint32_t either = of->traits[a] | of->traits[b];
    assert_int_equal(ordered->a[place], a);
    assert_int_equal(ordered->b[place], b);
    if (with_traits) {
        assert_int_equal(ordered->traits[place], of->traits[a] | (either & GRZ_TRAIT_SPINS));
    }
}

static void order_some(random_state *random, columns *of, bool with_traits)
{
    static graze_pair pairs[GRZ_DECIDED_AT_ONCE];
    static grz_ordered_pairs ordered;
    const uint32_t count = random_below(random, GRZ_DECIDED_AT_ONCE + 1);
    fill_ids(of, random);
    for (uint32_t row = 0; !with_traits && row < ROWS; ++row) {
        of->traits[row] = 0;
    }
    for (uint32_t i = 0; i < count; ++i) {
        pairs[i].a = random_below(random, ROWS);
        pairs[i].b = (pairs[i].a + 1 + random_below(random, ROWS - 1)) % ROWS;
    }
    const grz_rows rows = view(of);
    for (int set = 0; set <= (int)grz_lanes_choose(); ++set) {
        loops[set]->order(&rows, pairs, count, with_traits, &ordered);
        assert_int_equal(ordered.count, count);
        for (uint32_t i = 0; i < count; ++i) {
            assert_ordered(of, pairs[i], &ordered, i, with_traits);
        }
    }
}

static void every_set_orders_pairs_by_their_ids(void **state)
{
    (void)state;
    random_state random = random_seed(1);
    columns of;
    for (uint32_t round = 0; round < ROUNDS / 8; ++round) {
        order_some(&random, &of, round % 2);
    }
}

static void every_set_decides_round_pairs_as_the_kernel_does(void **state)
{
    (void)state;
    compare_everywhere(GRZ_ROUND_PAIRS);
}

static void every_set_decides_pairs_with_a_rect_as_the_kernel_does(void **state)
{
    (void)state;
    compare_everywhere(GRZ_MIXED_PAIRS);
}

static void every_set_decides_pairs_of_rects_as_the_kernel_does(void **state)
{
    (void)state;
    compare_everywhere(GRZ_ANGULAR_PAIRS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_orders_pairs_by_their_ids),
        cmocka_unit_test(every_set_decides_round_pairs_as_the_kernel_does),
        cmocka_unit_test(every_set_decides_pairs_with_a_rect_as_the_kernel_does),
        cmocka_unit_test(every_set_decides_pairs_of_rects_as_the_kernel_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
