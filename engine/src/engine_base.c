// The wide loops of this module by the build's own instructions: see lanes.h.

#include "lanes.h"

#if GRZ_LANES_BASE != GRZ_LANES_SCALAR
#define GRZ_LANES GRZ_LANES_BASE
#include "lanes_begin.h"

#include "api/query_rays_wide.h"
#include "collide/predict_wide.h"
#include "history/checksum_wide.h"
#include "solve/solver_wide.h"
#include "step/decide_wide.h"
#include "step/rays_wide.h"

#include "lanes_end.h"
#endif
