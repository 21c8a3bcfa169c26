#include "world/parallel.h"

#include "min_max.h"

#include <string.h>

static bool reserve(const graze_world *world, const grz_filled *list, uint64_t wanted)
{
    const bool done = wanted < GRZ_NONE && grz_array_grow(list->memory, list->capacity,
                                                          list->item_size, &world->config.counting,
                                                          (size_t)wanted, grz_block_reserve_tight);
    memcpy(list->data, &list->memory->data, sizeof list->memory->data);
    return done;
}

/// Blocks that are searched together: all, on threads, or one.
typedef struct search {
    graze_world *world;
    const grz_finding *finding;
    const grz_filled *in[GRZ_FOUND_LISTS]; ///< Where blocks find what belongs into the lists.
    uint64_t ends[GRZ_FOUND_LISTS];        ///< Of their ranges there.
    grz_range *ranges;                     ///< Of the first of the blocks, and the others.
    uint32_t first, count;
} search;

// Places a range that is to be searched after all others.
static void place(search *of, uint32_t list, grz_range *range, uint64_t room)
{
    range->first = (uint32_t)of->ends[list];
    range->room = (uint32_t)room;
    range->count = GRZ_NONE;
    of->ends[list] += room;
}

// What blocks had of a list in the last step, on average.
static uint32_t mean_before(const search *of, uint32_t list)
{
    const uint32_t lists = of->finding->list_count;
    uint64_t sum = 0;
    for (uint32_t k = list; k < of->count * lists; k += lists) {
        sum += of->ranges[k].count;
    }
    return (uint32_t)(sum / of->count);
}

// The most that the block or one beside it had in the last step, or the mean, and some more: rows
// move from one block into the next.
static uint64_t room_as_before(const search *of, uint32_t k, uint32_t mean)
{
    enum { SPARE = 64 };
    const uint32_t lists = of->finding->list_count, all = of->count * lists;
    uint32_t most = max_u32(of->ranges[k].count, mean);
    most = max_u32(most, k >= lists ? of->ranges[k - lists].count : 0);
    most = max_u32(most, k + lists < all ? of->ranges[k + lists].count : 0);
    return most + (uint64_t)most / 4 + SPARE + of->finding->spare;
}

static void place_all(search *of, uint32_t list)
{
    const grz_finding *finding = of->finding;
    const uint32_t lists = finding->list_count, all = of->count * lists;
    const uint32_t mean = mean_before(of, list);
    of->ends[list] = of->in[list] == &finding->lists[list] ? *of->in[list]->count : 0;
    for (uint32_t k = list; k < all; k += lists) {
        const uint64_t room = finding->room ? finding->room(of->world, of->first + k / lists)
                                            : room_as_before(of, k, mean);
        of->ranges[k].room = room < GRZ_NONE ? (uint32_t)room : GRZ_NONE;
    }
    for (uint32_t k = list; k < all; k += lists) {
        place(of, list, &of->ranges[k], of->ranges[k].room);
    }
}

// Places the ranges again that need more room than they have. Returns whether there are any.
static bool place_again(search *of)
{
    const uint32_t lists = of->finding->list_count;
    bool any = false;
    for (uint32_t k = 0; k < of->count * lists; ++k) {
        grz_range *range = &of->ranges[k];
        if (range->count > range->room) {
            of->ends[k % lists] = of->count == 1 ? range->first : of->ends[k % lists];
            place(of, k % lists, range, range->count);
            any = true;
        }
    }
    return any;
}

// Blocks count their places from the start of a list: so it is not null. One that is alone gets all
// the room that there is.
static bool reserve_all(search *of)
{
    const uint32_t lists = of->finding->list_count;
    for (uint32_t list = 0; list < lists; ++list) {
        if (!reserve(of->world, of->in[list], of->ends[list] + 1)) {
            return false;
        }
    }
    for (uint32_t k = 0; k < of->count * lists; ++k) {
        const grz_filled *in = of->in[k % lists];
        of->ranges[k].items = in->memory->data;
        of->ranges[k].room =
            of->count == 1 ? *in->capacity - of->ranges[k].first : of->ranges[k].room;
    }
    return true;
}

