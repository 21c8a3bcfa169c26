/// @file peer_bullets.h
/// Bullets for engines that have none: positions and displacements, for a ray cast each.
#ifndef GRAZE_BENCH_PEER_BULLETS_H
#define GRAZE_BENCH_PEER_BULLETS_H

#include "scenes.h"

#include <graze/vec2.h>

#include <stdbool.h>
#include <stdint.h>

/// The result of a cast: enough to draw a spark.
typedef struct peer_hit {
    bool hit;
    float time;               ///< 0 to 1 of the move.
    graze_vec2 point, normal; ///< Of the surface.
} peer_hit;

typedef struct peer_bullets {
    const scene *place;
    scene_body *bodies; ///< count
    peer_hit *hits;     ///< count: the hits of the last step.
    uint32_t count;
    uint32_t hit_count; ///< In the last step.
} peer_bullets;

/// Copies the scene's bullets.
peer_bullets peer_bullets_create(const scene *place);
void peer_bullets_destroy(peer_bullets *bullets);

/// Returns where a bullet would be at the end of the step.
graze_vec2 peer_bullets_end(const peer_bullets *bullets, uint32_t bullet);

/// Moves those that hit nothing; replaces those that did, or that left the bounds.
void peer_bullets_keep(peer_bullets *bullets, random_state *random);

#endif
