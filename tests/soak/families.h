/// @file families.h
/// The families of cases that the soak runs: each makes hard input of its own kind and has its own
/// way to know what must come out.
#ifndef GRAZE_TESTS_FAMILIES_H
#define GRAZE_TESTS_FAMILIES_H

#include "soak_case.h"

typedef struct soak_family {
    const char *name;
    const char *trial; ///< What one trial is, for people.
    uint32_t weight;   ///< Its share of the soak's time, against those of the others.
    soak_run_fn *run;
} soak_family;

/// Returns all families, and how many there are.
const soak_family *soak_families(uint32_t *count);

/// Moves against closed chains: the parity of crossings is the change of inside and outside.
void soak_run_crossing(soak_case *test);

/// Sides and crossings of any finite floats against GMP.
void soak_run_exact(soak_case *test);

/// Rays and casts at terrain: the first hit, all hits, where a bullet stops.
void soak_run_first_hit(soak_case *test);

/// Bullets that land on walls, are sent on, and ricochet, for many steps.
void soak_run_landing(soak_case *test);

/// All shapes and responses in closed chains.
void soak_run_walk(soak_case *test);

/// Many bodies that push each other against walls.
void soak_run_crowd(soak_case *test);

/// Terrain that comes and goes while bodies move and are teleported.
void soak_run_edit(soak_case *test);

/// Tile maps with up to thousands of walls.
void soak_run_tiles(soak_case *test);

/// Two that move, on courses that meet or just do not.
void soak_run_course(soak_case *test);

/// The kernels of moving shapes against the gap between the shapes, in long double.
void soak_run_kernel(soak_case *test);

#endif
