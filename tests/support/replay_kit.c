#include "replay_kit.h"

#include "world/world_state.h"

#include <string.h>

graze_world *replay_world(void)
{
    graze_world_def def = graze_world_def_default();
    def.gravity.y = -5;
    graze_world *world = graze_world_create(&def);
    kit_wall(world, -900, -9, 900, -9);
    for (uint32_t i = 0; i < REPLAY_BODIES; ++i) {
        graze_body_def body = kit_circle(3 * (float)i, 1, 0.5f);
        body.response = i % 2 ? GRAZE_BOUNCE : GRAZE_PASS;
        body.lifetime = i == 7 ? 0.1f : 0;
        kit_add(world, body);
    }
    return world;
}

void replay_change_unseen(graze_world *world, replay_change *change)
{
    grz_recorder *recorder = world->call.recorder;
    world->call.recorder = NULL;
    change(world);
    world->call.recorder = recorder;
}

// A body is moved, one is created and one destroyed along the way, so that there are calls.
static void play(graze_world *world, replay_change *change)
{
    for (uint32_t step = 1; step <= REPLAY_STEPS; ++step) {
        const graze_vec2 place = {3 * (float)(REPLAY_BODIES - step), (float)step};
        graze_body_set_position(world, graze_world_body_at(world, REPLAY_BODIES - step), place);
        if (step == 3) {
            kit_add(world, kit_bullet(1, -3, 0, 5));
            graze_body_destroy(world, graze_world_body_at(world, 50));
        }
        if (change && step == REPLAY_CHANGED_STEP) {
            replay_change_unseen(world, change);
        }
        kit_step(world, REPLAY_STEP);
    }
}

kit_record replay_record(replay_change *change, bool names_bodies)
{
    kit_record record = {0};
    graze_world *world = replay_world();
    graze_record_def def = graze_record_def_default();
    def.write = kit_record_write;
    def.write_user = &record;
    def.names_bodies = names_bodies;
    assert_int_equal(graze_record_start(world, &def), GRAZE_OK);
    play(world, change);
    assert_int_equal(graze_record_stop(world), GRAZE_OK);
    graze_world_destroy(world);
    return record;
}

graze_replay_state replay_play_again(graze_replay *replay)
{
    graze_replay_state state;
    do {
        state = graze_replay_advance(replay);
    } while (state == GRAZE_REPLAY_STEPPED);
    assert_int_equal(graze_replay_advance(replay), state); // It stays like that.
    return state;
}

static void assert_says(const graze_replay *replay, const char *words)
{
    const char *message = graze_replay_message(replay);
    if (!strstr(message, words)) {
        fail_msg("\"%s\"; wanted: \"%s\"", message, words);
    }
    assert_null(strchr(message, '\n'));
}

graze_replay_difference replay_find_difference(const kit_record *record, const char *words)
{
    graze_replay *replay = kit_replay(record);
    assert_int_equal(replay_play_again(replay), GRAZE_REPLAY_DIFFERS);
    assert_int_equal(graze_replay_status(replay), GRAZE_OK);
    assert_says(replay, words);
    const graze_replay_difference found = graze_replay_get_difference(replay);
    graze_replay_destroy(replay);
    return found;
}
