/// @file id.h
/// Names of things in a world: small values that a game may copy, store and compare.
///
/// An id is an index and a generation; all zero is "none". After a removal the index is used again,
/// but with another generation (until 2^32 uses of one index). So an id of something that is gone
/// is recognised: using it returns GRAZE_ERROR_STALE_ID and is never undefined behaviour.
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
