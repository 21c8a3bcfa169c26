#include "bodies.h"
#include "message.h"
#include "predict.h"
#include "prefetch.h"
#include "rows.h"
#include "step.h"

enum {
    AHEAD = 12 ///< How far ahead bodies are asked for.
};

// What does not spin turns by nothing: no branch tells rects from circles.
static void commit_angles(graze_world *world, float dt)
{
    static const grz_predict_table *const tables[] = GRZ_WIDE_TABLES(grz_predict_wide);
    grz_rows *rows = &world->rows;
    tables[world->lanes]->turn(rows->angle, rows->spin, dt, world->active_count, rows->angle);
}

// One that was thrown or pushed out of the range of float is stopped where the step began.
static void commit_motion(graze_world *world, const grz_motion *motion)
{
    grz_rows *rows = &world->rows;
    graze_vec2 position = motion->at[motion->count - 1];
    graze_vec2 velocity = {(float)motion->velocity.x + 0.0f, (float)motion->velocity.y + 0.0f};
    if (!grz_is_finite_vec2(position) || !grz_is_finite_vec2(velocity)) {
        const graze_vec2 rest = {0, 0};
        position = motion->at[0];
        velocity = rest;
        ++world->overflow_count;
    }
    rows->position[motion->row] = position;
    rows->velocity[motion->row] = velocity;
    uint32_t index = rows->index[motion->row];
    grz_life *life = &world->lives.data[index];
    life->hit_count = motion->hit_count;
    if (grz_is_last_hit(life->hit_limit, life->hit_count)) {
        rows->traits[motion->row] |= GRZ_TRAIT_LAST;
    }
    if (motion->push.x != 0 || motion->push.y != 0) {
        grz_bodies_loosen(world, index); // It may have left the box that the grid knows.
    }
}

// A hit counts, but turns nothing any more. Where it is lies between two finite points.
static void commit_spent(graze_world *world)
{
    for (uint32_t k = 0; k < world->spent.count; ++k) {
        const grz_spent *spent = &world->spent.data[k];
        world->rows.position[spent->row] = spent->at;
    }
}

// Returns whether the body's lifetime is over.
static bool age(grz_life *life, float dt)
{
    bool over = life->lifetime <= dt;
    life->lifetime -= over ? life->lifetime : dt;
    return over;
}

// Retiring moves rows, so what is to go is named by its index.
static void retire_gone(graze_world *world)
{
    for (uint32_t m = 0; m < world->motions.count; ++m) {
        if (world->motions.data[m].gone) {
            grz_bodies_retire(world, world->motions.data[m].index);
        }
    }
}

static void ask_for_row(const grz_rows *rows, uint32_t row)
{
    GRZ_PREFETCH(&rows->position[row]);
    GRZ_PREFETCH(&rows->velocity[row]);
    GRZ_PREFETCH(&rows->half[row]);
    GRZ_PREFETCH(&rows->traits[row]);
    GRZ_PREFETCH(&rows->index[row]);
    GRZ_PREFETCH(&rows->generation[row]);
}

// Asks for what retiring takes: first for what the index leads to, then for the row.
static void ask_for_spent(const graze_world *world, uint32_t k)
{
    const uint32_t last = world->spent.count - 1;
    const grz_spent *spent = world->spent.data;
    const uint32_t far = spent[k + 2 * AHEAD < last ? k + 2 * AHEAD : last].index;
    const uint32_t near = spent[k + AHEAD < last ? k + AHEAD : last].index;
    GRZ_PREFETCH(&world->row_of_index.data[far]);
    GRZ_PREFETCH(&world->lives.data[far].hit_count);
    ask_for_row(&world->rows, world->row_of_index.data[near]);
}

// HOT. bench: engine/step/bullets-bodies
//
// Data    36 bytes of a row, 16 of what is kept by index and 44 of what is retired, all of them
//         wherever they are: asked for ahead.
static void retire_spent(graze_world *world)
{
    for (uint32_t k = 0; k < world->spent.count; ++k) {
        const uint32_t index = world->spent.data[k].index;
        ask_for_spent(world, k);
        ++world->lives.data[index].hit_count;
        grz_bodies_retire(world, index);
    }
}

// Retiring puts the last row in the place of the one that goes: from the last to the first, each is
// seen once.
static void retire_aged(graze_world *world, float dt)
{
    for (uint32_t row = world->active_count; row-- > 0;) {
        uint32_t index = world->rows.index[row];
        if ((world->rows.traits[row] & GRZ_TRAIT_MORTAL) && age(&world->lives.data[index], dt)) {
            grz_bodies_retire(world, index);
        }
    }
}

void grz_step_commit(graze_world *world, float dt)
{
    grz_bodies_forget_retired(world);
    grz_rows_advance(&world->rows, world->rect_count > 0);
    if (world->rect_count) {
        commit_angles(world, dt);
    }
    for (uint32_t m = 0; m < world->motions.count; ++m) {
        commit_motion(world, &world->motions.data[m]);
    }
    commit_spent(world);
    grz_step_order_rows(world);
    uint32_t before = world->body_count;
    retire_gone(world);
    retire_spent(world);
    if (world->mortal_count) {
        retire_aged(world, dt);
    }
    world->stats.removed_count = before - world->body_count;
}
