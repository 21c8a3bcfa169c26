// A bug report that can be replayed: the game records all calls to its world, and a developer
// replays the record on another machine and inspects any step of it. Here one program does both,
// and the record is in memory; a game would write it to a file, which `graze replay` reads.
#include <graze/graze.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 300, MAX_BYTES = 1 << 20 };

/// Receives the record.
typedef struct report {
    unsigned char *bytes; ///< MAX_BYTES of them.
    size_t size;
} report;

// A game without room returns false: the recording stops, the game continues.
static bool write_report(const void *bytes, size_t size, void *user)
{
    report *to = user;
    if (size > MAX_BYTES - to->size) {
        return false;
    }
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
    return true;
}

static graze_world *make_world(void)
{
    static const graze_vec2 room[] = {{-20, -10}, {20, -10}, {20, 10}, {-20, 10}};
    graze_world_def def = graze_world_def_default();
    def.gravity.y = -9.8f;
    graze_world *world = graze_world_create(&def);
    graze_chain_def walls = graze_chain_def_default();
    walls.points = room;
    walls.count = 4;
    walls.loop = true;
    graze_chain_create(world, &walls);
    return world;
}

// What a player does: throws balls, and now and then shoots one away.
static void play(graze_world *world, uint32_t step)
{
    if (step % 10 == 0) {
        graze_body_def ball = graze_body_def_default();
        ball.position.x = (float)(step % 37) - 18;
        ball.velocity.x = (float)(step % 23) - 11;
        ball.response = GRAZE_BOUNCE;
        ball.friction = 0;
        ball.restitution = 0.75f;
        graze_body_create(world, &ball);
    }
    if (step % 55 == 54) {
        graze_body_destroy(world, graze_world_body_at(world, step / 55));
    }
    graze_world_step(world, 1.0f / 60.0f);
}

static uint64_t play_and_record(report *to)
{
    graze_world *world = make_world();
    graze_record_def def = graze_record_def_default();
    def.write = write_report;
    def.write_user = to;
    graze_record_start(world, &def);
    for (uint32_t step = 0; step < STEPS; ++step) {
        play(world, step);
    }
    const graze_status status = graze_record_stop(world);
    const uint64_t hash = graze_world_hash(world);
    printf("recorded: %u steps in %u bytes: %s\n", STEPS, (unsigned)to->size,
           graze_status_text(status));
    graze_world_destroy(world);
    return hash;
}

// Returns the hash at the end; 0 on failure.
static uint64_t replay(const report *from)
{
    uint64_t hash = 0;
    graze_replay *again;
    const graze_world_def def = graze_world_def_default();
    if (graze_replay_create(&def, from->bytes, from->size, &again) != GRAZE_OK) {
        return 0;
    }
    while (graze_replay_advance(again) == GRAZE_REPLAY_STEPPED) {
        // Here graze_replay_world(again) is what the game's world was after this step.
    }
    printf("replayed: %s\n", graze_replay_message(again));
    if (graze_replay_advance(again) == GRAZE_REPLAY_ENDED) {
        hash = graze_world_hash(graze_replay_world(again));
    }
    graze_replay_destroy(again);
    return hash;
}

int main(void)
{
    report made = {malloc(MAX_BYTES), 0};
    if (!made.bytes) {
        return EXIT_FAILURE;
    }
    const uint64_t hash = play_and_record(&made);
    const bool is_same = replay(&made) == hash;
    free(made.bytes);
    return is_same ? EXIT_SUCCESS : EXIT_FAILURE;
}
