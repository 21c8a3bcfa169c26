// Tiled maps: tile layers and tilesets.

#include "scene.h"
#include "tiled_kit.h"

#include <graze/world.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

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
        cli_scene scene = tiled_read(text);
        assert_int_equal(tiled_chain_count(&scene), 1);
        const float *c = cases[i].corners;
        // The direction that has the outside on the left is one of the two.
        float ahead[6] = {c[0] + 10, c[1] + 10, c[2] + 10, c[3] + 10, c[4] + 10, c[5] + 10};
        float back[6] = {c[0] + 10, c[1] + 10, c[4] + 10, c[5] + 10, c[2] + 10, c[3] + 10};
        float turn = (c[2] - c[0]) * (c[5] - c[1]) - (c[3] - c[1]) * (c[4] - c[0]);
        tiled_assert_loop(&scene, 0, turn < 0 ? ahead : back, 3);
        cli_scene_free(&scene);
    }
}

// A floor along the upper edge, drawn from right to left, as a one-sided one is.
static void lines_of_tiles_keep_their_sides_however_flipped(void **state)
{
    (void)state;
    static const struct {
        uint32_t gid;
        graze_vec2 ends[2];
    } cases[] = {
        {1, {{10, 0}, {0, 0}}},
        {2147483649, {{10, 0}, {0, 0}}},   // Left to right.
        {1073741825, {{0, 10}, {10, 10}}}, // Upside down.
        {3221225473, {{0, 10}, {10, 10}}}, // Turned by 180 degrees.
        {536870913, {{0, 0}, {0, 10}}},    // Along the diagonal.
        {2684354561, {{10, 10}, {10, 0}}}, // By 90 degrees.
        {1610612737, {{0, 0}, {0, 10}}},   // By 270 degrees.
        {3758096385, {{10, 10}, {10, 0}}}, // All three.
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[1024];
        snprintf(text, sizeof text,
                 MAP_START "{\"type\": \"tilelayer\", \"width\": 1, \"height\": 1,"
                           "\"data\": [%lu]}], \"tilesets\": [{\"firstgid\": 1,"
                           "\"tilewidth\": 10, \"tileheight\": 10, \"tiles\": [{\"id\": 0,"
                           "\"objectgroup\": {\"objects\": [{\"x\": 10, \"y\": 0, \"polyline\":"
                           "[{\"x\": 0, \"y\": 0}, {\"x\": -10, \"y\": 0}]}]}}]}]}",
                 (unsigned long)cases[i].gid);
        cli_scene scene = tiled_read(text);
        assert_int_equal(tiled_chain_count(&scene), 1);
        const graze_vec2 *points = scene.points + scene.chains[0].first;
        for (int end = 0; end < 2; ++end) {
            assert_true(points[end].x == cases[i].ends[end].x);
            assert_true(points[end].y == cases[i].ends[end].y);
        }
        cli_scene_free(&scene);
    }
}

// Before Tiled 1.2: tile 0 has a shape and properties, tile 1 has only properties.
static void tiles_of_old_versions_have_their_properties_beside_them(void **state)
{
    (void)state;
    cli_scene scene = tiled_read(
        MAP_START "{\"type\": \"tilelayer\", \"width\": 2, \"height\": 1, \"data\": [1, 2]}],"
                  "\"tilesets\": [{\"firstgid\": 1, \"tilewidth\": 10, \"tileheight\": 10,"
                  "\"tiles\": {\"0\": {\"objectgroup\": {\"objects\": ["
                  "{\"x\": 0, \"y\": 0, \"width\": 5, \"height\": 5}]}}},"
                  "\"tilepropertytypes\": {\"0\": {\"one_sided\": \"bool\"}},"
                  "\"tileproperties\": {\"0\": {\"one_sided\": true, \"user_data\": 7},"
                  "\"1\": {\"solid\": true}}}]}");
    assert_int_equal(tiled_chain_count(&scene), 2);
    assert_true(scene.chains[0].def.one_sided && scene.chains[0].def.user_data == 7);
    const float whole[] = {10, 0, 10, 10, 20, 10, 20, 0};
    tiled_assert_loop(&scene, 1, whole, 4);
    cli_scene_free(&scene);
}

