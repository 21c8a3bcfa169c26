#include "step/commit.h"

#include "world_kit.h"

#include "body_defs.h"
#include "random.h"
#include "world/bodies.h"

#include <stdlib.h>

// Some bodies are removed, all others stay as they are. The test compares what a game reads of each
// before and after, and what the world keeps of it.

enum { SEEDS = 40, LARGEST = 9000 };

/// What a game reads of a body.
typedef struct portrait {
    graze_body_id id;
    bool goes;
    graze_vec2 position, velocity;
    float angle, spin;
    graze_shape shape;
    graze_filter filter;
    uint64_t user_data;
} portrait;

static graze_world *make_world(bool parallel)
{
    graze_world_def def = graze_world_def_default();
    def.parallel = parallel ? kit_run_backwards : NULL;
    def.worker_count = parallel ? 2 : 1;
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    world->sleep.least = 1;
    world->sleep.patience = 0;
    return world;
}

static graze_body_def make_body(random_state *random, uint32_t number, uint32_t moving)
{
    graze_body_def def = test_body_def();
    const uint32_t kind = random_below(random, 3);
    def.shape = kind == 0   ? graze_shape_circle(random_float(random, 0, 1))
                : kind == 1 ? graze_shape_rect(1, random_float(random, 1, 2))
                            : graze_shape_ray();
    def.position.x = random_float(random, -500, 500);
    def.position.y = random_float(random, -500, 500);
    if (random_below(random, 100) < moving) {
        def.velocity.x = random_float(random, 1, 2);
        def.spin = random_float(random, 0, 1);
    }
    def.angle = random_float(random, -3, 3);
    def.filter.category = random_below(random, 4) ? 1 : 2;
    def.user_data = number;
    return def;
}

static portrait read_body(const graze_world *world, graze_body_id id)
{
    const portrait seen = {
        .id = id,
        .position = graze_body_position(world, id),
        .velocity = graze_body_velocity(world, id),
        .angle = graze_body_angle(world, id),
        .spin = graze_body_spin(world, id),
        .shape = graze_body_shape(world, id),
        .filter = graze_body_filter(world, id),
        .user_data = graze_body_user_data(world, id),
    };
    return seen;
}

static void assert_same_body(const portrait *one, const portrait *other)
{
    assert_true(one->position.x == other->position.x && one->position.y == other->position.y);
    assert_true(one->velocity.x == other->velocity.x && one->velocity.y == other->velocity.y);
    assert_true(one->angle == other->angle && one->spin == other->spin);
    assert_true(one->shape.kind == other->shape.kind && one->shape.radius == other->shape.radius);
    assert_true(one->shape.half.x == other->shape.half.x);
    assert_true(one->shape.half.y == other->shape.half.y);
    assert_int_equal(one->filter.category, other->filter.category);
    assert_int_equal(one->user_data, other->user_data);
}

static void assert_columns_agree(const graze_world *world)
{
    uint32_t rects = 0, filters = 0;
    for (uint32_t row = 0; row < world->bodies.count; ++row) {
        const uint32_t index = world->bodies.rows.index[row];
        const graze_body_id id = {index, world->bodies.rows.generation[row]};
        assert_int_equal(world->bodies.row_of_index.data[index], row);
        assert_true(graze_body_is_valid(world, id));
        rects += graze_body_shape(world, id).kind == GRAZE_SHAPE_RECT;
        filters += !grz_filter_is_default(graze_body_filter(world, id));
    }
    assert_int_equal(world->bodies.rect_count, rects);
    assert_int_equal(world->bodies.filter_count, filters);
    for (uint32_t word = 0; word < world->bodies.marked.count; ++word) {
        assert_true(world->bodies.marked.data[word] == 0);
    }
}

