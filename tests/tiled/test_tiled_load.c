// Loading maps: what games get, files of their own, errors, and a lack of memory.

#include "failing_allocator.h"
#include "tiled_load_kit.h"

#include <graze/world.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static const char level[] =
    "<?xml version='1.0'?>\n"
    "<map orientation='orthogonal' width='4' height='3' tilewidth='16' tileheight='16'>"
    "<properties><property name='gravity_y' type='float' value='90'/>"
    "<property name='title' value='Cave'/></properties>"
    "<tileset firstgid='1' source='sets/rock.tsx'/>"
    "<layer id='1' name='Walls' width='4' height='3'><data encoding='csv'>"
    "1,1,1,1,1,0,0,1,1,2147483649,1,1</data></layer>"
    "<group id='9' name='things' offsetx='100'>"
    "<objectgroup id='2' name='Spawns' offsety='1'>"
    "<object id='7' name='hero' type='spawn' x='24' y='20' rotation='90'><point/>"
    "<properties><property name='lives' type='int' value='3'/>"
    "<property name='fast' type='bool' value='true'/>"
    "<property name='tint' type='color' value='#ff102030'/></properties></object>"
    "<object id='8' type='door' x='32' y='16' width='8' height='16'/>"
    "<object id='9' x='10' y='10'><polygon points='0,0 8,0 8,8'/></object>"
    "<object id='10' gid='2' x='16' y='32' width='16' height='16'/>"
    "<object id='11' x='1' y='2' width='30' height='9'><text>hi</text></object>"
    "<object id='12' type='body' x='20' y='20' width='4' height='4'><ellipse/></object>"
    "</objectgroup></group></map>";

static const char rock[] =
    "<tileset name='rock' tilewidth='16' tileheight='16' tilecount='2' columns='2' margin='1'>"
    "<image source='rock.png' width='32' height='16'/>"
    "<tile id='1' type='crate'/></tileset>";

/// The files of a game, and which of them are open.
typedef struct game_files {
    char opened[64]; ///< The path that was asked for last.
    int open_count;
} game_files;

static bool open_file(const char *path, graze_tiled_file *file, void *user)
{
    game_files *files = user;
    snprintf(files->opened, sizeof files->opened, "%s", path);
    file->reason = "not in the pack";
    file->data = rock;
    file->size = sizeof rock - 1;
    file->handle = files;
    const bool is_there = strcmp(path, "levels/sets/rock.tsx") == 0;
    files->open_count += is_there;
    return is_there;
}

static void close_file(graze_tiled_file *file, void *user)
{
    assert_ptr_equal(file->handle, user);
    --((game_files *)user)->open_count;
}

static graze_tiled_def level_def(game_files *files)
{
    graze_tiled_def def = text_def(level);
    memset(files, 0, sizeof *files);
    def.path = "levels/cave.tmx";
    def.open = open_file;
    def.close = close_file;
    def.file_user = files;
    return def;
}

