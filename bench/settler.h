/// @file settler.h
/// The interface of an engine to be measured with bodies that push each other: ours and the peers
/// behind the same functions, each used as in its games, with the iterations that it recommends.
///
/// Bodies have mass 1 and do not rotate; where the scene says so they are rigid, and have the mass
/// of their area. There is gravity, and no friction or restitution unless the scene says so
/// (HEAP_FRICTION, also of terrain). If the scene says so, bodies may sleep: peers' and rigid ones
/// after hardly moving for half a second, others of ours once they do not move at all. Filters are
/// set as in games: terrain has a category of its own, and meets bodies alone.
#ifndef GRAZE_BENCH_SETTLER_H
#define GRAZE_BENCH_SETTLER_H

#include "rigid_scenes.h"

enum { SETTLER_TERRAIN = 1, SETTLER_BODY = 2 }; ///< Categories.

typedef struct settler {
    const char *name; ///< The first part of the benchmarks' names.
    /// Makes a world: never null. The heap must live as long as the world.
    void *(*create)(const heap_scene *heap);
    void (*destroy)(void *world);
    /// One step of SCENE_STEP seconds.
    void (*step)(void *world);
    /// Writes the present positions and velocities of all bodies, in the scene's order.
    void (*read)(const void *world, scene_body *bodies);
    /// Returns the last step's number of contacts of a sensor and another body. Null: it does not
    /// run scenes with sensors.
    uint32_t (*count_seen)(const void *world);
} settler;

extern const settler settler_graze;
extern const settler settler_chipmunk_tree; ///< Only where Chipmunk was found.
extern const settler settler_chipmunk_hash; ///< Likewise.
extern const settler settler_box2d;         ///< Only where Box2D was found.

#endif
