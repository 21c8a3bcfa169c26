/// @file decide_wide.h
/// The loops of the Decide phase over many pairs at a time: see lanes.h.
