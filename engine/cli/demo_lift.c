// A cave with a lift: balls and boulders roll down to crates; the lift carries some up to a ledge,
// where its belt unloads them; and a gun fires at all.

#include "demo_parts.h"

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
static const graze_vec2 muzzle = {61.5f, 19};

static float sine(float angle)
{
    return graze_rotation_from_angle(angle).sine;
}

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
           flat * (0.25f * sine(0.9f * x) + 0.12f * sine(2.3f * x + 1));
}

static float ceiling_at(float x)
{
    return 24.5f + 1.1f * sine(0.35f * x + 1) + 0.5f * sine(1.1f * x) + 0.25f * sine(2.9f * x);
}

static void add_point(graze_vec2 **points, float x, float y)
{
    const graze_vec2 point = {x, y};
    cli_push(*points, point);
}

static void add_walls(cli_scene *scene)
{
    graze_vec2 *points = NULL;
    for (int i = 0; i <= WAVE_POINTS; ++i) {
        float x = 1 + (shaft - 1) * (float)i / WAVE_POINTS;
        add_point(&points, x, floor_at(x));
    }
    add_point(&points, shaft, bottom - lift_height - 1);
    add_point(&points, ledge, bottom - lift_height - 1);
    for (int i = 0; i <= LEDGE_POINTS; ++i) {
        float x = ledge + (right - ledge) * (float)i / LEDGE_POINTS;
        add_point(&points, x, floor_at(x));
    }
    for (int i = WAVE_POINTS; i >= 0; --i) {
        float x = 1 + (right - 1) * (float)i / WAVE_POINTS;
        add_point(&points, x, ceiling_at(x));
    }
    cli_add_loop(scene, points, grz_list_count(points), CLI_FILL_OUTSIDE);
    grz_list_free(points);
}

static void add_crates(cli_scene *scene, float x, float y, int columns, int rows)
{
    for (int i = 0; i < columns * rows; ++i) {
        float column = (float)(i % columns);
        float row = (float)(i / columns);
        cli_add_body(scene, cli_rigid_body(graze_shape_rect(0.6f, 0.6f), x + 1.3f * column,
                                           y + 0.6f + 1.2f * row));
    }
}

static void build_lift(cli_scene *scene, cli_random *random)
{
    (void)random;
    const float middle = (shaft + ledge) / 2;
    cli_add_body(scene, cli_kinematic_body(graze_shape_rect(2.7f, lift_height / 2), middle,
                                           bottom - lift_height / 2));
    add_walls(scene);
    add_crates(scene, 32, 4, 2, 5);
    add_crates(scene, 37.5f, 4, 3, 4);
    add_crates(scene, middle - 0.65f, bottom, 2, 2);
    add_crates(scene, 55, floor_at(55) + 0.4f, 4, 3);
    cli_set_view(scene, 0, 0, 64, 27.5f);
    scene->gravity.y = -10;
}

static float height_of_lift(uint32_t step)
{
    const uint32_t phase = step % (2 * (TRAVEL + WAIT));
    const uint32_t half = phase % (TRAVEL + WAIT);
    const float way = half < WAIT ? 0 : (top - bottom) * (float)(half - WAIT) / TRAVEL;
    return phase < TRAVEL + WAIT ? bottom + way : top - way;
}

// The third is a boulder, and every tenth after it.
static graze_status roll_ball(cli_stage *stage, cli_random *random, uint32_t number)
{
    float radius = cli_random_float(random, 0.4f, 0.8f);
    radius = number % BOULDER_EVERY == 3 ? 1.8f : radius;
    graze_body_def ball = cli_rigid_body(graze_shape_circle(radius), 3, 19);
    ball.velocity.x = 2 + 2 * radius;
    ball.surface.restitution = 0.3f;
    return cli_throw_in(stage, &ball);
}

// To and fro over all that is to the left of it.
static graze_status fire(cli_stage *stage, uint32_t step)
{
    const float sweep = sine(two_pi * (float)(step % 311) / 311);
    const graze_rotation aim = graze_rotation_from_angle(two_pi / 2 + 0.3f + 0.28f * sweep);
    graze_body_def bullet = cli_rigid_body(graze_shape_ray(), muzzle.x, muzzle.y);
    bullet.velocity.x = 80 * aim.cosine;
    bullet.velocity.y = 80 * aim.sine;
    bullet.mass = 0.05f;
    bullet.response = GRAZE_STOP;
    bullet.hit_limit = 1;
    return cli_throw_in(stage, &bullet);
}

static graze_status move_lift(cli_stage *stage, uint32_t step)
{
    const float height = height_of_lift(step);
    const graze_vec2 next = {(shaft + ledge) / 2, height - lift_height / 2};
    graze_surface belt = graze_body_surface(stage->world, stage->bodies[0]);
    belt.speed = height == top ? 3.0f : 0;
    graze_status status = graze_body_set_surface(stage->world, stage->bodies[0], belt);
    return status ? status : cli_drive_to(stage, 0, next, 0);
}

static graze_status play_lift(cli_stage *stage, cli_random *random, uint32_t step)
{
    graze_status status = move_lift(stage, step);
    if (!status && step % BALL_EVERY == 0 && step <= BALL_COUNT * BALL_EVERY) {
        status = roll_ball(stage, random, step / BALL_EVERY);
    }
    if (!status && step % SHOT_EVERY == 0) {
        status = fire(stage, step);
    }
    return status;
}

const cli_demo_scene cli_demo_lift = {"cave", {60, 200, 420, 900}, 2, 800, build_lift, play_lift};
