// A horde that is steered to the hero, around pillars; the hero fires at the nearest of them.
// Without keys the hero walks by itself.

#include "play_scene.h"

#include <stdio.h>

enum {
    HORDE_COUNT = 700,
    ENTERING = 4,   ///< A step.
    SHOT_EVERY = 3, ///< Steps.
    ENEMY = 16,     ///< Categories.
    SHOT = 32,
    LIVES_SHIFT = 8 ///< Of user_data: below it is the tint.
};

static const float hero_speed = 7;
static const float two_pi = 6.28318531f;

static void add_pillar(play *game, float x, float y, float radius)
{
    graze_vec2 points[14];
    for (int i = 0; i < 14; ++i) {
        points[i] = play_direction(two_pi * (float)i / 14, radius);
        points[i].x += x;
        points[i].y += y;
    }
    play_add_loop(game, points, 14);
}

static void add_room(play *game)
{
    static const graze_vec2 walls[] = {{3, 0},   {61, 0},  {64, 3},  {64, 14}, {68, 14},
                                       {68, 22}, {64, 22}, {64, 33}, {61, 36}, {36, 36},
                                       {36, 40}, {28, 40}, {28, 36}, {3, 36},  {0, 33},
                                       {0, 22},  {-4, 22}, {-4, 14}, {0, 14},  {0, 3}};
    play_add_loop(game, walls, sizeof walls / sizeof *walls);
    static const graze_vec2 corners[] = {{11, 25}, {11, 29}, {12, 29},
                                         {12, 26}, {18, 26}, {18, 25}};
    static const graze_vec2 hook[] = {{46, 11}, {53, 11}, {53, 7}, {52, 7}, {52, 10}, {46, 10}};
    play_add_loop(game, corners, 6);
    play_add_loop(game, hook, 6);
    add_pillar(game, 15, 11, 2.2f);
    add_pillar(game, 50, 25, 2.6f);
    add_pillar(game, 32, 28, 1.5f);
    add_pillar(game, 30, 8, 1.8f);
    add_pillar(game, 24, 19, 1.2f);
    add_pillar(game, 41, 18, 1.4f);
}

static void build(play *game)
{
    add_room(game);
    graze_body_def hero = graze_body_def_default();
    hero.shape = graze_shape_circle(0.6f);
    hero.position.x = 32;
    hero.position.y = 13;
    hero.response = GRAZE_SLIDE;
    hero.friction = 0;
    hero.mass = 60;
    hero.filter.category = PLAY_HERO;
    hero.user_data = PLAY_TINT_WHITE;
    game->state.hero.body = play_add(game, &hero);
}

static void enter(play *game)
{
    static const graze_vec2 doors[] = {{-2.5f, 18}, {66.5f, 18}, {32, 38.5f}};
    const uint32_t kind = play_random_below(game, 12);
    const uint32_t door = play_random_below(game, 3);
    const uint32_t lives = kind == 0 ? 12 : kind < 4 ? 3 : 1;
    const float off_x = play_random(game, -1, 1);
    const float off_y = play_random(game, -1, 1);
    graze_body_def def = graze_body_def_default();
    def.shape = graze_shape_circle(kind == 0 ? 0.75f : kind < 4 ? 0.45f : 0.32f);
    def.position.x = doors[door].x + off_x * (door == 2 ? 3.0f : 0.5f);
    def.position.y = doors[door].y + off_y * (door == 2 ? 0.5f : 3.0f);
    def.mass = def.shape.radius * def.shape.radius * 10;
    def.response = GRAZE_SLIDE;
    def.friction = 0;
    def.filter.category = ENEMY;
    def.user_data = (uint64_t)lives << LIVES_SHIFT | (kind == 0  ? PLAY_TINT_VIOLET
                                                      : kind < 4 ? PLAY_TINT_PINK
                                                                 : PLAY_TINT_RED);
    play_add(game, &def);
}

static void steer_horde(play *game, graze_vec2 hero)
{
    uint32_t count;
    const uint32_t *indices = graze_world_indices(game->world, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const graze_body_id body = graze_world_body_at(game->world, indices[i]);
        if (graze_body_filter(game->world, body).category == ENEMY) {
            const graze_vec2 way = graze_vec2_sub(hero, graze_body_position(game->world, body));
            const float speed = 2.2f + 0.04f * (float)(body.index % 40);
            graze_body_set_velocity(game->world, body,
                                    graze_vec2_scale(graze_vec2_normalize(way), speed));
        }
    }
}

