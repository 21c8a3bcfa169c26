// The entries of calls. If grz_recorder_open_entry fails the recorder is gone: what is passed then
// is dropped, and closing the entry does nothing.

#include "history/record_state.h"

#include <graze/world.h>

void grz_recorder_add(grz_recorder *recorder, grz_record_kind kind)
{
    const grz_record_io io = grz_recorder_open_entry(recorder, kind, 0);
    (void)grz_recorder_close_entry(recorder, &io, false);
}

enum { GRZ_VALUE_SIZE = sizeof(graze_shape) }; ///< The largest value of a body.

_Static_assert(sizeof(graze_surface) <= sizeof(graze_shape) &&
                   2 * sizeof(graze_vec2) <= sizeof(graze_shape),
               "a shape is the largest value");

// Saving now gives what was loaded.
void grz_recorder_add_load(grz_recorder *recorder)
{
    const size_t size = graze_world_snapshot_size(recorder->world);
    uint64_t stored_size = size;
    grz_record_io io =
        grz_recorder_open_entry(recorder, GRZ_RECORD_LOAD, sizeof stored_size + size);
    grz_pass(&io, &stored_size, sizeof stored_size);
    grz_recorder_pass_snapshot(recorder, &io, size);
    (void)grz_recorder_close_entry(recorder, &io, false);
}

void grz_recorder_add_gravity(grz_recorder *recorder, graze_vec2 gravity)
{
    grz_record_io io = grz_recorder_open_entry(recorder, GRZ_RECORD_SET_GRAVITY, sizeof gravity);
    grz_pass(&io, &gravity, sizeof gravity);
    (void)grz_recorder_close_entry(recorder, &io, false);
}

void grz_recorder_add_blast(grz_recorder *recorder, const grz_record_blast *blast)
{
    grz_record_blast copy = *blast;
    grz_record_io io = grz_recorder_open_entry(recorder, GRZ_RECORD_EXPLODE, sizeof copy);
    grz_pass_blast(&io, &copy);
    (void)grz_recorder_close_entry(recorder, &io, false);
}

void grz_recorder_add_substeps(grz_recorder *recorder, uint32_t substeps)
{
    grz_record_io io = grz_recorder_open_entry(recorder, GRZ_RECORD_SET_SUBSTEPS, sizeof substeps);
    grz_pass(&io, &substeps, sizeof substeps);
    (void)grz_recorder_close_entry(recorder, &io, false);
}

void grz_recorder_add_surface(grz_recorder *recorder, const grz_record_surface *change)
{
    grz_record_surface copy = *change;
    grz_record_io io = grz_recorder_open_entry(recorder, GRZ_RECORD_SET_CHAIN_SURFACE, sizeof copy);
    grz_pass_chain_surface(&io, &copy);
    (void)grz_recorder_close_entry(recorder, &io, false);
}

void grz_recorder_add_bodies(grz_recorder *recorder, grz_record_kind kind,
                             const graze_body_def *defs, uint32_t count, const graze_body_id *ids)
{
    const size_t each = GRZ_RECORD_BODY_SIZE + GRZ_RECORD_ID_SIZE;
    grz_record_bodies bodies = {count, ids != NULL};
    grz_record_io io = grz_recorder_open_entry(recorder, kind, sizeof bodies + count * each);
    grz_pass_bodies(&io, &bodies);
    for (uint32_t i = 0; i < count; ++i) {
        graze_body_def def = defs[i];
        grz_pass_body_def(&io, &def);
    }
    for (uint32_t i = 0; ids && i < count; ++i) {
        graze_body_id id = ids[i];
        grz_pass_body_id(&io, &id);
    }
    (void)grz_recorder_close_entry(recorder, &io, false);
}

