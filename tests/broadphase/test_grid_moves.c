// Long moves: boxes that they pass are left out, and boxes that they may touch never are.
#include <graze/grid.h>

#include "box_set.h"
#include "grid_kit.h"
#include "grid_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <string.h>

enum { COUNT = 400, PAIR_CAPACITY = 1 << 16, SIDES = 5, CAPACITIES = 4, PARTS = 3 };

static const double sides[SIDES] = {0, 0.7, 6, 50, 2000};
static const uint32_t capacities[CAPACITIES] = {1, 7, 200, PAIR_CAPACITY};

/// Boxes, each around a move.
static struct {
    box_set boxes;
    graze_vec2 from[BOX_SET_CAPACITY], to[BOX_SET_CAPACITY];
} set;

static graze_pair pairs[PAIR_CAPACITY];
static uint8_t found[COUNT][COUNT];
static uint8_t wanted[COUNT][COUNT]; ///< A verdict, where the second item comes first.

static void put(uint32_t i, graze_vec2 from, graze_vec2 to, float half)
{
    set.from[i] = from;
    set.to[i] = to;
    graze_aabb *box = &set.boxes.box[i];
    box->lower.x = fminf(from.x, to.x) - half;
    box->lower.y = fminf(from.y, to.y) - half;
    box->upper.x = fmaxf(from.x, to.x) + half;
    box->upper.y = fmaxf(from.y, to.y) + half;
}

// One that may go anywhere within `reach`.
static void put_turning(uint32_t i, graze_vec2 from, graze_vec2 to, float reach)
{
    put(i, from, from, reach);
    set.to[i] = to;
}

// A box that stands still.
static void put_box(uint32_t i, graze_vec2 lower, graze_vec2 upper)
{
    const graze_vec2 middle = {(lower.x + upper.x) / 2, (lower.y + upper.y) / 2};
    put(i, middle, middle, 0);
    set.boxes.box[i].lower = lower;
    set.boxes.box[i].upper = upper;
}

static graze_grid_items items_of_set(bool with_moves)
{
    graze_grid_items items = box_set_items(&set.boxes);
    items.from = with_moves ? set.from : NULL;
    items.to = with_moves ? set.to : NULL;
    return items;
}

static graze_grid *build(double side)
{
    const graze_grid_items items = items_of_set(true);
    return grid_kit_build_items(&items, side);
}

// Marks the pairs of a stream; none may come twice.
static uint32_t mark_stream(const graze_grid *grid, const graze_grid_moves *moves,
                            graze_grid_cursor cursor, uint32_t capacity)
{
    const uint32_t *order = graze_grid_order(grid);
    uint32_t total = 0, count;
    graze_grid_set_moves(&cursor, moves);
    while ((count = graze_grid_next_pairs(grid, &cursor, pairs, capacity))) {
        for (uint32_t k = 0; k < count; ++k) {
            const uint32_t a = order[pairs[k].a], b = order[pairs[k].b];
            assert_false(found[a][b]);
            found[a][b] = found[b][a] = 1;
        }
        total += count;
    }
    return total;
}

static double width_of(uint32_t i)
{
    return (double)set.boxes.box[i].upper.x - (double)set.boxes.box[i].lower.x;
}

static double height_of(uint32_t i)
{
    return (double)set.boxes.box[i].upper.y - (double)set.boxes.box[i].lower.y;
}

static double reach_beyond(float min, float max, float from, float to)
{
    return fmax((double)fminf(from, to) - (double)min, (double)max - (double)fmaxf(from, to));
}

/// What the oracle says of two items: no pair, a pair, or undecided because of rounding.
typedef enum verdict { NO_PAIR, PAIR, EITHER } verdict;

