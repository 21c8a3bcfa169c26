/// @file checksum_state.h
/// A checksum that is being taken: see checksum.h.
#ifndef GRZ_CHECKSUM_STATE_H
#define GRZ_CHECKSUM_STATE_H

#include "memory.h"

#include <stdint.h>

enum { GRZ_CHECKSUM_LANES = 64 };

/// A sum under way. Its lanes begin a cache line: loops over a few blocks read and write them as
/// often as the blocks.
typedef struct grz_checksum {
    _Alignas(GRZ_ALIGNMENT) uint32_t lanes[GRZ_CHECKSUM_LANES];
    uint64_t size; ///< Bytes so far.
} grz_checksum;

#endif
