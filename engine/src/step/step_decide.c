// Decide: where bodies on fixed courses meet terrain.

#include "body/rows.h"
#include "contact/contact_keys.h"
#include "contact/contact_make.h"
#include "min_max.h"
#include "parallel.h"
#include "respond/meet.h"
#include "step.h"
#include "step/box.h"
#include "terrain/terrain.h"

#include <string.h>

// Pairs of bodies were decided as they were found (step_pairs.c, decide.c). Only walls are left.
//
// Most movers are far from all walls: groups are looked up together, and only those near a wall are
// read further. Each block of rows has its own room for contacts; if one finds more, all get more
// room and are searched again.

enum {
    MOVERS_AT_ONCE = 64,
    BLOCK_ROWS = 1024, ///< Few: bodies that are no free rays may all lie side by side.
    MIN_ROOM = 64      ///< Contacts of a block.
};

/// The room for a block's contacts.
typedef struct contact_sink {
    graze_contact *contacts;
    uint32_t count, capacity; ///< Keeps counting without room.
} contact_sink;

/// Some movers on fixed courses.
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

static void put_contact(const graze_world *world, contact_sink *sink, uint32_t row,
                        graze_segment_id segment, const grz_touch *touch)
{
    if (sink->count < sink->capacity) {
        sink->contacts[sink->count] = grz_contact_of(world, row, GRZ_NONE, segment, touch);
    }
    ++sink->count;
}

static uint32_t load_movers(mover_group *group, uint32_t row, uint32_t end)
{
    const grz_rows *rows = &group->world->rows;
    group->count = 0;
    for (; row < end && group->count < MOVERS_AT_ONCE; ++row) {
        if (rows->traits[row] & GRZ_TRAIT_FREE) {
            continue;
        }
        uint32_t place = group->count++;
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
    const grz_rows *rows = &group->world->rows;
    uint32_t row = group->rows[place];
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
    uint32_t traits = group->world->rows.traits[group->rows[place]];
    bool ray = grz_kind_of(traits) == GRAZE_SHAPE_RAY;
    return group->searched[place] == GRAZE_SEGMENT_SEARCH_BOX ||
           (ray && group->searched[place] == GRAZE_SEGMENT_SEARCH_MOVE);
}

static void take_finds(void *context, const graze_segment_finds *finds)
{
    mover_group *group = context;
    for (uint32_t i = 0; i < finds->count; ++i) {
        uint32_t place = finds->move[i];
        grz_wall wall = {
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
    for (uint32_t row = first; row < end;) {
        row = load_movers(&group, row, end);
        graze_segment_search all = graze_segment_grid_find(
            &world->terrain, group.from, group.to, group.count, group.searched, take_finds, &group);
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
    contact_sink sink = {world->wall_contacts.data + (size_t)block * world->wall_room, 0,
                         world->wall_room};
    search_rows(world, first, end, &sink);
    world->wall_counts.data[block] = sink.count;
}

// The game's own filter is asked on the game's own thread.
static void search_blocks(graze_world *world, uint32_t blocks)
{
    const uint32_t count = world->active_count;
    if (!world->filter) {
        grz_run_blocks(world, count, BLOCK_ROWS, search_block, world);
        return;
    }
    for (uint32_t block = 0; block < blocks; ++block) {
        const uint32_t first = block * BLOCK_ROWS;
        const uint32_t rest = count - first;
        search_block(world, block, first, first + min_u32(rest, BLOCK_ROWS));
    }
}

// Makes room for what most blocks found in the last step.
static bool reserve_room(graze_world *world, uint32_t blocks)
{
    const graze_allocator *allocator = &world->counting;
    if (world->wall_room == 0) {
        world->wall_room = MIN_ROOM;
    }
    return grz_array_reserve(&world->wall_counts, allocator, blocks) &&
           grz_array_reserve(&world->wall_contacts, allocator, (size_t)blocks * world->wall_room);
}

static uint32_t find_largest_count(const graze_world *world, uint32_t blocks)
{
    uint32_t largest = 0;
    for (uint32_t block = 0; block < blocks; ++block) {
        const uint32_t count = world->wall_counts.data[block];
        largest = count > largest ? count : largest;
    }
    return largest;
}

static bool gather_contacts(graze_world *world, uint32_t blocks)
{
    for (uint32_t block = 0; block < blocks; ++block) {
        const uint32_t count = world->wall_counts.data[block];
        if (!grz_array_reserve_more(&world->fresh, &world->counting, count)) {
            return false;
        }
        if (count) {
            memcpy(world->fresh.data + world->fresh.count,
                   world->wall_contacts.data + (size_t)block * world->wall_room,
                   count * sizeof *world->fresh.data);
        }
        world->fresh.count += count;
    }
    return true;
}

static bool find_walls(graze_world *world)
{
    const uint32_t blocks = grz_count_blocks(world->active_count, BLOCK_ROWS);
    const bool are_all_free = world->totals.free == world->active_count;
    if (!world->segment_count || are_all_free) {
        return true;
    }
    for (;;) {
        if (!reserve_room(world, blocks)) {
            return false;
        }
        search_blocks(world, blocks);
        const uint32_t largest = find_largest_count(world, blocks);
        if (largest <= world->wall_room) {
            return gather_contacts(world, blocks);
        }
        world->wall_room = largest + largest / 4;
    }
}

graze_status grz_step_decide(graze_world *world)
{
    world->fresh.count = 0;
    world->keys_indexed = false;
    return find_walls(world) ? GRAZE_OK : GRAZE_ERROR_OUT_OF_MEMORY;
}
