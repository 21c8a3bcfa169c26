/// @file grid_wide.h
/// The loops of the grid over many boxes at a time: see lanes.h.
