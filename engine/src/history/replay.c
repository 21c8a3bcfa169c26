// A replay: opens a record, reads its pieces, and repeats one step after the other.

#include <graze/chain.h>
#include <graze/world.h>

#include "history/checksum.h"
#include "history/replay_state.h"
#include "memory.h"
#include "plural.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

// --- ending ---

static void say(graze_replay *replay, const char *format, va_list values)
{
    vsnprintf(replay->message, sizeof replay->message, format, values);
}

// Ends the replay: it failed. Returns false.
GRZ_PRINTF(3, 4)
static bool fail(graze_replay *replay, graze_status status, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    say(replay, format, values);
    va_end(values);
    replay->state = GRAZE_REPLAY_FAILED;
    replay->status = status;
    return false;
}

// Ends the replay: FORMAT. `what` says how the record is, in the current piece. Returns false.
static bool fail_format(graze_replay *replay, const char *what)
{
    return fail(replay, GRAZE_ERROR_FORMAT,
                "the record is %s in the block at byte %zu, after %" PRIu64 " %s", what,
                replay->begin, replay->step_count, grz_plural(replay->step_count, "step", "steps"));
}

bool grz_replay_differ(graze_replay *replay, graze_difference_kind kind, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    say(replay, format, values);
    va_end(values);
    replay->state = GRAZE_REPLAY_DIFFERS;
    replay->difference.kind = kind;
    return false;
}

static bool fail_memory(graze_replay *replay)
{
    return fail(replay, GRAZE_ERROR_OUT_OF_MEMORY, "no memory to continue after %" PRIu64 " %s",
                replay->step_count, grz_plural(replay->step_count, "step", "steps"));
}

// Evaluates the status of a repeated call. Returns false if the replay has ended.
static bool expect_success(graze_replay *replay, graze_status status)
{
    if (status == GRAZE_ERROR_OUT_OF_MEMORY) {
        return fail_memory(replay);
    }
    if (status) {
        replay->difference.step = replay->step_count;
        return grz_replay_differ(replay, GRAZE_DIFFERENCE_CALL,
                                 "after step %" PRIu64
                                 ": call %u, %s, succeeded when it was recorded, and fails now: %s",
                                 replay->step_count, (unsigned)replay->call_count,
                                 grz_call_name(replay->kind), graze_status_text(status));
    }
    return true;
}

// --- pieces ---

static bool check_header(graze_replay *replay)
{
    const grz_record_header wanted = grz_record_new_header();
    grz_record_header header = {0};
    grz_archive start = grz_archive_of(replay->bytes, replay->size);
    grz_archive_read(&start, &grz_record_header_form, &header, 1);
    if (replay->size < sizeof wanted.magic ||
        memcmp(replay->bytes, wanted.magic, sizeof wanted.magic) != 0) {
        return fail(replay, GRAZE_ERROR_FORMAT, "not a record of Graze");
    }
    if (start.failed) {
        return fail(replay, GRAZE_ERROR_FORMAT, "the record is cut short after %zu bytes",
                    replay->size);
    }
    if (header.byte_order != wanted.byte_order) {
        return fail(replay, GRAZE_ERROR_FORMAT,
                    "the record has another byte order than this machine, or is damaged");
    }
    if (header.version != GRZ_RECORD_VERSION) {
        return fail(replay, GRAZE_ERROR_FORMAT,
                    "the record's format has version %u; this library reads version %d",
                    (unsigned)header.version, (int)GRZ_RECORD_VERSION);
    }
    replay->next = sizeof header;
    return true;
}

static grz_record_frame read_frame(const unsigned char *bytes)
{
    grz_record_frame frame = {0};
    grz_archive archive = grz_archive_of(bytes, sizeof frame);
    grz_archive_read(&archive, &grz_record_frame_form, &frame, 1);
    return frame;
}

