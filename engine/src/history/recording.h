/// @file recording.h
/// The format of records: a header, then pieces.
///
/// A piece is a frame, followed by whole entries. An entry is a byte, its kind, followed by values
/// in the forms that grz_call_plans has (archive.h). The first entry is the start; the last entry
/// of a complete record is the end.
#ifndef GRZ_RECORDING_H
#define GRZ_RECORDING_H

#include <graze/chain.h>

#include "history/archive.h"
#include "world/call_hook.h"

/// The start of a record.
typedef struct grz_record_header {
    char magic[8];       ///< The same in every record.
    uint32_t byte_order; ///< Reads as another number in another byte order.
    uint32_t version;    ///< Of this format: GRZ_RECORD_VERSION.
} grz_record_header;

/// The head of a piece, before its entries.
typedef struct grz_record_frame {
    uint64_t checksum; ///< Of all bytes of the piece after it.
    uint64_t size;     ///< Of the entries, bytes.
    uint64_t number;   ///< Counted from 0: shows missing or displaced pieces.
} grz_record_frame;

_Static_assert(sizeof(grz_record_header) == 16, "a header has no padding");
_Static_assert(sizeof(grz_record_frame) == 24, "a frame has no padding");

/// Returns the header of this version.
grz_record_header grz_record_new_header(void);

/// Fills the frame before `size` bytes of entries.
void grz_record_close_frame(unsigned char *frame, uint64_t number, size_t size);

/// The start; a snapshot of `snapshot_size` bytes follows. A load has only the size and the
/// snapshot.
typedef struct grz_record_start {
    bool has_filter;   ///< The world has a filter callback.
    bool names_bodies; ///< Steps have blocks.
    uint64_t hash;     ///< graze_world_hash.
    uint64_t snapshot_size;
} grz_record_start;

typedef struct grz_record_end {
    uint64_t step_count, hash;
} grz_record_end;

/// A step; its vetoes (uint64_t) and its blocks (grz_state_hash_block) follow.
typedef struct grz_record_step {
    float dt;
    uint32_t veto_count, block_count;
    uint64_t digest; ///< The world's, after the step.
} grz_record_step;

/// Bodies; their defs follow and, unless the caller did not want them, the ids.
typedef struct grz_record_bodies {
    uint32_t count;
    bool has_ids;
} grz_record_bodies;

/// A chain; its points, surfaces and id follow.
typedef struct grz_record_chain {
    graze_chain_def def;
    bool has_surfaces; ///< Its segments have their own.
} grz_record_chain;

enum { GRZ_RECORD_VERSION = 7 };

/// The values that an entry begins with.
typedef union grz_call_values {
    grz_record_start start;
    grz_record_end end;
    grz_record_step step;
    grz_record_bodies bodies;
    grz_record_chain created;
    uint64_t size; ///< Of a snapshot.
    graze_vec2 vector;
    float number;
    uint32_t count;
    bool truth;
    uint64_t user_data;
    graze_filter filter;
    graze_response response;
    graze_shape shape;
    graze_surface surface;
    graze_chain_id chain;
    grz_record_push push;
    grz_record_surface part;
    grz_record_blast blast;
} grz_call_values;

/// Makes a call; the body is that whose call it is, if it is one's.
typedef graze_status grz_call_fn(graze_world *world, graze_body_id body,
                                 const grz_call_values *values);

/// What an entry is.
typedef struct grz_call_plan {
    const char *call;     ///< The name of the function whose call it is.
    const grz_form *form; ///< Of its values; null: it has none.
    bool of_body;         ///< The id of a body comes before.
    grz_call_fn *make;    ///< Null: it has more than values.
} grz_call_plan;

extern const grz_call_plan grz_call_plans[GRZ_RECORD_KINDS];

/// Forms that follow others.
extern const grz_form grz_record_header_form, grz_record_frame_form;
extern const grz_form grz_id_form, grz_body_def_form, grz_vector_form, grz_surface_form;
extern const grz_form grz_state_hash_block_form;

/// A pair that the filter callback vetoed, whichever of the two comes first.
uint64_t grz_record_veto(graze_body_id a, graze_body_id b, graze_segment_id segment);

/// Sorts vetoes and drops duplicates; returns how many are left.
uint32_t grz_record_sort_vetoes(uint64_t *vetoes, uint32_t count);

#endif
