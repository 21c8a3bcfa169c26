// Tiled maps: objects, properties, and maps that are refused.

#include "random.h"
#include "scene.h"
#include "text_file.h"
#include "tiled_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BODY "\"type\": \"body\""

static void a_polyline_is_an_open_chain(void **state)
{
    (void)state;
    cli_scene scene = tiled_read(
        OBJECTS("walls", "{\"x\": 5, \"y\": 6, \"polyline\":"
                         "[{\"x\": 0, \"y\": 0}, {\"x\": 3, \"y\": 1}, {\"x\": 3, \"y\": 9}]}"));
    assert_int_equal(tiled_chain_count(&scene), 1);
    assert_false(scene.chains[0].def.loop);
    assert_int_equal(scene.chains[0].def.count, 3);
    assert_true(scene.points[1].x == 8 && scene.points[1].y == 7);
    assert_true(scene.y_down);
    assert_true(scene.has_view && scene.view.upper.x == 40 && scene.view.upper.y == 30);
    cli_scene_free(&scene);
}

static void loops_run_so_that_their_outside_is_on_the_left(void **state)
{
    (void)state;
    const float expected[] = {5, 6, 5, 10, 9, 6};
    cli_scene one_way = tiled_read(
        OBJECTS("walls", "{\"x\": 5, \"y\": 6, \"polygon\":"
                         "[{\"x\": 0, \"y\": 0}, {\"x\": 4, \"y\": 0}, {\"x\": 0, \"y\": 4}]}"));
    cli_scene other_way = tiled_read(
        OBJECTS("walls", "{\"x\": 5, \"y\": 6, \"polygon\":"
                         "[{\"x\": 0, \"y\": 4}, {\"x\": 4, \"y\": 0}, {\"x\": 0, \"y\": 0}]}"));
    tiled_assert_loop(&one_way, 0, expected, 3);
    tiled_assert_loop(&other_way, 0, expected, 3);
    cli_scene_free(&one_way);
    cli_scene_free(&other_way);
}

static void a_rectangle_turns_clockwise_around_its_corner(void **state)
{
    (void)state;
    // By 90 degrees, y down: the width goes down, the height to the left.
    const float quarter[] = {20, 5, 17, 5, 17, 11, 20, 11};
    cli_scene scene = tiled_read(
        OBJECTS("walls", "{\"x\": 20, \"y\": 5, \"width\": 6, \"height\": 3, \"rotation\": 90}"));
    tiled_assert_loop(&scene, 0, quarter, 4);
    for (uint32_t i = 0; i < 4; ++i) {
        assert_true(scene.points[i].x == roundf(scene.points[i].x));
        assert_true(scene.points[i].y == roundf(scene.points[i].y));
    }
    cli_scene_free(&scene);

    const float c = 0.8660254f;
    const float s = 0.5f;
    const float turned[] = {
        10, 5, 10 - 3 * s, 5 + 3 * c, 10 + 6 * c - 3 * s, 5 + 6 * s + 3 * c, 10 + 6 * c, 5 + 6 * s};
    scene = tiled_read(
        OBJECTS("walls", "{\"x\": 10, \"y\": 5, \"width\": 6, \"height\": 3, \"rotation\": -330}"));
    tiled_assert_loop(&scene, 0, turned, 4);
    cli_scene_free(&scene);
}

static void a_rotation_of_any_size_is_taken_modulo_a_turn(void **state)
{
    (void)state;
    cli_scene scene = tiled_read(
        OBJECTS("walls", "{\"x\": 10, \"y\": 5, \"width\": 6, \"height\": 3, \"rotation\": 64},"
                         "{\"x\": 10, \"y\": 5, \"width\": 6, \"height\": 3,"
                         " \"rotation\": 1.1408855402054066e+32}"));
    assert_int_equal(tiled_chain_count(&scene), 2);
    for (uint32_t i = 0; i < 4; ++i) {
        assert_true(scene.points[i].x == scene.points[i + 4].x);
        assert_true(scene.points[i].y == scene.points[i + 4].y);
    }
    cli_scene_free(&scene);
}