// Still bodies are where they were: columns may change places without their moving.
static void assert_still_bodies_stand(const graze_world *world)
{
    const grz_rows *rows = &world->bodies.rows;
    for (uint32_t row = world->bodies.active_count; row < world->bodies.count; ++row) {
        assert_memory_equal(&rows->end[row], &rows->position[row], sizeof *rows->end);
        assert_memory_equal(&rows->end_velocity[row], &rows->velocity[row],
                            sizeof *rows->end_velocity);
    }
}

static uint32_t mark_some(graze_world *world, portrait *bodies, uint32_t count, uint32_t percent,
                          random_state *random)
{
    uint32_t marked = 0;
    for (uint32_t i = 0; i < count; ++i) {
        bodies[i] = read_body(world, bodies[i].id);
        const uint32_t row = grz_bodies_find(world, bodies[i].id);
        if (row < world->bodies.active_count && random_below(random, 100) < percent) {
            bodies[i].goes = true;
            ++marked;
            grz_removal_mark(world, row);
            grz_removal_mark(world, row);
        }
    }
    return marked;
}

static void assert_those_went(const graze_world *world, const portrait *bodies, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        const portrait now = read_body(world, bodies[i].id);
        assert_int_equal(graze_body_is_valid(world, bodies[i].id), !bodies[i].goes);
        assert_same_body(&now, &bodies[i]);
    }
}

static void retire_some(uint64_t seed, bool parallel, uint32_t *still_count)
{
    random_state random = random_seed(seed);
    const uint32_t count = 1 + random_below(&random, seed % 4 ? 300 : LARGEST);
    const uint32_t moving = random_below(&random, 2) ? 100 : 10;
    const uint32_t percents[] = {0, 1, 3, 10, 40, 100};
    const uint32_t percent = percents[random_below(&random, 6)];
    graze_world *world = make_world(parallel);
    portrait *bodies = calloc(count, sizeof *bodies);
    assert_non_null(bodies);
    for (uint32_t i = 0; i < count; ++i) {
        const graze_body_def def = make_body(&random, i, moving);
        bodies[i].id = graze_body_create(world, &def);
    }
    assert_int_equal(graze_world_step(world, 0.25f), GRAZE_OK);
    *still_count += world->bodies.count - world->bodies.active_count;
    assert_true(grz_removal_reserve(world, count));
    const uint32_t marked = mark_some(world, bodies, count, percent, &random);
    grz_removal_marked(world);
    assert_int_equal(world->bodies.count, count - marked);
    assert_those_went(world, bodies, count);
    assert_columns_agree(world);
    assert_still_bodies_stand(world);
    assert_int_equal(graze_world_step(world, 0.25f), GRAZE_OK);
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(graze_body_is_valid(world, bodies[i].id), !bodies[i].goes);
        assert_true(!bodies[i].goes || graze_body_user_data(world, bodies[i].id) == 0);
    }
    graze_world_destroy(world);
    free(bodies);
}

static void those_that_are_marked_go_and_no_others(void **state)
{
    (void)state;
    uint32_t still_count = 0;
    for (uint64_t seed = 0; seed < SEEDS; ++seed) {
        print_message("seed %u\n", (unsigned)seed);
        retire_some(seed, seed % 2 != 0, &still_count);
    }
    assert_true(still_count > 0);
}

static void where_some_go_no_more_rows_are_moved(void **state)
{
    (void)state;
    graze_world *world = make_world(false);
    for (uint32_t i = 0; i < 1000; ++i) {
        kit_add(world, kit_circle((float)i, 0, 0.25f));
    }
    assert_true(grz_removal_reserve(world, 1000));
    grz_removal_mark(world, 10);
    grz_removal_mark(world, 999);
    grz_removal_marked(world);
    assert_int_equal(world->bodies.rows.index[10], 998);
    assert_int_equal(world->bodies.rows.index[11], 11);
    assert_int_equal(world->bodies.count, 998);
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_that_are_marked_go_and_no_others),
        cmocka_unit_test(where_some_go_no_more_rows_are_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
