#include "outline.h"

#include <stdlib.h>

/// A cell's side, directed so that the solid lies on the right (y up).
typedef struct cell_side {
    grz_cell from, to;
    bool used;
} cell_side;

static int compare_cells(const void *a, const void *b)
{
    const grz_cell *p = a;
    const grz_cell *q = b;
    if (p->y != q->y) {
        return p->y < q->y ? -1 : 1;
    }
    return (p->x > q->x) - (p->x < q->x);
}

// By start only, so the two sides that leave a corner are neighbours.
static int compare_sides(const void *a, const void *b)
{
    return compare_cells(&((const cell_side *)a)->from, &((const cell_side *)b)->from);
}

static bool has_cell(const grz_cell *cells, size_t count, grz_cell cell)
{
    return bsearch(&cell, cells, count, sizeof *cells, compare_cells) != NULL;
}

static cell_side *collect_sides(grz_memory *memory, const grz_cell *cells)
{
    // Per side: the neighbour that must be open, then the corners it goes from and to.
    static const int8_t sides[4][6] = {
        {0, -1, 1, 0, 0, 0}, {-1, 0, 0, 0, 0, 1}, {0, 1, 0, 1, 1, 1}, {1, 0, 1, 1, 1, 0}};
    cell_side *list = NULL;
    size_t count = grz_list_count(cells);
    for (size_t i = 0; i < count; ++i) {
        grz_cell cell = cells[i];
        if (i > 0 && compare_cells(&cells[i - 1], &cell) == 0) {
            continue;
        }
        for (int k = 0; k < 4; ++k) {
            const int8_t *side = sides[k];
            grz_cell neighbour = {cell.x + side[0], cell.y + side[1]};
            if (!has_cell(cells, count, neighbour)) {
                cell_side added = {{cell.x + side[2], cell.y + side[3]},
                                   {cell.x + side[4], cell.y + side[5]},
                                   false};
                grz_push(memory, list, added);
            }
        }
    }
    return list;
}

static int64_t turn_of(grz_cell a, grz_cell b, grz_cell c)
{
    return (int64_t)(b.x - a.x) * (c.y - b.y) - (int64_t)(b.y - a.y) * (c.x - b.x);
}

static cell_side *find_first(cell_side *sides, size_t count, grz_cell from)
{
    cell_side key = {from, from, false};
    cell_side *found = bsearch(&key, sides, count, sizeof *sides, compare_sides);
    while (found > sides && compare_sides(found - 1, &key) == 0) {
        --found;
    }
    return found;
}

// If two cells touch at a corner, two sides leave it: the one that turns towards the solid
// continues around the same cell. Yields null if that is the one where the walk started.
static cell_side *find_next(cell_side *sides, size_t count, const cell_side *side,
                            const cell_side *start)
{
    cell_side *best = NULL;
    int64_t best_turn = 0;
    cell_side *next = find_first(sides, count, side->to);
    for (; next < sides + count && compare_cells(&next->from, &side->to) == 0; ++next) {
        int64_t turn = turn_of(side->from, side->to, next->to);
        if ((!next->used || next == start) && (!best || turn < best_turn)) {
            best = next;
            best_turn = turn;
        }
    }
    return best == start ? NULL : best;
}

static double twice_area(const grz_cell *corners, size_t count)
{
    double area = 0;
    grz_cell a = corners[count - 1];
    for (size_t i = 0; i < count; ++i) {
        grz_cell b = corners[i];
        area += (double)a.x * b.y - (double)a.y * b.x;
        a = b;
    }
    return area;
}

// Drops the start, too, if it lies in line.
static void walk_loop(grz_memory *memory, cell_side *sides, size_t count, cell_side *start,
                      grz_cell **corners)
{
    cell_side *side = start;
    while (side) {
        side->used = true;
        cell_side *next = find_next(sides, count, side, start);
        cell_side *after = next ? next : start;
        if (turn_of(side->from, side->to, after->to) != 0) {
            grz_push(memory, *corners, side->to);
        }
        side = next;
    }
}

void grz_outline_trace(grz_memory *memory, grz_cell *cells, grz_outline_fn *found, void *user)
{
    if (grz_list_count(cells) == 0) {
        return;
    }
    qsort(cells, grz_list_count(cells), sizeof *cells, compare_cells);
    cell_side *sides = collect_sides(memory, cells);
    size_t count = grz_list_count(sides);
    qsort(sides, count, sizeof *sides, compare_sides);
    grz_cell *corners = NULL;
    for (size_t i = 0; i < count; ++i) {
        if (!sides[i].used) {
            grz_list_clear(corners);
            walk_loop(memory, sides, count, &sides[i], &corners);
            size_t length = grz_list_count(corners);
            found(corners, length, twice_area(corners, length) > 0, user);
        }
    }
    grz_list_free(corners);
    grz_list_free(sides);
}
