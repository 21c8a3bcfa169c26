// The cells of the last build, to be looked at.

#include "grid_state.h"

/// The items of one cell that stand beside each other. The outermost cells also hold what lies
/// beyond them, so a cell is drawn around the centres of its items.
typedef struct cell_run {
    uint32_t column, row, count;
    graze_aabb box;
} cell_run;

static float edge_of(uint32_t coordinate, const grz_grid_axis *axis)
{
    return (float)(((double)coordinate - GRZ_GRID_COORDINATES / 2) * axis->side);
}

static cell_run begin_run(const grz_grid_class *size_class, uint32_t column, uint32_t row)
{
    const grz_grid_axis *x = &size_class->x, *y = &size_class->y;
    return (cell_run){
        column,
        row,
        0,
        {{edge_of(column, x), edge_of(row, y)}, {edge_of(column + 1, x), edge_of(row + 1, y)}}};
}

static void stretch(float *lower, float *upper, double center)
{
    const float value = (float)center;
    *lower = value < *lower ? value : *lower;
    *upper = value > *upper ? value : *upper;
}

static void tell(const cell_run *run, graze_grid_cell_fn *visit, void *user)
{
    if (run->count) {
        visit(run->box, run->count, user);
    }
}

// Items of one cell of the table may be of several cells that lie far apart.
static void visit_cell(const graze_grid *grid, const grz_grid_class *size_class, uint32_t cell,
                       graze_grid_cell_fn *visit, void *user)
{
    const grz_grid_boxes *boxes = &grid->boxes;
    const double inverse_x = size_class->x.inverse_side, inverse_y = size_class->y.inverse_side;
    cell_run run = {.count = 0};
    for (uint32_t i = grid->starts[cell]; i < grid->starts[cell + 1]; ++i) {
        if (boxes->min_x[i] > boxes->max_x[i]) {
            continue; // Removed.
        }
        const double x = 0.5 * ((double)boxes->min_x[i] + (double)boxes->max_x[i]);
        const double y = 0.5 * ((double)boxes->min_y[i] + (double)boxes->max_y[i]);
        const uint32_t column = grz_grid_coordinate(x * inverse_x);
        const uint32_t row = grz_grid_coordinate(y * inverse_y);
        if (column != run.column || row != run.row || !run.count) {
            tell(&run, visit, user);
            run = begin_run(size_class, column, row);
        }
        stretch(&run.box.lower.x, &run.box.upper.x, x);
        stretch(&run.box.lower.y, &run.box.upper.y, y);
        ++run.count;
    }
    tell(&run, visit, user);
}

void graze_grid_visit_cells(const graze_grid *grid, graze_grid_cell_fn *visit, void *user)
{
    for (uint32_t k = 0; k < grid->class_count; ++k) {
        const grz_grid_class *size_class = &grid->classes[k];
        for (uint32_t i = 0; i < size_class->cells; ++i) {
            visit_cell(grid, size_class, size_class->first_cell + i, visit, user);
        }
    }
}
