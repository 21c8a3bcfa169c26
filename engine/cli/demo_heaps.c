// The scenes of heaps: bodies that are poured into a pit, and a pyramid that something hits.

#include "demo_parts.h"

enum {
    BOWL_POINTS = 48,
    POURED_COUNT = 300,
    STEPS_APART = 2, ///< From one poured body to the next.
    ROW_COUNT = 20,
    THROWN_AT = 40
};

// Its inner side is a curve of the fourth order: steep walls, and a floor that is nearly flat.
static void build_pit(cli_scene *scene, cli_random *random)
{
    (void)random;
    graze_vec2 points[BOWL_POINTS + 4] = {{20, 12}, {20, -3}, {-20, -3}, {-20, 12}};
    for (int i = 0; i < BOWL_POINTS; ++i) {
        float side = 2 * (float)i / (BOWL_POINTS - 1) - 1;
        points[i + 4].x = 13 * side;
        points[i + 4].y = 12 * side * side * side * side;
    }
    cli_add_loop(scene, points, BOWL_POINTS + 4, CLI_FILL_INSIDE);
    cli_set_view(scene, -16, -1.5f, 16, 16.5f);
    scene->gravity.y = -10;
}

static graze_shape pick_shape(cli_random *random)
{
    float size = cli_random_float(random, 0.22f, 0.62f);
    float share = cli_random_float(random, 0.5f, 1);
    uint32_t kind = cli_random_below(random, 2);
    return kind == 0 ? graze_shape_circle(size) : graze_shape_rect(size, size * share);
}

static graze_status pour(cli_stage *stage, cli_random *random, uint32_t step)
{
    if (step % STEPS_APART != 0 || step > POURED_COUNT * STEPS_APART) {
        return GRAZE_OK;
    }
    float spout = step / STEPS_APART % 2 ? 5.0f : -5.0f;
    graze_body_def def = cli_rigid_body(pick_shape(random), spout, 18);
    def.velocity.x = cli_random_float(random, -2.5f, 2.5f);
    def.velocity.y = -8;
    def.angle = cli_random_float(random, -1.5f, 1.5f);
    def.spin = cli_random_float(random, -3, 3);
    return cli_throw_in(stage, &def);
}

const cli_demo_scene cli_demo_pit = {"pit", {150, 300, 600, 1200}, 2, 800, build_pit, pour};

static void build_pyramid(cli_scene *scene, cli_random *random)
{
    (void)random;
    static const graze_vec2 ground[] = {{-60, 0}, {-60, -9}, {80, -9}, {80, 0}};
    cli_add_loop(scene, ground, 4, CLI_FILL_INSIDE);
    for (int row = 0; row < ROW_COUNT; ++row) {
        for (int i = row; i < ROW_COUNT; ++i) {
            float x = 1.05f * ((float)i - 0.5f * (float)(ROW_COUNT - 1 + row));
            cli_add_body(scene, cli_rigid_body(graze_shape_rect(0.5f, 0.5f), x, (float)row + 0.5f));
        }
    }
    cli_set_view(scene, -17, -1, 23, 21.5f);
    scene->gravity.y = -10;
}

static graze_status throw_disc(cli_stage *stage, cli_random *random, uint32_t step)
{
    (void)random;
    if (step != THROWN_AT) {
        return GRAZE_OK;
    }
    graze_body_def disc = cli_rigid_body(graze_shape_circle(1.3f), -22, 5);
    disc.mass *= 10;
    disc.velocity.x = 40;
    disc.velocity.y = 2;
    return cli_throw_in(stage, &disc);
}

const cli_demo_scene cli_demo_pyramid = {"pyramid", {55, 85, 130, 600}, 2,
                                         800,       build_pyramid,      throw_disc};
