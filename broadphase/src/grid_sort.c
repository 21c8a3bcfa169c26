// The build: the counting sort by cell, as a whole or in parts by several threads.

#include "grid_sort.h"

#include "min_max.h"
#include "prefetch.h"

#include <string.h>

enum {
    SAMPLES = 64,         ///< Of cells, from which the cuts are chosen.
    PART_ITEMS = 12288,   ///< Worth a part: near a cut, chunks belong to both sides.
    MAX_VISITS = 2,       ///< Of a chunk, on average, by parts that may have items in it.
    NEAR_ITEMS = 1 << 17, ///< So many fit into a core's own cache.
    AHEAD = 2048,         ///< How many places ahead items are prefetched,
    PLACES_A_LINE = 16    ///< once a cache line.
};

uint32_t grz_grid_count_chunks(uint32_t count)
{
    return grz_count_blocks(count, GRZ_GRID_CHUNK);
}

uint32_t grz_grid_block_size(uint32_t count)
{
    return grz_count_blocks(grz_grid_count_chunks(count), GRZ_GRID_PARTS) * GRZ_GRID_CHUNK;
}

// --- Items of each part, listed where they come in no order ---

// The lists lie one after the other, where the cells of places will be. A part's list begins where
// its places begin and is as long: so the part may write the cells of its places over its own
// list, once it has read it.

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

static void count_buckets(void *context, uint32_t block, uint32_t first, uint32_t end)
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
static void cut_buckets(grz_grid_sort *sort, dealing *deal, uint32_t blocks, uint32_t cell_count)
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

// Cuts the cells so that parts have about equally many items, and lists each part's in the order
// they come in.
static void list_items(graze_grid *grid, grz_grid_sort *sort)
{
    const uint32_t count = sort->items->count, size = grz_grid_block_size(count);
    dealing deal;
    deal.keys = sort->keys;
    deal.lists = grid->cells;
    deal.shift = choose_shift(grid->cell_count);
    grz_runner_run(sort->runner, count, size, count_buckets, &deal);
    cut_buckets(sort, &deal, grz_count_blocks(count, size), grid->cell_count);
    grz_runner_run(sort->runner, count, size, deal_block, &deal);
    sort->lists = deal.lists;
}

// --- Parts ---

// Returns whether a chunk may have items in cells from `low` to `high`.
static bool visits(grz_key_span span, uint32_t low, uint32_t high)
{
    return span.least < high && span.greatest >= low;
}

static void sort_numbers(uint32_t *numbers, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i) {
        const uint32_t number = numbers[i];
        uint32_t hole = i;
        for (; hole > 0 && numbers[hole - 1] > number; --hole) {
            numbers[hole] = numbers[hole - 1];
        }
        numbers[hole] = number;
    }
}

// Cuts the cells so that parts have about equally many items, by a few of these.
static void cut_cells(grz_grid_sort *sort, uint32_t cell_count)
{
    uint32_t cells[SAMPLES];
    for (uint32_t i = 0; i < SAMPLES; ++i) {
        cells[i] = sort->keys[(uint64_t)sort->items->count * i / SAMPLES];
    }
    sort_numbers(cells, SAMPLES);
    sort->cuts[0] = 0;
    for (uint32_t part = 1; part < sort->part_count; ++part) {
        sort->cuts[part] = cells[part * SAMPLES / sort->part_count];
    }
    sort->cuts[sort->part_count] = cell_count;
}

static uint64_t count_visits(const grz_grid_sort *sort)
{
    uint64_t count = 0;
    for (uint32_t part = 0; part < sort->part_count; ++part) {
        for (uint32_t chunk = 0; chunk < sort->chunk_count; ++chunk) {
            count += visits(sort->spans[chunk], sort->cuts[part], sort->cuts[part + 1]);
        }
    }
    return count;
}

// One part has all cells, and one chunk all items.
static void join_parts(grz_grid_sort *sort, uint32_t cell_count)
{
    const grz_key_span all = {0, cell_count - 1};
    sort->part_count = 1;
    sort->cuts[0] = 0;
    sort->cuts[1] = cell_count;
    sort->chunk_size = sort->items->count;
    sort->chunk_count = sort->items->count ? 1 : 0;
    sort->spans[0] = all;
}

