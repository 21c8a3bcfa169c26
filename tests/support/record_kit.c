#include "record_kit.h"

#include "failing_allocator.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool kit_record_write(const void *bytes, size_t size, void *user)
{
    kit_record *record = user;
    if (++record->writes == record->fail_at) {
        return false;
    }
    if (record->size + size > record->capacity) {
        record->capacity = 2 * (record->size + size);
        record->bytes = realloc(record->bytes, record->capacity);
        assert_non_null(record->bytes);
    }
    memcpy(record->bytes + record->size, bytes, size);
    record->size += size;
    return true;
}

void kit_record_start(kit_record *record, graze_world *world)
{
    graze_record_def def = graze_record_def_default();
    def.write = kit_record_write;
    def.write_user = record;
    assert_int_equal(graze_record_start(world, &def), GRAZE_OK);
}

void kit_record_free(kit_record *record)
{
    free(record->bytes);
    memset(record, 0, sizeof *record);
}

graze_replay *kit_replay(const kit_record *record)
{
    const graze_world_def def = graze_world_def_default();
    graze_replay *replay;
    assert_int_equal(graze_replay_create(&def, record->bytes, record->size, &replay), GRAZE_OK);
    return replay;
}

void kit_replay_to_end(graze_replay *replay, uint64_t steps, uint64_t where)
{
    while (graze_replay_advance(replay) == GRAZE_REPLAY_STEPPED) {
    }
    if (graze_replay_advance(replay) != GRAZE_REPLAY_ENDED ||
        graze_replay_step_count(replay) != steps) {
        fail_msg("%" PRIu64 ": %" PRIu64 " steps, not %" PRIu64 ": %s", where,
                 graze_replay_step_count(replay), steps, graze_replay_message(replay));
    }
    assert_int_equal(graze_replay_status(replay), GRAZE_OK);
    assert_int_equal(graze_replay_get_difference(replay).kind, GRAZE_DIFFERENCE_NONE);
}

uint64_t kit_replay_elsewhere(const kit_record *record, uint64_t seed)
{
    failing_allocator memory = {0};
    graze_replay *replay;
    graze_world_def def = graze_world_def_default();
    def.allocator = failing_allocator_interface(&memory);
    def.parallel = kit_run_backwards;
    def.worker_count = (uint32_t)seed % 5;
    def.body_capacity = (uint32_t)seed * 100;
    assert_int_equal(graze_replay_create(&def, record->bytes, record->size, &replay), GRAZE_OK);
    while (graze_replay_advance(replay) == GRAZE_REPLAY_STEPPED) {
    }
    const uint64_t steps = graze_replay_step_count(replay);
    kit_replay_to_end(replay, steps, seed);
    graze_replay_destroy(replay);
    failing_allocator_assert_empty(&memory);
    return steps;
}