// The middle of each side lies at most a quarter of a pixel inside, but for rounding to float.
static void check_ellipse(int width, int height)
{
    char map[512];
    snprintf(map, sizeof map,
             OBJECTS("walls",
                     "{\"x\": 10, \"y\": 20, \"width\": %d, \"height\": %d, \"ellipse\": true}"),
             width, height);
    cli_scene scene = tiled_read(map);
    const double half_x = width / 2.0;
    const double half_y = height / 2.0;
    const uint32_t count = scene.chains[0].def.count;
    assert_in_range(count, 16, 1024);
    for (uint32_t i = 0; i < count; ++i) {
        const graze_vec2 a = scene.points[i];
        const graze_vec2 b = scene.points[(i + 1) % count];
        const double x = ((double)a.x - 10) / half_x - 1;
        const double y = ((double)a.y - 20) / half_y - 1;
        const double middle_x = (((double)a.x + (double)b.x) / 2 - 10) / half_x - 1;
        const double middle_y = (((double)a.y + (double)b.y) / 2 - 20) / half_y - 1;
        const double inside = (1 - hypot(middle_x, middle_y)) * fmax(half_x, half_y);
        assert_true(fabs(hypot(x, y) - 1) < 1e-5);
        if (inside > 0.26) {
            fail_msg("%d x %d: %g pixels off", width, height, inside);
        }
    }
    cli_scene_free(&scene);
}

static void an_ellipse_is_a_loop_on_it(void **state)
{
    (void)state;
    check_ellipse(200, 60);
    check_ellipse(3, 3);
    check_ellipse(4000, 4000);
    check_ellipse(1000, 90000);
}

// All points are as far from the line in its middle as its ends are round.
static void check_capsule(double width, double height)
{
    char text[600];
    snprintf(text, sizeof text,
             OBJECTS("walls", "{\"x\": 10, \"y\": 20, \"width\": %g, \"height\": %g,"
                              "\"capsule\": true}"),
             width, height);
    cli_scene scene = tiled_read(text);
    assert_int_equal(tiled_chain_count(&scene), 1);
    assert_true(scene.chains[0].def.loop);
    const double radius = fmin(width, height) / 2;
    const double reach_x = width / 2 - radius, reach_y = height / 2 - radius;
    double least_x = 1e9, most_x = -1e9, least_y = 1e9, most_y = -1e9;
    for (size_t i = 0; i < grz_list_count(scene.points); ++i) {
        const double x = (double)scene.points[i].x - 10 - width / 2;
        const double y = (double)scene.points[i].y - 20 - height / 2;
        const double off_x = fmax(fabs(x) - reach_x, 0), off_y = fmax(fabs(y) - reach_y, 0);
        if (fabs(hypot(off_x, off_y) - radius) > 1e-4 * (width + height)) {
            fail_msg("%g x %g: point %zu at %g, %g", width, height, i, x, y);
        }
        least_x = fmin(least_x, x);
        most_x = fmax(most_x, x);
        least_y = fmin(least_y, y);
        most_y = fmax(most_y, y);
    }
    assert_true(fabs(least_x + width / 2) < 1e-3 && fabs(most_x - width / 2) < 1e-3);
    assert_true(fabs(least_y + height / 2) < 1e-3 && fabs(most_y - height / 2) < 1e-3);
    cli_scene_free(&scene);
}

static void a_capsule_has_round_ends(void **state)
{
    (void)state;
    check_capsule(40, 20);
    check_capsule(20, 40);
    check_capsule(30, 30);
    check_capsule(400, 4);
    check_capsule(3, 900);
}

// It stands on its lower left corner, flipped and scaled, and turns around it.
static void a_solid_tile_object_has_its_tiles_shapes(void **state)
{
    (void)state;
    const float whole[] = {5, 10, 5, 30, 35, 30, 35, 10};
    const float triangle[] = {5, 10, 5, 18, 29, 10};
    const float flipped[] = {35, 10, 11, 10, 35, 18};
    const float turned[] = {5, 30, 5, 60, 25, 60, 25, 30};
    cli_scene scene =
        tiled_read(MAP_START "{\"type\": \"objectgroup\", \"name\": \"Collision\", \"objects\": ["
                             "{\"gid\": 3, \"x\": 5, \"y\": 30, \"width\": 30, \"height\": 20},"
                             "{\"gid\": 1, \"x\": 5, \"y\": 30, \"width\": 30, \"height\": 20},"
                             "{\"gid\": 2147483649, \"x\": 5, \"y\": 30, \"width\": 30,"
                             "\"height\": 20}, {\"gid\": 3, \"x\": 5, \"y\": 30, \"width\": 30,"
                             "\"height\": 20, \"rotation\": 90}]}], " TILESETS "}");
    assert_int_equal(tiled_chain_count(&scene), 4);
    tiled_assert_loop(&scene, 0, whole, 4);
    tiled_assert_loop(&scene, 1, triangle, 3);
    tiled_assert_loop(&scene, 2, flipped, 3);
    tiled_assert_loop(&scene, 3, turned, 4);
    cli_scene_free(&scene);
}

