// Worlds that are hard for the grid: the comparisons stay within the bound that grid.h states.
#include <graze/grid.h>

#include "box_set.h"
#include "grid_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

enum { COUNT = 4000, PAIR_CAPACITY = 4096, BUILDS = 3 };

static box_set set;

static void put(uint32_t i, double x, double y, double half_x, double half_y)
{
    set.box[i].lower.x = (float)(x - half_x);
    set.box[i].lower.y = (float)(y - half_y);
    set.box[i].upper.x = (float)(x + half_x);
    set.box[i].upper.y = (float)(y + half_y);
}

static double draw(random_state *random, double lower, double upper)
{
    return (double)random_float(random, (float)lower, (float)upper);
}

// Anywhere between `lower` and `upper` on each axis.
static void put_within(random_state *random, uint32_t i, double lower, double upper, double half_x,
                       double half_y)
{
    const double x = draw(random, lower, upper);
    const double y = draw(random, lower, upper);
    put(i, x, y, half_x, half_y);
}

static void put_all_in_one_cell(random_state *random)
{
    for (uint32_t i = 0; i < COUNT; ++i) {
        put_within(random, i, 0, 0.5, 0.002, 0.002);
    }
    put(7, 0, 0, 1000, 0.5);
}

static void put_giant_among_many(random_state *random)
{
    for (uint32_t i = 0; i < COUNT; ++i) {
        put_within(random, i, 0, 200, 0.3, 0.3);
    }
    put(COUNT / 2, 50, 50, 1e6, 1e6);
}

static void put_dust(random_state *random)
{
    for (uint32_t i = 0; i < COUNT; ++i) {
        put_within(random, i, -9, 9, 1e-3, 1e-3);
    }
}

// The boxes of items that move at a million units a second.
static void put_fast_along_x(random_state *random)
{
    for (uint32_t i = 0; i < COUNT; ++i) {
        put_within(random, i, 0, 300, 8000, 0.5);
    }
}

static void put_fast_along_y(random_state *random)
{
    for (uint32_t i = 0; i < COUNT; ++i) {
        const double half_y = draw(random, 7000, 8000);
        put_within(random, i, 0, 300, 0.5, half_y);
    }
}

static void put_few_fast(random_state *random)
{
    for (uint32_t i = 0; i < COUNT; ++i) {
        put_within(random, i, 0, 300, i % 100 ? 0.5 : 8000, 0.5);
    }
}

static void put_half_far_away(random_state *random)
{
    for (uint32_t i = 0; i < COUNT; ++i) {
        const double spread = i % 2 ? 300 : 1e6;
        put_within(random, i, 0, spread, 0.1, 0.1);
    }
}

static void put_crowd_in_vast_world(random_state *random)
{
    for (uint32_t i = 0; i < COUNT; ++i) {
        const double spread = i % 5 ? 10 : 1e5;
        put_within(random, i, 0, spread, 0.01, 0.01);
    }
}

// Dust on one spot among large items everywhere, as after an explosion.
static void put_dust_among_large(random_state *random)
{
    for (uint32_t i = 0; i < COUNT; ++i) {
        if (i % 2) {
            put_within(random, i, 0, 200, 0.5, 0.5);
        } else {
            const double x = 100 + draw(random, 0, 1);
            const double y = 50 + draw(random, 0, 1);
            put(i, x, y, 0.005, 0.005);
        }
    }
}

// Most items are small, and on one spot of what the large ones are spread over.
static void put_crowd_amid_large(random_state *random)
{
    for (uint32_t i = 0; i < COUNT; ++i) {
        if (i >= COUNT / 5) {
            put_within(random, i, 3500, 3512, 0.05, 0.05);
        } else {
            put(i, 250 * (i % 28), 250 * (i / 28), 100, 100);
        }
    }
}

// Smaller and more crowded towards the middle.
static void put_whirl(random_state *random)
{
    for (uint32_t i = 0; i < COUNT; ++i) {
        const double radius = exp(draw(random, -3, 3)), angle = draw(random, 0, 6.3);
        put(i, radius * cos(angle), radius * sin(angle), radius / 200, radius / 200);
    }
}

typedef struct hard_world {
    const char *name;
    void (*fill)(random_state *random);
} hard_world;

