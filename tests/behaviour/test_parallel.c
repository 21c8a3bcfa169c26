#include "worker_pool.h"
#include "world_kit.h"

#include "random.h"
#include "scene_defs.h"

#include <fenv.h>
#include <stdlib.h>

// However the blocks of a step are run, and in any order, the contacts of every step and the state
// after it are those of a world without a callback.

enum { BODIES = 20000, STEPS = 12 };

/// A way to run tasks: a callback and what it is given.
typedef struct runner {
    const char *name;
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

static graze_world *make_world_of(const graze_world_def *def, const scene *from)
{
    graze_world *world = graze_world_create(def);
    assert_non_null(world);
    random_state random = random_seed(7);
    add_chains(world, from);
    for (uint32_t i = 0; i < from->body_count; ++i) {
        assert_int_not_equal(add_body(world, &from->bodies[i], &random).generation, 0);
    }
    return world;
}

static graze_world *make_world(const scene *from, const runner *by)
{
    graze_world_def def = graze_world_def_default();
    def.parallel = by->run;
    def.parallel_user = by->user;
    return make_world_of(&def, from);
}

// A thread of the game may have such settings, of which the world's own thread knows nothing.
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

enum { RUNNERS = 5 };

// Steps a world without a callback, and beside it one for each way.
static void assert_same_as_alone(const scene *from, const runner *runners)
{
    const runner alone = {"alone", NULL, NULL};
    graze_world *one = make_world(from, &alone);
    graze_world *others[RUNNERS];
    for (uint32_t i = 0; i < RUNNERS; ++i) {
        others[i] = make_world(from, &runners[i]);
    }
    for (uint32_t step = 0; step < STEPS; ++step) {
        kit_step(one, SCENE_STEP);
        for (uint32_t i = 0; i < RUNNERS; ++i) {
            kit_step(others[i], SCENE_STEP);
            const char *difference = kit_find_difference(one, others[i]);
            if (difference) {
                fail_msg("step %u, %s: %s differ", (unsigned)step, runners[i].name, difference);
            }
        }
    }
    assert_true(graze_world_get_stats(one).contact_count > 0);
    graze_world_destroy(one);
    for (uint32_t i = 0; i < RUNNERS; ++i) {
        graze_world_destroy(others[i]);
    }
}

static void assert_same_whatever_runs_them(scene from)
{
    worker_pool *two = worker_pool_create(2);
    worker_pool *three = worker_pool_create(3);
    worker_pool *eight = worker_pool_create(8);
    assert_true(two && three && eight);
    const runner runners[RUNNERS] = {{"backwards", kit_run_backwards, NULL},
                                     {"rounding up", run_rounding_up, NULL},
                                     {"two threads", worker_pool_run, two},
                                     {"three threads", worker_pool_run, three},
                                     {"eight threads", worker_pool_run, eight}};
    assert_same_as_alone(&from, runners);
    worker_pool_destroy(two);
    worker_pool_destroy(three);
    worker_pool_destroy(eight);
    scene_free(&from);
}

static void gas_is_the_same_whatever_runs_its_blocks(void **state)
{
    (void)state;
    assert_same_whatever_runs_them(scene_make_gas(1, BODIES));
}

static void mixed_gas_is_the_same_whatever_runs_its_blocks(void **state)
{
    (void)state;
    assert_same_whatever_runs_them(scene_make_gas_mixed(2, BODIES));
}

static void gas_of_all_sizes_is_the_same_whatever_runs_its_blocks(void **state)
{
    (void)state;
    assert_same_whatever_runs_them(scene_make_gas_power_sizes(3, BODIES));
}

static void many_bullets_are_the_same_whatever_runs_their_blocks(void **state)
{
    (void)state;
    assert_same_whatever_runs_them(scene_make_bullet_hell(4, BODIES / 10, BODIES, 2000));
}

static void many_bullets_that_hit_are_the_same_whatever_runs_their_blocks(void **state)
{
    (void)state;
    assert_same_whatever_runs_them(scene_make_bullets_bodies(10, BODIES / 10, BODIES));
}

static void many_targets_are_the_same_whatever_runs_their_blocks(void **state)
{
    (void)state;
    assert_same_whatever_runs_them(scene_make_bullet_hell(5, BODIES, BODIES / 4, 2 * BODIES));
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
    const runner counting = {"counted", run_counted, &counted};
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

/// Counts the loops of `tasks` tasks.
typedef struct loop_count {
    uint32_t tasks, loops;
} loop_count;

static void run_counting_loops(void (*task)(void *context, uint32_t index), void *context,
                               uint32_t count, void *user)
{
    loop_count *counted = user;
    counted->loops += count == counted->tasks;
    kit_run_backwards(task, context, count, NULL);
}

static void add_bullet(graze_world *world, const scene *place, random_state *random)
{
    const scene_body bullet = scene_new_bullet(place, random);
    graze_body_def body = scene_body_def(&bullet);
    body.response = GRAZE_STOP;
    body.hit_limit = 1;
    body.mass = 1e-6f; // It moves nobody.
    kit_add(world, body);
}

// Pairs of circles are found by the first of the parts, those of bullets by the others, and the
// border between them moves as bullets come and go.
static void once_warm_a_step_finds_its_pairs_once(void **state)
{
    (void)state;
    enum { CIRCLES = 8000, BULLETS = 36000, PARTS = 12, WARM_UP = 1 };
    loop_count counted = {PARTS, 0}; // No other loop has as many tasks.
    scene place = scene_make_bullets_bodies(8, CIRCLES, 0);
    const runner counting = {"counting loops", run_counting_loops, &counted};
    graze_world *world = make_world(&place, &counting);
    random_state random = random_seed(9);
    for (uint32_t step = 0; step < 9; ++step) {
        while (graze_world_get_stats(world).body_count < CIRCLES + BULLETS) {
            add_bullet(world, &place, &random);
        }
        counted.loops = 0;
        kit_step(world, SCENE_STEP);
        assert_true(counted.loops == 1 || (counted.loops > 0 && step < WARM_UP));
    }
    graze_world_destroy(world);
    scene_free(&place);
}

/// What a game's callbacks are asked, and whether by a task.
typedef struct listener {
    bool in_task;
    uint32_t allocations, lines, questions;
} listener;

static void run_heard(void (*task)(void *context, uint32_t index), void *context, uint32_t count,
                      void *user)
{
    listener *heard = user;
    assert_false(heard->in_task);
    heard->in_task = true;
    kit_run_backwards(task, context, count, NULL);
    heard->in_task = false;
}

static void *allocate_heard(size_t size, size_t alignment, void *user)
{
    listener *heard = user;
    assert_false(heard->in_task);
    heard->allocations += 1;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release_heard(void *memory, size_t size, void *user)
{
    const listener *heard = user;
    (void)size;
    assert_false(heard->in_task);
    free(memory);
}

static void hear_line(graze_status status, const char *message, void *user)
{
    listener *heard = user;
    (void)status, (void)message;
    assert_false(heard->in_task);
    heard->lines += 1;
}

static bool hear_question(const graze_world *world, graze_body_id a, graze_body_id b,
                          graze_segment_id segment, void *user)
{
    listener *heard = user;
    (void)world, (void)a, (void)b, (void)segment;
    assert_false(heard->in_task);
    heard->questions += 1;
    return true;
}

// One body in each step would leave the range of float, so that there is something to log.
static void a_task_asks_nothing_of_the_games_callbacks(void **state)
{
    (void)state;
    scene crowd = scene_make_bullet_hell(6, BODIES, BODIES / 4, 2000);
    for (int has_filter = 0; has_filter < 2; ++has_filter) {
        listener heard = {false, 0, 0, 0};
        graze_world_def def = graze_world_def_default();
        def.parallel = run_heard;
        def.allocator = (graze_allocator){allocate_heard, release_heard, &heard};
        def.log = hear_line;
        def.filter = has_filter ? hear_question : NULL;
        def.parallel_user = def.log_user = def.filter_user = &heard;
        graze_world *world = make_world_of(&def, &crowd);
        kit_add(world, kit_moving(kit_circle(3.3e38f, 0, 1), 3e38f, 0, GRAZE_PASS));
        const uint32_t before = heard.allocations;
        for (uint32_t step = 0; step < 3; ++step) {
            graze_body_set_velocity(world, graze_world_body_at(world, crowd.body_count),
                                    (graze_vec2){3e38f, 0});
            kit_step(world, 0.1f);
        }
        assert_true(heard.allocations > before && heard.lines > 0);
        assert_true((heard.questions > 0) == has_filter);
        graze_world_destroy(world);
    }
    scene_free(&crowd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gas_is_the_same_whatever_runs_its_blocks),
        cmocka_unit_test(mixed_gas_is_the_same_whatever_runs_its_blocks),
        cmocka_unit_test(gas_of_all_sizes_is_the_same_whatever_runs_its_blocks),
        cmocka_unit_test(many_bullets_are_the_same_whatever_runs_their_blocks),
        cmocka_unit_test(many_bullets_that_hit_are_the_same_whatever_runs_their_blocks),
        cmocka_unit_test(many_targets_are_the_same_whatever_runs_their_blocks),
        cmocka_unit_test(the_callback_gets_the_work_of_a_big_world_and_none_of_a_small_one),
        cmocka_unit_test(once_warm_a_step_finds_its_pairs_once),
        cmocka_unit_test(a_task_asks_nothing_of_the_games_callbacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