// Gid 2 is the second tileset's, though the first has a tile of that number since it grew; and an
// empty tileset begins where the next one does.
static void a_gid_means_the_last_tileset_that_begins_before_it(void **state)
{
    (void)state;
    cli_scene scene = tiled_read(
        MAP_START "{\"type\": \"tilelayer\", \"width\": 2, \"height\": 1, \"data\": [1, 2]}],"
                  "\"tilesets\": [{\"firstgid\": 1, \"tilewidth\": 10, \"tileheight\": 10,"
                  "\"tiles\": [{\"id\": 0}, {\"id\": 1, \"type\": \"solid\"}]},"
                  "{\"firstgid\": 2, \"tilewidth\": 10, \"tileheight\": 10,"
                  "\"tiles\": [{\"id\": 0, \"type\": \"solid\"}]},"
                  "{\"firstgid\": 2, \"tilewidth\": 10, \"tileheight\": 10,"
                  "\"tiles\": [{\"id\": 0, \"objectgroup\": {\"objects\": ["
                  "{\"x\": 0, \"y\": 0, \"width\": 5, \"height\": 5}]}}]}]}");
    assert_int_equal(tiled_chain_count(&scene), 1);
    const float part[] = {10, 0, 10, 5, 15, 5, 15, 0};
    tiled_assert_loop(&scene, 0, part, 4);
    cli_scene_free(&scene);
}

static void whole_tiles_become_one_outline(void **state)
{
    (void)state;
    // A solid tile by its property, one by its shape; both fill their cells.
    const float expected[] = {0, 0, 0, 10, 10, 10, 10, 20, 20, 20, 20, 0};
    cli_scene scene = tiled_read(TILES("\"width\": 2, \"height\": 2, \"data\": [2, 4, 3, 2]"));
    assert_int_equal(tiled_chain_count(&scene), 1);
    tiled_assert_loop(&scene, 0, expected, 6);
    cli_scene_free(&scene);
}

static void a_layer_called_solid_makes_all_its_tiles_so(void **state)
{
    (void)state;
    cli_scene scene = tiled_read(TILES("\"class\": \"Collision\", \"offsetx\": 3,"
                                       "\"width\": 2, \"height\": 2, \"data\": [3, 3, 9, 0]"));
    const float expected[] = {3, 0, 3, 20, 13, 20, 13, 10, 23, 10, 23, 0};
    assert_int_equal(tiled_chain_count(&scene), 1);
    tiled_assert_loop(&scene, 0, expected, 6);
    cli_scene_free(&scene);
}

// One tile that has these members, at the left end of a layer that has these.
#define ONE_TILE(layer, tile)                                                                      \
    MAP_START "{\"type\": \"tilelayer\", \"width\": 1, \"height\": 1, \"data\": [1], " layer "}]," \
              "\"tilesets\": [{\"firstgid\": 1, \"tilewidth\": 10, \"tileheight\": 10,"            \
              "\"tiles\": [{\"id\": 0, " tile "}]}]}"

#define SHAPES(objects) "\"objectgroup\": {\"objects\": [" objects "]}"
#define HALF(member)    "{\"x\": 0, \"y\": 0, \"width\": 10, \"height\": 5" member "}"
#define WHOLE(member)   "{\"x\": 0, \"y\": 0, \"width\": 10, \"height\": 10" member "}"

