// What the filter callback of a recorded world refused in a step.

#include "record/replay_state.h"

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

static bool holds_number(const uint64_t *sorted, uint32_t count, uint64_t number)
{
    uint32_t first = 0;
    while (count > 0) {
        const uint32_t half = count / 2;
        const bool is_after = sorted[first + half] < number;
        first += is_after ? half + 1 : 0;
        count = is_after ? count - half - 1 : half;
        if (!is_after && sorted[first + half] == number) {
            return true;
        }
    }
    return false;
}

bool grz_replay_answer(const graze_world *world, graze_body_id a, graze_body_id b,
                       graze_segment_id segment, void *user)
{
    const graze_replay *replay = user;
    (void)world;
    return !holds_number(replay->vetoes.data, replay->vetoes.count, grz_record_veto(a, b, segment));
}

bool grz_replay_read_vetoes(graze_replay *replay, uint32_t count)
{
    if (count > grz_record_left(&replay->io) / sizeof(uint64_t)) {
        replay->io.failed = true;
        return true;
    }
    if (!grz_array_reserve(&replay->vetoes, &replay->allocator, count)) {
        return grz_replay_fail_memory(replay);
    }
    replay->vetoes.count = count;
    for (uint32_t i = 0; i < count; ++i) {
        grz_pass(&replay->io, &replay->vetoes.data[i], sizeof(uint64_t));
    }
    replay->vetoes.count = grz_record_sort_vetoes(replay->vetoes.data, count);
    return true;
}
