#include "rigid_scenes.h"

#include "bench_memory.h"

#include <math.h>

enum {
    SEED = 1,
    PIT_POINTS = 4,
    BOWL_SEGMENTS = 24,
    BOWL_POINTS = BOWL_SEGMENTS + 3, ///< Two walls.
    DRUM_WALLS = 4,
    DRUM_ROW = 45,
    SMALL = 4000, ///< Bodies of the pits that are 40 and 130 wide, at most.
    LARGE = 40000
};

#define PI           3.14159265358979
#define SPACING      1.1f ///< Of the bodies that fall.
#define DRUM_SPACING 0.4f
#define DRUM_SPIN    0.43633231f ///< Radians per second: 25 degrees.
#define MILL_SPIN    30.0f
#define MILL_SPACING 0.26f
#define DRUM_HALF    10.0f ///< From the middle of the drum to those of its walls.

static heap_scene make_rigid(uint32_t count, const graze_vec2 *points, uint32_t point_count)
{
    heap_scene heap = heap_make_empty(count, points, point_count);
    heap.has_friction = true;
    heap.turns = true;
    return heap;
}

heap_scene rigid_make_pyramid(uint32_t count)
{
    uint32_t rows = 0;
    while ((rows + 1) * (rows + 2) / 2 <= count) {
        ++rows;
    }
    const float half = 2 * (float)rows;
    const graze_vec2 ground[] = {{-half, 0}, {half, 0}};
    heap_scene heap = make_rigid(rows * (rows + 1) / 2, ground, 2);
    uint32_t made = 0;
    for (uint32_t row = 0; row < rows; ++row) {
        for (uint32_t i = 0; i < rows - row; ++i) {
            scene_body *crate = &heap.place.bodies[made++];
            crate->kind = SCENE_RECT;
            crate->position.x = (float)i + 0.5f * (float)row - 0.5f * (float)rows;
            crate->position.y = (float)row + 0.5f;
            crate->half.x = crate->half.y = 0.5f;
        }
    }
    return heap;
}

static float pit_width(uint32_t count)
{
    return count > LARGE ? 600.0f : count > SMALL ? 130.0f : 40.0f;
}

// Sizes, kinds and angles of bodies that fall, row by row from `bottom` on.
static void fill(heap_scene *heap, uint32_t columns, float bottom, bool is_mixed)
{
    random_state random = random_seed(SEED);
    for (uint32_t i = 0; i < heap->place.body_count; ++i) {
        scene_body *body = &heap->place.bodies[i];
        const float radius = random_float(&random, 0.3f, 0.5f);
        const float shift = random_float(&random, -0.025f, 0.025f);
        const float column = (float)(i % columns) - 0.5f * (float)(columns - 1);
        body->kind = SCENE_CIRCLE;
        body->half.x = body->half.y = radius;
        body->position.x = SPACING * column + shift;
        body->position.y = bottom + SPACING * (float)(i / columns);
        if (is_mixed && random_float(&random, 0, 1) < 0.5f) {
            body->kind = SCENE_RECT;
            body->half.x = 0.9f * radius;
            body->half.y = radius * random_float(&random, 0.5f, 0.9f);
            body->angle = random_float(&random, 0, 3);
        }
    }
}

static heap_scene make_pit(uint32_t count, bool is_mixed)
{
    const float width = pit_width(count);
    const uint32_t columns = (uint32_t)(width / SPACING) - 1;
    const float half = width / 2;
    const float top = 2 * SPACING * (float)(count / columns + 1);
    const graze_vec2 pit[PIT_POINTS] = {{-half, top}, {-half, 0}, {half, 0}, {half, top}};
    heap_scene heap = make_rigid(count, pit, PIT_POINTS);
    fill(&heap, columns, 0.6f, is_mixed);
    return heap;
}

heap_scene rigid_make_discs(uint32_t count)
{
    return make_pit(count, false);
}

heap_scene rigid_make_mixed(uint32_t count)
{
    return make_pit(count, true);
}

heap_scene rigid_make_bowl(uint32_t count)
{
    const float width = pit_width(count);
    const uint32_t columns = (uint32_t)(0.9f * width / SPACING) - 2;
    const float half = width / 2;
    const float top = half + 2 * SPACING * (float)(count / columns + 1);
    graze_vec2 bowl[BOWL_POINTS] = {{-half, top}};
    for (uint32_t k = 0; k <= BOWL_SEGMENTS; ++k) {
        const double angle = PI * (1 + (double)k / BOWL_SEGMENTS);
        bowl[k + 1].x = half * (float)cos(angle);
        bowl[k + 1].y = half + half * (float)sin(angle);
    }
    bowl[BOWL_POINTS - 1] = (graze_vec2){half, top};
    heap_scene heap = make_rigid(count, bowl, BOWL_POINTS);
    fill(&heap, columns, 0.7f * half, true);
    return heap;
}

static void set_crate(scene_body *crate, float x, float y, float half_x, float half_y)
{
    crate->kind = SCENE_RECT;
    crate->position = (graze_vec2){x, y};
    crate->half = (graze_vec2){half_x, half_y};
}

// The drum needs no terrain: a line far below.
heap_scene rigid_make_tumbler(uint32_t count)
{
    const graze_vec2 ground[] = {{-1, -100}, {1, -100}};
    heap_scene heap = make_rigid(count + DRUM_WALLS, ground, 2);
    scene_body *bodies = heap.place.bodies;
    for (uint32_t i = 0; i < count; ++i) {
        const float x = DRUM_SPACING * (float)(i % DRUM_ROW) - 9;
        const float y = DRUM_SPACING * (float)(i / DRUM_ROW) - 9;
        set_crate(&bodies[i], x, y, 0.125f, 0.125f);
    }
    const float wide = DRUM_HALF + 0.5f;
    set_crate(&bodies[count], DRUM_HALF, 0, 0.5f, wide);
    set_crate(&bodies[count + 1], -DRUM_HALF, 0, 0.5f, wide);
    set_crate(&bodies[count + 2], 0, DRUM_HALF, wide, 0.5f);
    set_crate(&bodies[count + 3], 0, -DRUM_HALF, wide, 0.5f);
    heap.drum_count = DRUM_WALLS;
    heap.drum_spin = DRUM_SPIN;
    return heap;
}

heap_scene rigid_make_mill(uint32_t count)
{
    heap_scene heap = rigid_make_tumbler(count);
    heap.drum_spin = MILL_SPIN;
    for (uint32_t i = 0; i < count; ++i) {
        heap.place.bodies[i].position.x = MILL_SPACING * (float)(i % DRUM_ROW) - 5.72f;
        heap.place.bodies[i].position.y = MILL_SPACING * (float)(i / DRUM_ROW) - 12;
    }
    return heap;
}

static heap_scene make_bouncing(uint32_t count, float speed)
{
    heap_scene heap = heap_make_bouncing_at(count, speed);
    heap.turns = true;
    return heap;
}

heap_scene rigid_make_bouncing(uint32_t count)
{
    return make_bouncing(count, 10);
}

heap_scene rigid_make_bouncing_50(uint32_t count)
{
    return make_bouncing(count, 50);
}

heap_scene rigid_make_bouncing_200(uint32_t count)
{
    return make_bouncing(count, 200);
}

heap_scene rigid_make_bouncing_1000(uint32_t count)
{
    return make_bouncing(count, 1000);
}

heap_scene rigid_make_landing(uint32_t count)
{
    heap_scene heap = make_bouncing(count, 1000);
    heap.lands = true;
    return heap;
}