// Where items come in no order each part would read all of them: so they are listed.
static void cut_parts(graze_grid *grid, grz_grid_sort *sort)
{
    const uint32_t count = sort->items->count, cell_count = grid->cell_count;
    sort->lists = NULL;
    if (!sort->runner.parallel || count < GRZ_GRID_SHARED_MIN) {
        join_parts(sort, cell_count);
        return;
    }
    sort->part_count = min_u32(count / PART_ITEMS, GRZ_GRID_PARTS);
    sort->chunk_size = GRZ_GRID_CHUNK;
    sort->chunk_count = grz_grid_count_chunks(count);
    cut_cells(sort, cell_count);
    if (count_visits(sort) > (uint64_t)MAX_VISITS * sort->chunk_count) {
        list_items(grid, sort);
    }
}

// --- Counting ---

/// What the tasks of a count or of a placing share.
typedef struct sort_work {
    graze_grid *grid;
    grz_grid_sort *sort;
    const grz_grid_plan *plan;
} sort_work;

/// A chunk's items, first to last - 1, of which a part takes those in cells from `low` on.
typedef struct chunk_range {
    uint32_t first, last;
    uint32_t low, width;
    bool whole; ///< It takes all.
} chunk_range;

static chunk_range find_chunk(const grz_grid_sort *sort, uint32_t chunk, uint32_t part)
{
    const uint32_t low = sort->cuts[part], high = sort->cuts[part + 1];
    const grz_key_span span = sort->spans[chunk];
    const uint32_t first = chunk * sort->chunk_size, rest = sort->items->count - first;
    const chunk_range found = {first, first + min_u32(rest, sort->chunk_size), low, high - low,
                               span.least >= low && span.greatest < high};
    return found;
}

// Lists the items of a chunk whose cells the part has, without a branch: which ones these are
// cannot be predicted.
static uint32_t list_members(const uint32_t *keys, chunk_range range, uint32_t *members)
{
    uint32_t count = 0;
    for (uint32_t i = range.first; i < range.last; ++i) {
        members[count] = i;
        count += keys[i] - range.low < range.width;
    }
    return count;
}

// Counts the items of cell k in counts[k], and returns how many there were.
static uint32_t count_chunk(uint32_t *counts, const uint32_t *keys, chunk_range range)
{
    if (range.whole) {
        for (uint32_t i = range.first; i < range.last; ++i) {
            ++counts[keys[i]];
        }
        return range.last - range.first;
    }
    uint32_t members[GRZ_GRID_CHUNK];
    const uint32_t count = list_members(keys, range, members);
    for (uint32_t k = 0; k < count; ++k) {
        ++counts[keys[members[k]]];
    }
    return count;
}

// Likewise, of a part that has a list.
static uint32_t count_list(uint32_t *counts, const grz_grid_sort *sort, uint32_t part)
{
    const uint32_t first = sort->list_firsts[part], end = sort->list_firsts[part + 1];
    const uint32_t *keys = sort->keys, *lists = sort->lists;
    for (uint32_t k = first; k < end; ++k) {
        ++counts[keys[lists[k]]];
    }
    return end - first;
}

static uint32_t count_chunks(uint32_t *counts, const grz_grid_sort *sort, uint32_t part)
{
    uint32_t total = 0;
    for (uint32_t chunk = 0; chunk < sort->chunk_count; ++chunk) {
        if (visits(sort->spans[chunk], sort->cuts[part], sort->cuts[part + 1])) {
            total += count_chunk(counts, sort->keys, find_chunk(sort, chunk, part));
        }
    }
    return total;
}

// Counts the items of cell k in starts[k + 2]: after the sums, starts[k + 1] is where k begins, and
// after the items have been placed, where it ends.
static void count_part(void *context, uint32_t part, uint32_t first, uint32_t end)
{
    const sort_work *work = context;
    grz_grid_sort *sort = work->sort;
    uint32_t *counts = work->grid->starts + 2;
    const uint32_t low = sort->cuts[part], high = sort->cuts[part + 1];
    (void)first;
    (void)end;
    memset(counts + low, 0, (size_t)(high - low) * sizeof *counts);
    sort->counts[part] = (sort->lists ? count_list : count_chunks)(counts, sort, part);
}

