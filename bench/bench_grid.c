// The grid of bodies: nanoseconds a body to build it, and to stream all pairs.
//
// Boxes are swept over a step. They come in the order of the previous build, a step later, as in a
// running world.

#include "bench_memory.h"
#include "bench_shim.h"
#include "bench_suites.h"
#include "scenes.h"

#include <graze/grid.h>

#include <stdio.h>
#include <stdlib.h>

enum { SEED = 1, PAIR_CAPACITY = 4096 };

#define SECONDS 0.2 ///< Rough duration of a repetition.
#define COST    30  ///< Very rough nanoseconds per body.

typedef struct boxes {
    graze_aabb *data;
    uint32_t count;
} boxes;

typedef struct grid_stage {
    const char *name, *size_name;
    scene_make_fn *make;
    uint32_t size;
    bool quick, large;
} grid_stage;

static const grid_stage stages[] = {
    {"gas", "1k", scene_make_gas, 1000, false, false},
    {"gas", "10k", scene_make_gas, 10000, true, false},
    {"gas", "100k", scene_make_gas, 100000, false, false},
    {"gas", "1M", scene_make_gas, 1000000, false, true},
    {"gas-sizes-log", "10k", scene_make_gas_log_sizes, 10000, false, false},
    {"gas-sizes-giants", "10k", scene_make_gas_giants, 10000, false, false},
    {"gas-sizes-power", "10k", scene_make_gas_power_sizes, 10000, false, false},
    {"clusters", "10k", scene_make_clusters, 10000, false, false},
    {"clusters-dense", "10k", scene_make_dense_clusters, 10000, false, false},
    {"debris", "10k", scene_make_debris, 10000, false, false},
    {"heavy-tail", "10k", scene_make_heavy_tail, 10000, false, false},
};

enum { STAGE_COUNT = sizeof stages / sizeof stages[0] };

static boxes allocate_boxes(uint32_t count)
{
    const boxes made = {bench_allocate(count, sizeof *made.data), count};
    return made;
}

static void free_boxes(boxes *made)
{
    free(made->data);
}

static float least(float a, float b)
{
    return a < b ? a : b;
}

static boxes sweep_boxes(const scene *place, float steps)
{
    boxes made = allocate_boxes(place->body_count);
    for (uint32_t i = 0; i < made.count; ++i) {
        const scene_body *body = &place->bodies[i];
        graze_vec2 delta = graze_vec2_scale(body->velocity, SCENE_STEP);
        graze_vec2 start = graze_vec2_add(body->position, graze_vec2_scale(delta, steps));
        graze_vec2 end = graze_vec2_add(start, delta);
        graze_aabb *box = &made.data[i];
        box->lower.x = least(start.x, end.x) - body->half.x;
        box->lower.y = least(start.y, end.y) - body->half.y;
        box->upper.x = -least(-start.x, -end.x) + body->half.x;
        box->upper.y = -least(-start.y, -end.y) + body->half.y;
    }
    return made;
}

static graze_grid_items view_boxes(const boxes *made)
{
    graze_grid_items items = {.boxes = made->data, .count = made->count};
    return items;
}

static boxes sort_boxes(const boxes *from, const uint32_t *order)
{
    boxes sorted = allocate_boxes(from->count);
    for (uint32_t i = 0; i < from->count; ++i) {
        sorted.data[i] = from->data[order[i]];
    }
    return sorted;
}

static void require(graze_status status)
{
    if (status != GRAZE_OK) {
        fprintf(stderr, "graze_bench: grid: %s\n", graze_status_text(status));
        exit(1);
    }
}

/// A grid that was built twice, and the boxes of the second build.
typedef struct built_grid {
    graze_grid *grid;
    boxes sorted;
} built_grid;

static built_grid build_twice(const grid_stage *on)
{
    built_grid built;
    scene place = on->make(SEED, on->size);
    boxes first = sweep_boxes(&place, 0), second = sweep_boxes(&place, 1);
    graze_grid_items items = view_boxes(&first);
    require(graze_grid_create(NULL, &built.grid));
    require(graze_grid_build(built.grid, &items));
    built.sorted = sort_boxes(&second, graze_grid_order(built.grid));
    items = view_boxes(&built.sorted);
    require(graze_grid_build(built.grid, &items));
    free_boxes(&first);
    free_boxes(&second);
    scene_free(&place);
    return built;
}

static void free_built(built_grid *built)
{
    graze_grid_destroy(built->grid);
    free_boxes(&built->sorted);
}

typedef struct stream_counts {
    uint64_t pairs, tested;
} stream_counts;

