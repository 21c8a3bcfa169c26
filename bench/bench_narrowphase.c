// The kernels: nanoseconds a pair, half of the pairs hits.
//
// Pairs are drawn at random so that the judge (hull.h) calls each a hit or a miss as a coin says,
// by a margin that leaves no doubt; a kernel that counts another number of hits fails.

#include "bench_memory.h"
#include "bench_shim.h"
#include "bench_suites.h"
#include "hull.h"
#include "operands.h"
#include "peer_kernels.h"

#include <graze/graze.h>
#include <graze/sweep.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAIRS = 16384, ///< More than a branch predictor learns by heart.
    PASSES = 25,   ///< Over all pairs, between two looks at the clock, which takes as long as some
                   ///< thousands of boxes.
    ROUNDS = 4,    ///< Of passes, a repetition.
    PEER_ROUNDS = 1,
    CALL = 1024 ///< Pairs a call of a batch kernel: its answers stay near while they are used.
};

#define DOUBT 0.025 ///< Pairs whose gap is nearer to 0 are not used: Box2D's rects have skins.

/// A kernel with all its pairs: returns how many of them are hits.
typedef uint32_t run_pairs(const void *first, const void *second);

typedef struct kernel {
    const char *name;
    const operand *first, *second;
    run_pairs *run;
    /// At most 0 for a hit; null: the gap between the outlines.
    double (*gap)(const void *a, const void *b);
} kernel;

static graze_vec2d subtract_widened(graze_vec2 a, graze_vec2 b)
{
    graze_vec2d difference = {(double)a.x - (double)b.x, (double)a.y - (double)b.y};
    return difference;
}

static graze_vec2d widen(graze_vec2 v)
{
    graze_vec2d wide = {(double)v.x, (double)v.y};
    return wide;
}

/// A ray's end as float, as casts take it.
static graze_vec2 end_of(graze_ray ray)
{
    return graze_vec2_add(ray.origin, ray.delta);
}

static double cross(graze_vec2d a, graze_vec2d b)
{
    return a.x * b.y - a.y * b.x;
}

/// Left of the segment is a hit.
static double gap_of_side(const void *a, const void *b)
{
    const graze_segment *segment = a;
    const graze_vec2 *point = b;
    return -cross(subtract_widened(segment->b, segment->a), subtract_widened(*point, segment->a));
}

/// Behind the first line's point a, where along_a > 0, is a hit.
static double gap_of_line_crossing(const void *a, const void *b)
{
    const graze_line *one = a;
    const graze_line *other = b;
    graze_vec2d one_side = subtract_widened(one->b, one->a);
    graze_vec2d other_side = subtract_widened(other->b, other->a);
    double sine = cross(one_side, other_side);
    double along = cross(subtract_widened(other->a, one->a), other_side) / sine;
    return fabs(sine) < 0.05 ? 0.0 : -along;
}

/// Some point of the segment is nearer than the radius, and some end is not.
static double gap_of_circumference(const void *a, const void *b)
{
    const graze_segment *segment = a;
    const graze_circle *circle = b;
    hull outline = hull_of_segment(*segment);
    hull disc = hull_of_circle(*circle);
    graze_vec2d to_a = subtract_widened(segment->a, circle->center);
    graze_vec2d to_b = subtract_widened(segment->b, circle->center);
    double farthest =
        sqrt(fmax(to_a.x * to_a.x + to_a.y * to_a.y, to_b.x * to_b.x + to_b.y * to_b.y));
    return fmax(hull_gap(&outline, &disc), (double)circle->radius - farthest);
}

/// A ray that begins inside is a hit for some and none for others: not used.
static double gap_of_circle_cast(const void *a, const void *b)
{
    hull way = operand_graze_ray.outline(a);
    hull start = hull_of_point(((const graze_ray *)a)->origin);
    hull disc = hull_of_circle(*(const graze_circle *)b);
    return hull_gap(&start, &disc) < DOUBT ? 0.0 : hull_gap(&way, &disc);
}

static bool sweep_circles(const moving_circle *a, const graze_circle *b)
{
    graze_vec2d start = subtract_widened(a->circle.center, b->center);
    return graze_sweep_circles(start, widen(a->delta), (double)a->circle.radius, (double)b->radius)
        .hit;
}

static bool sweep_circle_rect(const moving_circle *a, const graze_rect *b)
{
    graze_vec2d start = subtract_widened(a->circle.center, b->center);
    double radius = (double)a->circle.radius;
    return graze_sweep_circle_rect(start, widen(a->delta), radius, b->half, b->rotation).hit;
}

static bool sweep_rects(const moving_rect *a, const graze_rect *b)
{
    graze_vec2d start = subtract_widened(a->rect.center, b->center);
    return graze_sweep_rects(start, widen(a->delta), a->rect.half, a->rect.rotation, b->half,
                             b->rotation)
        .hit;
}

