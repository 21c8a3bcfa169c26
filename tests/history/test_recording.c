#define _POSIX_C_SOURCE 200112L

#include "busy_world.h"
#include "record_kit.h"

#include "golden_scenes.h"

#include <math.h>
#include <stdlib.h>

// A record holds what happens, and recording changes nothing. (test_replay.c has records that
// differ, test_replay_damage.c damaged ones.)

enum { SESSIONS = 2, SEEDS = 3, FRAMES = 90, CALLS = 2500 };

#define STEP (1.0f / 60.0f)

// --- Whole sessions ---

static void start_session(graze_world *world, void *user)
{
    kit_record_start(user, world);
}

static tape play_session(uint64_t seed, kit_record *record)
{
    tape run = {.name = "session", .stays = true};
    run.started = record ? start_session : NULL;
    run.started_user = record;
    golden_session_of(&run, seed, CALLS);
    return run;
}

static void thousands_of_random_calls_are_done_again_in_another_world(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SESSIONS; ++seed) {
        kit_record record = {0};
        const tape recorded = play_session(seed, &record);
        const tape plain = play_session(seed, NULL);
        assert_true(recorded.hash == plain.hash);
        // Steps of no seconds fail, and are not in the record.
        assert_in_range(kit_replay_elsewhere(&record, seed), recorded.steps * 9 / 10,
                        recorded.steps);
        kit_record_free(&record);
    }
}

// The recording starts in the middle, when there are contacts, and bodies that are gone.
static void every_step_of_a_busy_world_has_the_same_hash_again(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        kit_record record = {0};
        uint64_t hashes[FRAMES];
        random_state random = random_seed(seed);
        graze_world_def def = busy_def();
        graze_world *world = graze_world_create(&def);
        busy_fill(world, &random);
        for (uint32_t frame = 0; frame < 30; ++frame) {
            busy_frame(world, &random);
        }
        kit_record_start(&record, world);
        for (uint32_t frame = 0; frame < FRAMES; ++frame) {
            busy_frame(world, &random);
            hashes[frame] = graze_world_hash(world);
        }
        assert_int_equal(graze_record_stop(world), GRAZE_OK);
        graze_replay *replay = kit_replay(&record);
        for (uint32_t frame = 0; frame < FRAMES; ++frame) {
            assert_int_equal(graze_replay_advance(replay), GRAZE_REPLAY_STEPPED);
            assert_true(graze_world_hash(graze_replay_world(replay)) == hashes[frame]);
        }
        kit_replay_to_end(replay, FRAMES, seed);
        busy_assert_same(world, graze_replay_world(replay), seed);
        graze_replay_destroy(replay);
        graze_world_destroy(world);
        kit_record_free(&record);
    }
}

// --- Each call ---

static graze_body_id add_rect(graze_world *world)
{
    graze_body_def def = kit_rect(0, 0, 1, 0.5f);
    def.response = GRAZE_BOUNCE;
    def.restitution = 0.5f;
    def.friction = 0.25f;
    def.mass = 3;
    def.hit_limit = 9;
    def.lifetime = 5;
    def.angle = 1;
    def.spin = -1;
    def.sensor = true;
    def.filter.category = 7;
    def.filter.mask = 0xFF;
    def.filter.pass = 10;
    def.filter.group = -3;
    def.user_data = UINT64_C(0x123456789ABCDEF0);
    return kit_add(world, def);
}

static void create_one(graze_world *world)
{
    add_rect(world);
}

static void create_many(graze_world *world)
{
    const graze_body_def defs[3] = {kit_circle(1, 1, 1), kit_rect(2, 2, 1, 1),
                                    kit_bullet(3, 3, 4, 4)};
    graze_body_id ids[3];
    assert_int_equal(graze_body_create_many(world, defs, 3, ids), 3);
    assert_int_equal(graze_body_create_many(world, defs, 2, NULL), 2);
    assert_int_equal(graze_body_create_many(world, defs, 0, NULL), 0);
}