static void offsets_of_layers_and_groups_add_up(void **state)
{
    (void)state;
    cli_scene scene = tiled_read(
        MAP_START "{\"type\": \"group\", \"offsetx\": 100, \"layers\": [{\"type\": \"group\","
                  "\"offsety\": 7, \"layers\": [{\"type\": \"objectgroup\", \"offsetx\": 0.5,"
                  "\"offsety\": 1, \"visible\": false, \"objects\": [{\"x\": 1, \"y\": 2,"
                  "\"visible\": false, \"polyline\": [{\"x\": 0, \"y\": 0},"
                  "{\"x\": 1, \"y\": 0}]}, {\"x\": 1, \"y\": 2, \"point\": true, " BODY
                  "}]}]}]}]}");
    assert_true(scene.points[0].x == 101.5f && scene.points[0].y == 10);
    assert_true(scene.bodies[0].def.position.x == 101.5f);
    assert_true(scene.bodies[0].def.position.y == 10);
    cli_scene_free(&scene);
}

static void objects_of_class_body_are_bodies(void **state)
{
    (void)state;
    cli_scene scene = tiled_read(
        OBJECTS("things",
                "{\"x\": 10, \"y\": 20, \"width\": 6, \"height\": 6, \"ellipse\": true, " BODY "},"
                "{\"x\": 10, \"y\": 20, \"width\": 6, \"height\": 4, \"rotation\": 90, " BODY "},"
                "{\"x\": 1, \"y\": 2, \"point\": true, \"class\": \"Body\"},"
                "{\"x\": 1, \"y\": 2, \"point\": true, " BODY ", \"properties\":"
                "[{\"name\": \"radius\", \"type\": \"float\", \"value\": 3}]},"
                "{\"x\": 10, \"y\": 20, \"width\": 6, \"height\": 4, \"gid\": 5, " BODY "}"));
    assert_int_equal(grz_list_count(scene.bodies), 5);
    assert_int_equal(tiled_chain_count(&scene), 0);
    const cli_body *bodies = scene.bodies;
    assert_int_equal(bodies[0].def.shape.kind, GRAZE_SHAPE_CIRCLE);
    assert_true(bodies[0].def.shape.radius == 3);
    assert_true(bodies[0].def.position.x == 13 && bodies[0].def.position.y == 23);
    assert_int_equal(bodies[1].def.shape.kind, GRAZE_SHAPE_RECT);
    assert_true(bodies[1].def.shape.half.x == 3 && bodies[1].def.shape.half.y == 2);
    assert_true(bodies[1].def.position.x == 8 && bodies[1].def.position.y == 23);
    assert_float_equal(bodies[1].def.angle, 1.57079633, 1e-6);
    assert_int_equal(bodies[2].def.shape.kind, GRAZE_SHAPE_RAY);
    assert_int_equal(bodies[3].def.shape.kind, GRAZE_SHAPE_CIRCLE);
    assert_true(bodies[3].def.shape.radius == 3);
    // A tile object stands on its lower left corner.
    assert_true(bodies[4].def.position.x == 13 && bodies[4].def.position.y == 18);
    cli_scene_free(&scene);
}

static void properties_come_from_the_object_then_from_its_layers(void **state)
{
    (void)state;
    cli_scene scene = tiled_read(
        MAP_START
        "{\"type\": \"group\", \"properties\": [{\"name\": \"response\","
        "\"value\": \"stop\"}, {\"name\": \"mass\", \"value\": 5}],"
        "\"layers\": [{\"type\": \"objectgroup\", \"class\": \"body\", \"properties\":"
        "[{\"name\": \"mass\", \"value\": 2}], \"objects\": [{\"x\": 1, \"y\": 2,"
        "\"point\": true, \"properties\": [{\"name\": \"velocity_x\", \"value\": \"2.5\"},"
        "{\"name\": \"lives\", \"value\": 3}, {\"name\": \"hit_limit\", \"value\": 1}]},"
        "{\"x\": 1, \"y\": 2, \"point\": true, \"properties\": {\"sensor\": \"true\"}},"
        "{\"x\": 0, \"y\": 0, \"type\": \"ignore\", \"point\": true}]}]}]}");
    assert_int_equal(grz_list_count(scene.bodies), 2);
    const graze_body_def *first = &scene.bodies[0].def;
    assert_int_equal(first->response, GRAZE_STOP);
    assert_true(first->mass == 2 && first->velocity.x == 2.5f && first->hit_limit == 1);
    assert_false(first->sensor);
    assert_true(scene.bodies[1].def.sensor);
    cli_scene_free(&scene);
}

