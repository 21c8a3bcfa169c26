#include "moving_pair.h"

#include <graze/overlap.h>

#include <stdio.h>

static graze_vec2 random_vector(random_state *random, float reach)
{
    const float x = random_float(random, -reach, reach);
    const graze_vec2 v = {x, random_float(random, -reach, reach)};
    return v;
}

static graze_rect random_rect(random_state *random)
{
    const float half_x = random_float(random, 0.1f, 2);
    const graze_rect rect = {random_vector(random, 3),
                             {half_x, random_float(random, 0.1f, 2)},
                             graze_rotation_from_angle(random_float(random, -4, 4))};
    return rect;
}

moving_pair moving_pair_random(random_state *random, pair_kind kind)
{
    moving_pair pair = {kind, random_rect(random), random_rect(random), {{0, 0}, {0, 0}}, {0, 0}};
    pair.wall.a = random_vector(random, 3);
    pair.wall.b = random_vector(random, 3);
    pair.delta = random_vector(random, 5);
    const bool is_round = kind == PAIR_CIRCLES || kind == PAIR_CIRCLE_RECT;
    if (is_round && random_below(random, 8) == 0) {
        pair.a.half.x = 0;
    }
    if (random_below(random, 16) == 0) {
        pair.delta.x = 0;
        pair.delta.y = 0;
    }
    return pair;
}

static graze_vec2 lattice_vector(random_state *random, int reach)
{
    const float x = (float)random_integer(random, -reach, reach);
    const graze_vec2 v = {x, (float)random_integer(random, -reach, reach)};
    return v;
}

static graze_rect lattice_rect(random_state *random)
{
    static const graze_rotation quarters[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const float half_x = (float)random_integer(random, 1, 3);
    const graze_rect rect = {lattice_vector(random, 5),
                             {half_x, (float)random_integer(random, 1, 3)},
                             quarters[random_below(random, 4)]};
    return rect;
}

moving_pair moving_pair_lattice(random_state *random, pair_kind kind)
{
    moving_pair pair = {kind, lattice_rect(random), lattice_rect(random), {{0, 0}, {0, 0}}, {0, 0}};
    pair.wall.a = lattice_vector(random, 5);
    pair.wall.b = lattice_vector(random, 5);
    pair.delta = lattice_vector(random, 8);
    const bool is_round = kind == PAIR_CIRCLES || kind == PAIR_CIRCLE_RECT;
    if (is_round && random_below(random, 4) == 0) {
        pair.a.half.x = 0;
    }
    return pair;
}

moving_pair moving_pair_at_end(random_state *random)
{
    const float near = (float)random_integer(random, 0, 1 << 20) * 0x1p-30f;
    const float far = (float)random_integer(random, 1 << 10, 1 << 21) * 0x1p-10f;
    const float out = (float)random_integer(random, 0, 1 << 20) * 0x1p-30f;
    moving_pair pair = moving_pair_random(random, PAIR_CIRCLE_SEGMENT);
    pair.a.center.x = 4 * near + 3 * out;
    pair.a.center.y = 4 * out - 3 * near;
    pair.a.half.x = 5 * out;
    const graze_segment wall = {{4 * near, -3 * near}, {4 * far, -3 * far}};
    const graze_segment turned = {wall.b, wall.a};
    pair.wall = random_below(random, 2) == 0 ? wall : turned;
    return pair;
}

graze_circle moving_pair_circle(graze_rect rect)
{
    const graze_circle circle = {rect.center, rect.half.x};
    return circle;
}

static graze_vec2d widened(graze_vec2 v)
{
    const graze_vec2d wide = {(double)v.x, (double)v.y};
    return wide;
}

graze_sweep moving_pair_sweep(const moving_pair *pair)
{
    const graze_rect *a = &pair->a;
    const graze_rect *b = &pair->b;
    const graze_vec2d place = widened(a->center);
    const graze_vec2d start = {place.x - (double)b->center.x, place.y - (double)b->center.y};
    const graze_vec2d delta = widened(pair->delta);
    const double radius = (double)a->half.x;
    switch (pair->kind) {
    case PAIR_CIRCLES:
        return graze_sweep_circles(start, delta, radius, (double)b->half.x);
    case PAIR_CIRCLE_RECT:
        return graze_sweep_circle_rect(start, delta, radius, b->half, b->rotation);
    case PAIR_RECTS:
        return graze_sweep_rects(start, delta, a->half, a->rotation, b->half, b->rotation);
    case PAIR_CIRCLE_SEGMENT:
        return graze_sweep_circle_segment(place, delta, radius, pair->wall);
    default:
        return graze_sweep_rect_segment(place, delta, a->half, a->rotation, pair->wall);
    }
}

bool moving_pair_overlaps(const moving_pair *pair)
{
    switch (pair->kind) {
    case PAIR_CIRCLES:
        return graze_overlap_circles(moving_pair_circle(pair->a), moving_pair_circle(pair->b));
    case PAIR_CIRCLE_RECT:
        return graze_overlap_circle_rect(moving_pair_circle(pair->a), pair->b);
    case PAIR_RECTS:
        return graze_overlap_rects(pair->a, pair->b);
    case PAIR_CIRCLE_SEGMENT:
        return graze_overlap_circle_segment(moving_pair_circle(pair->a), pair->wall);
    default:
        return graze_overlap_rect_segment(pair->a, pair->wall);
    }
}

solid moving_pair_mover(const moving_pair *pair)
{
    const bool is_rect = pair->kind == PAIR_RECTS || pair->kind == PAIR_RECT_SEGMENT;
    return is_rect ? solid_of_rect(pair->a) : solid_of_circle(moving_pair_circle(pair->a));
}

solid moving_pair_target(const moving_pair *pair)
{
    if (pair->kind == PAIR_CIRCLES) {
        return solid_of_circle(moving_pair_circle(pair->b));
    }
    const bool is_rect = pair->kind == PAIR_CIRCLE_RECT || pair->kind == PAIR_RECTS;
    return is_rect ? solid_of_rect(pair->b) : solid_of_segment(pair->wall);
}

long double moving_pair_gap(const moving_pair *pair, long double time)
{
    const solid mover = solid_moved(moving_pair_mover(pair), pair->delta, time);
    const solid target = moving_pair_target(pair);
    return solid_gap(&mover, &target);
}

static void print_rect(const char *name, const graze_rect *rect)
{
    printf("  %s center %a %a half %a %a rotation %a %a\n", name, (double)rect->center.x,
           (double)rect->center.y, (double)rect->half.x, (double)rect->half.y,
           (double)rect->rotation.cosine, (double)rect->rotation.sine);
}

void moving_pair_print(const char *what, const moving_pair *pair)
{
    const graze_sweep sweep = moving_pair_sweep(pair);
    printf("%s, kind %d\n", what, (int)pair->kind);
    print_rect("a", &pair->a);
    print_rect("b", &pair->b);
    printf("  wall %a %a to %a %a, delta %a %a\n", (double)pair->wall.a.x, (double)pair->wall.a.y,
           (double)pair->wall.b.x, (double)pair->wall.b.y, (double)pair->delta.x,
           (double)pair->delta.y);
    printf("  hit %d time %.17g point %.17g %.17g normal %.17g %.17g depth %.17g\n", sweep.hit,
           sweep.time, sweep.point.x, sweep.point.y, sweep.normal.x, sweep.normal.y, sweep.depth);
}
