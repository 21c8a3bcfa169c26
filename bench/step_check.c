#include "step_check.h"

#include "bench_memory.h"
#include "hull.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DOUBT 1e-3 ///< Units: smaller gaps may be decided either way.

enum {
    SAMPLE = 1000 ///< Bullets that are checked.
};

typedef struct checked_step {
    const engine *tested;
    const scene *place;
    uint32_t mover_count;
    scene_body *before, *after; ///< All bodies.
} checked_step;

/// The certain number, and the largest possible one.
typedef struct bracket {
    uint64_t sure, possible;
} bracket;

typedef struct reach {
    double lower_x, upper_x, lower_y, upper_y;
    uint32_t body;
} reach;

static graze_vec2d scale_to_step(graze_vec2 velocity)
{
    graze_vec2d delta = {(double)velocity.x * (double)SCENE_STEP,
                         (double)velocity.y * (double)SCENE_STEP};
    return delta;
}

static graze_vec2d subtract(graze_vec2d a, graze_vec2d b)
{
    graze_vec2d difference = {a.x - b.x, a.y - b.y};
    return difference;
}

static hull outline_body(const checked_step *step, const scene_body *body)
{
    if (body->kind != SCENE_RECT) {
        graze_circle circle = {body->position, body->half.x};
        return hull_of_circle(circle);
    }
    double angle = (double)body->angle;
    graze_rotation rotation = {(float)cos(angle), (float)sin(angle)};
    graze_rect rect = {body->position, body->half, rotation};
    hull outline = hull_of_rect(rect);
    outline.radius = (double)step->tested->skin;
    return outline;
}

static double find_still_gap(const checked_step *step, const scene_body *a, const scene_body *b)
{
    hull outline_a = outline_body(step, a);
    hull outline_b = outline_body(step, b);
    return hull_gap(&outline_a, &outline_b);
}

/// Swept with the angles at the start, then tested with those at the end.
static double find_swept_gap(const checked_step *step, uint32_t a, uint32_t b)
{
    graze_vec2d delta_a = scale_to_step(step->before[a].velocity);
    graze_vec2d delta_b = scale_to_step(step->before[b].velocity);
    hull outline_a = outline_body(step, &step->before[a]);
    hull outline_b = outline_body(step, &step->before[b]);
    hull swept = hull_sweep(&outline_a, subtract(delta_a, delta_b));
    double gap = hull_gap(&swept, &outline_b);
    bool turns = step->before[a].spin != 0.0f || step->before[b].spin != 0.0f;
    return turns ? fmin(gap, find_still_gap(step, &step->after[a], &step->after[b])) : gap;
}

static double find_gap(const checked_step *step, uint32_t a, uint32_t b)
{
    switch (step->tested->moment) {
    case ENGINE_START:
        return find_still_gap(step, &step->before[a], &step->before[b]);
    case ENGINE_END:
        return find_still_gap(step, &step->after[a], &step->after[b]);
    case ENGINE_SWEPT:
        break;
    }
    return find_swept_gap(step, a, b);
}

static void add_gap(bracket *count, double gap)
{
    count->sure += gap < -DOUBT;
    count->possible += gap < DOUBT;
}

/// A box around all that the body covers in the step, at any moment of testing.
static reach find_reach(const checked_step *step, uint32_t body)
{
    const scene_body *before = &step->before[body];
    const scene_body *after = &step->after[body];
    double radius = (double)(before->half.x + before->half.y + step->tested->skin) + 0.01;
    reach found = {fmin((double)before->position.x, (double)after->position.x) - radius,
                   fmax((double)before->position.x, (double)after->position.x) + radius,
                   fmin((double)before->position.y, (double)after->position.y) - radius,
                   fmax((double)before->position.y, (double)after->position.y) + radius, body};
    return found;
}

static int compare_reaches(const void *a, const void *b)
{
    double left = ((const reach *)a)->lower_x;
    double right = ((const reach *)b)->lower_x;
    return (left > right) - (left < right);
}

static reach *sort_reaches(const checked_step *step)
{
    reach *reaches = bench_allocate(step->mover_count, sizeof *reaches);
    for (uint32_t i = 0; i < step->mover_count; ++i) {
        reaches[i] = find_reach(step, i);
    }
    qsort(reaches, step->mover_count, sizeof *reaches, compare_reaches);
    return reaches;
}

