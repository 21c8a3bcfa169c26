#include "bodies.h"
#include "box.h"
#include "meet.h"
#include "message.h"
#include "rows.h"
#include "step.h"

#include <string.h>

static bool reserve_boxes(graze_world *world)
{
    size_t capacity = world->rows.capacity;
    size_t size = capacity * (4 * sizeof(float) + sizeof(uint8_t));
    return grz_block_reserve_scratch(&world->box_memory, &world->counting, size) &&
           grz_array_reserve(&world->special_rows, &world->counting, capacity);
}

static void predict_velocities(grz_rows *rows, uint32_t count, graze_vec2 gravity, float dt)
{
    float x = gravity.x * dt;
    float y = gravity.y * dt;
    for (uint32_t row = 0; row < count; ++row) {
        float weight = rows->traits[row] & GRZ_TRAIT_WEIGHTLESS ? 0.0f : 1.0f;
        rows->end_velocity[row].x = rows->velocity[row].x + x * weight;
        rows->end_velocity[row].y = rows->velocity[row].y + y * weight;
    }
}

// Returns whether every end is finite.
static bool predict_ends(grz_rows *rows, uint32_t count, float dt)
{
    float doubt = 0; // 0 as long as every number is finite: infinity minus itself is not 0.
    for (uint32_t row = 0; row < count; ++row) {
        graze_vec2 end = {rows->position[row].x + rows->end_velocity[row].x * dt,
                          rows->position[row].y + rows->end_velocity[row].y * dt};
        rows->end[row] = end;
        doubt = end.x - end.x == 0 ? doubt : 1;
        doubt = end.y - end.y == 0 ? doubt : 1;
    }
    return doubt == 0;
}

// A body whose motion would leave the range of float stays where it is, at rest.
static uint32_t hold_overflowing(grz_rows *rows, uint32_t count)
{
    const graze_vec2 rest = {0, 0};
    uint32_t held = 0;
    for (uint32_t row = 0; row < count; ++row) {
        if (!grz_is_finite_vec2(rows->end[row]) || !grz_is_finite_vec2(rows->end_velocity[row])) {
            rows->end[row] = rows->position[row];
            rows->end_velocity[row] = rest;
            ++held;
        }
    }
    return held;
}

// Lists the rows that a round body on a straight way is not. They are scattered at random: to do
// them by themselves costs less than to guess at every row which kind it is.
static void list_special_rows(graze_world *world)
{
    const uint32_t special = GRZ_TRAIT_TURNS | GRAZE_SHAPE_RECT;
    uint32_t count = 0;
    for (uint32_t row = 0; row < world->body_count; ++row) {
        world->special_rows.data[count] = row;
        count += (world->rows.traits[row] & special) != 0;
    }
    world->special_rows.count = count;
}

static void predict_rotations(graze_world *world, float dt)
{
    grz_rows *rows = &world->rows;
    memcpy(rows->end_rotation, rows->rotation, world->body_count * sizeof *rows->rotation);
    for (uint32_t i = 0; i < world->special_rows.count; ++i) {
        uint32_t row = world->special_rows.data[i];
        if (rows->traits[row] & GRZ_TRAIT_SPINS) {
            float angle = grz_wrap_angle(rows->angle[row] + rows->spin[row] * dt);
            rows->end_rotation[row] = graze_rotation_from_angle(angle);
        }
    }
}

// A body that may turn stays within the length of its way of where it starts.
static graze_aabb box_of_turns(const grz_rows *rows, uint32_t row, graze_vec2 extent)
{
    const float margin = 1.000001f;
    graze_vec2 way = graze_vec2_sub(rows->end[row], rows->position[row]);
    float length = graze_vec2_length(way) * margin;
    graze_vec2 reach = {extent.x + length, extent.y + length};
    return grz_swept_box(rows->position[row], rows->position[row], reach);
}

static graze_aabb box_of_special(const grz_rows *rows, uint32_t row)
{
    graze_vec2 extent = grz_extent_of(rows, row);
    return rows->traits[row] & GRZ_TRAIT_TURNS
               ? box_of_turns(rows, row, extent)
               : grz_swept_box(rows->position[row], rows->end[row], extent);
}

/// The sides of all boxes, by row.
typedef struct box_columns {
    float *min_x, *min_y, *max_x, *max_y;
} box_columns;

static void put_box(const box_columns *to, uint32_t row, graze_aabb box)
{
    to->min_x[row] = box.lower.x;
    to->min_y[row] = box.lower.y;
    to->max_x[row] = box.upper.x;
    to->max_y[row] = box.upper.y;
}

static void put_boxes(const graze_world *world)
{
    const grz_rows *rows = &world->rows;
    size_t capacity = rows->capacity;
    float *sides = world->box_memory.data;
    box_columns to = {sides, sides + capacity, sides + 2 * capacity, sides + 3 * capacity};
    for (uint32_t row = 0; row < world->body_count; ++row) {
        put_box(&to, row, grz_swept_box(rows->position[row], rows->end[row], rows->half[row]));
    }
    for (uint32_t i = 0; i < world->special_rows.count; ++i) {
        uint32_t row = world->special_rows.data[i];
        put_box(&to, row, box_of_special(rows, row));
    }
}

// Rays are quiet: they meet no rays.
static void put_quiet_flags(const graze_world *world)
{
    uint8_t *quiet = (uint8_t *)world->box_memory.data + 4 * sizeof(float) * world->rows.capacity;
    for (uint32_t row = 0; row < world->body_count; ++row) {
        quiet[row] = grz_kind_of(world->rows.traits[row]) == GRAZE_SHAPE_RAY;
    }
}

static void count_traits(graze_world *world)
{
    world->free_count = 0;
    world->mortal_count = 0;
    for (uint32_t row = 0; row < world->body_count; ++row) {
        world->free_count += (world->rows.traits[row] & GRZ_TRAIT_FREE) != 0;
        world->mortal_count += (world->rows.traits[row] & GRZ_TRAIT_MORTAL) != 0;
    }
}

// HOT. bench: engine/step/gas
//
// Data    One column after the other: 28 bytes of a row read, 33 written.
// Branch  None in the loops over all rows; rects and what may turn have their own.
graze_status grz_step_predict(graze_world *world, float dt)
{
    if (!reserve_boxes(world)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    grz_rows *rows = &world->rows;
    predict_velocities(rows, world->body_count, world->gravity, dt);
    bool all_finite = predict_ends(rows, world->body_count, dt);
    world->overflow_count = all_finite ? 0 : hold_overflowing(rows, world->body_count);
    list_special_rows(world);
    if (world->rect_count) {
        predict_rotations(world, dt);
    }
    put_boxes(world);
    put_quiet_flags(world);
    count_traits(world);
    return GRAZE_OK;
}
