#include "snapshot_indices.h"

grz_index_reader grz_read_indices(const grz_snapshot *snapshot)
{
    const grz_index_reader reader = {
        .end = snapshot->header.index_count,
        .vacancies = grz_snapshot_section(snapshot, GRZ_SECTION_VACANCIES),
        .retired = grz_snapshot_section(snapshot, GRZ_SECTION_RETIRED),
        .retired_end = grz_snapshot_section(snapshot, (grz_section)(GRZ_SECTION_RETIRED + 1)),
    };
    return reader;
}

static void read_vacant(grz_index_reader *from, grz_index_block *block)
{
    const uint32_t words = (block->count + 63) / 64;
    memcpy(block->vacant, from->vacancies, words * sizeof *block->vacant);
    from->vacancies += words * sizeof *block->vacant;
    for (uint32_t word = 0; word < words; ++word) {
        block->in_world[word] = ~block->vacant[word];
    }
    if (block->count % 64) {
        block->in_world[words - 1] &= (UINT64_C(1) << block->count % 64) - 1;
    }
}

// All of a block at once: how many are retired of a word cannot be guessed.
static void take_retired(grz_index_reader *from, grz_index_block *block)
{
    const unsigned char *next = from->retired;
    for (; next < from->retired_end; next += sizeof(uint32_t)) {
        const uint32_t place = grz_word_at(next, 0) - block->first;
        if (place >= block->count) {
            break;
        }
        block->in_world[place / 64] &= ~(UINT64_C(1) << place % 64);
    }
    from->retired = next;
}

bool grz_read_block(grz_index_reader *from, grz_index_block *block)
{
    const uint32_t left = from->end - from->next;
    block->first = from->next;
    block->count = left < GRZ_INDICES_AT_ONCE ? left : GRZ_INDICES_AT_ONCE;
    if (left) {
        read_vacant(from, block);
        take_retired(from, block);
    }
    from->next += block->count;
    return left > 0;
}
