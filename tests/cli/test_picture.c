#include "body_defs.h"
#include "canvas.h"
#include "palette.h"
#include "picture.h"
#include "random.h"
#include "scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STBI_ONLY_PNG
#include <stb/stb_image.h>

enum { WIDTH = 64, HEIGHT = 48 };

static const char *const scratch = "test_picture.tmp";
static const cli_color black = {0, 0, 0};
static const cli_color white = {1, 1, 1};

static cli_canvas make_canvas(void)
{
    cli_canvas canvas;
    cli_canvas_init(&canvas, WIDTH, HEIGHT, black);
    return canvas;
}

static void assert_near(double value, double expected, double bound)
{
    if (!(fabs(value - expected) <= bound)) {
        fail_msg("%g is not within %g of %g", value, bound, expected);
    }
}

// All light on the canvas: of a white shape, its area in pixels.
static double sum_light(const cli_canvas *canvas)
{
    double sum = 0;
    for (size_t i = 0; i < WIDTH * HEIGHT; ++i) {
        sum += (double)canvas->pixels[i].g;
    }
    return sum;
}

static double sum_mask(const cli_mask *mask)
{
    double sum = 0;
    for (size_t i = 0; i < WIDTH * HEIGHT; ++i) {
        sum += (double)mask->values[i];
    }
    return sum;
}

static float light_at(const cli_canvas *canvas, uint32_t x, uint32_t y)
{
    return canvas->pixels[(size_t)y * canvas->width + x].g;
}

static const cli_paint solid = {{1, 1, 1}, 1, 0};

static void a_circle_covers_its_area(void **state)
{
    (void)state;
    random_state random = random_seed(1);
    for (int i = 0; i < 100; ++i) {
        cli_canvas canvas = make_canvas();
        graze_circle circle = {{random_float(&random, 20, 40), random_float(&random, 20, 28)},
                               random_float(&random, 2, 15)};
        cli_canvas_circle(&canvas, circle, solid);
        double area = 3.14159265 * (double)(circle.radius * circle.radius);
        assert_true(fabs(sum_light(&canvas) - area) < 0.02 * area + 0.5);
        cli_canvas_free(&canvas);
    }
}

static void a_turned_rect_covers_its_area(void **state)
{
    (void)state;
    random_state random = random_seed(2);
    for (int i = 0; i < 100; ++i) {
        cli_canvas canvas = make_canvas();
        graze_rect rect = {{random_float(&random, 28, 36), random_float(&random, 22, 26)},
                           {random_float(&random, 2, 12), random_float(&random, 2, 8)},
                           graze_rotation_from_angle(random_float(&random, -4, 4))};
        cli_canvas_rect(&canvas, rect, solid);
        double area = 4 * (double)(rect.half.x * rect.half.y);
        assert_true(fabs(sum_light(&canvas) - area) < 0.03 * area + 1);
        cli_canvas_free(&canvas);
    }
}

static void a_polygon_covers_its_area_by_the_even_odd_rule(void **state)
{
    (void)state;
    const graze_vec2 triangle[] = {{10.25f, 5}, {50, 20.5f}, {20, 40}};
    // A square whose outline is walked to a smaller one inside of it and back.
    const graze_vec2 frame[] = {{4, 4},   {40, 4},  {40, 40}, {4, 40},  {4, 4},
                                {10, 10}, {30, 10}, {30, 30}, {10, 30}, {10, 10}};
    cli_mask mask;
    cli_mask_init(&mask, WIDTH, HEIGHT, 0);
    cli_mask_polygon(&mask, triangle, 3, CLI_MASK_ADD);
    assert_near(sum_mask(&mask), 0.5 * (39.75 * 35 - 15.5 * 9.75), 1.0);
    cli_mask_free(&mask);
    cli_mask_init(&mask, WIDTH, HEIGHT, 0);
    cli_mask_polygon(&mask, frame, 10, CLI_MASK_ADD);
    assert_near(sum_mask(&mask), 36 * 36 - 20 * 20, 0.01);
    assert_true(mask.values[20 * WIDTH + 20] == 0 && mask.values[20 * WIDTH + 6] == 1);
    cli_mask_polygon(&mask, frame, 4, CLI_MASK_REMOVE);
    assert_near(sum_mask(&mask), 0, 0.01);
    cli_mask_free(&mask);
}

