#include "rays/rays.h"

const grz_ray_loops *grz_ray_loops_for(grz_lane_set lanes)
{
    static const grz_ray_loops *const tables[] = GRZ_WIDE_TABLES(grz_ray_loops);
    return tables[lanes];
}
