// The playground's scenes and tools, without a page.

// cmocka.h needs these four before it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "play_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BULLETS = 2000, STEPS = 90, FAR = 40 };

static play *begin(const char *name, uint32_t threads)
{
    play *game = play_create(threads);
    assert_non_null(game);
    for (uint32_t i = 0; i < play_scene_count(); ++i) {
        if (strcmp(play_scene_name(i), name) == 0) {
            assert_true(play_start(game, i, BULLETS));
            return game;
        }
    }
    fail_msg("there is no scene %s", name);
    return NULL;
}

static void go(play *game, uint32_t steps)
{
    for (uint32_t i = 0; i < steps; ++i) {
        assert_true(play_step(game));
        assert_string_equal(play_message(game), "");
    }
}

static uint64_t hash_after(const char *name, uint32_t threads, const char *lanes)
{
    setenv("GRAZE_LANES", lanes, 1);
    play *game = begin(name, threads);
    unsetenv("GRAZE_LANES");
    go(game, STEPS);
    const uint64_t hash = play_hash(game);
    play_destroy(game);
    return hash;
}

static void scenes_give_the_same_bits_with_any_lanes_and_threads(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < play_scene_count(); ++i) {
        const char *name = play_scene_name(i);
        const uint64_t hash = hash_after(name, 1, "scalar");
        unsetenv("GRAZE_LANES");
        play *game = begin(name, 3); // With the widest lanes.
        go(game, STEPS);
        if (play_hash(game) != hash) {
            fail_msg("%s: %016llx on scalar lanes, %016llx with threads", name,
                     (unsigned long long)hash, (unsigned long long)play_hash(game));
        }
        play_destroy(game);
    }
}

static void each_scene_has_a_name_a_hint_and_a_picture(void **state)
{
    (void)state;
    assert_null(play_scene_name(play_scene_count()));
    assert_null(play_scene_hint(play_scene_count()));
    for (uint32_t i = 0; i < play_scene_count(); ++i) {
        play *game = begin(play_scene_name(i), 1);
        assert_true(strlen(play_scene_hint(i)) > 10);
        go(game, 60);
        const uint32_t shown = PLAY_SHOW_CONTACTS | PLAY_SHOW_ISLANDS | PLAY_SHOW_SLEEP |
                               PLAY_SHOW_VELOCITIES | PLAY_SHOW_SPARKS;
        const play_frame *frame = play_draw(game, shown);
        assert_non_null(frame);
        assert_int_equal(frame->body_count, (uint32_t)play_measure(game)->bodies);
        assert_true(frame->look_count >= frame->body_count);
        assert_int_equal(frame->corner_count % 3, 0);
        assert_true(frame->body_count > 0 && frame->mark_count > 0);
        for (uint32_t k = 0; k < frame->body_count; ++k) {
            const play_look *look = &frame->looks[frame->indices[k]];
            assert_true((look->kind & 3) <= GRAZE_SHAPE_RAY && look->color <= 0xFFFFFF);
        }
        play_destroy(game);
    }
}

static void an_unknown_scene_is_refused(void **state)
{
    (void)state;
    play *game = play_create(1);
    assert_false(play_start(game, play_scene_count(), 0));
    play_destroy(game);
}

static void a_rewind_gives_the_past_state_and_the_same_future(void **state)
{
    (void)state;
    static const char *const names[] = {"bullets", "platformer", "digging", "horde"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        play *game = begin(names[i], 1);
        uint64_t hashes[STEPS];
        for (int step = 0; step < STEPS; ++step) {
            hashes[step] = play_hash(game);
            go(game, 1);
        }
        const uint32_t count = play_past_count(game);
        assert_true(count > STEPS / 8);
        assert_true(play_rewind(game, count / 3));
        const uint32_t past = play_step_number(game);
        assert_int_equal(play_past_step(game, count / 3), past);
        for (uint32_t step = past; step < STEPS; ++step) {
            assert_true(play_hash(game) == hashes[step]);
            go(game, 1);
        }
        assert_int_equal(play_past_count(game), count);
        assert_false(play_rewind(game, count));
        play_destroy(game);
    }
}

static void the_past_is_ten_seconds_long(void **state)
{
    (void)state;
    play *game = begin("flippers", 1);
    go(game, 700);
    assert_int_equal(play_past_count(game), 600);
    assert_int_equal(play_past_step(game, 0), 100);
    assert_true(play_rewind(game, 0));
    assert_int_equal(play_step_number(game), 100);
    play_destroy(game);
}

