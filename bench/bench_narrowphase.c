// The kernels: nanoseconds a pair, half of the pairs hits.
//
// Pairs are random: half of them hits and half misses, as decided by the judge (hull.h) with a
// margin that leaves no doubt. A kernel that counts another number of hits fails.

#include "bench_memory.h"
#include "bench_shim.h"
#include "bench_suites.h"
#include "kernels.h"
#include "peer_kernels.h"

#include <graze/graze.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PASSES = 25, ///< Over all pairs, between two readings of the clock, which take as long as some
                 ///< thousands of boxes.
    ROUNDS = 4,  ///< Of passes, a repetition.
    PEER_ROUNDS = 1,
    CALL = 1024 ///< Pairs per call of a batch kernel: its results stay cached.
};

static const peer_kernel *const peers[] = {
#ifdef GRAZE_BENCH_CHIPMUNK
    chipmunk_kernels,
#endif
#ifdef GRAZE_BENCH_BOX2D
    box2d_kernels,
#endif
    NULL,
};

typedef struct pairs {
    char *first, *second;
    uint32_t hits;
} pairs;

static void draw_pair(const kernel *which, random_state *random, bool hit, void *a, void *b)
{
    for (;;) {
        which->first->draw(random, a);
        which->second->draw(random, b);
        double gap = kernel_gap(which, a, b);
        if (fabs(gap) > KERNEL_DOUBT && (gap < 0) == hit) {
            return;
        }
    }
}

static pairs draw_pairs(const kernel *which)
{
    random_state random = random_seed(1);
    pairs drawn = {bench_allocate(KERNEL_PAIRS, which->first->size),
                   bench_allocate(KERNEL_PAIRS, which->second->size), 0};
    for (uint32_t i = 0; i < KERNEL_PAIRS; ++i) {
        bool hit = random_bits(&random) & 1;
        draw_pair(which, &random, hit, drawn.first + i * which->first->size,
                  drawn.second + i * which->second->size);
        drawn.hits += hit;
    }
    return drawn;
}

static void free_pairs(pairs *drawn)
{
    free(drawn->first);
    free(drawn->second);
}

static void check_hits(bench_state *state, uint32_t hits, const pairs *drawn)
{
    if (hits != drawn->hits) {
        char message[80];
        snprintf(message, sizeof message, "%u hits, not %u", hits, drawn->hits);
        bench_fail(state, message);
    }
}

static void set_counters(bench_state *state, const pairs *drawn)
{
    bench_set_items(state, KERNEL_PAIRS * PASSES);
    bench_set_counter(state, "hits", (double)drawn->hits / KERNEL_PAIRS);
}

static void run_kernel(bench_state *state, const void *argument)
{
    const kernel *which = argument;
    pairs drawn = draw_pairs(which);
    check_hits(state, which->run(drawn.first, drawn.second), &drawn);
    while (bench_next(state)) {
        bench_start(state);
        for (int i = 0; i < PASSES; ++i) {
            (void)which->run(drawn.first, drawn.second);
        }
        bench_stop(state);
    }
    set_counters(state, &drawn);
    free_pairs(&drawn);
}

static void run_peer(bench_state *state, const void *argument)
{
    const peer_kernel *which = argument;
    pairs drawn = draw_pairs(kernel_named(which->name));
    void *prepared = which->prepare(drawn.first, drawn.second, KERNEL_PAIRS);
    check_hits(state, which->run(prepared), &drawn);
    while (bench_next(state)) {
        bench_start(state);
        for (int i = 0; i < PASSES; ++i) {
            (void)which->run(prepared);
        }
        bench_stop(state);
    }
    set_counters(state, &drawn);
    which->release(prepared);
    free_pairs(&drawn);
}

/// A batch kernel's arrays: its pairs, its results, and for moving circles circles and deltas
/// apart.
typedef struct batch {
    const void *first, *second;
    graze_circle *movers;
    graze_vec2 *deltas;
    void *answers;
} batch;

/// Tests CALL pairs of arrays from `from` on: all at once, or each by the single kernel, storing
/// results. The pairs are those of the kernel that only counts hits.
typedef struct batch_kernel {
    const char *name, *single;
    uint32_t (*run)(const batch *arrays, uint32_t from);
} batch_kernel;

/// Name, types of a, b and the result, and whether that is a hit.
#define BATCHES(X)                                                                                 \
    X(overlap_aabbs, graze_aabb, graze_aabb, bool, *answer)                                        \
    X(overlap_circles, graze_circle, graze_circle, bool, *answer)                                  \
    X(collide_circles, graze_circle, graze_circle, graze_manifold, answer->count > 0)              \
    X(collide_circle_segment, graze_circle, graze_segment, graze_manifold, answer->count > 0)      \
    X(collide_circle_rect, graze_circle, graze_rect, graze_manifold, answer->count > 0)            \
    X(collide_rects, graze_rect, graze_rect, graze_manifold, answer->count > 0)                    \
    X(cast_ray_segment, graze_ray, graze_segment, graze_hit, answer->hit)                          \
    X(cast_ray_circle, graze_ray, graze_circle, graze_hit, answer->hit)

