// The operations to be checked by the build's own instructions: see lanes.h.

#include "lanes.h"

#if GRZ_LANES_BASE != GRZ_LANES_SCALAR
#define GRZ_LANES GRZ_LANES_BASE
#include "lanes_begin.h"

#include "lanes_check_wide.h"

#include "lanes_end.h"
#else
typedef int lanes_check_without_base; // A file declares something.
#endif
