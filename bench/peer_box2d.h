/// @file peer_box2d.h
/// Box2D 2.4 as a peer.
#ifndef GRAZE_BENCH_PEER_BOX2D_H
#define GRAZE_BENCH_PEER_BOX2D_H

#include "engine.h"

extern const engine engine_box2d;

#endif
