// The wide loops of this module by the build's own instructions: see lanes.h.

#include "lanes.h"

#if GRZ_LANES_BASE != GRZ_LANES_SCALAR
#define GRZ_LANES GRZ_LANES_BASE
#include "lanes_begin.h"

#include "grid_wide.h"
#include "segment_grid_wide.h"

#include "lanes_end.h"
#else
typedef int grz_broadphase_without_base; // ISO C wants a declaration in every file.
#endif
