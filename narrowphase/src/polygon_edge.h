/// @file polygon_edge.h
/// The edges of a polygon.
#ifndef GRZ_POLYGON_EDGE_H
#define GRZ_POLYGON_EDGE_H

#include <graze/shape.h>

/// Returns the edge from vertex i to the next one. A single vertex has an edge of length 0.
static inline graze_segment polygon_edge(const graze_polygon *polygon, uint32_t i)
{
    const uint32_t next = i + 1 < polygon->count ? i + 1 : 0;
    const graze_segment edge = {polygon->vertices[i], polygon->vertices[next]};
    return edge;
}

#endif