static bool check_piece(graze_replay *replay, const grz_record_frame *frame)
{
    const size_t unsummed = offsetof(grz_record_frame, size);
    const unsigned char *piece = replay->bytes + replay->begin;
    if (frame->size > replay->size - replay->begin - sizeof *frame) {
        return fail_format(replay, "cut short or damaged");
    }
    const size_t size = sizeof *frame + (size_t)frame->size;
    if (grz_checksum_of(piece + unsummed, size - unsummed) != frame->checksum) {
        return fail_format(replay, "damaged (its checksum does not match)");
    }
    if (frame->number != replay->piece_count) {
        return fail_format(replay, "damaged (a block is missing or repeated)");
    }
    return true;
}

static bool open_piece(graze_replay *replay)
{
    replay->begin = replay->next;
    if (replay->size - replay->begin < sizeof(grz_record_frame)) {
        return fail_format(replay, "cut short");
    }
    const grz_record_frame frame = read_frame(replay->bytes + replay->begin);
    if (!check_piece(replay, &frame)) {
        return false;
    }
    const size_t first = replay->begin + sizeof frame, size = (size_t)frame.size;
    replay->next = first + size;
    ++replay->piece_count;
    replay->entry = grz_archive_of(replay->bytes + first, size);
    return true;
}

// --- the recorded calls, made again ---

// An entry that was not read completely has no effect.
static bool expect_read(graze_replay *replay)
{
    return !replay->entry.failed ||
           fail_format(replay, "damaged (a call is longer than its block)");
}

static bool expect_id(graze_replay *replay, graze_body_id now, graze_body_id then)
{
    if (now.index == then.index && now.generation == then.generation) {
        return true;
    }
    replay->difference.step = replay->step_count;
    return grz_replay_differ(replay, GRAZE_DIFFERENCE_CALL,
                             "after step %" PRIu64 ": call %u, %s, returned {%u, %u} when it was "
                             "recorded, and returns {%u, %u} now",
                             replay->step_count, (unsigned)replay->call_count,
                             grz_call_name(replay->kind), (unsigned)then.index,
                             (unsigned)then.generation, (unsigned)now.index,
                             (unsigned)now.generation);
}

// Reads some elements of the entry into an array, unless the entry has too few: then it has failed.
// Yields false if memory runs out.
#define READ_ARRAY(replay, array, form, count)                                                     \
    (!grz_archive_has(&(replay)->entry, form, count) ||                                            \
     (grz_array_reserve(array, &(replay)->allocator, count) &&                                     \
      (grz_archive_read(&(replay)->entry, form, (array)->data, count), true)))

// --- loading ---

static bool call_load(graze_replay *replay)
{
    grz_archive *entry = &replay->entry;
    const uint64_t size = replay->values.size;
    entry->failed = entry->failed || size > grz_archive_left(entry);
    if (!expect_read(replay)) {
        return false;
    }
    const graze_status status = graze_world_load(replay->world, entry->at, (size_t)size);
    entry->at += size;
    return status == GRAZE_ERROR_FORMAT ? fail_format(replay, "damaged (a snapshot is invalid)")
                                        : expect_success(replay, status);
}

// --- bodies ---

static void create_bodies(graze_replay *replay, uint32_t count)
{
    graze_world *world = replay->world;
    if (replay->kind == GRZ_RECORD_CREATE) {
        replay->ids.data[0] = graze_body_create(world, &replay->defs.data[0]);
    } else {
        (void)graze_body_create_many(world, replay->defs.data, count, replay->ids.data);
    }
}

static bool compare_ids(graze_replay *replay)
{
    const grz_record_bodies *bodies = &replay->values.bodies;
    for (uint32_t i = 0; bodies->has_ids && i < bodies->count; ++i) {
        graze_body_id id = {0, 0};
        grz_archive_read(&replay->entry, &grz_id_form, &id, 1);
        if (!expect_read(replay) || !expect_id(replay, replay->ids.data[i], id)) {
            return false;
        }
    }
    return true;
}

