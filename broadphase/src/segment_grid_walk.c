#include "segment_grid_table.h"

#include "min_max.h"
#include "vec2d.h"

// A walk goes through the columns that its move passes, and in each through the rows that the move
// may pass there. Columns are those of the axis along which the move is longer, so a column has one
// or two rows, now and then a third because of the margin.
//
// Everything about a column is computed from its number alone, so errors do not add up. With
// e = 2^-53, the row coordinate v0 + (X - u0) * slope where the move enters column X has an error
// of at most 6e |v1 - v0| from the product and 2e max(|v0|, |v1|) from the sum: less than half the
// margin of 16e (|v0| + |v1|). u0, v0, u1, v1 themselves are exact (segment_grid_table.h).

enum {
    ROWS_MAX = 3 ///< Of a column, unless the walk is straight.
};

static const double margin_factor = 0x1p-49;

// Clips the rows low..high to those that hold anything and puts the walk before the first.
static void set_rows(graze_segment_walk *walk, int64_t low, int64_t high)
{
    low = max_i64(low, walk->row_low);
    high = min_i64(high, walk->row_high);
    walk->row = walk->upward ? low : high;
    walk->rows_left = low <= high ? (uint64_t)(high - low) + 1 : 0;
}

static void set_columns(graze_segment_walk *walk, int64_t low, int64_t high)
{
    walk->column = walk->forward ? low : high;
    walk->columns_left = low <= high ? (uint64_t)(high - low) + 1 : 0;
}

// Visits every cell once, in no order: for walks that would be longer.
static void take_all_cells(graze_segment_walk *walk)
{
    walk->is_straight = true;
    walk->is_ordered = false;
    set_columns(walk, 0, walk->u_mask);
    walk->row_low = 0;
    walk->row_high = walk->v_mask;
}

// A box wider than the torus would visit cells twice.
static void cut_to_one_lap(graze_segment_walk *walk)
{
    const uint64_t columns = (uint64_t)walk->u_mask + 1;
    walk->columns_left = walk->columns_left < columns ? walk->columns_left : columns;
    walk->row_high = min_i64(walk->row_high, walk->row_low + walk->v_mask);
}

// The walk's columns, u, are those of the longer axis; its rows, v, of the other.
static void set_axes(graze_segment_walk *walk, const grz_segment_level *level)
{
    const bool steep = walk->steep;
    const double scale = level->inverse_side;
    walk->u_start = (steep ? walk->y0 : walk->x0) * scale;
    walk->v_start = (steep ? walk->x0 : walk->y0) * scale;
    walk->u_end = (steep ? walk->y1 : walk->x1) * scale;
    walk->v_end = (steep ? walk->x1 : walk->y1) * scale;
    walk->forward = walk->u_start <= walk->u_end;
    walk->upward = walk->v_start <= walk->v_end;
    walk->slope = (walk->v_end - walk->v_start) / (walk->u_end - walk->u_start);
    walk->u_mask = steep ? level->y_mask : level->x_mask;
    walk->v_mask = steep ? level->x_mask : level->y_mask;
    walk->u_shift = steep ? level->x_bits : 0;
    walk->v_shift = steep ? 0 : level->x_bits;
}

// Clips the move to the cells of the level that hold anything.
static void clip(graze_segment_walk *walk, const grz_segment_level *level)
{
    const bool steep = walk->steep;
    const int64_t u_first = walk->first_column = grz_cell_coordinate(walk->u_start);
    const int64_t u_last = walk->last_column = grz_cell_coordinate(walk->u_end);
    const int64_t v_first = grz_cell_coordinate(walk->v_start);
    const int64_t v_last = grz_cell_coordinate(walk->v_end);
    walk->row_low = max_i64(min_i64(v_first, v_last), steep ? level->x_low : level->y_low);
    walk->row_high = min_i64(max_i64(v_first, v_last), steep ? level->x_high : level->y_high);
    set_columns(walk, max_i64(min_i64(u_first, u_last), steep ? level->y_low : level->x_low),
                min_i64(max_i64(u_first, u_last), steep ? level->y_high : level->x_high));
    walk->is_straight = walk->is_box || u_first == u_last || v_first == v_last;
}

static double margin_of(const graze_segment_walk *walk)
{
    return (absolute(walk->v_start) + absolute(walk->v_end)) * margin_factor;
}

// The outermost columns have no end, so a move may pass any number of rows there.
static bool reaches_outermost(const graze_segment_walk *walk)
{
    const int64_t others = (int64_t)walk->columns_left - 1;
    const int64_t low = walk->forward ? walk->column : walk->column - others;
    return low <= -GRZ_OUTERMOST_CELL || low + others >= GRZ_OUTERMOST_CELL;
}

