/// @file query_visit.h
/// The bodies that a query may meet: all whose box meets a box or a ray, and some more.
#ifndef GRZ_QUERY_VISIT_H
#define GRZ_QUERY_VISIT_H

#include "world/world_state.h"

typedef void grz_visit_fn(void *context, uint32_t row);

/// A callback for candidates, and the filter that selects them.
typedef struct grz_visitor {
    const graze_world *world;
    graze_filter filter;
    grz_visit_fn *visit;
    void *context;
} grz_visitor;

/// Shows the visitor each body near the box once.
void grz_visit_box(const grz_visitor *visitor, graze_aabb box);

/// Likewise near the ray from -> end.
void grz_visit_ray(const grz_visitor *visitor, graze_vec2 from, graze_vec2 end);

#endif