static void a_map_has_what_games_look_for(void **state)
{
    (void)state;
    game_files files;
    const graze_tiled_def def = level_def(&files);
    graze_tiled_error error;
    graze_tiled_map *map = graze_tiled_load(&def, &error);
    if (!map) {
        fail_msg("%s: %s", error.place, error.message);
    }
    assert_int_equal(files.open_count, 0);
    assert_string_equal(map->files[0], "levels/sets/rock.tsx");
    assert_true(map->size.x == 64 && map->size.y == 48 && map->tile_size.x == 16);
    assert_true(map->gravity.y == 90 && map->dt == 0 && map->steps == GRAZE_TILED_NONE);
    assert_string_equal(graze_tiled_text(map->properties, "title", ""), "Cave");

    assert_int_equal(map->layer_count, 3);
    const graze_tiled_layer *walls = &map->layers[0], *spawns = &map->layers[2];
    assert_true(walls->solid && walls->kind == GRAZE_TILED_TILES && walls->chunk_count == 1);
    assert_int_equal(graze_tiled_gid_at(walls, 1, 2), 2147483649u);
    assert_int_equal(graze_tiled_gid_at(walls, 1, 1), 0);
    assert_int_equal(graze_tiled_gid_at(walls, -1, 0), 0);
    assert_int_equal(graze_tiled_gid_at(walls, 4, 0), 0);
    assert_int_equal(graze_tiled_gid_at(spawns, 0, 0), 0);
    assert_int_equal(map->layers[1].kind, GRAZE_TILED_GROUP);
    assert_int_equal(spawns->parent, 1);
    assert_true(spawns->offset.x == 100 && spawns->offset.y == 1);
    assert_true(spawns->first_object == 0 && spawns->object_count == 6);

    const graze_tiled_tileset *set = &map->tilesets[0];
    assert_int_equal(map->tileset_count, 1);
    assert_string_equal(set->name, "rock");
    assert_string_equal(set->path, "levels/sets/rock.tsx");
    assert_string_equal(set->image, "rock.png");
    assert_true(set->first_gid == 1 && set->tile_count == 2 && set->columns == 2);
    assert_true(set->margin == 1 && set->spacing == 0);

    const graze_tiled_tile *crate = graze_tiled_find_tile(map, 2 | GRAZE_TILED_FLIP_X);
    assert_true(crate == &map->tiles[0] && crate->gid == 2 && !crate->solid);
    assert_string_equal(crate->class_name, "crate");
    assert_true(crate->size.x == 16 && crate->size.y == 16);
    assert_null(graze_tiled_find_tile(map, 1));
    assert_null(graze_tiled_find_tile(map, 3));
    graze_tiled_free(map);
}

static void objects_have_places_classes_and_properties(void **state)
{
    (void)state;
    game_files files;
    const graze_tiled_def def = level_def(&files);
    graze_tiled_map *map = graze_tiled_load(&def, NULL);
    const graze_tiled_object *hero = graze_tiled_find_class(map, "spawn");
    assert_ptr_equal(hero, graze_tiled_find_object(map, "hero"));
    assert_null(graze_tiled_find_class(map, "no such"));
    assert_null(graze_tiled_find_object(map, "no such"));
    assert_true(hero->kind == GRAZE_TILED_POINT && hero->id == 7 && hero->visible);
    assert_true(hero->position.x == 124 && hero->position.y == 21);
    assert_true(hero->center.x == 124 && hero->center.y == 21);
    assert_true(hero->angle > 1.5707f && hero->angle < 1.5708f);
    assert_true(graze_tiled_number(hero->properties, "lives", 0) == 3);
    assert_true(graze_tiled_flag(hero->properties, "fast", false));
    assert_true(graze_tiled_flag(hero->properties, "slow", true));
    assert_string_equal(graze_tiled_text(hero->properties, "tint", ""), "#ff102030");
    assert_string_equal(graze_tiled_text(hero->properties, "lives", "none"), "none");
    assert_true(graze_tiled_number(hero->properties, "tint", -1) == -1);

    const graze_tiled_object *objects = map->objects;
    assert_true(objects[1].center.x == 136 && objects[1].center.y == 25);
    assert_true(objects[1].size.x == 8 && objects[1].size.y == 16);
    assert_true(objects[2].point_count == 3 && objects[2].points[2].x == 118);
    assert_true(objects[2].center.x == 114 && objects[2].center.y == 15);
    assert_int_equal(objects[3].gid, 2);
    assert_string_equal(objects[3].class_name, "crate");
    assert_true(objects[3].center.x == 124 && objects[3].center.y == 25);
    assert_true(objects[4].kind == GRAZE_TILED_TEXT);
    assert_string_equal(objects[4].text, "hi");
    assert_int_equal(objects[5].body, 0);
    assert_int_equal(map->bodies[0].object, 5);
    assert_int_equal(map->chains[0].object, GRAZE_TILED_NONE);
    graze_tiled_free(map);
}

