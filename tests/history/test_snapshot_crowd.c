#include "busy_world.h"

#include "history/snapshot.h"

#include "lanes_choice.h"
#include "list.h"
#include "world/bodies.h"
#include "world/rows.h"

#include <stdlib.h>
#include <string.h>

// Worlds of every number of bodies that blocks may split.

// --- Crowds ---

static graze_body_def random_def(random_state *random)
{
    const float x = random_float(random, -500, 500), y = random_float(random, -500, 500);
    graze_body_def def = kit_circle(x, y, 1 + random_float(random, 0, 1));
    def.shape = random_below(random, 4) == 0   ? graze_shape_rect(1, 2)
                : random_below(random, 4) == 0 ? graze_shape_ray()
                                               : def.shape;
    def.angle = def.spin = def.shape.kind == GRAZE_SHAPE_RECT ? random_float(random, -1, 1) : 0;
    def.spin = random_below(random, 2) ? 0 : def.spin;
    def.mass = (float)random_below(random, 3);
    def.lifetime = random_below(random, 3) == 0 ? random_float(random, 0.1f, 4) : 0;
    def.hit_limit = random_below(random, 3);
    def.response = (graze_response)random_below(random, 5);
    def.sensor = random_below(random, 8) == 0;
    if (random_below(random, 4) == 0) {
        def.gravity_scale = random_float(random, -1, 2);
        def.damping = random_float(random, 0, 1);
        def.surface.speed = random_float(random, -1, 1);
        def.angle = def.spin = random_float(random, -3, 3);
    }
    def.filter.mask = random_below(random, 5) ? UINT32_MAX : 2;
    return def;
}

// Adds bodies, with vacant indices and bodies that the last step removed among them.
static graze_world *new_crowd(uint32_t count, random_state *random)
{
    graze_world *world = busy_empty_world();
    for (uint32_t i = 0; i < count; ++i) {
        (void)kit_add(world, random_def(random));
    }
    for (uint32_t i = 0; i < count / 9; ++i) {
        (void)graze_body_destroy(world, graze_world_body_at(world, random_below(random, count)));
    }
    kit_step(world, 1);
    return world;
}

static void assert_same_row(const grz_rows *first, uint32_t a, const grz_rows *second, uint32_t b)
{
    const graze_rotation turned = grz_rotation_of(first, a), other = grz_rotation_of(second, b);
    assert_memory_equal(&first->position[a], &second->position[b], sizeof *first->position);
    assert_memory_equal(&first->velocity[a], &second->velocity[b], sizeof *first->velocity);
    assert_memory_equal(&first->half[a], &second->half[b], sizeof *first->half);
    assert_memory_equal(&turned, &other, sizeof turned);
    assert_true(grz_angle_of(first, a) == grz_angle_of(second, b));
    assert_true(grz_spin_of(first, a) == grz_spin_of(second, b));
    const uint32_t difference = first->traits[a] ^ second->traits[b];
    assert_int_equal(difference & ((UINT32_C(1) << GRZ_TRAIT_FILTER_SHIFT) - 1), 0);
    assert_int_equal(first->index[a], second->index[b]);
    assert_int_equal(first->generation[a], second->generation[b]);
}

static void assert_same_index(const graze_world *saved, const graze_world *loaded, uint32_t index)
{
    const uint32_t row = saved->bodies.row_of_index.data[index];
    const uint32_t other = loaded->bodies.row_of_index.data[index];
    assert_int_equal(grz_index_set_has(&loaded->bodies.unsorted, index), row < GRZ_NONE);
    assert_int_equal(other < GRZ_NONE, row < GRZ_NONE);
    if (row < GRZ_NONE) {
        assert_true(other < loaded->bodies.count);
        assert_int_equal(loaded->bodies.rows.index[other], index);
        assert_same_row(&saved->bodies.rows, row, &loaded->bodies.rows, other);
    } else {
        assert_int_equal(other == GRZ_NONE, row == GRZ_NONE);
    }
}

static void assert_same_crowd(const graze_world *saved, const graze_world *loaded)
{
    assert_int_equal(saved->bodies.count, loaded->bodies.count);
    assert_int_equal(saved->bodies.count, loaded->bodies.count);
    assert_int_equal(saved->bodies.rect_count, loaded->bodies.rect_count);
    assert_int_equal(saved->bodies.rotation_count, loaded->bodies.rotation_count);
    assert_int_equal(saved->bodies.ray_count, loaded->bodies.ray_count);
    assert_int_equal(saved->bodies.filter_count, loaded->bodies.filter_count);
    for (uint32_t index = 0; index < saved->bodies.count; ++index) {
        assert_same_index(saved, loaded, index);
    }
    kit_assert_same_bytes(saved, loaded);
}

// Loads into a world with just enough room, and into one that held other bodies.
static void assert_found(const graze_world *saved, graze_world *used, grz_lane_set set)
{
    graze_world_def def = busy_def();
    size_t size;
    void *bytes = kit_save(saved, &size);
    def.body_capacity = saved->bodies.count + 1;
    graze_world *fresh = graze_world_create(&def);
    fresh->config.lanes = set;
    used->config.lanes = set;
    kit_load(fresh, bytes, size);
    kit_load(used, bytes, size);
    assert_same_crowd(saved, fresh);
    assert_same_crowd(saved, used);
    graze_world_destroy(fresh);
    free(bytes);
}

