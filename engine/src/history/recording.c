// A recording: the game starts and stops it, calls that change the world add entries.

#include "history/recording.h"

#include <graze/record.h>
#include <graze/world.h>

#include "history/checksum.h"
#include "history/state_hash.h"
#include "plural.h"
#include "world/call_hook.h"
#include "world/message.h"
#include "world/value_check.h"

#include <inttypes.h>

struct grz_recorder {
    graze_world *world;
    graze_write_fn *write;
    void *write_user;
    bool names_bodies;
    graze_filter_fn *filter; ///< The world's own, which the recorder's replaces.
    void *filter_user;
    graze_status filter_status;     ///< OUT_OF_MEMORY: some of the vetoes of this step are lost.
    grz_record_kind kind;           ///< Of the open entry, or the last one.
    GRZ_ARRAY(unsigned char) piece; ///< The current one, with its frame.
    bool lacks_memory;              ///< Some of the open entry is lost.
    GRZ_ARRAY(uint64_t) vetoes;     ///< Of the current step.
    grz_state_hash digest;
    uint64_t piece_count, byte_count, step_count; ///< Written, so far.
};

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

// --- the end ---

static void free_recorder(grz_recorder *recorder)
{
    graze_world *world = recorder->world;
    const graze_allocator *allocator = &world->config.counting;
    world->config.filter = recorder->filter;
    world->config.filter_user = recorder->filter_user;
    world->call.recorder = NULL;
    grz_array_free(&recorder->piece, allocator);
    grz_array_free(&recorder->vetoes, allocator);
    grz_array_free(&recorder->digest.blocks, allocator);
    allocator->release(recorder, sizeof *recorder, allocator->user);
}

// Stops after a failure, and tells the world's log. The kind of the open entry gives the name of
// the call.
static void give_up(grz_recorder *recorder, graze_status status)
{
    graze_world *world = recorder->world;
    world->call.record_status = grz_fail(
        world, status,
        "%s: %s after %" PRIu64 " bytes and %" PRIu64 " %s; the recording has stopped",
        grz_call_name(recorder->kind),
        status == GRAZE_ERROR_WRITE ? "the writer failed" : "no memory", recorder->byte_count,
        recorder->step_count, grz_plural(recorder->step_count, "step", "steps"));
    free_recorder(recorder);
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
    unsigned char bytes[sizeof header];
    grz_form_write(&grz_record_header_form, bytes, &header, 1);
    return write_bytes(recorder, bytes, sizeof bytes);
}

static bool write_piece(grz_recorder *recorder)
{
    unsigned char *piece = recorder->piece.data;
    const size_t size = recorder->piece.count;
    grz_record_close_frame(piece, recorder->piece_count++, size - sizeof(grz_record_frame));
    recorder->piece.count = sizeof(grz_record_frame);
    return write_bytes(recorder, piece, size);
}

// Makes room for bytes of the open entry, and returns where they go. If memory runs out, now or
// earlier in the entry, returns null, and closing the entry ends the recording.
static unsigned char *extend_piece(grz_recorder *recorder, size_t size)
{
    const uint32_t end = recorder->piece.count;
    recorder->lacks_memory =
        recorder->lacks_memory ||
        !grz_array_reserve_more(&recorder->piece, &recorder->world->config.counting, size);
    recorder->piece.count += recorder->lacks_memory ? 0 : (uint32_t)size;
    return recorder->lacks_memory ? NULL : recorder->piece.data + end;
}

// Adds elements to the open entry.
static void put(grz_recorder *recorder, const grz_form *form, const void *elements, size_t count)
{
    unsigned char *bytes = extend_piece(recorder, grz_form_stored_size(form) * count);
    if (bytes) {
        grz_form_write(form, bytes, elements, count);
    }
}

// Opens an entry with the body whose call it is, if it is one's, and the values that its plan has.
static void open_entry(grz_recorder *recorder, grz_record_kind kind, const graze_body_id *body,
                       const void *values)
{
    const uint8_t byte = (uint8_t)kind;
    const grz_form *form = grz_call_plans[kind].form;
    recorder->kind = kind;
    put(recorder, &grz_byte_form, &byte, 1);
    put(recorder, &grz_id_form, body, body != NULL);
    if (form) {
        put(recorder, form, values, 1);
    }
}

// Writes the piece if it is large, or `must` be written now. If that fails, or memory ran out, the
// recorder is gone.
static bool close_entry(grz_recorder *recorder, bool must)
{
    if (recorder->lacks_memory) {
        give_up(recorder, GRAZE_ERROR_OUT_OF_MEMORY);
        return false;
    }
    if ((must || recorder->piece.count >= LARGE_PIECE) && !write_piece(recorder)) {
        give_up(recorder, GRAZE_ERROR_WRITE);
        return false;
    }
    return true;
}

