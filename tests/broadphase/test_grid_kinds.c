// Kinds of items: which pair, against comparing all boxes with all, whatever lists a grid makes.

#include <graze/grid.h>

#include "grid_kit.h"
#include "grid_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

static box_set set;
static graze_grid_meets meets;
static graze_pair pairs[GRID_KIT_PAIRS], again[GRID_KIT_PAIRS];
static uint8_t found[BOX_SET_CAPACITY];
static bool paired[BOX_SET_CAPACITY][BOX_SET_CAPACITY];

static bool has_kind(const uint32_t *kinds, uint32_t kind)
{
    return kinds[kind / 32] >> kind % 32 & 1;
}

static void add_kind(uint32_t *kinds, uint32_t kind)
{
    kinds[kind / 32] |= UINT32_C(1) << kind % 32;
}

/// How kinds pair. Of 16 pairs of kinds so many pair, and so many kinds with themselves.
typedef struct rule {
    const char *name;
    uint32_t kinds, share, own_share;
} rule;

static const rule rules[] = {
    {"one kind", 1, 16, 16},
    {"one that pairs with nothing", 1, 0, 0},
    {"two of all sorts", 2, 8, 8},
    {"five, few with themselves", 5, 8, 3},
    {"nine teams", 9, 16, 0},
    {"nine apart", 9, 0, 0},
    {"nine, each alone", 9, 0, 16},
    {"40 of all sorts", 40, 8, 8},
    {"40 hermits", 40, 4, 0},
    {"256 of all sorts", 256, 8, 4},
    {"256 that all pair", 256, 16, 16},
};

enum { RULES = sizeof rules / sizeof rules[0] };

static void draw_meets(random_state *random, const rule *by)
{
    memset(&meets, 0, sizeof meets);
    meets.count = by->kinds;
    for (uint32_t i = 0; i < by->kinds; ++i) {
        for (uint32_t k = 0; k <= i; ++k) {
            if (random_below(random, 16) < (i == k ? by->own_share : by->share)) {
                add_kind(meets.rows[i], k);
                add_kind(meets.rows[k], i);
            }
        }
        if (random_below(random, 2)) {
            add_kind(meets.points, i);
        }
    }
}

// Some kinds have more items than others.
static void draw_kinds(random_state *random, uint32_t count)
{
    for (uint32_t i = 0; i < set.count; ++i) {
        const uint32_t most = 1 + random_below(random, count);
        set.quiet[i] = (uint8_t)random_below(random, most);
    }
}

static graze_grid_items view(void)
{
    graze_grid_items items = box_set_items(&set);
    items.meets = &meets;
    return items;
}

static graze_grid *build(void)
{
    const graze_grid_items items = view();
    return grid_kit_build_items(&items, 0);
}

static void assert_all_pairs(const graze_grid *grid, const graze_pair *named, uint32_t count,
                             const char *what)
{
    const uint32_t *order = graze_grid_order(grid);
    memset(paired, 0, sizeof paired);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t a = order[named[i].a], b = order[named[i].b];
        assert_true(a != b && !paired[a][b]);
        paired[a][b] = paired[b][a] = true;
    }
    for (uint32_t i = 0; i < set.count; ++i) {
        for (uint32_t k = 0; k < i; ++k) {
            const bool meet =
                box_set_overlap(&set, i, k) && has_kind(meets.rows[set.quiet[i]], set.quiet[k]);
            if (meet != paired[i][k]) {
                fail_msg("%s: items %u and %u pair: %d, found %d", what, i, k, meet, paired[i][k]);
            }
        }
    }
}

static uint32_t collect_parts(const graze_grid *grid, uint32_t part_count)
{
    uint32_t total = 0;
    for (uint32_t part = 0; part < part_count; ++part) {
        graze_grid_cursor cursor = graze_grid_begin_pairs_part(grid, part, part_count);
        total += grid_kit_collect_from(grid, &cursor, 7, again + total);
    }
    return total;
}

static void check_pairs(const graze_grid *grid, const char *what)
{
    const uint32_t count = grid_kit_collect(grid, 4096, pairs);
    assert_all_pairs(grid, pairs, count, what);
    assert_int_equal(grid_kit_collect(grid, 3, again), count);
    assert_memory_equal(again, pairs, count * sizeof *pairs);
    assert_int_equal(collect_parts(grid, 5), count);
    assert_memory_equal(again, pairs, count * sizeof *pairs);
}

