/// @file many_wide.h
/// The kernels that take arrays of pairs: see lanes.h.
