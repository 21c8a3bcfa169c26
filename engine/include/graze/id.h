/// @file id.h
/// Names of things in a world: small values that a game may copy, store and compare.
///
/// Ids are by value. All zero is "none". The index is reused after a removal, the generation is not
/// (before 2^32 reuses of one index), so an id of something that is gone is recognised: using it is
/// GRAZE_ERROR_STALE_ID, never undefined behaviour.
#ifndef GRAZE_ID_H
#define GRAZE_ID_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A world: created in world.h, opaque.
typedef struct graze_world graze_world;

/// Names a body. Contacts are ordered by `index`.
typedef struct graze_body_id {
    uint32_t index, generation;
} graze_body_id;

/// Names a chain of terrain.
typedef struct graze_chain_id {
    uint32_t index, generation;
} graze_chain_id;

/// Names one segment of a chain: `index` 0 is the one from points[0] to points[1].
typedef struct graze_segment_id {
    graze_chain_id chain;
    uint32_t index;
} graze_segment_id;

#ifdef __cplusplus
}
#endif

#endif
