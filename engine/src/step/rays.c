// Respond, last part: what dynamic rays meet, and where they end.

#include "step/rays.h"

#include "min_max.h"
#include "solve/deflect.h"
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
// That only reads the world, so each thread takes a block of rows, and lists the rays that are
// spent; all others are resolved one after the other, by events (respond.c), with the same result.

enum { BLOCK_ROWS = 1024 };

// Rows side by side need no copy: in worlds full of bullets most are.
static void load_ways(grz_ray_group *group)
{
    const grz_rows *rows = &group->world->bodies.rows;
    const grz_ray_list *rays = &group->rays;
    if (rays->count && rays->rows[rays->count - 1] - rays->rows[0] == rays->count - 1) {
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

static void find_outcomes(const graze_world *world, uint32_t first, uint32_t end,
                          grz_ray_outcomes *outcomes)
{
    grz_ray_group group;
    group.world = world;
    group.loops = grz_ray_loops_for(world->config.lanes);
    for (grz_row row = first; row < end;) {
        row = load_rays(&group, row, end);
        if (world->config.no_shortcuts) {
            memcpy(outcomes->open + outcomes->open_count, group.rays.rows,
                   group.rays.count * sizeof *group.rays.rows);
            outcomes->open_count += group.rays.count;
            continue;
        }
        grz_ray_group_find_walls(&group);
        grz_ray_group_find_outcomes(&group, outcomes);
    }
}

// --- Blocks of rows ---

enum { OF_SPENT, OF_CONTACTS, OF_OPEN, LISTS };

static uint32_t rows_of_block(const graze_world *world, uint32_t block)
{
    return min_u32(world->bodies.active_count - block * BLOCK_ROWS, BLOCK_ROWS);
}

static void find_block(graze_world *world, uint32_t block, grz_range *ranges)
{
    grz_ray_outcomes outcomes = {
        .spent = (grz_spent *)ranges[OF_SPENT].items + ranges[OF_SPENT].first,
        .contacts = (grz_contact *)ranges[OF_CONTACTS].items + ranges[OF_CONTACTS].first,
        .open = (uint32_t *)ranges[OF_OPEN].items + ranges[OF_OPEN].first,
    };
    const uint32_t first = block * BLOCK_ROWS;
    find_outcomes(world, first, first + rows_of_block(world, block), &outcomes);
    ranges[OF_SPENT].count = ranges[OF_CONTACTS].count = outcomes.spent_count;
    ranges[OF_OPEN].count = outcomes.open_count;
}

// The game's own filter is asked on the game's own thread.
static bool find_all(graze_world *world)
{
    grz_bullets *bullets = &world->bullets;
    const grz_finding finding = {
        .list_count = LISTS,
        .lists = {GRZ_FILLED(&bullets->spent), GRZ_FILLED(&world->found.contacts),
                  GRZ_FILLED(&bullets->open_rays)},
        .apart = {GRZ_FILLED(&bullets->spent_apart), GRZ_FILLED(&world->found.contacts_apart),
                  GRZ_FILLED(&bullets->open_apart)},
        .room = rows_of_block,
        .find = find_block,
        .in_turn = world->config.filter != NULL,
    };
    bullets->open_rays.count = 0;
    return grz_find_in_blocks(world, &finding,
                              grz_count_blocks(world->bodies.active_count, BLOCK_ROWS),
                              &bullets->ranges);
}

static bool let_others_respond(graze_world *world)
{
    for (uint32_t k = 0; k < world->bullets.open_rays.count; ++k) {
        if (!grz_respond_by_events(world, world->bullets.open_rays.data[k])) {
            return false;
        }
    }
    return true;
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

bool grz_step_rays(graze_world *world)
{
    if (!world->bodies.ray_count) {
        return true;
    }
    if (!find_all(world)) {
        return false;
    }
    world->impacts.hit_count += world->bullets.spent.count;
    return let_others_respond(world) && let_push(world);
}