// Whether item a passes b, from the text of grid.h. The numbers of lattices make no roundings, and
// `unsure` is 0 there.
static verdict passes(uint32_t a, uint32_t b, double unsure)
{
    const double x = (double)set.to[a].x - (double)set.from[a].x;
    const double y = (double)set.to[a].y - (double)set.from[a].y;
    const double shorter = fmin(fabs(x), fabs(y));
    const double half_x = reach_beyond(set.boxes.box[a].lower.x, set.boxes.box[a].upper.x,
                                       set.from[a].x, set.to[a].x);
    const double half_y = reach_beyond(set.boxes.box[a].lower.y, set.boxes.box[a].upper.y,
                                       set.from[a].y, set.to[a].y);
    const double factor = set.boxes.quiet[b] == 1 ? 32 : 8;
    const double thin = fmin(fabs(x) - 4 * half_x, fabs(y) - 4 * half_y);
    const double spare = fmin(shorter - factor * fmax(width_of(b), height_of(b)), thin);
    if (shorter < 0x1p-16 * fmax(fabs(x), fabs(y)) || shorter == 0 || spare < -unsure * shorter) {
        return NO_PAIR;
    }
    const double beyond_x = (double)set.boxes.box[b].lower.x / 2 +
                            (double)set.boxes.box[b].upper.x / 2 - (double)set.from[a].x;
    const double beyond_y = (double)set.boxes.box[b].lower.y / 2 +
                            (double)set.boxes.box[b].upper.y / 2 - (double)set.from[a].y;
    const double cross = fabs(x * beyond_y - y * beyond_x);
    const double extent =
        fabs(x) * (height_of(b) / 2 + half_y) + fabs(y) * (width_of(b) / 2 + half_x);
    const double gap = cross - extent;
    const double doubt = unsure * (fabs(x * beyond_y) + fabs(y * beyond_x) + extent);
    if (fabs(gap) < doubt || (gap > 0 && spare < unsure * shorter)) {
        return EITHER;
    }
    return gap > 0 ? PAIR : NO_PAIR;
}

static verdict judge(uint32_t a, uint32_t b, double unsure)
{
    if (!box_set_overlap(&set.boxes, a, b) || (set.boxes.quiet[a] && set.boxes.quiet[b])) {
        return NO_PAIR;
    }
    const verdict one = passes(a, b, unsure), other = passes(b, a, unsure);
    if (one == PAIR || other == PAIR) {
        return NO_PAIR;
    }
    return one == EITHER || other == EITHER ? EITHER : PAIR;
}

// The same for all grids of the set, however its pairs are asked for.
static void judge_all(double unsure)
{
    for (uint32_t a = 0; a < set.boxes.count; ++a) {
        for (uint32_t b = 0; b < a; ++b) {
            wanted[a][b] = (uint8_t)judge(a, b, unsure);
        }
    }
}

// Returns how many were left out although their boxes overlap.
static uint32_t check_found(uint64_t seed)
{
    uint32_t left_out = 0;
    for (uint32_t a = 0; a < set.boxes.count; ++a) {
        for (uint32_t b = 0; b < a; ++b) {
            const verdict expected = (verdict)wanted[a][b];
            left_out += expected == NO_PAIR && box_set_overlap(&set.boxes, a, b);
            if (expected != EITHER && (expected == PAIR) != found[a][b]) {
                fail_msg("seed %llu: items %u and %u: expected %d, found %d",
                         (unsigned long long)seed, a, b, expected, found[a][b]);
            }
        }
    }
    return left_out;
}

static uint32_t check_capacities(const graze_grid *grid, uint64_t seed)
{
    const graze_grid_moves moves = {set.from, set.to, graze_grid_order(grid)};
    uint32_t first_total = 0, left_out = 0;
    for (uint32_t i = 0; i < CAPACITIES; ++i) {
        memset(found, 0, sizeof found);
        const uint32_t total =
            mark_stream(grid, &moves, graze_grid_begin_pairs(grid), capacities[i]);
        first_total = i ? first_total : total;
        assert_int_equal(total, first_total);
        left_out = check_found(seed);
    }
    memset(found, 0, sizeof found);
    uint32_t total = 0;
    for (uint32_t part = 0; part < PARTS; ++part) {
        total += mark_stream(grid, &moves, graze_grid_begin_pairs_part(grid, part, PARTS),
                             PAIR_CAPACITY);
    }
    assert_int_equal(total, first_total);
    return left_out;
}

