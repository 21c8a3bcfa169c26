#include "heap_scenes.h"

#include "bench_memory.h"
#include "hull.h"

#include <math.h>
#include <stdlib.h>

enum { SEED = 1, BOX_POINTS = 4, SQUARE_POINTS = 5, OFF_GROUND = 4, BURST = 50 };

#define SPACING 1.2f ///< Of the bodies that fall.
#define RADIUS  0.5f

#define BURST_SPACING 30.0f
#define BURST_HEIGHT  5.0f

#define SENSOR_RADIUS   8.0f
#define SENSOR_ROUNDING 1e-3

// Of the floors that bodies slide along.
#define STRIDE       5.0f ///< Between two bodies.
#define TREAD        2.0f ///< Length of a segment,
#define RISE         0.4f ///< and how high its ends are at most.
#define STOREY       4.0f
#define WALL_HEIGHT  2.0f
#define WALL_OUTSIDE 2.0f ///< Outside the walls the chain continues to the next floor.

// --- Scenes ---

heap_scene heap_make_empty(uint32_t count, const graze_vec2 *points, uint32_t point_count)
{
    heap_scene heap = {
        .place = {.body_count = count, .chain_count = 1, .point_count = point_count}};
    scene *place = &heap.place;
    place->bodies = bench_allocate(count, sizeof *place->bodies);
    place->points = bench_allocate(point_count, sizeof *place->points);
    place->chains = bench_allocate(1, sizeof *place->chains);
    for (uint32_t i = 0; i < point_count; ++i) {
        place->points[i] = points[i];
    }
    place->chains[0].count = point_count;
    place->segment_count = point_count - 1;
    return heap;
}

// A box, open at the top, or where it has no height a floor.
static heap_scene make_box(uint32_t count, float half_width, float height)
{
    const graze_vec2 box[BOX_POINTS] = {
        {-half_width, height}, {-half_width, 0}, {half_width, 0}, {half_width, height}};
    return heap_make_empty(count, box, BOX_POINTS);
}

static heap_scene make_above_box(uint32_t count)
{
    random_state random = random_seed(SEED);
    const uint32_t columns = (uint32_t)ceil(sqrt((double)count));
    const float half = SPACING / 2 * (float)columns;
    heap_scene heap = make_box(count, half + 1, 4 * half);
    for (uint32_t i = 0; i < count; ++i) {
        scene_body *body = &heap.place.bodies[i];
        const float shift = random_float(&random, 0.0f, 0.1f);
        body->kind = SCENE_CIRCLE;
        body->position.x = SPACING * ((float)(i % columns) + 0.5f) - half + shift;
        body->position.y = SPACING * (float)(i / columns + 1);
        body->half.x = body->half.y = RADIUS;
    }
    return heap;
}

heap_scene heap_make_circles(uint32_t count)
{
    return make_above_box(count);
}

heap_scene heap_make_rough(uint32_t count)
{
    heap_scene heap = make_above_box(count);
    heap.has_friction = true;
    return heap;
}

heap_scene heap_make_mixed(uint32_t count)
{
    random_state random = random_seed(SEED);
    heap_scene heap = heap_make_rough(count);
    for (uint32_t i = 1; i < count; i += 2) {
        scene_body *body = &heap.place.bodies[i];
        body->kind = SCENE_RECT;
        body->half.y = 0.4f;
        body->angle = random_float(&random, -0.5f, 0.5f);
    }
    return heap;
}

heap_scene heap_make_pyramid(uint32_t count)
{
    uint32_t rows = 0;
    while ((rows + 1) * (rows + 2) / 2 <= count) {
        ++rows;
    }
    heap_scene heap = make_box(rows * (rows + 1) / 2, 2 * (float)rows, 0);
    uint32_t made = 0;
    for (uint32_t row = 0; row < rows; ++row) {
        for (uint32_t i = 0; i < rows - row; ++i) {
            scene_body *crate = &heap.place.bodies[made++];
            crate->kind = SCENE_RECT;
            crate->position.x = 1.05f * ((float)i + (float)row / 2 - (float)rows / 2);
            crate->position.y = 0.5f + 1.02f * (float)row;
            crate->half.x = crate->half.y = 0.5f;
        }
    }
    heap.has_friction = true;
    return heap;
}

heap_scene heap_make_bouncing_at(uint32_t count, float speed)
{
    const float spacing = 1.98f; // A circle covers a fifth of a square of this side.
    const float shift = spacing / 2 - RADIUS;
    random_state random = random_seed(SEED);
    const uint32_t columns = (uint32_t)ceil(sqrt((double)count));
    const float side = spacing * (float)columns;
    const graze_vec2 square[SQUARE_POINTS] = {{0, 0}, {0, side}, {side, side}, {side, 0}, {0, 0}};
    heap_scene heap = heap_make_empty(count, square, SQUARE_POINTS);
    for (uint32_t i = 0; i < count; ++i) {
        scene_body *body = &heap.place.bodies[i];
        body->kind = SCENE_CIRCLE;
        body->half.x = body->half.y = RADIUS;
        body->position.x = spacing * ((float)(i % columns) + 0.5f);
        body->position.y = spacing * ((float)(i / columns) + 0.5f);
        body->position.x += random_float(&random, -shift, shift);
        body->position.y += random_float(&random, -shift, shift);
        body->velocity.x = random_float(&random, -speed, speed);
        body->velocity.y = random_float(&random, -speed, speed);
    }
    heap.bounces = true;
    return heap;
}

