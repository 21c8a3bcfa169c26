/// @file query_oracle.h
/// Compares queries with brute force: every body and every segment of a world, one after the other.
///
/// Errors     An answer other than that of brute force fails the running cmocka test. Of ties to
///            within rounding either answer is right.
#ifndef GRAZE_TESTS_QUERY_ORACLE_H
#define GRAZE_TESTS_QUERY_ORACLE_H

#include "world_kit.h"

/// Limits of an oracle: indices of bodies ever used, chains, hits of one ray.
enum { ORACLE_INDICES = 400, ORACLE_CHAINS = 40, ORACLE_HITS = 2048 };

/// A world with its chains.
typedef struct oracle_place {
    graze_world *world;
    graze_chain_id chains[ORACLE_CHAINS]; ///< Those that are gone may be among them.
    uint32_t chain_count;
} oracle_place;

/// Ask the query of that name, into arrays of several lengths, and compare.
void oracle_check_ray(const oracle_place *here, graze_ray ray, graze_filter filter);
void oracle_check_cast(const oracle_place *here, graze_shape shape, float angle, graze_vec2 from,
                       graze_vec2 delta, graze_filter filter);
void oracle_check_point(const oracle_place *here, graze_vec2 point, graze_filter filter);
void oracle_check_box(const oracle_place *here, graze_aabb box, graze_filter filter);
void oracle_check_nearest(const oracle_place *here, graze_vec2 point, float radius,
                          graze_filter filter);

#endif
