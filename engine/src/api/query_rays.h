/// @file query_rays.h
/// Many rays against circles: the loop in lanes.
#ifndef GRZ_QUERY_RAYS_H
#define GRZ_QUERY_RAYS_H

#include "world/world_state.h"

enum { GRZ_BODY_RAY_PAIRS = 512 };

/// Rays, and circles that they may meet.
typedef struct grz_body_ray_pairs {
    uint32_t ray[GRZ_BODY_RAY_PAIRS + GRZ_LANES_MAX];
    grz_row row[GRZ_BODY_RAY_PAIRS + GRZ_LANES_MAX];
    uint32_t count;
} grz_body_ray_pairs;

/// The results of some pairs.
typedef struct grz_body_ray_meets {
    uint32_t met[GRZ_BODY_RAY_PAIRS + GRZ_LANES_MAX]; ///< Pairs that meet, in order.
    uint32_t met_count;
    uint32_t open[GRZ_BODY_RAY_PAIRS + GRZ_LANES_MAX]; ///< Pairs left to the single kernel.
    uint32_t open_count;
    /// By pair, of those that meet: as in a graze_sweep, but with an absolute point.
    double time[GRZ_BODY_RAY_PAIRS + GRZ_LANES_MAX];
    double x[GRZ_BODY_RAY_PAIRS + GRZ_LANES_MAX];
    double y[GRZ_BODY_RAY_PAIRS + GRZ_LANES_MAX];
    double normal_x[GRZ_BODY_RAY_PAIRS + GRZ_LANES_MAX];
    double normal_y[GRZ_BODY_RAY_PAIRS + GRZ_LANES_MAX];
} grz_body_ray_meets;

typedef struct grz_body_ray_loops {
    /// Fills in which pairs meet, and how, with the bits of graze_sweep_circles. May overwrite
    /// `pairs` only past the last. Null without lanes.
    void (*meet)(const grz_rows *rows, const graze_vec2 *from, const graze_vec2 *to,
                 grz_body_ray_pairs *pairs, grz_body_ray_meets *meets);
} grz_body_ray_loops;

GRZ_DECLARE_WIDE(grz_body_ray_loops, grz_body_ray_loops);

#endif
