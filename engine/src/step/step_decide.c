// Decide: where kinematic bodies meet terrain.

#include "collide/box.h"
#include "collide/contact_make.h"
#include "collide/pair_sweep.h"
#include "collide/terrain_sweep.h"
#include "min_max.h"
#include "step/step.h"
#include "world/parallel.h"
#include "world/rows.h"

#include <string.h>

// Pairs of bodies were decided as they were found (step_pairs.c, decide.c). Only walls are left.
//
// Most movers are far from all walls: groups are looked up together, and only those near a wall are
// read further. Each block of rows has room of its own for contacts: for those that it found in the
// last step, and a few more. One that finds still more is searched again, with all the room that it
// needs.

enum {
    MOVERS_AT_ONCE = 64,
    BLOCK_ROWS = 1024, ///< Few: bodies that are no dynamic rays may all lie side by side.
    SPARE_ROOM = 64    ///< Contacts of a block.
};

/// The room for a block's contacts.
typedef struct contact_sink {
    graze_contact *contacts;
    uint64_t count, capacity; ///< Keeps counting without room.
} contact_sink;

/// Some kinematic movers.
typedef struct mover_group {
    const graze_world *world;
    contact_sink *sink;
    uint32_t count;
    uint32_t rows[MOVERS_AT_ONCE];
    graze_vec2 from[MOVERS_AT_ONCE], to[MOVERS_AT_ONCE]; ///< A ray's move, else corners of the box.
    uint8_t searched[MOVERS_AT_ONCE];                    ///< graze_segment_search.
    bool known[MOVERS_AT_ONCE];                          ///< The two below are filled.
    grz_mover movers[MOVERS_AT_ONCE];
    grz_move moves[MOVERS_AT_ONCE];
} mover_group;

static void put_contact(const graze_world *world, contact_sink *sink, grz_row row,
                        graze_segment_id segment, const grz_touch *touch)
{
    if (sink->count < sink->capacity) {
        sink->contacts[sink->count] = grz_contact_on_course(world, row, segment, touch);
    }
    ++sink->count;
}

static uint32_t load_movers(mover_group *group, grz_row row, uint32_t end)
{
    const grz_rows *rows = &group->world->bodies.rows;
    group->count = 0;
    for (; row < end && group->count < MOVERS_AT_ONCE; ++row) {
        if (rows->traits[row] & GRZ_TRAIT_OPEN) {
            continue;
        }
        const uint32_t place = group->count++;
        group->rows[place] = row;
        group->known[place] = false;
        group->from[place] = rows->position[row];
        group->to[place] = rows->end[row];
        if (grz_kind_of(rows->traits[row]) != GRAZE_SHAPE_RAY) {
            graze_aabb box =
                grz_swept_box(rows->position[row], rows->end[row], grz_extent_of(rows, row));
            group->from[place] = box.lower;
            group->to[place] = box.upper;
        }
    }
    return row;
}

static const grz_move *know_move(mover_group *group, uint32_t place)
{
    const grz_rows *rows = &group->world->bodies.rows;
    const grz_row row = group->rows[place];
    if (!group->known[place]) {
        group->known[place] = true;
        group->movers[place] = grz_mover_of(group->world, row);
        group->moves[place] =
            grz_move_of(group->world, &group->movers[place], rows->position[row], rows->end[row]);
    }
    return &group->moves[place];
}

// The corner-to-corner move of a box is through the box: only a search of the whole box is enough.
static bool is_searched(const mover_group *group, uint32_t place)
{
    const uint32_t traits = group->world->bodies.rows.traits[group->rows[place]];
    const bool ray = grz_kind_of(traits) == GRAZE_SHAPE_RAY;
    return group->searched[place] == GRAZE_SEGMENT_SEARCH_BOX ||
           (ray && group->searched[place] == GRAZE_SEGMENT_SEARCH_MOVE);
}

static void take_finds(void *context, const graze_segment_finds *finds)
{
    mover_group *group = context;
    for (uint32_t i = 0; i < finds->count; ++i) {
        const uint32_t place = finds->move[i];
        const grz_wall wall = {
            {{finds->ax[i], finds->ay[i]}, {finds->bx[i], finds->by[i]}},
            finds->names[i]->owner,
            finds->names[i]->item,
        };
        grz_touch touch;
        if (grz_touch_wall(know_move(group, place), &wall, &touch)) {
            put_contact(group->world, group->sink, group->rows[place],
                        grz_wall_id(group->world, &wall), &touch);
        }
    }
}

// It finds the same contacts again, to the bit; like all that cells list twice, they are dropped.
static void walk_along_walls(mover_group *group, uint32_t place)
{
    const grz_move *move = know_move(group, place);
    grz_wall_walk walk;
    grz_wall_walk_begin(&walk, group->world, move->mover, move->from, move->to);
    grz_touch touch;
    graze_segment_id segment;
    while (grz_wall_walk_next(&walk, 1, &touch, &segment)) {
        put_contact(group->world, group->sink, group->rows[place], segment, &touch);
    }
}

