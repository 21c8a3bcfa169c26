#include "checksum/checksum.h"

#include <string.h>

static const uint64_t odd_number = UINT64_C(0x9e3779b97f4a7c15); ///< 2^64 over the golden ratio.

// A bijection in each argument: a difference in one of them is never lost.
static uint64_t mix(uint64_t sum, uint64_t word)
{
    const uint64_t mixed = (sum ^ word) * odd_number;
    return mixed << 29 | mixed >> 35;
}

const grz_checksum_loops *grz_checksum_loops_for(grz_lane_set lanes)
{
    static const grz_checksum_loops *const loops[] = GRZ_WIDE_TABLES(grz_checksum_loops);
    return loops[lanes];
}

void grz_checksum_begin(grz_checksum *sum)
{
    sum->size = 0;
    for (uint32_t lane = 0; lane < GRZ_CHECKSUM_LANES; ++lane) {
        sum->lanes[lane] = lane;
    }
}

// A partial block counts as if zeros followed.
static void add_rest(grz_checksum *sum, const grz_checksum_loops *loops, const unsigned char *rest,
                     size_t size)
{
    unsigned char last[GRZ_CHECKSUM_BLOCK] = {0};
    memcpy(last, rest, size);
    loops->add_blocks(sum->lanes, last, 1);
}

void grz_checksum_add(grz_checksum *sum, const grz_checksum_loops *loops,
                      const unsigned char *bytes, size_t size)
{
    const size_t rest = size % GRZ_CHECKSUM_BLOCK, whole = size - rest;
    loops->add_blocks(sum->lanes, bytes, whole / GRZ_CHECKSUM_BLOCK);
    if (rest) {
        add_rest(sum, loops, bytes + whole, rest);
    }
    sum->size += size;
}

void grz_checksum_copy(grz_checksum *sum, const grz_checksum_loops *loops, unsigned char *to,
                       const unsigned char *bytes, size_t size)
{
    const size_t rest = size % GRZ_CHECKSUM_BLOCK, whole = size - rest;
    loops->copy_blocks(sum->lanes, to, bytes, whole / GRZ_CHECKSUM_BLOCK);
    if (rest) {
        memcpy(to + whole, bytes + whole, rest);
        add_rest(sum, loops, bytes + whole, rest);
    }
    sum->size += size;
}

_Static_assert(sizeof(uint32_t) * GRZ_CHECKSUM_LANES == GRZ_CHECKSUM_BLOCK, "lanes are a block");

void grz_checksum_add_sum(grz_checksum *sum, const grz_checksum_loops *loops,
                          const grz_checksum *part)
{
    loops->add_blocks(sum->lanes, (const unsigned char *)part->lanes, 1);
    sum->size += GRZ_CHECKSUM_BLOCK;
}

uint64_t grz_checksum_end(const grz_checksum *sum)
{
    uint64_t all = sum->size;
    for (uint32_t lane = 0; lane < GRZ_CHECKSUM_LANES; lane += 2) {
        all = mix(all, (uint64_t)sum->lanes[lane + 1] << 32 | sum->lanes[lane]);
    }
    return mix(all ^ all >> 32, 0);
}

uint64_t grz_checksum_of(const grz_checksum_loops *loops, const void *bytes, size_t size)
{
    grz_checksum sum;
    grz_checksum_begin(&sum);
    grz_checksum_add(&sum, loops, bytes, size);
    return grz_checksum_end(&sum);
}
