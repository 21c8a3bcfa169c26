/// @file query_api.h
/// Queries between steps: the bodies near a box or a ray, and casts through a world that stands
/// still.
#ifndef GRZ_QUERY_API_H
#define GRZ_QUERY_API_H

#include <graze/query.h>

#include "collide/terrain_sweep.h"
#include "world/world_state.h"

/// Of a distance or its square: more than it is rounded, also from a turned rect, whose axes are
/// floats.
static const double grz_query_margin = 0x1p-20;

// --- The bodies that a query may meet: all whose box meets a box or a ray, and some more ---

typedef void grz_visit_fn(void *context, grz_row row);

/// A callback for candidates, and the filter that selects them.
typedef struct grz_visitor {
    const graze_world *world;
    graze_filter filter;
    grz_visit_fn *visit;
    void *context;
} grz_visitor;

/// Shows the visitor each body near the box once.
void grz_visit_box(const grz_visitor *visitor, graze_aabb box);

// --- A shape, or a ray, that moves through a world that stands still ---

enum { GRZ_HITS_AT_ONCE = 64 };

/// A hit with its unrounded time, by which hits are ordered.
typedef struct grz_cast_hit {
    double time;
    graze_query_hit hit;
} grz_cast_hit;

/// The hits found so far: the first ones after `after`, in order.
typedef struct grz_cast {
    const graze_world *world;
    graze_filter filter;
    grz_mover mover;
    graze_vec2 from, to;
    const grz_cast_hit *after; ///< Null: all hits are wanted.
    uint32_t capacity;
    uint32_t count;
    grz_cast_hit hits[GRZ_HITS_AT_ONCE];
} grz_cast;

/// Begins the cast of a ray, with no hit yet; `capacity` is left to be set.
void grz_cast_begin_ray(grz_cast *moving, const graze_world *world, graze_ray ray,
                        graze_filter filter);

/// Returns the first hit; if there is none, an empty one at the end of the move.
graze_query_hit grz_cast_closest(grz_cast *moving);

/// Returns OK if both ends are finite, else ARGUMENT after telling the log. `what` is how the call
/// names the ray.
graze_status grz_check_ray(const graze_world *world, const char *call, const char *what,
                           graze_ray ray);

#endif
