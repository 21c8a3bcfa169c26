// The grid of segments: adding and removing polylines.

#include <graze/segment_grid.h>

#include "fp_environment.h"
#include "segment_grid_table.h"
#include "vec2d.h"

#include <string.h>

// Levels are planned for the grid's contents, and planned again when these have changed much, so
// that the amortised cost of adding a segment is constant.
enum {
    PLAN_MIN = 64,   ///< Segments that a plan is made for, at least.
    PLAN_GROW = 4,   ///< Planned again when there are more than four times as many,
    PLAN_SHRINK = 8, ///< when less than an eighth is left,
    PLAN_MISFIT = 4  ///< or when more than a quarter was added to levels too coarse for it.
};

static grz_segment segment_of(uint32_t owner, const graze_polyline *line, uint32_t item)
{
    const graze_vec2 a = line->points[item];
    const graze_vec2 b = line->points[item + 1 < line->count ? item + 1 : 0];
    const grz_segment segment = {a.x, a.y, b.x, b.y, owner, item};
    return segment;
}

static uint32_t segment_count_of(const graze_polyline *line)
{
    return line->count - (line->count > 0 && !line->loop);
}

static bool line_is_finite(const graze_polyline *line)
{
    for (uint32_t i = 0; i < line->count; ++i) {
        if (!is_finite(line->points[i])) {
            return false;
        }
    }
    return true;
}

// Whether there is a level for each segment of the line; counts those that will not fit well.
static bool survey_line(const grz_segment_table *table, const graze_polyline *line,
                        uint32_t *misfits)
{
    for (uint32_t i = 0; i < segment_count_of(line); ++i) {
        const grz_segment segment = segment_of(0, line, i);
        const int bucket = grz_segment_bucket(&segment);
        if (bucket >= grz_segment_table_bucket_end(table)) {
            return false;
        }
        *misfits += grz_segment_table_is_misfit(table, bucket);
    }
    return true;
}

static void count_line(grz_segment_census *census, const graze_polyline *line)
{
    for (uint32_t i = 0; i < segment_count_of(line); ++i) {
        const grz_segment segment = segment_of(0, line, i);
        grz_segment_census_add(census, grz_segment_bucket(&segment), &segment);
    }
}

// Whether there are many more or many fewer segments than planned for.
static bool is_outgrown(const grz_segment_table *table, uint32_t added)
{
    const uint32_t total = table->count + added;
    return total / PLAN_GROW > table->planned ||
           (table->planned > PLAN_MIN && total < table->planned / PLAN_SHRINK);
}

// Builds a second table from all segments, with levels for the line, too.
static graze_status plan_anew(graze_segment_grid *grid, const graze_polyline *line)
{
    grz_segment_table *spent = grid->table;
    grz_segment_table *table = grz_segment_table_create(&grid->allocator);
    if (!table) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    grz_segment_census census = spent ? spent->census : table->census;
    count_line(&census, line);
    graze_status status = grz_segment_table_add_levels(table, &census);
    if (!status && spent) {
        status = grz_segment_table_copy(table, spent);
    }
    if (status) {
        grz_segment_table_destroy(table);
        return status;
    }
    table->planned = census.total > PLAN_MIN ? census.total : PLAN_MIN;
    grid->table = table;
    if (spent) {
        grz_segment_table_destroy(spent);
    }
    return GRAZE_OK;
}

// Makes sure that there is a level for every segment of the line.
static graze_status prepare_levels(graze_segment_grid *grid, const graze_polyline *line)
{
    grz_segment_table *table = grid->table;
    if (!table || is_outgrown(table, segment_count_of(line))) {
        return plan_anew(grid, line);
    }
    uint32_t misfits = table->misfits;
    const bool is_covered = survey_line(table, line, &misfits);
    if (misfits > table->planned / PLAN_MISFIT) {
        return plan_anew(grid, line);
    }
    table->misfits = misfits;
    if (is_covered || table->level_count > GRZ_LEVELS_LATER) {
        return is_covered ? GRAZE_OK : plan_anew(grid, line);
    }
    grz_segment_census census = {0};
    count_line(&census, line);
    return grz_segment_table_add_levels(table, &census);
}

