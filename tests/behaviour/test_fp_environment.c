#include "world_kit.h"

#include "fp_environment.h"

#include <graze/grid.h>

#include <fenv.h>
#include <string.h>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

// A caller's own rounding mode and flush-to-zero neither change a bit nor get lost.

/// Sets one of the settings that a caller may have. Returns false where there is none such.
typedef bool set_fn(void);

static bool leave_as_it_is(void)
{
    return true;
}

static bool round_up(void)
{
    return fesetround(FE_UPWARD) == 0;
}

static bool round_down(void)
{
    return fesetround(FE_DOWNWARD) == 0;
}

static bool round_towards_zero(void)
{
    return fesetround(FE_TOWARDZERO) == 0;
}

static bool flush_to_zero(void)
{
#if defined(__SSE__)
    _mm_setcsr(_mm_getcsr() | 0x8040);
    return true;
#elif defined(__aarch64__)
    uint64_t control;
    __asm__ __volatile__("mrs %0, fpcr" : "=r"(control));
    __asm__ __volatile__("msr fpcr, %0" : : "r"(control | 1u << 24));
    return true;
#else
    return false;
#endif
}

static bool round_up_and_flush(void)
{
    return round_up() && flush_to_zero();
}

static const struct {
    const char *name;
    set_fn *set;
} settings[] = {
    {"as it is", leave_as_it_is},
    {"up", round_up},
    {"down", round_down},
    {"towards zero", round_towards_zero},
    {"flush to zero", flush_to_zero},
    {"up, flush to zero", round_up_and_flush},
};

enum { SETTING_COUNT = sizeof settings / sizeof *settings, BODIES = 120, STEPS = 30, WORDS = 64 };

static const float tiny = 3e-39f; ///< Half of the smallest normal number.

/// All inputs of a run. They are made before the setting, in plain rounding.
typedef struct run_plan {
    graze_vec2 gravity;
    graze_body_def bodies[BODIES];
    graze_vec2 points[8];
    graze_ray rays[BODIES];
} run_plan;

/// What came out of a run.
typedef struct run_result {
    uint64_t words[WORDS];
    uint32_t count;
} run_result;

static run_plan make_plan(void)
{
    const graze_response responses[] = {GRAZE_PASS, GRAZE_STOP, GRAZE_SLIDE, GRAZE_BOUNCE};
    run_plan plan = {.gravity = {tiny, -3}};
    random_state random = random_seed(11);
    for (uint32_t i = 0; i < BODIES; ++i) {
        graze_body_def *def = &plan.bodies[i];
        float x = random_float(&random, -6, 6);
        float y = random_float(&random, -6, 6);
        float size = random_float(&random, 0.1f, 0.6f);
        *def = i % 3 == 0 ? kit_circle(x, y, size) : kit_rect(x, y, size, 0.3f);
        def->shape = i % 3 == 2 ? graze_shape_ray() : def->shape;
        def->response = responses[i / 3 % 4];
        def->velocity.x = random_float(&random, -9, 9);
        def->velocity.y = i % 5 == 0 ? tiny : random_float(&random, -9, 9);
        def->angle = random_float(&random, -9, 9);
        def->spin = i % 4 == 0 ? tiny : random_float(&random, -2, 2);
        def->restitution = 0.7f;
        def->mass = random_float(&random, 0.5f, 2);
        def->lifetime = i % 7 == 0 ? 0.3f : 0;
        plan.rays[i].origin.x = y;
        plan.rays[i].origin.y = x;
        plan.rays[i].delta = def->velocity;
    }
    for (uint32_t i = 0; i < 8; ++i) {
        plan.points[i].x = random_float(&random, -6, 6);
        plan.points[i].y = i ? random_float(&random, -6, 6) : tiny;
    }
    return plan;
}

static void keep(run_result *result, const void *data, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; ++i) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    assert_true(result->count < WORDS);
    result->words[result->count++] = hash;
}

static void keep_hash(run_result *result, const graze_world *world)
{
    uint64_t hash = graze_world_hash(world);
    keep(result, &hash, sizeof hash);
}

static void set_by_hand(graze_world *world, graze_body_id body)
{
    const graze_vec2 small = {-0.0f, tiny};
    graze_body_set_position(world, body, small);
    graze_body_set_velocity(world, body, small);
    graze_body_set_angle(world, body, 7.1f);
    graze_body_set_spin(world, body, tiny);
}