static void search_rows(const graze_world *world, uint32_t first, uint32_t end, contact_sink *sink)
{
    mover_group group;
    group.world = world;
    group.sink = sink;
    for (grz_row row = first; row < end;) {
        row = load_movers(&group, row, end);
        const graze_segment_search all =
            graze_segment_grid_find(&world->terrain.grid, group.from, group.to, group.count,
                                    group.searched, take_finds, &group);
        for (uint32_t i = 0; all != GRAZE_SEGMENT_SEARCH_BOX && i < group.count; ++i) {
            if (!is_searched(&group, i)) {
                walk_along_walls(&group, i);
            }
        }
    }
}

// HOT. bench: engine/step/bullet-hell
//
// Data    Position, end, half and traits of a row, 28 bytes; one byte of the cells around it. For
//         movers near a wall the rest of the row, and each near wall.
// Branch  Per group, except movers near a wall.
static void search_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    grz_wall_block *part = &world->found.wall_blocks.data[block];
    if (part->is_searched) {
        return;
    }
    contact_sink sink = {world->found.wall_contacts.data + part->first, 0, part->room};
    search_rows(world, first, end, &sink);
    part->count = sink.count;
    part->is_searched = part->count <= part->room;
}

// The game's own filter is asked on the game's own thread.
static void search_blocks(graze_world *world, uint32_t blocks)
{
    const uint32_t count = world->bodies.active_count;
    if (!world->config.filter) {
        grz_run_blocks(world, count, BLOCK_ROWS, search_block, world);
        return;
    }
    for (uint32_t block = 0; block < blocks; ++block) {
        const uint32_t first = block * BLOCK_ROWS;
        const uint32_t rest = count - first;
        search_block(world, block, first, first + min_u32(rest, BLOCK_ROWS));
    }
}

// Blocks that the last step did not have found nothing in it.
static bool reserve_blocks(graze_world *world, uint32_t blocks)
{
    if (!grz_array_reserve(&world->found.wall_blocks, &world->config.counting, blocks)) {
        return false;
    }
    for (; world->found.wall_blocks.count < blocks; ++world->found.wall_blocks.count) {
        const grz_wall_block empty = {0, 0, 0, false};
        world->found.wall_blocks.data[world->found.wall_blocks.count] = empty;
    }
    world->found.wall_blocks.count = blocks;
    return true;
}

static void place_block(graze_world *world, uint32_t block, uint64_t room, uint64_t *end)
{
    grz_wall_block *part = &world->found.wall_blocks.data[block];
    part->first = *end;
    part->room = room;
    part->is_searched = false;
    *end += room;
}

static bool reserve_contacts(graze_world *world, uint64_t count)
{
    return count <= UINT32_MAX &&
           grz_array_reserve(&world->found.wall_contacts, &world->config.counting, (size_t)count);
}

// Places those that found more than their room takes after all others. Returns where the last ends.
static uint64_t place_again(graze_world *world, uint64_t end)
{
    for (uint32_t block = 0; block < world->found.wall_blocks.count; ++block) {
        const grz_wall_block *part = &world->found.wall_blocks.data[block];
        if (!part->is_searched) {
            place_block(world, block, part->count, &end);
        }
    }
    return end;
}

static bool search_all(graze_world *world, uint32_t blocks)
{
    uint64_t end = 0, searched_end = 0;
    for (uint32_t block = 0; block < blocks; ++block) {
        const uint64_t before = world->found.wall_blocks.data[block].count;
        place_block(world, block, before + before / 4 + SPARE_ROOM, &end);
    }
    while (end > searched_end) {
        if (!reserve_contacts(world, end)) {
            return false;
        }
        search_blocks(world, blocks);
        searched_end = end;
        end = place_again(world, end);
    }
    return true;
}

static bool gather_contacts(graze_world *world)
{
    uint64_t count = 0;
    for (uint32_t block = 0; block < world->found.wall_blocks.count; ++block) {
        count += world->found.wall_blocks.data[block].count;
    }
    if (!grz_array_reserve(&world->found.fresh, &world->config.counting, (size_t)count)) {
        return false;
    }
    for (uint32_t block = 0; block < world->found.wall_blocks.count; ++block) {
        const grz_wall_block *part = &world->found.wall_blocks.data[block];
        if (part->count) {
            memcpy(world->found.fresh.data + world->found.fresh.count,
                   world->found.wall_contacts.data + part->first,
                   (size_t)part->count * sizeof *world->found.fresh.data);
        }
        world->found.fresh.count += (uint32_t)part->count;
    }
    return true;
}

// Returns false if memory runs out; what blocks found is then forgotten, so that the next step need
// not ask for as much.
static bool find_walls(graze_world *world)
{
    const uint32_t blocks = grz_count_blocks(world->bodies.active_count, BLOCK_ROWS);
    const bool are_all_free =
        world->found.totals.free + world->found.totals.rigid == world->bodies.active_count;
    if (!world->terrain.segment_count || are_all_free) {
        return true;
    }
    const bool found =
        reserve_blocks(world, blocks) && search_all(world, blocks) && gather_contacts(world);
    world->found.wall_blocks.count = found ? blocks : 0;
    return found;
}

graze_status grz_step_decide(graze_world *world)
{
    world->found.fresh.count = 0;
    world->reports.keys_indexed = false;
    return find_walls(world) ? GRAZE_OK : GRAZE_ERROR_OUT_OF_MEMORY;
}
