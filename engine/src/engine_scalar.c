// The wide loops of this module by one lane after the other: see lanes.h. Those of Predict and
// Decide, and of rays against bodies, are in predict.c, decide.c and rays.c: a single row or
// pair needs less than lanes compute.

#include "lanes.h"

#define GRZ_LANES GRZ_LANES_SCALAR
#include "lanes_begin.h"

#include "history/checksum_wide.h"
#include "solve/solver_wide.h"
#include "step/rays_wide.h"

#include "lanes_end.h"
