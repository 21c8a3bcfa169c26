// The last ten seconds, as snapshots. Small worlds are kept in every step; of larger ones, such as
// those of 100 000 bullets, as many states as the memory allows, evenly spread.

#include "play_scene.h"

#include <stdlib.h>
#include <string.h>

enum { SECONDS = 10, CAPACITY = SECONDS * PLAY_RATE };

static const size_t most_bytes = 96u << 20;

/// A state: the world's snapshot, and what the game keeps besides.
typedef struct past_state {
    play_state state;
    void *snapshot;
    size_t size, capacity; ///< Bytes.
} past_state;

struct play_history {
    past_state *states; ///< A ring.
    uint32_t first, count;
};

play_history *play_history_create(void)
{
    play_history *history = calloc(1, sizeof *history);
    if (history) {
        history->states = calloc(CAPACITY, sizeof *history->states);
    }
    if (history && !history->states) {
        free(history);
        return NULL;
    }
    return history;
}

void play_history_clear(play_history *history)
{
    for (uint32_t i = 0; i < CAPACITY; ++i) {
        free(history->states[i].snapshot);
        memset(&history->states[i], 0, sizeof history->states[i]);
    }
    history->first = history->count = 0;
}

void play_history_destroy(play_history *history)
{
    if (history) {
        play_history_clear(history);
        free(history->states);
        free(history);
    }
}

static past_state *state_at(const play_history *history, uint32_t past)
{
    return &history->states[(history->first + past) % CAPACITY];
}

// Steps from one state to the next, so that those of ten seconds fit.
static uint32_t interval_for(size_t size)
{
    const uint32_t most = (uint32_t)(most_bytes / size);
    return most >= CAPACITY ? 1 : most < 2 ? CAPACITY : CAPACITY / most + 1;
}

static bool make_room(past_state *past, size_t size)
{
    if (past->capacity < size) {
        const size_t capacity = size + size / 8;
        void *snapshot = realloc(past->snapshot, capacity);
        if (!snapshot) {
            return false;
        }
        past->snapshot = snapshot;
        past->capacity = capacity;
    }
    return true;
}

// What is older than ten seconds, or one too many.
static void forget_old(play_history *history, uint32_t step)
{
    while (history->count > 0 &&
           (history->count == CAPACITY || state_at(history, 0)->state.step + CAPACITY <= step)) {
        past_state *oldest = state_at(history, 0);
        free(oldest->snapshot);
        oldest->snapshot = NULL;
        oldest->capacity = 0;
        history->first = (history->first + 1) % CAPACITY;
        --history->count;
    }
}

// After a rewind, what came later did not happen.
static void forget_future(play_history *history, uint32_t step)
{
    while (history->count > 0 && state_at(history, history->count - 1)->state.step >= step) {
        --history->count;
    }
}

void play_history_note(play *game)
{
    play_history *history = game->history;
    const uint32_t step = game->state.step;
    const size_t size = graze_world_snapshot_size(game->world);
    forget_future(history, step);
    if (step % interval_for(size) != 0) {
        return;
    }
    forget_old(history, step);
    past_state *past = state_at(history, history->count);
    if (make_room(past, size) &&
        graze_world_save(game->world, past->snapshot, past->capacity) == GRAZE_OK) {
        past->size = size;
        past->state = game->state;
        ++history->count;
    }
}

uint32_t play_past_count(const play *game)
{
    return game->history->count;
}

uint32_t play_past_step(const play *game, uint32_t past)
{
    return past < game->history->count ? state_at(game->history, past)->state.step : 0;
}

bool play_rewind(play *game, uint32_t past)
{
    if (past >= game->history->count) {
        return false;
    }
    const past_state *wanted = state_at(game->history, past);
    if (graze_world_load(game->world, wanted->snapshot, wanted->size) != GRAZE_OK) {
        return false;
    }
    game->state = wanted->state;
    game->flash_count = 0;
    ++game->terrain_version;
    play_drop_tools(game);
    play_drawing_forget(game->drawing);
    if (game->scene->loaded) {
        game->scene->loaded(game);
    }
    return true;
}
