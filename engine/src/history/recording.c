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
    grz_state_hash_free(&recorder->digest, allocator);
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
        grz_call_plans[recorder->kind].call,
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
    grz_archive archive = grz_archive_writing(bytes, sizeof bytes);
    grz_archive_put(&archive, &grz_record_header_form, &header, 1);
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

// Opens an entry with room for its kind and `size` bytes more, and passes the kind. If memory runs
// out the recorder is gone: what is passed then is dropped, and closing the entry does nothing.
static grz_archive open_entry(grz_recorder *recorder, grz_record_kind kind, size_t size)
{
    const uint8_t byte = (uint8_t)kind;
    grz_archive entry = {.writes = true, .failed = true};
    recorder->kind = kind;
    if (!grz_array_reserve_more(&recorder->piece, &recorder->world->config.counting, size + 1)) {
        give_up(recorder, GRAZE_ERROR_OUT_OF_MEMORY);
        return entry;
    }
    entry = grz_archive_writing(recorder->piece.data + recorder->piece.count, size + 1);
    grz_archive_put(&entry, &grz_byte_form, &byte, 1);
    return entry;
}

// Writes the piece if it is large, or `must` be written now. Returns false, with the recorder gone,
// if that fails.
static bool close_entry(grz_recorder *recorder, const grz_archive *entry, bool must)
{
    if (entry->failed) {
        return false;
    }
    recorder->piece.count = (uint32_t)(entry->at - recorder->piece.data);
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
    const grz_form *form = grz_call_plans[kind].form;
    const size_t size = (body ? GRZ_RECORD_ID_SIZE : 0) + (form ? grz_form_stored_size(form) : 0);
    grz_archive entry = open_entry(recorder, kind, size);
    if (body) {
        grz_archive_put(&entry, &grz_id_form, body, 1);
    }
    if (form) {
        grz_archive_put(&entry, form, values, 1);
    }
    (void)close_entry(recorder, &entry, false);
}

// An entry that consists of some values and a snapshot. Saving after a load gives what was loaded.
static bool add_snapshot(grz_recorder *recorder, grz_record_kind kind, const void *values,
                         size_t snapshot_size)
{
    const grz_form *form = grz_call_plans[kind].form;
    const size_t size = grz_form_stored_size(form) + snapshot_size;
    grz_archive entry = open_entry(recorder, kind, size);
    grz_archive_put(&entry, form, values, 1);
    if (!entry.failed) {
        (void)graze_world_save(recorder->world, entry.at, snapshot_size);
        entry.at += snapshot_size;
    }
    return close_entry(recorder, &entry, kind == GRZ_RECORD_START);
}

void grz_recorder_add_load(grz_recorder *recorder)
{
    const uint64_t size = graze_world_snapshot_size(recorder->world);
    (void)add_snapshot(recorder, GRZ_RECORD_LOAD, &size, (size_t)size);
}

void grz_recorder_add_bodies(grz_recorder *recorder, grz_record_kind kind,
                             const graze_body_def *defs, uint32_t count, const graze_body_id *ids)
{
    const size_t each = grz_form_stored_size(&grz_body_def_form) + GRZ_RECORD_ID_SIZE;
    const grz_record_bodies bodies = {count, ids != NULL};
    grz_archive entry = open_entry(recorder, kind, sizeof bodies + count * each);
    grz_archive_put(&entry, grz_call_plans[kind].form, &bodies, 1);
    grz_archive_put(&entry, &grz_body_def_form, defs, count);
    grz_archive_put(&entry, &grz_id_form, ids, ids ? count : 0);
    (void)close_entry(recorder, &entry, false);
}

