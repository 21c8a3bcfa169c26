#include "snapshot/snapshot_indices.h"

#include "min_max.h"

grz_index_reader grz_read_indices(const grz_snapshot *snapshot, uint32_t at_once)
{
    const grz_index_reader reader = {
        .end = snapshot->header.index_count,
        .at_once = at_once,
        .vacancies = grz_snapshot_section(snapshot, GRZ_SECTION_VACANCIES),
        .retired = grz_snapshot_section(snapshot, GRZ_SECTION_RETIRED),
        .retired_end = grz_snapshot_section(snapshot, (grz_section)(GRZ_SECTION_RETIRED + 1)),
    };
    return reader;
}

// All of a block at once: the number of retired in a word cannot be predicted.
static void take_retired(grz_index_reader *from, grz_index_block *block)
{
    const unsigned char *next = from->retired;
    memset(block->retired, 0, sizeof block->retired);
    for (; next < from->retired_end; next += sizeof(uint32_t)) {
        const uint32_t place = grz_word_at(next, 0) - block->first;
        if (place >= block->count) {
            break;
        }
        block->retired[place / 64] |= UINT64_C(1) << place % 64;
    }
    from->retired = next;
}

// Those in the world are all others.
static void take_vacant(grz_index_reader *from, grz_index_block *block)
{
    const uint32_t words = (block->count + 63) / 64;
    memcpy(block->vacant, from->vacancies, words * sizeof *block->vacant);
    from->vacancies += words * sizeof *block->vacant;
    for (uint32_t word = 0; word < words; ++word) {
        block->in_world[word] = ~(block->vacant[word] | block->retired[word]);
    }
    if (block->count % 64) {
        block->in_world[words - 1] &= (UINT64_C(1) << block->count % 64) - 1;
    }
}

bool grz_read_block(grz_index_reader *from, grz_index_block *block)
{
    const uint32_t left = from->end - from->next;
    block->first = from->next;
    block->count = min_u32(left, from->at_once);
    if (left) {
        take_retired(from, block);
        take_vacant(from, block);
    }
    from->next += block->count;
    return left > 0;
}
