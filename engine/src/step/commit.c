// Commit: bodies go to where their trajectories end; spent and aged ones are removed.

#include "step/commit.h"

#include "bits.h"
#include "collide/predict.h"
#include "list.h"
#include "min_max.h"
#include "prefetch.h"
#include "solve/solve.h"
#include "step/step.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/parallel.h"
#include "world/rows.h"

#include <string.h>

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
    graze_vec2 velocity = without_negative_zero(narrow(trajectory->velocity));
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
    if (rows->traits[trajectory->row] & GRZ_TRAIT_BLOCK) {
        grz_bodies_renew_traits(world, trajectory->row); // It may stand from now on.
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
static void remove_bodies(graze_world *world)
{
    const uint32_t before = world->bodies.count;
    mark_gone(world);
    mark_spent(world);
    if (world->found.totals.expiring) {
        mark_aged(world);
    }
    if (world->impacts.trajectories.count || world->bullets.spent.count ||
        world->found.totals.expiring || world->solve.rigid_count) {
        grz_removal_marked(world);
    }
    world->reports.stats.removed_count = before - world->bodies.count;
}

static uint32_t traits_of_some(const uint32_t *traits, uint32_t first, uint32_t end)
{
    uint32_t any = 0;
    for (uint32_t row = first; row < end; ++row) {
        any |= traits[row];
    }
    return any;
}

// Few bodies are steered, or nearly all.
static void forget_steering(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    enum { SOME = 64 };
    grz_bodies *bodies = context;
    uint32_t *traits = bodies->rows.traits;
    (void)block;
    for (uint32_t some = first; some < end; some += SOME) {
        const uint32_t last = some + min_u32(end - some, SOME);
        const bool is_any = (traits_of_some(traits, some, last) & GRZ_TRAIT_STEERED) != 0;
        for (grz_row row = some; is_any && row < last; ++row) {
            if (traits[row] & GRZ_TRAIT_STEERED) {
                traits[row] -= GRZ_TRAIT_STEERED;
                bodies->cold.data[bodies->rows.index[row]].steered = false;
            }
        }
    }
}

void grz_step_commit(graze_world *world)
{
    grz_bodies_forget_removed(world);
    grz_rows_advance(&world->bodies.rows, world->bodies.rotation_count > 0);
    if (world->bodies.rotation_count) {
        commit_angles(world);
    }
    if (world->found.totals.traits & GRZ_TRAIT_STEERED) {
        grz_run_blocks(world, world->bodies.active_count, GRZ_BLOCK_ROWS, forget_steering,
                       &world->bodies);
    }
    grz_solve_commit(world);
    for (uint32_t m = 0; m < world->impacts.trajectories.count; ++m) {
        commit_trajectory(world, &world->impacts.trajectories.data[m]);
    }
    commit_spent(world);
    grz_step_order_rows(world);
    remove_bodies(world);
}

// --- Removal of many bodies at once ---

// Blocks of rows store their marked bodies in the list, each block from its own place on. Then the
// last rows fill the gaps.

enum {
    ROWS_AT_ONCE = 1024, ///< A multiple of GRZ_MARKS.
    AHEAD = 16           ///< How far ahead rows that move are prefetched.
};

_Static_assert(GRZ_BLOCK_ROWS % GRZ_MARKS == 0, "no two blocks share a word");

bool grz_removal_reserve(graze_world *world, size_t count)
{
    const graze_allocator *allocator = &world->config.counting;
    const uint32_t words = world->bodies.active_count / GRZ_MARKS + 1;
    const uint32_t blocks = grz_count_blocks(world->bodies.active_count, GRZ_BLOCK_ROWS);
    if (!grz_list_reserve(world->bodies.removed, allocator, count) ||
        !grz_array_reserve(&world->bodies.marked, allocator, words) ||
        !grz_array_reserve(&world->bodies.marked_blocks, allocator, blocks)) {
        return false;
    }
    for (; world->bodies.marked.count < words; ++world->bodies.marked.count) {
        world->bodies.marked.data[world->bodies.marked.count] = 0;
    }
    return true;
}

/// Some marked rows, in order.
typedef struct row_list {
    uint32_t count;
    uint32_t rows[ROWS_AT_ONCE];
} row_list;

// Lists marked rows from `first`, a multiple of GRZ_MARKS, to end - 1. Returns the row to continue
// with.
static uint32_t list_marked(const grz_bodies *bodies, uint32_t first, uint32_t end, row_list *list)
{
    const uint32_t last = end - first < ROWS_AT_ONCE ? end : first + ROWS_AT_ONCE;
    list->count = 0;
    for (; first < last; first += GRZ_MARKS) {
        uint64_t marks = bodies->marked.data[first / GRZ_MARKS];
        for (; marks; marks &= marks - 1) {
            list->rows[list->count++] = first + grz_lowest_bit(marks);
        }
    }
    return last;
}

static bool has_filter(const graze_world *world, grz_row row)
{
    const grz_index index = world->bodies.rows.index[row];
    return world->bodies.filter_count && !grz_filter_is_default(*grz_filter_of(world, index));
}

static void count_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    grz_marked_block found = {0, 0, 0, 0, 0, 0};
    row_list list;
    while (first < end) {
        first = list_marked(&world->bodies, first, end, &list);
        for (uint32_t k = 0; k < list.count; ++k) {
            const uint32_t traits = world->bodies.rows.traits[list.rows[k]];
            found.rotations += grz_row_has_rotation(traits);
            found.rects += grz_has_sides(traits);
            found.rays += grz_kind_of(traits) == GRAZE_SHAPE_RAY;
            found.filters += has_filter(world, list.rows[k]);
        }
        found.count += list.count;
    }
    world->bodies.marked_blocks.data[block] = found;
}

