#include "outline_grid.h"

#include "bits.h"

#include <string.h>

/// Bitmaps with an empty column and row around the cells, so that every cell has neighbours. A
/// corner has the place of the cell to the right of it and below.
typedef struct outline_grid {
    int64_t x, y;      ///< Of the cell at place (0, 0).
    size_t row_count;  ///< Of cells, the empty ones included.
    size_t word_count; ///< Of a row.
    uint64_t *solid;   ///< A list: rows of cells.
    uint64_t *walked;  ///< A list: rows of corners, from which a side goes down or to the right.
    grz_cell *corners; ///< A list: of the loop.
} outline_grid;

/// Which way a side goes. Its solid cell is on the left of a walker on the screen.
typedef enum heading { DOWN, RIGHT, UP, LEFT } heading;

typedef struct walker {
    size_t x, y; ///< The corner where it is.
    heading way;
} walker;

void grz_runs_add(grz_memory *memory, grz_run **runs, grz_cell cell)
{
    const size_t count = grz_list_count(*runs);
    grz_run *last = count > 0 ? &(*runs)[count - 1] : NULL;
    if (last && last->y == cell.y && (int64_t)last->x + last->count == cell.x) {
        ++last->count;
        return;
    }
    const grz_run run = {cell.x, cell.y, 1};
    grz_push(memory, *runs, run);
}

static bool get_bit(const outline_grid *grid, const uint64_t *bits, size_t x, size_t y)
{
    return bits[y * grid->word_count + x / 64] >> (x % 64) & 1;
}

static void set_bit(const outline_grid *grid, uint64_t *bits, size_t x, size_t y)
{
    bits[y * grid->word_count + x / 64] |= (uint64_t)1 << (x % 64);
}

// --- One loop ---

// If two cells touch only at a corner, the walk goes on around the same cell.
static heading turn(const outline_grid *grid, const walker *walk)
{
    // By heading: the two cells ahead, relative to the corner; the one on the solid side first.
    static const int8_t ahead[4][4] = {
        {0, 0, -1, 0}, {0, -1, 0, 0}, {-1, -1, 0, -1}, {-1, 0, -1, -1}};
    const int8_t *cells = ahead[walk->way];
    const size_t x = walk->x;
    const size_t y = walk->y;
    if (!get_bit(grid, grid->solid, x + (size_t)cells[0], y + (size_t)cells[1])) {
        return (heading)((walk->way + 1) % 4);
    }
    return get_bit(grid, grid->solid, x + (size_t)cells[2], y + (size_t)cells[3])
               ? (heading)((walk->way + 3) % 4)
               : walk->way;
}

static void walk_side(walker *walk)
{
    walk->x += (size_t)((walk->way == RIGHT) - (walk->way == LEFT));
    walk->y += (size_t)((walk->way == DOWN) - (walk->way == UP));
}

static void walk_loop(grz_memory *memory, outline_grid *grid, walker start)
{
    walker walk = start;
    grz_list_clear(grid->corners);
    do {
        if (walk.way == DOWN || walk.way == RIGHT) {
            set_bit(grid, grid->walked, walk.x, walk.y);
        }
        walk_side(&walk);
        const heading next = turn(grid, &walk);
        if (next != walk.way) {
            const grz_cell corner = {(int32_t)((int64_t)walk.x + grid->x),
                                     (int32_t)((int64_t)walk.y + grid->y)};
            grz_push(memory, grid->corners, corner);
        }
        walk.way = next;
    } while (walk.x != start.x || walk.y != start.y || walk.way != start.way);
}

static double twice_area(const grz_cell *corners, size_t count)
{
    double area = 0;
    grz_cell a = corners[count - 1];
    for (size_t i = 0; i < count; ++i) {
        const grz_cell b = corners[i];
        area += (double)a.x * b.y - (double)a.y * b.x;
        a = b;
    }
    return area;
}

// --- All loops ---

// Corners of a word from which a side goes down, along the left of a cell, or to the right, below
// one: where a loop has its first corner, one of these leaves it.
static uint64_t find_starts(const outline_grid *grid, size_t row, size_t word)
{
    const uint64_t *cells = grid->solid + row * grid->word_count + word;
    const uint64_t before = word > 0 ? cells[-1] >> 63 : 0;
    const uint64_t above = row > 0 ? *(cells - grid->word_count) : 0;
    return (*cells & ~(*cells << 1 | before)) | (above & ~*cells);
}

