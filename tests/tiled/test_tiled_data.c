// Tile data is taken out of JSON before that is parsed. Errors are about the whole text, though.

#include "tiled_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define LAYER(values) "{\"type\": \"map\", \"layers\": [{\"type\": \"tilelayer\", " values "}"

static const struct {
    const char *text, *line;
} bad_maps[] = {
    {LAYER("\"data\": [1, 2,\n3]") ", {\"data\": \"AAAA\"}],\n \"x\": 01}",
     "m.tmj:3:7: not valid JSON at \"01}\""},
    {LAYER("\"data\": [1, 2,\n3]") ", {\"data\": \"AAAA\"}],\n \"x\": [1 2]}",
     "m.tmj:3:10: not valid JSON at \"2]}\""},
    {LAYER("\"data\": [1, 02]") "]}", "m.tmj:1:62: not valid JSON at \"02]}]}\""},
    {LAYER("\"data\": [1, 2,]") "]}", "m.tmj:1:64: not valid JSON at \"]}]}\""},
    {LAYER("\"data\": [1, 2"), "m.tmj:1:62: not valid JSON at \"2}\""},
    {LAYER("\"data\": \"AQAA\nAA==\"") "]}", "m.tmj:1:58: not valid JSON at \"\"AQAA\""},
    {LAYER("\"data\": [1], \"data\": [1]") "]}", "m.tmj: layers[0].data: stands twice"},
    {LAYER("\"width\": 1, \"height\": 1, \"data\": [1.5]") "]}",
     "m.tmj: layers[0].data[0]: must be a whole number from 0 to 4294967295, not 1.5"},
    {LAYER("\"width\": 1, \"height\": 1, \"data\": [4294967296]") "]}",
     "m.tmj: layers[0].data[0]: must be a whole number from 0 to 4294967295, not 4294967296"},
    {LAYER("\"width\": 1, \"height\": 1, \"data\": \"\xFF\"") "]}",
     "m.tmj: layers[0].data: must be an array of tiles"},
    {LAYER("\"width\": [], \"data\": [1]") "]}",
     "m.tmj: layers[0].width: must be a whole number from 0 to 4294967295, not an array"},
    {"{\"__header__\": {\"app\": \"LDtk\"}, \"levels\": []}",
     "m.tmj: this is an LDtk project, not a Tiled map"},
};

static void errors_are_about_the_whole_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_maps / sizeof *bad_maps; ++i) {
        reader_refuse(tiled_reader, bad_maps[i].text, bad_maps[i].line);
    }
}

// A property may be called data: what it is stays what it is.
static void only_layers_and_chunks_have_tile_data(void **state)
{
    (void)state;
    cli_scene scene = tiled_read(
        "{\"type\": \"map\", \"tilewidth\": 8, \"tileheight\": 8, \"data\": [1, 2],"
        "\"properties\": {\"data\": \"AAAA\", \"steps\": \"7\"}, \"layers\": [{\"type\":"
        "\"objectgroup\", \"name\": \"Collision\", \"properties\": {\"data\": \"\\\"data\\\":"
        "[1\"}, \"objects\": [{\"x\": 1, \"y\": 1, \"width\": 8, \"height\": 8,"
        "\"properties\": {\"data\": \"AAAA\", \"user_data\": 5}}]}]}");
    assert_int_equal(scene.steps, 7);
    assert_int_equal(tiled_chain_count(&scene), 1);
    assert_int_equal(scene.chains[0].def.user_data, 5);
    cli_scene_free(&scene);
}

static void a_text_for_a_number_is_a_word_of_the_game(void **state)
{
    (void)state;
    cli_scene scene = tiled_read(
        OBJECTS("Collision",
                "{\"width\": 8, \"height\": 8, \"properties\": [{\"name\": \"group\", \"value\": "
                "\"flowers\"}, {\"name\": \"mask\", \"value\": \"6\"}, {\"name\": \"sensor\","
                "\"value\": \"door\"}]}"));
    assert_int_equal(scene.chains[0].def.filter.group, 0);
    assert_int_equal(scene.chains[0].def.filter.mask, 6);
    assert_false(scene.chains[0].def.sensor);
    cli_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_about_the_whole_text),
        cmocka_unit_test(only_layers_and_chunks_have_tile_data),
        cmocka_unit_test(a_text_for_a_number_is_a_word_of_the_game),
    };
    return cmocka_run_group_tests_name("tiled data", tests, NULL, NULL);
}