static void the_map_has_gravity_dt_and_steps(void **state)
{
    (void)state;
    cli_scene scene = tiled_read(
        "{\"type\": \"map\", \"layers\": [], \"properties\": [{\"name\": \"gravity_y\", \"value\":"
        "90}, {\"name\": \"dt\", \"value\": 0.5}, {\"name\": \"steps\", \"value\": 3}]}");
    assert_true(scene.gravity.y == 90 && scene.dt == 0.5f && scene.steps == 3);
    cli_scene_free(&scene);
}

#define LINE "{\"x\": 0, \"y\": 0, \"polyline\": [{\"x\": 0, \"y\": 0}, {\"x\": 1, \"y\": 0}]}"
#define LAYER(name, more)                                                                          \
    "{\"type\": \"objectgroup\", \"name\": \"" name "\"" more ", \"objects\": [" LINE "]}"

static void only_layers_called_solid_count_where_there_are_some(void **state)
{
    (void)state;
    static const struct {
        const char *layers;
        size_t chains;
    } cases[] = {
        {LAYER("a", "") "," LAYER("b", ""), 2},
        {LAYER("a", "") "," LAYER("My Collisions", ""), 1},
        {LAYER("a", "") "," LAYER("SOLID", "") "," LAYER("solids 2", ""), 2},
        {LAYER("a", "") "," LAYER("b", ", \"class\": \"terrain\""), 1},
        {LAYER("a", "") "," LAYER("b", ", \"properties\": [{\"name\": \"solid\","
                                       "\"value\": true}]"),
         1},
        {LAYER("a", "") "," LAYER("collision", ", \"properties\": [{\"name\": \"graze\","
                                               "\"value\": \"ignore\"}]"),
         1},
        {LAYER("a", ", \"class\": \"ignore\""), 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[2048];
        snprintf(text, sizeof text, MAP_START "%s]}", cases[i].layers);
        cli_scene scene = tiled_read(text);
        if (tiled_chain_count(&scene) != cases[i].chains) {
            fail_msg("%s\ngives %zu chains", text, tiled_chain_count(&scene));
        }
        cli_scene_free(&scene);
    }
}

static void sensors_are_terrain_that_stops_nobody(void **state)
{
    (void)state;
    cli_scene scene = tiled_read(
        OBJECTS("walls", "{\"x\": 1, \"y\": 1, \"width\": 2, \"height\": 2, \"type\": \"sensor\"},"
                         "{\"x\": 1, \"y\": 1, \"width\": 2, \"height\": 2, \"properties\":"
                         "[{\"name\": \"one_sided\", \"value\": true}, {\"name\": \"category\","
                         "\"value\": 6}]}"));
    assert_int_equal(tiled_chain_count(&scene), 2);
    assert_true(scene.chains[0].def.sensor);
    assert_true(scene.chains[1].def.one_sided);
    assert_int_equal(scene.chains[1].def.filter.category, 6);
    cli_scene_free(&scene);
}

static void nothing_is_guessed_where_tiles_collide(void **state)
{
    (void)state;
    cli_scene scene =
        tiled_read(MAP_START LAYER("a", "") ", {\"type\": \"objectgroup\", \"objects\":"
                                            "[{\"x\": 0, \"y\": 0, \"width\": 3, \"height\": 3}]},"
                                            "{\"type\": \"tilelayer\", \"width\": 1, \"height\": 1,"
                                            "\"data\": [2]}], " TILESETS "}");
    assert_int_equal(tiled_chain_count(&scene), 1);
    assert_true(scene.chains[0].def.loop);
    assert_true(strstr(scene.notes[0], "polylines left out: 1 ("));
    assert_true(strstr(scene.notes[1], "rectangles left out: 1 ("));
    cli_scene_free(&scene);
}

static void what_becomes_nothing_is_counted_in_notes(void **state)
{
    (void)state;
    cli_scene scene = tiled_read(
        OBJECTS("walls", LINE ", {\"x\": 1, \"y\": 1, \"point\": true}, {\"x\": 1, \"y\": 1},"
                              "{\"gid\": 3, \"x\": 1, \"y\": 1, \"width\": 2, \"height\": 2},"
                              "{\"text\": {\"text\": \"hi\"}, \"x\": 1, \"y\": 1},"
                              "{\"template\": \"t.tx\", \"x\": 1, \"y\": 1},"
                              "{\"x\": 0, \"y\": 0, \"polyline\": [{\"x\": 0, \"y\": 0}]}"));
    static const char *const starts[] = {"points left out: 2 (", "text objects left out: 1 (",
                                         "objects from templates left out: 1 (",
                                         "polylines and polygons of one point left out: 1",
                                         "no object has the class"};
    assert_int_equal(grz_list_count(scene.notes), sizeof starts / sizeof *starts);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; ++i) {
        assert_int_equal(strncmp(scene.notes[i], starts[i], strlen(starts[i])), 0);
    }
    cli_scene_free(&scene);
}

