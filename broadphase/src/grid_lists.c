// The build: lists the items by part, where they come in no order, for grid_sort.c.

#include "grid_lists.h"

#include <string.h>

enum {
    BUCKETS = 128 ///< At most. Parts are cut between them.
};

/// How items are dealt out: blocks of them, to buckets of neighbouring cells.
typedef struct dealing {
    const uint32_t *keys;
    uint32_t *lists;
    uint32_t shift; ///< From a cell to its bucket.
    /// How many items of a block each bucket has; later where its next one goes.
    uint32_t counts[GRZ_GRID_PARTS][BUCKETS];
} dealing;

static uint32_t choose_shift(uint32_t cell_count)
{
    uint32_t shift = 0;
    while ((cell_count - 1) >> shift >= BUCKETS) {
        ++shift;
    }
    return shift;
}

static void count_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    dealing *deal = context;
    const uint32_t *keys = deal->keys;
    const uint32_t shift = deal->shift;
    uint32_t *counts = deal->counts[block];
    memset(counts, 0, sizeof deal->counts[block]);
    for (uint32_t i = first; i < end; ++i) {
        ++counts[keys[i] >> shift];
    }
}

// HOT. bench: engine/step/bullet-hell
//
// Data    4 bytes of a key read, 4 of an item's number written.
// Branch  None: an item's bucket cannot be predicted.
// Order   Stable: a bucket's items come block by block.
static void deal_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const dealing *deal = context;
    const uint32_t *keys = deal->keys;
    const uint32_t shift = deal->shift;
    uint32_t *lists = deal->lists;
    uint32_t next[BUCKETS];
    memcpy(next, deal->counts[block], sizeof next);
    for (uint32_t i = first; i < end; ++i) {
        lists[next[keys[i] >> shift]++] = i;
    }
}

// Turns the counts of a bucket into where each block's items go, and returns where they end.
static uint32_t add_up_bucket(dealing *deal, uint32_t bucket, uint32_t blocks, uint32_t sum)
{
    for (uint32_t block = 0; block < blocks; ++block) {
        const uint32_t own = deal->counts[block][bucket];
        deal->counts[block][bucket] = sum;
        sum += own;
    }
    return sum;
}

// Part k begins with the first bucket that has k shares of the items before it.
static void cut_parts(grz_grid_sort *sort, dealing *deal, uint32_t blocks, uint32_t cell_count)
{
    const uint64_t count = sort->items->count;
    uint32_t part = 0, sum = 0;
    for (uint32_t bucket = 0; bucket <= (cell_count - 1) >> deal->shift; ++bucket) {
        for (; part < sort->part_count && sum >= count * part / sort->part_count; ++part) {
            sort->cuts[part] = bucket << deal->shift;
            sort->list_firsts[part] = sum;
        }
        sum = add_up_bucket(deal, bucket, blocks, sum);
    }
    for (; part <= sort->part_count; ++part) {
        sort->cuts[part] = cell_count;
        sort->list_firsts[part] = sum;
    }
}

void grz_grid_list_items(graze_grid *grid, grz_grid_sort *sort)
{
    const uint32_t count = sort->items->count, size = grz_grid_block_size(count);
    dealing deal;
    deal.keys = sort->keys;
    deal.lists = grid->cells;
    deal.shift = choose_shift(grid->cell_count);
    grz_runner_run(sort->runner, count, size, count_block, &deal);
    cut_parts(sort, &deal, grz_count_blocks(count, size), grid->cell_count);
    grz_runner_run(sort->runner, count, size, deal_block, &deal);
    sort->lists = deal.lists;
}
