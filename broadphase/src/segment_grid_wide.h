/// @file segment_grid_wide.h
/// The loops of the segment grid over many moves or segments at a time: see lanes.h.
