// The plan: whether a crowd of small items looks for large ones, or these for it.

#include "grid_scan.h"

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

void grz_grid_find_apart(graze_grid *grid)
{
    for (uint32_t i = 0; i < grid->class_count; ++i) {
        grid->classes[i].apart = 0;
        if (grid->classes[i].parted && grid->classes[i].count >= GRZ_GRID_PADDING) {
            find_apart_from(grid, i);
        }
    }
}