static void a_line_is_as_long_and_wide_as_it_says(void **state)
{
    (void)state;
    cli_canvas canvas = make_canvas();
    const cli_paint paint = {{1, 1, 1}, 1, 4};
    const graze_vec2 a = {10, 20};
    const graze_vec2 b = {40, 20};
    cli_canvas_line(&canvas, a, b, paint);
    assert_near(sum_light(&canvas), 30 * 4 + 3.14159265 * 4, 1.0);
    cli_canvas_free(&canvas);
}

static void an_outline_is_only_as_wide_as_its_stroke(void **state)
{
    (void)state;
    cli_canvas canvas = make_canvas();
    const cli_paint paint = {{1, 1, 1}, 1, 2};
    const graze_circle circle = {{32, 24}, 15};
    cli_canvas_circle(&canvas, circle, paint);
    assert_near(sum_light(&canvas), 2 * 3.14159265 * 15 * 2, 3.0);
    assert_true(light_at(&canvas, 32, 24) == 0);
    cli_canvas_free(&canvas);
}

static void alpha_blends_in_linear_light(void **state)
{
    (void)state;
    cli_canvas canvas = make_canvas();
    const cli_paint half = {{1, 1, 1}, 0.5f, 0};
    const graze_circle circle = {{32, 24}, 10};
    cli_canvas_circle(&canvas, circle, half);
    assert_true(light_at(&canvas, 32, 24) == 0.5f);
    cli_canvas_circle(&canvas, circle, half);
    assert_true(light_at(&canvas, 32, 24) == 0.75f);
    cli_canvas_free(&canvas);
}

static void a_streak_is_brightest_at_its_tip(void **state)
{
    (void)state;
    cli_canvas canvas = make_canvas();
    const graze_vec2 tail = {10, 24.5f};
    const graze_vec2 tip = {50, 24.5f};
    cli_canvas_streak(&canvas, tail, tip, 5, white, 0.5f);
    assert_true(light_at(&canvas, 48, 24) > light_at(&canvas, 30, 24));
    assert_true(light_at(&canvas, 30, 24) > light_at(&canvas, 12, 24));
    assert_true(light_at(&canvas, 48, 24) > light_at(&canvas, 48, 27));
    assert_true(light_at(&canvas, 48, 35) == 0);
    cli_canvas_free(&canvas);
}

static void paint_everything(cli_canvas *canvas, cli_mask *mask, graze_vec2 p, float size)
{
    const cli_paint line = {{1, 1, 1}, 1, 1};
    const graze_circle circle = {p, size};
    const graze_rect rect = {p, {size, size}, {0.6f, 0.8f}};
    const graze_vec2 end = {p.y, p.x};
    const graze_vec2 polygon[] = {p, end, {10, 10}};
    cli_canvas_circle(canvas, circle, solid);
    cli_canvas_circle(canvas, circle, line);
    cli_canvas_rect(canvas, rect, line);
    cli_canvas_line(canvas, p, end, line);
    cli_canvas_streak(canvas, p, end, 4, white, 1);
    cli_mask_polygon(mask, polygon, 3, CLI_MASK_ADD);
}

static void what_lies_outside_or_nowhere_harms_nothing(void **state)
{
    (void)state;
    static const float places[] = {-1e30f, -1e9f, -100,     -0.5f,     0,   63.9f,
                                   64,     1e9f,  INFINITY, -INFINITY, NAN, 3e38f};
    static const float sizes[] = {0, 1e-30f, 1, 1e9f, INFINITY, NAN};
    const size_t place_count = sizeof places / sizeof *places;
    cli_canvas canvas = make_canvas();
    cli_mask mask;
    cli_mask_init(&mask, WIDTH, HEIGHT, 0);
    for (size_t i = 0; i < place_count * place_count; ++i) {
        graze_vec2 p = {places[i % place_count], places[i / place_count]};
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
            paint_everything(&canvas, &mask, p, sizes[k]);
        }
    }
    free(cli_canvas_to_bytes(&canvas));
    cli_mask_free(&mask);
    cli_canvas_free(&canvas);
}

static void colours_come_back_as_they_were_given(void **state)
{
    (void)state;
    for (uint32_t value = 0; value < 200; ++value) {
        cli_canvas canvas;
        cli_canvas_init(&canvas, 1, 1, cli_color_from_hex(value << 16 | value << 8 | value));
        unsigned char *bytes = cli_canvas_to_bytes(&canvas);
        assert_int_equal(bytes[0], value);
        assert_int_equal(bytes[2], value);
        free(bytes);
        cli_canvas_free(&canvas);
    }
}