static void find_of_block(void *context, uint32_t number, uint32_t first, uint32_t end)
{
    const search *of = context;
    const uint32_t lists = of->finding->list_count;
    grz_range *ranges = &of->ranges[number * lists];
    bool known = true;
    (void)first;
    (void)end;
    for (uint32_t list = 0; list < lists; ++list) {
        known = known && ranges[list].count <= ranges[list].room;
    }
    if (!known) {
        of->finding->find(of->world, of->first + number, ranges);
    }
}

static bool find_all(search *of)
{
    for (uint32_t list = 0; list < of->finding->list_count; ++list) {
        place_all(of, list);
    }
    do {
        if (!reserve_all(of)) {
            return false;
        }
        grz_run_blocks(of->world, of->count, 1, find_of_block, of);
    } while (place_again(of));
    return true;
}

static void close_up(void *context, uint32_t number, uint32_t first, uint32_t end)
{
    const search *of = context;
    const uint32_t lists = of->finding->list_count;
    const grz_range *ranges = &of->ranges[number * lists];
    (void)first;
    (void)end;
    for (uint32_t list = 0; list < lists; ++list) {
        const grz_filled *to = &of->finding->lists[list];
        const grz_range *range = &ranges[list];
        if (range->count && (of->in[list] != to || range->closed != range->first)) {
            memmove((char *)to->memory->data + range->closed * to->item_size,
                    (const char *)range->items + range->first * to->item_size,
                    range->count * to->item_size);
        }
    }
    if (of->finding->move && ranges->closed != ranges->first) {
        of->finding->move(of->world, of->first + number, ranges->closed - ranges->first);
    }
}

// Plans where the items of blocks lie in a list. Returns its new count.
static uint64_t plan_list(search *of, uint32_t list)
{
    const uint32_t lists = of->finding->list_count;
    const bool has_gaps = of->count > 1 && of->in[list] == &of->finding->lists[list];
    uint64_t count = *of->finding->lists[list].count;
    for (uint32_t k = list; k < of->count * lists; k += lists) {
        of->ranges[k].closed = has_gaps ? of->ranges[k].first : (uint32_t)count;
        count += of->ranges[k].count;
    }
    return has_gaps ? of->ends[list] : count;
}

static bool close_all_up(search *of)
{
    for (uint32_t list = 0; list < of->finding->list_count; ++list) {
        const grz_filled *to = &of->finding->lists[list];
        const uint64_t count = plan_list(of, list);
        if (!reserve(of->world, to, count)) {
            return false;
        }
        *to->count = (uint32_t)count;
    }
    grz_run_blocks(of->world, of->count, 1, close_up, of);
    return true;
}

static bool find_in_turn(search *of, uint32_t blocks)
{
    for (of->count = 1; of->first < blocks; ++of->first, of->ranges += of->finding->list_count) {
        if (!find_all(of) || !close_all_up(of)) {
            return false;
        }
    }
    return true;
}

bool grz_find_in_blocks(graze_world *world, const grz_finding *finding, uint32_t blocks,
                        grz_ranges *ranges)
{
    const uint32_t wanted = blocks * finding->list_count;
    const bool together = world->config.parallel && blocks > 1 && !finding->in_turn;
    if (!grz_array_reserve(ranges, &world->config.counting, wanted)) {
        return false;
    }
    for (; ranges->count < wanted; ++ranges->count) {
        ranges->data[ranges->count].count = 0;
    }
    search all = {.world = world, .finding = finding, .ranges = ranges->data, .count = blocks};
    for (uint32_t list = 0; list < finding->list_count; ++list) {
        const bool apart = together && finding->apart[list].memory;
        all.in[list] = apart ? &finding->apart[list] : &finding->lists[list];
    }
    const bool done = together ? find_all(&all) && close_all_up(&all) : find_in_turn(&all, blocks);
    ranges->count = done ? wanted : 0;
    return done;
}
