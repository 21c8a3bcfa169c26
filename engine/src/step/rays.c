// Respond, last part: what dynamic rays meet, and where they end.

#include "step/rays.h"

#include "min_max.h"
#include "solve/deflect.h"
#include "step/ray_group.h"
#include "step/step.h"
#include "world/parallel.h"

#include <string.h>

// Rays stop nobody: they come last, when all other courses are known, and none depends on another.
//
// Most rays touch nothing. Most of the others are bullets that their first hit spends: nothing
// after it counts, so only the first has to be found. Such a ray is plain: its next hit is its
// last, nothing that it met in the last step can keep it from counting, and up to there it goes
// straight. Decide has found its touches of round kinematic bodies; here the walls of many
// rays are found together (ray_group.c), and the first of all touches is chosen
// (ray_group.c).
//
// That only reads the world, so each thread takes a block of rows. Then each block lists the rays
// that are spent; all others are resolved one after the other, by events (respond.c), with the
// same result.

enum { BLOCK_ROWS = 1024 };

static bool are_side_by_side(const grz_ray_list *rays)
{
    return rays->count && rays->rows[rays->count - 1] - rays->rows[0] == rays->count - 1;
}

// Rows side by side need no copy: in worlds full of bullets most are.
static void load_ways(grz_ray_group *group)
{
    const grz_rows *rows = &group->world->bodies.rows;
    const grz_ray_list *rays = &group->rays;
    if (are_side_by_side(rays)) {
        group->from = rows->position + rays->rows[0];
        group->to = rows->end + rays->rows[0];
        return;
    }
    group->from = group->own[0];
    group->to = group->own[1];
    for (uint32_t i = 0; i < rays->count; ++i) {
        group->own[0][i] = rows->position[rays->rows[i]];
        group->own[1][i] = rows->end[rays->rows[i]];
    }
}

// Loads the dynamic rays from `row` to `end` that may meet anything; returns the row to continue
// with.
static uint32_t load_rays(grz_ray_group *group, grz_row row, uint32_t end)
{
    const graze_world *world = group->world;
    const bool all = world->terrain.segment_count || world->config.no_shortcuts;
    const bool has_links = world->found.candidates.count || world->found.ray_touches.count;
    row = group->loops->list(world->bodies.rows.traits,
                             has_links ? world->impacts.link_of_row.data : NULL, row, end, all,
                             &group->rays);
    load_ways(group);
    return row;
}

static void leave_open(const grz_ray_list *rays, grz_ray_outcomes *outcomes)
{
    memcpy(outcomes->open + outcomes->open_count, rays->rows, rays->count * sizeof *rays->rows);
    outcomes->open_count += rays->count;
}

static void find_outcomes(const graze_world *world, uint32_t first, uint32_t end,
                          grz_ray_outcomes *outcomes)
{
    grz_ray_group group;
    group.world = world;
    group.loops = grz_ray_loops_for(world->config.lanes);
    for (grz_row row = first; row < end;) {
        row = load_rays(&group, row, end);
        if (world->config.no_shortcuts) {
            leave_open(&group.rays, outcomes);
            continue;
        }
        grz_ray_group_find_walls(&group);
        grz_ray_group_find_outcomes(&group, outcomes);
    }
}

// --- Some blocks of rows at a time ---

/// Rows whose rays respond together: all, or one block of them.
typedef struct row_span {
    graze_world *world;
    uint32_t first, count; ///< Rows.
    uint32_t blocks;
} row_span;

static bool reserve_outcomes(const row_span *span)
{
    graze_world *world = span->world;
    const graze_allocator *allocator = &world->config.counting;
    return grz_array_reserve(&world->bullets.block_spent, allocator, span->count) &&
           grz_array_reserve(&world->bullets.block_contacts, allocator, span->count) &&
           grz_array_reserve(&world->bullets.open_rays, allocator, span->count) &&
           grz_array_reserve(&world->bullets.outcome_blocks, allocator, span->blocks);
}

