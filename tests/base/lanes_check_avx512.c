// The operations to be checked by AVX-512: see lanes.h.

#include "lanes.h"

#if GRZ_LANES_MANY
#define GRZ_LANES GRZ_LANES_AVX512
#include "lanes_begin.h"

#include "lanes_check_wide.h"

#include "lanes_end.h"
#else
typedef int lanes_check_without_avx512; // A file declares something.
#endif