// Turns the counts of some cells into sums that go on from `*total`, and returns the sum of their
// squares.
static uint64_t sum_cells(uint32_t *counts, uint32_t low, uint32_t high, uint32_t *total)
{
    uint32_t sum = *total;
    uint64_t squares = 0;
    for (uint32_t i = low; i < high; ++i) {
        const uint32_t count = counts[i];
        squares += (uint64_t)count * count;
        sum += count;
        counts[i] = sum;
    }
    *total = sum;
    return squares;
}

static void sum_part(void *context, uint32_t part, uint32_t first, uint32_t end)
{
    const sort_work *work = context;
    grz_grid_sort *sort = work->sort;
    uint32_t total = 0;
    (void)first;
    (void)end;
    for (uint32_t before = 0; before < part; ++before) {
        total += sort->counts[before];
    }
    for (uint32_t i = 0; i < work->plan->class_count; ++i) {
        const grz_grid_class *size_class = &work->plan->classes[i];
        const uint32_t low = max_u32(size_class->first_cell, sort->cuts[part]);
        const uint32_t high =
            min_u32(size_class->first_cell + size_class->cells, sort->cuts[part + 1]);
        sort->squares[part][i] = sum_cells(work->grid->starts + 2, low, high, &total);
    }
}

static void take_crowding(const grz_grid_sort *sort, grz_grid_plan *plan)
{
    for (uint32_t i = 0; i < plan->class_count; ++i) {
        uint64_t squares = 0;
        for (uint32_t part = 0; part < sort->part_count; ++part) {
            squares += sort->squares[part][i];
        }
        plan->classes[i].crowding = (double)squares / plan->classes[i].count;
    }
}

void grz_grid_count_items(graze_grid *grid, grz_grid_sort *sort, grz_grid_plan *plan)
{
    sort_work work = {grid, sort, plan};
    cut_parts(grid, sort);
    grid->starts[0] = grid->starts[1] = 0;
    grz_runner_run(sort->runner, sort->part_count, 1, count_part, &work);
    grz_runner_run(sort->runner, sort->part_count, 1, sum_part, &work);
    take_crowding(sort, plan);
}

// --- Placing ---

// HOT. bench: broadphase/build/gas
//
// Data    4 bytes read an item, 4 written at a place.
// Branch  None: where a chunk lies in more than one part, the items of this one are listed first.
// Order   Stable: items of a cell stay in the order they came in.
static void place_chunk(uint32_t *next_places, uint32_t *order, const uint32_t *keys,
                        chunk_range range)
{
    if (range.whole) {
        for (uint32_t i = range.first; i < range.last; ++i) {
            order[next_places[keys[i]]++] = i;
        }
        return;
    }
    uint32_t members[GRZ_GRID_CHUNK];
    const uint32_t count = list_members(keys, range, members);
    for (uint32_t k = 0; k < count; ++k) {
        order[next_places[keys[members[k]]]++] = members[k];
    }
}

static void place_chunks(const graze_grid *grid, const grz_grid_sort *sort, uint32_t part)
{
    for (uint32_t chunk = 0; chunk < sort->chunk_count; ++chunk) {
        if (visits(sort->spans[chunk], sort->cuts[part], sort->cuts[part + 1])) {
            place_chunk(grid->starts + 1, grid->order, sort->keys, find_chunk(sort, chunk, part));
        }
    }
}

// HOT. bench: engine/step/bullet-hell
//
// Data    4 bytes of the list and 4 of a key read, 4 written at a place.
// Branch  None.
// Order   That of the list.
static void place_list(const graze_grid *grid, const grz_grid_sort *sort, uint32_t part)
{
    const uint32_t first = sort->list_firsts[part], end = sort->list_firsts[part + 1];
    const uint32_t *keys = sort->keys, *lists = sort->lists;
    uint32_t *next_places = grid->starts + 1, *order = grid->order;
    for (uint32_t k = first; k < end; ++k) {
        order[next_places[keys[lists[k]]]++] = lists[k];
    }
}

