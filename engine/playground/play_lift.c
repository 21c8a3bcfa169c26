// A cave with a lift: balls and boulders roll down to crates; the lift carries some up to a ledge,
// where its belt unloads them; and a gun fires at all.

#include "play_scene.h"

enum {
    WAVE_POINTS = 110, ///< Of the floor left of the lift, and of the ceiling.
    LEDGE_POINTS = 30,
    BALL_EVERY = 24, ///< Steps.
    BALL_COUNT = 40,
    BOULDER_EVERY = 10, ///< Balls.
    SHOT_EVERY = 3,
    TRAVEL = 120, ///< Steps of the lift from one end to the other;
    WAIT = 90     ///< steps that it stays there.
};

static const float two_pi = 6.28318531f;
static const float bottom = 3.9f; ///< Of the lift's floor.
static const float top = 12.3f;
static const float lift_height = 9; ///< Nothing falls under it.
static const float shaft = 45;      ///< Where it begins, and then the ledge to the right of it.
static const float ledge = 50.6f;
static const float right = 63;
static const graze_vec2 gun = {61.5f, 19};

// From 0 at `low` to 1 at `high`, without an edge.
static float rise_smoothly(float low, float high, float x)
{
    float part = (x - low) / (high - low);
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    return part * part * (3 - 2 * part);
}

static float floor_at(float x)
{
    float flat = 1 - rise_smoothly(24, 30, x) * (1 - rise_smoothly(47, 50, x));
    return 16 - 12 * rise_smoothly(-6, 30, x) + 8 * rise_smoothly(47, 50, x) +
           flat * (0.25f * play_sine(0.9f * x) + 0.12f * play_sine(2.3f * x + 1));
}

static float ceiling_at(float x)
{
    return 24.5f + 1.1f * play_sine(0.35f * x + 1) + 0.5f * play_sine(1.1f * x) +
           0.25f * play_sine(2.9f * x);
}

static void add_walls(play *game)
{
    graze_vec2 points[2 * (WAVE_POINTS + 1) + 2 + LEDGE_POINTS + 1];
    uint32_t count = 0;
    for (int i = 0; i <= WAVE_POINTS; ++i) {
        const float x = 1 + (shaft - 1) * (float)i / WAVE_POINTS;
        points[count++] = (graze_vec2){x, floor_at(x)};
    }
    points[count++] = (graze_vec2){shaft, bottom - lift_height - 1};
    points[count++] = (graze_vec2){ledge, bottom - lift_height - 1};
    for (int i = 0; i <= LEDGE_POINTS; ++i) {
        const float x = ledge + (right - ledge) * (float)i / LEDGE_POINTS;
        points[count++] = (graze_vec2){x, floor_at(x)};
    }
    for (int i = WAVE_POINTS; i >= 0; --i) {
        const float x = 1 + (right - 1) * (float)i / WAVE_POINTS;
        points[count++] = (graze_vec2){x, ceiling_at(x)};
    }
    play_add_loop(game, points, count);
}

static void add_crates(play *game, float x, float y, int columns, int rows)
{
    for (int i = 0; i < columns * rows; ++i) {
        const float column = (float)(i % columns);
        const float row = (float)(i / columns);
        const graze_body_def crate =
            play_rigid(graze_shape_rect(0.6f, 0.6f), x + 1.3f * column, y + 0.6f + 1.2f * row);
        play_add(game, &crate);
    }
}

static void build(play *game)
{
    const float middle = (shaft + ledge) / 2;
    const graze_body_def lift =
        play_kinematic(graze_shape_rect(2.7f, lift_height / 2), middle, bottom - lift_height / 2);
    play_add_part(game, &lift);
    add_walls(game);
    add_crates(game, 32, 4, 2, 5);
    add_crates(game, 37.5f, 4, 3, 4);
    add_crates(game, middle - 0.65f, bottom, 2, 2);
    add_crates(game, 55, floor_at(55) + 0.4f, 4, 3);
}

// The third is a boulder, and every tenth after it.
static void roll_ball(play *game, uint32_t number)
{
    float radius = play_random(game, 0.4f, 0.8f);
    radius = number % BOULDER_EVERY == 3 ? 1.8f : radius;
    graze_body_def ball = play_rigid(graze_shape_circle(radius), 3, 19);
    ball.velocity.x = 2 + 2 * radius;
    ball.surface.restitution = 0.3f;
    play_add(game, &ball);
}

// To and fro over all that is to the left of it.
static void fire(play *game, uint32_t step)
{
    const float sweep = play_sine(two_pi * (float)(step % 311) / 311);
    graze_body_def bullet = play_rigid(graze_shape_ray(), gun.x, gun.y);
    bullet.velocity = play_direction(two_pi / 2 + 0.3f + 0.28f * sweep, 80);
    bullet.mass = 0.05f;
    bullet.response = GRAZE_STOP;
    bullet.hit_limit = 1;
    play_add(game, &bullet);
}

static float height_of_lift(uint32_t step)
{
    const uint32_t phase = step % (2 * (TRAVEL + WAIT));
    const uint32_t half = phase % (TRAVEL + WAIT);
    const float way = half < WAIT ? 0 : (top - bottom) * (float)(half - WAIT) / TRAVEL;
    return phase < TRAVEL + WAIT ? bottom + way : top - way;
}

static void move_lift(play *game, uint32_t step)
{
    const float height = height_of_lift(step);
    const graze_vec2 next = {(shaft + ledge) / 2, height - lift_height / 2};
    const graze_body_id lift = game->state.parts[0];
    graze_surface belt = graze_body_surface(game->world, lift);
    belt.speed = height == top ? 3.0f : 0;
    graze_body_set_surface(game->world, lift, belt);
    play_drive_to(game, lift, next, 0);
}

static void drive(play *game)
{
    const uint32_t step = game->state.step + 1;
    move_lift(game, step);
    if (step % BALL_EVERY == 0 && step <= BALL_COUNT * BALL_EVERY) {
        roll_ball(game, step / BALL_EVERY);
    }
    if (step % SHOT_EVERY == 0) {
        fire(game, step);
    }
}

const play_scene play_scene_cave = {
    .name = "cave",
    .hint = "Balls roll down to the crates, and a lift carries some up. Drag, shoot, explode.",
    .view = {{0, 0}, {64, 27.5f}},
    .gravity = -10,
    .shot = 0.5f,
    .muzzle = {3, 21},
    .is_room = true,
    .build = build,
    .drive = drive};
