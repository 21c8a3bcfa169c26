#include "outline.h"
#include "random.h"
#include "scene.h"
#include "scene_reader.h"
#include "text_file.h"
#include "tiled_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const scene_reader reader = {cli_scene_from_tiled, "m.tmj"};

#define MAP_START                                                                                  \
    "{\"type\": \"map\", \"orientation\": \"orthogonal\", \"width\": 4, \"height\": 3,"            \
    "\"tilewidth\": 10, \"tileheight\": 10, \"layers\": ["

/// A map of 4 x 3 tiles of 10 x 10 pixels with one object layer of this name.
#define OBJECTS(name, objects)                                                                     \
    MAP_START "{\"type\": \"objectgroup\", \"name\": \"" name "\", \"objects\": [" objects "]}]}"

/// A tileset: tile 1 is a triangle, the upper left half; tile 2 solid; tile 3 has nothing to say;
/// tile 4 is a whole rect.
#define TILESETS                                                                                   \
    "\"tilesets\": [{\"firstgid\": 1, \"tilewidth\": 10, \"tileheight\": 10, \"tiles\": ["         \
    "{\"id\": 0, \"objectgroup\": {\"objects\": [{\"x\": 0, \"y\": 0,"                             \
    "\"polygon\": [{\"x\": 0, \"y\": 0}, {\"x\": 8, \"y\": 0}, {\"x\": 0, \"y\": 4}]}]}},"         \
    "{\"id\": 1, \"properties\": [{\"name\": \"solid\", \"type\": \"bool\", \"value\": true}]},"   \
    "{\"id\": 3, \"objectgroup\": {\"objects\":"                                                   \
    "[{\"x\": 0, \"y\": 0, \"width\": 10, \"height\": 10}]}}]}]"

/// A map of 2 x 2 tiles with one tile layer.
#define TILES(layer)                                                                               \
    "{\"type\": \"map\", \"width\": 2, \"height\": 2, \"tilewidth\": 10, \"tileheight\": 10,"      \
    "\"layers\": [{\"type\": \"tilelayer\", \"name\": \"t\", " layer "}], " TILESETS "}"

#define BODY "\"type\": \"body\""

static cli_scene read_good(const char *text)
{
    return reader_accept(reader, text);
}

static void assert_refused(const char *text, const char *line)
{
    reader_refuse(reader, text, line);
}

static size_t chain_count(const cli_scene *scene)
{
    return grz_list_count(scene->chains);
}

// The loop has exactly these corners in this direction, whichever comes first.
static void assert_loop(const cli_scene *scene, size_t index, const float *expected, uint32_t count)
{
    assert_in_range(index, 0, chain_count(scene) - 1);
    const cli_chain *chain = &scene->chains[index];
    assert_true(chain->def.loop);
    assert_int_equal(chain->def.count, count);
    const graze_vec2 *points = scene->points + chain->first;
    float best = INFINITY;
    for (uint32_t first = 0; first < count; ++first) {
        float worst = 0;
        for (uint32_t i = 0; i < count; ++i) {
            graze_vec2 point = points[(first + i) % count];
            worst = fmaxf(worst, fabsf(point.x - expected[2 * i]));
            worst = fmaxf(worst, fabsf(point.y - expected[2 * i + 1]));
        }
        best = fminf(best, worst);
    }
    if (best > 1e-4f) {
        fail_msg("chain %zu is off by %g; it starts at %g, %g", index, (double)best,
                 (double)points[0].x, (double)points[0].y);
    }
}

static void a_polyline_is_an_open_chain(void **state)
{
    (void)state;
    cli_scene scene = read_good(
        OBJECTS("walls", "{\"x\": 5, \"y\": 6, \"polyline\":"
                         "[{\"x\": 0, \"y\": 0}, {\"x\": 3, \"y\": 1}, {\"x\": 3, \"y\": 9}]}"));
    assert_int_equal(chain_count(&scene), 1);
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
    cli_scene one_way = read_good(
        OBJECTS("walls", "{\"x\": 5, \"y\": 6, \"polygon\":"
                         "[{\"x\": 0, \"y\": 0}, {\"x\": 4, \"y\": 0}, {\"x\": 0, \"y\": 4}]}"));
    cli_scene other_way = read_good(
        OBJECTS("walls", "{\"x\": 5, \"y\": 6, \"polygon\":"
                         "[{\"x\": 0, \"y\": 4}, {\"x\": 4, \"y\": 0}, {\"x\": 0, \"y\": 0}]}"));
    assert_loop(&one_way, 0, expected, 3);
    assert_loop(&other_way, 0, expected, 3);
    cli_scene_free(&one_way);
    cli_scene_free(&other_way);
}

