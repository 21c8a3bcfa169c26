#include "replay_kit.h"

#include "history/recording.h"
#include "history/state_hash.h"

#include <stdlib.h>
#include <string.h>

// Records with wrong bits: a difference where the checksum is right, damage where it is not.

enum { ID_SIZE = 8, STEP_SIZE = 20 }; ///< In a record.

// --- Under a checksum that is right ---

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
    for (uint32_t step = 4; step <= REPLAY_STEPS; ++step) {
        kit_record record = replay_record(NULL, true);
        const piece in = find_piece(&record, step);
        assert_int_equal(in.entries[0], GRZ_RECORD_SET_POSITION);
        flip(&in, 1 + ID_SIZE, step % 8);
        const graze_replay_difference found = replay_find_difference(&record, "; position was (");
        assert_int_equal(found.kind, GRAZE_DIFFERENCE_BODY);
        assert_int_equal(found.step, step);
        assert_int_equal(found.index, REPLAY_BODIES - step);
        assert_true(found.is_known);
        kit_record_free(&record);
    }
}

static void a_wrong_bit_of_a_hash_is_found_in_its_step(void **state)
{
    (void)state;
    const size_t set_size = 1 + ID_SIZE + sizeof(graze_vec2);
    kit_record record = replay_record(NULL, true);
    const piece in = find_piece(&record, 9);
    const size_t digest = set_size + 1 + STEP_SIZE - sizeof(uint64_t);
    flip(&in, digest, 0);
    const graze_replay_difference found = replay_find_difference(
        &record, "step 9 is the first that differs; no body does, so the pairs that met do");
    assert_int_equal(found.kind, GRAZE_DIFFERENCE_STATE);
    // Now of the sum of the second block, too.
    flip(&in, digest + sizeof(uint64_t) + sizeof(grz_state_hash_block), 0);
    (void)replay_find_difference(
        &record, "step 9 is the first that differs, in a body with an index from 64");
    // Now of the short hash of body 70, too.
    flip(&in,
         digest + sizeof(uint64_t) + sizeof(grz_state_hash_block) +
             offsetof(grz_state_hash_block, bodies) + 2 * 6,
         3);
    assert_int_equal(replay_find_difference(&record, "in body 70").index, 70);
    kit_record_free(&record);
}

static void a_wrong_bit_of_the_start_is_found_at_once(void **state)
{
    (void)state;
    kit_record record = replay_record(NULL, true);
    const piece in = find_piece(&record, 0);
    flip(&in, 3, 0); // Of the hash.
    const graze_replay_difference found = replay_find_difference(&record, "at the start");
    assert_int_equal(found.kind, GRAZE_DIFFERENCE_WHOLE);
    assert_int_equal(found.step, 0);
    kit_record_free(&record);
}

// --- Damage ---

// Returns the status of the first failure, or OK when there is none.
static graze_status try_record(const unsigned char *bytes, size_t size, uint64_t *steps)
{
    const graze_world_def def = graze_world_def_default();
    graze_replay *replay;
    graze_status status = graze_replay_create(&def, bytes, size, &replay);
    *steps = 0;
    if (status == GRAZE_OK) {
        const graze_replay_state state = replay_play_again(replay);
        assert_int_not_equal(state, GRAZE_REPLAY_DIFFERS);
        assert_int_equal(state == GRAZE_REPLAY_ENDED, graze_replay_status(replay) == GRAZE_OK);
        status = graze_replay_status(replay);
        *steps = graze_replay_step_count(replay);
    }
    graze_replay_destroy(replay);
    return status;
}

// A copy of exactly as many bytes as there are: so sanitizers see reads past the end.
static void every_record_cut_short_is_played_up_to_there_and_refused(void **state)
{
    (void)state;
    kit_record record = replay_record(NULL, true);
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
    assert_int_equal(most, REPLAY_STEPS);
    kit_record_free(&record);
}

static void every_changed_byte_is_damage_not_a_difference(void **state)
{
    (void)state;
    kit_record record = replay_record(NULL, true);
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
    kit_record record = replay_record(NULL, true);
    uint64_t steps;
    const piece third = find_piece(&record, 6);
    const piece fourth = find_piece(&record, 7);
    assert_int_equal(third.size, fourth.size);
    // One piece is copied over another.
    memcpy(third.frame, fourth.frame, (size_t)(fourth.entries - fourth.frame) + fourth.size);
    assert_int_equal(try_record(record.bytes, record.size, &steps), GRAZE_ERROR_FORMAT);
    assert_int_equal(steps, 5);
    const graze_world_def def = graze_world_def_default();
    graze_replay *replay;
    assert_int_equal(graze_replay_create(&def, record.bytes, record.size, &replay), GRAZE_OK);
    (void)replay_play_again(replay);
    assert_non_null(strstr(graze_replay_message(replay), "a block is missing or repeated"));
    graze_replay_destroy(replay);
    kit_record_free(&record);
}

static void what_follows_the_end_is_damage(void **state)
{
    (void)state;
    kit_record record = replay_record(NULL, true);
    uint64_t steps;
    assert_true(kit_record_write("more", 4, &record));
    assert_int_equal(try_record(record.bytes, record.size, &steps), GRAZE_ERROR_FORMAT);
    kit_record_free(&record);
}

// With right checksums: a forged record must come to some end, and do no more.
static void forged_bytes_lead_nowhere(void **state)
{
    (void)state;
    kit_record record = replay_record(NULL, true);
    random_state random = random_seed(2);
    unsigned char *whole = malloc(record.size);
    assert_non_null(whole);
    memcpy(whole, record.bytes, record.size);
    for (uint32_t i = 0; i < 1500; ++i) {
        const piece in = find_piece(&record, random_below(&random, REPLAY_STEPS + 2));
        const uint32_t near = in.size < 64 ? (uint32_t)in.size : 64;
        const uint32_t size = random_below(&random, 2) ? near : (uint32_t)in.size;
        const uint32_t byte = random_below(&random, size);
        flip(&in, byte, random_below(&random, 8));
        const graze_world_def def = graze_world_def_default();
        graze_replay *replay;
        if (graze_replay_create(&def, record.bytes, record.size, &replay) == GRAZE_OK) {
            (void)replay_play_again(replay);
        }
        graze_replay_destroy(replay);
        memcpy(record.bytes, whole, record.size);
    }
    free(whole);
    kit_record_free(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_bit_of_an_argument_is_found_in_its_body_and_step),
        cmocka_unit_test(a_wrong_bit_of_a_hash_is_found_in_its_step),
        cmocka_unit_test(a_wrong_bit_of_the_start_is_found_at_once),
        cmocka_unit_test(every_record_cut_short_is_played_up_to_there_and_refused),
        cmocka_unit_test(every_changed_byte_is_damage_not_a_difference),
        cmocka_unit_test(pieces_out_of_place_are_damage),
        cmocka_unit_test(what_follows_the_end_is_damage),
        cmocka_unit_test(forged_bytes_lead_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