// --- calls ---

void grz_recorder_add(grz_recorder *recorder, grz_record_kind kind, const graze_body_id *body,
                      const void *values)
{
    open_entry(recorder, kind, body, values);
    (void)close_entry(recorder, false);
}

// An entry that consists of some values and a snapshot. Saving after a load gives what was loaded.
static void add_snapshot(grz_recorder *recorder, grz_record_kind kind, const void *values,
                         size_t snapshot_size)
{
    open_entry(recorder, kind, NULL, values);
    unsigned char *bytes = extend_piece(recorder, snapshot_size);
    if (bytes) {
        (void)graze_world_save(recorder->world, bytes, snapshot_size);
    }
    (void)close_entry(recorder, kind == GRZ_RECORD_START);
}

void grz_recorder_add_load(grz_recorder *recorder)
{
    const uint64_t size = graze_world_snapshot_size(recorder->world);
    add_snapshot(recorder, GRZ_RECORD_LOAD, &size, (size_t)size);
}

void grz_recorder_add_bodies(grz_recorder *recorder, grz_record_kind kind,
                             const graze_body_def *defs, uint32_t count, const graze_body_id *ids)
{
    const grz_record_bodies bodies = {count, ids != NULL};
    open_entry(recorder, kind, NULL, &bodies);
    put(recorder, &grz_body_def_form, defs, count);
    put(recorder, &grz_id_form, ids, ids ? count : 0);
    (void)close_entry(recorder, false);
}

void grz_recorder_add_chain(grz_recorder *recorder, const graze_chain_def *def, graze_chain_id id)
{
    const grz_record_chain chain = {*def, def->surfaces != NULL};
    open_entry(recorder, GRZ_RECORD_CREATE_CHAIN, NULL, &chain);
    put(recorder, &grz_vector_form, def->points, def->count);
    put(recorder, &grz_surface_form, def->surfaces, def->surfaces ? def->count - !def->loop : 0);
    put(recorder, &grz_id_form, &id, 1);
    (void)close_entry(recorder, false);
}

static void add_step(grz_recorder *recorder, float dt)
{
    const grz_state_hash *digest = &recorder->digest;
    recorder->vetoes.count = grz_record_sort_vetoes(recorder->vetoes.data, recorder->vetoes.count);
    const grz_record_step step = {
        .dt = dt,
        .veto_count = recorder->vetoes.count,
        .block_count = recorder->names_bodies ? digest->blocks.count : 0,
        .digest = digest->sum,
    };
    open_entry(recorder, GRZ_RECORD_STEP, NULL, &step);
    put(recorder, &grz_long_form, recorder->vetoes.data, step.veto_count);
    put(recorder, &grz_state_hash_block_form, digest->blocks.data, step.block_count);
    recorder->vetoes.count = 0;
    recorder->step_count += !recorder->lacks_memory;
    (void)close_entry(recorder, true);
}

void grz_recorder_add_step(grz_recorder *recorder, float dt, graze_status status)
{
    if (recorder->world->call.busy) {
        return; // A call from inside a step.
    }
    recorder->kind = GRZ_RECORD_STEP;
    if (status) {
        recorder->vetoes.count = 0;
        recorder->filter_status = GRAZE_OK;
    } else if (recorder->filter_status || !grz_state_hash_take(&recorder->digest, recorder->world,
                                                               &recorder->world->config.counting)) {
        give_up(recorder, GRAZE_ERROR_OUT_OF_MEMORY);
    } else {
        add_step(recorder, dt);
    }
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
    if (grz_array_reserve_more(&recorder->vetoes, &recorder->world->config.counting, 1)) {
        recorder->vetoes.data[recorder->vetoes.count++] = veto;
    } else {
        recorder->filter_status = GRAZE_ERROR_OUT_OF_MEMORY;
    }
    return false;
}

static void take_filter(grz_recorder *recorder)
{
    graze_world *world = recorder->world;
    recorder->filter = world->config.filter;
    recorder->filter_user = world->config.filter_user;
    if (world->config.filter) {
        world->config.filter = ask_and_note;
        world->config.filter_user = recorder;
    }
}

// --- start and stop ---

static graze_status check_call(const graze_world *world, const graze_record_def *def)
{
    const grz_value_source source = {.world = world, .call = "graze_record_start"};
    graze_status status = grz_check_not_busy(world, source.call);
    if (!status && world->call.recorder) {
        status = grz_fail(world, GRAZE_ERROR_BUSY, "%s: this world is already being recorded",
                          source.call);
    }
    status = status ? status : grz_check_not_null(world, source.call, "def", def != NULL);
    if (!status && def->cookie != RECORD_COOKIE) {
        status = grz_refuse_cookie(&source, def->cookie, "graze_record_def_default()");
    }
    return status ? status : grz_check_not_null(world, source.call, "write", def->write != NULL);
}

