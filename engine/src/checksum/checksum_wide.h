/// @file checksum_wide.h
/// The loops over blocks of a checksum, many words at a time: see lanes.h and checksum.h.

#include "checksum/checksum_lanes.h"

static void add_blocks(uint32_t *lanes, const unsigned char *bytes, size_t count)
{
    const block_source source = {bytes, NULL};
    const word_use use = {false, NULL, NULL};
    pass_blocks(lanes, NULL, &source, count, FROM_BYTES, use);
}

static void copy_blocks(uint32_t *lanes, unsigned char *to, const unsigned char *bytes,
                        size_t count)
{
    const block_source source = {bytes, NULL};
    const word_use use = {true, NULL, NULL};
    pass_blocks(lanes, to, &source, count, FROM_BYTES, use);
}

const grz_checksum_loops GRZ_WIDE(grz_checksum_loops) = {add_blocks, copy_blocks};
