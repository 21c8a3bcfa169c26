// Fuzz target: the reader of records.
//
// The first byte says what the rest is: the bytes of a record, or the entries that follow a sound
// start, in pieces whose checksums are right, so that what is in them is reached. Every input is
// played twice, in worlds that differ in what must not matter.

#include "body_defs.h"
#include "failing_allocator.h"
#include "fuzz_bytes.h"
#include "history/recording.h"

#include <graze/graze.h>

#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 64 };

/// Bits of the first byte.
enum { WITH_FILTER = 1, WITH_TWO_PIECES = 2, IS_WHOLE_RECORD = 128 };

/// A record that is put together.
typedef struct made_record {
    unsigned char *bytes;
    size_t size;
    uint64_t piece_count;
} made_record;

static void append(made_record *record, const void *bytes, size_t size)
{
    unsigned char *grown = realloc(record->bytes, record->size + size + 1);
    if (!grown) {
        exit(2);
    }
    record->bytes = grown;
    if (size > 0) {
        memcpy(record->bytes + record->size, bytes, size);
    }
    record->size += size;
}

static void append_piece(made_record *record, const uint8_t *entries, size_t size)
{
    const grz_record_frame frame = {0, 0, 0};
    const size_t begin = record->size;
    append(record, &frame, sizeof frame);
    append(record, entries, size);
    grz_record_close_frame(record->bytes + begin, record->piece_count++, size);
}

static bool allow(const graze_world *world, graze_body_id a, graze_body_id b,
                  graze_segment_id segment, void *user)
{
    (void)world;
    (void)a;
    (void)b;
    (void)segment;
    (void)user;
    return true;
}

static bool write_record(const void *bytes, size_t size, void *user)
{
    made_record *record = user;
    append(record, bytes, size);
    return true;
}

static void add_room(graze_world *world)
{
    const graze_vec2 room[4] = {{-4, -4}, {4, -4}, {4, 4}, {-4, 4}};
    graze_chain_def def = graze_chain_def_default();
    def.points = room;
    def.count = 4;
    def.loop = true;
    (void)graze_chain_create(world, &def);
}

static void add_bodies(graze_world *world)
{
    for (uint32_t i = 0; i < 4; ++i) {
        graze_body_def def = test_body_def();
        def.shape = i % 2 ? graze_shape_rect(1, 0.5f) : graze_shape_circle(1);
        def.position.x = (float)i - 2;
        def.velocity.y = (float)i;
        def.response = (graze_response)i;
        (void)graze_body_create(world, &def);
    }
}

// The start is a piece of its own, the end comes after it: here it is cut off.
static made_record make_start(bool has_filter)
{
    made_record record = {.piece_count = 1};
    graze_world_def world_def = graze_world_def_default();
    graze_record_def def = graze_record_def_default();
    world_def.filter = has_filter ? allow : NULL;
    graze_world *world = graze_world_create(&world_def);
    FUZZ_CHECK(world, "no world");
    add_room(world);
    add_bodies(world);
    def.write = write_record;
    def.write_user = &record;
    FUZZ_CHECK(graze_record_start(world, &def) == GRAZE_OK, "no recording");
    const size_t size = record.size;
    graze_world_destroy(world);
    record.size = size;
    return record;
}

static made_record make_record(fuzz_bytes bytes)
{
    const uint32_t manner = fuzz_byte(&bytes);
    if (manner & IS_WHOLE_RECORD) {
        made_record record = {0};
        append(&record, bytes.data, bytes.size);
        return record;
    }
    made_record record = make_start(manner & WITH_FILTER);
    const size_t first = manner & WITH_TWO_PIECES ? bytes.size / 2 : bytes.size;
    append_piece(&record, bytes.data, first);
    append_piece(&record, bytes.data + first, bytes.size - first);
    return record;
}

// Runs tasks from the last to the first.
static void run_backwards(void (*task)(void *context, uint32_t index), void *context,
                          uint32_t count, void *user)
{
    (void)user;
    while (count > 0) {
        task(context, --count);
    }
}

static uint64_t play(graze_replay *replay)
{
    graze_replay_state state = GRAZE_REPLAY_STEPPED;
    while (state == GRAZE_REPLAY_STEPPED && graze_replay_step_count(replay) < MAX_STEPS) {
        state = graze_replay_advance(replay);
    }
    const bool failed = state == GRAZE_REPLAY_FAILED;
    const graze_difference_kind kind = graze_replay_get_difference(replay).kind;
    FUZZ_CHECK(failed == (graze_replay_status(replay) != GRAZE_OK), "state %d, status %d",
               (int)state, (int)graze_replay_status(replay));
    FUZZ_CHECK((state == GRAZE_REPLAY_DIFFERS) == (kind != GRAZE_DIFFERENCE_NONE),
               "state %d, difference %d", (int)state, (int)kind);
    FUZZ_CHECK(state == GRAZE_REPLAY_STEPPED || strlen(graze_replay_message(replay)) > 0,
               "state %d without a message", (int)state);
    return graze_world_hash(graze_replay_world(replay)) ^ (uint64_t)state;
}

// Returns the hash of what came out.
static uint64_t run_record(const made_record *record, bool second)
{
    failing_allocator memory = {0};
    graze_replay *replay;
    graze_world_def def = graze_world_def_default();
    def.allocator = failing_allocator_interface(&memory);
    def.parallel = second ? run_backwards : NULL;
    def.worker_count = second ? 3 : 1;
    const graze_status status = graze_replay_create(&def, record->bytes, record->size, &replay);
    FUZZ_CHECK(status == GRAZE_OK || status == GRAZE_ERROR_FORMAT, "status %d", (int)status);
    const uint64_t result = status == GRAZE_OK ? play(replay) : (uint64_t)status;
    graze_replay_destroy(replay);
    FUZZ_CHECK(memory.live_bytes == 0, "%zu bytes are leaked", memory.live_bytes);
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz_bytes bytes = {data, size};
    const made_record record = make_record(bytes);
    FUZZ_CHECK(run_record(&record, false) == run_record(&record, true),
               "threads change what comes out");
    free(record.bytes);
    return 0;
}