// Gives each block its place in the list. Returns how many bodies there are.
static uint32_t share_list(graze_world *world, uint32_t blocks)
{
    uint32_t sum = 0;
    for (uint32_t block = 0; block < blocks; ++block) {
        grz_marked_block *own = &world->bodies.marked_blocks.data[block];
        own->first = (uint32_t)grz_list_count(world->bodies.removed) + sum;
        sum += own->count;
        world->bodies.rect_count -= own->rects;
        world->bodies.rotation_count -= own->rotations;
        world->bodies.ray_count -= own->rays;
        world->bodies.filter_count -= own->filters;
    }
    return sum;
}

// HOT. bench: engine/step/bullets-bodies
//
// Data    32 bytes of a row, nearly in order; 44 written in order, and 4 anywhere, prefetched.
static void remove_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    const grz_index *index = world->bodies.rows.index;
    uint32_t *row_of_index = world->bodies.row_of_index.data;
    uint32_t place = world->bodies.marked_blocks.data[block].first;
    row_list list;
    while (first < end) {
        first = list_marked(&world->bodies, first, end, &list);
        for (uint32_t k = 0; k < list.count; ++k) {
            GRZ_PREFETCH(&row_of_index[index[list.rows[k]]]);
        }
        for (uint32_t k = 0; k < list.count; ++k, ++place) {
            world->bodies.removed[place] = grz_bodies_read_row(world, list.rows[k]);
            row_of_index[index[list.rows[k]]] = grz_row_of_removed(place);
        }
    }
}

/// Gaps among the remaining rows, and the rows that fill them.
typedef struct fill_job {
    graze_world *world;
    uint32_t left;
    const uint32_t *rows; ///< Those after them that stay, the last one first: one for each gap.
    const uint32_t *end;
} fill_job;

// What Predict filled means nothing any more: its column has room.
static fill_job list_last(graze_world *world, uint32_t left)
{
    uint32_t *rows = (uint32_t *)(void *)world->bodies.rows.end;
    uint32_t count = 0;
    for (grz_row row = world->bodies.active_count; row-- > left;) {
        rows[count] = row;
        count += !grz_removal_is_marked(world, row);
    }
    const fill_job listed = {world, left, rows, rows + count};
    return listed;
}

static void fill_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const fill_job *job = context;
    graze_world *world = job->world;
    const grz_marked_block *blocks = world->bodies.marked_blocks.data;
    const uint32_t *from = job->rows + (blocks[block].first - blocks[0].first);
    row_list list;
    while (first < end) {
        first = list_marked(&world->bodies, first, end, &list);
        for (uint32_t k = 0; k < list.count && list.rows[k] < job->left; ++k) {
            const uint32_t to = list.rows[k];
            const uint32_t next = job->end - from > AHEAD ? from[AHEAD] : *from;
            GRZ_PREFETCH(&world->bodies.row_of_index.data[world->bodies.rows.index[next]]);
            grz_rows_copy_state(&world->bodies.rows, to, *from);
            world->bodies.row_of_index.data[world->bodies.rows.index[to]] = to;
            ++from;
        }
    }
}

// Still rows follow the active ones without a gap.
static void move_still(graze_world *world, uint32_t left)
{
    const uint32_t gone = world->bodies.active_count - left;
    const uint32_t still = world->bodies.count - world->bodies.active_count;
    const uint32_t moved = still < gone ? still : gone;
    for (uint32_t k = 0; k < moved; ++k) {
        const grz_row to = left + k;
        grz_rows_copy(&world->bodies.rows, to, world->bodies.count - moved + k);
        world->bodies.row_of_index.data[world->bodies.rows.index[to]] = to;
    }
    world->bodies.active_count = left;
    world->bodies.count -= gone;
}

void grz_removal_marked(graze_world *world)
{
    const uint32_t rows = world->bodies.active_count;
    const uint32_t blocks = grz_count_blocks(rows, GRZ_BLOCK_ROWS);
    grz_run_blocks(world, rows, GRZ_BLOCK_ROWS, count_block, world);
    const uint32_t count = share_list(world, blocks);
    if (!count) {
        return;
    }
    grz_list_extend(world->bodies.removed, count);
    grz_run_blocks(world, rows, GRZ_BLOCK_ROWS, remove_block, world);
    fill_job job = list_last(world, rows - count);
    grz_run_blocks(world, rows - count, GRZ_BLOCK_ROWS, fill_block, &job);
    move_still(world, rows - count);
    memset(world->bodies.marked.data, 0,
           (rows / GRZ_MARKS + 1) * sizeof *world->bodies.marked.data);
}
