/// @file peer_chipmunk.h
/// Chipmunk 7 as a peer, once with each of its two indexes.
#ifndef GRAZE_BENCH_PEER_CHIPMUNK_H
#define GRAZE_BENCH_PEER_CHIPMUNK_H

#include "engine.h"

/// With its default, a bounding box tree.
extern const engine engine_chipmunk_tree;

/// With its spatial hash, tuned for each scene.
extern const engine engine_chipmunk_hash;

#endif