static void a_record_replays(void **state)
{
    (void)state;
    uint32_t size;
    play *game = begin("pit", 1);
    assert_null(play_end_record(game, &size));
    assert_int_equal(size, 0);
    go(game, 20);
    assert_true(play_record(game));
    play_touch(game, PLAY_EXPLODE, PLAY_DOWN, 5, 15);
    go(game, 30);
    const uint64_t hash = play_hash(game);
    const void *record = play_end_record(game, &size);
    assert_non_null(record);
    const graze_world_def def = graze_world_def_default();
    graze_replay *replay;
    assert_int_equal(graze_replay_create(&def, record, size, &replay), GRAZE_OK);
    for (int i = 0; i < 30; ++i) {
        assert_int_equal(graze_replay_advance(replay), GRAZE_REPLAY_STEPPED);
    }
    assert_int_equal(graze_replay_advance(replay), GRAZE_REPLAY_ENDED);
    assert_true(graze_world_hash(graze_replay_world(replay)) == hash);
    graze_replay_destroy(replay);
    play_destroy(game);
}

static void nothing_starts_in_the_rock_of_the_cave(void **state)
{
    (void)state;
    play *game = begin("bullets", 1);
    uint32_t count;
    const graze_vec2 *positions = graze_world_positions(game->world, &count);
    assert_int_equal(count, 1000);
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(play_is_open(game, positions[i], 0.5f));
    }
    assert_true(play_is_open(game, play_scene_bullets.muzzle, 1));
    play_destroy(game);
}

// README names this number. (Some of them have always just hit something.)
static void a_hundred_thousand_bullets_fly(void **state)
{
    (void)state;
    play *game = begin("bullets", 1);
    assert_true(play_start(game, 0, 100000));
    assert_string_equal(play_scene_name(0), "bullets");
    go(game, 200);
    assert_in_range(graze_world_get_stats(game->world).body_count, 99700, 101000);
    play_destroy(game);
}

// The body nearest to a point.
static graze_body_id body_near(const play *game, float x, float y)
{
    graze_body_id body = {0, 0};
    const graze_vec2 at = {x, y};
    graze_query_nearest(game->world, at, 1, graze_filter_default(), &body, 1);
    assert_true(body.generation > 0);
    return body;
}

static void a_drag_throws_a_crate(void **state)
{
    (void)state;
    play *game = begin("pyramid", 1);
    go(game, 10);
    const graze_body_id crate = body_near(game, 0, 19.5f);
    play_touch(game, PLAY_DRAG, PLAY_DOWN, 0, 19.6f);
    for (int i = 1; i <= 20; ++i) {
        play_touch(game, PLAY_DRAG, PLAY_MOVE, -0.5f * (float)i, 19.6f + 0.2f * (float)i);
        go(game, 1);
    }
    const graze_vec2 held = graze_body_position(game->world, crate);
    assert_true(fabsf(held.x + 9) < 2 && fabsf(held.y - 23) < 2);
    play_touch(game, PLAY_DRAG, PLAY_UP, -10, 23.6f);
    assert_true(graze_body_velocity(game->world, crate).x < -15);
    go(game, 60);
    assert_true(graze_body_position(game->world, crate).x < -20);
    play_destroy(game);
}

static void what_is_dragged_may_vanish(void **state)
{
    (void)state;
    play *game = begin("pyramid", 1);
    play_touch(game, PLAY_DRAG, PLAY_DOWN, 0, 19.6f);
    graze_body_destroy(game->world, body_near(game, 0, 19.5f));
    go(game, 5);
    assert_non_null(play_draw(game, 0));
    play_destroy(game);
}

static void other_tools_shoot_draw_and_explode(void **state)
{
    (void)state;
    play *game = begin("pyramid", 1);
    go(game, 10);
    const float bodies = play_measure(game)->bodies;
    play_touch(game, PLAY_SHOOT, PLAY_DOWN, 0, 10);
    go(game, 20);
    play_touch(game, PLAY_SHOOT, PLAY_UP, 0, 10);
    const float shots = play_measure(game)->bodies - bodies;
    assert_true(shots >= 3 && shots <= 5);
    const float segments = play_measure(game)->segments;
    play_touch(game, PLAY_DRAW, PLAY_DOWN, -20, 10);
    play_touch(game, PLAY_DRAW, PLAY_MOVE, -17, 10);
    play_touch(game, PLAY_DRAW, PLAY_UP, -17, 10);
    assert_true(play_measure(game)->segments == segments + 1);
    const graze_body_id crate = body_near(game, 9.9f, 0.5f);
    play_touch(game, PLAY_EXPLODE, PLAY_DOWN, 12, 0);
    go(game, 1);
    assert_true(graze_vec2_length(graze_body_velocity(game->world, crate)) > 2);
    play_touch(game, PLAY_EXPLODE, PLAY_DOWN, NAN, 0);
    go(game, 1);
    play_destroy(game);
}