heap_scene heap_make_bouncing(uint32_t count)
{
    return heap_make_bouncing_at(count, 10);
}

heap_scene heap_make_bouncing_fast(uint32_t count)
{
    return heap_make_bouncing_at(count, 50);
}

heap_scene heap_make_sensors(uint32_t count)
{
    random_state random = random_seed(SEED);
    heap_scene heap = heap_make_bouncing_at(count, 10);
    const graze_vec2 corner = heap.place.points[2];
    heap.sensor_count = count / 100;
    for (uint32_t i = count - heap.sensor_count; i < count; ++i) {
        scene_body *sensor = &heap.place.bodies[i];
        sensor->half.x = sensor->half.y = SENSOR_RADIUS;
        sensor->position.x = random_float(&random, 0, corner.x);
        sensor->position.y = random_float(&random, 0, corner.y);
        sensor->velocity.x = sensor->velocity.y = 0;
    }
    return heap;
}

heap_scene heap_make_bursts(uint32_t count)
{
    const float width = BURST_SPACING * (float)(count / BURST + 1);
    random_state random = random_seed(SEED);
    heap_scene heap = make_box(count, width / 2, 0);
    for (uint32_t i = 0; i < count; ++i) {
        scene_body *body = &heap.place.bodies[i];
        body->kind = SCENE_CIRCLE;
        body->half.x = body->half.y = RADIUS;
        body->position.x = BURST_SPACING * (float)(i / BURST + 1) - width / 2;
        body->position.y = BURST_HEIGHT;
        body->velocity.x = random_float(&random, -10, 10);
        body->velocity.y = random_float(&random, -10, 10);
    }
    heap.bursts = true;
    return heap;
}

// The points of a floor: down a wall, over the ground, up the other wall, and outside to the start
// of the next floor, in the opposite direction.
static uint32_t lay_floor(graze_vec2 *points, uint32_t floor, uint32_t treads, random_state *random)
{
    const float width = TREAD * (float)treads;
    const float bottom = STOREY * (float)floor;
    const bool forward = floor % 2 == 0;
    const float start = forward ? 0 : width;
    const float end = forward ? width : 0;
    const float outside = forward ? width + WALL_OUTSIDE : -WALL_OUTSIDE;
    uint32_t count = 0;
    points[count++] = (graze_vec2){start, bottom + WALL_HEIGHT};
    for (uint32_t k = 0; k <= treads; ++k) {
        const float way = TREAD * (float)k;
        const float height = random_float(random, 0, RISE);
        points[count++] = (graze_vec2){forward ? way : width - way, bottom + height};
    }
    points[count++] = (graze_vec2){end, bottom + WALL_HEIGHT};
    points[count++] = (graze_vec2){outside, bottom + WALL_HEIGHT};
    points[count++] = (graze_vec2){outside, bottom + STOREY + WALL_HEIGHT};
    return count;
}

static void set_walking(scene_body *body, bool is_crate, random_state *random)
{
    body->kind = is_crate ? SCENE_RECT : SCENE_CIRCLE;
    body->half.x = body->half.y = RADIUS;
    body->velocity.x = random_float(random, -3, 3);
}

heap_scene heap_make_walkers(uint32_t count)
{
    const float shift = 1.9f;
    random_state random = random_seed(SEED);
    const uint32_t columns = (uint32_t)ceil(sqrt((double)count));
    const uint32_t floors = (count + columns - 1) / columns;
    const uint32_t treads = (uint32_t)ceilf(STRIDE / TREAD * (float)columns);
    const uint32_t points_most = floors * (treads + 1 + OFF_GROUND);
    graze_vec2 *points = bench_allocate(points_most, sizeof *points);
    uint32_t point_count = 0;
    for (uint32_t floor = 0; floor < floors; ++floor) {
        point_count += lay_floor(points + point_count, floor, treads, &random);
    }
    heap_scene heap = heap_make_empty(count, points, point_count);
    free(points);
    for (uint32_t i = 0; i < count; ++i) {
        scene_body *body = &heap.place.bodies[i];
        set_walking(body, i % 2 == 1, &random);
        body->position.x = STRIDE * ((float)(i % columns) + 0.5f);
        body->position.x += random_float(&random, -shift, shift);
        body->position.y = STOREY * (float)(i / columns) + RISE + 1.1f * RADIUS;
    }
    return heap;
}