static void a_pasted_canvas_is_where_it_should_be(void **state)
{
    (void)state;
    cli_canvas canvas = make_canvas();
    cli_canvas small;
    cli_canvas_init(&small, 3, 2, white);
    cli_canvas_paste(&canvas, &small, 10, 20);
    cli_canvas_paste(&canvas, &small, WIDTH - 3, HEIGHT - 2);
    assert_true(sum_light(&canvas) == 12);
    assert_true(light_at(&canvas, 10, 20) == 1 && light_at(&canvas, 12, 21) == 1);
    assert_true(light_at(&canvas, 9, 20) == 0 && light_at(&canvas, 13, 21) == 0);
    assert_true(light_at(&canvas, WIDTH - 1, HEIGHT - 1) == 1);
    cli_canvas_free(&small);
    cli_canvas_free(&canvas);
}

static void a_palette_of_few_colours_is_exact(void **state)
{
    (void)state;
    unsigned char pixels[3 * 1000];
    unsigned char colors[3 * CLI_PALETTE_SIZE];
    unsigned char indices[1000];
    random_state random = random_seed(4);
    for (int i = 0; i < 1000; ++i) {
        uint32_t color = random_below(&random, CLI_PALETTE_SIZE);
        pixels[3 * i] = (unsigned char)color;
        pixels[3 * i + 1] = (unsigned char)(color * 7);
        pixels[3 * i + 2] = (unsigned char)(color * 31);
    }
    size_t count = cli_palette_choose(pixels, 1000, colors, indices);
    assert_in_range(count, 200, CLI_PALETTE_SIZE);
    for (int i = 0; i < 1000; ++i) {
        assert_memory_equal(colors + 3 * indices[i], pixels + 3 * i, 3);
    }
}

static void a_palette_of_many_colours_is_near(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    static unsigned char pixels[3 * COUNT];
    static unsigned char indices[COUNT];
    unsigned char colors[3 * CLI_PALETTE_SIZE];
    random_state random = random_seed(6);
    for (int i = 0; i < 3 * COUNT; ++i) {
        pixels[i] = (unsigned char)random_below(&random, 256);
    }
    size_t count = cli_palette_choose(pixels, COUNT, colors, indices);
    assert_in_range(count, 1, CLI_PALETTE_SIZE);
    double error = 0;
    for (int i = 0; i < 3 * COUNT; ++i) {
        double off = (double)pixels[i] - colors[3 * indices[i / 3] + i % 3];
        error += off * off;
    }
    // Cubes of a 256th of the space have sides of 40: a mean square of 40 * 40 / 12.
    assert_true(error / (3 * COUNT) < 1.25 * 40 * 40 / 12);
}

static void a_written_file_reads_back_as_it_was_painted(void **state)
{
    (void)state;
    cli_canvas canvas = make_canvas();
    const graze_circle circle = {{20, 15}, 9};
    const cli_paint orange = {cli_color_from_hex(0xC06010), 1, 0};
    cli_canvas_circle(&canvas, circle, orange);
    unsigned char *painted = cli_canvas_to_bytes(&canvas);
    cli_error error = {""};
    if (!cli_canvas_write(&canvas, scratch, &error)) {
        fail_msg("%s", error.text);
    }
    int width;
    int height;
    int channels;
    unsigned char *read = stbi_load(scratch, &width, &height, &channels, 3);
    assert_non_null(read);
    assert_int_equal(width, WIDTH);
    assert_int_equal(height, HEIGHT);
    assert_memory_equal(read, painted, 3 * WIDTH * HEIGHT);
    stbi_image_free(read);
    free(painted);
    cli_canvas_free(&canvas);
    remove(scratch);
}

static void a_file_that_cannot_be_written_is_an_error(void **state)
{
    (void)state;
    cli_canvas canvas = make_canvas();
    cli_error error = {""};
    assert_false(cli_canvas_write(&canvas, "no such folder/p.png", &error));
    assert_int_equal(strncmp(error.text, "no such folder/p.png: cannot be written: ", 41), 0);
    cli_canvas_free(&canvas);
}

/// A scene on its way to a picture.
typedef struct shown_scene {
    cli_scene scene;
    cli_stage stage;
    cli_canvas canvas;
    graze_aabb view;
} shown_scene;

