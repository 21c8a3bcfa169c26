/// @file scene_defs.h
/// Defs of the engine from the bodies and chains of a scene (scenes.h); all else is the default.
#ifndef GRAZE_TESTS_SCENE_DEFS_H
#define GRAZE_TESTS_SCENE_DEFS_H

#include <graze/body.h>
#include <graze/chain.h>

#include "body_defs.h"
#include "scenes.h"

static inline graze_shape scene_shape(const scene_body *body)
{
    switch (body->kind) {
    case SCENE_CIRCLE:
        return graze_shape_circle(body->half.x);
    case SCENE_RECT:
        return graze_shape_rect(body->half.x, body->half.y);
    case SCENE_BULLET:
        break;
    }
    return graze_shape_ray();
}

static inline graze_body_def scene_body_def(const scene_body *body)
{
    graze_body_def def = test_body_def();
    def.shape = scene_shape(body);
    def.position = body->position;
    def.velocity = body->velocity;
    def.angle = body->angle;
    def.spin = body->spin;
    return def;
}

/// The def's points are the scene's.
static inline graze_chain_def scene_chain_def(const scene *of, uint32_t chain)
{
    graze_chain_def def = graze_chain_def_default();
    def.points = of->points + of->chains[chain].first;
    def.count = of->chains[chain].count;
    return def;
}

#endif
