#include "options.h"
#include "random.h"
#include "record.h"
#include "replay_command.h"

#include <graze/graze.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const scratch = "test_record.tmp";

enum { BODIES = 12, STEPS = 20, HEADER = 32, CHECKSUM = 8 };

#define STEP (1.0f / 60.0f)

static graze_world *make_world(void)
{
    graze_world_def world_def = graze_world_def_default();
    world_def.gravity.y = -5;
    graze_world *world = graze_world_create(&world_def);
    const graze_vec2 floor[] = {{-9, 0}, {9, 0}};
    graze_chain_def chain = graze_chain_def_default();
    chain.points = floor;
    chain.count = 2;
    graze_chain_create(world, &chain);
    for (uint32_t i = 0; i < BODIES; ++i) {
        graze_body_def body = graze_body_def_default();
        body.position.x = (float)i - 6;
        body.position.y = 2;
        body.velocity.x = (float)(i % 3) - 1;
        body.response = i % 2 ? GRAZE_BOUNCE : GRAZE_STOP;
        body.lifetime = i == 7 ? 0.2f : 0;
        graze_body_create(world, &body);
    }
    return world;
}

/// Does something to the world after a step.
typedef void change_fn(graze_world *world);

static void change_nothing(graze_world *world)
{
    (void)world;
}

// Records a run in which `change` happens after step `when`.
static void record_run(change_fn *change, uint32_t when)
{
    graze_world *world = make_world();
    const cli_run_plan plan = {STEP, STEPS, BODIES};
    cli_recorder recorder = {NULL, NULL, 0, 0};
    cli_error error;
    assert_true(cli_recorder_open(&recorder, scratch, world, &plan, &error));
    for (uint32_t step = 1; step <= STEPS; ++step) {
        graze_world_step(world, STEP);
        if (step == when) {
            change(world);
        }
        assert_true(cli_recorder_add(&recorder, world));
    }
    assert_true(cli_recorder_close(&recorder, &error));
    graze_world_destroy(world);
}

static unsigned char *read_scratch(size_t *size)
{
    unsigned char *bytes = malloc(1 << 16);
    FILE *file = fopen(scratch, "rb");
    assert_non_null(bytes);
    assert_non_null(file);
    *size = fread(bytes, 1, 1 << 16, file);
    fclose(file);
    return bytes;
}

