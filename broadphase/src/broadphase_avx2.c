// The wide loops of this module by AVX2: see lanes.h.

#include "lanes.h"

#if GRZ_LANES_MANY
#define GRZ_LANES GRZ_LANES_AVX2
#include "lanes_begin.h"

#include "grid_wide.h"
#include "segment_grid_wide.h"

#include "lanes_end.h"
#endif
