// The operations to be checked by one lane after the other: see lanes.h.

#include "lanes.h"

#define GRZ_LANES GRZ_LANES_SCALAR
#include "lanes_begin.h"

#include "lanes_check_wide.h"

#include "lanes_end.h"