static void kinds_pair_as_brute_force_says(void **state)
{
    (void)state;
    static const uint32_t counts[] = {3, 40, 90, 400};
    uint32_t kind_count;
    const box_set_kind *kinds = box_set_kinds(&kind_count);
    for (uint32_t kind = 0; kind < kind_count; ++kind) {
        for (uint32_t i = 0; i < RULES; ++i) {
            random_state random = random_seed(kind * RULES + i);
            box_set_fill(&kinds[kind], i, counts[(kind + i) % 4], &set);
            draw_meets(&random, &rules[i]);
            draw_kinds(&random, meets.count);
            graze_grid *grid = build();
            check_pairs(grid, rules[i].name);
            graze_grid_destroy(grid);
        }
    }
}

// What a grid keeps from build to build may not suit other kinds.
static void kinds_and_rules_change_between_builds(void **state)
{
    (void)state;
    graze_grid *grid;
    random_state random = random_seed(3);
    assert_int_equal(graze_grid_create(NULL, &grid), GRAZE_OK);
    box_set_fill(box_set_kind_named("gas-sizes"), 1, 300, &set);
    draw_meets(&random, &rules[3]);
    for (uint32_t round = 0; round < 120; ++round) {
        if (random_below(&random, 4) == 0) {
            draw_meets(&random, &rules[random_below(&random, RULES)]);
        }
        if (random_below(&random, 8) == 0) {
            box_set_fill(box_set_kind_named("gas"), round, 30 + 9 * (round % 40), &set);
        }
        draw_kinds(&random, random_below(&random, 3) ? meets.count : 1);
        graze_grid_items items = view();
        items.kinds = random_below(&random, 6) ? items.kinds : NULL;
        assert_int_equal(graze_grid_build(grid, &items), GRAZE_OK);
        if (items.kinds) {
            check_pairs(grid, "changing");
        }
    }
    graze_grid_destroy(grid);
}

static uint32_t build_twice_with(grz_lane_set lanes, graze_pair *into)
{
    graze_grid *grid;
    const graze_grid_items items = view();
    assert_int_equal(graze_grid_create(NULL, &grid), GRAZE_OK);
    grz_grid_use_lanes(grid, lanes);
    assert_int_equal(graze_grid_build(grid, &items), GRAZE_OK);
    assert_int_equal(graze_grid_build(grid, &items), GRAZE_OK);
    const uint32_t count = grid_kit_collect(grid, 100, into);
    graze_grid_destroy(grid);
    return count;
}

static void all_lanes_give_the_same_pairs_in_the_same_order(void **state)
{
    (void)state;
    static const char *const names[] = {"gas", "gas-sizes", "giant among dust"};
    for (uint32_t i = 0; i < 3 * RULES; ++i) {
        random_state random = random_seed(i);
        box_set_fill(box_set_kind_named(names[i % 3]), i, 1000, &set);
        draw_meets(&random, &rules[i / 3]);
        draw_kinds(&random, meets.count);
        const uint32_t count = build_twice_with(GRZ_SET_SCALAR, pairs);
        for (uint32_t lanes = 1; lanes <= (uint32_t)grz_lanes_choose(); ++lanes) {
            assert_int_equal(build_twice_with((grz_lane_set)lanes, again), count);
            assert_memory_equal(again, pairs, count * sizeof *pairs);
        }
    }
}

// --- Lists ---

static void fill_one_point(uint32_t count)
{
    box_set_fill(box_set_kind_named("gas"), 1, count, &set);
    for (uint32_t i = 0; i < count; ++i) {
        set.box[i] = set.box[0];
    }
}

static void up_to_four_kinds_that_pair_with_nothing_cost_nothing(void **state)
{
    (void)state;
    random_state random = random_seed(1);
    const rule apart = {"apart", 4, 0, 0};
    fill_one_point(4000);
    draw_meets(&random, &apart);
    for (uint32_t kinds = 1; kinds <= 4; ++kinds) {
        draw_kinds(&random, kinds);
        graze_grid *grid = build();
        graze_grid_cursor cursor = graze_grid_begin_pairs(grid);
        assert_int_equal(graze_grid_next_pairs(grid, &cursor, pairs, 10), 0);
        assert_int_equal(cursor.tested, 0);
        graze_grid_destroy(grid);
    }
}