static void probes_fall_in_the_open_where_nothing_moves(void **state)
{
    (void)state;
    cli_scene scene =
        tiled_read(OBJECTS("walls", "{\"x\": 0, \"y\": 0, \"width\": 20, \"height\": 30}"));
    assert_int_equal(grz_list_count(scene.bodies), 2);
    for (int i = 0; i < 2; ++i) {
        const graze_vec2 middle_of_tile = {25, 5 + 20 * (float)i};
        assert_memory_equal(&scene.bodies[i].def.position, &middle_of_tile, sizeof middle_of_tile);
        assert_int_equal(scene.bodies[i].def.response, GRAZE_STOP);
    }
    assert_true(scene.gravity.y == 200);
    cli_scene_free(&scene);
}

static void no_probe_begins_in_a_wall(void **state)
{
    (void)state;
    cli_scene scene =
        tiled_read(OBJECTS("walls", "{\"x\": 0, \"y\": 0, \"width\": 23, \"height\": 15},"
                                    "{\"x\": 25, \"y\": 20, \"polyline\": [{\"x\": 0, \"y\": 0},"
                                    "{\"x\": 2, \"y\": 3}]}"));
    assert_int_equal(grz_list_count(scene.bodies), 1);
    assert_true(scene.bodies[0].def.position.x == 5 && scene.bodies[0].def.position.y == 25);
    cli_scene_free(&scene);
}

