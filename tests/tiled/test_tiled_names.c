// Names of layers, classes and properties that say whether something is solid.

#include "tiled_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

typedef struct named_rank {
    const char *name;
    grz_rank rank;
} named_rank;

static void expect_ranks(const named_rank *names, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const grz_rank rank = grz_name_rank(names[i].name);
        if (rank != names[i].rank) {
            fail_msg("\"%s\" has rank %d, not %d", names[i].name, (int)rank, (int)names[i].rank);
        }
    }
}

#define EXPECT_RANKS(names) expect_ranks((names), sizeof(names) / sizeof *(names))

static void case_separators_numbers_and_fillers_do_not_matter(void **state)
{
    (void)state;
    static const named_rank names[] = {{"Collision", GRZ_RANK_COLLISION},
                                       {"COLLISIONS", GRZ_RANK_COLLISION},
                                       {"collision_layer 2", GRZ_RANK_COLLISION},
                                       {"CollisionLayer", GRZ_RANK_COLLISION},
                                       {"tile-collisions", GRZ_RANK_COLLISION},
                                       {"worldcollision", GRZ_RANK_COLLISION},
                                       {"blockedLayer", GRZ_RANK_COLLISION},
                                       {"solid-objects", GRZ_RANK_COLLISION},
                                       {"layer02-nonpassable", GRZ_RANK_COLLISION},
                                       {"Wall", GRZ_RANK_WALL},
                                       {"walls01", GRZ_RANK_WALL},
                                       {"WallsLayer", GRZ_RANK_WALL},
                                       {"walllayer", GRZ_RANK_WALL},
                                       {"InvisibleWalls", GRZ_RANK_WALL},
                                       {"Platforms", GRZ_RANK_PLATFORM},
                                       {"platform_tiles", GRZ_RANK_PLATFORM},
                                       {"Ground", GRZ_RANK_FLOOR},
                                       {"groundtiles", GRZ_RANK_FLOOR},
                                       {"Terrain 1", GRZ_RANK_GROUND},
                                       {"World", GRZ_RANK_WHOLE},
                                       {"foreground layer", GRZ_RANK_WHOLE}};
    EXPECT_RANKS(names);
}

static void other_languages_are_known(void **state)
{
    (void)state;
    static const named_rank names[] = {{"Kollision", GRZ_RANK_COLLISION},
                                       {"Kollisionen", GRZ_RANK_COLLISION},
                                       {"W\xC3\xA4nde", GRZ_RANK_WALL},
                                       {"W\xC3\x84NDE", GRZ_RANK_WALL},
                                       {"Hindernisse", GRZ_RANK_WALL},
                                       {"murs", GRZ_RANK_WALL},
                                       {"Plateformes", GRZ_RANK_PLATFORM},
                                       {"Colisi\xC3\xB3n", GRZ_RANK_COLLISION},
                                       {"COLISIONES", GRZ_RANK_COLLISION},
                                       {"Paredes", GRZ_RANK_WALL},
                                       {"Suelo", GRZ_RANK_FLOOR},
                                       {"ch\xC3\xA3o", GRZ_RANK_FLOOR},
                                       {"Collisioni", GRZ_RANK_COLLISION},
                                       {"muri", GRZ_RANK_WALL},
                                       {"Kolizje", GRZ_RANK_COLLISION},
                                       {"\xD0\xA1\xD1\x82\xD0\xB5\xD0\xBD\xD1\x8B", GRZ_RANK_WALL},
                                       {"\xE7\xA2\xB0\xE6\x92\x9E", GRZ_RANK_COLLISION},
                                       {"\xE5\xA2\x99", GRZ_RANK_WALL}};
    EXPECT_RANKS(names);
}

static void what_says_the_contrary_is_not_solid(void **state)
{
    (void)state;
    static const named_rank names[] = {{"No Collision", GRZ_RANK_NOT},
                                       {"no-collision above player", GRZ_RANK_NOT},
                                       {"NonCollidable", GRZ_RANK_NOT},
                                       {"nocollision", GRZ_RANK_NOT},
                                       {"nocollisionobjects", GRZ_RANK_NOT},
                                       {"kill-collision", GRZ_RANK_NOT},
                                       {"Sin colisiones", GRZ_RANK_NOT},
                                       {"ohne Kollision", GRZ_RANK_NOT},
                                       {"Not solid", GRZ_RANK_NOT},
                                       {"not walkable", GRZ_RANK_COLLISION},
                                       {"unwalkable", GRZ_RANK_COLLISION},
                                       {"Wall decoration", GRZ_RANK_NOT},
                                       {"walls_top", GRZ_RANK_NOT},
                                       {"Ground Details", GRZ_RANK_NOT},
                                       {"platform spawns", GRZ_RANK_NOT},
                                       {"Camera bounds", GRZ_RANK_NOT},
                                       {"Collision Details", GRZ_RANK_COLLISION}};
    EXPECT_RANKS(names);
}

