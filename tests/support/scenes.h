/// @file scenes.h
/// The scenes that tests and benchmarks share: seeded, the same bits on every machine, no files.
///
/// A scene is plain data without a world: its user makes bodies from it. All scenes lie in a square
/// around the origin.
///
/// Units      Lengths in units, velocities in units per second, angles in radians; steps of
///            SCENE_STEP seconds.
/// Exactness  Sizes and positions are computed in double by + - * / and sqrt, then rounded to
///            float.
/// Memory     A scene owns its arrays: scene_free(). Out of memory ends the program.
/// Threads    No global state.
#ifndef GRAZE_TESTS_SCENES_H
#define GRAZE_TESTS_SCENES_H

#include <graze/aabb.h>
#include <graze/vec2.h>

#include "random.h"

#include <stdbool.h>
#include <stdint.h>

/// Seconds a step in every scene.
#define SCENE_STEP (1.0f / 60.0f)

typedef enum scene_kind {
    SCENE_CIRCLE,
    SCENE_RECT,
    SCENE_BULLET ///< A point that goes far in a step.
} scene_kind;

typedef struct scene_body {
    scene_kind kind;
    graze_vec2 position;
    graze_vec2 velocity;
    graze_vec2 half; ///< Rects: half the sides; circles: the radius, twice; bullets: 0, 0.
    float angle;     ///< Rects only, else 0.
    float spin;      ///< Radians per second; rects only, else 0.
} scene_body;

/// A polyline: points[first] to points[first + count - 1]; not a loop.
typedef struct scene_chain {
    uint32_t first, count;
} scene_chain;

typedef struct scene {
    graze_aabb bounds;      ///< Where everything is at the start.
    scene_body *bodies;     ///< body_count: first the movers, then the bullets.
    graze_vec2 *points;     ///< Of all chains.
    scene_chain *chains;    ///< chain_count.
    uint32_t body_count;    ///< Bullets included.
    uint32_t bullet_count;  ///< The last of the bodies.
    uint32_t point_count;   ///< Of all chains.
    uint32_t chain_count;   ///< 0: no terrain.
    uint32_t segment_count; ///< point_count - chain_count.
} scene;

/// Makes a scene of `count` movers without bullets and terrain.
typedef scene scene_make_fn(uint64_t seed, uint32_t count);

/// Circles of radius 0.5 that cover 20 % of the square; velocities uniform in [-10, 10] on each
/// axis. At any moment about 0.4 pairs a body overlap.
scene scene_make_gas(uint64_t seed, uint32_t count);

/// The gas at a twentieth of the speeds: uniform in [-0.5, 0.5] on each axis.
scene scene_make_gas_slow(uint64_t seed, uint32_t count);

/// The gas, every second body a rect of 1 x 0.6 at a random angle, spin uniform in [-2, 2].
scene scene_make_gas_mixed(uint64_t seed, uint32_t count);

/// The gas with radii log-uniform from 0.1 to 10.
scene scene_make_gas_log_sizes(uint64_t seed, uint32_t count);

/// The gas with every hundredth radius 64 times larger: 32 instead of 0.5.
scene scene_make_gas_giants(uint64_t seed, uint32_t count);

/// The gas with radii 0.5 / sqrt(u), u uniform in (0, 1], at most 32 times the smallest: a share
/// of x^-2 is larger than x times the smallest.
scene scene_make_gas_power_sizes(uint64_t seed, uint32_t count);

/// The gas with 80 % of the bodies in ten squares that together are 10 % of the area.
scene scene_make_clusters(uint64_t seed, uint32_t count);

/// The gas with 95 % of the bodies in ten squares that together are 1.5 % of the area.
scene scene_make_dense_clusters(uint64_t seed, uint32_t count);

/// The gas, with every second body a hundredth as large and as fast, and these in a square of 2 x
/// 2: debris of an explosion among larger things.
scene scene_make_debris(uint64_t seed, uint32_t count);

/// A gas of which one body in a hundred goes 100 units a step, in any direction.
scene scene_make_gas_fast(uint64_t seed, uint32_t count);

/// The gas with 99 % of the bodies standing still.
scene scene_make_rest(uint64_t seed, uint32_t count);

/// Circles of diameter 1 + 99 u^10 at speeds 10 v^10 in all directions, 20 % covered; u, v uniform.
scene scene_make_heavy_tail(uint64_t seed, uint32_t count);

/// A square of 1000 x 1000 with `segments` segments of length 1 to 5, 80 % of them in wavy
/// polylines of up to 200, 20 % alone; and `bullets` bullets that go 0.1 to 5 units a step.
scene scene_make_bullets_terrain(uint64_t seed, uint32_t segments, uint32_t bullets);

/// The gas of `movers` circles with `bullets` bullets in it that go 0.1 to 5 units a step.
scene scene_make_bullets_bodies(uint64_t seed, uint32_t movers, uint32_t bullets);

/// All together: the square and the terrain of bullets-terrain, with the bodies of gas-mixed spread
/// over all of it, and bullets.
scene scene_make_bullet_hell(uint64_t seed, uint32_t movers, uint32_t bullets, uint32_t segments);

/// Frees what the scene owns. A scene of zeros is allowed.
void scene_free(scene *place);

/// Returns a new bullet anywhere in the bounds, like the scene's own, to replace a spent one.
scene_body scene_new_bullet(const scene *place, random_state *random);

/// The walls: reverses the component of a velocity that leads out of the bounds. Returns whether it
/// changed. Call it for every mover after every step.
bool scene_turn_back(const scene *place, graze_vec2 position, graze_vec2 *velocity);

/// Returns whether the position lies in the closed bounds.
bool scene_is_inside(const scene *place, graze_vec2 position);

#endif
