/// @file engine.h
/// The interface of an engine to be measured: ours and the peers behind the same functions.
///
/// Every engine runs every scene in its own best way, in one world made from the scene:
///   - movers are reported where they touch, and nothing responds;
///   - a bullet moves to the first thing that it hits in the step, and is spent there;
///   - terrain stands still.
/// Ours does all of that in its step. The peers have no such bullets (their swept bodies miss and
/// are slow): they step the movers and then cast a ray for each bullet, as their games do.
///
/// step is measured. The rest is not, and is equal for all: after each step, keep() turns back
/// movers that left the bounds, and replaces bullets that were spent or left them.
#ifndef GRAZE_BENCH_ENGINE_H
#define GRAZE_BENCH_ENGINE_H

#include "peer_bullets.h"
#include "scenes.h"

#include <graze/shape.h>

#include <stdbool.h>
#include <stdint.h>

/// Which positions an engine's contacts belong to.
typedef enum engine_moment {
    ENGINE_SWEPT, ///< The whole motion of the step; bullets in motion relative to bodies.
    ENGINE_START, ///< The positions before the step; bullets meet bodies where they are after it.
    ENGINE_END    ///< The positions after the step, bullets too.
} engine_moment;

/// Counts of the last step.
typedef struct engine_counts {
    uint64_t pairs;    ///< Candidates tested exactly; 0: not known.
    uint64_t contacts; ///< Between movers.
    uint64_t hits;     ///< Bullets spent, and contacts of movers with terrain.
    uint64_t bytes;    ///< Memory held; 0: not known.
} engine_counts;

typedef struct engine {
    const char *name;     ///< The first part of the benchmarks' names.
    engine_moment moment; ///< The positions of its contacts.
    float skin;           ///< Rects are larger by this much all around.
    /// Makes a world from a scene, all of it: never null. The scene must live as long as the world.
    void *(*create)(const scene *place);
    void (*destroy)(void *world);
    /// One step of SCENE_STEP seconds.
    void (*step)(void *world);
    engine_counts (*count)(const void *world);
    /// Whether the scene's bullet number `bullet` hit something in the last step.
    bool (*was_hit)(const void *world, uint32_t bullet);
    /// Writes where everything is now to `bodies`, in the scene's order.
    void (*read)(const void *world, scene_body *bodies);
    /// Turns movers and replaces bullets, new ones drawn from `random`.
    void (*keep)(void *world, random_state *random);
    /// Finds the first hit of each of `count` rays; bodies are where they were created. Null: ours,
    /// which has a call for that (bench_query.c).
    void (*cast)(void *world, const graze_ray *rays, uint32_t count, peer_hit *hits);
    const char *(*version)(void); ///< Name and version, for people.
} engine;

#endif
