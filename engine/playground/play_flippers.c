// A pinball table: two flippers, bumpers, and balls that come back from above. The flippers play by
// themselves until a key is pressed.

#include "play_scene.h"

enum {
    BALL_COUNT = 20,
    FIRST_BALL = 2, ///< After the flippers.
    ARCH_POINTS = 32,
    PERIOD = 50, ///< Steps from one stroke to the next, when they play by themselves;
    HELD = 14,   ///< until then a flipper stays up.
};

static const float pi = 3.14159265f;
static const float width = 20;
static const float half_length = 1.9f;
static const float turn_down = -0.5f; ///< Radians, of the left flipper.
static const float turn_up = 0.55f;
static const float turn_a_step = 0.17f;
static const graze_vec2 pivot = {5.2f, 5.6f}; ///< Of the left flipper.

// The right one is the left one's image in a mirror.
static graze_vec2 find_middle(bool is_right, float turn)
{
    const graze_vec2 left = graze_vec2_add(pivot, play_direction(turn, half_length));
    const graze_vec2 right = {width - left.x, left.y};
    return is_right ? right : left;
}

static void add_flippers(play *game)
{
    for (int is_right = 0; is_right < 2; ++is_right) {
        const graze_vec2 at = find_middle(is_right, turn_down);
        graze_body_def def = play_kinematic(graze_shape_rect(half_length, 0.3f), at.x, at.y);
        def.angle = is_right ? -turn_down : turn_down;
        game->state.turns[is_right] = turn_down;
        play_add_part(game, &def);
    }
}

static void add_table(play *game)
{
    graze_vec2 points[ARCH_POINTS + 6] = {{1, 8.5f},  {5, 5.9f},  {5, 0.5f},
                                          {15, 0.5f}, {15, 5.9f}, {19, 8.5f}};
    for (int i = 0; i < ARCH_POINTS; ++i) {
        const graze_vec2 up = play_direction(pi * (float)i / (ARCH_POINTS - 1), 9);
        points[i + 6].x = width / 2 + up.x;
        points[i + 6].y = 22 + up.y;
    }
    play_add_loop(game, points, ARCH_POINTS + 6);
    static const graze_vec2 left[] = {{3, 10}, {5.8f, 8.3f}, {3, 13}};
    static const graze_vec2 right[] = {{17, 10}, {17, 13}, {14.2f, 8.3f}};
    play_add_loop(game, left, 3);
    play_add_loop(game, right, 3);
}

static void add_bumper(play *game, float x, float y, float radius)
{
    graze_body_def def = play_kinematic(graze_shape_circle(radius), x, y);
    def.surface.restitution = 1;
    def.user_data = radius > 1 ? PLAY_TINT_PINK : PLAY_TINT_CREAM;
    play_add(game, &def);
}

static void add_bumpers(play *game)
{
    add_bumper(game, 5.5f, 20, 1.4f);
    add_bumper(game, 14.5f, 20, 1.4f);
    add_bumper(game, 10, 16, 1.4f);
    add_bumper(game, 10, 24, 1.4f);
    for (int i = 0; i < 4; ++i) {
        add_bumper(game, 5.5f + 3 * (float)i, 27.5f, 0.3f);
    }
}

static void build(play *game)
{
    add_flippers(game);
    for (int i = 0; i < BALL_COUNT; ++i) {
        const float x = 3.5f + 0.68f * (float)i;
        graze_body_def ball = play_rigid(graze_shape_circle(0.45f), x, i % 2 ? 26.3f : 22.0f);
        ball.velocity.x = play_random(game, -3, 3);
        ball.surface.friction = 0.2f;
        ball.surface.restitution = 0.5f;
        play_add_part(game, &ball);
    }
    add_table(game);
    add_bumpers(game);
}

static bool is_up(const play *game, int is_right)
{
    const uint32_t key = is_right ? PLAY_RIGHT : PLAY_LEFT;
    const uint32_t phase = (game->state.step + (is_right ? PERIOD / 2 : 0)) % PERIOD;
    return game->state.is_played ? (game->keys & key) != 0 : phase < HELD;
}

// What has fallen between the flippers comes back from above.
static void return_balls(play *game)
{
    static const graze_vec2 still = {0, 0};
    for (uint32_t i = FIRST_BALL; i < FIRST_BALL + BALL_COUNT; ++i) {
        const graze_body_id ball = game->state.parts[i];
        if (graze_body_position(game->world, ball).y < 2) {
            graze_vec2 place;
            place.x = play_random(game, 6, 14);
            place.y = play_random(game, 28.3f, 29.5f);
            graze_body_set_position(game->world, ball, place);
            graze_body_set_velocity(game->world, ball, still);
        }
    }
}

static void drive(play *game)
{
    for (int is_right = 0; is_right < 2; ++is_right) {
        float *turn = &game->state.turns[is_right];
        *turn += is_up(game, is_right) ? turn_a_step : -turn_a_step / 2;
        *turn = *turn > turn_up ? turn_up : *turn < turn_down ? turn_down : *turn;
        play_drive_to(game, game->state.parts[is_right], find_middle(is_right, *turn),
                      is_right ? -*turn : *turn);
    }
    return_balls(game);
}

const play_scene play_scene_flippers = {
    .name = "flippers",
    .hint = "Left and right arrow, or the round buttons, move the flippers.",
    .view = {{0, 0}, {20, 31.5f}},
    .gravity = -10,
    .shot = 0.35f,
    .muzzle = {10, 3},
    .is_room = true,
    .build = build,
    .drive = drive};
