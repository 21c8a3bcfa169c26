// Tiled maps in XML: what is refused, and where. That they mean what their JSON means, tests/maps
// finds out.

#include "failing_allocator.h"
#include "tiled_kit.h"

#include <graze/tiled.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAP(content)                                                                               \
    "<?xml version=\"1.0\"?>\n<map width=\"2\" height=\"2\" tilewidth=\"10\" "                     \
    "tileheight=\"10\">" content "</map>"
#define LAYER(head, data)                                                                          \
    MAP("\n<layer name=\"Collision\" width=\"2\" height=\"2\">\n <data " head ">" data             \
        "</data></layer>")

/// Each has tiles, or an object, in the right half.
static const char *const maps[] = {
    LAYER("encoding=\"csv\"", "0,2,\n0,2\n"),
    LAYER("encoding=\"csv\"", "0,2,0,2,"),
    LAYER("encoding=\"base64\"", "\n  AAAAAAIAAAAAAAAA\n  AgAAAA==\n"),
    LAYER("encoding=\"base64\" compression=\"zlib\"", "eJxjYGBgYGKAABANAAAwAAU="),
    LAYER("", "<tile/><tile gid=\"2\"/><tile gid=\"0\"/><tile gid=\"2\"/>"),
    LAYER("encoding=\"csv\"", "<chunk x=\"1\" y=\"0\" width=\"1\" height=\"2\">2,2</chunk>"),
    " \n\t<!-- A comment --><!DOCTYPE map SYSTEM \"map.dtd\"><map width=\"2\" height=\"2\" "
    "tilewidth=\"10\" tileheight=\"10\"><objectgroup name=\"Collision\"><object x=\"10\" "
    "y=\"0\""
    " width=\"10\" height=\"20\"/></objectgroup></map>",
};

static void a_map_in_xml_is_read(void **state)
{
    (void)state;
    const float expected[] = {10, 0, 10, 20, 20, 20, 20, 0};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; ++i) {
        cli_scene scene = tiled_read(maps[i]);
        assert_int_equal(tiled_chain_count(&scene), 1);
        tiled_assert_loop(&scene, 0, expected, 4);
        cli_scene_free(&scene);
    }
}

static void data_without_a_text_is_no_tiles(void **state)
{
    (void)state;
    cli_scene scene = tiled_read(LAYER("encoding=\"csv\"", ""));
    assert_int_equal(tiled_chain_count(&scene), 0);
    cli_scene_free(&scene);
}

static void a_lack_of_memory_leaves_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof maps / sizeof *maps; ++i) {
        failing_allocator memory = {0};
        graze_tiled_def def = graze_tiled_def_default();
        def.data = maps[i];
        def.size = strlen(maps[i]);
        def.allocator = failing_allocator_interface(&memory);
        bool has_failed = true;
        for (size_t n = 1; has_failed; ++n) {
            graze_tiled_error error = {.status = GRAZE_OK};
            failing_allocator_arm(&memory, n);
            graze_tiled_map *map = graze_tiled_load(&def, &error);
            has_failed = failing_allocator_disarm(&memory);
            assert_true(has_failed == !map);
            assert_int_equal(error.status, has_failed ? GRAZE_ERROR_OUT_OF_MEMORY : GRAZE_OK);
            graze_tiled_free(map);
            failing_allocator_assert_empty(&memory);
        }
    }
}

