// A pinball table: two flippers that turn to and fro, bumpers, and balls that come back from above.

#include "demo_parts.h"

enum {
    BALL_COUNT = 20,
    FIRST_BALL = 2, ///< After the flippers.
    ARCH_POINTS = 24,
    PERIOD = 50, ///< Steps from one stroke to the next.
    STROKE = 6,  ///< Steps up;
    HELD = 14,   ///< until then it stays up,
    BACK = 24    ///< and then it is down again.
};

static const float width = 20;
static const float half_length = 1.9f;
static const float turn_down = -0.5f; ///< Radians, of the left flipper.
static const float turn_up = 0.55f;
static const graze_vec2 pivot = {5.2f, 5.6f}; ///< Of the left flipper.

static float find_turn(uint32_t step)
{
    const float range = turn_up - turn_down;
    const uint32_t phase = step % PERIOD;
    if (phase < STROKE) {
        return turn_down + range * (float)phase / STROKE;
    }
    if (phase < HELD) {
        return turn_up;
    }
    return phase < BACK ? turn_up - range * (float)(phase - HELD) / (BACK - HELD) : turn_down;
}

// The right one is the left one's image in a mirror.
static graze_vec2 find_middle(bool is_right, float turn)
{
    const graze_rotation along = graze_rotation_from_angle(turn);
    const graze_vec2 left = {pivot.x + half_length * along.cosine,
                             pivot.y + half_length * along.sine};
    const graze_vec2 right = {width - left.x, left.y};
    return is_right ? right : left;
}

static void add_flippers(cli_scene *scene)
{
    for (int is_right = 0; is_right < 2; ++is_right) {
        graze_vec2 at = find_middle(is_right, turn_down);
        graze_body_def def = cli_kinematic_body(graze_shape_rect(half_length, 0.3f), at.x, at.y);
        def.angle = is_right ? -turn_down : turn_down;
        cli_add_body(scene, def);
    }
}

static void add_table(cli_scene *scene)
{
    graze_vec2 points[ARCH_POINTS + 6] = {{1, 8.5f},  {5, 5.9f},  {5, 0.5f},
                                          {15, 0.5f}, {15, 5.9f}, {19, 8.5f}};
    for (int i = 0; i < ARCH_POINTS; ++i) {
        graze_rotation up = graze_rotation_from_angle(3.14159265f * (float)i / (ARCH_POINTS - 1));
        points[i + 6].x = width / 2 + 9 * up.cosine;
        points[i + 6].y = 22 + 9 * up.sine;
    }
    cli_add_loop(scene, points, ARCH_POINTS + 6, CLI_FILL_OUTSIDE);
    static const graze_vec2 left[] = {{3, 10}, {5.8f, 8.3f}, {3, 13}};
    static const graze_vec2 right[] = {{17, 10}, {17, 13}, {14.2f, 8.3f}};
    cli_add_loop(scene, left, 3, CLI_FILL_INSIDE);
    cli_add_loop(scene, right, 3, CLI_FILL_INSIDE);
}

static void add_bumper(cli_scene *scene, float x, float y, float radius)
{
    graze_body_def def = cli_kinematic_body(graze_shape_circle(radius), x, y);
    def.surface.restitution = 1;
    cli_add_body(scene, def);
}

static void add_bumpers(cli_scene *scene)
{
    add_bumper(scene, 5.5f, 20, 1.4f);
    add_bumper(scene, 14.5f, 20, 1.4f);
    add_bumper(scene, 10, 16, 1.4f);
    add_bumper(scene, 10, 24, 1.4f);
    for (int i = 0; i < 4; ++i) {
        add_bumper(scene, 5.5f + 3 * (float)i, 27.5f, 0.3f);
    }
}

// Where balls begin, from left to right; the numbers are even, so that each game is another.
static graze_vec2 pick_place(cli_random *random)
{
    graze_vec2 place;
    place.x = cli_random_float(random, 6, 14);
    place.y = cli_random_float(random, 28.3f, 29.5f);
    return place;
}

static void build_flippers(cli_scene *scene, cli_random *random)
{
    add_flippers(scene);
    for (int i = 0; i < BALL_COUNT; ++i) {
        graze_vec2 at = {3 + 0.75f * (float)i, i % 2 ? 25.5f : 22.0f};
        graze_body_def ball = cli_rigid_body(graze_shape_circle(0.45f), at.x, at.y);
        ball.velocity.x = cli_random_float(random, -3, 3);
        ball.surface.friction = 0.2f;
        ball.surface.restitution = 0.5f;
        cli_add_body(scene, ball);
    }
    add_table(scene);
    add_bumpers(scene);
    cli_set_view(scene, 0, -0.5f, width, 32);
    scene->gravity.y = -10;
}

// What has fallen between the flippers comes back from above.
static graze_status return_balls(cli_stage *stage, cli_random *random)
{
    static const graze_vec2 still = {0, 0};
    graze_status status = GRAZE_OK;
    for (size_t i = FIRST_BALL; !status && i < FIRST_BALL + BALL_COUNT; ++i) {
        const graze_body_id ball = stage->bodies[i];
        if (graze_body_position(stage->world, ball).y < 2) {
            status = graze_body_set_position(stage->world, ball, pick_place(random));
            status = status ? status : graze_body_set_velocity(stage->world, ball, still);
        }
    }
    return status;
}

static graze_status play_flippers(cli_stage *stage, cli_random *random, uint32_t step)
{
    graze_status status = GRAZE_OK;
    for (int is_right = 0; !status && is_right < 2; ++is_right) {
        const float turn = find_turn(step + (is_right ? PERIOD / 2 : 0));
        status = cli_drive_to(stage, (size_t)is_right, find_middle(is_right, turn),
                              is_right ? -turn : turn);
    }
    return status ? status : return_balls(stage, random);
}

const cli_demo_scene cli_demo_flippers = {"flippers", {4, 120, 305, 632}, 4,
                                          640,        build_flippers,     play_flippers};