// --- Rest ---

static hull outline(const scene_body *body)
{
    if (body->kind == SCENE_CIRCLE) {
        const graze_circle circle = {body->position, body->half.x};
        return hull_of_circle(circle);
    }
    const double angle = (double)body->angle;
    const graze_rotation rotation = {(float)cos(angle), (float)sin(angle)};
    const graze_rect rect = {body->position, body->half, rotation};
    return hull_of_rect(rect);
}

static void add_gap(heap_rest *rest, double gap)
{
    rest->contacts += gap < HEAP_NEAR;
    rest->overlap += fmax(-gap, 0);
    rest->deepest = fmax(-gap, rest->deepest);
}

// Whether a wall is wholly above, below or beside the reach of a body.
static bool is_far(const scene_body *body, graze_segment wall)
{
    const float reach = 2.0f * (body->half.x + body->half.y);
    const graze_vec2 a = {wall.a.x - body->position.x, wall.a.y - body->position.y};
    const graze_vec2 b = {wall.b.x - body->position.x, wall.b.y - body->position.y};
    return (a.x > reach && b.x > reach) || (a.x < -reach && b.x < -reach) ||
           (a.y > reach && b.y > reach) || (a.y < -reach && b.y < -reach);
}

static void add_walls(heap_rest *rest, const scene *place, const scene_body *body)
{
    const hull own = outline(body);
    for (uint32_t i = 1; i < place->point_count; ++i) {
        const graze_segment segment = {place->points[i - 1], place->points[i]};
        const bool is_point = segment.a.x == segment.b.x && segment.a.y == segment.b.y;
        if (!is_point && !is_far(body, segment)) {
            const hull wall = hull_of_segment(segment);
            const double gap = hull_gap(&own, &wall);
            add_gap(rest, gap);
            rest->sunk = fmax(-gap, rest->sunk);
        }
    }
}

static float most_half(const scene_body *body)
{
    return fmaxf(body->half.x, body->half.y);
}

static int compare_x(const void *a, const void *b)
{
    const scene_body *const *first = a, *const *second = b;
    const float x = (*first)->position.x, y = (*second)->position.x;
    return (x > y) - (x < y);
}

static void add_pair(heap_rest *rest, const scene_body *a, const scene_body *b)
{
    const float reach = 2.0f * (most_half(a) + most_half(b));
    if (fabsf(a->position.x - b->position.x) < reach &&
        fabsf(a->position.y - b->position.y) < reach) {
        const hull first = outline(a);
        const hull second = outline(b);
        add_gap(rest, hull_gap(&first, &second));
    }
}

// Walls of the drum are always the second of two.
static void add_bodies(heap_rest *rest, const heap_scene *heap, const scene_body *bodies)
{
    const uint32_t count = heap->place.body_count - heap->sensor_count - heap->drum_count;
    const scene_body **sorted = bench_allocate(count, sizeof *sorted);
    float most = 0;
    for (uint32_t i = 0; i < count; ++i) {
        sorted[i] = &bodies[i];
        most = fmaxf(most, most_half(&bodies[i]));
    }
    qsort(sorted, count, sizeof *sorted, compare_x);
    for (uint32_t i = 0; i < count; ++i) {
        const float least = sorted[i]->position.x - 2 * (most_half(sorted[i]) + most);
        for (uint32_t k = i; k-- > 0 && sorted[k]->position.x > least;) {
            add_pair(rest, sorted[i], sorted[k]);
        }
        for (uint32_t k = count; k < count + heap->drum_count; ++k) {
            add_pair(rest, sorted[i], &bodies[k]);
        }
        add_walls(rest, &heap->place, sorted[i]);
    }
    free(sorted);
}

static void add_sensors(heap_rest *rest, const heap_scene *heap, const scene_body *bodies)
{
    const uint32_t count = heap->place.body_count - heap->sensor_count;
    for (uint32_t i = count; i < heap->place.body_count; ++i) {
        const hull sensor = outline(&bodies[i]);
        for (uint32_t k = 0; k < count; ++k) {
            const hull body = outline(&bodies[k]);
            rest->seen += hull_gap(&body, &sensor) < -SENSOR_ROUNDING;
        }
    }
}

heap_rest heap_judge(const heap_scene *heap, const scene_body *bodies)
{
    const uint32_t count = heap->place.body_count - heap->sensor_count - heap->drum_count;
    heap_rest rest = {.contacts = 0};
    for (uint32_t i = 0; i < count; ++i) {
        const graze_vec2 velocity = bodies[i].velocity;
        const double x = (double)velocity.x;
        const double y = (double)velocity.y;
        rest.energy += (x * x + y * y) / 2 / count;
        rest.height += (double)bodies[i].position.y / count;
    }
    add_bodies(&rest, heap, bodies);
    add_sensors(&rest, heap, bodies);
    rest.overlap /= fmax(rest.contacts, 1);
    rest.contacts /= count;
    return rest;
}
