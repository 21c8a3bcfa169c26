/// @file slices_state.h
/// The pairs of fast bodies, found slice by slice of the step: see slices.h.
#ifndef GRZ_SLICES_STATE_H
#define GRZ_SLICES_STATE_H

#include <graze/grid.h>

#include "array.h"
#include "world/body_state.h"

/// What has become of a pair of fast bodies in an earlier slice.
typedef struct grz_known_pair {
    uint32_t other;   ///< The row of the one with the larger index.
    uint32_t contact; ///< As in grz_candidate.
    uint32_t next;    ///< Another pair of the one with the smaller index; GRZ_NONE: none.
    bool solved;      ///< The solver decides it.
} grz_known_pair;

/// All of one step.
typedef struct grz_slices {
    bool never;                        ///< No step is cut. Only tests set it, as their oracle.
    uint32_t count;                    ///< 0 or 1: the step is not cut.
    uint32_t now;                      ///< The one under way.
    double begin, end;                 ///< Of it: shares of the step. The end of the last is 2.
    uint8_t kind;                      ///< Of fast bodies in the world's grid.
    GRZ_ARRAY(graze_grid_meets) meets; ///< One: the kinds of the world, and that one,
    GRZ_ARRAY(uint8_t) kinds;          ///< by row.
    grz_numbers rows;                  ///< Of fast bodies. By their places in it:
    GRZ_ARRAY(graze_aabb) boxes;       ///< where they are in the slice,
    grz_numbers link_of_place;         ///< what they may meet first (as in adjacency.h),
    grz_numbers known_of_place;        ///< and what they have met.
    grz_numbers place_of_row;          ///< Of all rows; GRZ_NONE: not fast.
    grz_numbers next_link;             ///< Two for each candidate pair from `first` on.
    uint32_t first; ///< Candidate pairs from it on are of this slice, but in the first.
    GRZ_ARRAY(grz_known_pair) known;
    graze_grid *grid; ///< Of the boxes. Null before the first.
} grz_slices;

#endif