static const hard_world worlds[] = {
    {"all in one cell", put_all_in_one_cell},
    {"a giant among many", put_giant_among_many},
    {"dust", put_dust},
    {"fast along x", put_fast_along_x},
    {"fast along y", put_fast_along_y},
    {"few fast", put_few_fast},
    {"half far away", put_half_far_away},
    {"a crowd in a vast world", put_crowd_in_vast_world},
    {"dust among large", put_dust_among_large},
    {"a crowd amid large", put_crowd_amid_large},
    {"a whirl", put_whirl},
};

enum { WORLD_COUNT = sizeof worlds / sizeof worlds[0] };

static uint64_t count_pairs(void)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < COUNT; ++i) {
        for (uint32_t k = i + 1; k < COUNT; ++k) {
            count += box_set_overlap(&set, i, k);
        }
    }
    return count;
}

// All pairs are found, with a number of comparisons within the bound.
static void check_streams(graze_grid *grid, const char *name)
{
    static graze_pair pairs[PAIR_CAPACITY];
    const graze_grid_items items = box_set_items(&set);
    const uint64_t expected = count_pairs();
    for (uint32_t builds = 0; builds < BUILDS; ++builds) {
        assert_int_equal(graze_grid_build(grid, &items), GRAZE_OK);
        graze_grid_cursor cursor = graze_grid_begin_pairs(grid);
        uint64_t found = 0;
        for (uint32_t count = 1; count; found += count) {
            count = graze_grid_next_pairs(grid, &cursor, pairs, PAIR_CAPACITY);
        }
        assert_int_equal(found, expected);
        if (cursor.tested > 40 * (uint64_t)COUNT + 12 * found) {
            fail_msg("%s, build %u: %llu boxes compared for %llu pairs", name, builds,
                     (unsigned long long)cursor.tested, (unsigned long long)found);
        }
    }
}

static graze_grid *make_grid(void)
{
    graze_grid *grid;
    assert_int_equal(graze_grid_create(NULL, &grid), GRAZE_OK);
    set.count = COUNT;
    return grid;
}

static void hard_worlds_are_compared_within_the_bound(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < WORLD_COUNT; ++i) {
        random_state random = random_seed(i);
        graze_grid *grid = make_grid();
        worlds[i].fill(&random);
        check_streams(grid, worlds[i].name);
        graze_grid_destroy(grid);
    }
}

static void a_grid_that_held_other_worlds_stays_within_the_bound(void **state)
{
    (void)state;
    graze_grid *grid = make_grid();
    for (uint32_t i = 0; i < 2 * WORLD_COUNT; ++i) {
        random_state random = random_seed(i);
        worlds[i * 3 % WORLD_COUNT].fill(&random);
        check_streams(grid, worlds[i * 3 % WORLD_COUNT].name);
    }
    graze_grid_destroy(grid);
}

// Half of the items stand where, with the grid's present cells, they all fall into the same cell.
static void aim_at_period(const graze_grid *grid, random_state *random, bool both_axes)
{
    const grz_grid_class *of = &grid->classes[0];
    const double period_x = of->cells * of->x.side, period_y = of->cells * of->y.side;
    for (uint32_t i = 0; i < COUNT; ++i) {
        const double column = random_integer(random, -1000, 1000);
        const double row = both_axes ? random_integer(random, -30, 30) : 0;
        if (i % 2) {
            put_within(random, i, 0, 30, 0.01, 0.01);
        } else {
            put(i, column * period_x, row * period_y, 0.01, 0.01);
        }
    }
}

static void places_aimed_at_the_period_are_parted(void **state)
{
    (void)state;
    for (uint32_t both_axes = 0; both_axes < 2; ++both_axes) {
        random_state random = random_seed(both_axes);
        graze_grid *grid = make_grid();
        put_dust(&random);
        check_streams(grid, "dust");
        for (uint32_t round = 0; round < 4; ++round) {
            aim_at_period(grid, &random, both_axes);
            check_streams(grid, "aimed at the period");
        }
        graze_grid_destroy(grid);
    }
}

static void multiples_of_powers_of_two_are_parted(void **state)
{
    (void)state;
    for (double step = 1; step < 1e6; step *= 4) {
        random_state random = random_seed(1);
        graze_grid *grid = make_grid();
        for (uint32_t i = 0; i < COUNT; ++i) {
            if (i % 4) {
                put_within(&random, i, 0, 30, 0.01, 0.01);
            } else {
                const double x = step * random_integer(&random, -1000, 1000);
                const double y = step * random_integer(&random, -1000, 1000);
                put(i, x, y, 0.01, 0.01);
            }
        }
        check_streams(grid, "multiples of a power of two");
        graze_grid_destroy(grid);
    }
}