static void trace_corner(grz_memory *memory, outline_grid *grid, size_t x, size_t y,
                         grz_outline_fn *found, void *user)
{
    if (get_bit(grid, grid->walked, x, y)) {
        return;
    }
    const walker start = {x, y, get_bit(grid, grid->solid, x, y) ? DOWN : RIGHT};
    walk_loop(memory, grid, start);
    const size_t count = grz_list_count(grid->corners);
    found(grid->corners, count, twice_area(grid->corners, count) > 0, user);
}

static void trace(grz_memory *memory, outline_grid *grid, grz_outline_fn *found, void *user)
{
    for (size_t row = 0; row < grid->row_count; ++row) {
        for (size_t word = 0; word < grid->word_count; ++word) {
            uint64_t starts = find_starts(grid, row, word);
            for (; starts; starts &= starts - 1) {
                const size_t x = 64 * word + grz_lowest_bit(starts);
                trace_corner(memory, grid, x, row, found, user);
            }
        }
    }
}

// --- The box ---

typedef struct cell_box {
    int64_t left, top, right, bottom; ///< Without the last two.
    uint64_t cell_count;
} cell_box;

static cell_box find_box(const grz_run *runs)
{
    cell_box box = {INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN, 0};
    for (size_t i = 0; i < grz_list_count(runs); ++i) {
        const grz_run *run = &runs[i];
        const int64_t end = (int64_t)run->x + run->count;
        box.left = run->x < box.left ? run->x : box.left;
        box.top = run->y < box.top ? run->y : box.top;
        box.right = end > box.right ? end : box.right;
        box.bottom = run->y >= box.bottom ? (int64_t)run->y + 1 : box.bottom;
        box.cell_count += run->count;
    }
    return box;
}

// Two bits for each place of the box, against some 100 bytes for a cell.
static bool is_dense(const cell_box *box)
{
    const double area = (double)(box->right - box->left) * (double)(box->bottom - box->top);
    return area < 65536 + 256 * (double)box->cell_count && area < 1 << 28;
}

static uint64_t *make_bits(grz_memory *memory, size_t count)
{
    uint64_t *bits = NULL;
    grz_memory_require(memory, grz_list_reserve(bits, &memory->inner, count));
    grz_list_extend(bits, count);
    return memset(bits, 0, count * sizeof *bits);
}

static void fill(outline_grid *grid, const grz_run *run)
{
    const size_t x = (size_t)(run->x - grid->x);
    const size_t y = (size_t)(run->y - grid->y);
    for (uint32_t i = 0; i < run->count; ++i) {
        set_bit(grid, grid->solid, x + i, y);
    }
}

static void trace_dense(grz_memory *memory, const grz_run *runs, const cell_box *box,
                        grz_outline_fn *found, void *user)
{
    outline_grid grid = {.x = box->left - 1, .y = box->top - 1};
    grid.row_count = (size_t)(box->bottom - box->top) + 2;
    grid.word_count = ((size_t)(box->right - box->left) + 2 + 63) / 64;
    grid.solid = make_bits(memory, grid.row_count * grid.word_count);
    grid.walked = make_bits(memory, grid.row_count * grid.word_count);
    for (size_t i = 0; i < grz_list_count(runs); ++i) {
        fill(&grid, &runs[i]);
    }
    trace(memory, &grid, found, user);
    grz_list_free(grid.corners);
    grz_list_free(grid.walked);
    grz_list_free(grid.solid);
}

static void trace_sparse(grz_memory *memory, const grz_run *runs, grz_outline_fn *found, void *user)
{
    grz_cell *cells = NULL;
    for (size_t i = 0; i < grz_list_count(runs); ++i) {
        for (uint32_t k = 0; k < runs[i].count; ++k) {
            const grz_cell cell = {runs[i].x + (int32_t)k, runs[i].y};
            grz_push(memory, cells, cell);
        }
    }
    grz_outline_trace(memory, cells, found, user);
    grz_list_free(cells);
}

void grz_outline_trace_runs(grz_memory *memory, const grz_run *runs, grz_outline_fn *found,
                            void *user)
{
    if (grz_list_count(runs) == 0) {
        return;
    }
    const cell_box box = find_box(runs);
    if (is_dense(&box)) {
        trace_dense(memory, runs, &box, found, user);
    } else {
        trace_sparse(memory, runs, found, user);
    }
}
