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
    static const grz_checksum_loops *const tables[] = GRZ_WIDE_TABLES(grz_checksum_loops);
    sum->loops = tables[grz_lanes_choose()];
    sum->size = 0;
    for (uint32_t lane = 0; lane < GRZ_CHECKSUM_LANES; ++lane) {
        sum->lanes[lane] = lane;
    }
}

// A partial block counts as if zeros followed.
void grz_checksum_add(grz_checksum *sum, const void *bytes, size_t size)
{
    const size_t rest = size % GRZ_CHECKSUM_BLOCK, whole = size - rest;
    sum->loops->add_blocks(sum->lanes, bytes, whole / GRZ_CHECKSUM_BLOCK);
    if (rest) {
        unsigned char last[GRZ_CHECKSUM_BLOCK] = {0};
        memcpy(last, (const unsigned char *)bytes + whole, rest);
        sum->loops->add_blocks(sum->lanes, last, 1);
    }
    sum->size += size;
}

void grz_checksum_add_sum(grz_checksum *sum, const grz_checksum *part)
{
    uint32_t words[GRZ_CHECKSUM_LANES];
    memcpy(words, part->lanes, sizeof words);
    if (grz_is_big_endian()) {
        grz_form_turn(&grz_word_form, words, GRZ_CHECKSUM_LANES);
    }
    grz_checksum_add(sum, words, sizeof words);
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
