#include "support/failing_allocator.h"
#include "support/record_kit.h"

#include "record_format.h"
#include "state.h"

#include <stdlib.h>
#include <string.h>

// What a replay finds: the first step and body that differ, damage wherever it is.

enum { BODIES = 100, STEPS = 12, WHEN = 5 };

#define STEP (1.0f / 60.0f)

// --- a record to work on ---

static graze_world *make_world(void)
{
    graze_world_def def = graze_world_def_default();
    def.gravity.y = -5;
    graze_world *world = graze_world_create(&def);
    kit_wall(world, -900, -9, 900, -9);
    for (uint32_t i = 0; i < BODIES; ++i) {
        graze_body_def body = kit_circle(3 * (float)i, 1, 0.5f);
        body.response = i % 2 ? GRAZE_BOUNCE : GRAZE_PASS;
        body.lifetime = i == 7 ? 0.1f : 0;
        kit_add(world, body);
    }
    return world;
}

/// Does something to the world before a step.
typedef void change_fn(graze_world *world);

static void change_nothing(graze_world *world)
{
    (void)world;
}

// The recorder does not see it.
static void change_unseen(graze_world *world, change_fn *change)
{
    grz_recorder *recorder = world->recorder;
    world->recorder = NULL;
    change(world);
    world->recorder = recorder;
}

// A body is moved, one is created and one destroyed along the way, so that there are calls.
static void play(graze_world *world, change_fn *change)
{
    for (uint32_t step = 1; step <= STEPS; ++step) {
        const graze_vec2 place = {3 * (float)(BODIES - step), (float)step};
        graze_body_set_position(world, graze_world_body_at(world, BODIES - step), place);
        if (step == 3) {
            kit_add(world, kit_bullet(1, -3, 0, 5));
            graze_body_destroy(world, graze_world_body_at(world, 50));
        }
        if (step == WHEN) {
            change_unseen(world, change);
        }
        kit_step(world, STEP);
    }
}

static kit_record make_record(change_fn *change, bool names_bodies)
{
    kit_record record = {0};
    graze_world *world = make_world();
    graze_record_def def = graze_record_def_default();
    def.write = kit_record_write;
    def.write_user = &record;
    def.names_bodies = names_bodies;
    assert_int_equal(graze_record_start(world, &def), GRAZE_OK);
    play(world, change);
    assert_int_equal(graze_record_stop(world), GRAZE_OK);
    graze_world_destroy(world);
    return record;
}

// Returns what the first advance comes to that is no step.
static graze_replay_state play_again(graze_replay *replay)
{
    graze_replay_state state;
    do {
        state = graze_replay_advance(replay);
    } while (state == GRAZE_REPLAY_STEPPED);
    assert_int_equal(graze_replay_advance(replay), state); // It stays like that.
    return state;
}

static void assert_says(const graze_replay *replay, const char *words)
{
    const char *message = graze_replay_message(replay);
    if (!strstr(message, words)) {
        fail_msg("\"%s\"; wanted: \"%s\"", message, words);
    }
    assert_null(strchr(message, '\n'));
}

static graze_replay_difference find_difference(const kit_record *record, const char *words)
{
    graze_replay *replay = kit_replay(record);
    assert_int_equal(play_again(replay), GRAZE_REPLAY_DIFFERS);
    assert_int_equal(graze_replay_status(replay), GRAZE_OK);
    assert_says(replay, words);
    const graze_replay_difference found = graze_replay_get_difference(replay);
    graze_replay_destroy(replay);
    return found;
}

// --- what differs ---

static void nudge_five(graze_world *world)
{
    const graze_body_id body = graze_world_body_at(world, 5);
    graze_vec2 position = graze_body_position(world, body);
    position.x += 1e-6f;
    graze_body_set_position(world, body, position);
}

static void push_eighty(graze_world *world)
{
    graze_body_set_velocity(world, graze_world_body_at(world, 80), (graze_vec2){1, 2});
}

static void push_three(graze_world *world)
{
    for (uint32_t i = 20; i < 80; i += 25) { // 45 is of the block of 20, 70 of the next one.
        graze_body_set_velocity(world, graze_world_body_at(world, i), (graze_vec2){1, 2});
    }
}

static void destroy_nine(graze_world *world)
{
    graze_body_destroy(world, graze_world_body_at(world, 9));
}

static void create_far_ahead(graze_world *world)
{
    graze_body_def defs[40];
    for (uint32_t i = 0; i < 40; ++i) {
        defs[i] = kit_circle(0, 100, 1);
    }
    graze_body_create_many(world, defs, 40, NULL);
}

