/// @file segment_grid_walk.h
/// Walks over the cells of one level, for the table and the finder of many moves; the walks of
/// segment_grid.h go from level to level.
#ifndef GRZ_SEGMENT_GRID_WALK_H
#define GRZ_SEGMENT_GRID_WALK_H

#include "segment_grid_table.h"

/// Begins a walk over the cells of the move from -> to in one level only.
graze_segment_walk grz_segment_walk_level(const grz_segment_level *level, graze_vec2 from,
                                          graze_vec2 to);

/// Returns how many cells of its level a walk that has just begun visits at most.
uint64_t grz_segment_walk_cells_most(const graze_segment_walk *walk);

/// Steps to the next cell in the walk's level, whether it holds anything or not.
bool grz_segment_walk_next_cell(graze_segment_walk *walk, uint32_t *cell);

#endif
