#include "options.h"
#include "random.h"
#include "scene.h"
#include "scene_json.h"
#include "scene_reader.h"
#include "text_file.h"

#include <graze/world.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const scratch = "test_scene.tmp";

static const scene_reader reader = {cli_scene_from_json, "s.json"};

static cli_scene read_good(const char *text)
{
    return reader_accept(reader, text);
}

static void assert_refused(const char *text, const char *line)
{
    reader_refuse(reader, text, line);
}

static void an_empty_object_is_a_scene_of_defaults(void **state)
{
    (void)state;
    cli_scene scene = read_good("{}");
    assert_true(scene.dt == 1.0f / 60.0f);
    assert_int_equal(scene.steps, 60);
    assert_true(scene.gravity.x == 0 && scene.gravity.y == 0);
    assert_false(scene.y_down);
    assert_false(scene.has_view);
    assert_int_equal(grz_list_count(scene.chains), 0);
    assert_int_equal(grz_list_count(scene.bodies), 0);
    cli_scene_free(&scene);
}

static void keys_of_the_scene_are_read(void **state)
{
    (void)state;
    cli_scene scene = read_good("{\"gravity\": [1, -2.5], \"dt\": 0.25, \"steps\": 7,"
                                "\"y_down\": true, \"view\": [[-1, -2], [3, 4]]}");
    assert_true(scene.gravity.x == 1 && scene.gravity.y == -2.5f);
    assert_true(scene.dt == 0.25f);
    assert_int_equal(scene.steps, 7);
    assert_true(scene.y_down && scene.has_view);
    assert_true(scene.view.lower.x == -1 && scene.view.upper.y == 4);
    cli_scene_free(&scene);
}

static void keys_of_a_chain_are_read(void **state)
{
    (void)state;
    cli_scene scene = read_good(
        "{\"terrain\": [{\"points\": [[0, 1], [2, 3]]}, {\"points\": [[4, 5], [6, 7], [8, 9]],"
        "\"loop\": true, \"one_sided\": true, \"sensor\": true, \"user_data\": 9007199254740991,"
        "\"filter\": {\"category\": 4294967295, \"mask\": 0, \"group\": -2147483648}}]}");
    assert_int_equal(grz_list_count(scene.chains), 2);
    const cli_chain *plain = &scene.chains[0];
    assert_false(plain->def.loop || plain->def.one_sided || plain->def.sensor);
    assert_string_equal(plain->place, "terrain[0]");
    const cli_chain *chain = &scene.chains[1];
    assert_int_equal(chain->def.count, 3);
    assert_true(scene.points[chain->first].x == 4 && scene.points[chain->first + 2].y == 9);
    assert_true(chain->def.loop && chain->def.one_sided && chain->def.sensor);
    assert_true(chain->def.user_data == 9007199254740991u);
    assert_int_equal(chain->def.filter.category, UINT32_MAX);
    assert_int_equal(chain->def.filter.mask, 0);
    assert_int_equal(chain->def.filter.group, INT32_MIN);
    cli_scene_free(&scene);
}