static void cells_are_kept_while_items_move_little(void **state)
{
    (void)state;
    random_state random = random_seed(1);
    graze_grid *grid = make_grid();
    put_crowd_in_vast_world(&random);
    check_streams(grid, "a crowd");
    const graze_grid_stats first = graze_grid_get_stats(grid);
    assert_true(first.refined_count == 1 && first.crowding < 12);
    for (uint32_t step = 0; step < 20; ++step) {
        for (uint32_t i = 0; i < COUNT; ++i) {
            const float x = random_float(&random, -0.01f, 0.01f);
            set.box[i].lower.x += x;
            set.box[i].upper.x += x;
        }
        const graze_grid_items items = box_set_items(&set);
        assert_int_equal(graze_grid_build(grid, &items), GRAZE_OK);
        const graze_grid_stats stats = graze_grid_get_stats(grid);
        assert_int_equal(stats.kept_count, stats.class_count);
        assert_true(stats.smallest_cell == first.smallest_cell);
        assert_true(stats.first_crowding == stats.crowding);
    }
    graze_grid_destroy(grid);
}

static void a_crowd_that_spreads_gets_coarse_cells_again(void **state)
{
    (void)state;
    random_state random = random_seed(1);
    graze_grid *grid = make_grid();
    put_crowd_in_vast_world(&random);
    check_streams(grid, "a crowd");
    assert_int_equal(graze_grid_get_stats(grid).refined_count, 1);
    for (uint32_t i = 0; i < COUNT; ++i) {
        put_within(&random, i, 0, 1e5, 0.01, 0.01);
    }
    check_streams(grid, "spread");
    const graze_grid_items items = box_set_items(&set);
    for (uint32_t builds = 0; builds < 130; ++builds) {
        assert_int_equal(graze_grid_build(grid, &items), GRAZE_OK);
    }
    const graze_grid_stats stats = graze_grid_get_stats(grid);
    assert_int_equal(stats.refined_count, 0);
    assert_true(stats.smallest_cell > 1000);
    graze_grid_destroy(grid);
}

static void rebuild(graze_grid *grid, uint32_t builds)
{
    const graze_grid_items items = box_set_items(&set);
    for (uint32_t build = 0; build < builds; ++build) {
        assert_int_equal(graze_grid_build(grid, &items), GRAZE_OK);
    }
}

// Returns in how many builds the cells of any class were made anew.
static uint32_t count_made_anew(graze_grid *grid, uint32_t builds)
{
    uint32_t count = 0;
    for (uint32_t build = 0; build < builds; ++build) {
        rebuild(grid, 1);
        const graze_grid_stats stats = graze_grid_get_stats(grid);
        count += stats.kept_count < stats.class_count;
    }
    return count;
}

static void sizes_of_a_crowd_are_parted_until_it_spreads(void **state)
{
    (void)state;
    random_state random = random_seed(1);
    graze_grid *grid = make_grid();
    put_dust_among_large(&random);
    rebuild(grid, 1);
    assert_int_equal(graze_grid_get_stats(grid).class_count, 2);
    rebuild(grid, 1);
    assert_int_equal(graze_grid_get_stats(grid).kept_count, 2);
    assert_int_equal(count_made_anew(grid, 300), 2);
    for (uint32_t i = 0; i < COUNT; i += 2) {
        put_within(&random, i, 0, 200, 0.005, 0.005);
    }
    rebuild(grid, 130);
    assert_int_equal(graze_grid_get_stats(grid).class_count, 1);
    graze_grid_destroy(grid);
}

static void a_crowd_that_forms_in_a_kept_grid_is_parted(void **state)
{
    (void)state;
    random_state random = random_seed(1);
    graze_grid *grid = make_grid();
    put_dust_among_large(&random);
    for (uint32_t i = 0; i < COUNT; i += 2) {
        put_within(&random, i, 0, 200, 0.005, 0.005);
    }
    rebuild(grid, 1);
    assert_int_equal(graze_grid_get_stats(grid).class_count, 1);
    put_dust_among_large(&random);
    check_streams(grid, "a crowd that has formed");
    assert_int_equal(graze_grid_get_stats(grid).class_count, 2);
    graze_grid_destroy(grid);
}

/// Pairs in any order, either item first.
typedef struct pair_sum {
    uint64_t count, sum;
} pair_sum;

static void add_pair(pair_sum *all, uint32_t a, uint32_t b)
{
    const uint64_t low = a < b ? a : b, high = a < b ? b : a;
    const uint64_t mixed = (low << 32 | high) * UINT64_C(0x9e3779b97f4a7c15);
    all->count += 1;
    all->sum += mixed ^ mixed >> 29;
}