static grz_recorder *make_recorder(graze_world *world, const graze_record_def *def)
{
    const graze_allocator *allocator = &world->config.counting;
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
    world->call.recorder = recorder;
    take_filter(recorder);
    return recorder;
}

static void add_start(grz_recorder *recorder)
{
    const size_t size = graze_world_snapshot_size(recorder->world);
    const grz_record_start start = {
        .has_filter = recorder->filter != NULL,
        .names_bodies = recorder->names_bodies,
        .hash = graze_world_hash(recorder->world),
        .snapshot_size = size,
    };
    add_snapshot(recorder, GRZ_RECORD_START, &start, size);
}

graze_status graze_record_start(graze_world *world, const graze_record_def *def)
{
    graze_status status = check_call(world, def);
    if (status) {
        return status;
    }
    world->call.record_status = GRAZE_OK;
    grz_recorder *recorder = make_recorder(world, def);
    if (!recorder || !grz_array_reserve(&recorder->piece, &world->config.counting, LARGE_PIECE)) {
        if (recorder) {
            free_recorder(recorder);
        }
        return grz_fail(world, GRAZE_ERROR_OUT_OF_MEMORY,
                        "graze_record_start: no memory for the recording");
    }
    recorder->piece.count = sizeof(grz_record_frame);
    if (!write_header(recorder)) {
        give_up(recorder, GRAZE_ERROR_WRITE);
        return world->call.record_status;
    }
    add_start(recorder);
    return world->call.record_status;
}

void grz_recorder_close(graze_world *world)
{
    grz_recorder *recorder = world->call.recorder;
    if (!recorder) {
        return;
    }
    const grz_record_end end = {recorder->step_count, graze_world_hash(world)};
    open_entry(recorder, GRZ_RECORD_END, NULL, &end);
    if (close_entry(recorder, true)) {
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
    return world->call.record_status;
}

graze_status graze_record_status(const graze_world *world)
{
    return world->call.record_status;
}

bool graze_record_is_on(const graze_world *world)
{
    return world->call.recorder != NULL;
}

// --- the format: heads ---

grz_record_header grz_record_new_header(void)
{
    const grz_record_header header = {
        .magic = {'g', 'r', 'a', 'z', 'e', 'r', 'e', 'c'},
        .byte_order = 0x01020304,
        .version = GRZ_RECORD_VERSION,
    };
    return header;
}

void grz_record_close_frame(unsigned char *bytes, uint64_t number, size_t size)
{
    const size_t summed = offsetof(grz_record_frame, size);
    grz_record_frame frame = {.size = size, .number = number};
    for (int pass = 0; pass < 2; ++pass) {
        grz_form_write(&grz_record_frame_form, bytes, &frame, 1);
        frame.checksum = grz_checksum_of(bytes + summed, sizeof frame - summed + size);
    }
}

// --- the format: vetoes, a sorted set of pairs ---

uint64_t grz_record_veto(graze_body_id a, graze_body_id b, graze_segment_id segment)
{
    const uint32_t terrain = UINT32_C(1) << 31; // Indices are below it.
    if (b.generation == 0) {
        return (uint64_t)a.index << 32 | terrain | segment.chain.index;
    }
    const bool in_order = a.index < b.index;
    return in_order ? (uint64_t)a.index << 32 | b.index : (uint64_t)b.index << 32 | a.index;
}

static void sift_down(uint64_t *heap, uint32_t place, uint32_t count)
{
    for (uint32_t child; (child = 2 * place + 1) < count; place = child) {
        child += child + 1 < count && heap[child + 1] > heap[child];
        if (heap[place] >= heap[child]) {
            return;
        }
        const uint64_t larger = heap[child];
        heap[child] = heap[place];
        heap[place] = larger;
    }
}

// Heapsort (J. W. J. Williams 1964): in place, and never quadratic, whatever a record holds.
static void heap_sort(uint64_t *numbers, uint32_t count)
{
    for (uint32_t place = count / 2; place-- > 0;) {
        sift_down(numbers, place, count);
    }
    while (count-- > 1) {
        const uint64_t largest = numbers[0];
        numbers[0] = numbers[count];
        numbers[count] = largest;
        sift_down(numbers, 0, count);
    }
}

uint32_t grz_record_sort_vetoes(uint64_t *vetoes, uint32_t count)
{
    uint32_t kept = 0;
    heap_sort(vetoes, count);
    for (uint32_t i = 0; i < count; ++i) {
        if (kept == 0 || vetoes[kept - 1] != vetoes[i]) {
            vetoes[kept++] = vetoes[i];
        }
    }
    return kept;
}