static void keys_of_a_body_are_read(void **state)
{
    (void)state;
    cli_scene scene = read_good(
        "{\"bodies\": [{\"shape\": \"rect\", \"half\": [2, 3], \"position\": [4, 5],"
        "\"velocity\": [6, 7], \"angle\": 0.5, \"spin\": -1, \"mass\": 0, \"restitution\": 1,"
        "\"friction\": 0.25, \"response\": \"stop\", \"sensor\": true, \"hit_limit\": 3,"
        "\"lifetime\": 2, \"user_data\": 8, \"filter\": {\"group\": 5}},"
        "{\"radius\": 0}, {\"shape\": \"ray\"}, {}]}");
    assert_int_equal(grz_list_count(scene.bodies), 4);
    const graze_body_def *rect = &scene.bodies[0].def;
    assert_int_equal(rect->shape.kind, GRAZE_SHAPE_RECT);
    assert_true(rect->shape.half.x == 2 && rect->shape.half.y == 3);
    assert_true(rect->position.x == 4 && rect->velocity.y == 7);
    assert_true(rect->angle == 0.5f && rect->spin == -1 && rect->mass == 0);
    assert_true(rect->restitution == 1 && rect->friction == 0.25f && rect->lifetime == 2);
    assert_int_equal(rect->response, GRAZE_STOP);
    assert_true(rect->sensor);
    assert_int_equal(rect->hit_limit, 3);
    assert_true(rect->user_data == 8);
    assert_int_equal(rect->filter.group, 5);
    assert_int_equal(rect->filter.category, 1);
    assert_true(scene.bodies[1].def.shape.radius == 0);
    assert_int_equal(scene.bodies[2].def.shape.kind, GRAZE_SHAPE_RAY);
    assert_true(scene.bodies[3].def.shape.radius == 0.5f);
    assert_string_equal(scene.bodies[3].place, "bodies[3]");
    cli_scene_free(&scene);
}

static bool is_surface(graze_surface surface, float friction, float restitution,
                       float rolling_resistance, float speed)
{
    return surface.friction == friction && surface.restitution == restitution &&
           surface.rolling_resistance == rolling_resistance && surface.speed == speed;
}

static void surfaces_are_read(void **state)
{
    (void)state;
    cli_scene scene = read_good(
        "{\"substeps\": 9, \"bodies\": [{\"friction\": 3, \"surface\": {\"speed\": -2}}, {}],"
        "\"terrain\": [{\"points\": [[0, 0], [1, 0], [1, 1]], \"loop\": true,"
        "\"surface\": {\"friction\": 0.5, \"restitution\": 1},"
        "\"surfaces\": [{}, {\"friction\": 2}, {\"rolling_resistance\": 4}]},"
        "{\"points\": [[0, 0], [1, 0]]}]}");
    assert_int_equal(scene.substeps, 9);
    assert_true(is_surface(scene.bodies[0].def.surface, 3, 0, 0, -2));
    assert_true(is_surface(scene.bodies[1].def.surface, 0, 0, 0, 0));
    const graze_chain_def *chain = &scene.chains[0].def;
    assert_true(is_surface(chain->surface, 0.5f, 1, 0, 0));
    assert_true(is_surface(chain->surfaces[0], 0.5f, 1, 0, 0));
    assert_true(is_surface(chain->surfaces[1], 2, 1, 0, 0));
    assert_true(is_surface(chain->surfaces[2], 0.5f, 1, 4, 0));
    assert_null(scene.chains[1].def.surfaces);
    assert_true(is_surface(scene.chains[1].def.surface, 0, 0, 0, 0));
    cli_scene_free(&scene);
}

static void what_moves_a_body_is_read(void **state)
{
    (void)state;
    cli_scene scene =
        read_good("{\"bodies\": [{\"inertia\": 2, \"damping\": 3, \"spin_damping\": 4,"
                  "\"gravity_scale\": -1, \"never_sleeps\": true, \"response\": \"rigid\"}, {}]}");
    const graze_body_def *body = &scene.bodies[0].def;
    assert_true(body->inertia == 2 && body->damping == 3 && body->spin_damping == 4);
    assert_true(body->gravity_scale == -1 && body->never_sleeps);
    assert_int_equal(body->response, GRAZE_RIGID);
    assert_int_equal(scene.bodies[1].def.response, GRAZE_PASS);
    assert_true(scene.bodies[1].def.gravity_scale == 1 && !scene.bodies[1].def.never_sleeps);
    cli_scene_free(&scene);
}

