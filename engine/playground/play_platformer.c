// A platformer: hills and gaps, platforms that one can jump through, platforms that move, crates to
// push, and coins.

#include "play_scene.h"

#include <stdio.h>

enum { LIFT_COUNT = 3 };

static const graze_vec2 start = {5, 5};

/// A platform that moves to and fro.
typedef struct lift_path {
    graze_vec2 middle, reach;
    uint32_t period; ///< Steps.
} lift_path;

static const lift_path lifts[LIFT_COUNT] = {
    {{36.5f, 4.5f}, {3.2f, 0}, 300}, {{60.5f, 5.5f}, {0, 3.5f}, 360}, {{92, 7}, {5, 1.5f}, 420}};

static void add_ground(play *game)
{
    static const graze_vec2 first[] = {{-20, -60}, {31, -60},  {31, 4}, {27, 4},    {24, 3.2f},
                                       {21.5f, 3}, {19, 3.6f}, {16, 5}, {13.5f, 5}, {11, 3.6f},
                                       {8.5f, 3},  {0, 3},     {0, 14}, {-20, 16}};
    static const graze_vec2 second[] = {{42, -60}, {58.5f, -60}, {58.5f, 3}, {55, 3},
                                        {52, 3},   {49, 3.8f},   {46, 4},    {42, 4}};
    static const graze_vec2 third[] = {{62.5f, -60}, {86, -60},  {86, 6}, {83, 6},   {80, 6.5f},
                                       {76, 8.5f},   {72, 9.2f}, {68, 9}, {62.5f, 9}};
    static const graze_vec2 fourth[] = {{98, -60}, {140, -60}, {140, 20}, {122, 18},   {122, 6},
                                        {115, 6},  {113, 5},   {106, 5},  {103.5f, 6}, {98, 6}};
    play_add_loop(game, first, sizeof first / sizeof *first);
    play_add_loop(game, second, sizeof second / sizeof *second);
    play_add_loop(game, third, sizeof third / sizeof *third);
    play_add_loop(game, fourth, sizeof fourth / sizeof *fourth);
}

static void add_platform(play *game, float x, float y, float length)
{
    const graze_vec2 points[] = {{x, y}, {x + length, y}}; // Its left side is the upper one.
    play_add_line(game, points, 2, true);
}

static void add_coin(play *game, float x, float y)
{
    graze_body_def coin = play_kinematic(graze_shape_circle(0.3f), x, y);
    coin.sensor = true;
    coin.filter.category = PLAY_COIN;
    coin.filter.mask = PLAY_HERO;
    coin.user_data = PLAY_TINT_AMBER;
    play_add(game, &coin);
    ++game->state.hero.all_coins;
}

static void add_platforms(play *game)
{
    static const graze_vec2 places[] = {
        {8, 6.2f},   {13, 9},  {18, 11.5f}, {24.5f, 8.2f}, {29.5f, 11}, {44, 7},     {48.5f, 9.6f},
        {53, 12.2f}, {66, 12}, {71, 14.6f}, {104, 8.5f},   {109, 11},   {114, 13.6f}};
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        add_platform(game, places[i].x, places[i].y, 4);
        for (int k = 0; k < 3; ++k) {
            add_coin(game, places[i].x + 1 + (float)k, places[i].y + 0.9f);
        }
    }
    for (int i = 0; i < 4; ++i) {
        add_coin(game, 34.5f + 1.4f * (float)i, 7.2f);
        add_coin(game, 88.5f + 2.2f * (float)i, 10.5f);
    }
}

static void add_crates(play *game, float x, float floor, int columns, int rows)
{
    for (int i = 0; i < columns * rows; ++i) {
        const float side = 0.45f;
        const float at_x = x + 0.95f * (float)(i % columns);
        const float at_y = floor + side + 0.9f * (float)(i / columns);
        graze_body_def crate = play_rigid(graze_shape_rect(side, side), at_x, at_y);
        crate.mass = 0.35f;
        play_add(game, &crate);
    }
}

static graze_vec2 place_of_lift(const lift_path *path, uint32_t step)
{
    const float part = play_sine(6.2831853f * (float)(step % path->period) / (float)path->period);
    return graze_vec2_add(path->middle, graze_vec2_scale(path->reach, part));
}

static void add_lifts(play *game)
{
    for (int i = 0; i < LIFT_COUNT; ++i) {
        const graze_vec2 at = place_of_lift(&lifts[i], 0);
        graze_body_def def = play_kinematic(graze_shape_rect(1.6f, 0.3f), at.x, at.y);
        play_add_part(game, &def);
    }
}

static void build(play *game)
{
    add_ground(game);
    add_lifts(game);
    graze_body_def hero = graze_body_def_default();
    hero.shape = graze_shape_rect(0.4f, 0.7f);
    hero.position = start;
    hero.response = GRAZE_SLIDE;
    hero.filter.category = PLAY_HERO;
    hero.user_data = PLAY_TINT_BLUE;
    game->state.hero.body = play_add(game, &hero);
    game->state.hero.steps_in_air = game->state.hero.steps_of_wish = PLAY_RATE;
    add_platforms(game);
    add_crates(game, 26.5f, 4, 3, 3);
    add_crates(game, 47, 4, 3, 3);
    add_crates(game, 69, 9.3f, 3, 2);
    add_crates(game, 108, 5, 4, 4);
}

static void drive(play *game)
{
    for (int i = 0; i < LIFT_COUNT; ++i) {
        play_drive_to(game, game->state.parts[i], place_of_lift(&lifts[i], game->state.step + 1),
                      0);
    }
    play_hero_steer(game, 7, 13.5f);
}

static void follow(play *game)
{
    static const graze_vec2 still = {0, 0};
    const play_hero *hero = &game->state.hero;
    play_hero_follow(game);
    if (graze_body_position(game->world, hero->body).y < -10) {
        graze_body_set_position(game->world, hero->body, start);
        graze_body_set_velocity(game->world, hero->body, still);
    }
}

static void write_note(const play *game, char *text, size_t size)
{
    const play_hero *hero = &game->state.hero;
    snprintf(text, size, "%u of %u coins", (unsigned)hero->coins, (unsigned)hero->all_coins);
}

const play_scene play_scene_platformer = {
    .name = "platformer",
    .hint = "Arrows or WASD: run, jump, drop through platforms. Push crates, ride lifts.",
    .view = {{-2, -2}, {124, 22}},
    .gravity = -30,
    .shot = 0.2f,
    .has_hero = true,
    .build = build,
    .drive = drive,
    .follow = follow,
    .write_note = write_note};