static void filter_three(graze_world *world)
{
    const graze_filter ghost = {0, 0, 0};
    graze_body_set_filter(world, graze_world_body_at(world, 3), ghost);
}

static void the_first_step_and_body_that_differ_are_named(void **state)
{
    (void)state;
    static const struct {
        change_fn *change;
        uint32_t body, count;
        bool is_known;
        const char *words;
    } cases[] = {
        {nudge_five, 5, 1, true, "step 5 differs, the first, in body 5 of generation 1; position "},
        {push_eighty, 80, 1, true, "velocity was (1, "},
        {push_three, 20, 3, false, "in body 20 of generation 1 and 2 more: it is now at (60, "},
        {destroy_nine, 9, 1, true, "in body 9 of generation 1: it was not there, and is now at"},
        {create_far_ahead, 50, 40, true, "in body 50 of generation 2 and 39 more: it was at (0, "},
        {filter_three, 3, 1, true, "in body 3 of generation 1; what moves of it is the same"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        kit_record record = make_record(cases[i].change, true);
        const graze_replay_difference found = find_difference(&record, cases[i].words);
        assert_int_equal(found.kind, GRAZE_DIFFERENCE_BODY);
        assert_int_equal(found.step, WHEN);
        assert_int_equal(found.index, cases[i].body);
        assert_int_equal(found.body_count, cases[i].count);
        assert_int_equal(found.is_known, cases[i].is_known);
        kit_record_free(&record);
    }
}

static void both_values_of_the_body_are_given(void **state)
{
    (void)state;
    kit_record record = make_record(push_eighty, true);
    const graze_replay_difference found = find_difference(&record, "position was (");
    graze_world *world = make_world();
    for (uint32_t step = 1; step <= WHEN; ++step) {
        if (step == WHEN) {
            push_eighty(world);
        }
        kit_step(world, STEP);
    }
    const graze_body_id body = graze_world_body_at(world, 80);
    assert_int_equal(found.recorded.generation, 1);
    kit_assert_same_vec2(found.recorded.position, graze_body_position(world, body));
    kit_assert_same_vec2(found.recorded.velocity, graze_body_velocity(world, body));
    assert_true(found.replayed.velocity.x == 0);
    graze_world_destroy(world);
    kit_record_free(&record);
}

static void without_what_names_bodies_the_step_is_found(void **state)
{
    (void)state;
    kit_record long_one = make_record(nudge_five, true);
    kit_record record = make_record(nudge_five, false);
    const graze_replay_difference found =
        find_difference(&record, "step 5 differs, the first; the record does not say");
    assert_int_equal(found.kind, GRAZE_DIFFERENCE_STATE);
    assert_int_equal(found.step, WHEN);
    assert_int_equal(long_one.size - record.size, STEPS * 2 * sizeof(grz_digest_block));
    kit_record_free(&record);
    kit_record_free(&long_one);
}

static void destroy_the_wall(graze_world *world)
{
    graze_chain_destroy(world, (graze_chain_id){0, 1});
}

static void terrain_that_differs_is_told_at_the_end(void **state)
{
    (void)state;
    kit_record record = make_record(destroy_the_wall, true);
    const graze_replay_difference found = find_difference(&record, "terrain");
    assert_int_equal(found.kind, GRAZE_DIFFERENCE_WHOLE);
    assert_int_equal(found.step, STEPS);
    kit_record_free(&record);
}

static void make_next_generation(graze_world *world)
{
    const graze_body_id body = kit_add(world, kit_circle(0, 50, 1));
    graze_body_destroy(world, body);
}

// Bodies that are gone show by the ids of those that come.
static void an_id_that_differs_is_a_call_that_does(void **state)
{
    (void)state;
    kit_record record = {0};
    graze_world *world = make_world();
    kit_record_start(&record, world);
    kit_step(world, STEP);
    change_unseen(world, make_next_generation);
    kit_step(world, STEP);
    destroy_nine(world);
    kit_add(world, kit_circle(0, 0, 1));
    kit_add(world, kit_circle(0, 0, 1));
    graze_world_destroy(world);
    const graze_replay_difference found = find_difference(
        &record, "after step 2: call 3, graze_body_create, did make {100, 2} and makes {100, 1}");
    assert_int_equal(found.kind, GRAZE_DIFFERENCE_CALL);
    assert_int_equal(found.step, 2);
    kit_record_free(&record);
}

// --- bits that are wrong, under a checksum that is right ---

/// A piece of a record.
typedef struct piece {
    unsigned char *frame, *entries;
    size_t size; ///< Of the entries.
    uint64_t number;
} piece;

// Goes through the pieces; the first call takes a piece that is all zero.
static bool next_piece(const kit_record *record, piece *at)
{
    unsigned char *next =
        at->frame ? at->entries + at->size : record->bytes + sizeof(grz_record_header);
    grz_record_frame frame;
    if (next == record->bytes + record->size) {
        return false;
    }
    memcpy(&frame, next, sizeof frame);
    at->frame = next;
    at->entries = next + sizeof frame;
    at->size = (size_t)frame.size;
    at->number = frame.number;
    return true;
}

static piece find_piece(const kit_record *record, uint64_t number)
{
    piece at = {0};
    while (next_piece(record, &at)) {
        if (at.number == number) {
            return at;
        }
    }
    fail_msg("no piece %u", (unsigned)number);
    return at;
}

static void flip(const piece *in, size_t place, unsigned bit)
{
    assert_true(place < in->size);
    in->entries[place] = (unsigned char)(in->entries[place] ^ 1u << bit);
    grz_record_close_frame(in->frame, in->number, in->size);
}

// A piece is a step with the calls before it: here, of one set_position.
static void a_wrong_bit_of_an_argument_is_found_in_its_body_and_step(void **state)
{
    (void)state;
    for (uint32_t step = 4; step <= STEPS; ++step) {
        kit_record record = make_record(change_nothing, true);
        const piece in = find_piece(&record, step);
        assert_int_equal(in.entries[0], GRZ_RECORD_SET_POSITION);
        flip(&in, 1 + GRZ_RECORD_ID_SIZE, step % 8);
        const graze_replay_difference found = find_difference(&record, "; position was (");
        assert_int_equal(found.kind, GRAZE_DIFFERENCE_BODY);
        assert_int_equal(found.step, step);
        assert_int_equal(found.index, BODIES - step);
        assert_true(found.is_known);
        kit_record_free(&record);
    }
}

static void a_wrong_bit_of_a_hash_is_found_in_its_step(void **state)
{
    (void)state;
    const size_t set_size = 1 + GRZ_RECORD_ID_SIZE + sizeof(graze_vec2);
    kit_record record = make_record(change_nothing, true);
    const piece in = find_piece(&record, 9);
    const size_t digest = set_size + 1 + GRZ_RECORD_STEP_SIZE - sizeof(uint64_t);
    flip(&in, digest, 0);
    const graze_replay_difference found =
        find_difference(&record, "step 9 differs, the first; no body does, so what met does");
    assert_int_equal(found.kind, GRAZE_DIFFERENCE_STATE);
    // Now of the sum of the second block, too.
    flip(&in, digest + sizeof(uint64_t) + sizeof(grz_digest_block), 0);
    (void)find_difference(&record, "step 9 differs, the first, in a body of 64 to 127");
    // Now of the short hash of body 70, too.
    flip(&in,
         digest + sizeof(uint64_t) + sizeof(grz_digest_block) + offsetof(grz_digest_block, bodies) +
             2 * 6,
         3);
    assert_int_equal(find_difference(&record, "in body 70").index, 70);
    kit_record_free(&record);
}

static void a_wrong_bit_of_the_start_is_found_at_once(void **state)
{
    (void)state;
    kit_record record = make_record(change_nothing, true);
    const piece in = find_piece(&record, 0);
    flip(&in, 3, 0); // Of the hash.
    const graze_replay_difference found = find_difference(&record, "at the start");
    assert_int_equal(found.kind, GRAZE_DIFFERENCE_WHOLE);
    assert_int_equal(found.step, 0);
    kit_record_free(&record);
}

// --- damage ---

// Returns the status of the first failure, or OK when there is none.
static graze_status try_record(const unsigned char *bytes, size_t size, uint64_t *steps)
{
    const graze_world_def def = graze_world_def_default();
    graze_replay *replay;
    graze_status status = graze_replay_create(&def, bytes, size, &replay);
    *steps = 0;
    if (status == GRAZE_OK) {
        const graze_replay_state state = play_again(replay);
        assert_int_not_equal(state, GRAZE_REPLAY_DIFFERS);
        assert_int_equal(state == GRAZE_REPLAY_ENDED, graze_replay_status(replay) == GRAZE_OK);
        status = graze_replay_status(replay);
        *steps = graze_replay_step_count(replay);
    }
    graze_replay_destroy(replay);
    return status;
}

// Exactly as many bytes as there are, for who reads past the end to be seen.
static void every_record_cut_short_is_played_up_to_there_and_refused(void **state)
{
    (void)state;
    kit_record record = make_record(change_nothing, true);
    uint64_t most = 0;
    for (size_t size = 0; size < record.size; size += size < 200 ? 1 : 37) {
        uint64_t steps;
        unsigned char *bytes = malloc(size + 1);
        assert_non_null(bytes);
        memcpy(bytes + 1, record.bytes, size);
        assert_int_equal(try_record(bytes + 1, size, &steps), GRAZE_ERROR_FORMAT);
        assert_true(steps >= most);
        most = steps;
        free(bytes);
    }
    assert_int_equal(most, STEPS);
    kit_record_free(&record);
}

static void every_changed_byte_is_damage_not_a_difference(void **state)
{
    (void)state;
    kit_record record = make_record(change_nothing, true);
    random_state random = random_seed(1);
    uint64_t steps;
    for (size_t i = 0; i < record.size; i += i < 200 ? 1 : 1 + random_below(&random, 60)) {
        const unsigned char was = record.bytes[i];
        record.bytes[i] = (unsigned char)(was ^ (1u + random_below(&random, 255)));
        assert_int_equal(try_record(record.bytes, record.size, &steps), GRAZE_ERROR_FORMAT);
        record.bytes[i] = was;
    }
    assert_int_equal(try_record(record.bytes, record.size, &steps), GRAZE_OK);
    kit_record_free(&record);
}

static void pieces_out_of_place_are_damage(void **state)
{
    (void)state;
    kit_record record = make_record(change_nothing, true);
    uint64_t steps;
    const piece third = find_piece(&record, 6);
    const piece fourth = find_piece(&record, 7);
    assert_int_equal(third.size, fourth.size);
    // One piece stands where another should.
    memcpy(third.frame, fourth.frame, (size_t)(fourth.entries - fourth.frame) + fourth.size);
    assert_int_equal(try_record(record.bytes, record.size, &steps), GRAZE_ERROR_FORMAT);
    assert_int_equal(steps, 5);
    kit_record_free(&record);
}

static void what_follows_the_end_is_damage(void **state)
{
    (void)state;
    kit_record record = make_record(change_nothing, true);
    uint64_t steps;
    assert_true(kit_record_write("more", 4, &record));
    assert_int_equal(try_record(record.bytes, record.size, &steps), GRAZE_ERROR_FORMAT);
    kit_record_free(&record);
}

// With right checksums: whoever forges a record gets some end, and no more.
static void forged_bytes_lead_nowhere(void **state)
{
    (void)state;
    kit_record record = make_record(change_nothing, true);
    random_state random = random_seed(2);
    unsigned char *whole = malloc(record.size);
    assert_non_null(whole);
    memcpy(whole, record.bytes, record.size);
    for (uint32_t i = 0; i < 1500; ++i) {
        const piece in = find_piece(&record, random_below(&random, STEPS + 2));
        const uint32_t near = in.size < 64 ? (uint32_t)in.size : 64;
        const uint32_t size = random_below(&random, 2) ? near : (uint32_t)in.size;
        flip(&in, random_below(&random, size), random_below(&random, 8));
        const graze_world_def def = graze_world_def_default();
        graze_replay *replay;
        if (graze_replay_create(&def, record.bytes, record.size, &replay) == GRAZE_OK) {
            (void)play_again(replay);
        }
        graze_replay_destroy(replay);
        memcpy(record.bytes, whole, record.size);
    }
    free(whole);
    kit_record_free(&record);
}

// --- refusals ---

static void assert_refused(const unsigned char *bytes, size_t size, graze_status status,
                           const char *words)
{
    kit_log log = {0};
    graze_world_def def = graze_world_def_default();
    graze_replay *replay = (graze_replay *)&log;
    def.log = kit_write_log;
    def.log_user = &log;
    assert_int_equal(graze_replay_create(&def, bytes, size, &replay), status);
    assert_null(replay);
    kit_assert_logged(&log, status, words);
}

static void what_is_no_record_is_refused(void **state)
{
    (void)state;
    kit_record record = make_record(change_nothing, true);
    assert_refused(record.bytes, 0, GRAZE_ERROR_FORMAT, "graze_replay_create|not a record");
    assert_refused((const unsigned char *)"a text of some length", 21, GRAZE_ERROR_FORMAT,
                   "not a record");
    assert_refused(record.bytes, 8, GRAZE_ERROR_FORMAT, "cut short after 8 bytes");
    assert_refused(record.bytes, 99, GRAZE_ERROR_FORMAT, "cut short|at byte 16");
    assert_refused(NULL, 99, GRAZE_ERROR_ARGUMENT, "bytes is null");
    record.bytes[8] ^= 5;
    assert_refused(record.bytes, record.size, GRAZE_ERROR_FORMAT, "another order of bytes");
    record.bytes[8] ^= 5;
    record.bytes[12] += 1;
    assert_refused(record.bytes, record.size, GRAZE_ERROR_FORMAT, "version 3|reads 2");
    kit_record_free(&record);
}

static void a_replay_for_which_there_is_no_memory_says_so_in_one_line(void **state)
{
    (void)state;
    kit_record record = make_record(change_nothing, true);
    failing_allocator memory = {0};
    graze_status status = GRAZE_ERROR_OUT_OF_MEMORY;
    for (size_t n = 1; status != GRAZE_OK; ++n) {
        kit_log log = {0};
        graze_world_def def = graze_world_def_default();
        graze_replay *replay = (graze_replay *)&log;
        def.log = kit_write_log;
        def.log_user = &log;
        def.allocator = failing_allocator_interface(&memory);
        failing_allocator_arm(&memory, n);
        status = graze_replay_create(&def, record.bytes, record.size, &replay);
        failing_allocator_disarm(&memory);
        if (status != GRAZE_OK) {
            kit_assert_logged(&log, GRAZE_ERROR_OUT_OF_MEMORY, "graze_");
            assert_null(replay);
        }
        graze_replay_destroy(replay);
        failing_allocator_assert_empty(&memory);
    }
    kit_record_free(&record);
}

static void bad_defs_are_refused(void **state)
{
    (void)state;
    graze_world_def def = graze_world_def_default();
    graze_replay *replay;
    assert_int_equal(graze_replay_create(NULL, "", 0, &replay), GRAZE_ERROR_ARGUMENT);
    kit_log log = {0};
    def.log = kit_write_log;
    def.log_user = &log;
    assert_int_equal(graze_replay_create(&def, "", 0, NULL), GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_replay_create|replay is null");
    def.cookie = 0;
    assert_int_equal(graze_replay_create(&def, "", 0, &replay), GRAZE_ERROR_ARGUMENT);
    assert_null(replay);
    graze_replay_destroy(NULL);
}

static void a_fixed_capacity_does_not_limit_a_replay(void **state)
{
    (void)state;
    kit_record record = make_record(change_nothing, true);
    graze_world_def def = graze_world_def_default();
    def.fixed_capacity = true;
    def.body_capacity = 1;
    def.contact_capacity = 1;
    graze_replay *replay;
    assert_int_equal(graze_replay_create(&def, record.bytes, record.size, &replay), GRAZE_OK);
    kit_replay_to_end(replay, STEPS, 0);
    graze_replay_destroy(replay);
    kit_record_free(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_step_and_body_that_differ_are_named),
        cmocka_unit_test(both_values_of_the_body_are_given),
        cmocka_unit_test(without_what_names_bodies_the_step_is_found),
        cmocka_unit_test(terrain_that_differs_is_told_at_the_end),
        cmocka_unit_test(an_id_that_differs_is_a_call_that_does),
        cmocka_unit_test(a_wrong_bit_of_an_argument_is_found_in_its_body_and_step),
        cmocka_unit_test(a_wrong_bit_of_a_hash_is_found_in_its_step),
        cmocka_unit_test(a_wrong_bit_of_the_start_is_found_at_once),
        cmocka_unit_test(every_record_cut_short_is_played_up_to_there_and_refused),
        cmocka_unit_test(every_changed_byte_is_damage_not_a_difference),
        cmocka_unit_test(pieces_out_of_place_are_damage),
        cmocka_unit_test(what_follows_the_end_is_damage),
        cmocka_unit_test(forged_bytes_lead_nowhere),
        cmocka_unit_test(what_is_no_record_is_refused),
        cmocka_unit_test(a_replay_for_which_there_is_no_memory_says_so_in_one_line),
        cmocka_unit_test(bad_defs_are_refused),
        cmocka_unit_test(a_fixed_capacity_does_not_limit_a_replay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