static void a_repeated_body_is_moved_and_turned_from_copy_to_copy(void **state)
{
    (void)state;
    cli_scene scene =
        read_good("{\"bodies\": [{\"shape\": \"rect\", \"half\": [1, 1], \"position\": [1, 2],"
                  "\"velocity\": [2, 0],"
                  "\"repeat\": {\"count\": 3, \"offset\": [10, -1], \"turn\": 1.57079633}}]}");
    assert_int_equal(grz_list_count(scene.bodies), 3);
    const graze_body_def *last = &scene.bodies[2].def;
    assert_true(last->position.x == 21 && last->position.y == 0);
    assert_float_equal(last->velocity.x, -2, 1e-5);
    assert_float_equal(scene.bodies[1].def.velocity.y, 2, 1e-5);
    assert_float_equal(last->angle, 3.14159265, 1e-5);
    assert_string_equal(scene.bodies[2].place, "bodies[0]");
    cli_scene_free(&scene);
}

/// What is wrong, and how the line about it begins.
static const struct {
    const char *text, *line;
} bad_files[] = {
    {"[]", "s.json: the whole file: must be an object, not an array"},
    {"{\"dt\": 1,}", "s.json:1:10: not valid JSON at \"}\""},
    {"{\"dt\":\n\n  tru}", "s.json:3:3: not valid JSON at \"tru}\""},
    {"{}}", "s.json:1:3: not valid JSON at \"}\""},
    {"{\"dt\": 1", "s.json:1:9: the file ends in the middle"},
    {" ", "s.json:1:1: the file ends in the middle"},
    {"<map/>", "s.json:1:1: this is XML"},
    {"{\"gravty\": 1}", "s.json: gravty: unknown key; known here: gravity, dt,"},
    {"{\"a\\nb\": 1}", "s.json: a?b: unknown key"},
    {"{\"dt\": 1, \"dt\": 1}", "s.json: dt: stands twice"},
    {"{\"bodies\": [{}, {\"mass\": 1, \"filter\": {}, \"mass\": 1}]}",
     "s.json: bodies[1].mass: stands twice"},
    {"{\"dt\": 0}", "s.json: dt: must be above 0, not 0"},
    {"{\"dt\": 1e-50}", "s.json: dt: must be a number that float can hold, not 1e-50"},
    {"{\"bodies\": [{\"mass\": 1e-50}]}",
     "s.json: bodies[0].mass: must be a number that float can"},
    {"{\"bodies\": [{\"lifetime\": 1e-50}]}", "s.json: bodies[0].lifetime: must be a number that"},
    {"{\"dt\": \"fast\"}", "s.json: dt: must be a number, not \"fast\""},
    {"{\"dt\": null}", "s.json: dt: must be a number, not null"},
    {"{\"steps\": 1.5}", "s.json: steps: must be a whole number from 0 to 1000000000, not 1.5"},
    {"{\"steps\": -1}", "s.json: steps: must be a whole number from 0 to 1000000000, not -1"},
    {"{\"steps\": 1e999}",
     "s.json: steps: must be a whole number from 0 to 1000000000, not a number above 1.8e308"},
    {"{\"y_down\": 1}", "s.json: y_down: must be true or false, not 1"},
    {"{\"view\": [[0, 0], [0, 1]]}",
     "s.json: view: the first corner must be lower in x and in y: 0, 0 is not below 0, 1"},
    {"{\"view\": null}", "s.json: view: must be two corners [[x, y], [x, y]], not null"},
    {"{\"view\": [0, 1]}", "s.json: view[0]: must be two numbers [x, y], not 0"},
    {"{\"gravity\": [1]}", "s.json: gravity: must be two numbers [x, y], not 1 value"},
    {"{\"gravity\": [1, 1e39]}", "s.json: gravity[1]: 1e+39 is beyond the range of float"},
    {"{\"gravity\": [1, -1e999]}",
     "s.json: gravity[1]: a number below -1.8e308 is beyond the range of float"},
    {"{\"gravity\": [0, 3.4028237e38]}",
     "s.json: gravity[1]: 3.4028237e+38 is beyond the range of float"},
    {"{\"gravity\": [0, 01]}", "s.json:1:17: not valid JSON at \"01]}\""},
    {"{\"gravity\":\n[-01.5, 0]}", "s.json:2:2: not valid JSON at \"-01.5, 0]}\""},
    {"{\"dt\": 1.}", "s.json:1:8: not valid JSON at \"1.}\""},
    {"{\"dt\": -.5}", "s.json:1:8: not valid JSON at \"-.5}\""},
    {"{\"dt\": 1.e2}", "s.json:1:8: not valid JSON at \"1.e2}\""},
    {"{\"dt\": \v1}", "s.json:1:8: not valid JSON at"},
    {"{\"a\tb\": 1}", "s.json:1:2: not valid JSON at"},
    {"{\"dt\\u0000\": 1}", "s.json:1:2: not valid JSON at \"\"dt\\u0000\": 1}\""},
    {"{\"dt\\\\uZZZZ\": 1}", "s.json: dt\\uZZZZ: unknown key"},
    {"{\"dt\\uZZZZ\": 1}", "s.json:1:2: not valid JSON at \"\"dt\\uZZZZ\": 1}\""},
    {"{\"terrain\": {}}", "s.json: terrain: must be an array, not an object"},
    {"{\"terrain\": [{}]}", "s.json: terrain[0]: \"points\" is missing"},
    {"{\"terrain\": [{\"points\": [[1, 2]]}]}",
     "s.json: terrain[0].points: must hold at least 2 points, not 1"},
    {"{\"terrain\": [{\"points\": [[1, 2], [3, true]]}]}",
     "s.json: terrain[0].points[1][1]: must be a number, not true"},
    {"{\"bodies\": [{}, 7]}", "s.json: bodies[1]: must be an object, not 7"},
    {"{\"bodies\": [{}, {}, {}, {\"radius\": -1}]}",
     "s.json: bodies[3].radius: must be at least 0, not -1"},
    {"{\"bodies\": [{\"half\": [1, 1]}]}", "s.json: bodies[0].half: a circle has no half"},
    {"{\"bodies\": [{\"shape\": \"ray\", \"radius\": 1}]}",
     "s.json: bodies[0].radius: a ray has no radius"},
    {"{\"bodies\": [{\"shape\": \"rect\"}]}", "s.json: bodies[0]: a rect needs \"half\""},
    {"{\"bodies\": [{\"shape\": \"rect\", \"half\": [1, 0]}]}",
     "s.json: bodies[0].half[1]: must be above 0, not 0"},
    {"{\"bodies\": [{\"shape\": \"box\"}]}",
     "s.json: bodies[0].shape: must be \"circle\", \"rect\" or \"ray\", not \"box\""},
    {"{\"bodies\": [{\"shape\": 3}]}",
     "s.json: bodies[0].shape: must be \"circle\", \"rect\" or \"ray\", not 3"},
    {"{\"bodies\": [{\"friction\": -1.5}]}",
     "s.json: bodies[0].friction: must be at least 0, not -1.5"},
    {"{\"bodies\": [{\"surface\": {\"friction\": -1}}]}",
     "s.json: bodies[0].surface.friction: must be at least 0, not -1"},
    {"{\"bodies\": [{\"surface\": {\"restitution\": 1.5}}]}",
     "s.json: bodies[0].surface.restitution: must be at most 1, not 1.5"},
    {"{\"bodies\": [{\"surface\": {\"rolling_resistance\": -1}}]}",
     "s.json: bodies[0].surface.rolling_resistance: must be at least 0, not -1"},
    {"{\"bodies\": [{\"surface\": 1}]}", "s.json: bodies[0].surface: must be an object, not 1"},
    {"{\"bodies\": [{\"inertia\": -1}]}", "s.json: bodies[0].inertia: must be at least 0, not -1"},
    {"{\"bodies\": [{\"damping\": -1}]}", "s.json: bodies[0].damping: must be at least 0, not -1"},
    {"{\"bodies\": [{\"spin_damping\": -1}]}",
     "s.json: bodies[0].spin_damping: must be at least 0, not -1"},
    {"{\"bodies\": [{\"gravity_scale\": true}]}",
     "s.json: bodies[0].gravity_scale: must be a number, not true"},
    {"{\"bodies\": [{\"never_sleeps\": 1}]}",
     "s.json: bodies[0].never_sleeps: must be true or false, not 1"},
    {"{\"terrain\": [{\"points\": [[0, 0], [1, 0]], \"surface\": {\"speed\": \"fast\"}}]}",
     "s.json: terrain[0].surface.speed: must be a number, not \"fast\""},
    {"{\"terrain\": [{\"points\": [[0, 0], [1, 0]], \"surfaces\": [{}, {}]}]}",
     "s.json: terrain[0].surfaces: must hold 1, one for each segment, not 2"},
    {"{\"terrain\": [{\"points\": [[0, 0], [1, 0]], \"surfaces\": [{\"friction\": -1}]}]}",
     "s.json: terrain[0].surfaces[0].friction: must be at least 0, not -1"},
    {"{\"substeps\": 65}", "s.json: substeps: must be a whole number from 0 to 64, not 65"},
    {"{\"substeps\": 0}", "s.json: substeps: must be at least 1, not 0"},
    {"{\"bodies\": [{\"response\": \"Stop\"}]}",
     "s.json: bodies[0].response: must be \"pass\", \"stop\", \"slide\", \"bounce\" or \"rigid\""},
    {"{\"bodies\": [{\"filter\": {\"bits\": 1}}]}",
     "s.json: bodies[0].filter.bits: unknown key; known here: category, mask, pass, group"},
    {"{\"bodies\": [{\"filter\": {\"mask\": 4294967296}}]}",
     "s.json: bodies[0].filter.mask: must be a whole number from 0 to 4294967295, not "
     "4294967296"},
    {"{\"bodies\": [{\"user_data\": 9007199254740993}]}",
     "s.json: bodies[0].user_data: must be a whole number from 0 to 9007199254740991, not "
     "9007199254740992"},
    {"{\"bodies\": [{\"restitution\": 1.00000000001}]}",
     "s.json: bodies[0].restitution: must be at most 1, not 1.00000000001"},
    {"{\"bodies\": [{\"repeat\": {\"count\": 0}}]}",
     "s.json: bodies[0].repeat: \"count\" must be from 1 to 1000000, not 0"},
    {"{\"bodies\": [{\"repeat\": {\"count\": 5, \"offset\": [1e38, 0]}}]}",
     "s.json: bodies[0].repeat: copy 4 is beyond the range of float"},
};