// A thousand bullets in one point, and one target: each is compared with it alone.
static void a_crowd_of_bullets_is_compared_with_targets_alone(void **state)
{
    (void)state;
    fill_one_point(1000);
    memset(set.quiet, 1, sizeof set.quiet);
    set.quiet[7] = 0;
    meets = box_set_meets;
    graze_grid *grid = build();
    graze_grid_cursor cursor = graze_grid_begin_pairs(grid);
    assert_int_equal(grid_kit_collect_from(grid, &cursor, 4096, pairs), 999);
    assert_true(cursor.tested <= 2 * 999);
    graze_grid_destroy(grid);
}

// --- Queries ---

static void assert_found(const graze_grid *grid, const uint32_t *places, uint32_t count,
                         graze_aabb box, const uint32_t *kinds)
{
    const uint32_t *order = graze_grid_order(grid);
    const graze_aabb own = set.box[set.count];
    set.box[set.count] = box;
    memset(found, 0, sizeof found);
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(found[order[places[i]]]++, 0);
    }
    for (uint32_t i = 0; i < set.count; ++i) {
        const bool kept = has_kind(kinds, set.quiet[i]) || !grid->lists.mixed;
        const bool wanted = box_set_overlap(&set, i, set.count);
        if (has_kind(kinds, set.quiet[i]) ? found[i] != wanted : found[i] > (wanted && kept)) {
            fail_msg("item %u: overlaps %d, found %d", i, wanted, found[i]);
        }
    }
    set.box[set.count] = own;
}

static uint32_t collect_places(const graze_grid *grid, graze_grid_cursor cursor, bool ray,
                               uint32_t capacity, uint32_t *places)
{
    uint32_t total = 0;
    for (uint32_t count = 1; count; total += count) {
        count = ray ? graze_grid_next_ray(grid, &cursor, places + total, capacity)
                    : graze_grid_next_box(grid, &cursor, places + total, capacity);
    }
    return total;
}

static void queries_find_the_kinds_they_ask_for(void **state)
{
    (void)state;
    static uint32_t places[2 * BOX_SET_CAPACITY];
    for (uint32_t round = 0; round < 60 * RULES; ++round) {
        random_state random = random_seed(round);
        uint32_t kinds[GRAZE_GRID_KIND_WORDS];
        box_set_fill(box_set_kind_named(round % 2 ? "gas" : "gas-sizes"), round, 300, &set);
        draw_meets(&random, &rules[round % RULES]);
        draw_kinds(&random, meets.count);
        random_fill(&random, kinds, sizeof kinds);
        graze_grid *grid = build();
        const graze_aabb from = set.box[random_below(&random, 300)];
        const graze_aabb to = set.box[random_below(&random, 300)];
        const graze_aabb box = {from.lower, {from.upper.x + 9, from.upper.y + 9}};
        graze_grid_cursor cursor = graze_grid_begin_box(grid, box);
        graze_grid_set_kinds(&cursor, kinds);
        assert_found(grid, places, collect_places(grid, cursor, false, 5, places), box, kinds);
        cursor = graze_grid_begin_ray(grid, from.lower, to.upper);
        const uint32_t all = collect_places(grid, cursor, true, 5, places);
        uint32_t expected = 0;
        for (uint32_t i = 0; i < all; ++i) {
            expected += has_kind(kinds, set.quiet[graze_grid_order(grid)[places[i]]]);
        }
        graze_grid_set_kinds(&cursor, kinds);
        const uint32_t some = collect_places(grid, cursor, true, 5, places);
        assert_true(grid->lists.mixed ? some == expected : some >= expected && some <= all);
        graze_grid_destroy(grid);
    }
}