static void ask(const graze_world *world, const run_plan *plan, run_result *result)
{
    const graze_filter filter = graze_filter_default();
    graze_query_hit hits[BODIES];
    memset(hits, 0, sizeof hits);
    graze_query_ray_many(world, plan->rays, BODIES, filter, hits);
    keep(result, hits, sizeof hits);
    graze_query_ray(world, plan->rays[0], filter, hits);
    graze_query_ray_all(world, plan->rays[1], filter, hits + 1, BODIES - 1);
    keep(result, hits, sizeof hits);
    for (uint32_t i = 0; i < BODIES; ++i) {
        graze_query_cast(world, plan->bodies[i].shape, plan->rays[i].origin, 0.3f,
                         plan->rays[i].delta, filter, &hits[i]);
    }
    keep(result, hits, sizeof hits);
}

// A point lies 3e-39 beside each of these queries: it is met only if that distance is flushed to 0.
static void ask_for_specks(graze_world *world, run_result *result)
{
    const graze_filter filter = graze_filter_default();
    const graze_vec2 place = {50, 0};
    const graze_aabb box = {place, place};
    const graze_ray ray = {{49, 0}, {2, 0}};
    graze_body_def speck = kit_circle(50, tiny, 0);
    graze_body_create(world, &speck);
    const uint32_t counts[] = {
        graze_query_point(world, place, filter, NULL, 0),
        graze_query_box(world, box, filter, NULL, 0),
        graze_query_nearest(world, place, 0, filter, NULL, 0),
        graze_query_ray_all(world, ray, filter, NULL, 0),
    };
    keep(result, counts, sizeof counts);
}

static void run(const run_plan *plan, run_result *result)
{
    graze_world_def def = graze_world_def_default();
    graze_chain_def terrain = graze_chain_def_default();
    def.gravity = plan->gravity;
    terrain.points = plan->points;
    terrain.count = 8;
    terrain.loop = true;
    graze_world *world = graze_world_create(&def);
    graze_chain_create(world, &terrain);
    graze_body_id first = graze_body_create(world, &plan->bodies[0]);
    graze_body_create_many(world, plan->bodies + 1, BODIES - 1, NULL);
    keep_hash(result, world);
    for (uint32_t step = 0; step < STEPS; ++step) {
        graze_world_step(world, 1.0f / 60);
        keep_hash(result, world);
    }
    set_by_hand(world, graze_world_body_at(world, 1));
    keep_hash(result, world);
    graze_world_step(world, tiny);
    keep_hash(result, world);
    graze_body_destroy(world, first);
    ask(world, plan, result);
    ask_for_specks(world, result);
    graze_world_destroy(world);
}

// The settings of the processor: its rounding mode and, where they can be read, all others.
static uint64_t read_setting(void)
{
    uint64_t setting = (uint64_t)fegetround();
#if defined(__SSE__)
    setting = setting << 32 | (_mm_getcsr() & ~0x3Fu);
#endif
    return setting;
}

static void runs_give_the_same_bits_under_every_setting_and_leave_it(void **state)
{
    (void)state;
    fenv_t plain;
    fegetenv(&plain);
    run_plan plan = make_plan();
    run_result results[SETTING_COUNT] = {{{0}, 0}};
    uint64_t before[SETTING_COUNT], after[SETTING_COUNT];
    for (uint32_t i = 0; i < SETTING_COUNT; ++i) {
        bool is_set = settings[i].set();
        before[i] = read_setting();
        run(&plan, &results[i]);
        after[i] = read_setting();
        fesetenv(&plain);
        if (!is_set) {
            results[i] = results[0];
        }
    }
    for (uint32_t i = 0; i < SETTING_COUNT; ++i) {
        for (uint32_t k = 0; k < results[0].count; ++k) {
            if (results[i].words[k] != results[0].words[k]) {
                fail_msg("%s: result %u differs", settings[i].name, (unsigned)k);
            }
        }
        assert_true(before[i] == after[i]);
    }
    assert_true(before[1] != before[0]);
}

static void entering_twice_is_leaving_twice(void **state)
{
    (void)state;
    fenv_t plain;
    fegetenv(&plain);
    round_up_and_flush();
    uint64_t own = read_setting();
    grz_fp_environment outer = grz_fp_enter();
    uint64_t wanted = read_setting();
    grz_fp_environment inner = grz_fp_enter();
    grz_fp_leave(inner);
    uint64_t still = read_setting();
    grz_fp_leave(outer);
    uint64_t end = read_setting();
    fesetenv(&plain);
    assert_true(own != wanted);
    assert_true(still == wanted);
    assert_true(end == own);
}

static bool note_rounding(const graze_world *world, graze_body_id a, graze_body_id b,
                          graze_segment_id segment, void *user)
{
    (void)world;
    (void)a;
    (void)b;
    (void)segment;
    *(int *)user = fegetround();
    return true;
}