static void a_rectangle_turns_clockwise_around_its_corner(void **state)
{
    (void)state;
    // By 90 degrees, y down: the width goes down, the height to the left.
    const float quarter[] = {20, 5, 17, 5, 17, 11, 20, 11};
    cli_scene scene = read_good(
        OBJECTS("walls", "{\"x\": 20, \"y\": 5, \"width\": 6, \"height\": 3, \"rotation\": 90}"));
    assert_loop(&scene, 0, quarter, 4);
    for (uint32_t i = 0; i < 4; ++i) {
        assert_true(scene.points[i].x == roundf(scene.points[i].x));
        assert_true(scene.points[i].y == roundf(scene.points[i].y));
    }
    cli_scene_free(&scene);

    const float c = 0.8660254f;
    const float s = 0.5f;
    const float turned[] = {
        10, 5, 10 - 3 * s, 5 + 3 * c, 10 + 6 * c - 3 * s, 5 + 6 * s + 3 * c, 10 + 6 * c, 5 + 6 * s};
    scene = read_good(
        OBJECTS("walls", "{\"x\": 10, \"y\": 5, \"width\": 6, \"height\": 3, \"rotation\": -330}"));
    assert_loop(&scene, 0, turned, 4);
    cli_scene_free(&scene);
}

static void an_ellipse_is_a_loop_on_it(void **state)
{
    (void)state;
    cli_scene scene = read_good(OBJECTS(
        "walls", "{\"x\": 10, \"y\": 20, \"width\": 200, \"height\": 60, \"ellipse\": true}"));
    uint32_t count = scene.chains[0].def.count;
    assert_in_range(count, 16, 128);
    for (uint32_t i = 0; i < count; ++i) {
        graze_vec2 a = scene.points[i];
        graze_vec2 b = scene.points[(i + 1) % count];
        float x = (a.x - 110) / 100;
        float y = (a.y - 50) / 30;
        assert_float_equal(x * x + y * y, 1, 1e-5);
        // The middle of each side lies less than a quarter of a pixel inside.
        float mx = ((a.x + b.x) / 2 - 110) / 100;
        float my = ((a.y + b.y) / 2 - 50) / 30;
        assert_true((1 - sqrtf(mx * mx + my * my)) * 100 < 0.26f);
    }
    cli_scene_free(&scene);
}