static void show(shown_scene *shown, bool y_down)
{
    cli_error error = {""};
    shown->scene.y_down = y_down;
    assert_true(cli_stage_build(&shown->stage, &shown->scene, "test", &error));
    shown->view = cli_picture_view(&shown->scene, 1);
    const cli_picture picture = {.scene = &shown->scene, .view = shown->view, .streak = 0.1f};
    cli_picture_draw(&picture, shown->stage.world, &shown->canvas);
}

static void hide(shown_scene *shown)
{
    cli_canvas_free(&shown->canvas);
    cli_stage_free(&shown->stage);
    cli_scene_free(&shown->scene);
}

static void add_loop(cli_scene *scene, float low_x, float low_y, float high_x, float high_y)
{
    const graze_vec2 points[] = {
        {low_x, low_y}, {high_x, low_y}, {high_x, high_y}, {low_x, high_y}};
    cli_chain chain = {graze_chain_def_default(), 0, CLI_FILL_AUTO, 0, "a loop"};
    chain.def.loop = true;
    cli_scene_add_chain(scene, chain, points, 4);
}

static void add_body(cli_scene *scene, graze_shape shape, float x, float y)
{
    cli_body body = {test_body_def(), "a body"};
    body.def.shape = shape;
    body.def.position.x = x;
    body.def.position.y = y;
    cli_push(scene->bodies, body);
}

// The brightest light within two pixels of a place of the scene.
static float light_near(const shown_scene *shown, float x, float y)
{
    const cli_canvas *canvas = &shown->canvas;
    graze_aabb view = shown->view;
    float scale = 0.96f * 1280 / fmaxf(view.upper.x - view.lower.x, view.upper.y - view.lower.y);
    float flip = shown->scene.y_down ? 1.0f : -1.0f;
    int at_x = (int)((float)canvas->width / 2 + (x - (view.lower.x + view.upper.x) / 2) * scale);
    int at_y =
        (int)((float)canvas->height / 2 + (y - (view.lower.y + view.upper.y) / 2) * scale * flip);
    float most = 0;
    for (int i = 0; i < 25; ++i) {
        int index = (at_y + i / 5 - 2) * (int)canvas->width + at_x + i % 5 - 2;
        cli_color color = canvas->pixels[index];
        most = fmaxf(most, fmaxf(color.r, fmaxf(color.g, color.b)));
    }
    return most;
}

static void terrain_and_bodies_are_where_they_stand(void **state)
{
    (void)state;
    for (int y_down = 0; y_down < 2; ++y_down) {
        shown_scene shown;
        cli_scene_init(&shown.scene);
        add_loop(&shown.scene, 0, 0, 100, 50);
        add_loop(&shown.scene, 10, 5, 30, 12);
        add_body(&shown.scene, graze_shape_circle(4), 60, 40);
        add_body(&shown.scene, graze_shape_rect(6, 2), 80, 10);
        show(&shown, y_down);
        assert_int_equal(shown.canvas.width, 1280);
        assert_int_equal(shown.canvas.height, 640);
        assert_true(light_near(&shown, 20, 5) > 0.3f);   // A wall of the rock,
        assert_true(light_near(&shown, 50, 0) > 0.3f);   // of the room,
        assert_true(light_near(&shown, 64, 40) > 0.5f);  // the rim of the circle,
        assert_true(light_near(&shown, 80, 8) > 0.5f);   // and of the rect;
        assert_true(light_near(&shown, 50, 25) < 0.04f); // air.
        assert_true(light_near(&shown, 20, 45) < 0.04f);
        hide(&shown);
    }
}

static void rocks_and_what_is_around_rooms_are_filled(void **state)
{
    (void)state;
    shown_scene shown;
    cli_scene_init(&shown.scene);
    add_loop(&shown.scene, 0, 0, 100, 50);
    add_loop(&shown.scene, 10, 5, 40, 30);
    add_body(&shown.scene, graze_shape_circle(1), 90, 45);
    show(&shown, false);
    float air = light_near(&shown, 70, 20);
    assert_true(light_near(&shown, 25, 17) > 1.3f * air);
    hide(&shown);
}

