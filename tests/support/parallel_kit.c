#include "parallel_kit.h"

#include "worker_pool.h"

#include "random.h"
#include "scene_defs.h"

#include <fenv.h>

enum { STEPS = 12, RUNNERS = 5 };

// The first ways have one thread, in which ThreadSanitizer has nothing to see.
#if defined(__SANITIZE_THREAD__)
enum { FIRST_RUNNER = 2 };
#else
enum { FIRST_RUNNER = 0 };
#endif

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

graze_world *parallel_make_world_of(const graze_world_def *def, const scene *from)
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

graze_world *parallel_make_world(const scene *from, const parallel_runner *by)
{
    graze_world_def def = graze_world_def_default();
    def.parallel = by->run;
    def.parallel_user = by->user;
    return parallel_make_world_of(&def, from);
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

// Steps a world without a callback, and beside it one for each way.
static void assert_same_as_alone(const scene *from, const parallel_runner *runners)
{
    const parallel_runner alone = {"alone", NULL, NULL};
    graze_world *one = parallel_make_world(from, &alone);
    graze_world *others[RUNNERS];
    for (uint32_t i = FIRST_RUNNER; i < RUNNERS; ++i) {
        others[i] = parallel_make_world(from, &runners[i]);
    }
    for (uint32_t step = 0; step < STEPS; ++step) {
        kit_step(one, SCENE_STEP);
        for (uint32_t i = FIRST_RUNNER; i < RUNNERS; ++i) {
            kit_step(others[i], SCENE_STEP);
            const char *difference = kit_find_difference(one, others[i]);
            if (difference) {
                fail_msg("step %u, %s: %s differ", (unsigned)step, runners[i].name, difference);
            }
        }
    }
    assert_true(graze_world_get_stats(one).contact_count > 0);
    graze_world_destroy(one);
    for (uint32_t i = FIRST_RUNNER; i < RUNNERS; ++i) {
        graze_world_destroy(others[i]);
    }
}

void parallel_assert_same(scene from)
{
    worker_pool *two = worker_pool_create(2);
    worker_pool *three = worker_pool_create(3);
    worker_pool *eight = worker_pool_create(8);
    assert_true(two && three && eight);
    const parallel_runner runners[RUNNERS] = {{"backwards", kit_run_backwards, NULL},
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