// Each box is also used as a query of a grid of the others' boxes.
static void check_queries(const graze_grid *grid, uint64_t seed)
{
    static uint32_t places[BOX_SET_CAPACITY];
    const uint32_t *order = graze_grid_order(grid);
    const bool may_be_passed = graze_grid_may_be_passed(grid, grid);
    for (uint32_t a = 0; a < set.boxes.count; ++a) {
        graze_grid_cursor cursor = graze_grid_begin_move(set.boxes.box[a], set.from[a], set.to[a]);
        static uint8_t seen[BOX_SET_CAPACITY];
        memset(seen, 0, sizeof seen);
        uint32_t count;
        while ((count = graze_grid_next_move(grid, &cursor, places, 9))) {
            for (uint32_t k = 0; k < count; ++k) {
                assert_false(seen[order[places[k]]]++);
            }
        }
        for (uint32_t b = 0; b < set.boxes.count; ++b) {
            const bool expected = box_set_overlap(&set.boxes, a, b) && passes(a, b, 0) != PAIR;
            if (expected != seen[b]) {
                fail_msg("seed %llu: item %u asks for %u: expected %d, found %d",
                         (unsigned long long)seed, a, b, expected, seen[b]);
            }
            assert_true(may_be_passed || passes(a, b, 0) != PAIR);
        }
    }
}

static graze_vec2 draw_lattice_point(random_state *random, int low, int high)
{
    const int x = random_integer(random, low, high);
    const int y = random_integer(random, low, high);
    const graze_vec2 point = {(float)x, (float)y};
    return point;
}

// Small integers: boxes touch each other and the bands of moves all the time, and nothing rounds.
static void fill_lattice(random_state *random)
{
    const int span = random_integer(random, 20, 300);
    set.boxes.count = COUNT;
    for (uint32_t i = 0; i < COUNT; ++i) {
        const graze_vec2 from = draw_lattice_point(random, 0, span);
        const int delta = random_below(random, 4) ? 2 : random_integer(random, 20, 400);
        const graze_vec2 by = draw_lattice_point(random, -delta, delta);
        const graze_vec2 to = {from.x + by.x, from.y + by.y};
        const float half = (float)random_integer(random, 0, 2);
        put(i, from, to, half);
        if (random_below(random, 20) == 0) {
            put_turning(i, from, to, half + 2 * (float)delta);
        }
        set.boxes.quiet[i] = half == 0 && random_below(random, 2) ? (uint8_t)(1 + i % 2) : 0;
    }
}

static void lattices_leave_out_what_passes_and_nothing_else(void **state)
{
    (void)state;
    uint32_t left_out = 0;
    for (uint64_t seed = 0; seed < 20; ++seed) {
        random_state random = random_seed(seed);
        fill_lattice(&random);
        judge_all(0);
        for (uint32_t i = 0; i < SIDES; ++i) {
            graze_grid *grid = build(sides[i]);
            left_out += check_capacities(grid, seed);
            check_queries(grid, seed);
            graze_grid_destroy(grid);
        }
    }
    assert_true(left_out > 50000);
}

// At all angles, of all lengths, around any point.
static void fill_at_random(random_state *random)
{
    const float far = random_below(random, 2) ? 0 : random_float(random, -1e7f, 1e7f);
    const float spread = powf(10, random_float(random, 1, 4));
    set.boxes.count = COUNT;
    for (uint32_t i = 0; i < COUNT; ++i) {
        const float length = random_below(random, 3) ? 0.3f : powf(10, random_float(random, 1, 6));
        const float angle = random_float(random, 0, 6.3f);
        const graze_vec2 from = {far + random_float(random, 0, spread),
                                 random_float(random, 0, spread)};
        const graze_vec2 to = {from.x + cosf(angle) * length, from.y + sinf(angle) * length};
        put(i, from, to, random_float(random, 0, 1) + fabsf(far) * 1e-6f);
        set.boxes.quiet[i] = random_below(random, 3) == 0 ? (uint8_t)(1 + i % 2) : 0;
    }
}

static void moves_at_all_angles_are_found_alike_in_all_cells(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 30; ++seed) {
        random_state random = random_seed(seed);
        fill_at_random(&random);
        judge_all(1e-6);
        for (uint32_t i = 0; i < SIDES; ++i) {
            graze_grid *grid = build(sides[i]);
            check_capacities(grid, seed);
            graze_grid_destroy(grid);
        }
    }
}

/// A band whose edges have points where a float can be: the move is m times a step of integers.
typedef struct band {
    int p, q, m, half;
    graze_vec2 from, to;
} band;

static int sign_of(int number)
{
    return number < 0 ? -1 : 1;
}

