// Commit: bodies go to where their trajectories end; spent and aged ones are removed.

#include "collide/predict.h"
#include "solve/solve.h"
#include "step/expiry.h"
#include "step/step.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/parallel.h"
#include "world/rows.h"

/// Shared by the blocks of rows whose angles are committed.
typedef struct spin_job {
    const grz_rows *rows;
    const grz_predict_table *loops;
    float dt;
} spin_job;

static void spin_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const spin_job *job = context;
    float *angles = job->rows->angle + first;
    (void)block;
    job->loops->spin(angles, job->rows->spin + first, job->dt, end - first, angles);
}

static void damp_spins(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    const grz_rows *rows = &world->bodies.rows;
    (void)block;
    for (grz_row row = first; row < end; ++row) {
        if (rows->traits[row] & GRZ_TRAIT_ADJUSTED && rows->spin[row] != 0) {
            const grz_dynamics *dynamics = &world->bodies.dynamics.data[rows->index[row]];
            rows->spin[row] = grz_adjusted_spin(rows->spin[row], dynamics, world->call.dt);
            rows->traits[row] &= rows->spin[row] != 0 ? UINT32_MAX : ~(uint32_t)GRZ_TRAIT_SPINS;
        }
    }
}

// Without spin the rotation is 0: so no branch separates rects from circles.
static void commit_angles(graze_world *world)
{
    if (world->found.totals.traits & GRZ_TRAIT_ADJUSTED) {
        grz_run_blocks(world, world->bodies.active_count, GRZ_BLOCK_ROWS, damp_spins, world);
    }
    spin_job job = {&world->bodies.rows, grz_predict_loops_for(world->config.lanes),
                    world->call.dt};
    grz_run_blocks(world, world->bodies.active_count, GRZ_BLOCK_ROWS, spin_block, &job);
}

// Only for bodies that stay: the last step's hits of one that is removed are lost, whichever phase
// found them.
static void count_hits(graze_world *world, const grz_trajectory *trajectory, grz_index index)
{
    if (!grz_life_of(world, index).hit_limit) {
        return;
    }
    grz_life *life = &world->bodies.lives.data[index];
    life->hit_count = trajectory->hit_count;
    if (grz_is_last_hit(life->hit_limit, life->hit_count)) {
        world->bodies.rows.traits[trajectory->row] |= GRZ_TRAIT_LAST;
    }
}

// Predict has counted a body that it held. From then to here the columns have changed places: the
// state before the step is where the ends were.
static bool was_held(const graze_world *world, const grz_trajectory *trajectory)
{
    const grz_rows *rows = &world->bodies.rows;
    const graze_vec2 velocity =
        grz_velocity_ahead(world, trajectory->index, rows->traits[trajectory->row],
                           rows->end_velocity[trajectory->row],
                           grz_gravity_step(world->config.gravity, world->call.dt), world->call.dt);
    return !is_finite(grz_straight_end(trajectory->at[0], velocity, world->call.dt));
}

// A body pushed out of the range of float is stopped where the step began.
static void commit_trajectory(graze_world *world, const grz_trajectory *trajectory)
{
    grz_rows *rows = &world->bodies.rows;
    graze_vec2 position = trajectory->at[trajectory->count - 1];
    graze_vec2 velocity = {(float)trajectory->velocity.x + 0.0f,
                           (float)trajectory->velocity.y + 0.0f};
    if (!is_finite(position) || !is_finite(velocity)) {
        const graze_vec2 rest = {0, 0};
        position = trajectory->at[0];
        velocity = rest;
        world->found.totals.overflow += !was_held(world, trajectory);
    }
    rows->position[trajectory->row] = position;
    rows->velocity[trajectory->row] = velocity;
    const grz_index index = rows->index[trajectory->row];
    if (!trajectory->gone) {
        count_hits(world, trajectory, index);
    }
    if (trajectory->strays) {
        grz_bodies_mark_unsorted(world, index);
    }
}

// A spent ray stays at its last hit. That point needs no check: it lies between two finite ones.
static void commit_spent(graze_world *world)
{
    for (uint32_t k = 0; k < world->bullets.spent.count; ++k) {
        const grz_spent *spent = &world->bullets.spent.data[k];
        world->bodies.rows.position[spent->row] = spent->at;
    }
}

// Returns whether the body's lifetime is over. A remainder of up to a sixteenth of a step counts as
// rounding: a second is sixty steps of 1/60, not one more. Then its hits count no more: what is
// removed and has a hit_limit was removed by that (report_lists.c).
static bool age(grz_life *life, float dt)
{
    const bool over = life->lifetime <= dt * 1.0625f;
    if (over) {
        *life = grz_optional_default.life;
    } else {
        life->lifetime -= dt;
    }
    return over;
}

// By index: rows may have been sorted since they were noted.
static void mark_gone(graze_world *world)
{
    for (uint32_t m = 0; m < world->impacts.trajectories.count; ++m) {
        if (world->impacts.trajectories.data[m].gone) {
            grz_removal_mark(
                world, world->bodies.row_of_index.data[world->impacts.trajectories.data[m].index]);
        }
    }
}

static void mark_spent(graze_world *world)
{
    for (uint32_t k = 0; k < world->bullets.spent.count; ++k) {
        const grz_spent *spent = &world->bullets.spent.data[k];
        const bool stands = world->bodies.rows.index[spent->row] == spent->index;
        grz_removal_mark(world,
                         stands ? spent->row : world->bodies.row_of_index.data[spent->index]);
    }
}

static void mark_hit(graze_world *world)
{
    const grz_solve *solve = &world->solve;
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        if (solve->ends.data[slot].gone) {
            grz_removal_mark(world, world->bodies.row_of_index.data[solve->ends.data[slot].index]);
        }
    }
}

static void mark_aged(graze_world *world)
{
    for (grz_row row = 0; row < world->bodies.active_count; ++row) {
        if ((world->bodies.rows.traits[row] & GRZ_TRAIT_EXPIRES) &&
            !grz_removal_is_marked(world, row) &&
            age(&world->bodies.lives.data[world->bodies.rows.index[row]], world->call.dt)) {
            grz_removal_mark(world, row);
        }
    }
}

// If no body can be removed in this step, none is tested.
static void retire(graze_world *world)
{
    const uint32_t before = world->bodies.count;
    mark_gone(world);
    mark_spent(world);
    mark_hit(world);
    if (world->found.totals.expiring) {
        mark_aged(world);
    }
    if (world->impacts.trajectories.count || world->bullets.spent.count ||
        world->found.totals.expiring || world->solve.rigid_count) {
        grz_removal_marked(world);
    }
    world->reports.stats.removed_count = before - world->bodies.count;
}

void grz_step_commit(graze_world *world)
{
    grz_bodies_forget_removed(world);
    grz_rows_advance(&world->bodies.rows, world->bodies.rotation_count > 0);
    if (world->bodies.rotation_count) {
        commit_angles(world);
    }
    grz_solve_commit(world);
    for (uint32_t m = 0; m < world->impacts.trajectories.count; ++m) {
        commit_trajectory(world, &world->impacts.trajectories.data[m]);
    }
    commit_spent(world);
    grz_step_order_rows(world);
    retire(world);
}
