// The vetoes of a step in a record: a sorted set of pairs.

#include "history/record_format.h"

uint64_t grz_record_veto(graze_body_id a, graze_body_id b, graze_segment_id segment)
{
    const uint32_t terrain = UINT32_C(1) << 31; // Indices are below it.
    if (b.generation == 0) {
        return (uint64_t)a.index << 32 | terrain | segment.chain.index;
    }
    const bool in_order = a.index < b.index;
    return in_order ? (uint64_t)a.index << 32 | b.index : (uint64_t)b.index << 32 | a.index;
}

static void sift_down(uint64_t *heap, uint32_t place, uint32_t count)
{
    for (uint32_t child; (child = 2 * place + 1) < count; place = child) {
        child += child + 1 < count && heap[child + 1] > heap[child];
        if (heap[place] >= heap[child]) {
            return;
        }
        const uint64_t larger = heap[child];
        heap[child] = heap[place];
        heap[place] = larger;
    }
}

// Heapsort (J. W. J. Williams 1964): in place, and never quadratic, whatever a record holds.
static void heap_sort(uint64_t *numbers, uint32_t count)
{
    for (uint32_t place = count / 2; place-- > 0;) {
        sift_down(numbers, place, count);
    }
    while (count-- > 1) {
        const uint64_t largest = numbers[0];
        numbers[0] = numbers[count];
        numbers[count] = largest;
        sift_down(numbers, 0, count);
    }
}

uint32_t grz_record_sort_vetoes(uint64_t *vetoes, uint32_t count)
{
    uint32_t kept = 0;
    heap_sort(vetoes, count);
    for (uint32_t i = 0; i < count; ++i) {
        if (kept == 0 || vetoes[kept - 1] != vetoes[i]) {
            vetoes[kept++] = vetoes[i];
        }
    }
    return kept;
}