// The move's end is a multiple of 64, its start is not: the differences have more bits than a
// float, and their products more than a double.
static band draw_band(random_state *random)
{
    band made;
    made.p = random_integer(random, 1, 4095) * (random_below(random, 2) ? 1 : -1);
    made.q = random_integer(random, 1, 4095) * (random_below(random, 2) ? 1 : -1);
    made.m = random_integer(random, 1 << 13, 1 << 18);
    made.half = 64 * random_integer(random, 0, 3);
    const int x = (made.p * made.m / 64 + random_integer(random, -2000, 2000)) * 64;
    const int y = (made.q * made.m / 64 + random_integer(random, -2000, 2000)) * 64;
    made.to.x = (float)x;
    made.to.y = (float)y;
    made.from.x = (float)(x - made.p * made.m);
    made.from.y = (float)(y - made.q * made.m);
    return made;
}

// Puts a box whose corner is `gap` beyond the band's edge, on one side, at a point along it.
static void put_at_edge(random_state *random, const band *of, uint32_t i, int gap)
{
    const int side = random_below(random, 2) ? 1 : -1;
    const int steps = 64 * random_integer(random, 0, of->m / 64);
    const int out_x = -side * sign_of(of->p), out_y = side * sign_of(of->q);
    const int x = (int)of->to.x - of->p * steps + out_x * (of->half + gap);
    const int y = (int)of->to.y - of->q * steps + out_y * (of->half + gap);
    const int far_x = x + out_x * 64 * random_integer(random, 0, 8);
    const int far_y = y + out_y * 64 * random_integer(random, 0, 8);
    const graze_vec2 lower = {(float)(x < far_x ? x : far_x), (float)(y < far_y ? y : far_y)};
    const graze_vec2 upper = {(float)(x < far_x ? far_x : x), (float)(y < far_y ? far_y : y)};
    put_box(i, lower, upper);
}

static uint32_t count_found_of(uint32_t item)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < set.boxes.count; ++i) {
        count += found[item][i];
    }
    return count;
}

static void check_band(random_state *random, const band *of, int gap, uint64_t seed)
{
    set.boxes.count = 100;
    memset(set.boxes.quiet, 0, sizeof set.boxes.quiet);
    put(0, of->from, of->to, (float)of->half);
    uint32_t touching = 0;
    for (uint32_t i = 1; i < set.boxes.count; ++i) {
        put_at_edge(random, of, i, gap);
        touching += box_set_overlap(&set.boxes, 0, i);
    }
    graze_grid *grid = build(0);
    const graze_grid_moves moves = {set.from, set.to, graze_grid_order(grid)};
    memset(found, 0, sizeof found);
    mark_stream(grid, &moves, graze_grid_begin_pairs(grid), PAIR_CAPACITY);
    const uint32_t expected = gap ? 0 : touching;
    if (count_found_of(0) != expected) {
        fail_msg("seed %llu: %u of %u boxes found at the edge, gap %d", (unsigned long long)seed,
                 count_found_of(0), expected, gap);
    }
    graze_grid_destroy(grid);
}

static void corners_on_the_edge_of_a_band_are_found_whatever_rounds(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 2000; ++seed) {
        random_state random = random_seed(seed);
        const band drawn = draw_band(&random);
        check_band(&random, &drawn, 0, seed);
        check_band(&random, &drawn, 64, seed);
    }
}

static void moves_may_come_in_the_order_of_places(void **state)
{
    (void)state;
    static graze_vec2 from[COUNT], to[COUNT];
    random_state random = random_seed(1);
    fill_lattice(&random);
    graze_grid *grid = build(0);
    for (uint32_t place = 0; place < COUNT; ++place) {
        from[place] = set.from[graze_grid_order(grid)[place]];
        to[place] = set.to[graze_grid_order(grid)[place]];
    }
    const graze_grid_moves moves = {from, to, NULL};
    memset(found, 0, sizeof found);
    mark_stream(grid, &moves, graze_grid_begin_pairs(grid), PAIR_CAPACITY);
    judge_all(0);
    check_found(1);
    graze_grid_destroy(grid);
}