// Rows count from the span's first.
static void find_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const row_span *span = context;
    const graze_world *world = span->world;
    grz_ray_outcomes outcomes = {.spent = world->bullets.block_spent.data + first,
                                 .contacts = world->bullets.block_contacts.data + first,
                                 .open = world->bullets.open_rays.data + first};
    find_outcomes(world, span->first + first, span->first + end, &outcomes);
    const grz_outcome_block found = {.open = outcomes.open_count, .spent = outcomes.spent_count};
    world->bullets.outcome_blocks.data[block] = found;
}

static void spend_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    const grz_outcome_block *outcomes = &world->bullets.outcome_blocks.data[block];
    const size_t from = (size_t)block * BLOCK_ROWS;
    (void)first;
    (void)end;
    memcpy(world->bullets.spent.data + world->bullets.spent.count + outcomes->first,
           world->bullets.block_spent.data + from,
           outcomes->spent * sizeof *world->bullets.spent.data);
    memcpy(world->found.contacts.data + world->found.contacts.count + outcomes->first,
           world->bullets.block_contacts.data + from,
           outcomes->spent * sizeof *world->found.contacts.data);
}

// Returns false if memory runs out.
static bool let_be_spent(graze_world *world, uint32_t blocks)
{
    const graze_allocator *allocator = &world->config.counting;
    uint32_t spent = 0;
    for (uint32_t block = 0; block < blocks; ++block) {
        grz_outcome_block *outcomes = &world->bullets.outcome_blocks.data[block];
        outcomes->first = spent;
        spent += outcomes->spent;
    }
    if (spent == 0) {
        return true; // There may be no room yet to point into.
    }
    if (!grz_array_reserve_more(&world->bullets.spent, allocator, spent) ||
        !grz_array_reserve_more(&world->found.contacts, allocator, spent)) {
        return false;
    }
    grz_run_blocks(world, blocks, 1, spend_block, world);
    world->bullets.spent.count += spent;
    world->found.contacts.count += spent;
    world->impacts.hit_count += spent;
    return true;
}

static bool let_others_respond(graze_world *world, uint32_t blocks)
{
    for (uint32_t block = 0; block < blocks; ++block) {
        const uint32_t *rows = world->bullets.open_rays.data + (size_t)block * BLOCK_ROWS;
        for (uint32_t k = 0; k < world->bullets.outcome_blocks.data[block].open; ++k) {
            if (!grz_respond_by_events(world, rows[k])) {
                return false;
            }
        }
    }
    return true;
}

// Returns false if memory runs out.
static bool respond(row_span *span)
{
    if (!reserve_outcomes(span)) {
        return false;
    }
    grz_run_blocks(span->world, span->count, BLOCK_ROWS, find_block, span);
    return let_be_spent(span->world, span->blocks) && let_others_respond(span->world, span->blocks);
}

// What is hit by rays that are spent: the courses of all are known.
static bool let_push(graze_world *world)
{
    const bool any = world->found.totals.free_shapes || world->solve.rigid_count;
    for (uint32_t k = 0; any && k < world->bullets.spent.count; ++k) {
        const grz_spent *spent = &world->bullets.spent.data[k];
        if (spent->candidate != GRZ_NONE &&
            !grz_push_by_ray(world, spent->row, &world->found.candidates.data[spent->candidate])) {
            return false;
        }
    }
    return true;
}

// One thread takes block after block, and so needs room for one. The game's own filter is asked on
// the game's own thread.
bool grz_step_rays(graze_world *world)
{
    const bool at_once = world->config.parallel && !world->config.filter;
    const uint32_t rows = at_once ? world->bodies.active_count : BLOCK_ROWS;
    for (uint32_t first = 0; first < world->bodies.active_count; first += rows) {
        const uint32_t rest = world->bodies.active_count - first, count = min_u32(rest, rows);
        row_span span = {world, first, count, grz_count_blocks(count, BLOCK_ROWS)};
        if (!respond(&span)) {
            return false;
        }
    }
    return let_push(world);
}
