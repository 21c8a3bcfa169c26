// The wide loops of this module by AVX-512: see lanes.h.

#include "lanes.h"

#if GRZ_LANES_MANY
#define GRZ_LANES GRZ_LANES_AVX512
#include "lanes_begin.h"

#include "many_wide.h"

#include "lanes_end.h"
#endif
