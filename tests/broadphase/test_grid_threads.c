#include <graze/grid.h>

#include "box_set.h"
#include "grid_sort.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

// However the parts of a build are run, and in any order, the grid is that of a build on one
// thread, to the last place.

enum { CAPACITY = 60000, BUILDS = 8 };

/// Boxes in columns, that move.
typedef struct crowd {
    float x[CAPACITY], y[CAPACITY], half[CAPACITY], speed_x[CAPACITY], speed_y[CAPACITY];
    graze_aabb box[CAPACITY];
    uint8_t quiet[CAPACITY];
    uint32_t count;
} crowd;

static crowd boxes, sorted;
static uint32_t most_tasks;

static void run_backwards(void (*task)(void *context, uint32_t index), void *context,
                          uint32_t count, void *user)
{
    (void)user;
    most_tasks = count > most_tasks ? count : most_tasks;
    while (count-- > 0) {
        task(context, count);
    }
}

static void run_odd_first(void (*task)(void *context, uint32_t index), void *context,
                          uint32_t count, void *user)
{
    (void)user;
    for (uint32_t odd = 1; odd < count; odd += 2) {
        task(context, odd);
    }
    for (uint32_t even = 0; even < count; even += 2) {
        task(context, even);
    }
}

static graze_grid_items view(bool hushed)
{
    const graze_grid_items items = {.boxes = boxes.box,
                                    .kinds = hushed ? boxes.quiet : NULL,
                                    .meets = &box_set_meets,
                                    .count = boxes.count};
    return items;
}

static void place_box(uint32_t i)
{
    boxes.box[i].lower.x = boxes.x[i] - boxes.half[i];
    boxes.box[i].lower.y = boxes.y[i] - boxes.half[i];
    boxes.box[i].upper.x = boxes.x[i] + boxes.half[i];
    boxes.box[i].upper.y = boxes.y[i] + boxes.half[i];
}

static void move_boxes(void)
{
    for (uint32_t i = 0; i < boxes.count; ++i) {
        boxes.x[i] += boxes.speed_x[i];
        boxes.y[i] += boxes.speed_y[i];
        place_box(i);
    }
}

// Puts the boxes in the order of the last build, as callers do that build in every step.
static void sort_boxes(const graze_grid *grid)
{
    const uint32_t *order = graze_grid_order(grid);
    sorted.count = boxes.count;
    for (uint32_t k = 0; k < boxes.count; ++k) {
        const uint32_t i = order[k];
        sorted.x[k] = boxes.x[i];
        sorted.y[k] = boxes.y[i];
        sorted.half[k] = boxes.half[i];
        sorted.speed_x[k] = boxes.speed_x[i];
        sorted.speed_y[k] = boxes.speed_y[i];
        sorted.quiet[k] = boxes.quiet[i];
    }
    boxes = sorted;
}

/// A world: how large, how many of the boxes are big, quiet, and in one crowd.
typedef struct world_kind {
    const char *name;
    uint32_t count;
    float extent, half, speed;
    uint32_t big_in, quiet_in, crowd_in; ///< One in this many; 0: none.
} world_kind;

static bool draws(random_state *random, uint32_t one_in)
{
    return one_in > 0 && random_below(random, one_in) == 0;
}

static void fill_boxes(const world_kind *kind, uint64_t seed)
{
    random_state random = random_seed(seed);
    boxes.count = kind->count;
    for (uint32_t i = 0; i < kind->count; ++i) {
        const float extent = draws(&random, kind->crowd_in) ? kind->half : kind->extent;
        boxes.x[i] = random_float(&random, -extent, extent);
        boxes.y[i] = random_float(&random, -extent, extent);
        boxes.half[i] = kind->half * (draws(&random, kind->big_in) ? 40.0f : 1.0f);
        boxes.speed_x[i] = random_float(&random, -kind->speed, kind->speed);
        boxes.speed_y[i] = random_float(&random, -kind->speed, kind->speed);
        boxes.quiet[i] = draws(&random, kind->quiet_in);
        place_box(i);
    }
}

static void assert_same_classes(const graze_grid *one, const graze_grid *other, const char *what)
{
    for (uint32_t i = 0; i < one->class_count; ++i) {
        const grz_grid_class *a = &one->classes[i], *b = &other->classes[i];
        if (a->count != b->count || a->cells != b->cells || a->stride != b->stride ||
            a->origin != b->origin || a->targets != b->targets || a->x.side != b->x.side ||
            a->y.side != b->y.side || a->x.reach != b->x.reach || a->y.reach != b->y.reach ||
            a->crowding != b->crowding || a->first_least != b->first_least) {
            fail_msg("%s: class %u differs", what, i);
        }
    }
}

