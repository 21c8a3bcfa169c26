/// @file pile_state.h
/// The piles of a step: see pile.h.
#ifndef GRZ_PILE_STATE_H
#define GRZ_PILE_STATE_H

#include <graze/aabb.h>
#include <graze/id.h>
#include <graze/vec2.h>

#include "array.h"
#include "motion/motion_state.h"

#include <stdbool.h>
#include <stdint.h>

/// What a body of a pile is close to, in the order in which its constraints are sorted.
typedef enum grz_constraint_kind {
    GRZ_CONSTRAINT_WALL,
    GRZ_CONSTRAINT_FIXED,
    GRZ_CONSTRAINT_BODY
} grz_constraint_kind;

/// A body of a pile (the upper one), and what it lies on (the lower one): a wall, a body that gives
/// no way, or another body of the pile.
typedef struct grz_constraint {
    grz_constraint_kind kind;
    uint32_t upper, lower; ///< Motions; once sorted, bodies. Lower: only if it is another body.
    uint32_t meeting;      ///< That of the two; not used for walls.
    uint64_t id;           ///< Of what gives no way: unique in its kind.
    graze_vec2d normal;    ///< Unit, from upper to lower.
    double gap;            ///< Units; below 0: they overlap, as deep as that.
    double slack;          ///< How deep, in units, they may overlap,
    double parting;        ///< and how deep until they are to part.
    double normal_speed;   ///< Of what gives no way, along the normal, in units per second.
    double tangent_speed;  ///< Likewise, along the surface: the normal turned by +90 degrees.
    double share;          ///< The part of a change of speed that is upper's; lower takes the rest.
    double friction;
    bool joins;       ///< The two are of one set: pile_sets.h.
    bool squeezes;    ///< See pile_crowd.h.
    bool is_recalled; ///< Its impulses begin with those that it has kept: kept_impulses.h.
    float kept_normal, kept_tangent; ///< If so, these.
    double impulse;                  ///< The speed along the normal that they take from each other.
    /// The speed along the surface that friction takes from upper, relative to lower.
    double tangent_impulse;
} grz_constraint;

/// Returns the id of a wall.
static inline uint64_t grz_constraint_wall_id(graze_segment_id wall)
{
    return (uint64_t)wall.chain.index << 32 | wall.index;
}

/// What a constraint keeps for the next step: see kept_impulses.h. Impulses as accelerations, in
/// units per second squared: so steps need not be equally long.
typedef struct grz_kept_impulse {
    uint32_t upper; ///< Index of the upper body.
    uint32_t kind;  ///< grz_constraint_kind.
    uint32_t chain; ///< That of a wall; else 0.
    uint32_t other; ///< The wall's segment in the chain, or the index of the other body.
    float normal;   ///< Not below 0.
    float tangent;
} grz_kept_impulse;

/// Those of all constraints.
typedef struct grz_kept_impulses {
    GRZ_ARRAY(grz_kept_impulse) list;  ///< Kept in the last step in which the bodies were active.
    GRZ_ARRAY(grz_kept_impulse) noted; ///< What this step will keep.
    uint32_t still_count;              ///< So many in the list are of bodies that were still.
    bool woken;                        ///< Some of these bodies have become active.
    grz_numbers places; ///< By index of the upper body: its first in the list, or GRZ_NONE.
} grz_kept_impulses;

enum {
    GRZ_PUSHES = 8 ///< Constraints of a block, at most: as many as the widest lanes take.
};

/// Some constraints as the sweeps see them, of which no two share a body. Unused lanes push
/// nothing: their normal is 0, and both bodies are the place after all bodies. What is read of all
/// blocks comes first; then what is read of uneven blocks alone.
typedef struct grz_push_block {
    _Alignas(GRZ_ALIGNMENT) uint32_t count;
    bool has_friction; ///< Some of them have friction.
    bool is_uneven;    ///< Of some the two do not share equally, such as if lower gives no way.
    bool is_with_next; ///< This block and the next share no body.
    uint32_t constraint[GRZ_PUSHES];
    /// Twice the body: the index of its first double.
    _Alignas(GRZ_ALIGNMENT) uint32_t upper[GRZ_PUSHES];
    uint32_t lower[GRZ_PUSHES]; ///< Likewise.
    double normal_x[GRZ_PUSHES], normal_y[GRZ_PUSHES];
    double max_approach[GRZ_PUSHES]; ///< How fast the two may come together, units per second.
    double impulse[GRZ_PUSHES], friction[GRZ_PUSHES];
    /// The speed along the surface that friction has taken from upper.
    double upper_tangent_impulse[GRZ_PUSHES];
    double lower_tangent_impulse[GRZ_PUSHES]; ///< From lower, likewise.
    double share[GRZ_PUSHES];
    double gives_way[GRZ_PUSHES]; ///< 1 if lower does; else lower is the place after all bodies,
    double normal_speed[GRZ_PUSHES], tangent_speed[GRZ_PUSHES]; ///< and these are its own.
} grz_push_block;

/// Whether a body must not approach another, whatever the other one does.
typedef enum grz_yield { GRZ_YIELDS_NEVER, GRZ_YIELDS_IF_STUCK, GRZ_YIELDS } grz_yield;

