#include "history/checksum.h"

#include "history/archive.h"

static const uint64_t odd_number = UINT64_C(0x9e3779b97f4a7c15); ///< 2^64 over the golden ratio.

// A bijection in each argument: a difference in one of them is never lost.
static uint64_t mix(uint64_t sum, uint64_t word)
{
    const uint64_t mixed = (sum ^ word) * odd_number;
    return mixed << 29 | mixed >> 35;
}

void grz_checksum_begin(grz_checksum *sum)
{
    sum->size = 0;
    for (uint32_t lane = 0; lane < GRZ_CHECKSUM_LANES; ++lane) {
        sum->lanes[lane] = lane;
    }
}

static inline uint32_t little_endian(uint32_t word)
{
    return grz_is_big_endian()
               ? word << 24 | (word & 0xff00) << 8 | (word >> 8 & 0xff00) | word >> 24
               : word;
}

static inline void add_word(uint32_t *lane, uint32_t word, uint32_t multiplier)
{
    const uint32_t mixed = (*lane + word) * multiplier;
    *lane = mixed << GRZ_CHECKSUM_TURN | mixed >> (32 - GRZ_CHECKSUM_TURN);
}

// HOT. bench: engine/snapshot_save, engine/snapshot_load
//
// Data    256 bytes per block.
// Branch  None.
// Order   Lane k adds words k, k + 64 ...: compilers vectorize over lanes. gcc must not know the
//         factor: it would take a dozen shifts instead of products, twice as long.
static void add_blocks(grz_checksum *sum, const unsigned char *bytes, size_t count)
{
    const volatile uint32_t factor = GRZ_CHECKSUM_FACTOR;
    const uint32_t multiplier = factor;
    for (size_t i = 0; i < count; ++i, bytes += GRZ_CHECKSUM_BLOCK) {
        for (uint32_t lane = 0; lane < GRZ_CHECKSUM_LANES; ++lane) {
            add_word(&sum->lanes[lane], little_endian(grz_word_at(bytes, lane)), multiplier);
        }
    }
}

// A partial block counts as if zeros followed.
void grz_checksum_add(grz_checksum *sum, const void *bytes, size_t size)
{
    const size_t rest = size % GRZ_CHECKSUM_BLOCK, whole = size - rest;
    add_blocks(sum, bytes, whole / GRZ_CHECKSUM_BLOCK);
    if (rest) {
        unsigned char last[GRZ_CHECKSUM_BLOCK] = {0};
        memcpy(last, (const unsigned char *)bytes + whole, rest);
        add_blocks(sum, last, 1);
    }
    sum->size += size;
}

void grz_checksum_add_sum(grz_checksum *sum, const grz_checksum *part)
{
    for (uint32_t lane = 0; lane < GRZ_CHECKSUM_LANES; ++lane) {
        add_word(&sum->lanes[lane], part->lanes[lane], GRZ_CHECKSUM_FACTOR);
    }
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

uint64_t grz_checksum_of(const void *bytes, size_t size)
{
    grz_checksum sum;
    grz_checksum_begin(&sum);
    grz_checksum_add(&sum, bytes, size);
    return grz_checksum_end(&sum);
}
