/// @file forest.h
/// Disjoint sets as a forest (union-find): each node has a parent, and a root is its own.
///
/// Source     Path halving: R. E. Tarjan, J. van Leeuwen 1984, "Worst-case Analysis of Set Union
///            Algorithms".
#ifndef GRZ_FOREST_H
#define GRZ_FOREST_H

#include <stdint.h>

/// Returns the root of a node's tree. Halves the way to it for the next search.
static inline uint32_t grz_forest_root(uint32_t *parents, uint32_t node)
{
    while (parents[node] != node) {
        parents[node] = parents[parents[node]];
        node = parents[node];
    }
    return node;
}

/// Makes each of `count` nodes a tree of its own.
static inline void grz_forest_begin(uint32_t *parents, uint32_t count)
{
    for (uint32_t node = 0; node < count; ++node) {
        parents[node] = node;
    }
}

/// Makes one tree of those of two nodes. The root of lower number leads.
static inline void grz_forest_join(uint32_t *parents, uint32_t a, uint32_t b)
{
    const uint32_t root_a = grz_forest_root(parents, a), root_b = grz_forest_root(parents, b);
    parents[root_a > root_b ? root_a : root_b] = root_a > root_b ? root_b : root_a;
}

#endif
