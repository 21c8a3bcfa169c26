#include "families.h"

static const soak_family families[] = {
    {"crossing", "a move against a closed chain, parity known", 2, soak_run_crossing},
    {"exact", "a move and a wall against exact arithmetic", 1, soak_run_exact},
    {"first-hit", "a ray, bullet or cast against brute force", 1, soak_run_first_hit},
    {"landing", "a bullet's step onto or off a wall", 2, soak_run_landing},
    {"walk", "a body's step in closed chains", 2, soak_run_walk},
    {"crowd", "a body's step among bodies that push", 1, soak_run_crowd},
    {"edit", "a body's step while terrain changes", 1, soak_run_edit},
    {"tiles", "a body's step in a tile map", 2, soak_run_tiles},
    {"course", "a pair on crossing courses", 1, soak_run_course},
    {"kernel", "a moving pair of shapes", 1, soak_run_kernel},
};

const soak_family *soak_families(uint32_t *count)
{
    *count = sizeof families / sizeof *families;
    return families;
}
