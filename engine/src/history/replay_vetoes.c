// The vetoes of the recorded world's filter callback in a step.

#include "history/replay_state.h"

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
