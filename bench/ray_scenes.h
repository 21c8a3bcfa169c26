/// @file ray_scenes.h
/// Terrain and circles in several sizes, and rays to cast at them.
#ifndef GRAZE_BENCH_RAY_SCENES_H
#define GRAZE_BENCH_RAY_SCENES_H

#include "scenes.h"

#include <graze/shape.h>

#include <stdbool.h>
#include <stdint.h>

typedef struct ray_scene {
    const char *name; ///< bullets-terrain, bullets-bodies.
    const char *size_name;
    uint32_t size; ///< Segments, or circles.
    bool quick;    ///< Part of a quick run.
} ray_scene;

enum {
    RAY_TERRAIN_COUNT = 3, ///< The first ones are terrain,
    RAY_SCENE_COUNT = 4    ///< the others circles.
};

extern const ray_scene ray_scenes[RAY_SCENE_COUNT];

/// Returns the terrain or the circles, with this number of bullets among them.
scene ray_scene_make(const ray_scene *which, uint32_t bullets);

/// Returns `count` rays, the steps of bullets; the caller frees them.
graze_ray *ray_scene_draw(const scene *place, uint32_t count);

#endif