static stream_counts stream_pairs(const graze_grid *grid, graze_pair *pairs)
{
    stream_counts counts = {0, 0};
    graze_grid_cursor cursor = graze_grid_begin_pairs(grid);
    uint32_t count;
    while ((count = graze_grid_next_pairs(grid, &cursor, pairs, PAIR_CAPACITY)) > 0) {
        counts.pairs += count;
    }
    counts.tested = cursor.tested;
    return counts;
}

typedef struct box_row {
    float min_x, max_x, min_y, max_y;
} box_row;

static int compare_rows(const void *a, const void *b)
{
    float left = ((const box_row *)a)->min_x;
    float right = ((const box_row *)b)->min_x;
    return (left > right) - (left < right);
}

static uint64_t count_overlaps(const box_row *rows, uint32_t count)
{
    uint64_t overlaps = 0;
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t j = i + 1; j < count && rows[j].min_x <= rows[i].max_x; ++j) {
            overlaps += rows[j].min_y <= rows[i].max_y && rows[i].min_y <= rows[j].max_y;
        }
    }
    return overlaps;
}

static uint64_t count_by_brute_force(const boxes *from)
{
    box_row *rows = bench_allocate(from->count, sizeof *rows);
    for (uint32_t i = 0; i < from->count; ++i) {
        const graze_aabb box = from->data[i];
        box_row row = {box.lower.x, box.upper.x, box.lower.y, box.upper.y};
        rows[i] = row;
    }
    qsort(rows, from->count, sizeof *rows, compare_rows);
    uint64_t overlaps = count_overlaps(rows, from->count);
    free(rows);
    return overlaps;
}

static stream_counts check_pairs(bench_state *state, const built_grid *built, graze_pair *pairs)
{
    stream_counts counts = stream_pairs(built->grid, pairs);
    uint64_t expected = count_by_brute_force(&built->sorted);
    if (counts.pairs != expected) {
        char message[80];
        snprintf(message, sizeof message, "%llu pairs, not %llu", (unsigned long long)counts.pairs,
                 (unsigned long long)expected);
        bench_fail(state, message);
    }
    return counts;
}

static void set_counters(bench_state *state, const built_grid *built, stream_counts counts)
{
    double count = built->sorted.count;
    graze_grid_stats stats = graze_grid_get_stats(built->grid);
    bench_set_items(state, count);
    bench_set_counter(state, "pairs", (double)counts.pairs / count);
    bench_set_counter(state, "tested", (double)counts.tested / count);
    bench_set_counter(state, "classes", stats.class_count);
    bench_set_counter(state, "crowding", stats.crowding);
    bench_set_counter(state, "bytes", (double)stats.memory_bytes / count);
}

static void run_build(bench_state *state, const void *argument)
{
    static graze_pair pairs[PAIR_CAPACITY];
    built_grid built = build_twice(argument);
    graze_grid_items items = view_boxes(&built.sorted);
    stream_counts counts = check_pairs(state, &built, pairs);
    while (bench_next(state)) {
        bench_start(state);
        graze_status status = graze_grid_build(built.grid, &items);
        bench_stop(state);
        require(status);
    }
    set_counters(state, &built, counts);
    free_built(&built);
}

static void run_pairs(bench_state *state, const void *argument)
{
    static graze_pair pairs[PAIR_CAPACITY];
    built_grid built = build_twice(argument);
    stream_counts counts = check_pairs(state, &built, pairs);
    while (bench_next(state)) {
        bench_start(state);
        (void)stream_pairs(built.grid, pairs);
        bench_stop(state);
    }
    set_counters(state, &built, counts);
    free_built(&built);
}

static uint32_t choose_round_count(const grid_stage *on)
{
    double rounds = SECONDS * 1e9 / ((double)COST * on->size);
    return rounds < 3 ? 3 : rounds > 1000 ? 1000 : (uint32_t)rounds;
}

static void register_stage(const char *operation, bench_function *function, const grid_stage *on)
{
    char name[80];
    snprintf(name, sizeof name, "broadphase/%s/%s/%s", operation, on->name, on->size_name);
    bench_register(name, function, on, choose_round_count(on));
}

void bench_register_grid(bench_plan plan)
{
    for (uint32_t i = 0; i < STAGE_COUNT; ++i) {
        const grid_stage *on = &stages[i];
        if ((plan.large || !on->large) && (!plan.quick || on->quick)) {
            register_stage("build", run_build, on);
            register_stage("pairs", run_pairs, on);
        }
    }
}