#define DEFINE_BATCH(name, first_type, second_type, answer_type, is_hit)                           \
    static uint32_t run_##name##_many(const batch *arrays, uint32_t from)                          \
    {                                                                                              \
        const first_type *first = arrays->first;                                                   \
        const second_type *second = arrays->second;                                                \
        return graze_##name##_many(first + from, second + from, CALL, arrays->answers);            \
    }                                                                                              \
                                                                                                   \
    static uint32_t run_##name##_each(const batch *arrays, uint32_t from)                          \
    {                                                                                              \
        const first_type *first = (const first_type *)arrays->first + from;                        \
        const second_type *second = (const second_type *)arrays->second + from;                    \
        answer_type *answer = arrays->answers;                                                     \
        uint32_t hits = 0;                                                                         \
        for (uint32_t i = 0; i < CALL; ++i, ++answer) {                                            \
            *answer = graze_##name(first[i], second[i]);                                           \
            hits += (is_hit);                                                                      \
        }                                                                                          \
        return hits;                                                                               \
    }
BATCHES(DEFINE_BATCH)

static uint32_t run_cast_circle_circle_many(const batch *arrays, uint32_t from)
{
    return graze_cast_circle_circle_many(arrays->movers + from, arrays->deltas + from,
                                         (const graze_circle *)arrays->second + from, CALL,
                                         arrays->answers);
}

static uint32_t run_cast_circle_circle_each(const batch *arrays, uint32_t from)
{
    const graze_circle *targets = arrays->second;
    graze_hit *answers = arrays->answers;
    uint32_t hits = 0;
    for (uint32_t i = 0; i < CALL; ++i) {
        answers[i] = graze_cast_circle_circle(arrays->movers[from + i], arrays->deltas[from + i],
                                              targets[from + i]);
        hits += answers[i].hit;
    }
    return hits;
}

#define DEFINE_BATCH_ENTRY(name, first_type, second_type, answer_type, is_hit)                     \
    {#name "_many", #name, run_##name##_many}, {#name "_each", #name, run_##name##_each},
static const batch_kernel batches[] = {
    BATCHES(DEFINE_BATCH_ENTRY){"cast_circle_circle_many", "cast_circle_circle",
                                run_cast_circle_circle_many},
    {"cast_circle_circle_each", "cast_circle_circle", run_cast_circle_circle_each},
};

enum { BATCH_COUNT = sizeof batches / sizeof batches[0] };

static batch make_batch(const kernel *which, const pairs *drawn)
{
    batch made = {drawn->first, drawn->second, bench_allocate(KERNEL_PAIRS, sizeof(graze_circle)),
                  bench_allocate(KERNEL_PAIRS, sizeof(graze_vec2)),
                  bench_allocate(CALL, sizeof(graze_manifold))};
    if (which->first == &operand_moving_circle) {
        const moving_circle *moving = made.first;
        for (uint32_t i = 0; i < KERNEL_PAIRS; ++i) {
            made.movers[i] = moving[i].circle;
            made.deltas[i] = moving[i].delta;
        }
    }
    return made;
}

static void free_batch(batch *made)
{
    free(made->movers);
    free(made->deltas);
    free(made->answers);
}

static uint32_t run_calls(const batch_kernel *which, const batch *arrays)
{
    uint32_t hits = 0;
    for (uint32_t from = 0; from < KERNEL_PAIRS; from += CALL) {
        hits += which->run(arrays, from);
    }
    return hits;
}

static void run_batch(bench_state *state, const void *argument)
{
    const batch_kernel *which = argument;
    const kernel *single = kernel_named(which->single);
    pairs drawn = draw_pairs(single);
    batch arrays = make_batch(single, &drawn);
    check_hits(state, run_calls(which, &arrays), &drawn);
    while (bench_next(state)) {
        bench_start(state);
        for (int i = 0; i < PASSES; ++i) {
            (void)run_calls(which, &arrays);
        }
        bench_stop(state);
    }
    set_counters(state, &drawn);
    free_batch(&arrays);
    free_pairs(&drawn);
}

static bool is_quick(const char *name)
{
    static const char *const quick[] = {
        "collide_circles",  "collide_circle_rect", "collide_rects", "collide_circle_segment",
        "cast_ray_segment", "cast_ray_circle",     "sweep_circles"};
    for (uint32_t i = 0; i < sizeof quick / sizeof quick[0]; ++i) {
        if (strcmp(name, quick[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void register_kernel(const char *module, const char *name, bench_function *function,
                            const void *argument, uint32_t rounds)
{
    char full[80];
    snprintf(full, sizeof full, "%s/%s/half-hits/16k", module, name);
    bench_register(full, function, argument, rounds);
}

static void register_peer(const peer_kernel *peer)
{
    for (uint32_t i = 0; i < PEER_KERNEL_COUNT; ++i) {
        register_kernel(peer[i].module, peer[i].name, run_peer, &peer[i], PEER_ROUNDS);
    }
}

void bench_register_narrowphase(bench_plan plan)
{
    for (uint32_t i = 0; i < kernel_count; ++i) {
        if (!plan.quick || is_quick(kernels[i].name)) {
            register_kernel("narrowphase", kernels[i].name, run_kernel, &kernels[i], ROUNDS);
        }
    }
    for (uint32_t i = 0; i < BATCH_COUNT; ++i) {
        if (!plan.quick || is_quick(batches[i].single)) {
            register_kernel("narrowphase", batches[i].name, run_batch, &batches[i], ROUNDS);
        }
    }
    for (uint32_t i = 0; peers[i]; ++i) {
        register_peer(peers[i]);
    }
}
