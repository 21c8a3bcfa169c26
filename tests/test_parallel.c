#include "worker_pool.h"
#include "world_kit.h"

#include "random.h"
#include "scene_defs.h"

#include <fenv.h>

// Whatever runs the blocks of a step, and in whatever order: the contacts of every step and the
// state after it are those of a world without a callback.

enum { BODIES = 20000, STEPS = 12 };

/// A way to run tasks: a callback and what it is given.
typedef struct runner {
    graze_parallel_fn *run;
    void *user;
} runner;

static graze_body_id add_body(graze_world *world, const scene_body *from, random_state *random)
{
    graze_body_def body = scene_body_def(from);
    if (from->kind == SCENE_BULLET || random_below(random, 8) == 0) {
        body.response = (graze_response)random_below(random, 4);
        body.hit_limit = random_below(random, 3);
    }
    body.lifetime = random_below(random, 64) == 0 ? 0.1f : 0;
    return graze_body_create(world, &body);
}

static void add_chains(graze_world *world, const scene *from)
{
    for (uint32_t i = 0; i < from->chain_count; ++i) {
        const graze_chain_def chain = scene_chain_def(from, i);
        assert_int_not_equal(graze_chain_create(world, &chain).generation, 0);
    }
}

static graze_world *make_world(const scene *from, const runner *by)
{
    graze_world_def def = graze_world_def_default();
    def.parallel = by->run;
    def.parallel_user = by->user;
    graze_world *world = graze_world_create(&def);
    random_state random = random_seed(7);
    add_chains(world, from);
    for (uint32_t i = 0; i < from->body_count; ++i) {
        assert_int_not_equal(add_body(world, &from->bodies[i], &random).generation, 0);
    }
    return world;
}

static void assert_same_as_alone(const scene *from, const runner *by)
{
    const runner alone = {NULL, NULL};
    graze_world *one = make_world(from, &alone);
    graze_world *other = make_world(from, by);
    for (uint32_t step = 0; step < STEPS; ++step) {
        assert_int_equal(graze_world_step(one, SCENE_STEP), GRAZE_OK);
        assert_int_equal(graze_world_step(other, SCENE_STEP), GRAZE_OK);
        kit_assert_same_reports(one, other);
    }
    assert_true(graze_world_get_stats(one).contact_count > 0);
    graze_world_destroy(one);
    graze_world_destroy(other);
}

static void assert_same_in_all_scenes(const runner *by)
{
    scene scenes[] = {scene_make_gas(1, BODIES), scene_make_gas_mixed(2, BODIES),
                      scene_make_gas_power_sizes(3, BODIES),
                      scene_make_bullet_hell(4, BODIES / 10, BODIES, 2000),
                      scene_make_bullet_hell(5, BODIES, BODIES / 4, 2 * BODIES)};
    for (uint32_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
        assert_same_as_alone(&scenes[i], by);
        scene_free(&scenes[i]);
    }
}

static void the_order_of_the_blocks_does_not_matter(void **state)
{
    (void)state;
    const runner backwards = {kit_run_backwards, NULL};
    assert_same_in_all_scenes(&backwards);
}

// As a thread of the game's may be set, of which the world's own thread knows nothing.
static void run_rounding_up(void (*task)(void *context, uint32_t index), void *context,
                            uint32_t count, void *user)
{
    (void)user;
    const int before = fegetround();
    for (uint32_t index = 0; index < count; ++index) {
        fesetround(FE_UPWARD);
        task(context, index);
        assert_int_equal(fegetround(), FE_UPWARD);
    }
    fesetround(before);
}

static void how_a_thread_rounds_does_not_matter(void **state)
{
    (void)state;
    const runner upward = {run_rounding_up, NULL};
    assert_same_in_all_scenes(&upward);
}

static void assert_same_on_threads(uint32_t count)
{
    worker_pool *pool = worker_pool_create(count);
    assert_non_null(pool);
    const runner threads = {worker_pool_run, pool};
    assert_same_in_all_scenes(&threads);
    worker_pool_destroy(pool);
}

static void two_threads_give_the_bits_of_one(void **state)
{
    (void)state;
    assert_same_on_threads(2);
}

static void three_threads_give_the_bits_of_one(void **state)
{
    (void)state;
    assert_same_on_threads(3);
}

static void eight_threads_give_the_bits_of_one(void **state)
{
    (void)state;
    assert_same_on_threads(8);
}

/// Counts what a callback is asked to do.
typedef struct tally {
    uint32_t calls, tasks;
} tally;

static void run_counted(void (*task)(void *context, uint32_t index), void *context, uint32_t count,
                        void *user)
{
    tally *counted = user;
    counted->calls += 1;
    counted->tasks += count;
    kit_run_backwards(task, context, count, NULL);
}

static void the_callback_gets_the_work_of_a_big_world_and_none_of_a_small_one(void **state)
{
    (void)state;
    tally counted = {0, 0};
    const runner counting = {run_counted, &counted};
    scene small = scene_make_gas(1, 100), big = scene_make_gas(1, BODIES);
    graze_world *world = make_world(&small, &counting);
    assert_int_equal(graze_world_step(world, SCENE_STEP), GRAZE_OK);
    assert_int_equal(counted.calls, 0);
    graze_world_destroy(world);
    world = make_world(&big, &counting);
    assert_int_equal(graze_world_step(world, SCENE_STEP), GRAZE_OK);
    assert_true(counted.calls > 0 && counted.tasks > counted.calls);
    graze_world_destroy(world);
    scene_free(&small);
    scene_free(&big);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_the_blocks_does_not_matter),
        cmocka_unit_test(how_a_thread_rounds_does_not_matter),
        cmocka_unit_test(two_threads_give_the_bits_of_one),
        cmocka_unit_test(three_threads_give_the_bits_of_one),
        cmocka_unit_test(eight_threads_give_the_bits_of_one),
        cmocka_unit_test(the_callback_gets_the_work_of_a_big_world_and_none_of_a_small_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