static void a_bad_file_gets_one_line_with_place_and_value(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_files / sizeof *bad_files; ++i) {
        assert_refused(bad_files[i].text, bad_files[i].line);
    }
}

static void nesting_is_bounded(void **state)
{
    (void)state;
    char text[4001];
    memset(text, '[', sizeof text - 1);
    text[sizeof text - 1] = 0;
    assert_refused(text, "s.json:1:1001: nested deeper than 1000 levels");
}

static void write_file(const char *bytes, size_t size)
{
    FILE *file = fopen(scratch, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void assert_file_refused(const char *path, const char *part)
{
    cli_scene scene;
    cli_error error = {""};
    assert_false(cli_scene_read(&scene, path, NULL, &error));
    if (!strstr(error.text, part)) {
        fail_msg("\"%s\" is not in \"%s\"", part, error.text);
    }
}

static void files_that_are_no_text_are_refused(void **state)
{
    (void)state;
    assert_file_refused("no such file.json", "no such file.json: cannot be opened: ");
    assert_file_refused(".", ".: cannot be ");
    write_file("", 0);
    assert_file_refused(scratch, "test_scene.tmp: the file is empty");
    write_file("{}\0{}", 5);
    assert_file_refused(scratch, "test_scene.tmp: byte 2 is zero: not a text file");
    remove(scratch);
}

static void a_file_larger_than_the_limit_is_refused(void **state)
{
    (void)state;
    size_t size = (size_t)CLI_LARGEST_FILE + 1;
    char *blanks = malloc(size);
    assert_non_null(blanks);
    memset(blanks, ' ', size);
    write_file(blanks, size);
    free(blanks);
    assert_file_refused(scratch, "test_scene.tmp: larger than 256 MiB");
    remove(scratch);
}

static void a_large_file_is_read_whole(void **state)
{
    (void)state;
    size_t size = 300000;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, ' ', size);
    memcpy(text + size - 12, "{\"steps\": 9}", 12);
    write_file(text, size);
    free(text);
    cli_scene scene;
    cli_error error;
    assert_true(cli_scene_read(&scene, scratch, NULL, &error));
    assert_int_equal(scene.steps, 9);
    cli_scene_free(&scene);
    remove(scratch);
}

static cli_text read_example(void)
{
    cli_text text;
    cli_error error = {""};
    if (!cli_bytes_read(GRAZE_TEST_DATA "/scene.json", CLI_LARGEST_FILE, &text, &error)) {
        fail_msg("%s", error.text);
    }
    return text;
}

static void a_truncated_scene_is_refused_wherever_it_ends(void **state)
{
    (void)state;
    cli_text text = read_example();
    size_t last = text.size;
    while (text.data[last - 1] == '\n') {
        --last;
    }
    for (size_t end = 0; end < last; ++end) {
        char *part = malloc(end + 1);
        assert_non_null(part);
        memcpy(part, text.data, end);
        part[end] = 0;
        assert_refused(part, "s.json:");
        free(part);
    }
    free(text.data);
}

// Digits, quotes and brackets in wrong places: reading must not crash, whatever it returns.
static void a_damaged_scene_is_read_or_refused(void **state)
{
    (void)state;
    static const char letters[] = "0123456789-+.eE[]{}\",: truefalsn\\u\n\x7F\x80\xFF";
    cli_text text = read_example();
    random_state random = random_seed(11);
    for (int round = 0; round < 3000; ++round) {
        char *damaged = malloc(text.size + 1);
        assert_non_null(damaged);
        memcpy(damaged, text.data, text.size + 1);
        for (uint32_t i = random_below(&random, 4) + 1; i > 0; --i) {
            damaged[random_below(&random, (uint32_t)text.size)] =
                letters[random_below(&random, sizeof letters - 1)];
        }
        cli_scene scene;
        cli_error error = {""};
        bool done = reader_try(reader, &scene, damaged, &error);
        assert_true(done || strncmp(error.text, "s.json:", 7) == 0);
        cli_scene_free(&scene);
        free(damaged);
    }
    free(text.data);
}

static void the_example_with_every_key_becomes_a_world(void **state)
{
    (void)state;
    cli_scene scene;
    cli_stage stage;
    cli_error error = {""};
    const char *path = GRAZE_TEST_DATA "/scene.json";
    if (!cli_scene_read(&scene, path, NULL, &error) ||
        !cli_stage_build(&stage, &scene, path, &error)) {
        fail_msg("%s", error.text);
    }
    graze_world_stats stats = graze_world_get_stats(stage.world);
    assert_int_equal(stats.body_count, 27);
    assert_int_equal(stats.chain_count, 4);
    assert_int_equal(stats.segment_count, 3 + 4 + 1 + 1);
    for (uint32_t i = 0; i < stats.body_count; ++i) {
        assert_int_equal(stage.body_numbers[stage.bodies[i].index], i);
    }
    cli_stage_free(&stage);
    cli_scene_free(&scene);
}

static bool read_words(cli_options *options, const char *line, cli_error *error)
{
    static char words[256];
    char *list[16] = {"graze"};
    int count = 1;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        list[count++] = word;
    }
    return cli_options_read(options, count, list, error);
}

