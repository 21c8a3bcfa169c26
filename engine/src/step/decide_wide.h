/// @file decide_wide.h
/// The loops of the Decide phase over many pairs at a time: see lanes.h.

#include "step/decide_lanes.h"
#include "step/decide_rank_wide.h"
#include "step/decide_round_wide.h"

#include "step/decide_mixed_wide.h"
#include "step/decide_rays_wide.h"
#include "step/decide_rects_wide.h"

const grz_decide_loops GRZ_WIDE(grz_decide_loops) = {
    rank_pairs, {decide_round, decide_mixed, decide_angular}, decide_rays};