static void other_names_say_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"",
                                        "Tile Layer 1",
                                        "Objects",
                                        "Background",
                                        "background",
                                        "casino",
                                        "spawn",
                                        "Wallet",
                                        "underground cave lights",
                                        "Camada de Blocos 1",
                                        "snow",
                                        "trees2",
                                        "12345",
                                        "\xFF\xFE",
                                        "platformer"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        const grz_rank rank = grz_name_rank(names[i]);
        if (rank != GRZ_RANK_NONE && rank != GRZ_RANK_WHOLE) {
            fail_msg("\"%s\" has rank %d", names[i], (int)rank);
        }
    }
}

static void long_names_are_cut(void **state)
{
    (void)state;
    char name[5000];
    for (size_t i = 0; i < sizeof name - 1; ++i) {
        name[i] = i % 3 ? (char)('A' + i % 26) : ' ';
    }
    name[sizeof name - 1] = 0;
    (void)grz_name_rank(name);
    for (size_t i = 0; i < sizeof name - 1; ++i) {
        name[i] = i % 2 ? '\xA4' : '\xC3';
    }
    (void)grz_name_rank(name);
    assert_false(grz_name_is_solid_property(name));
}

static void properties_are_known_in_any_style(void **state)
{
    (void)state;
    assert_true(grz_name_is_solid_property("Collides"));
    assert_true(grz_name_is_solid_property("is_solid"));
    assert_true(grz_name_is_solid_property("Is Impassable"));
    assert_true(grz_name_is_open_property("canWalk"));
    assert_true(grz_name_is_solid_property("isCollidable"));
    assert_true(grz_name_is_solid_property("COLLISION"));
    assert_false(grz_name_is_solid_property("collisionSound"));
    assert_false(grz_name_is_solid_property("damage"));
    assert_true(grz_name_is_open_property("Walkable"));
    assert_true(grz_name_is_open_property("passable"));
    assert_false(grz_name_is_open_property("solid"));
    assert_true(grz_name_is_kind_property("tileType"));
    assert_true(grz_name_is_thing("Player Spawn"));
    assert_false(grz_name_is_thing("rock"));
    assert_true(grz_name_is_scenery("Background 2"));
}

static void expect_name(const char *name, char group)
{
    static const struct {
        char group;
        grz_rank least, most;
    } groups[] = {{'1', GRZ_RANK_COLLISION, GRZ_RANK_COLLISION},
                  {'2', GRZ_RANK_PLATFORM, GRZ_RANK_WALL},
                  {'3', GRZ_RANK_FLOOR, GRZ_RANK_GROUND},
                  {'4', GRZ_RANK_WHOLE, GRZ_RANK_WHOLE}};
    const size_t place = (size_t)(group - '1');
    const grz_rank rank = grz_name_rank(name);
    if (rank < groups[place].least || rank > groups[place].most) {
        fail_msg("tiled.md has \"%s\" under %c, but its rank is %d", name, group, (int)rank);
    }
}

// Of a row "| 1 | a layer, ... | name, name; name |".
static size_t expect_row(char *row)
{
    char *names = strchr(strchr(row + 2, '|') + 1, '|') + 1;
    size_t count = 0;
    for (char *name = strtok(names, ",;|\n"); name; name = strtok(NULL, ",;|\n")) {
        name += strspn(name, " ");
        name[strcspn(name, " ")] = strncmp(name, "not ", 4) == 0 ? ' ' : 0;
        count += *name != 0;
        if (*name) {
            expect_name(name, row[2]);
        }
    }
    return count;
}

static void the_page_lists_names_that_are_known(void **state)
{
    (void)state;
    static char row[4096];
    size_t count = 0;
    FILE *page = fopen(GRAZE_TEST_DATA "/../../engine/tiled/tiled.md", "r");
    assert_non_null(page);
    while (fgets(row, sizeof row, page)) {
        const char *said = strstr(row, " a layer");
        if (row[0] == '|' && strstr(row, "a property that is true")) {
            *strstr(row, ", also with") = 0;
            char *names = strchr(strchr(row + 2, '|') + 1, '|') + 1;
            for (char *name = strtok(names, ", "); name; name = strtok(NULL, ", ")) {
                assert_true(grz_name_is_solid_property(name));
                ++count;
            }
        }
        if (row[0] == '|' && row[2] >= '1' && row[2] <= '4' && said && said < row + 8) {
            count += expect_row(row);
        }
    }
    fclose(page);
    assert_true(count > 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_separators_numbers_and_fillers_do_not_matter),
        cmocka_unit_test(other_languages_are_known),
        cmocka_unit_test(what_says_the_contrary_is_not_solid),
        cmocka_unit_test(other_names_say_nothing),
        cmocka_unit_test(long_names_are_cut),
        cmocka_unit_test(properties_are_known_in_any_style),
        cmocka_unit_test(the_page_lists_names_that_are_known),
    };
    return cmocka_run_group_tests_name("tiled_names", tests, NULL, NULL);
}
