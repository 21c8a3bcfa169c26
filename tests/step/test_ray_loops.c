// The loops over rays, in lanes, against one ray after the other: the answers are the same to the
// bit in every set.

#include "random.h"
#include "step/rays.h"

#include <graze/sweep.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ROUNDS = 300, ROWS = 700, BLOCK = 16 };

// --- Which rows are rays ---

/// Rows up to the next whole vector, as the world has them.
typedef struct rows {
    uint32_t traits[ROWS + BLOCK], links[ROWS + BLOCK];
} rows;

static rows make_rows(random_state *random)
{
    rows made;
    const uint32_t rays = random_below(random, 5), linked = random_below(random, 5);
    for (uint32_t row = 0; row < ROWS + BLOCK; ++row) {
        const bool is_ray = random_below(random, 4) < rays;
        made.traits[row] = (uint32_t)(is_ray ? GRAZE_SHAPE_RAY : GRAZE_SHAPE_CIRCLE) |
                           (random_below(random, 8) ? GRZ_TRAIT_LIMITED : 0) |
                           (random_below(random, 2) ? GRZ_TRAIT_SENSOR | GRZ_TRAIT_LAST : 0);
        made.links[row] = random_below(random, 4) < linked ? row : GRZ_NONE;
    }
    return made;
}

static bool is_free_ray(uint32_t traits)
{
    return (traits & GRZ_TRAIT_KIND) == GRAZE_SHAPE_RAY && (traits & GRZ_TRAIT_FREE);
}

// Goes through all rows, list after list, and expects what a loop by row finds.
static void assert_lists(grz_lane_set set, const rows *of, bool with_links, bool all)
{
    const uint32_t *links = with_links ? of->links : NULL;
    grz_ray_list list;
    uint32_t row = 0;
    for (uint32_t next; row < ROWS; row = next) {
        next = grz_ray_loops_for(set)->list(of->traits, links, row, ROWS, all, &list);
        assert_true(next > row && next <= ROWS && list.count <= GRZ_RAYS_AT_ONCE);
        uint32_t count = 0, linked_count = 0;
        for (; row < next; ++row) {
            const bool linked = links && links[row] != GRZ_NONE;
            if (is_free_ray(of->traits[row]) && (all || linked)) {
                assert_true(!linked || list.linked[linked_count] == count);
                assert_int_equal(list.rows[count], row);
                linked_count += linked;
                ++count;
            }
        }
        assert_int_equal(list.count, count);
        assert_int_equal(list.linked_count, linked_count);
    }
}

static void free_rays_are_listed(void **state)
{
    (void)state;
    random_state random = random_seed(1);
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        const rows of = make_rows(&random);
        for (int set = 0; set <= (int)grz_lanes_choose(); ++set) {
            assert_lists((grz_lane_set)set, &of, true, true);
            assert_lists((grz_lane_set)set, &of, true, false);
            assert_lists((grz_lane_set)set, &of, false, true);
            assert_lists((grz_lane_set)set, &of, false, false);
        }
    }
}

// --- Walls that are crossed ---

/// The paths of rays, and walls near them.
typedef struct range {
    graze_vec2 from[GRZ_RAYS_AT_ONCE], to[GRZ_RAYS_AT_ONCE];
    graze_segment_finds finds;
} range;

// Numbers are on a lattice: so ends lie on walls, and paths along them, all the time.
static float draw(random_state *random, bool lattice, float size)
{
    return lattice ? (float)random_integer(random, -4, 4) : random_float(random, -size, size);
}

static graze_vec2 draw_point(random_state *random, bool lattice, float size)
{
    const float x = draw(random, lattice, size), y = draw(random, lattice, size);
    return (graze_vec2){x, y};
}

static void make_range(random_state *random, bool lattice, range *made)
{
    const float sizes[] = {1e-3f, 1, 1000, 1e6f, 1e30f};
    const float size = sizes[random_below(random, 5)];
    const float length = size * sizes[random_below(random, 2)];
    for (uint32_t ray = 0; ray < GRZ_RAYS_AT_ONCE; ++ray) {
        made->from[ray] = draw_point(random, lattice, size);
        made->to[ray] = graze_vec2_add(made->from[ray], draw_point(random, lattice, length));
    }
    made->finds.count = random_below(random, GRAZE_SEGMENT_FINDS + 1);
    for (uint32_t place = 0; place < made->finds.count; ++place) {
        const graze_vec2 a = draw_point(random, lattice, size);
        const graze_vec2 b = draw_point(random, lattice, size);
        made->finds.move[place] = random_below(random, GRZ_RAYS_AT_ONCE);
        made->finds.ax[place] = a.x;
        made->finds.ay[place] = a.y;
        made->finds.bx[place] = b.x;
        made->finds.by[place] = b.y;
    }
}

static void assert_crossings(grz_lane_set set, const range *of)
{
    grz_crossings crossings;
    const uint32_t found = grz_ray_loops_for(set)->sift(&of->finds, of->from, of->to, &crossings);
    uint32_t count = 0;
    for (uint32_t place = 0; place < of->finds.count; ++place) {
        const uint32_t ray = of->finds.move[place];
        const graze_sweep sweep = graze_sweep_point_segment(of->from[ray], of->to[ray],
                                                            grz_found_wall(&of->finds, place));
        if (sweep.hit) {
            assert_true(count < found);
            assert_int_equal(crossings.places[count++], place);
            assert_true(crossings.times[place] == sweep.time);
        }
    }
    assert_int_equal(found, count);
}

static void crossed_walls_are_those_that_the_exact_test_says(void **state)
{
    (void)state;
    random_state random = random_seed(2);
    static range of;
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        make_range(&random, round % 2, &of);
        for (int set = 0; set <= (int)grz_lanes_choose(); ++set) {
            assert_crossings((grz_lane_set)set, &of);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_rays_are_listed),
        cmocka_unit_test(crossed_walls_are_those_that_the_exact_test_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
