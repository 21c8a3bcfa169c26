/// @file settler.h
/// What a physics engine must do to be measured with bodies that push each other: ours and the
/// peers, all behind the same functions, each used as its games use it, with the iterations that it
/// recommends.
///
/// Bodies have mass 1, rub by HEAP_FRICTION where the scene says so, and do not turn: ours never do
/// by touching. Gravity draws down and nothing is thrown back, or the scene says otherwise. Where
/// the scene says so, bodies may sleep: peers' do once they have hardly moved for half a second,
/// ours once they do not move at all.
#ifndef GRAZE_BENCH_SETTLER_H
#define GRAZE_BENCH_SETTLER_H

#include "heap_scenes.h"

typedef struct settler {
    const char *name; ///< The first part of the benchmarks' names.
    /// Makes a world: never null. The heap must live as long as the world.
    void *(*create)(const heap_scene *heap);
    void (*destroy)(void *world);
    /// One step of SCENE_STEP seconds.
    void (*step)(void *world);
    /// Writes where all bodies are now, and how they move, in the scene's order.
    void (*read)(const void *world, scene_body *bodies);
} settler;

extern const settler settler_graze;
extern const settler settler_chipmunk_tree; ///< Only where Chipmunk was found.
extern const settler settler_chipmunk_hash; ///< Likewise.
extern const settler settler_box2d;         ///< Only where Box2D was found.

#endif
