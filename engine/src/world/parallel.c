#include "world/parallel.h"

#include <string.h>

static bool reserve(const graze_world *world, const grz_filled *list, uint64_t wanted)
{
    return wanted < GRZ_NONE &&
           grz_array_grow(list->memory, list->capacity, list->item_size, &world->config.counting,
                          (size_t)wanted, grz_block_reserve);
}

uint32_t grz_room_as_before(const grz_ranges *ranges, uint32_t block)
{
    enum { SPARE = 64 };
    const uint64_t before = block < ranges->count ? ranges->data[block].count : 0;
    const uint64_t room = before + before / 4 + SPARE;
    return room < GRZ_NONE ? (uint32_t)room : GRZ_NONE;
}

/// Blocks that are searched together: all, on threads, or one.
typedef struct search {
    graze_world *world;
    const grz_finding *finding;
    grz_range *ranges; ///< Of the first of them, and the others.
    uint32_t first, count;
    const grz_filled *list, *in; ///< The list, and where they find what belongs there.
} search;

static void find_of_block(void *context, uint32_t number, uint32_t first, uint32_t end)
{
    const search *of = context;
    grz_range *range = &of->ranges[number];
    (void)first;
    (void)end;
    if (range->count > range->room) {
        range->count = of->finding->find(of->world, of->first + number, of->in->memory->data,
                                         range->first, range->room);
    }
}

// Places the blocks that need more room than they have after all others. Returns where the last
// ends.
static uint64_t place_blocks(const search *of, uint64_t end)
{
    for (uint32_t number = 0; number < of->count; ++number) {
        grz_range *range = &of->ranges[number];
        if (range->count > range->room) {
            range->first = (uint32_t)end;
            range->room = range->count;
            range->count = GRZ_NONE;
            end += range->room;
        }
    }
    return end;
}

// The list is not null: blocks count their places from its start.
static bool find_all(search *of, uint64_t end)
{
    for (uint32_t number = 0; number < of->count; ++number) {
        grz_range *range = &of->ranges[number];
        range->first = (uint32_t)end;
        range->room = of->finding->room(of->world, of->first + number);
        range->count = GRZ_NONE;
        end += range->room;
    }
    for (uint64_t searched = end + 1; searched != end; end = place_blocks(of, end)) {
        if (!reserve(of->world, of->in, end + 1)) {
            return false;
        }
        grz_run_blocks(of->world, of->count, 1, find_of_block, of);
        searched = end;
    }
    return true;
}

static void close_up(void *context, uint32_t number, uint32_t first, uint32_t end)
{
    const search *of = context;
    const grz_range *range = &of->ranges[number];
    const size_t size = of->list->item_size;
    (void)first;
    (void)end;
    if (range->count && (of->in != of->list || range->closed != range->first)) {
        memmove((char *)of->list->memory->data + range->closed * size,
                (const char *)of->in->memory->data + range->first * size, range->count * size);
    }
    if (of->finding->move && range->closed != range->first) {
        of->finding->move(of->world, of->first + number, range->closed - range->first);
    }
}

static bool close_all_up(search *of)
{
    uint64_t count = *of->list->count;
    for (uint32_t number = 0; number < of->count; ++number) {
        of->ranges[number].closed = (uint32_t)count;
        count += of->ranges[number].count;
    }
    if (!reserve(of->world, of->list, count)) {
        return false;
    }
    *of->list->count = (uint32_t)count;
    grz_run_blocks(of->world, of->count, 1, close_up, of);
    return true;
}

static bool find_in_turn(search *of, uint32_t blocks)
{
    of->in = of->list;
    of->count = 1;
    for (; of->first < blocks; ++of->first, ++of->ranges) {
        if (!find_all(of, *of->list->count) || !close_all_up(of)) {
            return false;
        }
    }
    return true;
}

bool grz_find_in_blocks(graze_world *world, const grz_finding *finding, uint32_t blocks,
                        grz_ranges *ranges, grz_filled list, grz_filled apart)
{
    if (!grz_array_reserve(ranges, &world->config.counting, blocks)) {
        return false;
    }
    search all = {world, finding, ranges->data, 0, blocks, &list, &apart};
    const bool together = world->config.parallel && blocks > 1 && !finding->in_turn;
    const bool done =
        together ? find_all(&all, 0) && close_all_up(&all) : find_in_turn(&all, blocks);
    ranges->count = done ? blocks : 0;
    return done;
}