static void callbacks_run_rounding_to_nearest(void **state)
{
    (void)state;
    int rounding = -1;
    graze_world_def def = graze_world_def_default();
    def.filter = note_rounding;
    def.filter_user = &rounding;
    graze_world *world = graze_world_create(&def);
    kit_add(world, kit_circle(0, 0, 1));
    kit_add(world, kit_circle(1, 0, 1));
    fenv_t plain;
    fegetenv(&plain);
    const bool is_set = round_up();
    const int own = fegetround();
    kit_step(world, 1);
    const int left = fegetround();
    fesetenv(&plain);
    if (is_set) {
        assert_int_equal(rounding, FE_TONEAREST);
        assert_int_equal(left, own);
    }
    graze_world_destroy(world);
}

enum { SPECKS = 30 };

// With flush-to-zero these small points would be the origin, which lies in another cell.
static void add_specks(graze_world *world, graze_chain_id *chains)
{
    random_state random = random_seed(13);
    for (uint32_t i = 0; i < SPECKS; ++i) {
        graze_vec2 points[3];
        for (uint32_t k = 0; k < 3; ++k) {
            points[k].x = tiny * random_float(&random, -1, 1);
            points[k].y = tiny * random_float(&random, -1, 1);
        }
        graze_chain_def def = graze_chain_def_default();
        def.points = points;
        def.count = 3;
        chains[i] = graze_chain_create(world, &def);
    }
}

static void terrain_destroyed_under_any_setting_is_gone(void **state)
{
    (void)state;
    fenv_t plain;
    fegetenv(&plain);
    for (uint32_t i = 0; i < SETTING_COUNT; ++i) {
        graze_world *world = kit_world();
        graze_chain_id chains[SPECKS];
        add_specks(world, chains);
        const graze_ray ray = {{0, -tiny}, {0, 2 * tiny}};
        assert_int_not_equal(graze_query_ray_all(world, ray, graze_filter_default(), NULL, 0), 0);
        settings[i].set();
        for (uint32_t k = 0; k < SPECKS; ++k) {
            graze_chain_destroy(world, chains[k]);
        }
        fesetenv(&plain);
        if (graze_query_ray_all(world, ray, graze_filter_default(), NULL, 0) != 0) {
            fail_msg("%s: a destroyed chain is still met", settings[i].name);
        }
        graze_world_destroy(world);
    }
}

static uint32_t build_and_collect(set_fn *set, const graze_grid_items *items, graze_pair *pairs,
                                  uint32_t capacity)
{
    fenv_t plain;
    fegetenv(&plain);
    graze_grid *grid;
    assert_int_equal(graze_grid_create(NULL, &grid), GRAZE_OK);
    set();
    graze_status status = graze_grid_build(grid, items);
    fesetenv(&plain);
    assert_int_equal(status, GRAZE_OK);
    graze_grid_cursor cursor = graze_grid_begin_pairs(grid);
    uint32_t count = graze_grid_next_pairs(grid, &cursor, pairs, capacity);
    graze_grid_destroy(grid);
    return count;
}

static void grids_built_under_any_setting_are_the_same(void **state)
{
    (void)state;
    enum { ITEMS = 64, PAIRS = 4096 };
    graze_aabb boxes[ITEMS];
    random_state random = random_seed(12);
    for (uint32_t i = 0; i < ITEMS; ++i) {
        const float size = i % 3 == 0 ? 0 : i % 3 == 1 ? tiny : random_float(&random, 0, 1);
        graze_aabb *box = &boxes[i];
        box->lower.x = (float)(i % 4);
        box->lower.y = i % 5 == 0 ? tiny : random_float(&random, -1, 1);
        box->upper.x = box->lower.x + size;
        box->upper.y = box->lower.y + size;
    }
    const graze_grid_items items = {.boxes = boxes, .count = ITEMS};
    static graze_pair wanted[PAIRS], pairs[PAIRS];
    const uint32_t count = build_and_collect(leave_as_it_is, &items, wanted, PAIRS);
    assert_int_not_equal(count, 0);
    for (uint32_t i = 1; i < SETTING_COUNT; ++i) {
        assert_int_equal(build_and_collect(settings[i].set, &items, pairs, PAIRS), count);
        assert_memory_equal(pairs, wanted, count * sizeof *pairs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callbacks_run_rounding_to_nearest),
        cmocka_unit_test(runs_give_the_same_bits_under_every_setting_and_leave_it),
        cmocka_unit_test(entering_twice_is_leaving_twice),
        cmocka_unit_test(terrain_destroyed_under_any_setting_is_gone),
        cmocka_unit_test(grids_built_under_any_setting_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
