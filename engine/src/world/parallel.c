#include "world/parallel.h"

#include <string.h>

static bool reserve(const graze_world *world, const grz_filled *list, uint64_t wanted)
{
    return wanted < GRZ_NONE &&
           grz_array_grow(list->memory, list->capacity, list->item_size, &world->config.counting,
                          (size_t)wanted, grz_block_reserve);
}

static bool find_in_turn(graze_world *world, const grz_finding *finding, uint32_t blocks,
                         const grz_filled *list)
{
    for (uint32_t block = 0; block < blocks; ++block) {
        if (!reserve(world, list, (uint64_t)*list->count + finding->room(world, block))) {
            return false;
        }
        *list->count += finding->find(world, block, list->memory->data, *list->count);
    }
    return true;
}

/// What threads find.
typedef struct found_apart {
    graze_world *world;
    const grz_finding *finding;
    grz_range *ranges;
    const grz_filled *list, *apart;
} found_apart;

static void find_apart(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const found_apart *found = context;
    grz_range *range = &found->ranges[block];
    (void)first;
    (void)end;
    range->count =
        found->finding->find(found->world, block, found->apart->memory->data, range->first);
}

static void close_up(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const found_apart *found = context;
    const grz_range *range = &found->ranges[block];
    const size_t size = found->list->item_size;
    (void)first;
    (void)end;
    if (range->count) {
        memcpy((char *)found->list->memory->data + range->closed * size,
               (const char *)found->apart->memory->data + range->first * size, range->count * size);
    }
    if (found->finding->move) {
        found->finding->move(found->world, block, range->closed - range->first);
    }
}

static bool find_on_threads(found_apart *found, uint32_t blocks)
{
    graze_world *world = found->world;
    uint64_t room = 0, count = *found->list->count;
    for (uint32_t block = 0; block < blocks; ++block) {
        found->ranges[block].first = (uint32_t)room;
        room += found->finding->room(world, block);
    }
    if (!reserve(world, found->apart, room)) {
        return false;
    }
    grz_run_blocks(world, blocks, 1, find_apart, found);
    for (uint32_t block = 0; block < blocks; ++block) {
        found->ranges[block].closed = (uint32_t)count;
        count += found->ranges[block].count;
    }
    if (!reserve(world, found->list, count)) {
        return false;
    }
    *found->list->count = (uint32_t)count;
    grz_run_blocks(world, blocks, 1, close_up, found);
    return true;
}

bool grz_find_in_blocks(graze_world *world, const grz_finding *finding, uint32_t blocks,
                        grz_ranges *ranges, grz_filled list, grz_filled apart)
{
    if (!world->config.parallel || blocks < 2) {
        return find_in_turn(world, finding, blocks, &list);
    }
    if (!grz_array_reserve(ranges, &world->config.counting, blocks)) {
        return false;
    }
    found_apart found = {world, finding, ranges->data, &list, &apart};
    return find_on_threads(&found, blocks);
}