// A few long moves along a diagonal, on which half of the others lie.
static void fill_diagonal(random_state *random)
{
    const uint32_t count = 3 + random_below(random, COUNT - 3),
                   movers = 1 + random_below(random, 3);
    const float spread = (float)(1 + random_below(random, 100));
    const float low = (float)random_below(random, 2001) - 1000;
    set.boxes.count = count;
    for (uint32_t i = 0; i < count; ++i) {
        const float x = low + spread * random_float(random, 0, 1);
        const float y = random_below(random, 2) ? x : low + spread * random_float(random, 0, 1);
        const float before = low - spread * (float)random_below(random, 8) / 4;
        const graze_vec2 start = {before, before}, end = {low + 2 * spread, low + 2 * spread};
        const graze_vec2 at = {x, y};
        if (i < movers) {
            put(i, start, end, 0);
        } else {
            put(i, at, at, 0.0625f * (float)random_below(random, 4));
        }
    }
}

static uint32_t read_parts(const graze_grid *grid, uint32_t parts, uint32_t capacity,
                           graze_pair *list)
{
    const graze_grid_moves moves = {set.from, set.to, graze_grid_order(grid)};
    uint32_t total = 0, count;
    for (uint32_t part = 0; part < parts; ++part) {
        graze_grid_cursor cursor = graze_grid_begin_pairs_part(grid, part, parts);
        graze_grid_set_moves(&cursor, &moves);
        while ((count = graze_grid_next_pairs(grid, &cursor, pairs, capacity))) {
            assert_true(total + count <= PAIR_CAPACITY);
            memcpy(list + total, pairs, count * sizeof *pairs);
            total += count;
        }
    }
    return total;
}

// Windows of many cells are scanned along the move, those of few are not: which it is must not
// depend on how much room is left.
static void capacities_and_parts_do_not_change_the_order(void **state)
{
    (void)state;
    static graze_pair whole[PAIR_CAPACITY], other[PAIR_CAPACITY];
    static const uint32_t some[][2] = {{1, 1}, {1, 64}, {1, 128}, {3, PAIR_CAPACITY}, {8, 64}};
    random_state random = random_seed(77);
    for (uint32_t round = 0; round < 1500; ++round) {
        fill_diagonal(&random);
        graze_grid *grid = build(0);
        const uint32_t total = read_parts(grid, 1, PAIR_CAPACITY, whole);
        for (uint32_t i = 0; i < sizeof some / sizeof *some; ++i) {
            assert_int_equal(read_parts(grid, some[i][0], some[i][1], other), total);
            assert_memory_equal(other, whole, total * sizeof *whole);
        }
        graze_grid_destroy(grid);
    }
}

static void ends_of_the_range_of_float_are_no_trouble(void **state)
{
    (void)state;
    static const float ends[] = {-FLT_MAX, -1e30f, -FLT_MIN, 0, 1e-45f, 1, 3e38f, FLT_MAX};
    enum { ENDS = sizeof ends / sizeof ends[0] };
    random_state random = random_seed(3);
    for (uint32_t round = 0; round < 200; ++round) {
        set.boxes.count = 100;
        for (uint32_t i = 0; i < set.boxes.count; ++i) {
            const graze_vec2 from = {ends[random_below(&random, ENDS)],
                                     ends[random_below(&random, ENDS)]};
            const graze_vec2 to = {ends[random_below(&random, ENDS)],
                                   ends[random_below(&random, ENDS)]};
            put(i, from, i % 2 ? to : from, 0);
            set.boxes.quiet[i] = 0;
        }
        graze_grid *grid = build(0);
        const graze_grid_moves moves = {set.from, set.to, graze_grid_order(grid)};
        memset(found, 0, sizeof found);
        mark_stream(grid, &moves, graze_grid_begin_pairs(grid), PAIR_CAPACITY);
        for (uint32_t a = 1; a < set.boxes.count; a += 2) {
            for (uint32_t b = 0; b < set.boxes.count; b += 2) {
                const bool is_end = set.boxes.box[b].lower.x == set.to[a].x &&
                                    set.boxes.box[b].lower.y == set.to[a].y;
                assert_true(!is_end || found[a][b]);
            }
        }
        graze_grid_destroy(grid);
    }
}

