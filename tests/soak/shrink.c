#include "shrink.h"

#include "soak_clock.h"

#include <stdlib.h>
#include <string.h>

/// The smallest failing sequence so far, and room to try another.
typedef struct search {
    soak_run_fn *run;
    uint32_t *best, *tried;
    uint32_t count;
    double deadline;
} search;

static bool is_over(const search *state)
{
    return soak_clock() > state->deadline;
}

// Runs what is in `tried`. A case that fails becomes the best, without choices that it did not use.
static bool try_choices(search *state, uint32_t count)
{
    soak_case test;
    soak_begin_again(&test, state->tried, count, NULL);
    state->run(&test);
    if (!test.failed) {
        return false;
    }
    state->count = test.count;
    memcpy(state->best, state->tried, test.count * sizeof *state->best);
    return true;
}

static bool try_without(search *state, uint32_t start, uint32_t size)
{
    memcpy(state->tried, state->best, start * sizeof *state->best);
    memcpy(state->tried + start, state->best + start + size,
           (state->count - start - size) * sizeof *state->best);
    return try_choices(state, state->count - size);
}

static bool leave_out_runs(search *state)
{
    bool found = false;
    for (uint32_t size = state->count / 2; size > 0; size /= 2) {
        uint32_t start = state->count;
        while (start >= size && !is_over(state)) {
            start -= size;
            found = try_without(state, start, size) || found;
            start = start < state->count ? start : state->count;
        }
    }
    return found;
}

static bool try_with(search *state, uint32_t place, uint32_t choice)
{
    if (place >= state->count || choice >= state->best[place]) {
        return false;
    }
    memcpy(state->tried, state->best, state->count * sizeof *state->best);
    state->tried[place] = choice;
    return try_choices(state, state->count);
}

// Zero is best, then a round number, then any smaller one.
static bool lower_choice(search *state, uint32_t place)
{
    if (try_with(state, place, 0)) {
        return true;
    }
    bool found = false;
    for (int shift = 30; shift >= 8 && !found; shift -= 2) {
        found = try_with(state, place, state->best[place] >> shift << shift);
    }
    for (uint32_t step = state->best[place] / 2; step >= 256; step /= 2) {
        found = (place < state->count && step < state->best[place] &&
                 try_with(state, place, state->best[place] - step)) ||
                found;
    }
    return found;
}

static bool lower_choices(search *state)
{
    bool found = false;
    for (uint32_t place = 0; place < state->count && !is_over(state); ++place) {
        found = lower_choice(state, place) || found;
    }
    return found;
}

uint32_t soak_shrink(soak_run_fn *run, uint32_t *choices, uint32_t count, double seconds)
{
    search state = {run, choices, malloc(SOAK_CHOICES * sizeof *choices), count,
                    soak_clock() + seconds};
    bool found = state.tried != NULL;
    while (found && !is_over(&state)) {
        found = leave_out_runs(&state);
        found = lower_choices(&state) || found;
    }
    free(state.tried);
    return state.count;
}
