/// @file id.h
/// Ids of bodies, chains and segments: small values that a game may copy, store and compare.
///
/// An id is an index and a generation. Two ids are equal if both of these are. An id of all zeros
/// means "none"; no other id has generation 0. When something is removed, its index is reused with
/// another generation. So a stale id is recognised: using one returns GRAZE_ERROR_STALE_ID and is
/// never undefined behaviour. (A generation comes round again after 2^32 - 1 uses of an index.)
///
/// An id belongs to its world: another world may have given the same id to something else. Worlds
/// that a snapshot was loaded into have the ids of the saved world (world.h).
#ifndef GRAZE_ID_H
#define GRAZE_ID_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A world; opaque. See world.h.
typedef struct graze_world graze_world;

/// Identifies a body. Contacts are ordered by `index`.
typedef struct graze_body_id {
    uint32_t index, generation;
} graze_body_id;

/// Returns whether the two are equal: both may be none. Constant time, any thread.
bool graze_body_id_equal(graze_body_id first, graze_body_id second);

/// Identifies a chain of terrain.
typedef struct graze_chain_id {
    uint32_t index, generation;
} graze_chain_id;

/// Identifies one segment of a chain. `index` i is the segment from points[i] to points[i + 1], or
/// back to points[0] for the last one of a loop. It is none if `chain` is none.
typedef struct graze_segment_id {
    graze_chain_id chain;
    uint32_t index;
} graze_segment_id;

#ifdef __cplusplus
}
#endif

#endif
