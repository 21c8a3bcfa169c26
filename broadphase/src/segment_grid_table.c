#include "segment_grid_table.h"

#include "asserts.h"
#include "min_max.h"

#include <string.h>

enum {
    CELLS_PER_SEGMENT = 16, ///< Most are empty then, and walks pass them fast.
    TABLE_SHARE = 16        ///< A level's table has room for this share of all segments.
};

// --- Levels ---

// Returns enough bits, within limits, for low..high to fall into different cells.
static uint32_t bits_for_range(float low, float high, double inverse_side)
{
    const double cells = ((double)high - (double)low) * inverse_side + 2.0;
    uint32_t bits = GRZ_CELL_BITS_MIN;
    while (bits < GRZ_CELL_BITS_MAX && (double)(UINT32_C(1) << bits) < cells) {
        ++bits;
    }
    return bits;
}

static uint32_t bits_for_count(uint64_t count)
{
    uint32_t bits = 2 * GRZ_CELL_BITS_MIN;
    while (bits < GRZ_CELL_BITS_MAX && (UINT64_C(1) << bits) < count) {
        ++bits;
    }
    return bits;
}

// As many cells as the box has, but not more than pay, and enough for segments that may come
// outside of it. If a table is smaller than the box, several of the box's cells share one of the
// table, and moves read what lies in the others: 4 cells a segment took 25 % longer than 16 (bench:
// engine/query_ray_many/bullets-terrain/1k).
static void size_level(grz_segment_level *level, const grz_level_plan *plan, uint32_t expected)
{
    uint32_t x_bits = bits_for_range(plan->box.lower.x, plan->box.upper.x, level->inverse_side);
    uint32_t y_bits = bits_for_range(plan->box.lower.y, plan->box.upper.y, level->inverse_side);
    const uint32_t most = bits_for_count((uint64_t)expected * CELLS_PER_SEGMENT);
    const uint32_t least = bits_for_count(expected);
    while (x_bits + y_bits > most) {
        --*(x_bits > y_bits ? &x_bits : &y_bits);
    }
    while (x_bits + y_bits < least) {
        ++*(x_bits < y_bits ? &x_bits : &y_bits);
    }
    level->x_bits = x_bits;
    level->x_mask = (UINT32_C(1) << x_bits) - 1;
    level->y_mask = (UINT32_C(1) << y_bits) - 1;
}