static bool call_create(graze_replay *replay)
{
    grz_archive *entry = &replay->entry;
    const uint32_t count = replay->values.bodies.count;
    entry->failed = entry->failed || (replay->kind == GRZ_RECORD_CREATE && count != 1);
    if (!grz_archive_has(entry, &grz_body_def_form, count)) {
        return expect_read(replay);
    }
    if (!grz_array_reserve(&replay->defs, &replay->allocator, count) ||
        !grz_array_reserve(&replay->ids, &replay->allocator, count)) {
        return fail_memory(replay);
    }
    for (uint32_t i = 0; i < count; ++i) {
        replay->defs.data[i] = graze_body_def_default();
    }
    grz_archive_read(entry, &grz_body_def_form, replay->defs.data, count);
    create_bodies(replay, count);
    return expect_success(replay, graze_world_last_status(replay->world)) && compare_ids(replay);
}

// --- chains ---

// Returns false if memory runs out; what does not fit is left out, and the entry has failed.
static bool read_points(graze_replay *replay, grz_record_chain *chain)
{
    graze_chain_def *def = &chain->def;
    const uint32_t segments = def->count - (def->count > 0 && !def->loop);
    const uint32_t surfaces = chain->has_surfaces ? segments : 0;
    if (!READ_ARRAY(replay, &replay->points, &grz_vector_form, def->count) ||
        !READ_ARRAY(replay, &replay->surfaces, &grz_surface_form, surfaces)) {
        return fail_memory(replay);
    }
    def->cookie = graze_chain_def_default().cookie;
    def->points = replay->points.data;
    def->surfaces = chain->has_surfaces ? replay->surfaces.data : NULL;
    return true;
}

static bool call_create_chain(graze_replay *replay)
{
    grz_record_chain *chain = &replay->values.created;
    graze_chain_id then = {0, 0};
    if (!read_points(replay, chain)) {
        return false;
    }
    grz_archive_read(&replay->entry, &grz_id_form, &then, 1);
    if (!expect_read(replay)) {
        return false;
    }
    const graze_chain_id now = graze_chain_create(replay->world, &chain->def);
    const graze_body_id ids[2] = {{now.index, now.generation}, {then.index, then.generation}};
    return expect_success(replay, graze_world_last_status(replay->world)) &&
           expect_id(replay, ids[0], ids[1]);
}

// Makes a call and compares what it returned. Returns false if the replay has ended.
static bool repeat_call(graze_replay *replay)
{
    switch (replay->kind) {
    case GRZ_RECORD_LOAD:
        return call_load(replay);
    case GRZ_RECORD_CREATE:
    case GRZ_RECORD_CREATE_MANY:
        return call_create(replay);
    case GRZ_RECORD_CREATE_CHAIN:
        return call_create_chain(replay);
    default:
        break;
    }
    grz_call_fn *make = grz_call_plans[replay->kind].make;
    if (!make) {
        return fail_format(replay, "damaged (an entry is of unknown kind)");
    }
    return expect_read(replay) &&
           expect_success(replay, make(replay->world, replay->body, &replay->values));
}

// --- steps ---

// What does not fit is left out, and the entry has failed. Returns false if the replay has ended.
static bool read_step(graze_replay *replay)
{
    const grz_record_step *step = &replay->values.step;
    grz_state_hash *recorded = &replay->recorded;
    if (!READ_ARRAY(replay, &replay->vetoes, &grz_long_form, step->veto_count) ||
        !READ_ARRAY(replay, &recorded->blocks, &grz_state_hash_block_form, step->block_count)) {
        return fail_memory(replay);
    }
    if (replay->entry.failed) {
        return fail_format(replay, "damaged (a step is longer than its block)");
    }
    replay->vetoes.count = grz_record_sort_vetoes(replay->vetoes.data, step->veto_count);
    recorded->blocks.count = step->block_count;
    recorded->sum = step->digest;
    return true;
}

static bool replay_step(graze_replay *replay)
{
    if (!read_step(replay) ||
        !expect_success(replay, graze_world_step(replay->world, replay->values.step.dt))) {
        return false;
    }
    if (!grz_state_hash_take(&replay->digest, replay->world, &replay->allocator)) {
        return fail_memory(replay);
    }
    if (!grz_replay_compare(replay)) {
        return false;
    }
    ++replay->step_count;
    replay->call_count = 0;
    return true;
}