static const struct {
    const char *text, *line;
} bad_maps[] = {
    {"<map", "m.tmj:1:1: the file ends in the middle"},
    {"<map>\n <layer>", "m.tmj:2:9: the file ends in the middle"},
    {"<map>\n</mop>", "m.tmj:2:3: not valid XML: mismatched tag"},
    {"\n\n  <map a=1/>", "m.tmj:3:10: not valid XML: not well-formed (invalid token)"},
    {"<map a='1' a='2'/>", "m.tmj:1:12: not valid XML: duplicate attribute"},
    {"<svg/>", "m.tmj:1:1: its root is <svg>: no Tiled map, tileset or template"},
    {"<tileset/>", "m.tmj: type: this is a Tiled tileset, not a map"},
    {"<map width='4px'/>", "m.tmj:1:1: width must be a number, not \"4px\""},
    {"<map tilewidth='nan'/>", "m.tmj:1:1: tilewidth must be a number, not \"nan\""},
    {"<map orientation='isometric'/>", "m.tmj: orientation: must be \"orthogonal\""},
    {MAP("<objectgroup><object><polygon points='0,0 1'/></object></objectgroup>"),
     "m.tmj:2:79: points must be pairs \"x,y\" of numbers, not \"1\""},
    {MAP("<objectgroup><object gid='-1'/></objectgroup>"),
     "m.tmj: layers[0].objects[0].gid: must be a whole number from 0 to 4294967295, not -1"},
    {LAYER("encoding=\"csv\"", "1,2,x,4"),
     "m.tmj:4:2: the data of layer \"Collision\" is no list of whole numbers"},
    {LAYER("encoding=\"csv\"", "1,2,-3,4"),
     "m.tmj:4:2: the data of layer \"Collision\" is no list of whole numbers"},
    {LAYER("encoding=\"csv\"", "1,,3,4"),
     "m.tmj:4:2: the data of layer \"Collision\" has a comma without a number"},
    {LAYER("encoding=\"csv\"", "1,2,3,4294967296"),
     "m.tmj:4:2: the data of layer \"Collision\" has a number above 4294967295"},
    {LAYER("encoding=\"csv\"", "1,2,3"),
     "m.tmj: layers[0 \"Collision\"].data: holds 3 tiles where the size is 2 x 2"},
    {LAYER("encoding=\"base64\"", "AAAA?"),
     "m.tmj:4:2: the data of layer \"Collision\" is not base64"},
    {LAYER("encoding=\"rot13\"", "AAAA"),
     "m.tmj:4:2: the data of layer \"Collision\" has an encoding that is neither csv nor base64"},
    {LAYER("", "<tile gid=\"x\"/>"),
     "m.tmj:4:9: gid must be a whole number from 0 to 4294967295, not \"x\""},
    {"<!DOCTYPE map [<!ENTITY a \"aaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\n<map>&b;</map>",
     "m.tmj:1:15: its <!DOCTYPE> has declarations, which are not read"},
    {"<!DOCTYPE map [<!ENTITY a SYSTEM \"/etc/passwd\">]><map class='&a;'/>",
     "m.tmj:1:15: its <!DOCTYPE> has declarations, which are not read"},
    {"<?xml version=\"1.0\" encoding=\"klingon\"?><map/>",
     "m.tmj:1:31: its encoding is not read: UTF-8"},
};

static void a_bad_map_gets_a_line_and_a_column(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_maps / sizeof *bad_maps; ++i) {
        reader_refuse(tiled_reader, bad_maps[i].text, bad_maps[i].line);
    }
}

// `count` times `piece` between `front` and `back`. The caller frees it.
static char *repeat(const char *front, const char *piece, size_t count, const char *back)
{
    const size_t length = strlen(piece);
    char *text = malloc(strlen(front) + count * length + strlen(back) + 1);
    assert_non_null(text);
    char *end = strcpy(text, front) + strlen(front);
    for (size_t i = 0; i < count; ++i, end += length) {
        memcpy(end, piece, length);
    }
    strcpy(end, back);
    return text;
}

static void assert_too_much(char *text, const char *line)
{
    cli_scene scene;
    cli_error error = {""};
    assert_false(reader_try(tiled_reader, &scene, text, &error));
    free(text);
    if (strncmp(error.text, line, strlen(line)) != 0) {
        fail_msg("says \"%s\", not \"%s\"", error.text, line);
    }
    cli_scene_free(&scene);
}

static void limits_are_named(void **state)
{
    (void)state;
    const size_t large = 5 << 20;
    assert_too_much(repeat("<map>", "<a>", 300, ""), "m.tmj:1:603: nested deeper than 200 levels");
    assert_too_much(repeat("<map>", "<group>", 300, ""),
                    "m.tmj:1:1399: nested deeper than 200 levels");
    assert_too_much(repeat("<map class='", "a", large, "'/>"),
                    "m.tmj:1:1: a tag or a comment has more than 4 MiB");
    assert_too_much(repeat("<map><properties><property name='a'>", "a\n", large, ""),
                    "m.tmj:2097153:1: a text has more than 4 MiB");
    assert_too_much(repeat("<map><properties>", "<property/>", 1400000, "</properties></map>"),
                    "m.tmj:1:14666670: has more than 4000000 values besides tile data");
}

