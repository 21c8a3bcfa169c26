// The stages of a stream of pairs: which classes look through which; and where streams begin and
// end, all pairs or a part of about equal work.

#include "grid_scan.h"

// --- What it costs ---

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

// Estimates what it costs to compare each item of `scanner` with those of `target` near it; of one
// class with itself: with those that come after it.
static double estimate_scan(const grz_grid_class *scanner, const grz_grid_class *target)
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

// --- Which class looks through which ---

// Compares each class with itself, and each pair of classes once, in the cheaper direction, unless
// none of their items pair.
static void choose_targets(graze_grid *grid)
{
    for (uint32_t i = 0; i < grid->class_count; ++i) {
        grz_grid_class *fine = &grid->classes[i];
        fine->targets |= grz_find_meeting(grid, i, i) == GRZ_KINDS_APART ? 0 : 1u << i;
        for (uint32_t k = i + 1; k < grid->class_count; ++k) {
            grz_grid_class *coarse = &grid->classes[k];
            if (grz_find_meeting(grid, i, k) == GRZ_KINDS_APART) {
                continue;
            }
            if (estimate_scan(fine, coarse) < estimate_scan(coarse, fine)) {
                fine->targets |= 1u << k;
            } else {
                coarse->targets |= 1u << i;
            }
        }
    }
}

// Where a crowd made the plan separate small items from large ones, as in the debris of an
// explosion, few of the large ones may reach into the part of the world where the small ones lie.
// Then the grid searches for small items around each of these few, instead of for large ones around
// each small one.

enum {
    FEW_SHARE = 64,      ///< Few are a 64th of a class's items at most.
    COUNTED_AT_ONCE = 64 ///< Items per scan; scans stop at more than few.
};

// Returns whether few of the class's items reach into the bounds.
static bool is_apart(const graze_grid *grid, const grz_grid_class *size_class, graze_aabb bounds)
{
    const uint32_t most = size_class->count / FEW_SHARE;
    grz_grid_range left = grz_find_places(grid, size_class);
    uint32_t count = 0;
    while (left.first < left.last && count <= most) {
        uint32_t places[COUNTED_AT_ONCE];
        grz_grid_sink near = {NULL, places, 0, 0, COUNTED_AT_ONCE, 0};
        left.first = grid->loops->scan_range(&grid->boxes, bounds, left, &near);
        count += near.count;
    }
    return count <= most;
}

// Finds which classes of larger items lie apart from one class, and makes their items scan that
// class.
static void find_apart_from(graze_grid *grid, uint32_t index)
{
    grz_grid_class *fine = &grid->classes[index];
    fine->bounds = grid->loops->find_bounds(&grid->boxes, grz_find_places(grid, fine));
    for (uint32_t k = index + 1; k < grid->class_count; ++k) {
        grz_grid_class *coarse = &grid->classes[k];
        const bool are_compared = (fine->targets >> k | coarse->targets >> index) & 1;
        if (are_compared && is_apart(grid, coarse, fine->bounds)) {
            fine->targets &= ~(UINT32_C(1) << k);
            coarse->targets |= UINT32_C(1) << index;
            fine->apart |= UINT32_C(1) << k;
        }
    }
}

void grz_grid_choose_stages(graze_grid *grid)
{
    choose_targets(grid);
    for (uint32_t i = 0; i < grid->class_count; ++i) {
        grid->classes[i].apart = 0;
        if (grid->classes[i].parted && grid->classes[i].count >= GRZ_GRID_PADDING) {
            find_apart_from(grid, i);
        }
    }
}

// --- Parts ---

// Work is measured by the items that a stage compares, each stage's weighted by an estimate, so
// that parts lie end to end in the order in which all pairs come.

// Returns what the stage costs: 0 if the two classes are not compared. In a class that lies apart
// each item is compared with the bounds, and only few with other items.
static double estimate_stage(const graze_grid *grid, uint32_t stage)
{
    const uint32_t i = stage / grid->class_count, k = stage % grid->class_count;
    const grz_grid_class *scanner = &grid->classes[i], *target = &grid->classes[k];
    if (!(scanner->targets >> k & 1)) {
        return 0;
    }
    return target->apart >> i & 1 ? scanner->count : estimate_scan(scanner, target);
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
