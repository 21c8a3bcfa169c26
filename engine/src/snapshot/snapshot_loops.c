#include "snapshot/snapshot_loops.h"

const grz_snapshot_loops *grz_snapshot_loops_for(grz_lane_set lanes)
{
    static const grz_snapshot_loops *const tables[] = GRZ_WIDE_TABLES(grz_snapshot_loops);
    return tables[lanes];
}
