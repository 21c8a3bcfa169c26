#include "engines.h"

#include "engine_graze.h"

#ifdef GRAZE_BENCH_CHIPMUNK
#include "peer_chipmunk.h"
#endif
#ifdef GRAZE_BENCH_BOX2D
#include "peer_box2d.h"
#endif

#include <stddef.h>

const engine *const engines[] = {
    &engine_graze,
#ifdef GRAZE_BENCH_CHIPMUNK
    &engine_chipmunk_tree,
    &engine_chipmunk_hash,
#endif
#ifdef GRAZE_BENCH_BOX2D
    &engine_box2d,
#endif
    NULL,
};
