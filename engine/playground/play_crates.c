// The scenes of crates: a pit that fills, a pyramid that something hits, and a drum that turns.

#include "play_scene.h"

enum {
    BOWL_POINTS = 48,
    POURED_COUNT = 320,
    STEPS_APART = 2, ///< From one poured body to the next.
    ROW_COUNT = 20,
    THROWN_AT = 90,
    SIDE_COUNT = 12, ///< Of the drum.
    TUMBLED_COUNT = 300
};

static const float two_pi = 6.28318531f;

// Its inner side is a curve of the fourth order: steep walls, and a floor that is nearly flat.
static void build_pit(play *game)
{
    graze_vec2 points[BOWL_POINTS + 4] = {{60, 12}, {60, -60}, {-60, -60}, {-60, 12}};
    for (int i = 0; i < BOWL_POINTS; ++i) {
        const float side = 2 * (float)i / (BOWL_POINTS - 1) - 1;
        points[i + 4].x = 13 * side;
        points[i + 4].y = 12 * side * side * side * side;
    }
    play_add_loop(game, points, BOWL_POINTS + 4);
}

static graze_shape pick_shape(play *game)
{
    const float size = play_random(game, 0.26f, 0.66f);
    const float share = play_random(game, 0.5f, 1);
    const uint32_t kind = play_random_below(game, 3);
    return kind == 0 ? graze_shape_circle(size) : graze_shape_rect(size, size * share);
}

static void pour(play *game)
{
    const uint32_t step = game->state.step + 1;
    if (step % STEPS_APART != 0 || step > POURED_COUNT * STEPS_APART) {
        return;
    }
    const float spout = step / STEPS_APART % 2 ? 5.0f : -5.0f;
    graze_body_def def = play_rigid(pick_shape(game), spout, 19);
    def.velocity.x = play_random(game, -2.5f, 2.5f);
    def.velocity.y = -8;
    def.angle = play_random(game, -1.5f, 1.5f);
    def.spin = play_random(game, -3, 3);
    play_add(game, &def);
}

const play_scene play_scene_pit = {.name = "pit",
                                   .hint =
                                       "Drag and throw the crates. Heaps come to rest and sleep.",
                                   .view = {{-17, -2}, {17, 16.5f}},
                                   .gravity = -10,
                                   .shot = 0.4f,
                                   .muzzle = {-15, 14},
                                   .build = build_pit,
                                   .drive = pour};

static void build_pyramid(play *game)
{
    static const graze_vec2 ground[] = {{-120, 0}, {-120, -90}, {120, -90}, {120, 0}};
    play_add_loop(game, ground, 4);
    for (int row = 0; row < ROW_COUNT; ++row) {
        for (int i = row; i < ROW_COUNT; ++i) {
            const float x = 1.05f * ((float)i - 0.5f * (float)(ROW_COUNT - 1 + row));
            graze_body_def crate = play_rigid(graze_shape_rect(0.5f, 0.5f), x, (float)row + 0.5f);
            crate.user_data = (uint64_t)PLAY_TINT_BLUE + (uint64_t)((row / 2) % 6);
            play_add(game, &crate);
        }
    }
}

static void throw_disc(play *game)
{
    if (game->state.step + 1 != THROWN_AT) {
        return;
    }
    graze_body_def disc = play_rigid(graze_shape_circle(1.3f), -24, 5);
    disc.mass *= 10;
    disc.velocity.x = 40;
    disc.velocity.y = 2;
    disc.user_data = PLAY_TINT_WHITE;
    play_add(game, &disc);
}

const play_scene play_scene_pyramid = {.name = "pyramid",
                                       .hint = "Shoot at it. Then rewind, and shoot elsewhere.",
                                       .view = {{-18, -2}, {24, 22}},
                                       .gravity = -10,
                                       .shot = 0.6f,
                                       .muzzle = {-17, 4},
                                       .build = build_pyramid,
                                       .drive = throw_disc};

static const float drum_radius = 8.6f;

static graze_vec2 place_of_side(int side, float turn)
{
    return play_direction(two_pi * (float)side / SIDE_COUNT + turn, drum_radius);
}

static void build_tumbler(play *game)
{
    const float half = 1.05f * drum_radius * play_sine(two_pi / 2 / SIDE_COUNT);
    for (int i = 0; i < SIDE_COUNT; ++i) {
        const graze_vec2 at = place_of_side(i, 0);
        graze_body_def wall = play_kinematic(graze_shape_rect(0.35f, half + 0.1f), at.x, at.y);
        wall.angle = two_pi * (float)i / SIDE_COUNT;
        wall.filter.category = PLAY_PLATFORM;
        wall.filter.mask = ~(uint32_t)PLAY_PLATFORM; // The walls themselves always touch.
        play_add_part(game, &wall);
    }
    for (int i = 0; i < TUMBLED_COUNT; ++i) {
        const float x = 0.62f * (float)(i % 18) - 5.3f;
        const float y = 0.62f * (float)(i / 18) - 5.0f;
        const bool is_disc = i % 4 == 0;
        graze_body_def def =
            play_rigid(is_disc ? graze_shape_circle(0.27f) : graze_shape_rect(0.27f, 0.27f), x, y);
        play_add(game, &def);
    }
}

// Half a radian a second.
static void turn_drum(play *game)
{
    const uint32_t steps_around = 754;
    const uint32_t phase = (game->state.step + 1) % steps_around;
    const float turn = two_pi * (float)phase / (float)steps_around;
    for (int i = 0; i < SIDE_COUNT; ++i) {
        play_drive_to(game, game->state.parts[i], place_of_side(i, turn),
                      two_pi * (float)i / SIDE_COUNT + turn);
    }
}

const play_scene play_scene_tumbler = {.name = "tumbler",
                                       .hint = "A drum that turns. Drag, shoot, explode.",
                                       .view = {{-16, -9.8f}, {16, 9.8f}},
                                       .gravity = -10,
                                       .shot = 0.4f,
                                       .muzzle = {0, 0},
                                       .build = build_tumbler,
                                       .drive = turn_drum};
