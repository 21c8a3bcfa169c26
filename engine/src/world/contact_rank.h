/// @file contact_rank.h
/// Ranks: the numbers by which contacts are sorted.
#ifndef GRZ_CONTACT_RANK_H
#define GRZ_CONTACT_RANK_H

#include <stdbool.h>
#include <stdint.h>

/// Returns the rank of a contact. Ranks order contacts by a, then by b, those with terrain first.
/// The lowest bit is a flag of hits, which never decides the order: whether one of the two is a
/// sensor or, if the hit spends a ray, whether it blocks the ray.
static inline uint64_t grz_rank(uint32_t a_index, uint32_t b_index, bool flag)
{
    return (uint64_t)a_index << 32 | b_index << 1 | flag;
}

static inline uint32_t grz_a_of_rank(uint64_t rank)
{
    return (uint32_t)(rank >> 32);
}

static inline uint32_t grz_b_of_rank(uint64_t rank)
{
    return (uint32_t)rank >> 1;
}

/// Returns a rank without its flag: the same for all contacts of a pair.
static inline uint64_t grz_pair_rank(uint64_t rank)
{
    return rank & ~(uint64_t)1;
}

#endif
