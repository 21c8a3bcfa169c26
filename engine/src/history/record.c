// A recording: the game starts and stops it, calls that change the world add entries.

#include "history/record_state.h"

#include "message.h"
#include "plural.h"

#include <graze/world.h>

#include <inttypes.h>

enum {
    RECORD_COOKIE = 0x42a7e004,
    LARGE_PIECE = 65536 ///< Bytes; from here on a piece is written before the step.
};

graze_record_def graze_record_def_default(void)
{
    graze_record_def def;
    memset(&def, 0, sizeof def);
    def.names_bodies = true;
    def.cookie = RECORD_COOKIE;
    return def;
}

// --- pieces ---

static bool write_bytes(grz_recorder *recorder, const void *bytes, size_t size)
{
    recorder->byte_count += size;
    return recorder->write(bytes, size, recorder->write_user);
}

static bool write_header(grz_recorder *recorder)
{
    const grz_record_header header = grz_record_new_header();
    return write_bytes(recorder, &header, sizeof header);
}

static bool write_piece(grz_recorder *recorder)
{
    unsigned char *piece = recorder->piece.data;
    const size_t size = recorder->piece.count;
    grz_record_close_frame(piece, recorder->piece_count++, size - sizeof(grz_record_frame));
    recorder->piece.count = sizeof(grz_record_frame);
    return write_bytes(recorder, piece, size);
}

grz_record_io grz_recorder_open_entry(grz_recorder *recorder, grz_record_kind kind, size_t size)
{
    grz_record_io io = {.writes = true, .failed = true};
    recorder->kind = kind;
    if (!grz_array_reserve_more(&recorder->piece, &recorder->world->counting, size + 1)) {
        grz_recorder_give_up(recorder, GRAZE_ERROR_OUT_OF_MEMORY);
        return io;
    }
    io.failed = false;
    io.at = recorder->piece.data + recorder->piece.count;
    io.end = io.at + size + 1;
    grz_pass_kind(&io, &kind);
    return io;
}

bool grz_recorder_close_entry(grz_recorder *recorder, const grz_record_io *io, bool must)
{
    if (io->failed) {
        return false;
    }
    recorder->piece.count = (uint32_t)(io->at - recorder->piece.data);
    if ((must || recorder->piece.count >= LARGE_PIECE) && !write_piece(recorder)) {
        grz_recorder_give_up(recorder, GRAZE_ERROR_WRITE);
        return false;
    }
    return true;
}

// --- the filter ---

// Stands in for the world's filter callback: asks it, and notes its vetoes.
static bool ask_and_note(const graze_world *world, graze_body_id a, graze_body_id b,
                         graze_segment_id segment, void *user)
{
    grz_recorder *recorder = user;
    if (recorder->filter(world, a, b, segment, recorder->filter_user)) {
        return true;
    }
    const uint64_t veto = grz_record_veto(a, b, segment);
    const uint32_t count = recorder->vetoes.count;
    if (count > 0 && recorder->vetoes.data[count - 1] == veto) {
        return false; // A mover asks for a chain once per segment near it.
    }
    if (grz_array_reserve_more(&recorder->vetoes, &recorder->world->counting, 1)) {
        recorder->vetoes.data[recorder->vetoes.count++] = veto;
    } else {
        recorder->filter_status = GRAZE_ERROR_OUT_OF_MEMORY;
    }
    return false;
}

static void take_filter(grz_recorder *recorder)
{
    graze_world *world = recorder->world;
    recorder->filter = world->filter;
    recorder->filter_user = world->filter_user;
    if (world->filter) {
        world->filter = ask_and_note;
        world->filter_user = recorder;
    }
}

// --- start and stop ---

static graze_status check_call(const graze_world *world, const graze_record_def *def)
{
    static const char call[] = "graze_record_start";
    const graze_status busy = grz_check_not_busy(world, call);
    if (busy) {
        return busy;
    }
    if (world->recorder) {
        return grz_fail(world, GRAZE_ERROR_BUSY, "%s: this world is already being recorded", call);
    }
    if (!def) {
        return grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: def is null", call);
    }
    if (def->cookie != RECORD_COOKIE) {
        return grz_fail(world, GRAZE_ERROR_ARGUMENT,
                        "%s: cookie is %u; start from graze_record_def_default()", call,
                        (unsigned)def->cookie);
    }
    return def->write ? GRAZE_OK : grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: write is null", call);
}

