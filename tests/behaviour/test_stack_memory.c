#include "scene_defs.h"
#include "world_kit.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// How much stack the calls on a world use, which world.h promises: they run on a thread whose stack
// was filled with a pattern before.

enum {
    PROMISED = 96 * 1024,
    STACK_SIZE = 1 << 20,
    PATTERN = 0xA5,
    RAYS = 1000,
    STEPS = 30,
};

/// What the thread works with; it has nothing large on its own stack.
typedef struct job {
    graze_world *world, *other;
    void *snapshot;
    size_t size;
    graze_ray rays[RAYS];
    graze_query_hit hits[RAYS];
    bool failed;
} job;

static graze_body_def body_of_scene(const scene_body *body, uint32_t number)
{
    const graze_response responses[] = {GRAZE_PASS, GRAZE_STOP, GRAZE_SLIDE, GRAZE_BOUNCE};
    graze_body_def def = scene_body_def(body);
    def.response = responses[number % 4];
    def.hit_limit = number % 7 == 0 ? 2 : 0;
    def.lifetime = number % 11 == 0 ? 0.4f : 0;
    def.user_data = number;
    return def;
}

// Movers and bullets of all responses among walls, half of them in heaps: so each loop has work.
static graze_world *make_world(void)
{
    graze_world_def def = graze_world_def_default();
    def.gravity.y = -4;
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    scene place = scene_make_bullet_hell(1, 3000, 9000, 3000);
    for (uint32_t i = 0; i < place.chain_count; ++i) {
        graze_chain_def chain = scene_chain_def(&place, i);
        assert_true(graze_chain_is_valid(world, graze_chain_create(world, &chain)));
    }
    for (uint32_t i = 0; i < place.body_count; ++i) {
        graze_body_def body = body_of_scene(&place.bodies[i], i);
        body.position = graze_vec2_scale(body.position, i % 2 ? 1.0f : 0.3f);
        kit_add(world, body);
    }
    scene_free(&place);
    return world;
}

static void *use_no_world(void *argument)
{
    return argument;
}

static void *use_world(void *argument)
{
    job *own = argument;
    const graze_filter all = graze_filter_default();
    for (int step = 0; step < STEPS; ++step) {
        own->failed |= graze_world_step(own->world, SCENE_STEP) != GRAZE_OK;
    }
    own->failed |= graze_world_save(own->world, own->snapshot, own->size) != GRAZE_OK;
    own->failed |= graze_world_load(own->other, own->snapshot, own->size) != GRAZE_OK;
    own->failed |= graze_world_sort(own->other) != GRAZE_OK;
    own->failed |= graze_world_hash(own->other) != graze_world_hash(own->world);
    own->failed |= graze_query_ray_many(own->world, own->rays, RAYS, all, own->hits) != GRAZE_OK;
    for (int i = 0; i < RAYS; i += 50) {
        graze_query_ray_all(own->world, own->rays[i], all, own->hits, RAYS);
        own->failed |= graze_query_cast(own->world, graze_shape_rect(1, 2), own->rays[i].origin, 1,
                                        own->rays[i].delta, all, own->hits) != GRAZE_OK;
    }
    return NULL;
}

// Returns how many bytes of a thread's stack, which grows downwards, have changed.
static size_t measure(void *(*run)(void *), void *argument)
{
    unsigned char *stack = aligned_alloc(4096, STACK_SIZE);
    assert_non_null(stack);
    memset(stack, PATTERN, STACK_SIZE);
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, STACK_SIZE), 0);
    assert_int_equal(pthread_create(&thread, &attributes, run, argument), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    size_t untouched = 0;
    while (untouched < STACK_SIZE && stack[untouched] == PATTERN) {
        ++untouched;
    }
    free(stack);
    return STACK_SIZE - untouched;
}

static void calls_use_no_more_stack_than_promised(void **state)
{
    (void)state;
    job *all = calloc(1, sizeof *all);
    assert_non_null(all);
    random_state random = random_seed(1);
    for (int i = 0; i < RAYS; ++i) {
        const graze_ray ray = {{random_float(&random, -100, 100), random_float(&random, -100, 100)},
                               {random_float(&random, -50, 50), random_float(&random, -50, 50)}};
        all->rays[i] = ray;
    }
    all->world = make_world();
    all->other = kit_world();
    all->size = 4 * graze_world_snapshot_size(all->world);
    all->snapshot = malloc(all->size);
    assert_non_null(all->snapshot);
    const size_t own = measure(use_no_world, NULL);
    const size_t used = measure(use_world, all) - own;
    assert_false(all->failed);
    if (used > PROMISED) {
        fail_msg("%u bytes of stack, %u are promised", (unsigned)used, (unsigned)PROMISED);
    }
    assert_true(used > PROMISED / 4); // Or nothing was measured.
    graze_world_destroy(all->world);
    graze_world_destroy(all->other);
    free(all->snapshot);
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_use_no_more_stack_than_promised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
