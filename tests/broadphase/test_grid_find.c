// Many rays at a time find what each of them finds alone, and nothing far from it.

#include <graze/grid.h>

#include "box_set.h"
#include "grid_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { RAYS = 200, PLACES_AT_ONCE = 32 };

static const double sides[] = {0, 1e-4, 0.7, 6, 500};
enum { SIDE_COUNT = sizeof sides / sizeof sides[0] };

static box_set set;
static graze_vec2 from[RAYS], to[RAYS];
static const uint32_t *asked;                 ///< Kinds; null: all.
static uint8_t found[RAYS][BOX_SET_CAPACITY]; ///< By ray and place.

static graze_grid *build(double side)
{
    graze_grid *grid;
    const graze_grid_items items = box_set_items(&set);
    assert_int_equal(graze_grid_create(NULL, &grid), GRAZE_OK);
    grz_grid_fix_side(grid, side);
    assert_int_equal(graze_grid_build(grid, &items), GRAZE_OK);
    return grid;
}

static void note_pairs(void *context, const graze_pair *pairs, uint32_t count)
{
    const char *what = context;
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(pairs[i].a < RAYS && pairs[i].b < set.count);
        if (found[pairs[i].a][pairs[i].b]++) {
            fail_msg("%s: ray %u found place %u twice", what, pairs[i].a, pairs[i].b);
        }
    }
}

// All that a ray finds alone is found; anything else that is found overlaps its bounding box.
static void check_ray(const graze_grid *grid, uint32_t ray, const char *what)
{
    uint8_t *of_ray = found[ray];
    graze_grid_cursor alone = graze_grid_begin_ray(grid, from[ray], to[ray]);
    graze_grid_set_kinds(&alone, asked);
    uint32_t places[PLACES_AT_ONCE];
    for (uint32_t n; (n = graze_grid_next_ray(grid, &alone, places, PLACES_AT_ONCE));) {
        for (uint32_t i = 0; i < n; ++i) {
            if (!of_ray[places[i]]) {
                fail_msg("%s: ray %u from %.9g %.9g to %.9g %.9g missed place %u", what, ray,
                         (double)from[ray].x, (double)from[ray].y, (double)to[ray].x,
                         (double)to[ray].y, places[i]);
            }
        }
    }
    const graze_aabb box = {{from[ray].x < to[ray].x ? from[ray].x : to[ray].x,
                             from[ray].y < to[ray].y ? from[ray].y : to[ray].y},
                            {from[ray].x < to[ray].x ? to[ray].x : from[ray].x,
                             from[ray].y < to[ray].y ? to[ray].y : from[ray].y}};
    graze_grid_cursor around = graze_grid_begin_box(grid, box);
    graze_grid_set_kinds(&around, asked);
    for (uint32_t n; (n = graze_grid_next_box(grid, &around, places, PLACES_AT_ONCE));) {
        for (uint32_t i = 0; i < n; ++i) {
            of_ray[places[i]] = 0;
        }
    }
    for (uint32_t place = 0; place < set.count; ++place) {
        if (of_ray[place]) {
            fail_msg("%s: ray %u found place %u, which is far from it", what, ray, place);
        }
    }
}

static void check_rays(const graze_grid *grid, uint32_t count, const char *what)
{
    memset(found, 0, sizeof found);
    graze_grid_find_rays(grid, from, to, count, asked, note_pairs, (void *)(uintptr_t)what);
    for (uint32_t ray = 0; ray < count; ++ray) {
        check_ray(grid, ray, what);
    }
}

static graze_vec2 draw_corner(random_state *random)
{
    const uint32_t i = random_below(random, set.count);
    const graze_aabb box = set.box[i];
    const graze_vec2 point = {random_below(random, 2) ? box.lower.x : box.upper.x,
                              random_below(random, 2) ? box.lower.y : box.upper.y};
    return point;
}

// Every third ray goes to another box, the others about as far as a box is wide, or nowhere.
static void draw_rays(random_state *random)
{
    for (uint32_t ray = 0; ray < RAYS; ++ray) {
        const uint32_t i = random_below(random, set.count);
        from[ray] = draw_corner(random);
        to[ray] = from[ray];
        if (ray % 3 == 0) {
            to[ray] = draw_corner(random);
        } else if (ray % 3 == 1) {
            to[ray].x += random_float(random, -2, 2) * (set.box[i].upper.x - set.box[i].lower.x);
            to[ray].y += random_float(random, -2, 2) * (set.box[i].upper.y - set.box[i].lower.y);
        }
        to[ray] = isfinite(to[ray].x) && isfinite(to[ray].y) ? to[ray] : from[ray];
    }
}

static void many_rays_find_what_each_finds_alone(void **state)
{
    (void)state;
    static const uint32_t sets[2][GRAZE_GRID_KIND_WORDS] = {{1}, {2}};
    uint32_t kind_count;
    const box_set_kind *kinds = box_set_kinds(&kind_count);
    for (uint32_t kind = 0; kind < kind_count; ++kind) {
        random_state random = random_seed(kind + 5);
        box_set_fill(&kinds[kind], 14, 300, &set);
        box_set_hush(&random, 2, &set);
        for (uint32_t side = 0; side < SIDE_COUNT; ++side) {
            graze_grid *grid = build(sides[side]);
            draw_rays(&random);
            asked = side % 3 ? sets[side % 3 - 1] : NULL;
            check_rays(grid, RAYS - side, kinds[kind].name);
            graze_grid_destroy(grid);
        }
    }
    asked = NULL;
}

static void removed_items_are_found_no_more(void **state)
{
    (void)state;
    uint32_t kind_count;
    const box_set_kind *kinds = box_set_kinds(&kind_count);
    random_state random = random_seed(9);
    box_set_fill(&kinds[0], 15, 300, &set);
    graze_grid *grid = build(0);
    for (uint32_t place = 0; place < set.count; place += 2) {
        graze_grid_remove(grid, place);
    }
    draw_rays(&random);
    check_rays(grid, RAYS, "half of them removed");
    graze_grid_destroy(grid);
}

static void rays_in_an_empty_grid_find_nothing(void **state)
{
    (void)state;
    set.count = 0;
    graze_grid *grid;
    assert_int_equal(graze_grid_create(NULL, &grid), GRAZE_OK);
    from[0] = to[0] = from[1] = (graze_vec2){0, 0};
    to[1] = (graze_vec2){1e30f, -1e30f};
    check_rays(grid, 2, "empty");
    graze_grid_find_rays(grid, NULL, NULL, 0, NULL, note_pairs, NULL);
    graze_grid_destroy(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_rays_find_what_each_finds_alone),
        cmocka_unit_test(removed_items_are_found_no_more),
        cmocka_unit_test(rays_in_an_empty_grid_find_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