void grz_recorder_add_value(grz_recorder *recorder, grz_record_kind kind, graze_body_id body,
                            const void *value)
{
    unsigned char copy[GRZ_VALUE_SIZE];
    const size_t size = grz_record_value_size(kind);
    grz_record_io io = grz_recorder_open_entry(recorder, kind, GRZ_RECORD_ID_SIZE + size);
    grz_pass_body_id(&io, &body);
    if (size > 0) {
        memcpy(copy, value, size);
        grz_pass(&io, copy, size);
    }
    (void)grz_recorder_close_entry(recorder, &io, false);
}

void grz_recorder_add_chain(grz_recorder *recorder, const graze_chain_def *def, graze_chain_id id)
{
    graze_chain_def copy = *def;
    bool has_surfaces = def->surfaces != NULL;
    const uint32_t surfaces = has_surfaces ? def->count - !def->loop : 0;
    const size_t size = GRZ_RECORD_CHAIN_SIZE + (size_t)def->count * sizeof *def->points +
                        (size_t)surfaces * GRZ_RECORD_SURFACE_SIZE;
    grz_record_io io = grz_recorder_open_entry(recorder, GRZ_RECORD_CREATE_CHAIN, size);
    grz_pass_chain_def(&io, &copy, &has_surfaces);
    for (uint32_t i = 0; i < def->count; ++i) {
        graze_vec2 point = def->points[i];
        grz_pass(&io, &point, sizeof point);
    }
    for (uint32_t i = 0; i < surfaces; ++i) {
        graze_surface surface = def->surfaces[i];
        grz_pass_surface(&io, &surface);
    }
    grz_pass_chain_id(&io, &id);
    (void)grz_recorder_close_entry(recorder, &io, false);
}

void grz_recorder_add_chain_end(grz_recorder *recorder, graze_chain_id chain)
{
    grz_record_io io =
        grz_recorder_open_entry(recorder, GRZ_RECORD_DESTROY_CHAIN, GRZ_RECORD_ID_SIZE);
    grz_pass_chain_id(&io, &chain);
    (void)grz_recorder_close_entry(recorder, &io, false);
}

// Arrays that may be empty.
static void pass_array(grz_record_io *io, void *data, size_t size)
{
    if (size > 0) {
        grz_pass(io, data, size);
    }
}

static void add_step(grz_recorder *recorder, float dt)
{
    const grz_digest *digest = &recorder->digest;
    recorder->vetoes.count = grz_record_sort_vetoes(recorder->vetoes.data, recorder->vetoes.count);
    grz_record_step step = {
        .dt = dt,
        .veto_count = recorder->vetoes.count,
        .block_count = recorder->names_bodies ? digest->blocks.count : 0,
        .digest = digest->sum,
    };
    const size_t vetoes_size = (size_t)step.veto_count * sizeof *recorder->vetoes.data;
    const size_t blocks_size = (size_t)step.block_count * sizeof *digest->blocks.data;
    const size_t size = GRZ_RECORD_STEP_SIZE + vetoes_size + blocks_size;
    grz_record_io io = grz_recorder_open_entry(recorder, GRZ_RECORD_STEP, size);
    if (io.failed) {
        return;
    }
    ++recorder->step_count;
    grz_pass_step(&io, &step);
    pass_array(&io, recorder->vetoes.data, vetoes_size);
    pass_array(&io, digest->blocks.data, blocks_size);
    recorder->vetoes.count = 0;
    (void)grz_recorder_close_entry(recorder, &io, true);
}

void grz_recorder_add_step(grz_recorder *recorder, float dt, graze_status status)
{
    if (recorder->world->busy) {
        return; // A call from inside a step.
    }
    recorder->kind = GRZ_RECORD_STEP;
    if (status) {
        recorder->vetoes.count = 0;
        recorder->filter_status = GRAZE_OK;
    } else if (recorder->filter_status ||
               !grz_digest_take(&recorder->digest, recorder->world, &recorder->world->counting)) {
        grz_recorder_give_up(recorder, GRAZE_ERROR_OUT_OF_MEMORY);
    } else {
        add_step(recorder, dt);
    }
}