static bool expect_hash(graze_replay *replay, uint64_t hash, const char *where)
{
    if (graze_world_hash(replay->world) == hash) {
        return true;
    }
    replay->difference.step = replay->step_count;
    return grz_replay_differ(replay, GRAZE_DIFFERENCE_WHOLE,
                             "the hash of the world differs at the %s; no step differed in bodies "
                             "or contacts, so terrain or gravity does",
                             where);
}

static void replay_end(graze_replay *replay)
{
    const grz_record_end *end = &replay->values.end;
    if (replay->entry.failed || end->step_count != replay->step_count ||
        grz_archive_left(&replay->entry) > 0 || replay->next != replay->size) {
        (void)fail_format(replay, "damaged (its end is not in its place)");
    } else if (expect_hash(replay, end->hash, "end")) {
        replay->state = GRAZE_REPLAY_ENDED;
        snprintf(replay->message, sizeof replay->message, "%" PRIu64 " %s, all the same",
                 replay->step_count, grz_plural(replay->step_count, "step", "steps"));
    }
}

// Reads the kind and the values of an entry; what follows them is left.
static void begin_entry(graze_replay *replay)
{
    uint8_t kind = 0;
    grz_archive_read(&replay->entry, &grz_byte_form, &kind, 1);
    replay->kind = kind < GRZ_RECORD_KINDS ? (grz_record_kind)kind : (grz_record_kind)0;
    const grz_call_plan *plan = &grz_call_plans[replay->kind];
    memset(&replay->values, 0, sizeof replay->values);
    if (plan->of_body) {
        grz_archive_read(&replay->entry, &grz_id_form, &replay->body, 1);
    }
    if (plan->form) {
        grz_archive_read(&replay->entry, plan->form, &replay->values, 1);
    }
}

// Returns whether entries remain before the next step is done.
static bool replay_entry(graze_replay *replay)
{
    if (grz_archive_left(&replay->entry) == 0) {
        return open_piece(replay);
    }
    begin_entry(replay);
    switch (replay->kind) {
    case GRZ_RECORD_STEP:
        (void)replay_step(replay);
        return false;
    case GRZ_RECORD_END:
        replay_end(replay);
        return false;
    default:
        ++replay->call_count;
        return repeat_call(replay);
    }
}

graze_replay_state graze_replay_advance(graze_replay *replay)
{
    while (replay->state == GRAZE_REPLAY_STEPPED && replay_entry(replay)) {
    }
    return replay->state;
}

// --- the filter ---

static bool holds_number(const uint64_t *sorted, uint32_t count, uint64_t number)
{
    uint32_t place = 0, end = count;
    GRZ_BISECT(place, end, sorted[middle] < number);
    return place < count && sorted[place] == number;
}

// The filter callback of the replaying world answers as the recorded one's did.
static bool answer(const graze_world *world, graze_body_id a, graze_body_id b,
                   graze_segment_id segment, void *user)
{
    const graze_replay *replay = user;
    (void)world;
    return !holds_number(replay->vetoes.data, replay->vetoes.count, grz_record_veto(a, b, segment));
}

// --- create and destroy ---

// Passes log lines of inner calls to the def's log, under the name of the game's own call.
static void log_as_create(graze_status status, const char *line, void *user)
{
    const graze_replay *replay = user;
    grz_fail_to(replay->log, replay->log_user, status, "graze_replay_create: %s", line);
}

static bool make_world(graze_replay *replay, const graze_world_def *def, bool has_filter)
{
    const graze_vec2 none = {0, 0};
    graze_world_def own = *def;
    own.gravity = none;
    own.fixed_capacity = false;
    own.filter = has_filter ? answer : NULL;
    own.filter_user = replay;
    own.log = log_as_create;
    own.log_user = replay;
    replay->world = graze_world_create(&own);
    replay->is_told = !replay->world;
    return replay->world || fail_memory(replay);
}