static graze_status add_level(grz_segment_table *table, const grz_level_plan *plan, uint32_t total)
{
    grz_segment_level *level = &table->levels[table->level_count];
    memset(level, 0, sizeof *level);
    level->bucket_low = plan->bucket_low;
    level->bucket_high = plan->bucket_high;
    level->inverse_side = grz_power_of_two(-plan->side_exponent);
    level->x_low = level->y_low = INT64_MAX;
    level->x_high = level->y_high = INT64_MIN;
    const uint32_t share = total / TABLE_SHARE;
    size_level(level, plan, plan->count > share ? plan->count : share);
    const size_t cell_count = grz_level_cell_count(level);
    const size_t size =
        cell_count * (sizeof *level->cells + sizeof *level->heads + sizeof *level->around);
    if (!grz_block_reserve_scratch(&level->memory, &table->allocator, size)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    level->cells = level->memory.data;
    level->heads = (uint32_t *)(level->cells + cell_count);
    level->around = (uint8_t *)(level->heads + cell_count);
    memset(level->cells, 0, size);
    ++table->level_count;
    return GRAZE_OK;
}

int grz_segment_table_bucket_end(const grz_segment_table *table)
{
    return table->level_count > 0 ? table->levels[table->level_count - 1].bucket_high + 1 : 0;
}

graze_status grz_segment_table_add_levels(grz_segment_table *table,
                                          const grz_segment_census *census)
{
    grz_level_plan plans[GRZ_LEVELS_MAX];
    const uint32_t count = grz_segment_plan(census, grz_segment_table_bucket_end(table), plans);
    for (uint32_t i = 0; i < count; ++i) {
        const graze_status status = add_level(table, &plans[i], table->count + census->total);
        if (status) {
            return status;
        }
    }
    return GRAZE_OK;
}

static uint32_t level_index_for(const grz_segment_table *table, int bucket)
{
    uint32_t index = 0;
    while (table->levels[index].bucket_high < bucket) {
        ++index;
    }
    return index;
}

bool grz_segment_table_is_misfit(const grz_segment_table *table, int bucket)
{
    return bucket < table->levels[level_index_for(table, bucket)].bucket_low;
}

// The head of an empty cell is 0, even if there is a block for its list.
static void note_head(const grz_segment_level *level, uint32_t index)
{
    const grz_segment_cell cell = level->cells[index];
    const uint32_t count = cell.count < GRZ_COUNT_MANY ? cell.count : GRZ_COUNT_MANY;
    level->heads[index] = count > 0 ? grz_first_quad(cell) << GRZ_COUNT_BITS | count : 0;
}

// Stores what the cell holds, and in the four cells whose `around` covers it whether that is
// anything.
static void note_contents(const grz_segment_level *level, uint32_t cell)
{
    note_head(level, cell);
    const uint32_t last = grz_level_cell_count(level) - 1;
    const uint32_t row = level->x_mask + 1;
    const uint32_t left = (cell & ~level->x_mask) | ((cell - 1) & level->x_mask);
    const uint32_t looking[] = {cell, left, (cell - row) & last, (left - row) & last};
    for (uint32_t k = 0; k < 4; ++k) {
        uint8_t *around = &level->around[looking[k]];
        const uint8_t bit = (uint8_t)(1u << k);
        *around = (uint8_t)(level->heads[cell] != 0 ? *around | bit : *around & ~bit);
    }
}

/// The cells of a segment's ends.
typedef struct end_cells {
    int64_t ax, ay, bx, by;
} end_cells;

static end_cells end_cells_of(const grz_segment_level *level, const grz_segment *segment)
{
    const double scale = level->inverse_side;
    const end_cells ends = {grz_cell_coordinate((double)segment->ax * scale),
                            grz_cell_coordinate((double)segment->ay * scale),
                            grz_cell_coordinate((double)segment->bx * scale),
                            grz_cell_coordinate((double)segment->by * scale)};
    return ends;
}

static void widen_level(grz_segment_level *level, const end_cells *ends)
{
    level->x_low = min_i64(level->x_low, min_i64(ends->ax, ends->bx));
    level->x_high = max_i64(level->x_high, max_i64(ends->ax, ends->bx));
    level->y_low = min_i64(level->y_low, min_i64(ends->ay, ends->by));
    level->y_high = max_i64(level->y_high, max_i64(ends->ay, ends->by));
}

// --- The table ---

grz_segment_table *grz_segment_table_create(const graze_allocator *allocator)
{
    const graze_allocator chosen = grz_allocator_or_default(*allocator);
    grz_block memory = {NULL, 0};
    if (!grz_block_reserve(&memory, &chosen, sizeof(grz_segment_table))) {
        return NULL;
    }
    grz_segment_table *table = memory.data;
    memset(table, 0, sizeof *table);
    table->memory = memory;
    table->allocator = chosen;
    table->lanes = grz_lanes_choose();
    grz_segment_pool_begin(&table->pool);
    return table;
}

void grz_segment_table_destroy(grz_segment_table *table)
{
    for (uint32_t i = 0; i < table->level_count; ++i) {
        grz_block_free(&table->levels[i].memory, &table->allocator);
    }
    grz_segment_pool_free(&table->pool, &table->allocator);
    grz_block memory = table->memory;
    const graze_allocator allocator = table->allocator;
    grz_block_free(&memory, &allocator);
}

typedef struct cell_list {
    uint32_t count;
    uint32_t cells[GRZ_COPIES_MAX + 1]; ///< One to spare for the end of a walk.
} cell_list;

static void list_rectangle(cell_list *list, const grz_segment_level *level, const end_cells *ends)
{
    const int64_t x_high = max_i64(ends->ax, ends->bx), y_high = max_i64(ends->ay, ends->by);
    list->count = 0;
    for (int64_t y = min_i64(ends->ay, ends->by); y <= y_high; ++y) {
        for (int64_t x = min_i64(ends->ax, ends->bx); x <= x_high; ++x) {
            list->cells[list->count++] = grz_cell_index(level, x, y);
        }
    }
}

// The walk's margin is small here: where it would be half a cell, distinct coordinates are further
// apart than a segment of the level is long, so both ends share a row.
static void list_walk(cell_list *list, const grz_segment_level *level, const grz_segment *segment)
{
    graze_segment_walk walk =
        grz_segment_walk_level(level, grz_segment_start(segment), grz_segment_end(segment));
    list->count = 0;
    while (grz_segment_walk_next_cell(&walk, &list->cells[list->count])) {
        ++list->count;
    }
}

// Widens the level by the segment: a walk is clipped to what the level holds.
static void list_cells(cell_list *list, grz_segment_level *level, const grz_segment *segment)
{
    const end_cells ends = end_cells_of(level, segment);
    widen_level(level, &ends);
    if (ends.ax == ends.bx || ends.ay == ends.by) {
        list_rectangle(list, level, &ends);
    } else {
        list_walk(list, level, segment);
    }
}

// Makes room for one more segment in each of the cells.
static graze_status reserve_cells(grz_segment_table *table, const grz_segment_level *level,
                                  const cell_list *list)
{
    for (uint32_t i = 0; i < list->count; ++i) {
        grz_segment_cell *cell = &level->cells[list->cells[i]];
        if (!grz_segment_pool_is_full(*cell)) {
            continue;
        }
        const graze_status status = grz_segment_pool_grow(&table->pool, &table->allocator, cell);
        if (status) {
            return status;
        }
        note_head(level, list->cells[i]);
    }
    return GRAZE_OK;
}

graze_status grz_segment_table_insert(grz_segment_table *table, const grz_segment *segment)
{
    const int bucket = grz_segment_bucket(segment);
    GRZ_ASSERT(bucket < grz_segment_table_bucket_end(table));
    grz_segment_level *level = &table->levels[level_index_for(table, bucket)];
    cell_list list;
    list_cells(&list, level, segment);
    const graze_status status = reserve_cells(table, level, &list);
    if (status) {
        return status;
    }
    for (uint32_t i = 0; i < list.count; ++i) {
        grz_segment_pool_push(&table->pool, &level->cells[list.cells[i]], segment);
        note_contents(level, list.cells[i]);
    }
    ++level->count;
    ++table->count;
    grz_segment_census_add(&table->census, bucket, segment);
    return GRAZE_OK;
}

void grz_segment_table_erase(grz_segment_table *table, const grz_segment *segment)
{
    const int bucket = grz_segment_bucket(segment);
    if (bucket >= grz_segment_table_bucket_end(table)) {
        return;
    }
    grz_segment_level *level = &table->levels[level_index_for(table, bucket)];
    cell_list list;
    list_cells(&list, level, segment);
    bool found = false;
    for (uint32_t i = 0; i < list.count; ++i) {
        found |= grz_segment_pool_pull(&table->pool, &level->cells[list.cells[i]], segment);
        note_contents(level, list.cells[i]);
    }
    if (found) {
        --level->count;
        --table->count;
        grz_segment_census_remove(&table->census, bucket);
    }
}

// A segment is added where it lies in the cell that owns its first point.
static graze_status copy_cell(grz_segment_table *to, const grz_segment_table *from,
                              const grz_segment_level *level, uint32_t index)
{
    const grz_segment_cell cell = level->cells[index];
    graze_status status = GRAZE_OK;
    for (uint32_t i = 0; !status && i < cell.count; ++i) {
        const grz_segment segment = grz_segment_pool_load(&from->pool, cell, i);
        const end_cells ends = end_cells_of(level, &segment);
        if (grz_cell_index(level, ends.ax, ends.ay) == index) {
            status = grz_segment_table_insert(to, &segment);
        }
    }
    return status;
}

graze_status grz_segment_table_copy(grz_segment_table *to, const grz_segment_table *from)
{
    graze_status status = GRAZE_OK;
    for (uint32_t i = 0; i < from->level_count; ++i) {
        const grz_segment_level *level = &from->levels[i];
        for (uint32_t cell = 0; !status && cell < grz_level_cell_count(level); ++cell) {
            status = copy_cell(to, from, level, cell);
        }
    }
    return status;
}