static void old_properties_and_nested_ones_are_read(void **state)
{
    (void)state;
    graze_tiled_map *map =
        load_text("{\"type\": \"map\", \"tilewidth\": 8, \"tileheight\": 8, \"layers\": [],"
                  "\"properties\": {\"a\": \"2\", \"b\": true, \"c\": 1.5, \"d\": \"true\"},"
                  "\"propertytypes\": {\"a\": \"string\", \"b\": \"bool\", \"c\": \"float\"}}");
    assert_true(graze_tiled_number(map->properties, "a", 0) == 2);
    assert_true(graze_tiled_flag(map->properties, "b", false));
    assert_true(graze_tiled_flag(map->properties, "d", false));
    assert_true(graze_tiled_number(map->properties, "c", 0) == 1.5);
    assert_int_equal(graze_tiled_find(map->properties, "c")->type, GRAZE_TILED_FLOAT);
    graze_tiled_free(map);
    map = load_text("{\"type\": \"map\", \"tilewidth\": 8, \"tileheight\": 8, \"layers\": [],"
                    "\"properties\": [{\"name\": \"k\", \"type\": \"class\", \"propertytype\":"
                    "\"Kind\", \"value\": {\"x\": {\"y\": [1, 2]}}},"
                    "{\"name\": \"l\", \"type\": \"list\", \"value\": [{\"type\": \"int\","
                    "\"value\": 1}]}]}");
    const graze_tiled_property *kind = graze_tiled_find(map->properties, "k");
    assert_true(kind->type == GRAZE_TILED_CLASS && kind->member_count == 1);
    assert_string_equal(kind->class_name, "Kind");
    assert_string_equal(kind->members[0].name, "x");
    assert_true(graze_tiled_find(map->properties, "l")->member_count == 1);
    graze_tiled_free(map);
}

static void errors_say_where_and_what(void **state)
{
    (void)state;
    graze_tiled_error error;
    failing_allocator memory = {0};
    char line[300];
    graze_tiled_def def = text_def("{\"type\": \"map\",\n \"layers\": 3,}");
    assert_null(graze_tiled_load(&def, &error));
    assert_true(error.status == GRAZE_ERROR_FORMAT && error.line == 2 && error.column > 1);
    assert_string_equal(error.file, "m.tmj");
    const size_t length = graze_tiled_error_text(&error, line, sizeof line);
    assert_int_equal(length, strlen(line));
    assert_int_equal(strncmp(line, "m.tmj:2:", 8), 0);

    def = text_def("{\"type\": \"map\", \"layers\": [{\"name\": \"a\", \"type\": \"objectgroup\","
                   "\"objects\": [{\"id\": 4, \"x\": \"far\"}]}]}");
    assert_null(graze_tiled_load(&def, &error));
    assert_true(error.line == 0);
    assert_string_equal(error.place, "layers[0 \"a\"].objects[0 id 4].x");
    assert_string_equal(error.message, "must be a number, not \"far\"");
    graze_tiled_error_text(&error, line, 20);
    assert_string_equal(line, "m.tmj: layers[0 \"a\"");
    assert_null(graze_tiled_load(&def, NULL));

    memset(&def, 0, sizeof def);
    assert_null(graze_tiled_load(&def, &error));
    assert_int_equal(error.status, GRAZE_ERROR_ARGUMENT);
    assert_null(graze_tiled_load(NULL, &error));
    def = text_def(level);
    def.allocator = failing_allocator_interface(&memory);
    def.allocator.release = NULL;
    assert_null(graze_tiled_load(&def, &error));
    assert_int_equal(error.status, GRAZE_ERROR_ARGUMENT);
    def = text_def(level);
    def.solid_count = 1;
    assert_null(graze_tiled_load(&def, &error));
    assert_int_equal(error.status, GRAZE_ERROR_ARGUMENT);
    def = graze_tiled_def_default();
    def.path = "no/such.tmx";
    assert_null(graze_tiled_load(&def, &error));
    assert_int_equal(strncmp(error.message, "cannot be opened: ", 18), 0);
    graze_tiled_free(NULL);
}

