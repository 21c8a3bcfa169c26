// Respond, last part: what free rays meet, and where they end.

#include "contact/contact_order.h"
#include "min_max.h"
#include "parallel.h"
#include "rays/ray_group.h"
#include "respond/deflect.h"
#include "step.h"

#include <string.h>

// Rays stop nobody: they come last, when all other courses are known, and none depends on another.
//
// Most rays touch nothing. Most of the others are bullets that their first hit spends: nothing
// after it counts, so only the first has to be found. Such a ray is plain: its next hit is its
// last, nothing that it met in the last step can keep it from counting, and up to there it goes
// straight. Decide has found its touches of round bodies on fixed courses; here the walls of many
// rays are found together (ray_group_walls.c), and the first of all touches is chosen
// (ray_group_outcomes.c).
//
// That only reads the world, so each thread takes a block of rows. Then each block lists the rays
// that are spent; all others are resolved one after the other, by events (step_respond.c), with the
// same result.

enum { BLOCK_ROWS = 1024 };

static bool are_side_by_side(const grz_ray_list *rays)
{
    return rays->count && rays->rows[rays->count - 1] - rays->rows[0] == rays->count - 1;
}

// Rows side by side need no copy: in worlds full of bullets most are.
static void load_ways(grz_ray_group *group)
{
    const grz_rows *rows = &group->world->rows;
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

// Loads the free rays from `row` to `end` that may meet anything; returns the row to continue with.
static uint32_t load_rays(grz_ray_group *group, uint32_t row, uint32_t end)
{
    const graze_world *world = group->world;
    const bool all = world->segment_count || world->no_shortcuts;
    const bool has_links = world->meetings.count || world->ray_touches.count;
    row = group->loops->list(world->rows.traits, has_links ? world->link_of_row.data : NULL, row,
                             end, all, &group->rays);
    load_ways(group);
    return row;
}

static void find_outcomes(const graze_world *world, uint32_t first, uint32_t end,
                          grz_ray_outcomes *outcomes)
{
    grz_ray_group group;
    group.world = world;
    group.loops = grz_ray_loops_for(world->lanes);
    for (uint32_t row = first; row < end;) {
        row = load_rays(&group, row, end);
        grz_ray_group_find_walls(&group);
        grz_ray_group_find_outcomes(&group, outcomes);
    }
}

static bool let_others_respond(graze_world *world, const uint32_t *rows, uint32_t count)
{
    for (uint32_t k = 0; k < count; ++k) {
        if (!grz_respond_by_events(world, rows[k])) {
            return false;
        }
    }
    return true;
}

// Makes room for hits after those of bodies on fixed courses. Each takes a touch. Returns false if
// memory runs out.
static bool reserve_hits(graze_world *world, uint32_t count)
{
    const size_t room = (size_t)grz_fixed_hits_end(world) + count;
    return grz_array_reserve(&world->hits, &world->counting, room) &&
           grz_array_reserve(&world->hit_ranks, &world->counting, room);
}

// --- One thread: results are stored in place ---

static bool reserve_for_rows(graze_world *world, uint32_t rows)
{
    const graze_allocator *allocator = &world->counting;
    return grz_array_reserve_more(&world->spent, allocator, rows) &&
           grz_array_reserve_more(&world->fresh, allocator, rows) &&
           grz_array_reserve(&world->open_rays, allocator, rows);
}

static void add_counts(graze_world *world, uint32_t spent, uint32_t hits)
{
    world->spent.count += spent;
    world->fresh.count += spent - hits;
    world->ray_hit_count += hits;
    world->hit_count += spent;
}

// One block after the other; its other rays follow at once, by events, in the order of rows.
static bool respond_in_turn(graze_world *world)
{
    if (!reserve_hits(world, world->ray_touches.count)) {
        return false;
    }
    for (uint32_t first = 0; first < world->active_count; first += BLOCK_ROWS) {
        const uint32_t rest = world->active_count - first;
        const uint32_t rows = min_u32(rest, BLOCK_ROWS);
        if (!reserve_for_rows(world, rows)) {
            return false;
        }
        const uint32_t hit = grz_fixed_hits_end(world) + world->ray_hit_count;
        grz_ray_outcomes outcomes = {.spent = world->spent.data + world->spent.count,
                                     .hits = world->hits.data + hit,
                                     .ranks = world->hit_ranks.data + hit,
                                     .contacts = world->fresh.data + world->fresh.count,
                                     .open = world->open_rays.data};
        find_outcomes(world, first, first + rows, &outcomes);
        add_counts(world, outcomes.spent_count, outcomes.hit_count);
        if (!let_others_respond(world, outcomes.open, outcomes.open_count)) {
            return false;
        }
    }
    return true;
}

// --- Several threads: results are joined afterwards ---

static void find_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    grz_ray_outcomes outcomes = {.spent = world->block_spent.data + first,
                                 .contacts = world->block_fresh.data + first,
                                 .open = world->open_rays.data + first};
    if (world->ray_touches.count) {
        outcomes.hits = world->block_hits.data + first;
        outcomes.ranks = world->block_ranks.data + first;
    }
    find_outcomes(world, first, end, &outcomes);
    const grz_outcome_block found = {
        .open = outcomes.open_count, .spent = outcomes.spent_count, .hits = outcomes.hit_count};
    world->outcome_blocks.data[block] = found;
}