static void write_scratch(const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(scratch, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void assert_refused(const char *words)
{
    cli_record record;
    cli_error error = {""};
    bool done = cli_record_read(&record, scratch, &error);
    if (done || !strstr(error.text, words)) {
        fail_msg("%s; wanted: %s", done ? "read" : error.text, words);
    }
    assert_null(record.data);
}

// --- what a record holds ---

static void a_record_holds_how_the_run_is_done_again(void **state)
{
    (void)state;
    record_run(change_nothing, 0);
    cli_record record;
    cli_error error;
    assert_true(cli_record_read(&record, scratch, &error));
    assert_true(record.plan.dt == STEP);
    assert_int_equal(record.plan.steps, STEPS);
    assert_int_equal(record.plan.body_count, BODIES);
    graze_world *world = make_world();
    assert_int_equal(record.snapshot_size, graze_world_snapshot_size(world));
    for (uint32_t step = 1; step <= STEPS; ++step) {
        graze_world_step(world, STEP);
        assert_true(cli_record_compare(&record, world, step).same);
    }
    graze_world_destroy(world);
    free(record.data);
}

static void without_a_file_nothing_is_recorded(void **state)
{
    (void)state;
    cli_recorder recorder = {NULL, NULL, 0, 0};
    cli_error error;
    graze_world *world = make_world();
    assert_true(cli_recorder_add(&recorder, world));
    assert_true(cli_recorder_close(&recorder, &error));
    graze_world_destroy(world);
}

// --- what differs ---

static void nudge_body_five(graze_world *world)
{
    graze_body_id body = graze_world_body_at(world, 5);
    graze_vec2 position = graze_body_position(world, body);
    position.x += 1e-6f;
    graze_body_set_position(world, body, position);
}

static void destroy_body_nine(graze_world *world)
{
    graze_body_destroy(world, graze_world_body_at(world, 9));
}

static void make_body_three_a_ghost(graze_world *world)
{
    const graze_filter ghost = {0, 0, 0};
    graze_body_set_filter(world, graze_world_body_at(world, 3), ghost);
}

static void the_first_step_and_body_that_differ_are_found(void **state)
{
    (void)state;
    const struct {
        change_fn *change;
        uint32_t step;
        bool has_body;
        uint32_t body;
    } cases[] = {
        {nudge_body_five, 1, true, 5},          {nudge_body_five, 13, true, 5},
        {destroy_body_nine, 4, true, 9},        {destroy_body_nine, STEPS, true, 9},
        {make_body_three_a_ghost, 2, false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        record_run(cases[i].change, cases[i].step);
        cli_record record;
        cli_error error;
        assert_true(cli_record_read(&record, scratch, &error));
        graze_world *world = make_world();
        cli_comparison found = {.same = true};
        uint32_t step = 0;
        while (found.same && step < STEPS) {
            graze_world_step(world, STEP);
            found = cli_record_compare(&record, world, ++step);
        }
        assert_false(found.same);
        assert_int_equal(step, cases[i].step);
        assert_int_equal(found.has_body, cases[i].has_body);
        if (found.has_body) {
            assert_int_equal(found.body, cases[i].body);
        }
        graze_world_destroy(world);
        free(record.data);
    }
}

static void a_replay_that_differs_ends_with_status_one(void **state)
{
    (void)state;
    cli_options options = {.command = CLI_COMMAND_REPLAY, .scene = scratch};
    record_run(nudge_body_five, 6);
    assert_int_equal(cli_replay(&options), CLI_FAILED);
    record_run(destroy_body_nine, 6);
    assert_int_equal(cli_replay(&options), CLI_FAILED);
    record_run(make_body_three_a_ghost, 6);
    assert_int_equal(cli_replay(&options), CLI_FAILED);
    record_run(change_nothing, 0);
    assert_int_equal(cli_replay(&options), CLI_OK);
}

// --- damage ---

static void every_shorter_or_longer_file_is_refused(void **state)
{
    (void)state;
    record_run(change_nothing, 0);
    size_t size;
    unsigned char *bytes = read_scratch(&size);
    for (size_t length = 0; length < size; ++length) {
        write_scratch(bytes, length);
        assert_refused(length < 8 ? "not a record" : "cut short");
    }
    write_scratch(bytes, size + 1);
    assert_refused("damaged");
    free(bytes);
}

static void every_changed_byte_is_damage(void **state)
{
    (void)state;
    record_run(change_nothing, 0);
    random_state random = random_seed(1);
    size_t size;
    unsigned char *bytes = read_scratch(&size);
    for (size_t i = 0; i < size; ++i) {
        unsigned char was = bytes[i];
        bytes[i] = (unsigned char)(was ^ (1u + random_below(&random, 255)));
        write_scratch(bytes, size);
        assert_refused(i < 8        ? "not a record"
                       : i < 12     ? "of version"
                       : i < HEADER ? ""
                                    : "damaged");
        bytes[i] = was;
    }
    free(bytes);
}

static void put_checksum(unsigned char *bytes, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size - CHECKSUM; ++i) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    for (size_t i = 0; i < CHECKSUM; ++i) {
        bytes[size - CHECKSUM + i] = (unsigned char)(hash >> (8 * i));
    }
}

// Those of bodies are read only where the hash of the step differs.
static bool is_short_hash(size_t place, size_t size)
{
    enum { EACH = 8 + 2 * BODIES };
    size_t first = size - CHECKSUM - STEPS * EACH;
    return place >= size - CHECKSUM || (place >= first && (place - first) % EACH >= 8);
}

// With a right checksum: whoever forges a record gets a refusal or a replay that differs.
static void forged_numbers_lead_nowhere(void **state)
{
    (void)state;
    record_run(change_nothing, 0);
    cli_options options = {.command = CLI_COMMAND_REPLAY, .scene = scratch};
    random_state random = random_seed(2);
    size_t size;
    unsigned char *bytes = read_scratch(&size);
    unsigned char *forged = malloc(size);
    assert_non_null(forged);
    for (uint32_t i = 0; i < 300; ++i) {
        memcpy(forged, bytes, size);
        uint32_t place = 12 + random_below(&random, (i % 2 ? HEADER : (uint32_t)size) - 12);
        forged[place] = (unsigned char)(forged[place] ^ (1u + random_below(&random, 255)));
        put_checksum(forged, size);
        write_scratch(forged, size);
        if (cli_replay(&options) == CLI_OK && !is_short_hash(place, size)) {
            fail_msg("byte %u of %u", (unsigned)place, (unsigned)size);
        }
    }
    free(forged);
    free(bytes);
}

static int remove_scratch(void **state)
{
    (void)state;
    remove(scratch);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_holds_how_the_run_is_done_again),
        cmocka_unit_test(without_a_file_nothing_is_recorded),
        cmocka_unit_test(the_first_step_and_body_that_differ_are_found),
        cmocka_unit_test(a_replay_that_differs_ends_with_status_one),
        cmocka_unit_test(every_shorter_or_longer_file_is_refused),
        cmocka_unit_test(every_changed_byte_is_damage),
        cmocka_unit_test(forged_numbers_lead_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, remove_scratch);
}