static bracket count_contacts(const checked_step *step)
{
    bracket count = {0, 0};
    reach *reaches = sort_reaches(step);
    for (uint32_t i = 0; i < step->mover_count; ++i) {
        const reach *a = &reaches[i];
        for (const reach *b = a + 1; b < reaches + step->mover_count && b->lower_x <= a->upper_x;
             ++b) {
            if (b->lower_y <= a->upper_y && b->upper_y >= a->lower_y) {
                add_gap(&count, find_gap(step, a->body, b->body));
            }
        }
    }
    free(reaches);
    return count;
}

static hull outline_way(const scene_body *bullet)
{
    hull start = hull_of_point(bullet->position);
    return hull_sweep(&start, scale_to_step(bullet->velocity));
}

static bool are_boxes_apart(const hull *way, graze_vec2 center, double radius)
{
    double x = (double)center.x;
    double y = (double)center.y;
    return fmin(way->points[0].x, way->points[1].x) > x + radius ||
           fmax(way->points[0].x, way->points[1].x) < x - radius ||
           fmin(way->points[0].y, way->points[1].y) > y + radius ||
           fmax(way->points[0].y, way->points[1].y) < y - radius;
}

/// Engines that cast rays meet bodies where they are after the step. Some of them report bodies in
/// which the bullet begins.
static void add_cast(const checked_step *step, bracket *hits, const hull *way, uint32_t mover)
{
    hull start = {.points = {way->points[0]}, .count = 1};
    hull body = outline_body(step, &step->after[mover]);
    bool begins_inside = hull_gap(&start, &body) < DOUBT;
    double gap = hull_gap(way, &body);
    hits->sure += gap < -DOUBT && !begins_inside;
    hits->possible += gap < DOUBT;
}

static void add_movers(const checked_step *step, bracket *hits, const hull *way, uint32_t bullet)
{
    for (uint32_t i = 0; i < step->mover_count; ++i) {
        const scene_body *mover = &step->before[i];
        if (are_boxes_apart(way, mover->position, 2.0 + (double)(mover->half.x + mover->half.y))) {
            continue;
        }
        if (step->tested->moment == ENGINE_SWEPT) {
            add_gap(hits, find_swept_gap(step, bullet, i));
        } else {
            add_cast(step, hits, way, i);
        }
    }
}

static void add_terrain(const checked_step *step, bracket *hits, const hull *way)
{
    for (uint32_t i = 0; i < step->place->chain_count; ++i) {
        scene_chain chain = step->place->chains[i];
        const graze_vec2 *points = step->place->points + chain.first;
        for (uint32_t j = 1; j < chain.count; ++j) {
            if (!are_boxes_apart(way, points[j], 6.0)) {
                graze_segment segment = {points[j - 1], points[j]};
                hull wall = hull_of_segment(segment);
                add_gap(hits, hull_gap(way, &wall));
            }
        }
    }
}

static bool check_bullet(const checked_step *step, void *world, uint32_t bullet)
{
    bracket hits = {0, 0};
    uint32_t body = step->mover_count + bullet;
    hull way = outline_way(&step->before[body]);
    add_movers(step, &hits, &way, body);
    add_terrain(step, &hits, &way);
    bool was_hit = step->tested->was_hit(world, bullet);
    return was_hit ? hits.possible > 0 : hits.sure == 0;
}

static bool check_bullets(const checked_step *step, void *world, char *message, size_t size)
{
    for (uint32_t i = 0; i < step->place->bullet_count && i < SAMPLE; ++i) {
        if (!check_bullet(step, world, i)) {
            const char *said = step->tested->was_hit(world, i) ? "hit" : "missed";
            snprintf(message, size, "bullet %u %s, wrongly", i, said);
            return false;
        }
    }
    return true;
}

static bool check_contacts(const checked_step *step, void *world, char *message, size_t size)
{
    bracket expected = count_contacts(step);
    uint64_t found = step->tested->count(world).contacts;
    bool right = found >= expected.sure && found <= expected.possible;
    if (!right) {
        snprintf(message, size, "%llu contacts, not %llu to %llu", (unsigned long long)found,
                 (unsigned long long)expected.sure, (unsigned long long)expected.possible);
    }
    return right;
}

bool check_step(const engine *tested, void *world, const scene *place, char *message, size_t size)
{
    checked_step step = {tested, place, place->body_count - place->bullet_count, NULL, NULL};
    step.before = bench_allocate(place->body_count, sizeof *step.before);
    step.after = bench_allocate(place->body_count, sizeof *step.after);
    tested->read(world, step.before);
    tested->step(world);
    tested->read(world, step.after);
    bool right =
        check_contacts(&step, world, message, size) && check_bullets(&step, world, message, size);
    free(step.before);
    free(step.after);
    return right;
}