static void destroy_one(graze_world *world)
{
    graze_body_destroy(world, graze_world_body_at(world, 1));
}

static void set_position(graze_world *world)
{
    graze_body_set_position(world, graze_world_body_at(world, 2), (graze_vec2){-4, 2.5f});
}

static void set_velocity(graze_world *world)
{
    graze_body_set_velocity(world, graze_world_body_at(world, 2), (graze_vec2){-4, 2.5f});
}

static void set_angle(graze_world *world)
{
    graze_body_set_angle(world, graze_world_body_at(world, 0), 2.5f);
}

static void set_spin(graze_world *world)
{
    graze_body_set_spin(world, graze_world_body_at(world, 0), 2.5f);
}

static void set_filter(graze_world *world)
{
    const graze_filter filter = {5, 6, 9, -7};
    graze_body_set_filter(world, graze_world_body_at(world, 0), filter);
}

static void set_response(graze_world *world)
{
    graze_body_set_response(world, graze_world_body_at(world, 2), GRAZE_SLIDE);
}

static void set_user_data(graze_world *world)
{
    graze_body_set_user_data(world, graze_world_body_at(world, 2), UINT64_MAX - 1);
}

static void set_material(graze_world *world)
{
    const graze_body_id body = graze_world_body_at(world, 2);
    graze_body_set_mass(world, body, 4);
    graze_body_set_restitution(world, body, 0.75f);
    graze_body_set_friction(world, body, 0.25f);
}

static void set_life(graze_world *world)
{
    graze_body_set_lifetime(world, graze_world_body_at(world, 1), 1.5f * STEP);
    graze_body_set_hit_limit(world, graze_world_body_at(world, 2), 3);
}

static void set_sensor(graze_world *world)
{
    graze_body_set_sensor(world, graze_world_body_at(world, 0), false);
    graze_body_set_sensor(world, graze_world_body_at(world, 1), true);
}

static void set_shape(graze_world *world)
{
    graze_body_set_shape(world, graze_world_body_at(world, 0), graze_shape_circle(2));
    graze_body_set_shape(world, graze_world_body_at(world, 1), graze_shape_ray());
    graze_body_set_shape(world, graze_world_body_at(world, 2), graze_shape_rect(2, 3));
}

static void create_chain(graze_world *world)
{
    const graze_vec2 points[3] = {{-3, -3}, {3, -3}, {3, 3}};
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 3;
    def.loop = true;
    def.one_sided = true;
    def.sensor = true;
    def.filter.mask = 3;
    def.user_data = 77;
    graze_chain_create(world, &def);
}

static void destroy_chain(graze_world *world)
{
    graze_chain_destroy(world, (graze_chain_id){0, 1});
}

static void sort(graze_world *world)
{
    assert_int_equal(graze_world_sort(world), GRAZE_OK);
}

static void load(graze_world *world)
{
    size_t size;
    void *snapshot = kit_save(world, &size);
    add_rect(world);
    kit_step(world, STEP);
    assert_int_equal(graze_world_load(world, snapshot, size), GRAZE_OK);
    free(snapshot);
}

static void set_gravity(graze_world *world)
{
    const graze_vec2 gravity = {1, -7};
    assert_int_equal(graze_world_set_gravity(world, gravity), GRAZE_OK);
}

static void step_longer(graze_world *world)
{
    kit_step(world, 0.25f);
}