/// What is wrong, and how the line about it begins.
static const struct {
    const char *text, *line;
} bad_maps[] = {
    {"{\"type\": \"tileset\"}", "m.tmj: type: this is a Tiled tileset, not a map"},
    {"{\"type\": \"map\", \"orientation\": \"isometric\"}",
     "m.tmj: orientation: must be \"orthogonal\", not \"isometric\""},
    {"{\"tilewidth\": 8}", "m.tmj: the whole file: \"layers\" is missing: no Tiled map"},
    {"{\"type\": \"map\", \"tilewidth\": 0}", "m.tmj: the whole file: its tiles measure 0 x"},
    {"{\"type\": \"map\", \"layers\": [3]}", "m.tmj: layers[0]: must be an object, not 3"},
    {"{\"type\": \"map\", \"layers\": {}}", "m.tmj: layers: must be an array, not an object"},
    {"{\"type\": \"map\", \"tilesets\": 1}", "m.tmj: tilesets: must be an array, not 1"},
    {"[{\"type\": \"map\"}]", "m.tmj: the whole file: must be an object, not an array"},
    {"{\"type\": \"map\", \"infinite\": \"no\"}",
     "m.tmj: infinite: must be true or false, not \"no\""},
    {"{\"type\": \"map\", \"properties\": [{\"name\": \"dt\", \"value\": 1}, 3]}",
     "m.tmj: properties: must be a list of properties with names, not an array"},
    {"{\"type\": \"map\", \"tileheight\": \"16\"}",
     "m.tmj: tileheight: must be a number, not \"16\""},
    {"{\"type\": \"map\", \"layers\": [{\"type\": \"objectgroup\", \"objects\": null}]}",
     "m.tmj: layers[0].objects: must be an array, not null"},
    {"{\"type\": \"map\", \"layers\": [{\"type\": \"group\", \"offsetx\": \"a\"}]}",
     "m.tmj: layers[0].offsetx: must be a number, not \"a\""},
    {TILES("\"chunks\": {}"), "m.tmj: layers[0 \"t\"].chunks: must be an array, not an object"},
    {OBJECTS("w", "7"), "m.tmj: layers[0 \"w\"].objects[0]: must be an object, not 7"},
    {OBJECTS("w", "{\"id\": 4, \"x\": 1, \"y\": 0, \"x\": 2}"),
     "m.tmj: layers[0 \"w\"].objects[0 id 4].x: stands twice in the same object"},
    {"{\"type\": \"map\", \"game\": {\"b\": 0, \"a\": 1, \"\": 2, \"c\": 3, \"\\u0061\": 4}}",
     "m.tmj: game.a: stands twice in the same object"},
    {OBJECTS("w", "{\"id\": 4, \"x\": \"a\", \"y\": 0, \"width\": 1, \"height\": 1}"),
     "m.tmj: layers[0 \"w\"].objects[0 id 4].x: must be a number, not \"a\""},
    {OBJECTS("w", "{\"gid\": 1.5}"),
     "m.tmj: layers[0 \"w\"].objects[0].gid: must be a whole number from 0 to 4294967295, not 1.5"},
    {OBJECTS("w", "{\"point\": 1}"),
     "m.tmj: layers[0 \"w\"].objects[0].point: must be true or false, not 1"},
    {OBJECTS("w", "{\"polyline\": 3}"),
     "m.tmj: layers[0 \"w\"].objects[0].polyline: must be an array of points, not 3"},
    {OBJECTS("w", "{\"x\": 1e99, \"y\": 0, \"width\": 1, \"height\": 1}"),
     "m.tmj: layers[0 \"w\"].objects[0].x: 1e+99 is beyond the range of float"},
    {OBJECTS("w", "{\"x\": 3e38, \"y\": 0, \"width\": 3e38, \"height\": 1}"),
     "m.tmj: layers[0 \"w\"].objects[0 id 0]: a point is beyond the range of float"},
    {OBJECTS("w", "{\"name\": \"egg\", \"x\": 0, \"y\": 0, \"width\": 3, \"height\": 2,"
                  "\"ellipse\": true, " BODY "}"),
     "m.tmj: layers[0 \"w\"].objects[0 \"egg\"]: an ellipse of 3 x 2 is no circle"},
    {OBJECTS("w", "{\"x\": 0, \"y\": 0, \"polygon\": [], " BODY "}"),
     "m.tmj: layers[0 \"w\"].objects[0]: can't be a body"},
    {OBJECTS("w", "{\"x\": 0, \"y\": 0, \"width\": 3, " BODY "}"),
     "m.tmj: layers[0 \"w\"].objects[0]: a body of 3 x 0 has no area"},
    {OBJECTS("w", "{\"x\": 0, \"y\": 0, \"polygon\": 4}"),
     "m.tmj: layers[0 \"w\"].objects[0].polygon: must be an array of points"},
    {OBJECTS("w", "{\"point\": true, \"properties\": [{\"name\": \"graze\", \"value\":"
                  "\"bodie\"}]}"),
     "m.tmj: layers[0 \"w\"].objects[0].properties[0 \"graze\"].value: must be \"terrain\""},
    {OBJECTS("w", "{\"point\": true, " BODY ", \"properties\": [{\"name\": \"velocity_x\","
                  "\"value\": \"fast\"}]}"),
     "m.tmj: layers[0 \"w\"].objects[0].properties[0 \"velocity_x\"].value: must be a number, "
     "not \"fast\""},
    {TILES("\"width\": 2, \"height\": 2, \"data\": [1, 2, 3]"),
     "m.tmj: layers[0 \"t\"].data: holds 3 tiles where the size is 2 x 2"},
    {TILES("\"width\": 65536, \"height\": 65536, \"data\": []"),
     "m.tmj: layers[0 \"t\"].data: holds 0 tiles where the size is 65536 x 65536"},
    {TILES("\"width\": 2, \"height\": 2, \"data\": [1, 2, 3, -4]"),
     "m.tmj: layers[0 \"t\"].data[3]: must be a whole number from 0 to 4294967295, not -4"},
    {TILES("\"width\": 2, \"height\": 2"), "m.tmj: layers[0 \"t\"]: \"data\" is missing"},
    {TILES("\"width\": 1, \"height\": 1, \"encoding\": \"base64\", \"data\": \"A!AA\""),
     "m.tmj: layers[0 \"t\"].data: is not base64"},
    {TILES("\"width\": 1, \"height\": 1, \"encoding\": \"base64\", \"data\": \"AA==\""),
     "m.tmj: layers[0 \"t\"].data: holds 0 tiles"},
    {TILES("\"width\": 1, \"height\": 1, \"encoding\": \"base64\", \"data\": \"AgAAAAA=\""),
     "m.tmj: layers[0 \"t\"].data: has 1 byte after the last tile"},
    {TILES("\"width\": 1, \"height\": 1, \"encoding\": \"base64\", \"data\": \"AgAAAAAAAA==\""),
     "m.tmj: layers[0 \"t\"].data: has 3 bytes after the last tile"},
    {TILES("\"width\": 1, \"height\": 1, \"encoding\": \"base64\", \"data\": \"AgAAAAAAAAA=\""),
     "m.tmj: layers[0 \"t\"].data: holds 2 tiles where the size is 1 x 1"},
    {TILES("\"width\": 3, \"height\": 1, \"encoding\": \"base64\", \"data\":"
           "\"AgAAAAIAAAACAAAAA\""),
     "m.tmj: layers[0 \"t\"].data: is not base64"},
    {TILES("\"width\": 1, \"height\": 1, \"encoding\": \"base64\", \"compression\": \"zlib\","
           "\"data\": \"AAAA\""),
     "m.tmj: layers[0 \"t\"].data: its compressed data (zlib) is damaged"},
    {TILES("\"width\": 2, \"height\": 2, \"encoding\": \"base64\", \"compression\": \"zlib\","
           "\"data\": \"eJxjYGBgYGKAABANAAA=\""),
     "m.tmj: layers[0 \"t\"].data: its compressed data (zlib) ends in the middle"},
    {TILES("\"width\": 2, \"height\": 1, \"encoding\": \"base64\", \"compression\": \"zlib\","
           "\"data\": \"eJxjYGBgYGKAABANAAAwAAU=\""),
     "m.tmj: layers[0 \"t\"].data: holds more tiles than its size, 2 x 1"},
    {TILES("\"width\": 2, \"height\": 3, \"encoding\": \"base64\", \"compression\": \"zstd\","
           "\"data\": \"KLUv/QRYgQAAAAAAAAIAAAAAAAAAAgAAAFw5pMQ=\""),
     "m.tmj: layers[0 \"t\"].data: holds 4 tiles where the size is 2 x 3"},
    {TILES("\"width\": 65536, \"height\": 65536, \"encoding\": \"base64\","
           "\"compression\": \"gzip\", \"data\": \"AAAA\""),
     "m.tmj: layers[0 \"t\"]: with this layer, compressed layers have more than 134217728 cells"},
    {TILES("\"width\": 1, \"height\": 1, \"encoding\": \"base64\", \"compression\": \"lzma\","
           "\"data\": \"AAAA\""),
     "m.tmj: layers[0 \"t\"]: is compressed in a way that is not known (lzma): zlib, gzip and"},
    {TILES("\"chunks\": [{\"x\": 2147483647, \"y\": 0, \"width\": 1, \"height\": 1,"
           "\"data\": [2]}]"),
     "m.tmj: layers[0 \"t\"].chunks[0]: its tiles lie more than 268435456 cells out"},
    {"{\"type\": \"map\", \"tilesets\": [{\"name\": \"x\"}]}",
     "m.tmj: tilesets[0 \"x\"]: \"firstgid\" is missing"},
    {"{\"type\": \"map\", \"tilesets\": [{\"firstgid\": 1, \"tiles\": 7}]}",
     "m.tmj: tilesets[0].tiles: must be a list of tiles"},
    {"{\"type\": \"map\", \"tilesets\": [{\"firstgid\": 1, \"tilewidth\": true}]}",
     "m.tmj: tilesets[0].tilewidth: must be a number, not true"},
    {"{\"type\": \"map\", \"tilesets\": [{\"firstgid\": 1, \"image\": \"i.png\", \"tilecount\": "
     "-1}]}",
     "m.tmj: tilesets[0].tilecount: must be a whole number from 0 to 4294967295, not -1"},
    {"{\"type\": \"map\", \"tilesets\": [{\"firstgid\": 1, \"tiles\": [{}]}]}",
     "m.tmj: tilesets[0].tiles[0]: \"id\" is missing"},
    {"{\"type\": \"map\", \"tilesets\": [{\"firstgid\": 0}]}",
     "m.tmj: tilesets[0].firstgid: must be a whole number from 1 to 268435455, not 0"},
    {"{\"type\": \"map\", \"tilesets\": [{\"firstgid\": 268435456}]}",
     "m.tmj: tilesets[0].firstgid: must be a whole number from 1 to 268435455, not 268435456"},
    {"{\"type\": \"map\", \"tilesets\": [{\"firstgid\": 2, \"tiles\": [{\"id\": 4294967295}]}]}",
     "m.tmj: tilesets[0].tiles[0 id 4294967295]: id 4294967295 after the firstgid 2 is beyond the "
     "last, 268435455"},
    {"{\"type\": \"map\", \"tilesets\": [{\"firstgid\": 1, \"tiles\": {\"-1\": {}}}]}",
     "m.tmj: tilesets[0].tiles.-1: is not the id of a tile"},
    {"{\"type\": \"map\", \"tilesets\": [{\"firstgid\": 1, \"tiles\": {\"4294967296\": {}}}]}",
     "m.tmj: tilesets[0].tiles.4294967296: is not the id of a tile"},
    {"{\"type\": \"map\", \"tilesets\": [{\"firstgid\": 1, \"tiles\": [{\"id\": 3}, "
     "{\"id\": 2}, {\"id\": 3}]}]}",
     "m.tmj: tilesets[0].tiles: two tiles have the id 3"},
    {"{\"type\": \"map\", \"tilesets\": [{\"firstgid\": 1, \"tiles\": [{\"id\": 0, "
     "\"objectgroup\": []}]}]}",
     "m.tmj: tilesets[0].tiles[0 id 0].objectgroup: must be an object, not an array"},
};

