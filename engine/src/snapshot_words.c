#include "snapshot_words.h"

grz_word_reader grz_read_words(const grz_snapshot *snapshot)
{
    const grz_word_reader reader = {snapshot, 0, 0};
    return reader;
}

static uint64_t read_vacant(const grz_snapshot *snapshot, uint32_t word)
{
    uint64_t vacant;
    memcpy(&vacant, grz_snapshot_element(snapshot, GRZ_SECTION_VACANCIES, word), sizeof vacant);
    return vacant;
}

// The bits of the retired among the 64 indices from `first` on.
static uint64_t read_retired(grz_word_reader *from, uint32_t first)
{
    const unsigned char *retired = grz_snapshot_section(from->snapshot, GRZ_SECTION_RETIRED);
    uint64_t bits = 0;
    for (; from->next_retired < from->snapshot->header.retired_count; ++from->next_retired) {
        const uint32_t index = grz_word_at(retired, from->next_retired);
        if (index / 64 != first / 64) {
            break;
        }
        bits |= UINT64_C(1) << index % 64;
    }
    return bits;
}

static void read_bodies(const grz_snapshot *snapshot, uint32_t count, grz_index_word *word)
{
    const unsigned char *bodies = grz_snapshot_element(snapshot, GRZ_SECTION_BODIES, word->first);
    for (size_t k = 0; k < count; ++k) {
        word->generations[k] = grz_word_at(bodies, 2 * k);
        word->forms[k] = grz_word_at(bodies, 2 * k + 1);
    }
}

bool grz_read_word(grz_word_reader *from, grz_index_word *word)
{
    const uint32_t end = from->snapshot->header.index_count;
    const uint32_t first = from->next;
    if (first >= end) {
        return false;
    }
    const uint32_t left = end - first;
    word->first = first;
    word->all = left < 64 ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
    word->vacant = read_vacant(from->snapshot, first / 64);
    word->in_world = word->all & ~word->vacant & ~read_retired(from, first);
    read_bodies(from->snapshot, left < 64 ? left : 64, word);
    from->next = left < 64 ? end : first + 64;
    return true;
}
