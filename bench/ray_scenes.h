/// @file ray_scenes.h
/// Terrain in the sizes in which rays are cast into it, and the rays.
#ifndef GRAZE_BENCH_RAY_SCENES_H
#define GRAZE_BENCH_RAY_SCENES_H

#include "scenes.h"

#include <graze/shape.h>

#include <stdbool.h>
#include <stdint.h>

typedef struct ray_scene {
    const char *size_name;
    uint32_t size; ///< Segments.
    bool quick;    ///< Whether a quick run has it.
} ray_scene;

enum { RAY_SCENE_COUNT = 3 };

extern const ray_scene ray_scenes[RAY_SCENE_COUNT];

/// Returns the terrain, with so many bullets in it.
scene ray_scene_make(const ray_scene *which, uint32_t bullets);

/// Returns `count` rays, the steps of bullets: the caller's to free.
graze_ray *ray_scene_draw(const scene *place, uint32_t count);

#endif
