// The wide loops of this module by AVX2: see lanes.h.

#include "lanes.h"

#if GRZ_LANES_MANY
#define GRZ_LANES GRZ_LANES_AVX2
#include "lanes_begin.h"

#include "api/query_rays_wide.h"
#include "collide/predict_wide.h"
#include "history/checksum_wide.h"
#include "solve/solver_wide.h"
#include "step/decide_wide.h"
#include "step/rays_wide.h"

#include "lanes_end.h"
#endif