// Whether the walk would look at more cells than the level has. A move passes two rows of a column
// at most, and the margin adds one as long as it is less than half a cell, as it is up to 2^47
// cells away from the origin.
static bool is_too_long(const graze_segment_walk *walk, const grz_segment_level *level)
{
    const double columns = (double)walk->columns_left;
    const double rows = (double)(walk->row_high - walk->row_low + 1);
    const double cells = (double)grz_level_cell_count(level);
    if (walk->is_straight) {
        return columns * rows > cells;
    }
    return columns * ROWS_MAX > cells || margin_of(walk) > 0.5 || reaches_outermost(walk);
}

static void begin_far(graze_segment_walk *walk, const grz_segment_level *level)
{
    set_axes(walk, level);
    clip(walk, level);
    walk->is_far = true;
    walk->is_ordered = !walk->is_box;
    walk->rows_left = 0;
    if (walk->row_low > walk->row_high) {
        walk->columns_left = 0;
    } else if (walk->is_box) {
        cut_to_one_lap(walk);
    } else if (is_too_long(walk, level)) {
        take_all_cells(walk);
    }
}

// Lists the cells of a move or box that spans at most two columns and two rows, without a branch
// for each, which could not be predicted. The start's cell comes first, the end's last; of the two
// others a move usually passes one.
static void begin_near(graze_segment_walk *walk, const grz_segment_level *level, const int64_t x[2],
                       const int64_t y[2])
{
    uint32_t mask = 0;
    const uint32_t distinct = x[0] != x[1] ? 3 : 1;
    const uint32_t wanted = distinct | (y[0] != y[1] ? distinct << 2 : 0);
    for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t cell = grz_cell_index(level, x[i & 1], y[i >> 1]);
        walk->near_cells[i] = cell;
        mask |= (uint32_t)(level->heads[cell] != 0) << i;
    }
    walk->is_far = false;
    walk->near_mask = (uint8_t)(mask & wanted);
}

static void begin_level(graze_segment_walk *walk, const grz_segment_level *level)
{
    const double scale = level->inverse_side;
    const int64_t x[2] = {grz_cell_coordinate(walk->x0 * scale),
                          grz_cell_coordinate(walk->x1 * scale)};
    const int64_t y[2] = {grz_cell_coordinate(walk->y0 * scale),
                          grz_cell_coordinate(walk->y1 * scale)};
    walk->level = level;
    if ((uint64_t)(x[1] - x[0] + 1) <= 2 && (uint64_t)(y[1] - y[0] + 1) <= 2) {
        begin_near(walk, level, x, y);
    } else {
        begin_far(walk, level);
    }
}

static bool begin_next_level(graze_segment_walk *walk)
{
    while (walk->levels_left > 0) {
        const grz_segment_table *table = walk->table;
        const grz_segment_level *level = &table->levels[table->level_count - walk->levels_left];
        --walk->levels_left;
        if (level->count > 0) {
            begin_level(walk, level);
            return true;
        }
    }
    return false;
}

// Compares distances from the start, in cells: a time would need a division. These have errors of
// 4e. The first column may be one of the outermost, whose border says nothing.
static bool enters_later(const graze_segment_walk *walk, double limit)
{
    if (walk->column == walk->first_column) {
        return false;
    }
    const double entry = (walk->forward ? (double)walk->column - walk->u_start
                                        : walk->u_start - (double)(walk->column + 1));
    return entry > limit * absolute(walk->u_end - walk->u_start) * (1 + margin_factor);
}

// Where the move is when it passes from one column to the next.
static double row_coordinate_at(const graze_segment_walk *walk, int64_t border)
{
    return walk->v_start + ((double)border - walk->u_start) * walk->slope;
}

static void set_passed_rows(graze_segment_walk *walk)
{
    const int64_t column = walk->column;
    const int64_t behind = column + !walk->forward;
    const int64_t ahead = column + walk->forward;
    const double enter =
        column == walk->first_column ? walk->v_start : row_coordinate_at(walk, behind);
    const double leave = column == walk->last_column ? walk->v_end : row_coordinate_at(walk, ahead);
    const double margin = margin_of(walk);
    set_rows(walk, grz_cell_coordinate((walk->upward ? enter : leave) - margin),
             grz_cell_coordinate((walk->upward ? leave : enter) + margin));
}