static void a_map_goes_into_a_world_or_leaves_it_as_it_was(void **state)
{
    (void)state;
    game_files files;
    const graze_tiled_def def = level_def(&files);
    graze_tiled_map *map = graze_tiled_load(&def, NULL);
    failing_allocator memory = {0};
    graze_world_def world_def = graze_world_def_default();
    world_def.allocator = failing_allocator_interface(&memory);
    graze_world *world = graze_world_create(&world_def);
    graze_chain_id chains[8];
    graze_body_id bodies[8];
    assert_int_equal(map->chain_count, 2);
    assert_int_equal(map->body_count, 1);
    for (size_t n = 1;; ++n) {
        failing_allocator_arm(&memory, n);
        const graze_status status = graze_tiled_add_to_world(map, world, chains, bodies);
        if (!failing_allocator_disarm(&memory)) {
            assert_int_equal(status, GRAZE_OK);
            break;
        }
        assert_int_equal(status, GRAZE_ERROR_OUT_OF_MEMORY);
        assert_int_equal(chains[0].generation, 0);
        const graze_world_stats stats = graze_world_get_stats(world);
        assert_true(stats.body_count == 0 && stats.chain_count == 0);
    }
    assert_true(graze_world_get_stats(world).chain_count == 2);
    assert_true(graze_body_position(world, bodies[0]).x == 122);
    assert_int_equal(graze_tiled_add_to_world(map, world, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_tiled_add_to_world(NULL, world, NULL, NULL), GRAZE_ERROR_ARGUMENT);
    graze_tiled_free(map);
    graze_world_destroy(world);
    failing_allocator_assert_empty(&memory);
}

static void try_with_less_memory(graze_tiled_def def)
{
    failing_allocator memory = {0};
    def.allocator = failing_allocator_interface(&memory);
    for (size_t n = 1;; ++n) {
        graze_tiled_error error;
        game_files *files = def.file_user;
        failing_allocator_arm(&memory, n);
        graze_tiled_map *map = graze_tiled_load(&def, &error);
        if (!failing_allocator_disarm(&memory)) {
            assert_non_null(map);
            graze_tiled_free(map);
            break;
        }
        assert_null(map);
        assert_int_equal(error.status, GRAZE_ERROR_OUT_OF_MEMORY);
        assert_string_equal(error.message, "out of memory");
        failing_allocator_assert_empty(&memory);
        assert_true(!files || files->open_count == 0);
    }
    failing_allocator_assert_empty(&memory);
}

static void a_lack_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    game_files files;
    try_with_less_memory(level_def(&files));
    try_with_less_memory(
        text_def("{\"type\": \"map\", \"tilewidth\": 8, \"tileheight\": 8, \"layers\": ["
                 "{\"type\": \"tilelayer\", \"name\": \"Walls\", \"width\": 3, \"height\": 3,"
                 "\"data\": [1,1,1,1,0,1,1,1,1]}, {\"type\": \"tilelayer\", \"name\": \"b\","
                 "\"encoding\": \"base64\", \"width\": 1, \"height\": 1, \"data\": \"AQAAAA==\"},"
                 "{\"type\": \"objectgroup\", \"name\": \"o\", \"objects\": [{\"x\": 1,"
                 "\"y\": 1, \"width\": 5, \"height\": 5, \"type\": \"wall\"}]}]}"));
}

static void the_game_chooses_what_chains_and_bodies_begin_as(void **state)
{
    (void)state;
    game_files files;
    graze_tiled_def def = level_def(&files);
    def.chain.filter.category = 8;
    def.chain.surface.friction = 0.75f;
    def.body.response = GRAZE_RIGID;
    graze_tiled_map *map = graze_tiled_load(&def, NULL);
    assert_int_equal(map->chains[0].def.filter.category, 8);
    assert_true(map->chains[0].def.surface.friction == 0.75f);
    assert_int_equal(map->bodies[0].def.response, GRAZE_RIGID);
    graze_tiled_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_has_what_games_look_for),
        cmocka_unit_test(objects_have_places_classes_and_properties),
        cmocka_unit_test(old_properties_and_nested_ones_are_read),
        cmocka_unit_test(errors_say_where_and_what),
        cmocka_unit_test(a_map_goes_into_a_world_or_leaves_it_as_it_was),
        cmocka_unit_test(a_lack_of_memory_leaves_nothing_behind),
        cmocka_unit_test(the_game_chooses_what_chains_and_bodies_begin_as),
    };
    return cmocka_run_group_tests_name("tiled_load", tests, NULL, NULL);
}