static grz_recorder *make_recorder(graze_world *world, const graze_record_def *def)
{
    const graze_allocator *allocator = &world->counting;
    grz_recorder *recorder = allocator->allocate(sizeof *recorder, GRZ_ALIGNMENT, allocator->user);
    if (!recorder) {
        return NULL;
    }
    memset(recorder, 0, sizeof *recorder);
    recorder->world = world;
    recorder->write = def->write;
    recorder->write_user = def->write_user;
    recorder->names_bodies = def->names_bodies;
    recorder->kind = GRZ_RECORD_START;
    world->recorder = recorder;
    take_filter(recorder);
    return recorder;
}

static void free_recorder(grz_recorder *recorder)
{
    graze_world *world = recorder->world;
    const graze_allocator *allocator = &world->counting;
    world->filter = recorder->filter;
    world->filter_user = recorder->filter_user;
    world->recorder = NULL;
    grz_array_free(&recorder->piece, allocator);
    grz_array_free(&recorder->vetoes, allocator);
    grz_digest_free(&recorder->digest, allocator);
    allocator->release(recorder, sizeof *recorder, allocator->user);
}

void grz_recorder_give_up(grz_recorder *recorder, graze_status status)
{
    graze_world *world = recorder->world;
    world->record_status = grz_fail(
        world, status,
        "%s: %s after %" PRIu64 " bytes and %" PRIu64 " %s; the recording has stopped",
        grz_record_call_name(recorder->kind),
        status == GRAZE_ERROR_WRITE ? "the writer failed" : "no memory", recorder->byte_count,
        recorder->step_count, grz_plural(recorder->step_count, "step", "steps"));
    free_recorder(recorder);
}

void grz_recorder_pass_snapshot(grz_recorder *recorder, grz_record_io *io, size_t size)
{
    if (!io->failed) {
        (void)graze_world_save(recorder->world, io->at, size);
        io->at += size;
    }
}

// Returns false, with the recorder gone, if it fails.
static bool add_start(grz_recorder *recorder)
{
    const size_t size = graze_world_snapshot_size(recorder->world);
    grz_record_start start = {
        .has_filter = recorder->filter != NULL,
        .names_bodies = recorder->names_bodies,
        .hash = graze_world_hash(recorder->world),
        .snapshot_size = size,
    };
    grz_record_io io =
        grz_recorder_open_entry(recorder, GRZ_RECORD_START, GRZ_RECORD_START_SIZE + size);
    grz_pass_start(&io, &start);
    grz_recorder_pass_snapshot(recorder, &io, size);
    return grz_recorder_close_entry(recorder, &io, true);
}

graze_status graze_record_start(graze_world *world, const graze_record_def *def)
{
    graze_status status = check_call(world, def);
    if (status) {
        return status;
    }
    world->record_status = GRAZE_OK;
    grz_recorder *recorder = make_recorder(world, def);
    if (!recorder || !grz_array_reserve(&recorder->piece, &world->counting, LARGE_PIECE)) {
        if (recorder) {
            free_recorder(recorder);
        }
        return grz_fail(world, GRAZE_ERROR_OUT_OF_MEMORY,
                        "graze_record_start: no memory for the recording");
    }
    recorder->piece.count = sizeof(grz_record_frame);
    if (!write_header(recorder)) {
        grz_recorder_give_up(recorder, GRAZE_ERROR_WRITE);
        return world->record_status;
    }
    (void)add_start(recorder);
    return world->record_status;
}

void grz_recorder_close(graze_world *world)
{
    grz_recorder *recorder = world->recorder;
    if (!recorder) {
        return;
    }
    grz_record_end end = {recorder->step_count, graze_world_hash(world)};
    grz_record_io io = grz_recorder_open_entry(recorder, GRZ_RECORD_END, sizeof end);
    grz_pass_end(&io, &end);
    if (grz_recorder_close_entry(recorder, &io, true)) {
        free_recorder(recorder);
    }
}

graze_status graze_record_stop(graze_world *world)
{
    const graze_status busy = grz_check_not_busy(world, "graze_record_stop");
    if (busy) {
        return busy;
    }
    grz_recorder_close(world);
    return world->record_status;
}

graze_status graze_record_status(const graze_world *world)
{
    return world->record_status;
}

bool graze_record_is_on(const graze_world *world)
{
    return world->recorder != NULL;
}