static bool load_start(graze_replay *replay, bool is_start)
{
    grz_archive *entry = &replay->entry;
    const grz_record_start *start = &replay->values.start;
    if (!is_start || start->snapshot_size != grz_archive_left(entry)) {
        return fail_format(replay, "damaged (its start is missing)");
    }
    const graze_status status = graze_world_load(replay->world, entry->at, grz_archive_left(entry));
    entry->at = entry->end;
    replay->is_told = status != GRAZE_OK;
    if (status) {
        return fail(replay, status, "the snapshot at the start of the record cannot be loaded: %s",
                    graze_status_text(status));
    }
    (void)expect_hash(replay, start->hash, "start");
    return true;
}

static bool open_record(graze_replay *replay, const graze_world_def *def)
{
    if (!check_header(replay) || !open_piece(replay)) {
        return false;
    }
    begin_entry(replay);
    const bool is_start = replay->kind == GRZ_RECORD_START && !replay->entry.failed;
    return make_world(replay, def, is_start && replay->values.start.has_filter) &&
           load_start(replay, is_start);
}

static graze_status check_def(const graze_world_def *def, const void *bytes, graze_replay **replay)
{
    if (!def || def->cookie != graze_world_def_default().cookie) {
        return GRAZE_ERROR_ARGUMENT;
    }
    const char *wrong = !replay  ? "replay is null"
                        : !bytes ? "bytes is null"
                        : !grz_allocator_is_valid(&def->allocator)
                            ? "allocator has only one function; set both or neither"
                            : NULL;
    return wrong ? grz_fail_to(def->log, def->log_user, GRAZE_ERROR_ARGUMENT,
                               "graze_replay_create: %s", wrong)
                 : GRAZE_OK;
}

graze_status graze_replay_create(const graze_world_def *def, const void *bytes, size_t size,
                                 graze_replay **result)
{
    const graze_status status = check_def(def, bytes, result);
    if (result) {
        *result = NULL;
    }
    if (status) {
        return status;
    }
    const graze_allocator allocator = grz_allocator_or_default(def->allocator);
    graze_replay *replay = allocator.allocate(sizeof *replay, GRZ_ALIGNMENT, allocator.user);
    if (!replay) {
        return grz_fail_to(def->log, def->log_user, GRAZE_ERROR_OUT_OF_MEMORY,
                           "graze_replay_create: no memory for the replay");
    }
    memset(replay, 0, sizeof *replay);
    replay->allocator = allocator;
    replay->log = def->log;
    replay->log_user = def->log_user;
    replay->bytes = bytes;
    replay->size = size;
    if (!open_record(replay, def)) {
        const graze_status reason = replay->status;
        if (!replay->is_told) {
            log_as_create(reason, replay->message, replay);
        }
        graze_replay_destroy(replay);
        return reason;
    }
    replay->world->config.log = def->log;
    replay->world->config.log_user = def->log_user;
    *result = replay;
    return GRAZE_OK;
}

void graze_replay_destroy(graze_replay *replay)
{
    if (!replay) {
        return;
    }
    const graze_allocator allocator = replay->allocator;
    graze_world_destroy(replay->world);
    grz_array_free(&replay->vetoes, &allocator);
    grz_array_free(&replay->defs, &allocator);
    grz_array_free(&replay->ids, &allocator);
    grz_array_free(&replay->points, &allocator);
    grz_array_free(&replay->surfaces, &allocator);
    grz_array_free(&replay->recorded.blocks, &allocator);
    grz_array_free(&replay->digest.blocks, &allocator);
    allocator.release(replay, sizeof *replay, allocator.user);
}

// --- results ---

graze_status graze_replay_status(const graze_replay *replay)
{
    return replay->status;
}

const char *graze_replay_message(const graze_replay *replay)
{
    return replay->message;
}

const graze_world *graze_replay_world(const graze_replay *replay)
{
    return replay->world;
}

uint64_t graze_replay_step_count(const graze_replay *replay)
{
    return replay->step_count;
}

graze_replay_difference graze_replay_get_difference(const graze_replay *replay)
{
    return replay->difference;
}