static bool sweep_circle_segment(const moving_circle *a, const graze_segment *b)
{
    double radius = (double)a->circle.radius;
    return graze_sweep_circle_segment(widen(a->circle.center), widen(a->delta), radius, *b).hit;
}

static bool sweep_rect_segment(const moving_rect *a, const graze_segment *b)
{
    return graze_sweep_rect_segment(widen(a->rect.center), widen(a->delta), a->rect.half,
                                    a->rect.rotation, *b)
        .hit;
}

/// All kernels: name, types of a and b, gap (null: that of their outlines), whether a pair is a
/// hit.
#define KERNELS(X)                                                                                 \
    X(orient, graze_segment, graze_vec2, gap_of_side, graze_orient(a->a, a->b, *b) > 0)            \
    X(crosses, graze_ray, graze_segment, NULL, graze_crosses(a->origin, end_of(*a), *b))           \
    X(overlap_point_circle, graze_vec2, graze_circle, NULL, graze_overlap_point_circle(*a, *b))    \
    X(overlap_point_rect, graze_vec2, graze_rect, NULL, graze_overlap_point_rect(*a, *b))          \
    X(overlap_point_polygon, graze_vec2, graze_polygon, NULL, graze_overlap_point_polygon(*a, b))  \
    X(overlap_aabbs, graze_aabb, graze_aabb, NULL, graze_overlap_aabbs(*a, *b))                    \
    X(overlap_circles, graze_circle, graze_circle, NULL, graze_overlap_circles(*a, *b))            \
    X(overlap_circle_line, graze_circle, graze_line, NULL, graze_overlap_circle_line(*a, *b))      \
    X(overlap_circle_segment, graze_circle, graze_segment, NULL,                                   \
      graze_overlap_circle_segment(*a, *b))                                                        \
    X(overlap_circle_rect, graze_circle, graze_rect, NULL, graze_overlap_circle_rect(*a, *b))      \
    X(overlap_circle_polygon, graze_circle, graze_polygon, NULL,                                   \
      graze_overlap_circle_polygon(*a, b))                                                         \
    X(overlap_rects, graze_rect, graze_rect, NULL, graze_overlap_rects(*a, *b))                    \
    X(overlap_rect_segment, graze_rect, graze_segment, NULL, graze_overlap_rect_segment(*a, *b))   \
    X(overlap_segments, graze_segment, graze_segment, NULL, graze_overlap_segments(*a, *b))        \
    X(overlap_polygons, graze_polygon, graze_polygon, NULL, graze_overlap_polygons(a, b))          \
    X(overlap_polygon_segment, graze_polygon, graze_segment, NULL,                                 \
      graze_overlap_polygon_segment(a, *b))                                                        \
    X(cross_lines, graze_line, graze_line, gap_of_line_crossing,                                   \
      graze_cross_lines(*a, *b).along_a[0] > 0)                                                    \
    X(cross_segments, graze_segment, graze_segment, NULL, graze_cross_segments(*a, *b).count > 0)  \
    X(cross_segment_circle, graze_segment, graze_circle, gap_of_circumference,                     \
      graze_cross_segment_circle(*a, *b).count > 0)                                                \
    X(collide_circles, graze_circle, graze_circle, NULL, graze_collide_circles(*a, *b).count > 0)  \
    X(collide_circle_segment, graze_circle, graze_segment, NULL,                                   \
      graze_collide_circle_segment(*a, *b).count > 0)                                              \
    X(collide_circle_rect, graze_circle, graze_rect, NULL,                                         \
      graze_collide_circle_rect(*a, *b).count > 0)                                                 \
    X(collide_rects, graze_rect, graze_rect, NULL, graze_collide_rects(*a, *b).count > 0)          \
    X(collide_rect_segment, graze_rect, graze_segment, NULL,                                       \
      graze_collide_rect_segment(*a, *b).count > 0)                                                \
    X(cast_ray_line, graze_ray, graze_line, NULL, graze_cast_ray_line(*a, *b).hit)                 \
    X(cast_ray_segment, graze_ray, graze_segment, NULL, graze_cast_ray_segment(*a, *b).hit)        \
    X(cast_ray_circle, graze_ray, graze_circle, gap_of_circle_cast,                                \
      graze_cast_ray_circle(*a, *b).hit)                                                           \
    X(cast_ray_rect, graze_ray, graze_rect, NULL, graze_cast_ray_rect(*a, *b).hit)                 \
    X(cast_ray_polygon, graze_ray, graze_polygon, NULL, graze_cast_ray_polygon(*a, b).hit)         \
    X(cast_circle_segment, moving_circle, graze_segment, NULL,                                     \
      graze_cast_circle_segment(a->circle, a->delta, *b).hit)                                      \
    X(cast_circle_circle, moving_circle, graze_circle, NULL,                                       \
      graze_cast_circle_circle(a->circle, a->delta, *b).hit)                                       \
    X(cast_circle_rect, moving_circle, graze_rect, NULL,                                           \
      graze_cast_circle_rect(a->circle, a->delta, *b).hit)                                         \
    X(cast_rect_segment, moving_rect, graze_segment, NULL,                                         \
      graze_cast_rect_segment(a->rect, a->delta, *b).hit)                                          \
    X(cast_rect_rect, moving_rect, graze_rect, NULL,                                               \
      graze_cast_rect_rect(a->rect, a->delta, *b).hit)                                             \
    X(sweep_circles, moving_circle, graze_circle, NULL, sweep_circles(a, b))                       \
    X(sweep_circle_rect, moving_circle, graze_rect, NULL, sweep_circle_rect(a, b))                 \
    X(sweep_rects, moving_rect, graze_rect, NULL, sweep_rects(a, b))                               \
    X(sweep_circle_segment, moving_circle, graze_segment, NULL, sweep_circle_segment(a, b))        \
    X(sweep_rect_segment, moving_rect, graze_segment, NULL, sweep_rect_segment(a, b))              \
    X(sweep_point_segment, graze_ray, graze_segment, NULL,                                         \
      graze_sweep_point_segment(a->origin, end_of(*a), *b).hit)

