// Lag compensation: a server asks whether a shot hit, not in the present but in the past that the
// player saw when firing. It keeps a snapshot of each of the last steps, loads one into a second
// world, and queries that. The game's own world is not touched.
#include <graze/graze.h>

#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 120, KEPT = 30, DELAY = 12, RUNNERS = 8 };

/// The last steps: step n is in slot n % KEPT.
typedef struct snapshot_history {
    void *snapshots[KEPT];
    size_t sizes[KEPT];
    graze_world *past; ///< Holds one of them for queries.
} snapshot_history;

static void remember(snapshot_history *history, const graze_world *world)
{
    uint64_t slot = graze_world_get_stats(world).step_count % KEPT;
    size_t size = graze_world_snapshot_size(world);
    free(history->snapshots[slot]);
    history->snapshots[slot] = malloc(size);
    history->sizes[slot] = size;
    graze_world_save(world, history->snapshots[slot], size);
}

// Equal terrain is not rebuilt: loading costs only what the bodies cost. Sorting pays in a large
// world, or for more than a few shots at one step.
static bool look_back(snapshot_history *history, uint64_t step, graze_ray ray, graze_query_hit *hit)
{
    uint64_t slot = step % KEPT;
    return graze_world_load(history->past, history->snapshots[slot], history->sizes[slot]) ==
               GRAZE_OK &&
           graze_world_sort(history->past) == GRAZE_OK &&
           graze_query_ray(history->past, ray, graze_filter_default(), hit) == GRAZE_OK &&
           hit->body.generation != 0;
}

static void forget(snapshot_history *history)
{
    for (int i = 0; i < KEPT; ++i) {
        free(history->snapshots[i]);
    }
    graze_world_destroy(history->past);
}

static void make_runners(graze_world *world, graze_body_id *runners)
{
    for (int i = 0; i < RUNNERS; ++i) {
        graze_body_def def = graze_body_def_default();
        def.shape = graze_shape_circle(0.5f);
        def.position = (graze_vec2){-20, (float)(3 * i)};
        def.velocity = (graze_vec2){12 + (float)i, 0};
        def.response = GRAZE_PASS;
        runners[i] = graze_body_create(world, &def);
    }
}

int main(void)
{
    graze_world_def def = graze_world_def_default();
    graze_world *world = graze_world_create(&def);
    snapshot_history history = {.past = graze_world_create(&def)};
    graze_body_id runners[RUNNERS];
    make_runners(world, runners);
    for (int step = 0; step < STEPS; ++step) {
        graze_world_step(world, 1.0f / 60.0f);
        remember(&history, world);
    }
    uint64_t now = graze_world_get_stats(world).step_count;
    uint64_t hash = graze_world_hash(world);
    int hits_now = 0;
    int hits_then = 0;
    for (int i = 0; i < RUNNERS; ++i) {
        // Where the shooter saw the runner, DELAY steps ago: 0.2 seconds of running.
        float x = -20 + (12 + (float)i) * (float)(STEPS - DELAY) / 60.0f;
        graze_ray shot = {{x, (float)(3 * i) - 1.4f}, {0, 2.8f}};
        graze_query_hit hit;
        graze_query_ray(world, shot, graze_filter_default(), &hit);
        hits_now += hit.body.generation != 0;
        hits_then +=
            look_back(&history, now - DELAY, shot, &hit) && hit.body.index == runners[i].index;
    }
    bool untouched = graze_world_hash(world) == hash;
    printf("%d of %d shots hit in the present, %d in the past that was seen\n", hits_now, RUNNERS,
           hits_then);
    forget(&history);
    graze_world_destroy(world);
    return hits_now == 0 && hits_then == RUNNERS && untouched ? 0 : 1;
}
