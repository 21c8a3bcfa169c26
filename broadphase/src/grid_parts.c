// Where streams of pairs begin and end: all pairs, or a part of about equal work.
//
// Work is measured by the items that a stage compares, each stage's weighted by an estimate, so
// that parts lie end to end in the order in which all pairs come.

#include "grid_scan.h"

// The cost, in boxes compared, of beginning with an item, with an item and another class's cells,
// and with a row of these.
static const double item_cost = 12;
static const double window_cost = 40;
static const double row_cost = 16;

// Likewise a row of the cells along a path.
static const double path_row_cost = 64;

// Returns what it costs to compare an item with some cells of a class, in `rows` rows.
static double estimate_cells(const grz_grid_class *target, double cells, double rows, double row)
{
    const double boxes = cells * target->crowding, most = target->count;
    return window_cost + (boxes < most ? row * rows + boxes : most);
}

// Likewise with the cells along a long move: in each row those beside it, and those it goes on to.
static double estimate_path(const grz_grid_class *scanner, const grz_grid_class *target)
{
    const double beside = 1 + 2 * target->x.reach * target->x.inverse_side;
    const double around = 1 + 2 * target->y.reach * target->y.inverse_side;
    const double rows = around + scanner->long_height * target->y.inverse_side;
    const double columns = scanner->long_width * target->x.inverse_side;
    return estimate_cells(target, rows * beside + columns * around, rows, path_row_cost);
}

double grz_estimate_scan(const grz_grid_class *scanner, const grz_grid_class *target)
{
    if (scanner == target) {
        // Half of the nine cells around an item: the other half comes with the other item.
        return scanner->count * (item_cost + 4.5 * target->crowding);
    }
    const double columns = 1 + 2 * (scanner->x.reach + target->x.reach) * target->x.inverse_side;
    const double rows = 1 + 2 * (scanner->y.reach + target->y.reach) * target->y.inverse_side;
    const double window = estimate_cells(target, rows * columns, rows, row_cost);
    const double path = estimate_path(scanner, target);
    return scanner->count * (window + scanner->long_share * (path < window ? path - window : 0));
}

// Returns what the stage costs: 0 if the two classes are not compared. In a class that lies apart
// each item is compared with the bounds, and only few with other items.
static double estimate_stage(const graze_grid *grid, uint32_t stage)
{
    const uint32_t i = stage / grid->class_count, k = stage % grid->class_count;
    const grz_grid_class *scanner = &grid->classes[i], *target = &grid->classes[k];
    if (!(scanner->targets >> k & 1)) {
        return 0;
    }
    return target->apart >> i & 1 ? scanner->count : grz_estimate_scan(scanner, target);
}

static double estimate_all(const graze_grid *grid)
{
    double all = 0;
    for (uint32_t stage = 0; stage < grid->class_count * grid->class_count; ++stage) {
        all += estimate_stage(grid, stage);
    }
    return all;
}

/// A place in a stage: what lies before it has been compared.
typedef struct cut {
    uint32_t stage, item;
} cut;

// Returns the place in the stream at which so much work is done: monotone.
static cut find_cut(const graze_grid *grid, double work)
{
    const uint32_t stages = grid->class_count * grid->class_count;
    for (uint32_t stage = 0; stage < stages; ++stage) {
        const double cost = estimate_stage(grid, stage);
        if (work < cost) {
            const grz_grid_class *scanner = &grid->classes[stage / grid->class_count];
            const grz_grid_range places = grz_find_places(grid, scanner);
            const uint32_t count = places.last - places.first;
            const double items = work / cost * count;
            const cut found = {stage, places.first + (uint32_t)items};
            return found;
        }
        work -= cost;
    }
    const cut end = {UINT32_MAX, 0};
    return end;
}

graze_grid_cursor graze_grid_begin_pairs(const graze_grid *grid)
{
    return graze_grid_begin_pairs_part(grid, 0, 1);
}

graze_grid_cursor graze_grid_begin_pairs_part(const graze_grid *grid, uint32_t part,
                                              uint32_t part_count)
{
    graze_grid_cursor cursor = {.last_stage = UINT32_MAX};
    if (part_count > 1) {
        const double share = estimate_all(grid) / part_count;
        const cut first = find_cut(grid, share * part);
        const cut last = find_cut(grid, share * (part + 1.0));
        cursor.stage = first.stage;
        cursor.item = first.item;
        cursor.last_stage = part + 1 < part_count ? last.stage : UINT32_MAX;
        cursor.last_item = last.item;
    }
    return cursor;
}
