#include "bodies.h"
#include "rows.h"
#include "step.h"

static void commit_row(grz_rows *rows, uint32_t row, float dt)
{
    rows->position[row] = rows->end[row];
    rows->velocity[row] = rows->end_velocity[row];
    if (rows->traits[row] & GRZ_TRAIT_SPINS) {
        rows->angle[row] = grz_wrap_angle(rows->angle[row] + rows->spin[row] * dt);
        rows->rotation[row] = rows->end_rotation[row];
    }
}

static void commit_motion(graze_world *world, const grz_motion *motion)
{
    grz_rows *rows = &world->rows;
    rows->position[motion->row] = motion->at[motion->count - 1];
    rows->velocity[motion->row].x = (float)motion->velocity.x + 0.0f;
    rows->velocity[motion->row].y = (float)motion->velocity.y + 0.0f;
    uint32_t index = rows->index[motion->row];
    world->bodies.data[index].hit_count = motion->hit_count;
    if (motion->push.x != 0 || motion->push.y != 0) {
        grz_bodies_loosen(world, index); // It may have left the box that the grid knows.
    }
}

// Returns whether the body's lifetime is over.
static bool age(grz_body *body, float dt)
{
    bool over = body->lifetime <= dt;
    body->lifetime -= over ? body->lifetime : dt;
    return over;
}

// Removing a row puts the last one in its place: from the last to the first, each is seen once.
static void remove_spent(graze_world *world, float dt)
{
    if (!world->free_count && !world->mortal_count) {
        return;
    }
    for (uint32_t row = world->body_count; row-- > 0;) {
        uint32_t index = world->rows.index[row];
        uint32_t traits = world->rows.traits[row];
        bool gone = false;
        if (traits & GRZ_TRAIT_FREE) {
            gone = world->motions.data[world->motion_of_row.data[row]].gone;
        }
        if ((traits & GRZ_TRAIT_MORTAL) && age(&world->bodies.data[index], dt)) {
            gone = true;
        }
        if (gone) {
            grz_bodies_retire(world, index);
        }
    }
}

void grz_step_commit(graze_world *world, float dt)
{
    grz_bodies_forget_retired(world);
    for (uint32_t row = 0; row < world->body_count; ++row) {
        commit_row(&world->rows, row, dt);
    }
    for (uint32_t m = 0; m < world->motions.count; ++m) {
        commit_motion(world, &world->motions.data[m]);
    }
    uint32_t before = world->body_count;
    remove_spent(world, dt);
    world->stats.removed_count = before - world->body_count;
}
