#include "lanes_choice.h"

#include <stdlib.h>
#include <string.h>

const char *grz_lanes_name(grz_lane_set set)
{
    static const char *const base_names[] = {"scalar", "sse2", "avx2", "avx512", "neon", "simd128"};
    switch ((int)set) {
    case GRZ_SET_SCALAR:
        return "scalar";
#if GRZ_LANES_MANY
    case GRZ_SET_AVX2:
        return "avx2";
    case GRZ_SET_AVX512:
        return "avx512";
#endif
    default:
        return base_names[GRZ_LANES_BASE];
    }
}

bool grz_lanes_has(grz_lane_set set)
{
#if GRZ_LANES_MANY
    if (set == GRZ_SET_AVX2) {
        return __builtin_cpu_supports("avx2");
    }
    if (set == GRZ_SET_AVX512) {
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
    }
#endif
    return set < GRZ_SET_COUNT;
}

static const char *read_wish(void)
{
    const char *wish = getenv("GRAZE_LANES");
    return wish && wish[0] ? wish : NULL;
}

// Returns the set that GRAZE_LANES asks for, or GRZ_SET_COUNT if it is not available.
static grz_lane_set find_wanted(const char *wanted)
{
    uint32_t set = GRZ_SET_SCALAR;
    while (set < GRZ_SET_COUNT && strcmp(wanted, grz_lanes_name((grz_lane_set)set)) != 0) {
        ++set;
    }
    const bool can = set < GRZ_SET_COUNT && grz_lanes_has((grz_lane_set)set);
    return can ? (grz_lane_set)set : GRZ_SET_COUNT;
}

static grz_lane_set find_widest(void)
{
    uint32_t set = GRZ_SET_COUNT - 1;
    while (set > 0 && !grz_lanes_has((grz_lane_set)set)) {
        --set;
    }
    return (grz_lane_set)set;
}

grz_lane_set grz_lanes_choose(void)
{
    const char *wanted = read_wish();
    const grz_lane_set set = wanted ? find_wanted(wanted) : GRZ_SET_COUNT;
    return set < GRZ_SET_COUNT ? set : find_widest();
}

const char *grz_lanes_refused(void)
{
    const char *wanted = read_wish();
    return wanted && find_wanted(wanted) == GRZ_SET_COUNT ? wanted : NULL;
}