static bool open_text(const char *path, graze_tiled_file *file, void *user)
{
    const char *const *texts = user;
    const bool is_template = strcmp(path, "maps/t/crate.tx") == 0;
    const char *text = is_template ? texts[0] : strcmp(path, "maps/t/s.tsx") == 0 ? texts[1] : NULL;
    file->data = text;
    file->size = text ? strlen(text) : 0;
    return text != NULL;
}

static graze_tiled_map *load(const char *text, const char *const *others)
{
    graze_tiled_def def = graze_tiled_def_default();
    def.path = "maps/m.tmx";
    def.data = text;
    def.size = strlen(text);
    def.open = open_text;
    def.file_user = (void *)(uintptr_t)others;
    static graze_tiled_error error;
    graze_tiled_map *map = graze_tiled_load(&def, &error);
    if (!map) {
        fail_msg("line %u, place %s: %s", error.line, error.place, error.message);
    }
    return map;
}

static void an_object_has_what_its_template_has_and_it_has_not(void **state)
{
    (void)state;
    static const char *const others[] = {
        "<template><tileset firstgid='1' source='s.tsx'/><object name='crate' type='Box' gid='3' "
        "width='10' height='12'><properties><property name='hp' type='int' value='5'/><property "
        "name='wood' type='bool' value='true'/></properties></object></template>",
        "<tileset name='s' tilewidth='10' tileheight='10' tilecount='4' columns='2'/>"};
    graze_tiled_map *map =
        load("<map tilewidth='10' tileheight='10'><tileset firstgid='7' source='t\\s.tsx'/>"
             "<objectgroup><object id='4' template='t/crate.tx' x='1' y='2' width='20'><properties>"
             "<property name='hp' type='int' value='9'/></properties></object></objectgroup></map>",
             others);
    assert_int_equal(map->object_count, 1);
    const graze_tiled_object *object = &map->objects[0];
    assert_string_equal(object->name, "crate");
    assert_string_equal(object->class_name, "Box");
    assert_int_equal(object->kind, GRAZE_TILED_TILE);
    assert_int_equal(object->gid, 9);
    assert_true(object->size.x == 20 && object->size.y == 12);
    assert_true(graze_tiled_number(object->properties, "hp", 0) == 9);
    assert_true(graze_tiled_flag(object->properties, "wood", false));
    graze_tiled_free(map);
}

static void properties_have_their_types(void **state)
{
    (void)state;
    graze_tiled_map *map = load(
        "<map><properties><property name='s' value='1'/><property name='b' type='bool' "
        "value='true'/><property name='n'>two\nlines &amp; more</property><property name='c' "
        "type='class' propertytype='C'><properties><property name='x' type='float' value='2.5'/>"
        "</properties></property><property name='l' type='list'><item type='int' value='3'/>"
        "<item type='bool' value='false'/></property></properties></map>",
        NULL);
    const graze_tiled_properties all = map->properties;
    assert_int_equal(all.count, 5);
    assert_int_equal(all.list[0].type, GRAZE_TILED_STRING);
    assert_int_equal(all.list[1].type, GRAZE_TILED_BOOL);
    assert_string_equal(graze_tiled_text(all, "n", ""), "two\nlines & more");
    assert_string_equal(all.list[3].class_name, "C");
    assert_int_equal(all.list[3].member_count, 1);
    assert_true(all.list[3].members[0].number == 2.5);
    assert_int_equal(all.list[4].type, GRAZE_TILED_LIST);
    assert_int_equal(all.list[4].member_count, 2);
    graze_tiled_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_in_xml_is_read),
        cmocka_unit_test(data_without_a_text_is_no_tiles),
        cmocka_unit_test(a_lack_of_memory_leaves_nothing),
        cmocka_unit_test(a_bad_map_gets_a_line_and_a_column),
        cmocka_unit_test(limits_are_named),
        cmocka_unit_test(an_object_has_what_its_template_has_and_it_has_not),
        cmocka_unit_test(properties_have_their_types),
    };
    return cmocka_run_group_tests_name("tiled xml", tests, NULL, NULL);
}