static void offsets_of_layers_and_groups_add_up(void **state)
{
    (void)state;
    cli_scene scene = read_good(
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
    cli_scene scene = read_good(
        OBJECTS("things",
                "{\"x\": 10, \"y\": 20, \"width\": 6, \"height\": 6, \"ellipse\": true, " BODY "},"
                "{\"x\": 10, \"y\": 20, \"width\": 6, \"height\": 4, \"rotation\": 90, " BODY "},"
                "{\"x\": 1, \"y\": 2, \"point\": true, \"class\": \"Body\"},"
                "{\"x\": 1, \"y\": 2, \"point\": true, " BODY ", \"properties\":"
                "[{\"name\": \"radius\", \"type\": \"float\", \"value\": 3}]},"
                "{\"x\": 10, \"y\": 20, \"width\": 6, \"height\": 4, \"gid\": 5, " BODY "}"));
    assert_int_equal(grz_list_count(scene.bodies), 5);
    assert_int_equal(chain_count(&scene), 0);
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
    cli_scene scene = read_good(
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
    cli_scene scene = read_good(
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
        cli_scene scene = read_good(text);
        if (chain_count(&scene) != cases[i].chains) {
            fail_msg("%s\ngives %zu chains", text, chain_count(&scene));
        }
        cli_scene_free(&scene);
    }
}

static void sensors_are_terrain_that_stops_nobody(void **state)
{
    (void)state;
    cli_scene scene = read_good(
        OBJECTS("walls", "{\"x\": 1, \"y\": 1, \"width\": 2, \"height\": 2, \"type\": \"sensor\"},"
                         "{\"x\": 1, \"y\": 1, \"width\": 2, \"height\": 2, \"properties\":"
                         "[{\"name\": \"one_sided\", \"value\": true}, {\"name\": \"category\","
                         "\"value\": 6}]}"));
    assert_int_equal(chain_count(&scene), 2);
    assert_true(scene.chains[0].def.sensor);
    assert_true(scene.chains[1].def.one_sided);
    assert_int_equal(scene.chains[1].def.filter.category, 6);
    cli_scene_free(&scene);
}

static void shapes_of_tiles_stand_where_the_tiles_do_however_flipped(void **state)
{
    (void)state;
    static const struct {
        const char *gid;
        float corners[6]; // In the tile: what the right angle, the long and the short leg become.
    } cases[] = {
        {"1", {0, 0, 8, 0, 0, 4}},
        {"2147483649", {10, 0, 2, 0, 10, 4}},   // Left to right.
        {"1073741825", {0, 10, 8, 10, 0, 6}},   // Upside down.
        {"3221225473", {10, 10, 2, 10, 10, 6}}, // Both: turned by 180 degrees.
        {"536870913", {0, 0, 0, 8, 4, 0}},      // Along the diagonal.
        {"2684354561", {10, 0, 10, 8, 6, 0}},   // Diagonal, then left to right: by 90 degrees.
        {"1610612737", {0, 10, 0, 2, 4, 10}},   // By 270 degrees.
        {"3758096385", {10, 10, 10, 2, 6, 10}}, // All three.
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[2048];
        snprintf(text, sizeof text, TILES("\"width\": 2, \"height\": 2, \"data\": [0, 0, 0, %s]"),
                 cases[i].gid);
        cli_scene scene = read_good(text);
        assert_int_equal(chain_count(&scene), 1);
        const float *c = cases[i].corners;
        // The direction that has the outside on the left is one of the two.
        float ahead[6] = {c[0] + 10, c[1] + 10, c[2] + 10, c[3] + 10, c[4] + 10, c[5] + 10};
        float back[6] = {c[0] + 10, c[1] + 10, c[4] + 10, c[5] + 10, c[2] + 10, c[3] + 10};
        float turn = (c[2] - c[0]) * (c[5] - c[1]) - (c[3] - c[1]) * (c[4] - c[0]);
        assert_loop(&scene, 0, turn < 0 ? ahead : back, 3);
        cli_scene_free(&scene);
    }
}

static void whole_tiles_become_one_outline(void **state)
{
    (void)state;
    // A solid tile by its property, one by its shape; both fill their cells.
    const float expected[] = {0, 0, 0, 10, 10, 10, 10, 20, 20, 20, 20, 0};
    cli_scene scene = read_good(TILES("\"width\": 2, \"height\": 2, \"data\": [2, 4, 3, 2]"));
    assert_int_equal(chain_count(&scene), 1);
    assert_loop(&scene, 0, expected, 6);
    cli_scene_free(&scene);
}

static void a_layer_called_solid_makes_all_its_tiles_so(void **state)
{
    (void)state;
    cli_scene scene = read_good(TILES("\"class\": \"Collision\", \"offsetx\": 3,"
                                      "\"width\": 2, \"height\": 2, \"data\": [3, 3, 9, 0]"));
    const float expected[] = {3, 0, 3, 20, 13, 20, 13, 10, 23, 10, 23, 0};
    assert_int_equal(chain_count(&scene), 1);
    assert_loop(&scene, 0, expected, 6);
    cli_scene_free(&scene);
}

static void tile_data_may_be_an_array_base64_or_chunks(void **state)
{
    (void)state;
    static const char *const layers[] = {
        TILES("\"width\": 2, \"height\": 2, \"data\": [0, 2, 0, 2]"),
        TILES("\"width\": 2, \"height\": 2, \"encoding\": \"csv\", \"data\": [0, 2, 0, 2]"),
        TILES("\"width\": 2, \"height\": 2, \"encoding\": \"base64\", \"compression\": \"\","
              "\"data\": \"AAAAAAIAAAAAAAAAAgAAAA==\""),
        TILES("\"startx\": 0, \"chunks\": [{\"x\": 1, \"y\": 0, \"width\": 1, \"height\": 1,"
              "\"data\": [2]}, {\"x\": 1, \"y\": 1, \"width\": 1, \"height\": 1, \"data\": [2]}]"),
    };
    const float expected[] = {10, 0, 10, 20, 20, 20, 20, 0};
    for (size_t i = 0; i < sizeof layers / sizeof *layers; ++i) {
        cli_scene scene = read_good(layers[i]);
        assert_int_equal(chain_count(&scene), 1);
        assert_loop(&scene, 0, expected, 4);
        cli_scene_free(&scene);
    }
}

static void rectangles_are_left_out_where_tiles_collide(void **state)
{
    (void)state;
    cli_scene scene = read_good(MAP_START LAYER(
        "a", "") ", {\"type\": \"objectgroup\", \"objects\":"
                 "[{\"x\": 0, \"y\": 0, \"width\": 3, \"height\": 3}]}], " TILESETS "}");
    assert_int_equal(chain_count(&scene), 1);
    assert_false(scene.chains[0].def.loop);
    assert_true(strstr(scene.notes[0], "rectangles left out: 1 ("));
    cli_scene_free(&scene);
}

static void what_becomes_nothing_is_counted_in_notes(void **state)
{
    (void)state;
    cli_scene scene = read_good(
        OBJECTS("walls", LINE ", {\"x\": 1, \"y\": 1, \"point\": true}, {\"x\": 1, \"y\": 1},"
                              "{\"gid\": 3, \"x\": 1, \"y\": 1, \"width\": 2, \"height\": 2},"
                              "{\"text\": {\"text\": \"hi\"}, \"x\": 1, \"y\": 1},"
                              "{\"template\": \"t.tx\", \"x\": 1, \"y\": 1},"
                              "{\"x\": 0, \"y\": 0, \"polyline\": [{\"x\": 0, \"y\": 0}]}"));
    static const char *const starts[] = {"points left out: 2 (",
                                         "tile objects left out: 1 (",
                                         "text objects left out: 1 (",
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
        read_good(OBJECTS("walls", "{\"x\": 0, \"y\": 0, \"width\": 20, \"height\": 30}"));
    assert_int_equal(grz_list_count(scene.bodies), 1);
    assert_true(scene.bodies[0].def.position.x == 30);
    assert_int_equal(scene.bodies[0].def.response, GRAZE_STOP);
    assert_true(scene.gravity.y == 200);
    cli_scene_free(&scene);
}

static void a_bad_map_gets_one_line_with_place_and_value(void **state)
{
    (void)state;
    static const struct {
        const char *text, *line;
    } cases[] = {
        {"{\"type\": \"tileset\"}", "m.tmj: type: this is a Tiled tileset, not a map"},
        {"{\"type\": \"map\", \"orientation\": \"isometric\"}",
         "m.tmj: orientation: must be \"orthogonal\", not \"isometric\""},
        {"{\"tilewidth\": 8}", "m.tmj: the whole file: \"layers\" is missing: no Tiled map"},
        {"{\"type\": \"map\", \"tilewidth\": 0}", "m.tmj: the whole file: its tiles measure 0 x"},
        {"{\"type\": \"map\", \"layers\": [3]}", "m.tmj: layers[0]: must be an object, not 3"},
        {"{\"type\": \"map\", \"layers\": {}}", "m.tmj: layers: must be an array, not an object"},
        {"{\"type\": \"map\", \"tilesets\": 1}", "m.tmj: tilesets: must be an array, not 1"},
        {"{\"type\": \"map\", \"tileheight\": \"16\"}",
         "m.tmj: tileheight: must be a number, not \"16\""},
        {"{\"type\": \"map\", \"layers\": [{\"type\": \"objectgroup\", \"objects\": null}]}",
         "m.tmj: layers[0].objects: must be an array, not null"},
        {"{\"type\": \"map\", \"layers\": [{\"type\": \"group\", \"offsetx\": \"a\"}]}",
         "m.tmj: layers[0].offsetx: must be a number, not \"a\""},
        {TILES("\"chunks\": {}"), "m.tmj: layers[0 \"t\"].chunks: must be an array, not an object"},
        {OBJECTS("w", "7"), "m.tmj: layers[0 \"w\"].objects[0]: must be an object, not 7"},
        {OBJECTS("w", "{\"id\": 4, \"x\": \"a\", \"y\": 0, \"width\": 1, \"height\": 1}"),
         "m.tmj: layers[0 \"w\"].objects[0 id 4].x: must be a number, not \"a\""},
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
        {TILES("\"width\": 1, \"height\": 1, \"encoding\": \"base64\", \"compression\": \"zlib\","
               "\"data\": \"AAAA\""),
         "m.tmj: layers[0 \"t\"]: is compressed (zlib): in Tiled, set Map > Map Properties"},
        {TILES("\"chunks\": [{\"x\": 2147483647, \"y\": 0, \"width\": 1, \"height\": 1,"
               "\"data\": [2]}]"),
         "m.tmj: layers[0 \"t\"].chunks[0]: its tiles lie more than 268435456 cells out"},
        {"{\"type\": \"map\", \"tilesets\": [{\"name\": \"x\"}]}",
         "m.tmj: tilesets[0 \"x\"]: \"firstgid\" is missing"},
        {"{\"type\": \"map\", \"tilesets\": [{\"firstgid\": 1, \"source\": \"no such.tsj\"}]}",
         "no such.tsj: cannot be opened: "},
        {"{\"type\": \"map\", \"tilesets\": [{\"firstgid\": 1, \"tiles\": 7}]}",
         "m.tmj: tilesets[0].tiles: must be a list of tiles"},
        {"{\"type\": \"map\", \"tilesets\": [{\"firstgid\": 1, \"tilewidth\": true}]}",
         "m.tmj: tilesets[0].tilewidth: must be a number, not true"},
        {"{\"type\": \"map\", \"tilesets\": [{\"firstgid\": 1, \"tiles\": [{}]}]}",
         "m.tmj: tilesets[0].tiles[0]: \"id\" is missing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        assert_refused(cases[i].text, cases[i].line);
    }
}

static void a_tileset_in_xml_is_left_out_with_a_note(void **state)
{
    (void)state;
    cli_scene scene = read_good("{\"type\": \"map\", \"layers\": [], \"tilesets\":"
                                "[{\"firstgid\": 1, \"source\": \"a/blocks.tsx\"}]}");
    assert_int_equal(strncmp(scene.notes[0], "tileset a/blocks.tsx is XML", 27), 0);
    cli_scene_free(&scene);
}

static cli_scene read_file(const char *path)
{
    cli_scene scene;
    cli_error error = {""};
    if (!cli_scene_read(&scene, path, &error)) {
        fail_msg("%s", error.text);
    }
    return scene;
}

static void a_tileset_in_a_file_is_found_beside_the_map(void **state)
{
    (void)state;
    const float block[] = {0, 16, 0, 32, 32, 32, 32, 16};
    cli_scene scene = read_file(GRAZE_TEST_DATA "/outer_tileset.tmj");
    assert_int_equal(chain_count(&scene), 2);
    const float ramp[] = {32, 32, 48, 32, 48, 16};
    assert_loop(&scene, 0, ramp, 3);
    assert_loop(&scene, 1, block, 4);
    cli_scene_free(&scene);
}

static graze_vec2 settle(const cli_stage *stage, uint32_t body)
{
    return graze_body_position(stage->world, stage->bodies[body]);
}

static void on_a_whole_map_bodies_end_up_where_it_holds_them(void **state)
{
    (void)state;
    const char *path = GRAZE_TEST_DATA "/platformer.tmj";
    cli_scene scene = read_file(path);
    cli_stage stage;
    cli_error error = {""};
    assert_int_equal(grz_list_count(scene.bodies), 6);
    if (!cli_stage_build(&stage, &scene, path, &error)) {
        fail_msg("%s", error.text);
    }
    for (uint32_t step = 0; step < scene.steps; ++step) {
        assert_int_equal(graze_world_step(stage.world, scene.dt), GRAZE_OK);
    }
    // The ball lies on the bricks of row 8, the crate on the half tiles of row 12, the prisoner on
    // the floor of the hole in the ring, the barrel on the ground; the bullet was spent on the
    // hill.
    assert_float_equal(settle(&stage, 0).y, 8 * 16 - 6, 0.01);
    assert_true(settle(&stage, 1).y < 12 * 16 && settle(&stage, 1).y > 12 * 16 - 9);
    assert_float_equal(settle(&stage, 4).y, 8 * 16 - 4, 0.01);
    assert_true(settle(&stage, 4).x > 34 * 16 && settle(&stage, 4).x < 37 * 16);
    assert_float_equal(settle(&stage, 5).y, 17 * 16 - 8, 0.01);
    assert_false(graze_body_is_valid(stage.world, stage.bodies[3]));
    cli_stage_free(&stage);
    cli_scene_free(&scene);
}

static void a_truncated_or_damaged_map_is_read_or_refused(void **state)
{
    (void)state;
    static const char letters[] = "0123456789-.e[]{}\",: tn\n";
    cli_text text;
    cli_error error;
    assert_true(cli_text_read(GRAZE_TEST_DATA "/platformer.tmj", &text, &error));
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
        reader_try(reader, &scene, damaged, &error);
        cli_scene_free(&scene);
        free(damaged);
    }
    free(text.data);
}

enum { GRID = 9 };

/// The loops around the cells of a grid, in the form that the test asks about.
typedef struct traced_grid {
    int crossings[GRID + 2][GRID + 2]; ///< Of a walk from the left to the cell, by directed sides.
    int area;
} traced_grid;

static void add_loop(const cli_cell *corners, size_t count, bool is_hole, void *user)
{
    traced_grid *grid = user;
    int area = 0;
    for (size_t i = 0; i < count; ++i) {
        cli_cell a = corners[i];
        cli_cell b = corners[(i + 1) % count];
        cli_cell c = corners[(i + 2) % count];
        area += a.x * b.y - a.y * b.x;
        // Sides are upright or level in turn: no corner lies in line.
        assert_true((a.x == b.x) != (a.y == b.y));
        assert_true((a.x == b.x) == (b.y == c.y));
        for (int y = a.y < b.y ? a.y : b.y; y < (a.y > b.y ? a.y : b.y); ++y) {
            for (int x = a.x; x <= GRID; ++x) {
                grid->crossings[y + 1][x + 1] += b.y > a.y ? 1 : -1;
            }
        }
    }
    assert_true(is_hole == (area > 0));
    grid->area += area;
}

static void outlines_enclose_exactly_the_cells(void **state)
{
    (void)state;
    random_state random = random_seed(3);
    for (int round = 0; round < 2000; ++round) {
        bool solid[GRID + 2][GRID + 2] = {{false}};
        cli_cell *cells = NULL;
        int count = 0;
        uint32_t share = random_below(&random, 10);
        for (int i = 0; i < GRID * GRID; ++i) {
            cli_cell cell = {i % GRID, i / GRID};
            if (random_below(&random, 10) < share) {
                solid[cell.y + 1][cell.x + 1] = true;
                cli_push(cells, cell);
                ++count;
            }
        }
        traced_grid grid = {{{0}}, 0};
        cli_outline_trace(cells, add_loop, &grid);
        assert_int_equal(grid.area, -2 * count);
        for (int y = 0; y < GRID + 2; ++y) {
            for (int x = 0; x < GRID + 2; ++x) {
                if (grid.crossings[y][x] != solid[y][x]) {
                    fail_msg("round %d: cell %d, %d has %d around it", round, x - 1, y - 1,
                             grid.crossings[y][x]);
                }
            }
        }
        grz_list_free(cells);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_polyline_is_an_open_chain),
        cmocka_unit_test(loops_run_so_that_their_outside_is_on_the_left),
        cmocka_unit_test(a_rectangle_turns_clockwise_around_its_corner),
        cmocka_unit_test(an_ellipse_is_a_loop_on_it),
        cmocka_unit_test(offsets_of_layers_and_groups_add_up),
        cmocka_unit_test(objects_of_class_body_are_bodies),
        cmocka_unit_test(properties_come_from_the_object_then_from_its_layers),
        cmocka_unit_test(the_map_has_gravity_dt_and_steps),
        cmocka_unit_test(only_layers_called_solid_count_where_there_are_some),
        cmocka_unit_test(sensors_are_terrain_that_stops_nobody),
        cmocka_unit_test(shapes_of_tiles_stand_where_the_tiles_do_however_flipped),
        cmocka_unit_test(whole_tiles_become_one_outline),
        cmocka_unit_test(a_layer_called_solid_makes_all_its_tiles_so),
        cmocka_unit_test(tile_data_may_be_an_array_base64_or_chunks),
        cmocka_unit_test(rectangles_are_left_out_where_tiles_collide),
        cmocka_unit_test(what_becomes_nothing_is_counted_in_notes),
        cmocka_unit_test(probes_fall_in_the_open_where_nothing_moves),
        cmocka_unit_test(a_bad_map_gets_one_line_with_place_and_value),
        cmocka_unit_test(a_tileset_in_xml_is_left_out_with_a_note),
        cmocka_unit_test(a_tileset_in_a_file_is_found_beside_the_map),
        cmocka_unit_test(on_a_whole_map_bodies_end_up_where_it_holds_them),
        cmocka_unit_test(a_truncated_or_damaged_map_is_read_or_refused),
        cmocka_unit_test(outlines_enclose_exactly_the_cells),
    };
    return cmocka_run_group_tests_name("tiled", tests, NULL, NULL);
}