static void of_a_shape_its_tile_and_its_layer_the_nearest_role_counts(void **state)
{
    (void)state;
    static const struct {
        const char *map;
        uint32_t chains;
        bool sensor;
        float height; // Of the first loop.
    } cases[] = {
        {ONE_TILE("\"class\": \"sensor\"", SHAPES(HALF(""))), 1, true, 5},
        {ONE_TILE("\"class\": \"sensor\"", SHAPES(WHOLE(""))), 1, true, 10},
        {ONE_TILE("\"class\": \"solid\"", "\"type\": \"sensor\", " SHAPES(HALF(""))), 1, true, 5},
        {ONE_TILE("\"class\": \"solid\"", "\"type\": \"sensor\", " SHAPES(WHOLE(""))), 1, true, 10},
        {ONE_TILE("\"class\": \"solid\"", "\"type\": \"sensor\""), 1, true, 10},
        {ONE_TILE("\"class\": \"sensor\"", "\"type\": \"terrain\", " SHAPES(HALF(""))), 1, false,
         5},
        {ONE_TILE("\"class\": \"sensor\"",
                  "\"type\": \"terrain\", " SHAPES(HALF(", \"type\": \"sensor\""))),
         1, true, 5},
        {ONE_TILE("\"name\": \"t\"", SHAPES(WHOLE(", \"type\": \"sensor\""))), 1, true, 10},
        {ONE_TILE("\"class\": \"solid\"", "\"type\": \"ignore\""), 0, false, 0},
        {ONE_TILE("\"class\": \"solid\"", "\"type\": \"ignore\", " SHAPES(HALF(""))), 0, false, 0},
        {ONE_TILE("\"class\": \"ignore\"", "\"type\": \"terrain\""), 0, false, 0},
        {ONE_TILE("\"class\": \"solid\"", SHAPES(HALF("") ", " HALF(", \"type\": \"ignore\""))), 1,
         false, 5},
        {ONE_TILE("\"name\": \"t\"",
                  "\"type\": \"terrain\", " SHAPES(HALF(", \"type\": \"ignore\""))),
         1, false, 10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        cli_scene scene = tiled_read(cases[i].map);
        if (tiled_chain_count(&scene) != cases[i].chains) {
            fail_msg("case %zu: %zu chains", i, tiled_chain_count(&scene));
        }
        if (cases[i].chains) {
            const float height = cases[i].height;
            const float loop[] = {0, 0, 0, height, 10, height, 10, 0};
            assert_int_equal(scene.chains[0].def.sensor, cases[i].sensor);
            tiled_assert_loop(&scene, 0, loop, 4);
        }
        cli_scene_free(&scene);
    }
}

static void a_solid_tile_whose_only_shape_is_a_point_is_solid_as_a_whole(void **state)
{
    (void)state;
    cli_scene scene = tiled_read(
        ONE_TILE("\"name\": \"t\"",
                 "\"type\": \"solid\", " SHAPES("{\"x\": 5, \"y\": 5, \"point\": true}")));
    const float loop[] = {0, 0, 0, 10, 10, 10, 10, 0};
    assert_int_equal(tiled_chain_count(&scene), 1);
    tiled_assert_loop(&scene, 0, loop, 4);
    assert_string_equal(scene.notes[0], "points, texts and the like among the collision shapes of "
                                        "tiles left out: 1");
    cli_scene_free(&scene);
}

// The first two are what their tile says; the third has its own mass, and the last its own class.
static void a_tile_object_has_the_class_and_properties_of_its_tile(void **state)
{
    (void)state;
    static const char *const objects[] = {
        "\"gid\": 1, \"type\": \"\"",
        "\"gid\": 2147483649",
        "\"gid\": 1, \"properties\": [{\"name\": \"mass\", \"value\": 5}]",
        "\"gid\": 1, \"type\": \"ignore\"",
    };
    char map[2048] = MAP_START "{\"type\": \"objectgroup\", \"objects\": [";
    for (size_t i = 0; i < sizeof objects / sizeof *objects; ++i) {
        char object[256];
        snprintf(object, sizeof object,
                 "%s{\"x\": 0, \"y\": 10, \"width\": 10, \"height\": 10, %s}", i ? ", " : "",
                 objects[i]);
        strcat(map, object);
    }
    strcat(map, "]}], \"tilesets\": [{\"firstgid\": 1, \"tilewidth\": 10, \"tileheight\": 10,"
                "\"tiles\": [{\"id\": 0, \"type\": \"body\","
                "\"properties\": [{\"name\": \"mass\", \"value\": 3}]}]}]}");
    cli_scene scene = tiled_read(map);
    assert_int_equal(grz_list_count(scene.bodies), 3);
    for (size_t i = 0; i < 3; ++i) {
        assert_true(scene.bodies[i].def.mass == (i < 2 ? 3 : 5));
    }
    cli_scene_free(&scene);
}

#define PACKED(how)                                                                                \
    "\"width\": 2, \"height\": 2, \"encoding\": \"base64\", \"compression\": \"" how "\","

static void tile_data_may_be_an_array_base64_compressed_or_chunks(void **state)
{
    (void)state;
    static const char *const layers[] = {
        TILES("\"width\": 2, \"height\": 2, \"data\": [0, 2, 0, 2]"),
        TILES("\"width\": 2, \"height\": 2, \"encoding\": \"csv\", \"data\": [0, 2, 0, 2]"),
        TILES("\"width\": 2, \"height\": 2, \"encoding\": \"base64\", \"compression\": \"\","
              "\"data\": \"AAAAAAIAAAAAAAAAAgAAAA==\""),
        TILES(PACKED("zlib") "\"data\": \"eJxjYGBgYGKAABAN\\u0041AAwAAU=\""),
        TILES(PACKED("zlib") "\"data\": \"eJxjYGBgYGKAABANAAAwAAU=\""),
        TILES(PACKED("gzip") "\"data\": \"H4sIAAAAAAACA2NgYGBgYoAAEA0AQR2JqhAAAAA=\""),
        TILES(PACKED("zstd") "\"data\": \"KLUv/QRYgQAAAAAAAAIAAAAAAAAAAgAAAFw5pMQ=\""),
        TILES("\"startx\": 0, \"chunks\": [{\"x\": 1, \"y\": 0, \"width\": 1, \"height\": 1,"
              "\"data\": [2]}, {\"x\": 1, \"y\": 1, \"width\": 1, \"height\": 1, \"data\": [2]}]"),
    };
    const float expected[] = {10, 0, 10, 20, 20, 20, 20, 0};
    for (size_t i = 0; i < sizeof layers / sizeof *layers; ++i) {
        cli_scene scene = tiled_read(layers[i]);
        assert_int_equal(tiled_chain_count(&scene), 1);
        tiled_assert_loop(&scene, 0, expected, 4);
        cli_scene_free(&scene);
    }
}

static void a_tileset_that_cannot_be_opened_gets_a_note(void **state)
{
    (void)state;
    cli_scene scene = tiled_read("{\"type\": \"map\", \"layers\": [], \"tilesets\":"
                                 "[{\"firstgid\": 1, \"source\": \"a/blocks.tsx\"}]}");
    assert_int_equal(strncmp(scene.notes[0], "tileset a/blocks.tsx cannot be opened: ", 39), 0);
    cli_scene_free(&scene);
}

// Two tiles of one image, then one each of two images, whose ids have a gap.
static void tiles_that_no_tileset_has_are_counted_in_a_note(void **state)
{
    (void)state;
    static const char map[] = MAP_START
        "{\"type\": \"tilelayer\", \"width\": 4, \"height\": 2,"
        "\"data\": [1, 2, 3, 9, 10, 0, 15, 1073741827]}],"
        "\"tilesets\": [{\"firstgid\": 1, \"image\": \"i.png\", \"tilecount\": 2,"
        "\"tiles\": [{\"id\": 1, \"properties\":"
        "[{\"name\": \"solid\", \"type\": \"bool\", \"value\": true}]}]},"
        "{\"firstgid\": 10, \"tilecount\": 2, \"tiles\": [{\"id\": 0, \"image\": \"a.png\"},"
        "{\"id\": 5, \"image\": \"b.png\"}]}]}";
    static const char note[] = "tiles that no tileset has: 3, the first with gid 3 (left out ";
    cli_scene scene = tiled_read(map);
    assert_int_equal(tiled_chain_count(&scene), 1);
    assert_int_equal(strncmp(scene.notes[0], note, sizeof note - 1), 0);
    cli_scene_free(&scene);
}

static cli_scene read_file(const char *path)
{
    cli_scene scene;
    cli_error error = {""};
    if (!cli_scene_read(&scene, path, NULL, &error)) {
        fail_msg("%s", error.text);
    }
    return scene;
}

static void a_tileset_in_a_file_is_found_beside_the_map(void **state)
{
    (void)state;
    const float block[] = {0, 16, 0, 32, 32, 32, 32, 16};
    cli_scene scene = read_file(GRAZE_TEST_DATA "/outer_tileset.tmj");
    assert_int_equal(tiled_chain_count(&scene), 2);
    const float ramp[] = {32, 32, 48, 32, 48, 16};
    tiled_assert_loop(&scene, 0, ramp, 3);
    tiled_assert_loop(&scene, 1, block, 4);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_of_tiles_stand_where_the_tiles_do_however_flipped),
        cmocka_unit_test(lines_of_tiles_keep_their_sides_however_flipped),
        cmocka_unit_test(tiles_of_old_versions_have_their_properties_beside_them),
        cmocka_unit_test(a_gid_means_the_last_tileset_that_begins_before_it),
        cmocka_unit_test(whole_tiles_become_one_outline),
        cmocka_unit_test(a_layer_called_solid_makes_all_its_tiles_so),
        cmocka_unit_test(of_a_shape_its_tile_and_its_layer_the_nearest_role_counts),
        cmocka_unit_test(a_solid_tile_whose_only_shape_is_a_point_is_solid_as_a_whole),
        cmocka_unit_test(a_tile_object_has_the_class_and_properties_of_its_tile),
        cmocka_unit_test(tile_data_may_be_an_array_base64_compressed_or_chunks),
        cmocka_unit_test(a_tileset_that_cannot_be_opened_gets_a_note),
        cmocka_unit_test(tiles_that_no_tileset_has_are_counted_in_a_note),
        cmocka_unit_test(a_tileset_in_a_file_is_found_beside_the_map),
        cmocka_unit_test(on_a_whole_map_bodies_end_up_where_it_holds_them),
    };
    return cmocka_run_group_tests_name("tiled tiles", tests, NULL, NULL);
}