static void a_view_without_terrain_follows_the_bodies(void **state)
{
    (void)state;
    cli_scene scene;
    cli_scene_init(&scene);
    add_body(&scene, graze_shape_circle(1), 0, 0);
    scene.bodies[0].def.velocity.x = 10;
    graze_aabb view = cli_picture_view(&scene, 3);
    assert_true(view.lower.x == -1 && view.upper.x == 31);
    cli_scene_free(&scene);
    view = cli_picture_view(&scene, 3);
    assert_true(view.lower.x < view.upper.x);
}

static void a_spoke_tells_how_far_a_disc_has_turned(void **state)
{
    (void)state;
    for (int is_rigid = 0; is_rigid < 2; ++is_rigid) {
        shown_scene shown;
        cli_scene_init(&shown.scene);
        add_loop(&shown.scene, 0, 0, 100, 50);
        add_body(&shown.scene, graze_shape_circle(10), 60, 25);
        shown.scene.bodies[0].def.angle = 0.8f;
        shown.scene.bodies[0].def.response = is_rigid ? GRAZE_RIGID : GRAZE_STOP;
        show(&shown, false);
        const float angle = graze_body_angle(shown.stage.world, shown.stage.bodies[0]);
        const float inside = light_near(&shown, 60, 20);
        const float spoke = light_near(&shown, 60 + 5 * cosf(angle), 25 + 5 * sinf(angle));
        assert_near((double)light_near(&shown, 54, 25), (double)inside, 0.02);
        assert_true((spoke > 1.5f * inside) == is_rigid);
        hide(&shown);
    }
}

static void kinematic_bodies_have_a_colour_of_their_own(void **state)
{
    (void)state;
    shown_scene shown;
    cli_scene_init(&shown.scene);
    add_loop(&shown.scene, 0, 0, 100, 50);
    for (int i = 0; i < 2; ++i) {
        add_body(&shown.scene, graze_shape_rect(4, 4), 20 + 40 * (float)i, 10);
        add_body(&shown.scene, graze_shape_rect(4, 4), 20 + 40 * (float)i, 30);
        shown.scene.bodies[2 * i].def.response = GRAZE_PASS;
        shown.scene.bodies[2 * i + 1].def.response = GRAZE_STOP;
    }
    show(&shown, false);
    assert_near((double)light_near(&shown, 20, 6), (double)light_near(&shown, 60, 6), 0.01);
    assert_true(light_near(&shown, 20, 26) > light_near(&shown, 60, 26) + 0.05f);
    hide(&shown);
}

static void fill_loop(cli_scene *scene, float half, cli_fill fill, uint32_t group)
{
    add_loop(scene, -half, -half, half, half);
    scene->chains[grz_list_count(scene->chains) - 1].fill = fill;
    scene->chains[grz_list_count(scene->chains) - 1].group = group;
}

// Far from the edges, whose light reaches some pixels.
static void a_solid_in_a_hole_is_drawn_solid(void **state)
{
    (void)state;
    // The smaller first, too: their order in the file does not matter.
    for (int turn = 0; turn < 2; ++turn) {
        shown_scene shown;
        cli_scene_init(&shown.scene);
        fill_loop(&shown.scene, turn ? 1 : 10, CLI_FILL_INSIDE, 1);
        fill_loop(&shown.scene, 6, CLI_FILL_HOLE, 1);
        fill_loop(&shown.scene, turn ? 10 : 1, CLI_FILL_INSIDE, 1);
        show(&shown, false);
        const float rock = light_near(&shown, 8, 0), open = light_near(&shown, 3.5f, 0);
        assert_true(rock > open + 0.004f);
        assert_near((double)light_near(&shown, 0, 0), (double)rock, 0.002);
        hide(&shown);
    }
}

static void a_hole_is_one_in_its_own_layer_only(void **state)
{
    (void)state;
    shown_scene shown;
    cli_scene_init(&shown.scene);
    fill_loop(&shown.scene, 7, CLI_FILL_INSIDE, 2);
    fill_loop(&shown.scene, 10, CLI_FILL_INSIDE, 1);
    fill_loop(&shown.scene, 4, CLI_FILL_HOLE, 1);
    show(&shown, false);
    assert_near((double)light_near(&shown, 0, 0), (double)light_near(&shown, 8.5f, 0), 0.002);
    hide(&shown);
}

static void add_line(cli_scene *scene, float low_x, float low_y, float high_x, float high_y)
{
    const graze_vec2 points[] = {{low_x, low_y}, {high_x, high_y}};
    const cli_chain chain = {graze_chain_def_default(), 0, CLI_FILL_AUTO, 0, "a line"};
    cli_scene_add_chain(scene, chain, points, 2);
}