static void call_wrongly(graze_world *world)
{
    graze_body_def def = kit_circle(0, 0, -1);
    graze_chain_def chain = graze_chain_def_default();
    const graze_body_id body = graze_world_body_at(world, 0);
    assert_true(kit_is_none(graze_body_create(world, &def)));
    assert_int_equal(graze_body_create_many(world, &def, 1, NULL), 0);
    assert_int_equal(graze_chain_create(world, &chain).generation, 0);
    assert_int_not_equal(graze_world_step(world, 0), GRAZE_OK);
    assert_int_not_equal(graze_world_set_gravity(world, (graze_vec2){0, INFINITY}), GRAZE_OK);
    assert_int_not_equal(graze_world_load(world, "", 0), GRAZE_OK);
    assert_int_not_equal(graze_body_destroy(world, (graze_body_id){9, 9}), GRAZE_OK);
    assert_int_not_equal(graze_body_set_response(world, body, (graze_response)9), GRAZE_OK);
    assert_int_not_equal(graze_body_set_mass(world, body, -1), GRAZE_OK);
    assert_int_not_equal(graze_body_set_shape(world, body, graze_shape_rect(0, 1)), GRAZE_OK);
    assert_int_not_equal(graze_chain_destroy(world, (graze_chain_id){9, 9}), GRAZE_OK);
}

static void each_kind_of_call_is_recorded(void **state)
{
    (void)state;
    static void (*const calls[])(graze_world *) = {
        create_one, create_many, destroy_one,  set_position,  set_velocity, set_angle,
        set_spin,   set_filter,  set_response, set_user_data, create_chain, destroy_chain,
        sort,       load,        step_longer,  call_wrongly,  set_material, set_life,
        set_sensor, set_shape,   set_gravity,
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
        kit_record record = {0};
        graze_world *world = kit_world();
        add_rect(world);
        kit_add(world, kit_moving(kit_circle(4, 0, 1), -6, 0, GRAZE_STOP));
        kit_add(world, kit_moving(kit_circle(9, 0, 1), -6, 0, GRAZE_BOUNCE));
        kit_wall(world, 0, -9, 0, 9);
        kit_record_start(&record, world);
        kit_step(world, STEP);
        calls[i](world);
        kit_step(world, STEP);
        assert_int_equal(graze_record_stop(world), GRAZE_OK);
        graze_replay *replay = kit_replay(&record);
        kit_replay_to_end(replay, calls[i] == load || calls[i] == step_longer ? 3 : 2, i);
        busy_assert_same(world, graze_replay_world(replay), i);
        graze_replay_destroy(replay);
        graze_world_destroy(world);
        kit_record_free(&record);
    }
}

// --- The answers of a filter callback ---

/// A rule of the game that no world knows.
typedef struct game_rule {
    uint32_t step;
    uint32_t asked, vetoed;
} game_rule;

static bool ask_rule(const graze_world *world, graze_body_id a, graze_body_id b,
                     graze_segment_id segment, void *user)
{
    game_rule *rule = user;
    (void)world;
    const uint32_t other = b.generation ? b.index : 1000 + segment.chain.index;
    const bool is_allowed = (a.index + other + rule->step) % 3 != 0;
    ++rule->asked;
    rule->vetoed += !is_allowed;
    return is_allowed;
}

static void replays_answer_as_the_callback_did(void **state)
{
    (void)state;
    kit_record record = {0};
    game_rule rule = {0};
    random_state random = random_seed(3);
    graze_world_def def = busy_def();
    def.filter = ask_rule;
    def.filter_user = &rule;
    setenv("GRAZE_LANES", "scalar", 1); // Others ask about other pairs, in another order.
    graze_world *world = graze_world_create(&def);
    unsetenv("GRAZE_LANES");
    busy_fill(world, &random);
    kit_record_start(&record, world);
    for (; rule.step < FRAMES; ++rule.step) {
        busy_frame(world, &random);
    }
    assert_int_equal(graze_record_stop(world), GRAZE_OK);
    assert_true(rule.vetoed > 100);
    assert_true(kit_replay_elsewhere(&record, 1) == FRAMES);
    const uint32_t asked = rule.asked;
    kit_step(world, STEP);
    assert_true(rule.asked > asked); // It has its callback back.
    graze_world_destroy(world);
    kit_record_free(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thousands_of_random_calls_are_done_again_in_another_world),
        cmocka_unit_test(every_step_of_a_busy_world_has_the_same_hash_again),
        cmocka_unit_test(each_kind_of_call_is_recorded),
        cmocka_unit_test(replays_answer_as_the_callback_did),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
