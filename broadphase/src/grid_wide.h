/// @file grid_wide.h
/// The loops of the grid over many boxes at a time: see lanes.h and grid_loops.h.
///
/// Bits       Cells are computed in double as in grz_grid_center_coordinate, lane by lane; boxes
///            are compared, which is exact. So all sets find the same, and in the same order.

#include "bits.h"
#include "grid_scan.h"
#include "likely.h"
#include "min_max.h"
#include "prefetch.h"

#include <float.h>
#include <math.h>

#include "grid_boxes_wide.h"
#include "grid_measures_wide.h"
#include "grid_overlaps_wide.h"

#include "grid_cells_wide.h"
#include "grid_neighbours_wide.h"
#include "grid_windows_wide.h"

const grz_grid_loops GRZ_WIDE(grz_grid_loops) = {
    find_cells, fetch_boxes, find_key_span, scan_items, scan_windows, scan_range, find_bounds};
