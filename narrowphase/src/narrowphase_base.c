// The wide loops of this module by the build's own instructions: see lanes.h.

#include "lanes.h"

#if GRZ_LANES_BASE != GRZ_LANES_SCALAR
#define GRZ_LANES GRZ_LANES_BASE
#include "lanes_begin.h"

#include "many_wide.h"

#include "lanes_end.h"
#endif