static void options_are_read_in_any_order(void **state)
{
    (void)state;
    cli_options options;
    cli_error error = {""};
    assert_true(read_words(&options,
                           "run --steps 12 a.json --dt=1/50 --picture p.png --every 5 "
                           "--contacts=c.csv --hash --stats",
                           &error));
    assert_int_equal(options.command, CLI_COMMAND_RUN);
    assert_string_equal(options.scene, "a.json");
    assert_true(options.has_steps && options.steps == 12);
    assert_true(options.has_dt && options.dt == 0.02f);
    assert_string_equal(options.picture, "p.png");
    assert_string_equal(options.contacts, "c.csv");
    assert_int_equal(options.every, 5);
    assert_true(options.hash && options.stats);
    assert_true(read_words(&options, "run -- --odd-name", &error));
    assert_string_equal(options.scene, "--odd-name");
    assert_true(read_words(&options, "demo --steps 0", &error));
    assert_true(options.command == CLI_COMMAND_DEMO && options.has_steps);
    assert_string_equal(options.picture, "graze-demo.png");
}

static void help_and_version_are_found(void **state)
{
    (void)state;
    cli_options options;
    cli_error error;
    assert_true(read_words(&options, "--help", &error));
    assert_true(options.command == CLI_COMMAND_HELP && options.help_topic == CLI_COMMAND_HELP);
    assert_true(read_words(&options, "run --help", &error));
    assert_true(options.command == CLI_COMMAND_HELP && options.help_topic == CLI_COMMAND_RUN);
    assert_true(read_words(&options, "demo -h", &error));
    assert_true(options.command == CLI_COMMAND_HELP && options.help_topic == CLI_COMMAND_DEMO);
    assert_true(read_words(&options, "help", &error));
    assert_true(options.command == CLI_COMMAND_HELP && options.help_topic == CLI_COMMAND_HELP);
    assert_true(read_words(&options, "help replay", &error));
    assert_true(options.command == CLI_COMMAND_HELP && options.help_topic == CLI_COMMAND_REPLAY);
    assert_true(read_words(&options, "--help run", &error));
    assert_true(options.command == CLI_COMMAND_HELP && options.help_topic == CLI_COMMAND_RUN);
    assert_true(read_words(&options, "help --help", &error));
    assert_true(read_words(&options, "help help", &error));
    assert_true(options.command == CLI_COMMAND_HELP && options.help_topic == CLI_COMMAND_HELP);
    assert_true(read_words(&options, "--version", &error));
    assert_int_equal(options.command, CLI_COMMAND_VERSION);
}