static pair_sum stream_parts(const graze_grid *grid, uint32_t part_count, uint32_t capacity)
{
    static graze_pair pairs[PAIR_CAPACITY];
    const uint32_t *order = grid->order;
    pair_sum all = {0, 0};
    for (uint32_t part = 0; part < part_count; ++part) {
        graze_grid_cursor cursor = graze_grid_begin_pairs_part(grid, part, part_count);
        for (uint32_t count = 1; count;) {
            count = graze_grid_next_pairs(grid, &cursor, pairs, capacity);
            for (uint32_t i = 0; i < count; ++i) {
                add_pair(&all, order[pairs[i].a], order[pairs[i].b]);
            }
        }
    }
    return all;
}

static void assert_streams_are(const graze_grid *grid, pair_sum expected)
{
    static const uint32_t capacities[] = {1, 3, 64, 65, 100, PAIR_CAPACITY};
    for (uint32_t i = 0; i < sizeof capacities / sizeof capacities[0]; ++i) {
        for (uint32_t parts = 1; parts < 6; ++parts) {
            const pair_sum found = stream_parts(grid, parts, capacities[i]);
            assert_int_equal(found.count, expected.count);
            assert_int_equal(found.sum, expected.sum);
        }
    }
}

// All boxes that overlap, one way round.
static pair_sum sum_overlaps(void)
{
    pair_sum all = {0, 0};
    for (uint32_t i = 0; i < set.count; ++i) {
        for (uint32_t k = i + 1; k < set.count; ++k) {
            if (box_set_overlap(&set, i, k)) {
                add_pair(&all, i, k);
            }
        }
    }
    return all;
}

static void assert_is_around_dust(graze_aabb bounds)
{
    graze_aabb around = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (uint32_t i = 0; i < set.count; i += 2) {
        around.lower.x = fminf(around.lower.x, set.box[i].lower.x);
        around.lower.y = fminf(around.lower.y, set.box[i].lower.y);
        around.upper.x = fmaxf(around.upper.x, set.box[i].upper.x);
        around.upper.y = fmaxf(around.upper.y, set.box[i].upper.y);
    }
    assert_true(bounds.lower.x == around.lower.x && bounds.lower.y == around.lower.y);
    assert_true(bounds.upper.x == around.upper.x && bounds.upper.y == around.upper.y);
}

// Large items over the dust: none, one, and as many as are few or one more, of nearly 2000.
static void dust_is_compared_with_the_few_large_items_that_reach_it(void **state)
{
    (void)state;
    static const uint32_t over_dust[] = {0, 1, 31, 32, 300};
    for (uint32_t round = 0; round < sizeof over_dust / sizeof over_dust[0]; ++round) {
        random_state random = random_seed(round);
        graze_grid *grid = make_grid();
        set.count = COUNT - 6 * round; // The dust ends anywhere in a vector.
        put_dust_among_large(&random);
        for (uint32_t i = 1; i < COUNT; i += 2) {
            put_within(&random, i, 102, 200, 0.5, 0.5);
        }
        for (uint32_t k = 0; k < over_dust[round]; ++k) {
            const double y = 50 + draw(&random, 0, 1);
            put(2 * k + 1, 100 + draw(&random, 0, 1), y, 0.5, 0.5);
        }
        rebuild(grid, 2);
        assert_int_equal(graze_grid_get_stats(grid).class_count, 2);
        assert_int_equal(grid->classes[0].apart, over_dust[round] < 32 ? 2 : 0);
        assert_is_around_dust(grid->classes[0].bounds);
        assert_streams_are(grid, sum_overlaps());
        graze_grid_destroy(grid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hard_worlds_are_compared_within_the_bound),
        cmocka_unit_test(a_grid_that_held_other_worlds_stays_within_the_bound),
        cmocka_unit_test(places_aimed_at_the_period_are_parted),
        cmocka_unit_test(multiples_of_powers_of_two_are_parted),
        cmocka_unit_test(cells_are_kept_while_items_move_little),
        cmocka_unit_test(a_crowd_that_spreads_gets_coarse_cells_again),
        cmocka_unit_test(sizes_of_a_crowd_are_parted_until_it_spreads),
        cmocka_unit_test(a_crowd_that_forms_in_a_kept_grid_is_parted),
        cmocka_unit_test(dust_is_compared_with_the_few_large_items_that_reach_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