// Of quiet items they mean nothing.
static void assert_same_cells(const graze_grid *one, const graze_grid *other)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < one->class_count; ++i) {
        const grz_grid_class *of = &one->classes[i];
        if (!of->quiet) {
            assert_memory_equal(one->cells + first, other->cells + first,
                                of->count * sizeof *one->cells);
        }
        first += of->count;
    }
    assert_int_equal(first, one->count);
}

static void assert_same_grid(const graze_grid *one, const graze_grid *other, const char *what)
{
    const size_t bytes = one->count * sizeof(float);
    assert_int_equal(one->count, other->count);
    assert_int_equal(one->class_count, other->class_count);
    assert_int_equal(one->cell_count, other->cell_count);
    assert_same_classes(one, other, what);
    assert_memory_equal(one->starts, other->starts, (one->cell_count + 1) * sizeof(uint32_t));
    assert_memory_equal(one->order, other->order, bytes);
    assert_same_cells(one, other);
    assert_memory_equal(one->boxes.min_x, other->boxes.min_x, bytes);
    assert_memory_equal(one->boxes.min_y, other->boxes.min_y, bytes);
    assert_memory_equal(one->boxes.max_x, other->boxes.max_x, bytes);
    assert_memory_equal(one->boxes.max_y, other->boxes.max_y, bytes);
    assert_memory_equal(&one->bounds, &other->bounds, sizeof one->bounds);
}

static void check_world(const world_kind *kind, graze_parallel_fn *run)
{
    graze_grid *alone, *shared;
    assert_int_equal(graze_grid_create(NULL, &alone), GRAZE_OK);
    assert_int_equal(graze_grid_create(NULL, &shared), GRAZE_OK);
    fill_boxes(kind, 5);
    for (uint32_t build = 0; build < BUILDS; ++build) {
        const graze_grid_items items = view(kind->quiet_in > 0);
        char what[100];
        snprintf(what, sizeof what, "%s, build %u", kind->name, (unsigned)build);
        assert_int_equal(graze_grid_build(alone, &items), GRAZE_OK);
        assert_int_equal(graze_grid_build_parallel(shared, &items, run, NULL), GRAZE_OK);
        assert_same_grid(alone, shared, what);
        if (build % 3 != 1) {
            sort_boxes(alone);
        }
        move_boxes();
    }
    graze_grid_destroy(alone);
    graze_grid_destroy(shared);
}

static const world_kind kinds[] = {
    {"even", CAPACITY, 500, 0.7f, 1, 0, 0, 0},
    {"just many enough", GRZ_GRID_SHARED_MIN, 300, 0.7f, 1, 0, 0, 0},
    {"one more", GRZ_GRID_SHARED_MIN + 1, 300, 0.7f, 1, 0, 0, 0},
    {"one fewer", GRZ_GRID_SHARED_MIN - 1, 300, 0.7f, 1, 0, 0, 0},
    {"two sizes", 40001, 800, 0.5f, 2, 100, 0, 0},
    {"quiet and loud", 50000, 500, 0.5f, 3, 50, 3, 0},
    {"all quiet", 20000, 500, 0.5f, 3, 50, 1, 0},
    {"fast", 30000, 400, 0.5f, 200, 0, 0, 0},
    {"a crowd", 30000, 4000, 0.5f, 0.1f, 0, 0, 2},
    {"all in one place", 20000, 0.1f, 3, 0.01f, 0, 0, 0},
};

enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

static void builds_in_parts_are_those_on_one_thread(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < KIND_COUNT; ++i) {
        check_world(&kinds[i], run_backwards);
        check_world(&kinds[i], run_odd_first);
    }
}

static void builds_of_many_items_are_cut(void **state)
{
    (void)state;
    most_tasks = 0;
    check_world(&kinds[0], run_backwards);
    assert_in_range(most_tasks, 8, GRZ_GRID_PARTS);
    most_tasks = 0;
    check_world(&kinds[3], run_backwards);
    assert_int_equal(most_tasks, 0);
}

static void a_box_that_is_not_sound_in_any_part_is_refused(void **state)
{
    (void)state;
    graze_grid *grid;
    assert_int_equal(graze_grid_create(NULL, &grid), GRAZE_OK);
    for (uint32_t i = 0; i < CAPACITY; i += CAPACITY / 23) {
        fill_boxes(&kinds[0], 5);
        boxes.box[i].upper.x = boxes.box[i].lower.x - 1;
        const graze_grid_items items = view(false);
        assert_int_equal(graze_grid_build_parallel(grid, &items, run_backwards, NULL),
                         GRAZE_ERROR_ARGUMENT);
    }
    assert_int_equal(graze_grid_count(grid), 0);
    graze_grid_destroy(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(builds_in_parts_are_those_on_one_thread),
        cmocka_unit_test(builds_of_many_items_are_cut),
        cmocka_unit_test(a_box_that_is_not_sound_in_any_part_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
