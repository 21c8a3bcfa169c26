/// @file pile_state.h
/// The piles of a step: see pile.h.
#ifndef GRZ_PILE_STATE_H
#define GRZ_PILE_STATE_H

#include <graze/id.h>
#include <graze/vec2.h>

#include <stdbool.h>
#include <stdint.h>

#include "array.h"

/// What a body of a pile is close to. In the order in which they are taken.
typedef enum grz_near_kind { GRZ_NEAR_WALL, GRZ_NEAR_FIXED, GRZ_NEAR_BODY } grz_near_kind;

/// A body of a pile, and what it lies on: a wall, a body that gives no way, or another of the pile.
typedef struct grz_near {
    grz_near_kind kind;
    uint32_t upper, lower; ///< Motions, once sorted places of bodies; lower is for GRZ_NEAR_BODY.
    uint32_t meeting;      ///< Of the two; not for GRZ_NEAR_WALL.
    uint64_t id;           ///< Of what gives no way: unique in its kind.
    graze_vec2d normal;    ///< Unit, from upper to lower.
    double gap;            ///< Units; below 0: so deep they overlap.
    double slack;          ///< So deep, in units, they may overlap.
    double speed;          ///< Of what gives no way, along the normal, in units per second.
    double slip;           ///< Likewise, along the surface: the normal turned by +90 degrees.
    double share;          ///< Of a change of their speeds that is upper's; lower takes the rest.
    double friction;
    double impulse;      ///< The speed along the normal that they take from each other.
    double rubbed_upper; ///< The speed along the surface that friction takes from each.
    double rubbed_lower;
} grz_near;

/// Returns the id of a wall.
static inline uint64_t grz_near_wall_id(graze_segment_id wall)
{
    return (uint64_t)wall.chain.index << 32 | wall.index;
}

/// A body of a pile.
typedef struct grz_piled {
    uint32_t motion;
    uint32_t first_link;  ///< Of its nears: see grz_piles.
    double size;          ///< Half of its smaller side, units.
    double most;          ///< Its course is no faster, units per second: see grz_motion.reach.
    graze_vec2d velocity; ///< Units per second.
    graze_vec2d course;   ///< Likewise, for this step alone.
    bool stuck;           ///< What is around it leaves it no way to go.
} grz_piled;

/// By what bodies and nears are sorted: major, then minor.
typedef struct grz_pile_key {
    uint64_t major, minor;
    uint32_t item;
} grz_pile_key;

/// What is known of the piles while a step finds out how they move.
typedef struct grz_piles {
    GRZ_ARRAY(grz_near) nears;    ///< Once sorted from the lowest bodies up.
    GRZ_ARRAY(grz_piled) bodies;  ///< From the lowest up.
    GRZ_ARRAY(grz_pile_key) keys; ///< Scratch, as are all below but links.
    GRZ_ARRAY(grz_near) sorted;
    GRZ_ARRAY(uint32_t) parents; ///< By motion: a forest (union-find) of what lies together.
    GRZ_ARRAY(uint32_t) sizes;   ///< Of the tree, by root.
    GRZ_ARRAY(uint32_t) places;  ///< By motion: its place among the bodies.
    /// Lists of the nears of each body: link 2 * near is its upper body's, 2 * near + 1 its lower
    /// one's. GRZ_NONE ends a list.
    GRZ_ARRAY(uint32_t) links;
} grz_piles;

#endif