static void digging_removes_terrain_and_heaping_up_adds_it(void **state)
{
    (void)state;
    play *game = begin("digging", 1);
    play_set_keys(game, PLAY_LEFT); // Or the mole digs, too.
    go(game, 1);
    const graze_ray down = {{32, 34}, {0, -34}};
    graze_query_hit before;
    graze_query_hit dug;
    graze_query_hit filled;
    graze_query_ray(game->world, down, graze_filter_default(), &before);
    play_touch(game, PLAY_DIG, PLAY_DOWN, before.point.x, before.point.y);
    go(game, 1);
    graze_query_ray(game->world, down, graze_filter_default(), &dug);
    assert_true(dug.point.y < before.point.y - 1);
    play_touch(game, PLAY_DRAW, PLAY_DOWN, dug.point.x, dug.point.y);
    graze_query_ray(game->world, down, graze_filter_default(), &filled);
    assert_true(filled.point.y > dug.point.y + 1);
    play_destroy(game);
}

// What falls on the ground stays on it, while a mole digs through it.
static void nothing_leaks_through_the_ground(void **state)
{
    (void)state;
    play *game = begin("digging", 1);
    go(game, 700);
    uint32_t count;
    const graze_vec2 *positions = graze_world_positions(game->world, &count);
    assert_true(count > 40);
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(positions[i].x > 0 && positions[i].x < 64.5f && positions[i].y > 0);
    }
    play_destroy(game);
}

static void the_hero_runs_jumps_and_takes_coins(void **state)
{
    (void)state;
    play *game = begin("platformer", 1);
    go(game, 30);
    const play_hero *hero = &game->state.hero;
    assert_int_equal(hero->steps_in_air, 0);
    const float floor = graze_body_position(game->world, hero->body).y;
    play_set_keys(game, PLAY_RIGHT);
    go(game, 25);
    play_set_keys(game, PLAY_RIGHT | PLAY_JUMP);
    go(game, 20);
    assert_true(graze_body_position(game->world, hero->body).y > floor + 2);
    go(game, 60);
    assert_true(hero->coins > 0);
    assert_true(strstr(play_note(game), "coins") != NULL);
    play_destroy(game);
}

// From each start it comes back: what falls out of the level, and whoever walks into a gap.
static void the_hero_that_falls_begins_again(void **state)
{
    (void)state;
    play *game = begin("platformer", 1);
    const graze_vec2 below = {20, -FAR};
    graze_body_set_position(game->world, game->state.hero.body, below);
    go(game, 30);
    assert_true(graze_body_position(game->world, game->state.hero.body).y > 2);
    play_destroy(game);
}

static void the_hero_of_the_horde_beats_some(void **state)
{
    (void)state;
    play *game = begin("horde", 1);
    go(game, 200);
    assert_true(game->state.hero.coins > 5);
    play_destroy(game);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

// Anything that a pointer and keys can do, in any order.
static void do_something(play *game, uint32_t *seed)
{
    const graze_aabb view = game->scene->view;
    const play_tool tool = (play_tool)(next_random(seed) % (PLAY_DIG + 1));
    const play_touch_phase phase = (play_touch_phase)(next_random(seed) % (PLAY_UP + 1));
    const float right = (float)(next_random(seed) % 1000) / 1000;
    const float up = (float)(next_random(seed) % 1000) / 1000;
    play_touch(game, tool, phase, view.lower.x + right * (view.upper.x - view.lower.x),
               view.lower.y + up * (view.upper.y - view.lower.y));
    play_set_keys(game, next_random(seed) % 16);
    if (next_random(seed) % 16 == 0 && play_past_count(game) > 0) {
        assert_true(play_rewind(game, next_random(seed) % play_past_count(game)));
    }
}

static void random_touches_break_nothing(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < play_scene_count(); ++i) {
        uint32_t seed = i;
        play *game = begin(play_scene_name(i), 1);
        for (int step = 0; step < STEPS; ++step) {
            do_something(game, &seed);
            go(game, 1);
            assert_non_null(play_draw(game, next_random(&seed) % 64));
        }
        play_destroy(game);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_give_the_same_bits_with_any_lanes_and_threads),
        cmocka_unit_test(each_scene_has_a_name_a_hint_and_a_picture),
        cmocka_unit_test(an_unknown_scene_is_refused),
        cmocka_unit_test(a_rewind_gives_the_past_state_and_the_same_future),
        cmocka_unit_test(the_past_is_ten_seconds_long),
        cmocka_unit_test(a_record_replays),
        cmocka_unit_test(nothing_starts_in_the_rock_of_the_cave),
        cmocka_unit_test(a_hundred_thousand_bullets_fly),
        cmocka_unit_test(a_drag_throws_a_crate),
        cmocka_unit_test(what_is_dragged_may_vanish),
        cmocka_unit_test(other_tools_shoot_draw_and_explode),
        cmocka_unit_test(digging_removes_terrain_and_heaping_up_adds_it),
        cmocka_unit_test(nothing_leaks_through_the_ground),
        cmocka_unit_test(the_hero_runs_jumps_and_takes_coins),
        cmocka_unit_test(the_hero_that_falls_begins_again),
        cmocka_unit_test(the_hero_of_the_horde_beats_some),
        cmocka_unit_test(random_touches_break_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