// Boxes that end where float does say too little of what moves in them: it may reach further.
static void boxes_cut_off_at_both_ends_of_float_are_passed_by_nothing(void **state)
{
    (void)state;
    const float most = FLT_MAX;
    for (uint32_t quarter = 0; quarter < 4; ++quarter) {
        const graze_vec2 to = {(quarter & 1 ? 0.9f : -0.9f) * most,
                               (quarter & 2 ? 0.9f : -0.9f) * most};
        const graze_vec2 from = {-to.x, -to.y};
        const graze_vec2 beside = {to.x * 0.3f, to.y * -0.3f};
        const graze_vec2 lower = {-most, -most}, upper = {most, most};
        set.boxes.count = 2;
        memset(set.boxes.quiet, 0, sizeof set.boxes.quiet);
        put(0, from, to, 0);
        set.boxes.box[0].lower = lower;
        set.boxes.box[0].upper = upper;
        put(1, beside, beside, 0);
        graze_grid *grid = build(0);
        const graze_grid_moves moves = {set.from, set.to, graze_grid_order(grid)};
        memset(found, 0, sizeof found);
        mark_stream(grid, &moves, graze_grid_begin_pairs(grid), PAIR_CAPACITY);
        assert_true(found[0][1]);
        uint32_t places[2];
        graze_grid_cursor cursor = graze_grid_begin_move(set.boxes.box[0], from, to);
        assert_int_equal(graze_grid_next_move(grid, &cursor, places, 2), 2);
        graze_grid_destroy(grid);
    }
}

/// A world of small boxes, with long moves from anywhere in it.
typedef struct long_world {
    const char *name;
    uint32_t every; ///< One move in this many is long.
    float length, half;
    bool quiet;
    float start; ///< How far they have gone before, in lengths.
} long_world;

static const long_world long_worlds[] = {
    {"short rays", 10, 30, 0, true, 0},
    {"rays", 10, 100, 0, true, 0},
    {"long rays", 10, 1000, 0, true, 0},
    {"rays at 1e6", 10, 16667, 0, true, 0},
    {"rays that left", 10, 100, 0, true, 1},
    {"rays far out", 10, 1000, 0, true, 2},
    {"many rays", 2, 100, 0, true, 0},
    {"few bodies", 100, 1000, 0.5f, false, 0},
    {"bodies at 1e6", 100, 16667, 0.5f, false, 0},
};

enum { LONG_WORLDS = sizeof long_worlds / sizeof long_worlds[0], CROWD = 4000 };

static void fill_long_world(random_state *random, const long_world *of)
{
    set.boxes.count = CROWD;
    for (uint32_t i = 0; i < CROWD; ++i) {
        const bool is_long = i % of->every == 0;
        const float angle = random_float(random, 0, 6.2832f);
        const float x = random_float(random, 0, 125), y = random_float(random, 0, 125);
        const float length = is_long ? of->length : 0.1f;
        const graze_vec2 by = {cosf(angle) * length, sinf(angle) * length};
        const float past = is_long ? of->start : 0;
        const graze_vec2 from = {x + by.x * past, y + by.y * past};
        const graze_vec2 to = {from.x + by.x, from.y + by.y};
        put(i, from, to, is_long ? of->half : 0.5f);
        set.boxes.quiet[i] = is_long && of->quiet;
    }
}

static void long_moves_are_compared_within_the_bound(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < LONG_WORLDS; ++k) {
        random_state random = random_seed(k);
        fill_long_world(&random, &long_worlds[k]);
        graze_grid *grid = build(0);
        const graze_grid_moves moves = {set.from, set.to, graze_grid_order(grid)};
        graze_grid_cursor cursor = graze_grid_begin_pairs(grid);
        graze_grid_set_moves(&cursor, &moves);
        uint64_t total = 0;
        for (uint32_t count = 1; count; total += count) {
            count = graze_grid_next_pairs(grid, &cursor, pairs, PAIR_CAPACITY);
        }
        if (cursor.tested > 40 * (uint64_t)CROWD + 12 * total || total > 20 * (uint64_t)CROWD) {
            fail_msg("%s: %llu boxes compared for %llu pairs", long_worlds[k].name,
                     (unsigned long long)cursor.tested, (unsigned long long)total);
        }
        graze_grid_destroy(grid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_on_the_edge_of_a_band_are_found_whatever_rounds),
        cmocka_unit_test(moves_may_come_in_the_order_of_places),
        cmocka_unit_test(capacities_and_parts_do_not_change_the_order),
        cmocka_unit_test(ends_of_the_range_of_float_are_no_trouble),
        cmocka_unit_test(boxes_cut_off_at_both_ends_of_float_are_passed_by_nothing),
        cmocka_unit_test(long_moves_are_compared_within_the_bound),
        cmocka_unit_test(moves_at_all_angles_are_found_alike_in_all_cells),
        cmocka_unit_test(lattices_leave_out_what_passes_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
