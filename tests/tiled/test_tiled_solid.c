// What of a map is solid: by names that are asked for, by names that are known, by a guess.

#include "tiled_load_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#define TILES3(name, data, more)                                                                   \
    "{\"type\": \"tilelayer\", \"name\": \"" name "\", \"width\": 3, \"height\": 3" more           \
    ", \"data\": [" data "]}"
#define FULL     "1,1,1,1,1,1,1,1,1"
#define RING     "1,1,1,1,0,1,1,1,1"
#define CORNER   "1,0,0,0,0,0,0,0,0"
#define LAST     "0,0,0,0,0,0,0,0,1"
#define RECT(at) "{\"x\": " at ", \"y\": 0, \"width\": 5, \"height\": 5"
#define GROUP(name, objects)                                                                       \
    "{\"type\": \"objectgroup\", \"name\": \"" name "\", \"objects\": [" objects "]}"

#define SETS                                                                                       \
    "\"tilesets\": [{\"firstgid\": 1, \"tilewidth\": 10, \"tileheight\": 10, \"tilecount\": 4,"    \
    "\"tiles\": [{\"id\": 1, \"properties\": [{\"name\": \"Collides\", \"value\": true}]},"        \
    "{\"id\": 2, \"class\": \"lava\"},"                                                            \
    "{\"id\": 3, \"objectgroup\": {\"objects\": [{\"x\": 0, \"y\": 5, \"width\": 10,"              \
    "\"height\": 5}]}}]}]"
#define MAP(layers)                                                                                \
    "{\"type\": \"map\", \"width\": 3, \"height\": 3, \"tilewidth\": 10, \"tileheight\": 10,"      \
    "\"layers\": [" layers "], " SETS "}"

/// A map, and the names of the layers that its chains are of, in order, without repetitions.
typedef struct solid_case {
    const char *text, *layers;
    const char *note; ///< How a note begins; null: no note may say "guessed" or "no terrain".
} solid_case;

static void list_solid_layers(const graze_tiled_map *map, char *list, size_t size)
{
    uint32_t last = GRAZE_TILED_NONE;
    list[0] = 0;
    for (uint32_t i = 0; i < map->chain_count; ++i) {
        if (map->chains[i].layer != last) {
            last = map->chains[i].layer;
            strncat(list, list[0] ? " " : "", size - strlen(list) - 1);
            strncat(list, map->layers[last].name, size - strlen(list) - 1);
        }
    }
}

static bool has_note(const graze_tiled_map *map, const char *start)
{
    for (uint32_t i = 0; i < map->note_count; ++i) {
        if (strncmp(map->notes[i], start, strlen(start)) == 0) {
            return true;
        }
    }
    return false;
}

static void expect_case(const solid_case *expected)
{
    char list[200];
    graze_tiled_map *map = load_text(expected->text);
    list_solid_layers(map, list, sizeof list);
    if (strcmp(list, expected->layers) != 0) {
        fail_msg("%s\nis solid in \"%s\", not \"%s\"", expected->text, list, expected->layers);
    }
    if (expected->note ? !has_note(map, expected->note)
                       : has_note(map, "guessed") || has_note(map, "the map has no terrain")) {
        fail_msg("%s\nhas not the note %s", expected->text,
                 expected->note ? expected->note : "none");
    }
    graze_tiled_free(map);
}

