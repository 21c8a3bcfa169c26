/// @file predict_wide.h
/// The loops of the Predict phase over many rows at a time: see lanes.h.