static void a_crowd_of_any_size_is_found_as_it_was(void **state)
{
    (void)state;
    static const uint32_t counts[] = {1,   2,   15,  16,  17,   63,   64,   65,   500,  511,
                                      512, 513, 529, 600, 1024, 1700, 4095, 4096, 4097, 4200};
    random_state random = random_seed(31);
    graze_world *used = new_crowd(900, &random);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        graze_world *saved = new_crowd(counts[i], &random);
        for (int set = 0; set < GRZ_SET_COUNT; ++set) {
            if (grz_lanes_has((grz_lane_set)set)) {
                assert_found(saved, used, (grz_lane_set)set);
            }
        }
        graze_world_destroy(saved);
    }
    graze_world_destroy(used);
}

enum { ROWS_AT_ONCE = 4096 }; ///< A multiple of what is saved at once.

// Rects, then rays; without the first few, so that rows of all indices that are saved at once do
// not fill whole blocks.
static graze_world *new_rects_and_rays(uint32_t rects)
{
    enum { ALL = ROWS_AT_ONCE + 200, GONE = 3 };
    graze_world *world = busy_empty_world();
    graze_body_id first[GONE];
    for (uint32_t i = 0; i < ALL; ++i) {
        graze_body_def def = kit_circle((float)i, 0, 1);
        def.shape = i < rects ? graze_shape_rect(1, 2) : graze_shape_ray();
        def.angle = def.spin = i < rects ? 0.5f : 0;
        const graze_body_id body = kit_add(world, def);
        if (i < GONE) {
            first[i] = body;
        }
    }
    for (uint32_t i = 0; i < GONE; ++i) {
        (void)graze_body_destroy(world, first[i]);
    }
    return world;
}

static void rects_before_rays_are_found_wherever_they_end(void **state)
{
    (void)state;
    static const uint32_t rects[] = {4, 64, 67, ROWS_AT_ONCE - 60, ROWS_AT_ONCE};
    random_state random = random_seed(37);
    graze_world *used = new_crowd(900, &random);
    for (size_t i = 0; i < sizeof rects / sizeof *rects; ++i) {
        graze_world *saved = new_rects_and_rays(rects[i]);
        for (int set = 0; set < GRZ_SET_COUNT; ++set) {
            if (grz_lanes_has((grz_lane_set)set)) {
                saved->config.lanes = (grz_lane_set)set;
                assert_found(saved, used, (grz_lane_set)set);
            }
        }
        graze_world_destroy(saved);
    }
    graze_world_destroy(used);
}

// --- Numbers ---

static const uint32_t hard_patterns[] = {
    0,          1,          0x3f800000, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fffffff,
    0x80000000, 0x80000001, 0xbf800000, 0xff7fffff, 0xff800000, 0xff800001, 0xffffffff,
};

enum { PATTERNS = sizeof hard_patterns / sizeof *hard_patterns };

static bool is_number(uint32_t pattern)
{
    return (pattern & 0x7f800000) != 0x7f800000 && pattern != 0x80000000;
}

static void what_is_no_number_is_found_anywhere(void **state)
{
    enum { COUNT = 75 };
    const grz_form *form = grz_section_plans[GRZ_SECTION_POSITIONS].form;
    (void)state;
    for (size_t place = 0; place < (size_t)2 * COUNT; ++place) {
        for (size_t i = 0; i < PATTERNS; ++i) {
            uint32_t words[2 * COUNT] = {0};
            words[place] = hard_patterns[i];
            assert_int_equal(!grz_form_find_wrong(form, words, COUNT), is_number(hard_patterns[i]));
        }
    }
}

// --- Terrain ---

static void edit_terrain(graze_world *world, random_state *random)
{
    const uint32_t count = (uint32_t)grz_list_count(world->terrain.chains);
    if (count && random_below(random, 3) == 0) {
        const uint32_t index = random_below(random, count);
        const graze_chain_id chain = {index, world->terrain.chains[index].generation};
        (void)graze_chain_destroy(world, chain);
        return;
    }
    if (count && random_below(random, 3) == 0) {
        const uint32_t index = random_below(random, count);
        const graze_chain_id chain = {index, world->terrain.chains[index].generation};
        const graze_surface surface = {random_float(random, 0, 2), 0.5f, 0, 1};
        const uint32_t segment =
            random_below(random, 3) ? random_below(random, 4) : GRAZE_ALL_SEGMENTS;
        (void)graze_chain_set_surface(world, chain, segment, surface);
        return;
    }
    graze_vec2 points[5];
    const graze_surface surfaces[5] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, -1}};
    graze_chain_def def = graze_chain_def_default();
    for (uint32_t k = 0; k < 5; ++k) {
        const graze_vec2 point = {random_float(random, -9, 9), random_float(random, -9, 9)};
        points[k] = point;
    }
    def.points = points;
    def.count = 2 + random_below(random, 4);
    def.loop = random_below(random, 2);
    def.one_sided = random_below(random, 2);
    def.user_data = random_below(random, 9);
    def.surfaces = random_below(random, 3) ? NULL : surfaces;
    (void)graze_chain_create(world, &def);
}

static void a_world_takes_on_the_terrain_of_another(void **state)
{
    (void)state;
    random_state random = random_seed(8);
    graze_world *world = kit_world(), *other = kit_world();
    for (uint32_t round = 0; round < 3000; ++round) {
        graze_world *edited = random_below(&random, 4) ? world : other;
        edit_terrain(edited, &random);
        if (random_below(&random, 16) == 0) {
            graze_world *from = random_below(&random, 2) ? world : other;
            size_t size;
            void *bytes = kit_save(from, &size);
            kit_load(from == world ? other : world, bytes, size);
            free(bytes);
            kit_assert_same_bytes(world, other);
        }
    }
    graze_world_destroy(world);
    graze_world_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crowd_of_any_size_is_found_as_it_was),
        cmocka_unit_test(rects_before_rays_are_found_wherever_they_end),
        cmocka_unit_test(what_is_no_number_is_found_anywhere),
        cmocka_unit_test(a_world_takes_on_the_terrain_of_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
