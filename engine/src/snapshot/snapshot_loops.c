#include "snapshot/snapshot_loops.h"

const grz_snapshot_loops *grz_snapshot_loops_for(grz_lane_set lanes)
{
    static const grz_snapshot_loops *const tables[] = GRZ_WIDE_TABLES(grz_snapshot_loops);
    return tables[lanes];
}

uint32_t grz_snapshot_copy_numbers(grz_checksum *sum, const grz_snapshot_loops *loops,
                                   unsigned char *to, const unsigned char *bytes, size_t size)
{
    const size_t rest = size % GRZ_CHECKSUM_BLOCK, whole = size - rest;
    const uint32_t wrong = loops->copy_numbers(sum->lanes, to, bytes, whole / GRZ_CHECKSUM_BLOCK);
    sum->size += whole;
    grz_checksum_copy(sum, loops->checksum, to + whole, bytes + whole, rest);
    return wrong | loops->check_numbers(bytes + whole, rest / sizeof(uint32_t));
}