void grz_recorder_add_chain(grz_recorder *recorder, const graze_chain_def *def, graze_chain_id id)
{
    const grz_form *form = grz_call_plans[GRZ_RECORD_CREATE_CHAIN].form;
    const grz_record_chain chain = {*def, def->surfaces != NULL};
    const uint32_t surfaces = def->surfaces ? def->count - !def->loop : 0;
    const size_t size = grz_form_stored_size(form) + (size_t)def->count * sizeof *def->points +
                        (size_t)surfaces * sizeof *def->surfaces + GRZ_RECORD_ID_SIZE;
    grz_archive entry = open_entry(recorder, GRZ_RECORD_CREATE_CHAIN, size);
    grz_archive_put(&entry, form, &chain, 1);
    grz_archive_put(&entry, &grz_vector_form, def->points, def->count);
    grz_archive_put(&entry, &grz_surface_form, def->surfaces, surfaces);
    grz_archive_put(&entry, &grz_id_form, &id, 1);
    (void)close_entry(recorder, &entry, false);
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
    const size_t size = GRZ_RECORD_STEP_SIZE + (size_t)step.veto_count * sizeof(uint64_t) +
                        (size_t)step.block_count * sizeof(grz_state_hash_block);
    grz_archive entry = open_entry(recorder, GRZ_RECORD_STEP, size);
    if (entry.failed) {
        return;
    }
    ++recorder->step_count;
    grz_archive_put(&entry, grz_call_plans[GRZ_RECORD_STEP].form, &step, 1);
    grz_archive_put(&entry, &grz_long_form, recorder->vetoes.data, step.veto_count);
    grz_archive_put(&entry, &grz_state_hash_block_form, digest->blocks.data, step.block_count);
    recorder->vetoes.count = 0;
    (void)close_entry(recorder, &entry, true);
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

// Returns false, with the recorder gone, if it fails.
static bool add_start(grz_recorder *recorder)
{
    const size_t size = graze_world_snapshot_size(recorder->world);
    const grz_record_start start = {
        .has_filter = recorder->filter != NULL,
        .names_bodies = recorder->names_bodies,
        .hash = graze_world_hash(recorder->world),
        .snapshot_size = size,
    };
    return add_snapshot(recorder, GRZ_RECORD_START, &start, size);
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
    (void)add_start(recorder);
    return world->call.record_status;
}

void grz_recorder_close(graze_world *world)
{
    grz_recorder *recorder = world->call.recorder;
    if (!recorder) {
        return;
    }
    const grz_form *form = grz_call_plans[GRZ_RECORD_END].form;
    const grz_record_end end = {recorder->step_count, graze_world_hash(world)};
    grz_archive entry = open_entry(recorder, GRZ_RECORD_END, grz_form_stored_size(form));
    grz_archive_put(&entry, form, &end, 1);
    if (close_entry(recorder, &entry, true)) {
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

// --- the format: structures ---

const grz_form grz_record_header_form =
    GRZ_FORM(grz_record_header, {0, 8, GRZ_TYPE_BYTE, GRZ_ANYTHING, NULL},
             GRZ_ANY_WORDS(grz_record_header, byte_order, version));

const grz_form grz_record_frame_form =
    GRZ_FORM(grz_record_frame, GRZ_ANY_LONGS(grz_record_frame, checksum, number));

static const grz_form start_form = GRZ_FORM(
    grz_record_start, GRZ_BOOL(grz_record_start, has_filter),
    GRZ_BOOL(grz_record_start, names_bodies), GRZ_ANY_LONGS(grz_record_start, hash, snapshot_size));

static const grz_form end_form =
    GRZ_FORM(grz_record_end, GRZ_ANY_LONGS(grz_record_end, step_count, hash));

static const grz_form step_form =
    GRZ_FORM(grz_record_step, GRZ_ANY_WORDS(grz_record_step, dt, block_count),
             GRZ_ANY_LONGS(grz_record_step, digest, digest));

const grz_form grz_state_hash_block_form =
    GRZ_FORM(grz_state_hash_block, GRZ_ANY_LONGS(grz_state_hash_block, sum, joined),
             GRZ_ANY(grz_state_hash_block, bodies, bodies, GRZ_TYPE_SHORT, 2));

static const grz_form bodies_form =
    GRZ_FORM(grz_record_bodies, GRZ_ANY_WORDS(grz_record_bodies, count, count),
             GRZ_BOOL(grz_record_bodies, has_ids));

const grz_form grz_body_def_form = GRZ_FORM(
    graze_body_def, GRZ_ENUM(graze_body_def, shape.kind),
    GRZ_ANY_WORDS(graze_body_def, shape.radius, gravity_scale), GRZ_ENUM(graze_body_def, response),
    GRZ_BOOL(graze_body_def, sensor), GRZ_ANY_WORDS(graze_body_def, hit_limit, hit_limit),
    GRZ_BOOL(graze_body_def, never_sleeps), GRZ_ANY_WORDS(graze_body_def, lifetime, filter),
    GRZ_ANY_LONGS(graze_body_def, user_data, user_data));

static const grz_form chain_form =
    GRZ_FORM(grz_record_chain, GRZ_ANY_WORDS(grz_record_chain, def.count, def.count),
             GRZ_BOOL(grz_record_chain, def.loop), GRZ_BOOL(grz_record_chain, def.one_sided),
             GRZ_BOOL(grz_record_chain, def.sensor),
             GRZ_ANY_WORDS(grz_record_chain, def.surface, def.surface),
             GRZ_BOOL(grz_record_chain, has_surfaces),
             GRZ_ANY_WORDS(grz_record_chain, def.filter, def.filter),
             GRZ_ANY_LONGS(grz_record_chain, def.user_data, def.user_data));

_Static_assert(sizeof(graze_shape_kind) == sizeof(int) && sizeof(graze_response) == sizeof(int),
               "enums are words");

// Structures of words alone.
#define WORDS_OF(structure)                                                                        \
    GRZ_FORM(structure, {0, sizeof(structure) / 4, GRZ_TYPE_WORD, GRZ_ANYTHING, NULL})

const grz_form grz_id_form = WORDS_OF(graze_body_id);
const grz_form grz_vector_form = WORDS_OF(graze_vec2);
const grz_form grz_surface_form = WORDS_OF(graze_surface);
static const grz_form filter_form = WORDS_OF(graze_filter);
static const grz_form shape_form = WORDS_OF(graze_shape);
static const grz_form push_form = WORDS_OF(grz_record_push);
static const grz_form chain_surface_form = WORDS_OF(grz_record_surface);
static const grz_form blast_form = WORDS_OF(grz_record_blast);

_Static_assert(sizeof(graze_body_id) == 8 && sizeof(graze_chain_id) == 8 &&
                   sizeof(graze_vec2) == 8 && sizeof(graze_filter) == 16 &&
                   sizeof(graze_shape) == 16 && sizeof(graze_surface) == 16 &&
                   sizeof(grz_record_push) == 16 && sizeof(grz_record_surface) == 28 &&
                   sizeof(grz_record_blast) == 32 && sizeof(graze_response) == 4,
               "no structure has padding");

// --- the format: entries ---

const grz_call_plan grz_call_plans[GRZ_RECORD_KINDS] = {
    [GRZ_RECORD_START] = {"graze_record_start", &start_form, false},
    [GRZ_RECORD_END] = {"graze_record_stop", &end_form, false},
    [GRZ_RECORD_STEP] = {"graze_world_step", &step_form, false},
    [GRZ_RECORD_SORT] = {"graze_world_sort", NULL, false},
    [GRZ_RECORD_LOAD] = {"graze_world_load", &grz_long_form, false},
    [GRZ_RECORD_CREATE] = {"graze_body_create", &bodies_form, false},
    [GRZ_RECORD_CREATE_MANY] = {"graze_body_create_many", &bodies_form, false},
    [GRZ_RECORD_DESTROY] = {"graze_body_destroy", NULL, true},
    [GRZ_RECORD_SET_POSITION] = {"graze_body_set_position", &grz_vector_form, true},
    [GRZ_RECORD_SET_VELOCITY] = {"graze_body_set_velocity", &grz_vector_form, true},
    [GRZ_RECORD_SET_ANGLE] = {"graze_body_set_angle", &grz_word_form, true},
    [GRZ_RECORD_SET_SPIN] = {"graze_body_set_spin", &grz_word_form, true},
    [GRZ_RECORD_SET_FILTER] = {"graze_body_set_filter", &filter_form, true},
    [GRZ_RECORD_SET_RESPONSE] = {"graze_body_set_response", &grz_word_form, true},
    [GRZ_RECORD_SET_USER_DATA] = {"graze_body_set_user_data", &grz_long_form, true},
    [GRZ_RECORD_CREATE_CHAIN] = {"graze_chain_create", &chain_form, false},
    [GRZ_RECORD_DESTROY_CHAIN] = {"graze_chain_destroy", &grz_id_form, false},
    [GRZ_RECORD_SET_MASS] = {"graze_body_set_mass", &grz_word_form, true},
    [GRZ_RECORD_SET_RESTITUTION] = {"graze_body_set_restitution", &grz_word_form, true},
    [GRZ_RECORD_SET_FRICTION] = {"graze_body_set_friction", &grz_word_form, true},
    [GRZ_RECORD_SET_LIFETIME] = {"graze_body_set_lifetime", &grz_word_form, true},
    [GRZ_RECORD_SET_HIT_LIMIT] = {"graze_body_set_hit_limit", &grz_word_form, true},
    [GRZ_RECORD_SET_SENSOR] = {"graze_body_set_sensor", &grz_byte_form, true},
    [GRZ_RECORD_SET_SHAPE] = {"graze_body_set_shape", &shape_form, true},
    [GRZ_RECORD_SET_GRAVITY] = {"graze_world_set_gravity", &grz_vector_form, false},
    [GRZ_RECORD_SET_SURFACE] = {"graze_body_set_surface", &grz_surface_form, true},
    [GRZ_RECORD_SET_INERTIA] = {"graze_body_set_inertia", &grz_word_form, true},
    [GRZ_RECORD_SET_DAMPING] = {"graze_body_set_damping", &grz_word_form, true},
    [GRZ_RECORD_SET_SPIN_DAMPING] = {"graze_body_set_spin_damping", &grz_word_form, true},
    [GRZ_RECORD_SET_GRAVITY_SCALE] = {"graze_body_set_gravity_scale", &grz_word_form, true},
    [GRZ_RECORD_SET_NEVER_SLEEPS] = {"graze_body_set_never_sleeps", &grz_byte_form, true},
    [GRZ_RECORD_SET_CHAIN_SURFACE] = {"graze_chain_set_surface", &chain_surface_form, false},
    [GRZ_RECORD_SET_SUBSTEPS] = {"graze_world_set_substeps", &grz_word_form, false},
    [GRZ_RECORD_APPLY_IMPULSE] = {"graze_body_apply_impulse", &push_form, true},
    [GRZ_RECORD_APPLY_SPIN_IMPULSE] = {"graze_body_apply_spin_impulse", &grz_word_form, true},
    [GRZ_RECORD_EXPLODE] = {"graze_world_explode", &blast_form, false},
};

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
        grz_archive archive = grz_archive_writing(bytes, sizeof frame);
        grz_archive_put(&archive, &grz_record_frame_form, &frame, 1);
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