static void an_empty_name_is_refused(void **state)
{
    (void)state;
    cli_options options;
    cli_error error = {""};
    char *words[] = {"graze", "run", ""};
    assert_false(cli_options_read(&options, 3, words, &error));
    assert_string_equal(error.text, "the name of the file to read is empty");
}

static void a_wrong_command_line_gets_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *words, *line;
    } cases[] = {
        {"walk", "unknown command \"walk\""},
        {"help walk", "unknown command \"walk\"; see graze --help"},
        {"help run demo", "graze help explains one command: what to do with \"demo\"?"},
        {"run", "graze run: which scene?"},
        {"run a b", "one file at a time: both \"a\" and \"b\" are given"},
        {"run a --stepz 3", "unknown option --stepz; see graze run --help"},
        {"run a --steps", "--steps: a whole number from 0 to 1000000000 must follow"},
        {"run a --steps -1", "--steps: must be a whole number from 0 to 1000000000, not \"-1\""},
        {"run a --steps 1e3", "--steps: must be a whole number"},
        {"run a --steps 1000000001", "--steps: must be a whole number"},
        {"run a --steps 99999999999999999999", "--steps: must be a whole number"},
        {"run a --dt 0", "--dt: must be seconds above 0"},
        {"run a --dt nan", "--dt: must be seconds above 0"},
        {"run a --dt inf", "--dt: must be seconds above 0"},
        {"run a --dt 1/0", "--dt: must be seconds above 0"},
        {"run a --dt 1/", "--dt: must be seconds above 0"},
        {"run a --dt 1s", "--dt: must be seconds above 0"},
        {"run a --dt \t1", "--dt: must be seconds above 0"},
        {"run a --dt 1/\t60", "--dt: must be seconds above 0"},
        {"run a --dt +1", "--dt: must be seconds above 0"},
        {"run a --dt -1/-60", "--dt: must be seconds above 0"},
        {"run a --dt 0x1p-6", "--dt: must be seconds above 0"},
        {"run a --every 3", "--every numbers pictures"},
        {"run a --picture p --every 0", "--every: must be a whole number from 1"},
        {"run a --picture=", "--picture: must be a file name"},
        {"run a --every 10 --picture o/", "--picture: must be a file name, not \"o/\""},
        {"run a --picture o/..", "--picture: must be a file name, not \"o/..\""},
        {"run a --record .", "--record: must be a file name, not \".\""},
        {"run a --contacts o/", "--contacts: must be a file name, or - for standard output, not"},
        {"run a --contacts a", "\"a\" (the file to read) and \"a\" (--contacts) are one file"},
        {"run --picture a a", "\"a\" (the file to read) and \"a\" (--picture) are one file"},
        {"run a --record ./a", "\"a\" (the file to read) and \"./a\" (--record) are one file"},
        {"run a --picture b --contacts b", "\"b\" (--contacts) and \"b\" (--picture) are one file"},
        {"demo --record ./graze-demo.png",
         "\"graze-demo.png\" (--picture) and \"./graze-demo.png\" (--record) are one file"},
        {"run a --record b/./c --contacts .//b//c",
         "\".//b//c\" (--contacts) and \"b/./c\" (--record) are one file"},
        {"run a --hash=yes", "--hash takes no value"},
        {"demo a", "graze demo takes no file"},
        {"demo --contacts c.csv", "unknown option --contacts; see graze demo --help"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        cli_options options;
        cli_error error = {""};
        assert_false(read_words(&options, cases[i].words, &error));
        if (strncmp(error.text, cases[i].line, strlen(cases[i].line)) != 0) {
            fail_msg("graze %s says \"%s\"", cases[i].words, error.text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_object_is_a_scene_of_defaults),
        cmocka_unit_test(keys_of_the_scene_are_read),
        cmocka_unit_test(keys_of_a_chain_are_read),
        cmocka_unit_test(keys_of_a_body_are_read),
        cmocka_unit_test(surfaces_are_read),
        cmocka_unit_test(what_moves_a_body_is_read),
        cmocka_unit_test(a_repeated_body_is_moved_and_turned_from_copy_to_copy),
        cmocka_unit_test(a_bad_file_gets_one_line_with_place_and_value),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(files_that_are_no_text_are_refused),
        cmocka_unit_test(a_file_larger_than_the_limit_is_refused),
        cmocka_unit_test(a_large_file_is_read_whole),
        cmocka_unit_test(a_truncated_scene_is_refused_wherever_it_ends),
        cmocka_unit_test(a_damaged_scene_is_read_or_refused),
        cmocka_unit_test(the_example_with_every_key_becomes_a_world),
        cmocka_unit_test(options_are_read_in_any_order),
        cmocka_unit_test(help_and_version_are_found),
        cmocka_unit_test(an_empty_name_is_refused),
        cmocka_unit_test(a_wrong_command_line_gets_one_line),
    };
    return cmocka_run_group_tests_name("scene", tests, NULL, NULL);
}