static void terrain_that_goes_on_far_outside_is_where_it_stands(void **state)
{
    (void)state;
    static const float lengths[] = {300, 1e6f, 1e9f, 1e12f};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
        const graze_aabb view = {{-50, -25}, {50, 25}};
        const float far = lengths[i];
        shown_scene shown;
        cli_scene_init(&shown.scene);
        shown.scene.has_view = true;
        shown.scene.view = view;
        add_line(&shown.scene, -far, -far, far, far);
        add_line(&shown.scene, -far, 2 * far, far, 2 * far);
        show(&shown, false);
        assert_true(light_near(&shown, -20, -20) > 0.3f);
        assert_true(light_near(&shown, 0, 0) > 0.3f);
        assert_true(light_near(&shown, 24, 24) > 0.3f);
        assert_true(light_near(&shown, 20, -20) < 0.04f);
        hide(&shown);
    }
}

static void check_size(const cli_canvas *canvas)
{
    assert_in_range(canvas->width, 160, 1280);
    assert_in_range(canvas->height, 160, 1280);
    assert_true(canvas->width == 1280 || canvas->height == 1280);
}

static void tall_tiny_and_endless_views_make_pictures(void **state)
{
    (void)state;
    static const float sizes[][2] = {{1, 1000}, {0, 0}, {1e-30f, 1}, {3e38f, 1}, {1e30f, 1e30f}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        shown_scene shown;
        cli_scene_init(&shown.scene);
        add_loop(&shown.scene, 0, 0, sizes[i][0], sizes[i][1]);
        show(&shown, true);
        check_size(&shown.canvas);
        hide(&shown);
    }
}

static void views_as_wide_as_float_make_pictures(void **state)
{
    (void)state;
    static const float speeds[] = {0, 3e38f, -3e38f};
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; ++i) {
        shown_scene shown;
        cli_scene_init(&shown.scene);
        add_body(&shown.scene, graze_shape_ray(), -3e38f, -3e38f);
        add_body(&shown.scene, graze_shape_circle(3e38f), 3e38f, 2e38f);
        shown.scene.bodies[0].def.velocity.x = speeds[i];
        shown.scene.bodies[1].def.velocity.y = speeds[i];
        show(&shown, false);
        check_size(&shown.canvas);
        hide(&shown);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_circle_covers_its_area),
        cmocka_unit_test(a_turned_rect_covers_its_area),
        cmocka_unit_test(a_polygon_covers_its_area_by_the_even_odd_rule),
        cmocka_unit_test(a_line_is_as_long_and_wide_as_it_says),
        cmocka_unit_test(an_outline_is_only_as_wide_as_its_stroke),
        cmocka_unit_test(alpha_blends_in_linear_light),
        cmocka_unit_test(a_streak_is_brightest_at_its_tip),
        cmocka_unit_test(what_lies_outside_or_nowhere_harms_nothing),
        cmocka_unit_test(colours_come_back_as_they_were_given),
        cmocka_unit_test(a_pasted_canvas_is_where_it_should_be),
        cmocka_unit_test(a_palette_of_few_colours_is_exact),
        cmocka_unit_test(a_palette_of_many_colours_is_near),
        cmocka_unit_test(a_written_file_reads_back_as_it_was_painted),
        cmocka_unit_test(a_file_that_cannot_be_written_is_an_error),
        cmocka_unit_test(terrain_and_bodies_are_where_they_stand),
        cmocka_unit_test(rocks_and_what_is_around_rooms_are_filled),
        cmocka_unit_test(a_spoke_tells_how_far_a_disc_has_turned),
        cmocka_unit_test(kinematic_bodies_have_a_colour_of_their_own),
        cmocka_unit_test(a_view_without_terrain_follows_the_bodies),
        cmocka_unit_test(a_solid_in_a_hole_is_drawn_solid),
        cmocka_unit_test(a_hole_is_one_in_its_own_layer_only),
        cmocka_unit_test(terrain_that_goes_on_far_outside_is_where_it_stands),
        cmocka_unit_test(tall_tiny_and_endless_views_make_pictures),
        cmocka_unit_test(views_as_wide_as_float_make_pictures),
    };
    return cmocka_run_group_tests_name("picture", tests, NULL, NULL);
}
