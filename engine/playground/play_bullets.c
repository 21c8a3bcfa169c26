// Bullet hell: six emitters fire spirals of bullets at 1000 bodies in a cave. The bullets of a team
// hit walls and the next team.

#include "play_scene.h"

#include <stdio.h>

enum {
    TEAM_COUNT = PLAY_EMITTER_COUNT,
    MOVER_COUNT = 1000,
    MAX_TRIES = 20000,
    BATCH = 64,       ///< Bullets that are made at once.
    LEAST_SHOTS = 60, ///< A step, all emitters together.
    SHARE = 80        ///< Steps in which all bullets are fired.
};

/// How an emitter turns from shot to shot.
typedef struct firing_pattern {
    float turn;  ///< Radians from one shot to the next.
    float speed; ///< Units per second.
} firing_pattern;

static const firing_pattern patterns[TEAM_COUNT] = {{2.39996323f, 15}, {1.25863f, 17},
                                                    {0.90260f, 14},    {0.52884f, 16},
                                                    {2.09910f, 18},    {0.70013f, 15}};

static uint32_t mover_bit(uint32_t team)
{
    return 16u << team;
}

static uint32_t bullet_bit(uint32_t team)
{
    return 1024u << team;
}

static graze_filter filter_of_mover(uint32_t team)
{
    const uint32_t all_movers = mover_bit(TEAM_COUNT) - mover_bit(0);
    const uint32_t enemy = bullet_bit((team + TEAM_COUNT - 1) % TEAM_COUNT);
    const graze_filter filter = {mover_bit(team), PLAY_GROUND | all_movers | enemy, 0, 0};
    return filter;
}

static graze_filter filter_of_bullet(uint32_t team)
{
    const uint32_t target = mover_bit((team + 1) % TEAM_COUNT);
    const graze_filter filter = {bullet_bit(team), PLAY_GROUND | target, 0, 0};
    return filter;
}

static graze_shape pick_shape(play *game)
{
    const uint32_t kind = play_random_below(game, 4);
    const float size = play_random(game, 0.3f, 0.75f);
    const float other = play_random(game, 0.25f, 0.45f);
    if (kind == 0) {
        return graze_shape_rect(1.2f * size, other);
    }
    return kind == 1 ? graze_shape_rect(0.8f * size, 0.8f * size) : graze_shape_circle(size);
}

static void add_mover(play *game, graze_vec2 at)
{
    const uint32_t team = play_random_below(game, TEAM_COUNT);
    graze_body_def def = play_rigid(pick_shape(game), at.x, at.y);
    const float speed = play_random(game, 2, 7);
    def.velocity = play_direction(play_random(game, 0, 6.2831853f), speed);
    def.spin = play_random(game, -2, 2);
    def.surface.friction = 0;
    def.surface.restitution = 1;
    def.never_sleeps = true;
    def.filter = filter_of_mover(team);
    def.user_data = PLAY_TINT_BLUE + team;
    play_add(game, &def);
}

static void build(play *game)
{
    play_build_cave(game);
    uint32_t movers = 0;
    for (int tries = 0; tries < MAX_TRIES && movers < MOVER_COUNT; ++tries) {
        graze_vec2 at;
        at.x = play_random(game, 2, 158);
        at.y = play_random(game, 2, 88);
        const bool is_free =
            graze_query_nearest(game->world, at, 1.1f, graze_filter_default(), NULL, 0) == 0;
        if (is_free && play_is_open(game, at, 1.2f)) {
            add_mover(game, at);
            ++movers;
        }
    }
}

static graze_body_def make_bullet(uint64_t number, float early)
{
    const uint32_t team = (uint32_t)(number % TEAM_COUNT);
    const firing_pattern *pattern = &patterns[team];
    const uint32_t turns = (uint32_t)(number / TEAM_COUNT % 1000000);
    const float angle = (float)turns * pattern->turn;
    graze_body_def def = graze_body_def_default();
    def.shape = graze_shape_ray();
    def.velocity = play_direction(angle, pattern->speed);
    def.position =
        graze_vec2_add(play_emitters[team], play_direction(angle, 0.8f + pattern->speed * early));
    def.response = GRAZE_STOP;
    def.mass = 0.01f;
    def.gravity_scale = 0;
    def.hit_limit = 1;
    def.filter = filter_of_bullet(team);
    def.user_data = PLAY_TINT_BLUE + team;
    return def;
}

// Those of one step start as if fired one after the other within it, so that the spirals have no
// gaps.
static void fire_batch(play *game, uint32_t first, uint32_t end, uint32_t all)
{
    graze_body_def shots[BATCH];
    uint32_t count = 0;
    for (uint32_t i = first; i < end; ++i) {
        const float early = (1 - (float)i / (float)all) / PLAY_RATE;
        shots[count++] = make_bullet(game->state.fired + i, early);
    }
    graze_body_create_many(game->world, shots, count, NULL);
}

static void fire(play *game)
{
    const uint32_t bodies = graze_world_get_stats(game->world).body_count;
    const uint32_t most = game->state.bullets + MOVER_COUNT;
    const uint32_t missing = bodies < most ? most - bodies : 0;
    const uint32_t share = game->state.bullets / SHARE;
    const uint32_t due = share > LEAST_SHOTS ? share : LEAST_SHOTS;
    const uint32_t count = missing < due ? missing : due;
    for (uint32_t i = 0; i < count; i += BATCH) {
        fire_batch(game, i, i + BATCH < count ? i + BATCH : count, count);
    }
    game->state.fired += count;
}

static void write_note(const play *game, char *text, size_t size)
{
    snprintf(text, size, "%llu bullets fired", (unsigned long long)game->state.fired);
}

const play_scene play_scene_bullets = {
    .name = "bullets",
    .hint = "Six emitters fire at the next team. Drag bodies, draw walls, set off explosions.",
    .view = {{3, 1.5f}, {157, 88.5f}},
    .muzzle = {80, 45},
    .is_room = true,
    .build = build,
    .drive = fire,
    .write_note = write_note};