// Where all are spent by hits there may be no list of fresh contacts, and where by none no hits.
static void spend_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    const grz_outcome_block *outcomes = &world->outcome_blocks.data[block];
    const size_t from = (size_t)block * BLOCK_ROWS;
    const uint32_t hit = grz_fixed_hits_end(world) + outcomes->first_hit;
    const uint32_t fresh = world->fresh.count + outcomes->first - outcomes->first_hit;
    (void)first;
    (void)end;
    memcpy(world->spent.data + outcomes->first, world->block_spent.data + from,
           outcomes->spent * sizeof *world->spent.data);
    if (outcomes->spent > outcomes->hits) {
        memcpy(world->fresh.data + fresh, world->block_fresh.data + from,
               (outcomes->spent - outcomes->hits) * sizeof *world->fresh.data);
    }
    if (outcomes->hits) {
        memcpy(world->hits.data + hit, world->block_hits.data + from,
               outcomes->hits * sizeof *world->hits.data);
        memcpy(world->hit_ranks.data + hit, world->block_ranks.data + from,
               outcomes->hits * sizeof *world->hit_ranks.data);
    }
}

// Returns false if memory runs out.
static bool let_be_spent(graze_world *world, uint32_t blocks)
{
    uint32_t spent = 0, hits = 0;
    for (uint32_t block = 0; block < blocks; ++block) {
        grz_outcome_block *outcomes = &world->outcome_blocks.data[block];
        outcomes->first = spent;
        outcomes->first_hit = hits;
        spent += outcomes->spent;
        hits += outcomes->hits;
    }
    if (spent == 0) {
        return true; // There may be no room yet to point into.
    }
    if (!grz_array_reserve_more(&world->spent, &world->counting, spent) ||
        !grz_array_reserve_more(&world->fresh, &world->counting, spent - hits) ||
        !reserve_hits(world, hits)) {
        return false;
    }
    grz_run_blocks(world, blocks, 1, spend_block, world);
    add_counts(world, spent, hits);
    return true;
}

static bool reserve_for_blocks(graze_world *world, uint32_t blocks)
{
    const graze_allocator *allocator = &world->counting;
    const uint32_t rows = world->active_count;
    return grz_array_reserve(&world->block_spent, allocator, rows) &&
           grz_array_reserve(&world->block_fresh, allocator, rows) &&
           (!world->ray_touches.count ||
            (grz_array_reserve(&world->block_hits, allocator, rows) &&
             grz_array_reserve(&world->block_ranks, allocator, rows))) &&
           grz_array_reserve(&world->open_rays, allocator, rows) &&
           grz_array_reserve(&world->outcome_blocks, allocator, blocks);
}

static bool respond_at_once(graze_world *world, uint32_t blocks)
{
    if (!reserve_for_blocks(world, blocks)) {
        return false;
    }
    grz_run_blocks(world, world->active_count, BLOCK_ROWS, find_block, world);
    if (!let_be_spent(world, blocks)) {
        return false;
    }
    for (uint32_t block = 0; block < blocks; ++block) {
        const uint32_t *open = world->open_rays.data + (size_t)block * BLOCK_ROWS;
        if (!let_others_respond(world, open, world->outcome_blocks.data[block].open)) {
            return false;
        }
    }
    return true;
}

// What is hit by rays that are spent: the courses of all are known.
static bool let_push(graze_world *world)
{
    const bool any = world->totals.free_shapes || world->solve.rigid_count;
    for (uint32_t k = 0; any && k < world->spent.count; ++k) {
        const grz_spent *spent = &world->spent.data[k];
        if (spent->meeting != GRZ_NONE &&
            !grz_push_by_ray(world, spent->row, &world->meetings.data[spent->meeting])) {
            return false;
        }
    }
    return true;
}

// The game's own filter is asked on the game's own thread.
bool grz_step_rays(graze_world *world)
{
    const uint32_t blocks = grz_count_blocks(world->active_count, BLOCK_ROWS);
    const bool at_once = world->parallel && !world->filter && blocks > 1;
    return (at_once ? respond_at_once(world, blocks) : respond_in_turn(world)) && let_push(world);
}