/// A constraint as one of its bodies sees it.
typedef struct grz_constraint_edge {
    graze_vec2d normal; ///< Unit, out of the body.
    /// How fast the two may come together, units per second: first in general, then where what
    /// overlaps too deep is to part. The speed of what gives no way is added.
    double max_approaches[2];
    uint32_t other;       ///< The other body; the place after all bodies if it gives no way.
    uint32_t constraint;  ///< Its place.
    uint8_t yields;       ///< Whether the body yields to the other: grz_yield,
    uint8_t other_yields; ///< and the other to the body.
} grz_constraint_edge;

/// A body of a pile. Velocities and speeds are in units per second.
typedef struct grz_pile_body {
    uint32_t motion;
    uint32_t settled;                ///< How often it has settled.
    uint32_t first_edge, edge_count; ///< Its edges, in the order of their constraints:
    uint32_t yield_count;            ///< up to here come all to what it always yields to,
    uint32_t first_follower;         ///< and from this one on all are to what always yields to it.
    double size;                     ///< Half of its smaller side, units.
    double max_speed;                ///< Of this step: it may not go beyond grz_motion.reach.
    double max_solved_speed; ///< Its speed when it starts to settle, plus what gravity adds; any
                             ///< for the velocity that it keeps in a pile that is driven aside.
    graze_vec2d before;      ///< Its velocity when the step began, or as what drives it leaves it;
    graze_vec2d velocity;    ///< and now.
    graze_vec2d desired;     ///< The velocity that it would have if nothing held it.
    double rise;             ///< See ride.h.
    bool squeezed;           ///< See pile_crowd.h.
    bool is_driven;          ///< It lies on what gives no way and rises, or on what is driven.
    bool parts;              ///< It overlaps something too deep, and is to part from it.
    bool is_deep;            ///< So deep that it may not stand still.
    bool is_clear;           ///< It has settled, and leads into nothing that it yields to.
    bool is_near_stuck;      ///< Something that it has an edge to may be stuck.
    bool leans;              ///< Its pile does: see kept_impulses.h.
    bool moves;              ///< Likewise, and the step does not leave its pile as it was.
} grz_pile_body;

enum {
    GRZ_PILED_STUCK = 1, ///< What is around it leaves it no way to go: it stands.
    GRZ_PILED_WAITS = 2, ///< Something that its velocity depends on has changed.
    GRZ_PILED_STAYS = 4  ///< It has settled so often that it stays as it is.
};

/// What bodies are sorted by.
typedef struct grz_pile_key {
    double height; ///< Against gravity, in any unit; for crowds see pile_crowd.h.
    uint32_t motion, index;
} grz_pile_key;

/// What is known of the piles while a step finds out how they move.
typedef struct grz_piles {
    // --- Until the end of Respond. ---
    GRZ_ARRAY(grz_constraint) constraints; ///< As they were found.
    GRZ_ARRAY(uint32_t) order;             ///< The constraints, from the lowest bodies up.
    GRZ_ARRAY(uint32_t) of_meeting;        ///< By meeting: which constraint it is; GRZ_NONE: none.
    GRZ_ARRAY(grz_pile_body) bodies;       ///< From the lowest up.
    GRZ_ARRAY(grz_constraint_edge) edges;  ///< Of one body after the other.
    GRZ_ARRAY(uint32_t) places;            ///< By motion: its place among the bodies.
    /// By body: GRZ_PILED bits. One more stands for all that gives no way.
    GRZ_ARRAY(uint8_t) states;
    GRZ_ARRAY(uint32_t) parents; ///< By motion: a forest of what lies together, see pile_sets.h.
    GRZ_ARRAY(uint32_t) sizes;   ///< Of the tree, by root, and flags.
    bool drives;                 ///< A body is pushed out of one that gives no way.
    bool shoves;                 ///< Some body that gives no way moves towards one that does.
    bool leans;                  ///< Some pile of this step does: see kept_impulses.h.
    bool rubs;                   ///< Some constraint of this step has friction.

    // --- Until motions begin with them. ---
    /// By body, units per second: what is being solved for, in the end for this step alone. One
    /// more, likewise: see pile_sweep.h.
    GRZ_ARRAY(graze_vec2d) step_velocities;

    // --- Scratch. ---
    GRZ_ARRAY(grz_plane) limits;      ///< What the body that settles yields to.
    GRZ_ARRAY(grz_pile_key) keys;     ///< Of the motions in piles, as they were found.
    GRZ_ARRAY(uint32_t) loose;        ///< Meetings of two that are close, but not joined.
    GRZ_ARRAY(grz_push_block) pushes; ///< Round by round, to the same bits as in order.
    GRZ_ARRAY(uint32_t) rounds;       ///< Of the constraints in order: see pile_push.c.
    GRZ_ARRAY(uint32_t) next_rounds;  ///< By body: the round after its last.
    GRZ_ARRAY(uint32_t) open_rounds;  ///< By round: a forest, its root the next round with room.
    GRZ_ARRAY(uint32_t) starts;       ///< Of what is sorted.
    GRZ_ARRAY(graze_aabb) boxes;      ///< By root; see pile_crowd.c.
} grz_piles;

#endif