static graze_vec2 wish_of_keys(uint32_t keys)
{
    const int x = ((keys & PLAY_RIGHT) != 0) - ((keys & PLAY_LEFT) != 0);
    const int y = ((keys & PLAY_JUMP) != 0) - ((keys & PLAY_FALL) != 0);
    const graze_vec2 wish = {(float)x, (float)y};
    return graze_vec2_scale(graze_vec2_normalize(wish), hero_speed);
}

// Around the room, and to and fro across it.
static graze_vec2 walk_by_itself(const play *game, graze_vec2 hero)
{
    const float turn = two_pi * (float)(game->state.step % 900) / 900;
    const graze_vec2 target = {32 + 22 * play_sine(turn), 17 + 10 * play_sine(2 * turn + 1)};
    const graze_vec2 way = graze_vec2_sub(target, hero);
    const float length = graze_vec2_length(way);
    return length > 0.5f ? graze_vec2_scale(way, hero_speed / length) : way;
}

static void fire(play *game, graze_vec2 hero)
{
    graze_body_id nearest;
    const graze_filter enemies = {SHOT, ENEMY, 0, 0};
    if (game->state.step % SHOT_EVERY != 0 ||
        graze_query_nearest(game->world, hero, 14, enemies, &nearest, 1) == 0) {
        return;
    }
    const graze_vec2 way = graze_vec2_sub(graze_body_position(game->world, nearest), hero);
    const float off = play_random(game, -0.1f, 0.1f);
    const graze_vec2 ahead = graze_vec2_normalize(way);
    const graze_vec2 aim = {ahead.x - off * ahead.y, ahead.y + off * ahead.x};
    graze_body_def def = graze_body_def_default();
    def.shape = graze_shape_ray();
    def.position = hero;
    def.velocity = graze_vec2_scale(aim, 42);
    def.response = GRAZE_STOP;
    def.mass = 0.12f;
    def.hit_limit = 1;
    def.lifetime = 1;
    def.filter.category = SHOT;
    def.filter.mask = PLAY_GROUND | ENEMY;
    def.user_data = PLAY_TINT_AMBER;
    play_add(game, &def);
    ++game->state.fired;
}

static void drive(play *game)
{
    const graze_body_id body = game->state.hero.body;
    const graze_vec2 hero = graze_body_position(game->world, body);
    if (graze_world_get_stats(game->world).body_count < HORDE_COUNT) {
        for (int i = 0; i < ENTERING; ++i) {
            enter(game);
        }
    }
    steer_horde(game, hero);
    graze_body_set_velocity(game->world, body,
                            game->state.is_played ? wish_of_keys(game->keys)
                                                  : walk_by_itself(game, hero));
    fire(game, hero);
}

static void hurt(play *game, graze_body_id body)
{
    const uint64_t data = graze_body_user_data(game->world, body);
    if (data >> LIVES_SHIFT == 0) {
        return; // No enemy.
    }
    if (data >> LIVES_SHIFT == 1) {
        graze_body_destroy(game->world, body);
        ++game->state.hero.coins;
    } else {
        graze_body_set_user_data(game->world, body, data - ((uint64_t)1 << LIVES_SHIFT));
    }
}

static void follow(play *game)
{
    const graze_contact_list contacts = graze_world_contacts(game->world);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        if (contacts.data[i].flags & GRAZE_CONTACT_SPENT) {
            hurt(game, contacts.data[i].a);
            hurt(game, contacts.data[i].b);
        }
    }
}

static void write_note(const play *game, char *text, size_t size)
{
    snprintf(text, size, "%u beaten", (unsigned)game->state.hero.coins);
}

const play_scene play_scene_horde = {.name = "horde",
                                     .hint = "Arrows or WASD move the hero, who fires by itself.",
                                     .view = {{-4, -1}, {68, 37.5f}},
                                     .is_room = true,
                                     .build = build,
                                     .drive = drive,
                                     .follow = follow,
                                     .write_note = write_note};
