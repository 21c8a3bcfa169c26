/// @file rigid_scenes.h
/// Rigid bodies, for settlers (settler.h): they turn, and their mass is their area.
///
/// Units      As in heap_scenes.h.
/// Exactness  As in scenes.h, but for arcs, which take sines from the C library: their last bit may
///            differ from machine to machine.
/// Memory     scene_free() frees the scene.
#ifndef GRAZE_BENCH_RIGID_SCENES_H
#define GRAZE_BENCH_RIGID_SCENES_H

#include "heap_scenes.h"

/// A pyramid of unit crates, one on the other without gaps, on a floor. It has as many whole rows
/// as fit into `count`.
heap_make_fn rigid_make_pyramid;

/// Discs of radius 0.3 to 0.5 that fall into a pit: 40 wide, above 4000 bodies 130, above 40 000
/// ones 600.
heap_make_fn rigid_make_discs;
/// The same, about half of them rects 0.54 to 0.9 long and half to nine tenths as wide, at random
/// angles.
heap_make_fn rigid_make_mixed;
/// As the last, into a bowl as wide as that pit: half a circle of 24 segments, walls above it.
heap_make_fn rigid_make_bowl;

/// Crates of side 0.25 in a drum: a square of side 19 that turns about the origin, 25 degrees a
/// second. Fills 45 rows: `count` is at most 2025.
heap_make_fn rigid_make_tumbler;
/// The same drum, that has jumped into a heap of crates and turns by 30 radians a second: its walls
/// drive them at 300 units a second.
heap_make_fn rigid_make_mill;

/// Circles that bounce as those of heap_make_bouncing(), up to 10, 50, 200 and 1000 units a second
/// along each axis. Without friction they never begin to turn.
heap_make_fn rigid_make_bouncing;
heap_make_fn rigid_make_bouncing_50;
heap_make_fn rigid_make_bouncing_200;
heap_make_fn rigid_make_bouncing_1000;
/// The last, but what meets does not bounce.
heap_make_fn rigid_make_landing;

#endif