static void users_may_call_their_properties_as_they_like(void **state)
{
    (void)state;
    cli_scene scene = tiled_read(
        "{\"type\": \"map\", \"layers\": [], \"properties\": {\"gid\": \"x\", \"type\": 3},"
        "\"propertytypes\": {\"gid\": \"string\", \"point\": \"int\"}, \"tilesets\":"
        "[{\"firstgid\": 1, \"tileproperties\": {\"0\": {\"type\": 3, \"name\": true}}}]}");
    cli_scene_free(&scene);
}

static void a_bad_map_gets_one_line_with_place_and_value(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_maps / sizeof *bad_maps; ++i) {
        reader_refuse(tiled_reader, bad_maps[i].text, bad_maps[i].line);
    }
}

static void a_truncated_or_damaged_map_is_read_or_refused(void **state)
{
    (void)state;
    static const char letters[] = "0123456789-.e[]{}\",: tn\n";
    cli_text text;
    cli_error error;
    assert_true(cli_bytes_read(GRAZE_TEST_DATA "/platformer.tmj", CLI_LARGEST_FILE, &text, &error));
    random_state random = random_seed(5);
    for (int round = 0; round < 400; ++round) {
        char *damaged = malloc(text.size + 1);
        assert_non_null(damaged);
        memcpy(damaged, text.data, text.size + 1);
        for (uint32_t i = random_below(&random, 3) + 1; i > 0; --i) {
            damaged[random_below(&random, (uint32_t)text.size)] =
                letters[random_below(&random, sizeof letters - 1)];
        }
        damaged[round % 4 ? text.size : random_below(&random, (uint32_t)text.size)] = 0;
        cli_scene scene;
        reader_try(tiled_reader, &scene, damaged, &error);
        cli_scene_free(&scene);
        free(damaged);
    }
    free(text.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_polyline_is_an_open_chain),
        cmocka_unit_test(loops_run_so_that_their_outside_is_on_the_left),
        cmocka_unit_test(a_rectangle_turns_clockwise_around_its_corner),
        cmocka_unit_test(a_rotation_of_any_size_is_taken_modulo_a_turn),
        cmocka_unit_test(an_ellipse_is_a_loop_on_it),
        cmocka_unit_test(a_capsule_has_round_ends),
        cmocka_unit_test(a_solid_tile_object_has_its_tiles_shapes),
        cmocka_unit_test(offsets_of_layers_and_groups_add_up),
        cmocka_unit_test(objects_of_class_body_are_bodies),
        cmocka_unit_test(properties_come_from_the_object_then_from_its_layers),
        cmocka_unit_test(the_map_has_gravity_dt_and_steps),
        cmocka_unit_test(only_layers_called_solid_count_where_there_are_some),
        cmocka_unit_test(sensors_are_terrain_that_stops_nobody),
        cmocka_unit_test(nothing_is_guessed_where_tiles_collide),
        cmocka_unit_test(what_becomes_nothing_is_counted_in_notes),
        cmocka_unit_test(probes_fall_in_the_open_where_nothing_moves),
        cmocka_unit_test(no_probe_begins_in_a_wall),
        cmocka_unit_test(users_may_call_their_properties_as_they_like),
        cmocka_unit_test(a_bad_map_gets_one_line_with_place_and_value),
        cmocka_unit_test(a_truncated_or_damaged_map_is_read_or_refused),
    };
    return cmocka_run_group_tests_name("tiled", tests, NULL, NULL);
}
