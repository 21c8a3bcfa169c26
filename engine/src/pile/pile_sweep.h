/// @file pile_sweep.h
/// Constraints as the sweeps over piles see them, side by side: a loop over lanes, see lanes.h.
#ifndef GRZ_PILE_SWEEP_H
#define GRZ_PILE_SWEEP_H

#include "lanes_choice.h"
#include "pile/pile_state.h"

/// A sweep over all blocks: down, from the last to the first, and up again. `velocities` has one
/// for each body, and one more for all that gives no way, which is written, but has no effect.
typedef void grz_sweep_fn(grz_push_block *blocks, uint32_t count, graze_vec2d *velocities);

typedef struct grz_sweep_loops {
    grz_sweep_fn *sweep;
} grz_sweep_loops;

GRZ_DECLARE_WIDE(grz_sweep_loops, grz_sweep_loops);

#endif