static void names_that_are_known_say_what_is_solid(void **state)
{
    (void)state;
    static const solid_case cases[] = {
        {MAP(TILES3("Collision", RING, "")), "Collision", NULL},
        {MAP(TILES3("Collision", RING, ", \"visible\": false")), "Collision", NULL},
        {MAP(TILES3("Walls", RING, "") "," TILES3("Floor", FULL, "")), "Walls", NULL},
        {MAP(TILES3("Ground", FULL, "") "," TILES3("deco", CORNER, "")), "",
         "the map has no terrain"},
        {MAP(TILES3("Ground", RING, "")), "Ground", "guessed"},
        {MAP(TILES3("Terrain", FULL, "")), "Terrain", "guessed"},
        {MAP(TILES3("Ground", FULL, "")), "", "the map has no terrain"},
        {MAP(TILES3("Ground", CORNER, "") "," TILES3("Platforms", LAST, "")), "Ground Platforms",
         "guessed"},
        {MAP(TILES3("Walls", RING, "") "," GROUP("Collisions", RECT("3") "}")), "Collisions", NULL},
        {MAP(TILES3("Collision", CORNER, "") "," TILES3("Platforms", CORNER, "")), "Collision",
         NULL},
        {MAP(TILES3("Collision", CORNER, "") "," TILES3("Platforms", LAST, "")),
         "Collision Platforms", NULL},
        {MAP(TILES3("Collision", "0,0,0,0,0,0,0,0,0", "") "," TILES3("Walls", RING, "")), "Walls",
         NULL},
        {MAP(TILES3("No Collision", RING, "") "," TILES3("Tile Layer 2", FULL, "")), "",
         "the map has no terrain"},
        {MAP(TILES3("bg", FULL, "") "," TILES3("World", RING, "")), "World", "guessed"},
        {MAP("{\"type\": \"group\", \"name\": \"Walls\", \"layers\": [" TILES3(
             "a", RING, "") "," TILES3("wall shadows", CORNER, "") "]}"),
         "a", NULL},
        {MAP(TILES3("x", RING, ", \"class\": \"Solid\"")), "x", NULL},
        {MAP(TILES3("x", RING, ", \"properties\": [{\"name\": \"collides\", \"value\": true}]")),
         "x", NULL},
        {MAP(TILES3("x", RING, ", \"properties\": [{\"name\": \"blocked\", \"value\": \"\"}]")),
         "x", NULL},
        {MAP(TILES3("x", RING,
                    ", \"properties\": [{\"name\": \"walkable\", \"value\": \"false\"}]")),
         "x", NULL},
        {MAP(TILES3("Walls", RING,
                    ", \"properties\": [{\"name\": \"collides\", \"value\": false}]")),
         "", "the map has no terrain"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        expect_case(&cases[i]);
    }
}

static void tiles_that_collide_count_in_every_layer(void **state)
{
    (void)state;
    static const solid_case cases[] = {
        {MAP(TILES3("deco", "0,2,0,0,0,0,0,0,0", "")), "deco", NULL},
        {MAP(TILES3("deco", "0,4,0,0,0,0,0,0,0", "")), "deco", NULL},
        {MAP(TILES3("deco", "0,4,0,0,0,0,0,0,0", "") "," GROUP("Ground", RECT("3") "}")),
         "deco Ground", "guessed"},
        {MAP(TILES3("deco", "0,3,0,0,0,0,0,0,0", "") "," TILES3("b", RING, "")), "b", "guessed"},
        // Its tiles say which of them are solid, so its name does not.
        {MAP(TILES3("Walls", "1,2,1,1,1,1,1,1,1", "")), "Walls", NULL},
        // What is called the ground is one's floor where tiles collide.
        {MAP(TILES3("Ground", RING, "") "," TILES3("b", "0,2,0,0,0,0,0,0,0", "")), "b", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        expect_case(&cases[i]);
    }
    graze_tiled_map *map = load_text(MAP(TILES3("Walls", "1,2,1,1,1,1,1,1,1", "")));
    assert_int_equal(map->chain_count, 1);
    graze_tiled_free(map);
}

static void objects_with_a_class_of_their_own_are_no_terrain(void **state)
{
    (void)state;
    graze_tiled_map *map = load_text(MAP(GROUP(
        "Collision",
        RECT("0") "}," RECT("1") ", \"type\": \"spawn\"}," RECT("2") ", \"class\": \"Wall\"}," RECT(
            "3") ", \"name\": \"player "
                 "start\"}") "," GROUP("Objects",
                                       RECT("4") ", \"class\": \"npc\"}," RECT(
                                           "5") ", \"class\": \"solid\"}," RECT("6") "}")));
    const uint32_t expected[] = {0, GRAZE_TILED_NONE, 1, GRAZE_TILED_NONE, GRAZE_TILED_NONE,
                                 2, GRAZE_TILED_NONE};
    assert_int_equal(map->object_count, 7);
    for (uint32_t i = 0; i < 7; ++i) {
        if (map->objects[i].chain != expected[i]) {
            fail_msg("object %u is chain %u", i, map->objects[i].chain);
        }
    }
    graze_tiled_free(map);
}

static void classes_that_all_have_are_kinds_of_terrain(void **state)
{
    (void)state;
    static const solid_case cases[] = {
        {MAP(GROUP("Collision",
                   RECT("0") ", \"class\": \"Level1\"}," RECT("1") ", \"class\": \"Level1\"}")),
         "Collision", NULL},
        {MAP(GROUP("Collision",
                   RECT("0") ", \"class\": \"Level1\"}," RECT("1") ", \"class\": \"Level2\"}")),
         "Collision", NULL},
        {MAP(GROUP("Collision", RECT("0") ", \"class\": \"Level1\"}")), "",
         "the map has no terrain"},
        {MAP(GROUP("Collision",
                   RECT("0") ", \"class\": \"spawn\"}," RECT("1") ", \"class\": \"spawn\"}")),
         "", "the map has no terrain"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        expect_case(&cases[i]);
    }
}

static void objects_may_be_solid_by_themselves(void **state)
{
    (void)state;
    graze_tiled_map *map = load_text(
        MAP(GROUP("Objects", RECT("0") ", \"name\": \"wall\"}," RECT(
                                 "1") ", \"name\": \"door\"}," RECT("2") ", \"properties\":"
                                                                         "[{\"name\": \"solid\","
                                                                         "\"value\": true}]}")));
    assert_int_equal(map->chain_count, 2);
    assert_int_equal(map->objects[0].chain, 0);
    assert_int_equal(map->objects[1].chain, GRAZE_TILED_NONE);
    assert_int_equal(map->objects[2].chain, 1);
    graze_tiled_free(map);
}

static void what_has_no_name_is_guessed_last(void **state)
{
    (void)state;
    static const solid_case cases[] = {
        {MAP(TILES3("Tile Layer 1", RING, "")), "Tile Layer 1", "guessed"},
        {MAP(TILES3("Tile Layer 1", FULL, "")), "", "the map has no terrain"},
        {MAP(TILES3("background", FULL, "") "," TILES3("2", RING, "")), "2", "guessed"},
        {MAP(TILES3("1", RING, "") "," TILES3("2", RING, "")), "", "the map has no terrain"},
        {MAP(TILES3("bg", RING, "")), "bg", "guessed"},
        {MAP(GROUP("Object Layer 1", RECT("0") "}")), "Object Layer 1", "guessed"},
        {MAP(GROUP("Objects", RECT("0") ", \"name\": \"lamp\"}," RECT("2") "}")), "",
         "the map has no terrain"},
        {MAP(GROUP("Spawns", RECT("0") "}")), "", "the map has no terrain"},
        {MAP(GROUP("Spawns", RECT("0") ", \"name\": \"platform\"}")), "", "the map has no terrain"},
        {MAP(TILES3("1", RING, "") "," GROUP("2", RECT("0") "}")), "1", "guessed"},
        {MAP(TILES3("Terrain", RING, "") "," GROUP("Collisions", "")), "",
         "the map has no terrain"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        expect_case(&cases[i]);
    }
}

static void what_there_is_is_listed_where_nothing_is_solid(void **state)
{
    (void)state;
    graze_tiled_map *map =
        load_text(MAP(TILES3("floor tiles 1", FULL, "") "," TILES3("deco", CORNER, "") "," GROUP(
            "Things", RECT("0") ", \"class\": \"spawn\", \"properties\":"
                                "[{\"name\": \"lives\", \"value\": 3}]}," RECT(
                                    "0") ", \"class\": \"spawn\"}")));
    assert_true(has_note(map,
                         "the map has no terrain: say what is solid by --solid NAME, or call a "
                         "layer \"Collision\"; layers: \"floor tiles 1\" (9 tiles), \"deco\" "
                         "(1 tiles), \"Things\" (2 objects); classes: \"spawn\" (2), \"lava\" "
                         "(1); properties: \"lives\" (1), \"Collides\" (1)"));
    graze_tiled_free(map);
}

static void names_that_are_asked_for_are_all_that_is_solid(void **state)
{
    (void)state;
    static const char text[] =
        MAP(TILES3("Walls", CORNER, "") "," TILES3("deco", "0,3,4,0,0,0,0,0,2", "") "," GROUP(
            "Things", RECT("0") ", \"class\": \"crate\"}," RECT("2") ", \"name\": \"n\"}"));
    static const struct {
        const char *name;
        uint32_t chains;
        const char *layer;
    } cases[] = {{"Walls", 1, "Walls"},  {"deco", 3, "deco"},     {"lava", 1, "deco"},
                 {"crate", 1, "Things"}, {"Things", 2, "Things"}, {"Collides", 1, "deco"},
                 {"@shapes", 1, "deco"}, {"n", 1, "Things"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        graze_tiled_def def = text_def(text);
        def.solid = &cases[i].name;
        def.solid_count = 1;
        graze_tiled_map *map = graze_tiled_load(&def, NULL);
        assert_non_null(map);
        if (map->chain_count != cases[i].chains ||
            strcmp(map->layers[map->chains[0].layer].name, cases[i].layer) != 0) {
            fail_msg("%s: %u chains in %s", cases[i].name, map->chain_count,
                     map->layers[map->chains[0].layer].name);
        }
        graze_tiled_free(map);
    }
    static const char *const both[] = {"crate", "lava"};
    graze_tiled_def def = text_def(text);
    def.solid = both;
    def.solid_count = 2;
    graze_tiled_map *map = graze_tiled_load(&def, NULL);
    assert_int_equal(map->chain_count, 2);
    graze_tiled_free(map);
}

static void a_name_that_nothing_has_is_an_error(void **state)
{
    (void)state;
    static const char *const name = "walls";
    graze_tiled_def def = text_def(MAP(TILES3("Walls", CORNER, "")));
    graze_tiled_error error;
    def.solid = &name;
    def.solid_count = 1;
    assert_null(graze_tiled_load(&def, &error));
    assert_int_equal(error.status, GRAZE_ERROR_FORMAT);
    assert_true(strncmp(error.message,
                        "nothing is called \"walls\", nor has it as a true property; "
                        "layers: \"Walls\" (1 tiles)",
                        60) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_are_known_say_what_is_solid),
        cmocka_unit_test(tiles_that_collide_count_in_every_layer),
        cmocka_unit_test(objects_with_a_class_of_their_own_are_no_terrain),
        cmocka_unit_test(classes_that_all_have_are_kinds_of_terrain),
        cmocka_unit_test(objects_may_be_solid_by_themselves),
        cmocka_unit_test(what_has_no_name_is_guessed_last),
        cmocka_unit_test(what_there_is_is_listed_where_nothing_is_solid),
        cmocka_unit_test(names_that_are_asked_for_are_all_that_is_solid),
        cmocka_unit_test(a_name_that_nothing_has_is_an_error),
    };
    return cmocka_run_group_tests_name("tiled_solid", tests, NULL, NULL);
}