// Returns the place after the last item whose cell is ever read: quiet items are not compared with
// others of their class.
static uint32_t find_end_of_cells(const graze_grid *grid)
{
    uint32_t place = 0, end = 0;
    for (uint32_t i = 0; i < grid->class_count; ++i) {
        place += grid->classes[i].count;
        end = grid->classes[i].quiet ? end : place;
    }
    return end;
}

static inline void fetch_places(const graze_grid *grid, const grz_grid_sort *sort, uint32_t first,
                                uint32_t end, bool with_cells)
{
    const grz_grid_boxes to = grid->boxes;
    const graze_aabb *from = sort->items->boxes;
    const uint32_t *order = grid->order, *keys = sort->keys;
    uint32_t *cells = grid->cells;
    for (uint32_t place = first; with_cells && place < end; ++place) {
        cells[place] = keys[order[place]];
    }
    first = grid->loops->fetch_boxes(from, order, first, end, &to);
    for (uint32_t place = first; place < end; ++place) {
        const uint32_t i = order[place];
        to.min_x[place] = from[i].lower.x;
        to.min_y[place] = from[i].lower.y;
        to.max_x[place] = from[i].upper.x;
        to.max_y[place] = from[i].upper.y;
    }
}

// HOT. bench: broadphase/build/gas/1M
//
// Items mostly come from near their place or from the rows of cells around it, and hardware does
// not prefetch the next row: where items are many they are prefetched in sequence, a row or two
// ahead.
static inline void fetch_far(const graze_grid *grid, const grz_grid_sort *sort, uint32_t first,
                             uint32_t end)
{
    const uint32_t last = sort->items->count - 1;
    for (uint32_t place = first, next; place < end; place = next) {
        next = min_u32(end, place + PLACES_A_LINE - place % PLACES_A_LINE);
        const uint32_t ahead = min_u32(place + AHEAD, last);
        GRZ_PREFETCH(sort->keys + ahead);
        grz_prefetch_lines(sort->items->boxes + ahead, PLACES_A_LINE * sizeof(graze_aabb));
        fetch_places(grid, sort, place, next, true);
    }
}

// The compiler unrolls it.
static void fetch_kinds(const graze_grid *grid, const grz_grid_sort *sort, uint32_t first,
                        uint32_t end)
{
    const uint8_t *from = sort->items->kinds;
    const uint32_t *order = grid->order;
    uint8_t *to = grid->kinds;
    for (uint32_t place = first; place < end; ++place) {
        to[place] = from[order[place]];
    }
}

static void fetch_items(const graze_grid *grid, const grz_grid_sort *sort, uint32_t first,
                        uint32_t end)
{
    if (grid->lists.mixed) {
        fetch_kinds(grid, sort, first, end);
    }
    if (sort->items->count <= NEAR_ITEMS) {
        const uint32_t last = max_u32(first, min_u32(end, find_end_of_cells(grid)));
        fetch_places(grid, sort, first, last, true);
        fetch_places(grid, sort, last, end, false);
    } else {
        fetch_far(grid, sort, first, end);
    }
}

// The places of a part lie side by side. What is fetched to them overwrites its list.
static void place_part(void *context, uint32_t part, uint32_t first, uint32_t end)
{
    const sort_work *work = context;
    const grz_grid_sort *sort = work->sort;
    const graze_grid *grid = work->grid;
    const uint32_t low = sort->cuts[part], high = sort->cuts[part + 1];
    const uint32_t *next_places = grid->starts + 1;
    (void)first;
    (void)end;
    if (low == high) {
        return;
    }
    const uint32_t first_place = next_places[low];
    (sort->lists ? place_list : place_chunks)(grid, sort, part);
    fetch_items(grid, sort, first_place, next_places[high - 1]);
}

void grz_grid_place_items(graze_grid *grid, grz_grid_sort *sort)
{
    sort_work work = {grid, sort, NULL};
    const uint32_t count = sort->items->count;
    grz_runner_run(sort->runner, sort->part_count, 1, place_part, &work);
    grid->count = count;
    for (uint32_t i = 0; i < GRZ_GRID_PADDING; ++i) {
        graze_grid_remove(grid, count + i);
    }
}