static bool begin_next_column(graze_segment_walk *walk, double limit)
{
    if (walk->columns_left == 0 || (walk->is_ordered && enters_later(walk, limit))) {
        return false;
    }
    if (walk->is_straight) {
        set_rows(walk, walk->row_low, walk->row_high);
    } else {
        set_passed_rows(walk);
    }
    walk->column_base = (uint32_t)((uint64_t)walk->column & walk->u_mask) << walk->u_shift;
    walk->column += walk->forward ? 1 : -1;
    --walk->columns_left;
    return true;
}

static uint32_t take_row(graze_segment_walk *walk)
{
    const uint32_t row = (uint32_t)((uint64_t)walk->row & walk->v_mask) << walk->v_shift;
    walk->row += walk->upward ? 1 : -1;
    --walk->rows_left;
    return walk->column_base | row;
}

bool grz_segment_walk_next_cell(graze_segment_walk *walk, uint32_t *cell)
{
    while (walk->rows_left == 0) {
        if (!begin_next_column(walk, 1.0)) {
            return false;
        }
    }
    *cell = take_row(walk);
    return true;
}

uint64_t grz_segment_walk_cells_most(const graze_segment_walk *walk)
{
    if (walk->columns_left == 0) {
        return 0;
    }
    const uint64_t rows =
        walk->is_straight ? (uint64_t)(walk->row_high - walk->row_low) + 1 : ROWS_MAX;
    return walk->columns_left * rows;
}

static uint32_t take_near_cell(graze_segment_walk *walk)
{
    static const uint8_t lowest_bit[16] = {4, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0};
    const uint32_t cell = walk->near_cells[lowest_bit[walk->near_mask]];
    walk->near_mask &= (uint8_t)(walk->near_mask - 1);
    return cell;
}

// Advances to the next cell of the level that holds anything.
static bool find_far_cell(graze_segment_walk *walk, double limit, uint32_t *cell)
{
    do {
        while (walk->rows_left > 0) {
            *cell = take_row(walk);
            if (walk->level->heads[*cell] != 0) {
                return true;
            }
        }
    } while (begin_next_column(walk, limit));
    return false;
}

static bool find_cell(graze_segment_walk *walk, double limit, uint32_t *cell)
{
    for (;;) {
        if (walk->near_mask != 0) {
            *cell = take_near_cell(walk);
            return true;
        }
        if (walk->is_far && find_far_cell(walk, limit, cell)) {
            return true;
        }
        if (!begin_next_level(walk)) {
            return false;
        }
    }
}

static graze_segment_span take_quad(graze_segment_walk *walk)
{
    const grz_segment_quad *ends = &grz_pool_quads(&walk->table->pool)[walk->quad];
    const uint32_t count = min_u32(walk->segments_left, GRZ_QUAD);
    const graze_segment_span span = {
        ends->ax, ends->ay, ends->bx, ends->by, grz_pool_names(&walk->table->pool, walk->quad),
        count};
    ++walk->quad;
    walk->segments_left -= count;
    return span;
}

bool graze_segment_walk_next(graze_segment_walk *walk, double limit, graze_segment_span *span)
{
    if (walk->segments_left == 0) {
        uint32_t index;
        if (!find_cell(walk, limit, &index)) {
            return false;
        }
        walk->quad = grz_head_quad(walk->level->heads[index]);
        walk->segments_left = grz_cell_count(walk->level, index);
    }
    *span = take_quad(walk);
    return true;
}

static graze_segment_walk make_walk(const grz_segment_table *table, graze_vec2 from, graze_vec2 to)
{
    graze_segment_walk walk;
    walk.table = table;
    walk.level = NULL;
    walk.levels_left = table ? table->level_count : 0;
    walk.is_box = false;
    walk.is_far = false;
    walk.near_mask = 0;
    walk.segments_left = 0;
    walk.x0 = (double)from.x;
    walk.y0 = (double)from.y;
    walk.x1 = (double)to.x;
    walk.y1 = (double)to.y;
    walk.steep = absolute(walk.y1 - walk.y0) > absolute(walk.x1 - walk.x0);
    return walk;
}

graze_segment_walk grz_segment_walk_level(const grz_segment_level *level, graze_vec2 from,
                                          graze_vec2 to)
{
    graze_segment_walk walk = make_walk(NULL, from, to);
    begin_far(&walk, level);
    return walk;
}

graze_segment_walk graze_segment_grid_walk_ray(const graze_segment_grid *grid, graze_vec2 from,
                                               graze_vec2 to)
{
    return make_walk(grid->table, from, to);
}

// Columns are rows of y here: their cells lie side by side in memory.
graze_segment_walk graze_segment_grid_walk_box(const graze_segment_grid *grid, graze_aabb box)
{
    graze_segment_walk walk = make_walk(grid->table, box.lower, box.upper);
    walk.is_box = true;
    walk.steep = true;
    return walk;
}