#define DEFINE_LOOP(name, first_type, second_type, gap, hit)                                       \
    static uint32_t run_##name(const void *first, const void *second)                              \
    {                                                                                              \
        const first_type *a = first;                                                               \
        const second_type *b = second;                                                             \
        uint32_t hits = 0;                                                                         \
        for (uint32_t i = 0; i < PAIRS; ++i, ++a, ++b) {                                           \
            hits += (hit);                                                                         \
        }                                                                                          \
        return hits;                                                                               \
    }
KERNELS(DEFINE_LOOP)

#define DEFINE_ENTRY(name, first_type, second_type, gap, hit)                                      \
    {#name, &operand_##first_type, &operand_##second_type, run_##name, gap},
static const kernel kernels[] = {KERNELS(DEFINE_ENTRY)};

enum { KERNEL_COUNT = sizeof kernels / sizeof kernels[0] };

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

static double judge(const kernel *which, const void *a, const void *b)
{
    if (which->gap) {
        return which->gap(a, b);
    }
    hull first = which->first->outline(a);
    hull second = which->second->outline(b);
    return hull_gap(&first, &second);
}

static void draw_pair(const kernel *which, random_state *random, bool hit, void *a, void *b)
{
    for (;;) {
        which->first->draw(random, a);
        which->second->draw(random, b);
        double gap = judge(which, a, b);
        if (fabs(gap) > DOUBT && (gap < 0) == hit) {
            return;
        }
    }
}

static pairs draw_pairs(const kernel *which)
{
    random_state random = random_seed(1);
    pairs drawn = {bench_allocate(PAIRS, which->first->size),
                   bench_allocate(PAIRS, which->second->size), 0};
    for (uint32_t i = 0; i < PAIRS; ++i) {
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
    bench_set_items(state, PAIRS * PASSES);
    bench_set_counter(state, "hits", (double)drawn->hits / PAIRS);
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

static const kernel *find_kernel(const char *name)
{
    uint32_t i = 0;
    while (strcmp(kernels[i].name, name) != 0) {
        ++i;
    }
    return &kernels[i];
}

static void run_peer(bench_state *state, const void *argument)
{
    const peer_kernel *which = argument;
    pairs drawn = draw_pairs(find_kernel(which->name));
    void *prepared = which->prepare(drawn.first, drawn.second, PAIRS);
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

/// A batch kernel's arrays: those of its pairs, its answers, and where circles move, both apart.
typedef struct batch {
    const void *first, *second;
    graze_circle *movers;
    graze_vec2 *deltas;
    void *answers;
} batch;

/// A way through arrays of pairs, CALL of them from `from` on: all at once, or each by the single
/// kernel, answers kept; its pairs are those of the kernel that only counts them.
typedef struct batch_kernel {
    const char *name, *single;
    uint32_t (*run)(const batch *arrays, uint32_t from);
} batch_kernel;

/// Name, types of a, b and an answer, and whether that is a hit.
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
    batch made = {drawn->first, drawn->second, bench_allocate(PAIRS, sizeof(graze_circle)),
                  bench_allocate(PAIRS, sizeof(graze_vec2)),
                  bench_allocate(CALL, sizeof(graze_manifold))};
    if (which->first == &operand_moving_circle) {
        const moving_circle *moving = made.first;
        for (uint32_t i = 0; i < PAIRS; ++i) {
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
    for (uint32_t from = 0; from < PAIRS; from += CALL) {
        hits += which->run(arrays, from);
    }
    return hits;
}

static void run_batch(bench_state *state, const void *argument)
{
    const batch_kernel *which = argument;
    const kernel *single = find_kernel(which->single);
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
    for (uint32_t i = 0; i < KERNEL_COUNT; ++i) {
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