static void erase_segments(grz_segment_table *table, uint32_t owner, const graze_polyline *line,
                           uint32_t count)
{
    for (uint32_t i = count; i-- > 0;) {
        const grz_segment segment = segment_of(owner, line, i);
        grz_segment_table_erase(table, &segment);
    }
}

static graze_status insert_segments(grz_segment_table *table, uint32_t owner,
                                    const graze_polyline *line)
{
    for (uint32_t i = 0; i < segment_count_of(line); ++i) {
        const grz_segment segment = segment_of(owner, line, i);
        const graze_status status = grz_segment_table_insert(table, &segment);
        if (status) {
            erase_segments(table, owner, line, i);
            return status;
        }
    }
    return GRAZE_OK;
}

graze_status graze_segment_grid_init(graze_segment_grid *grid, const graze_allocator *allocator)
{
    const graze_allocator none = {NULL, NULL, NULL};
    allocator = allocator ? allocator : &none;
    if (!grz_allocator_is_valid(allocator)) {
        return GRAZE_ERROR_ARGUMENT;
    }
    grid->allocator = *allocator;
    grid->table = NULL;
    grid->edits = 0;
    return GRAZE_OK;
}

void graze_segment_grid_free(graze_segment_grid *grid)
{
    if (grid->table) {
        grz_segment_table_destroy(grid->table);
    }
    grid->table = NULL;
}

static graze_status add_line(graze_segment_grid *grid, uint32_t owner, graze_polyline line)
{
    if (!line_is_finite(&line)) {
        return GRAZE_ERROR_ARGUMENT;
    }
    const uint32_t added = segment_count_of(&line);
    if (added == 0) {
        return GRAZE_OK;
    }
    if (added > GRZ_SEGMENTS_MAX - graze_segment_grid_count(grid)) {
        return GRAZE_ERROR_LIMIT;
    }
    const graze_status status = prepare_levels(grid, &line);
    return status ? status : insert_segments(grid->table, owner, &line);
}

graze_status graze_segment_grid_add(graze_segment_grid *grid, uint32_t owner, graze_polyline line)
{
    const grz_fp_environment caller = grz_fp_enter();
    const graze_status status = add_line(grid, owner, line);
    ++grid->edits;
    grz_fp_leave(caller);
    return status;
}

void graze_segment_grid_remove(graze_segment_grid *grid, uint32_t owner, graze_polyline line)
{
    const grz_fp_environment caller = grz_fp_enter();
    if (grid->table && line_is_finite(&line)) {
        erase_segments(grid->table, owner, &line, segment_count_of(&line));
    }
    ++grid->edits;
    grz_fp_leave(caller);
}

uint32_t graze_segment_grid_count(const graze_segment_grid *grid)
{
    return grid->table ? grid->table->count : 0;
}

static void add_level_stats(graze_segment_grid_stats *stats, const grz_segment_level *level)
{
    const uint32_t cell_count = grz_level_cell_count(level);
    stats->level_count += level->count > 0;
    stats->cell_count += cell_count;
    stats->memory_bytes += level->memory.size;
    for (uint32_t i = 0; i < cell_count; ++i) {
        stats->used_count += level->cells[i].count > 0;
        stats->copy_count += level->cells[i].count;
    }
}

graze_segment_grid_stats graze_segment_grid_get_stats(const graze_segment_grid *grid)
{
    graze_segment_grid_stats stats;
    memset(&stats, 0, sizeof stats);
    const grz_segment_table *table = grid->table;
    if (table) {
        stats.segment_count = table->count;
        stats.memory_bytes = table->memory.size + table->pool.quads.size + table->pool.names.size;
        for (uint32_t i = 0; i < table->level_count; ++i) {
            add_level_stats(&stats, &table->levels[i]);
        }
    }
    return stats;
}
