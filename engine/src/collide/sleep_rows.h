/// @file sleep_rows.h
/// Shared by the files of sleep.h: still rows, and the boxes by which they are found.
#ifndef GRZ_SLEEP_ROWS_H
#define GRZ_SLEEP_ROWS_H

#include "collide/pair_sweep.h"
#include "collide/predict.h"
#include "world/rows.h"

enum {
    GRZ_SLEEP_PLACES = 64,       ///< Places in the grid of bodies at rest that are read at a time.
    GRZ_SLEEP_SLEEPER_WORTH = 16 ///< A sleeper saves the cost of this many other still bodies.
};

static inline uint32_t grz_sleep_count_still(const graze_world *world)
{
    return world->bodies.count - world->bodies.active_count;
}

/// Returns whether a still body with these traits is a sleeper.
static inline bool grz_sleep_is_sleeper(uint32_t traits)
{
    return (traits & GRZ_TRAIT_OPEN) != 0;
}

/// Returns what still bodies save in a step, of which `sleepers` are sleepers.
static inline uint32_t grz_sleep_worth_of(uint32_t still, uint32_t sleepers)
{
    return still + (GRZ_SLEEP_SLEEPER_WORTH - 1) * sleepers;
}

/// Returns the box of a still body, as Predict would make it: a sleeper's contains all that may
/// affect it.
static inline graze_aabb grz_sleep_box_of_still(const graze_world *world, uint32_t row)
{
    const grz_rows *rows = &world->bodies.rows;
    const grz_sleep *sleep = &world->sleep;
    const graze_vec2 position = rows->position[row];
    if (!grz_sleep_is_sleeper(rows->traits[row])) {
        return grz_swept_box(position, position, grz_extent_of(rows, row));
    }
    const graze_vec2 velocity =
        grz_velocity_ahead(world, rows->index[row], rows->traits[row], rows->velocity[row],
                           sleep->gravity_step, sleep->dt);
    const graze_vec2 end = grz_straight_end(position, velocity, sleep->dt);
    return grz_predicted_box(rows, row, end, sleep->gravity_step, sleep->dt);
}

/// Returns the box that Predict made of an active body in this step.
static inline graze_aabb grz_sleep_box_of_active(const graze_world *world, uint32_t row)
{
    const graze_aabb *boxes = world->found.box_memory.data;
    return boxes[row];
}

/// Swaps two rows.
static inline void grz_sleep_swap_rows(graze_world *world, uint32_t first, uint32_t second)
{
    if (first != second) {
        grz_rows_swap(&world->bodies.rows, first, second);
        world->bodies.row_of_index.data[world->bodies.rows.index[first]] = first;
        world->bodies.row_of_index.data[world->bodies.rows.index[second]] = second;
    }
}

#endif
