#include "solve/isolated.h"

#include "min_max.h"
#include "solve/apply_impact.h"
#include "solve/impact_queue.h"
#include "solve/impact_walls.h"
#include "solve/trajectory.h"
#include "world/adjacency.h"
#include "world/parallel.h"

#include <string.h>

enum { EVENTS = 64 }; ///< Room of a block: most bodies have a few at a time.

// Few events are quickly sorted, and the data of the body is cached.
static bool respond(graze_world *world, grz_agenda *agenda, grz_row row)
{
    bool done = grz_find_impacts_walls(world, agenda, row, true) && grz_events_sort(agenda);
    while (done && grz_events_are_left(agenda)) {
        done = grz_apply_impact(world, agenda, grz_event_pop(agenda));
    }
    grz_events_clear(agenda);
    return done;
}

// Whether a block may answer what happens to a body: contacts with sensors are of the candidate
// pairs.
static bool is_over_nothing(const graze_world *world, grz_row row)
{
    return grz_is_isolated(world, row) && grz_link_first(world, row) == GRZ_NONE;
}

static void put_back(graze_world *world, grz_trajectory *trajectory, const grz_trajectory *before)
{
    *trajectory = *before;
    grz_trajectory_note_course(world, trajectory);
}

// Returns false if there is too little room.
static bool respond_in_room(graze_world *world, grz_agenda *agenda, grz_trajectory *trajectory)
{
    const grz_trajectory before = *trajectory;
    const uint32_t count = agenda->contacts->count;
    const uint64_t hit_count = agenda->hit_count;
    if (respond(world, agenda, trajectory->row)) {
        return true;
    }
    put_back(world, trajectory, &before);
    agenda->contacts->count = count;
    agenda->hit_count = hit_count;
    return false;
}

static void respond_in_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    grz_isolated_block *part = &world->impacts.isolated_blocks.data[block];
    grz_event events[EVENTS];
    grz_queued list[EVENTS], heap[EVENTS];
    grz_contacts contacts = {.data = world->bullets.block_fresh.data + part->first,
                             .capacity = part->room};
    grz_agenda agenda = {.events = {.data = events, .capacity = EVENTS},
                         .list = {.data = list, .capacity = EVENTS},
                         .heap = {.data = heap, .capacity = EVENTS},
                         .mover_row = GRZ_NONE,
                         .contacts = &contacts};
    bool fits = true;
    for (part->left = first; fits && part->left < end; part->left += fits) {
        grz_trajectory *trajectory = &world->impacts.trajectories.data[part->left];
        fits =
            !is_over_nothing(world, trajectory->row) || respond_in_room(world, &agenda, trajectory);
    }
    part->count = contacts.count;
    part->hit_count = agenda.hit_count;
}

// As many contacts as walls are near: a body that meets one is seldom turned into it again.
static uint32_t room_of_block(const graze_world *world, uint32_t block)
{
    const uint32_t first = block * GRZ_BLOCK_TRAJECTORIES,
                   rest = world->impacts.trajectories.count - first;
    uint32_t room = 0;
    for (uint32_t m = first; m < first + min_u32(rest, GRZ_BLOCK_TRAJECTORIES); ++m) {
        room += world->impacts.trajectories.data[m].known_walls.count;
    }
    return room;
}

static bool place_blocks(graze_world *world, uint32_t blocks)
{
    uint64_t end = 0;
    if (!grz_array_reserve(&world->impacts.isolated_blocks, &world->config.counting, blocks)) {
        return false;
    }
    for (uint32_t block = 0; block < blocks; ++block) {
        const grz_isolated_block part = {.first = (uint32_t)end,
                                         .room = room_of_block(world, block)};
        world->impacts.isolated_blocks.data[block] = part;
        end += part.room;
    }
    world->impacts.isolated_blocks.count = blocks;
    return end < GRZ_NONE &&
           grz_array_reserve(&world->bullets.block_fresh, &world->config.counting, (size_t)end);
}

static void join_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    const grz_isolated_block *part = &world->impacts.isolated_blocks.data[block];
    (void)first;
    (void)end;
    if (part->count) {
        memcpy(world->found.fresh.data + part->joined,
               world->bullets.block_fresh.data + part->first,
               part->count * sizeof *world->found.fresh.data);
    }
}

static bool join_blocks(graze_world *world)
{
    uint64_t end = world->found.fresh.count;
    for (uint32_t block = 0; block < world->impacts.isolated_blocks.count; ++block) {
        grz_isolated_block *part = &world->impacts.isolated_blocks.data[block];
        part->joined = (uint32_t)end;
        end += part->count;
        world->impacts.agenda.hit_count += part->hit_count;
    }
    if (end >= GRZ_NONE ||
        !grz_array_reserve(&world->found.fresh, &world->config.counting, (size_t)end)) {
        return false;
    }
    grz_run_blocks(world, world->impacts.trajectories.count, GRZ_BLOCK_TRAJECTORIES, join_block,
                   world);
    world->found.fresh.count = (uint32_t)end;
    return true;
}

static bool respond_in_blocks(graze_world *world, uint32_t blocks)
{
    if (!place_blocks(world, blocks)) {
        return false;
    }
    grz_run_blocks(world, world->impacts.trajectories.count, GRZ_BLOCK_TRAJECTORIES,
                   respond_in_block, world);
    return join_blocks(world);
}

// --- One after the other ---

// What is left of a block, or is over sensors. The game's own filter is asked on the game's own
// thread.
bool grz_respond_isolated(graze_world *world)
{
    const uint32_t blocks =
        grz_count_blocks(world->impacts.trajectories.count, GRZ_BLOCK_TRAJECTORIES);
    const bool in_blocks = world->config.parallel && !world->config.filter && blocks > 1;
    if (in_blocks && !respond_in_blocks(world, blocks)) {
        return false;
    }
    for (uint32_t m = 0; m < world->impacts.trajectories.count; ++m) {
        const grz_row row = world->impacts.trajectories.data[m].row;
        const bool is_done =
            in_blocks && is_over_nothing(world, row) &&
            m < world->impacts.isolated_blocks.data[m / GRZ_BLOCK_TRAJECTORIES].left;
        if (!is_done && grz_is_isolated(world, row) &&
            !respond(world, &world->impacts.agenda, row)) {
            return false;
        }
    }
    return true;
}
