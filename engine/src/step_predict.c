#include "bodies.h"
#include "meet.h"
#include "message.h"
#include "rows.h"
#include "step.h"

static bool reserve_boxes(graze_world *world)
{
    size_t capacity = world->rows.capacity;
    size_t size = capacity * (4 * sizeof(float) + sizeof(uint8_t));
    return grz_block_reserve_scratch(&world->box_memory, &world->counting, size);
}

static void predict_velocity(grz_rows *rows, uint32_t row, graze_vec2 gravity, float dt)
{
    graze_vec2 velocity = rows->velocity[row];
    if (!(rows->traits[row] & GRZ_TRAIT_WEIGHTLESS)) {
        velocity.x += gravity.x * dt;
        velocity.y += gravity.y * dt;
    }
    rows->end_velocity[row] = velocity;
    rows->end[row].x = rows->position[row].x + velocity.x * dt;
    rows->end[row].y = rows->position[row].y + velocity.y * dt;
}

// A body whose motion would leave the range of float stays where it is, at rest.
static bool hold_if_overflowing(grz_rows *rows, uint32_t row)
{
    if (grz_is_finite_vec2(rows->end[row]) && grz_is_finite_vec2(rows->end_velocity[row])) {
        return false;
    }
    const graze_vec2 rest = {0, 0};
    rows->end[row] = rows->position[row];
    rows->end_velocity[row] = rest;
    return true;
}

static void predict_rotation(grz_rows *rows, uint32_t row, float dt)
{
    rows->end_rotation[row] = rows->rotation[row];
    if (rows->traits[row] & GRZ_TRAIT_SPINS) {
        float angle = grz_wrap_angle(rows->angle[row] + rows->spin[row] * dt);
        rows->end_rotation[row] = graze_rotation_from_angle(angle);
    }
}

// A body that may turn stays within the length of its way of where it starts.
static graze_vec2 extent_of_turns(const grz_rows *rows, uint32_t row, graze_vec2 extent)
{
    const float margin = 1.000001f;
    graze_vec2 way = graze_vec2_sub(rows->end[row], rows->position[row]);
    float length = graze_vec2_length(way) * margin;
    graze_vec2 reach = {extent.x + length, extent.y + length};
    return reach;
}

static void put_box(const graze_world *world, uint32_t row)
{
    size_t capacity = world->rows.capacity;
    float *sides = world->box_memory.data;
    uint8_t *quiet = (uint8_t *)(sides + 4 * capacity);
    const grz_rows *rows = &world->rows;
    graze_vec2 extent = grz_extent_of(rows, row);
    graze_vec2 position = rows->position[row];
    graze_aabb box = grz_swept_box(position, rows->end[row], extent);
    if (rows->traits[row] & GRZ_TRAIT_TURNS) {
        box = grz_swept_box(position, position, extent_of_turns(rows, row, extent));
    }
    sides[row] = box.lower.x;
    sides[row + capacity] = box.lower.y;
    sides[row + 2 * capacity] = box.upper.x;
    sides[row + 3 * capacity] = box.upper.y;
    quiet[row] = grz_kind_of(rows->traits[row]) == GRAZE_SHAPE_RAY;
}

// HOT. bench: engine/step/gas
//
// Data    Reads 28 bytes of a row, writes 33.
// Branch  By traits only: the same way for all but spinning rects.
graze_status grz_step_predict(graze_world *world, float dt)
{
    if (!reserve_boxes(world)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    grz_rows *rows = &world->rows;
    world->free_count = 0;
    world->mortal_count = 0;
    world->overflow_count = 0;
    for (uint32_t row = 0; row < world->body_count; ++row) {
        predict_velocity(rows, row, world->gravity, dt);
        predict_rotation(rows, row, dt);
        world->overflow_count += hold_if_overflowing(rows, row);
        world->free_count += (rows->traits[row] & GRZ_TRAIT_FREE) != 0;
        world->mortal_count += (rows->traits[row] & GRZ_TRAIT_MORTAL) != 0;
        put_box(world, row);
    }
    return GRAZE_OK;
}