static void a_query_passes_over_a_list_that_it_does_not_ask_for(void **state)
{
    (void)state;
    const uint32_t targets[GRAZE_GRID_KIND_WORDS] = {1};
    fill_one_point(3000);
    memset(set.quiet, 1, sizeof set.quiet);
    set.quiet[5] = 0;
    meets = box_set_meets;
    graze_grid *grid = build();
    uint32_t place;
    graze_grid_cursor cursor = graze_grid_begin_box(grid, set.box[0]);
    graze_grid_set_kinds(&cursor, targets);
    assert_int_equal(graze_grid_next_box(grid, &cursor, &place, 1), 1);
    assert_int_equal(graze_grid_order(grid)[place], 5);
    assert_int_equal(graze_grid_next_box(grid, &cursor, &place, 1), 0);
    assert_int_equal(cursor.tested, 1);
    graze_grid_destroy(grid);
}

// --- Errors and threads ---

static void a_kind_past_the_last_is_refused_and_nothing_changes(void **state)
{
    (void)state;
    random_state random = random_seed(1);
    box_set_fill(box_set_kind_named("gas"), 1, 300, &set);
    draw_meets(&random, &rules[3]);
    draw_kinds(&random, meets.count);
    graze_grid *grid = build();
    const uint32_t count = grid_kit_collect(grid, 100, pairs);
    for (uint32_t i = 0; i < 2; ++i) {
        set.quiet[17] = i ? 255 : (uint8_t)meets.count;
        const graze_grid_items items = view();
        assert_int_equal(graze_grid_build(grid, &items), GRAZE_ERROR_ARGUMENT);
        assert_int_equal(grid_kit_collect(grid, 100, again), count);
        assert_memory_equal(again, pairs, count * sizeof *pairs);
    }
    graze_grid_destroy(grid);
}

static void run_backwards(void (*task)(void *context, uint32_t index), void *context,
                          uint32_t count, void *user)
{
    (void)user;
    while (count > 0) {
        task(context, --count);
    }
}

enum { MANY = 40000 };

static graze_aabb many_boxes[MANY];
static uint8_t many_kinds[MANY];

static void draw_many(random_state *random)
{
    for (uint32_t i = 0; i < MANY; ++i) {
        const float x = random_float(random, 0, 300), y = random_float(random, 0, 300);
        const float half = random_below(random, 50) ? 0.4f : 4.0f;
        const graze_aabb box = {{x - half, y - half}, {x + half, y + half}};
        many_boxes[i] = box;
        many_kinds[i] = (uint8_t)random_below(random, meets.count);
    }
}

static void threads_give_the_same_places_and_pairs(void **state)
{
    (void)state;
    for (uint32_t i = 3; i < RULES; ++i) {
        random_state random = random_seed(i);
        graze_grid *alone, *shared;
        assert_int_equal(graze_grid_create(NULL, &alone), GRAZE_OK);
        assert_int_equal(graze_grid_create(NULL, &shared), GRAZE_OK);
        draw_meets(&random, &rules[i]);
        for (uint32_t round = 0; round < 3; ++round) {
            draw_many(&random);
            const graze_grid_items items = {
                .boxes = many_boxes, .kinds = many_kinds, .meets = &meets, .count = MANY};
            assert_int_equal(graze_grid_build(alone, &items), GRAZE_OK);
            assert_int_equal(graze_grid_build_parallel(shared, &items, run_backwards, NULL),
                             GRAZE_OK);
            assert_memory_equal(graze_grid_order(alone), graze_grid_order(shared),
                                MANY * sizeof(uint32_t));
            const uint32_t count = grid_kit_collect(alone, 4096, pairs);
            assert_int_equal(grid_kit_collect(shared, 4096, again), count);
            assert_memory_equal(again, pairs, count * sizeof *pairs);
        }
        graze_grid_destroy(alone);
        graze_grid_destroy(shared);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_pair_as_brute_force_says),
        cmocka_unit_test(kinds_and_rules_change_between_builds),
        cmocka_unit_test(all_lanes_give_the_same_pairs_in_the_same_order),
        cmocka_unit_test(up_to_four_kinds_that_pair_with_nothing_cost_nothing),
        cmocka_unit_test(a_crowd_of_bullets_is_compared_with_targets_alone),
        cmocka_unit_test(queries_find_the_kinds_they_ask_for),
        cmocka_unit_test(a_query_passes_over_a_list_that_it_does_not_ask_for),
        cmocka_unit_test(a_kind_past_the_last_is_refused_and_nothing_changes),
        cmocka_unit_test(threads_give_the_same_places_and_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
