/// @file solve_state.h
/// The world's data on rigid bodies: what the solver keeps from step to step, and what it works on.
#ifndef GRZ_SOLVE_STATE_H
#define GRZ_SOLVE_STATE_H

#include <graze/contact.h>
#include <graze/id.h>
#include <graze/vec2.h>

#include "world/body_state.h"
#include "world/impact_state.h"
#include "world/terrain_state.h"

#include <stdbool.h>
#include <stdint.h>

// What a body meets that does not give way, while it is found: see obstacle.h.

enum { GRZ_OBSTACLE_CORNERS = 4, GRZ_OBSTACLE_AXES = 4 };

/// A direction along which a body and an obstacle may be apart.
typedef struct grz_obstacle_axis {
    graze_vec2d normal; ///< Unit, from the obstacle to the body.
    double gap;         ///< Below 0 where they overlap.
    double width;       ///< Of both together.
    double plane;       ///< How far the obstacle reaches along the normal.
    bool is_own;        ///< It is a face's of the obstacle, not the body's.
} grz_obstacle_axis;

/// An obstacle, seen from the body's centre, and the contact with it.
typedef struct grz_obstacle {
    grz_row row;              ///< GRZ_NONE: terrain.
    graze_segment_id segment; ///< None for a body.
    bool one_sided;
    bool met_before; ///< One-sided: the body met it, or one that it continues, in the last step.
    bool passes;     ///< The two only meet: neither deflects the other.
    bool gives_way;  ///< It is a body that the solver moves, too.
    graze_vec2d velocity; ///< Units per second, at its centre.
    graze_vec2d falls;    ///< What of that the step adds, of what gives way: another may hold it.
    double spin;          ///< Radians per second.
    graze_vec2d centre;
    double radius;         ///< Of a disc; else 0.
    uint32_t corner_count; ///< 1 (a disc's centre), 2 or 4.
    graze_vec2d corners[GRZ_OBSTACLE_CORNERS];

    uint32_t axis_count;
    grz_obstacle_axis axes[GRZ_OBSTACLE_AXES];

    bool dropped;        ///< It does not hold the body,
    bool buried;         ///< as no side of it does, and the body is deep in it.
    uint32_t hider;      ///< The contact behind which it is, if that drops it; else GRZ_NONE.
    uint32_t joined;     ///< Its contact is part of that of another one; GRZ_NONE: it is not.
    bool is_face;        ///< A side of one meets a side or a round of the other; else a corner.
    bool is_own;         ///< The normal is that of the obstacle's own face.
    uint32_t corner;     ///< Of the obstacle, if that alone is met; else GRZ_NONE.
    graze_vec2d normal;  ///< Unit, from the obstacle to the body.
    double plane;        ///< How far the obstacle reaches along the normal, from the body's centre.
    double gap, lateral; ///< Along the normal; by how much the two overlap sideways,
    double aside;        ///< when they touch: it is so far to the left of its place by then.
    uint32_t point_count;
    graze_vec2d points[2]; ///< On the obstacle.
    double gaps[2];
} grz_obstacle;

enum {
    GRZ_MANIFOLD_POINTS = 2, ///< Of two convex shapes in the plane.
    GRZ_PACK = 16            ///< Constraints in a pack: a multiple of the lanes of every set.
};

/// Where two shapes touch, or come close to each other.
typedef struct grz_manifold {
    uint32_t count;                           ///< Points; 0: they are apart,
    float apart;                              ///< at least so far.
    bool at_end;                              ///< All points are near one end of a rect's side.
    uint32_t features[GRZ_MANIFOLD_POINTS];   ///< Which sides and corners made a point.
    graze_vec2 normal;                        ///< Unit, from a to b.
    graze_vec2 levers_a[GRZ_MANIFOLD_POINTS]; ///< From a's centre to its surface.
    graze_vec2 levers_b[GRZ_MANIFOLD_POINTS]; ///< From b's centre (terrain: from a's) to its.
    float gaps[GRZ_MANIFOLD_POINTS];          ///< Along the normal; below 0 where they overlap.
} grz_manifold;

/// What is kept of a contact from step to step. Its key names the body that gives way first; of two
/// that do, the one with the smaller index.
typedef struct grz_cached_contact {
    graze_contact_end key;
    uint32_t count;                         ///< Points.
    uint32_t features[GRZ_MANIFOLD_POINTS]; ///< The first is GRZ_NONE where one jammed.
    float impulses[GRZ_MANIFOLD_POINTS];    ///< Along the normal in a substep: warm starting.
    float friction_impulse;                 ///< Along the surface in a substep.
    float rolling_impulse;                  ///< Likewise: a torque.
    float inverse_mass;                     ///< The sum of those of the bodies that they moved.
    graze_vec2 normal;                      ///< This and the rest: as the manifold was made.
    graze_vec2 levers_a[GRZ_MANIFOLD_POINTS], levers_b[GRZ_MANIFOLD_POINTS];
    graze_vec2 offset;                     ///< From a's centre to b's.
    graze_rotation rotation_a, rotation_b; ///< All 0: it is made anew in each step.
} grz_cached_contact;

typedef GRZ_ARRAY(grz_cached_contact) grz_contact_cache;

/// A contact in the solver. a can be moved; b may be fixed: driven, or terrain.
typedef struct grz_constraint_contact {
    // All before the key begins as 0. What loops over all contacts ask is around it.
    graze_vec2 offset;                     ///< From a's centre to b's, when the manifold was made.
    graze_rotation rotation_a, rotation_b; ///< Likewise.
    float sums[GRZ_MANIFOLD_POINTS];       ///< Over the step.
    float impulses[GRZ_MANIFOLD_POINTS], friction_impulse; ///< In a substep.
    float rolling_impulse;                                 ///< Likewise.
    float rebound;         ///< The share of its impulses that it gives back.
    bool made;             ///< The manifold may be kept: see offset.
    bool kept;             ///< It held them in the last step.
    bool jams;             ///< So they did in the last step, and one had too many impacts then.
    bool touches, hits;    ///< Where one may fly: they do so when the step begins.
    bool bounces;          ///< It has restitution, and came together fast.
    bool passes;           ///< They are discs that pass each other by: see passing.c.
    bool hidden;           ///< It is a ghost.
    bool flies;            ///< One of the two flies: the solver does not solve it.
    bool fixed;            ///< a does not move b.
    bool firm;             ///< It gives way no more than one with what is fixed.
    bool as_two;           ///< It is packed with those of two points.
    graze_contact_end key; ///< As in the cache.
    uint32_t a, b;         ///< Slots.
    uint32_t pack;         ///< Its place among the packed ones of its kind; GRZ_NONE: not solved.
    float share;           ///< If it is packed: 1 by the number of its points.
    float approach;        ///< At the start, along the normal: the larger of both points', or 0.
    float speed;           ///< The same in the step, if nothing holds them; below 0: they part.
    float approaches[GRZ_MANIFOLD_POINTS]; ///< Of each; below 0: they part.
    float restitution, rolling, friction;
    float slip;     ///< The wanted speed along the surface.
    float push;     ///< How fast an overlap may be left; packed, and below 0: it is firm.
    float start[4]; ///< The impulse with which it begins, and how that turns both: see solver.c.
    grz_manifold manifold;
    float inverse_mass; ///< The sum of those of the bodies that it moves.
} grz_constraint_contact;

_Static_assert(offsetof(grz_constraint_contact, push) ==
                   offsetof(grz_constraint_contact, rolling) + 3 * sizeof(float),
               "the solver gathers these four together");

/// What contacts ask of a body.
typedef struct grz_contact_body {
    graze_vec2d position; ///< Widened, for all pairs.
    double reach;         ///< How far it reaches from its centre, however it is turned.
    graze_vec2 velocity;
    graze_vec2 change; ///< Of the velocity in the step, if nothing holds it; of what is driven: 0.
    graze_vec2 end;    ///< Where it goes then.
    graze_vec2 half;
    graze_rotation rotation;
    graze_surface surface;
    graze_body_id id;
    float spin, radius; ///< The radius of a rect is 0.
    float size;         ///< Its smaller half extent.
    float inverse_mass; ///< 0: it gives no way.
    bool is_rect;       ///< Else it is a circle.
    bool turns;         ///< Contacts turn it.
    bool throws_back;   ///< It bounces where surfaces do.
    bool is_steered;    ///< By the game; and fast, if it turns.
} grz_contact_body;

/// What the sweeps read and write of a body: velocities, and how far it has come in the step.
typedef struct grz_solver_body {
    float velocity_x, velocity_y, spin, inverse_mass;
    float delta_x, delta_y, turn, inverse_inertia;
} grz_solver_body;

/// What restitution does to a body; and, where it is the root of an island, to that.
typedef struct grz_rebound {
    float x, y, spin;            ///< Changes of velocities.
    double taken, given, square; ///< Energies of the island: see restitution.c.
} grz_rebound;

/// A point of some contacts, side by side. Levers are cross products: of the lever with the normal.
typedef struct grz_pack_point {
    float lever_a[GRZ_PACK], lever_b[GRZ_PACK];
    float mass[GRZ_PACK], impulse[GRZ_PACK], sum[GRZ_PACK];
    float gap[GRZ_PACK]; ///< When the step begins,
    float now[GRZ_PACK]; ///< and now.
} grz_pack_point;

enum { GRZ_CONTACT_FLOATS = sizeof(grz_constraint_contact) / sizeof(float) };

/// What the points of a contact share. The levers are those with the tangent, which is the normal
/// turned by -90 degrees.
typedef struct grz_pack_sides {
    uint32_t contact[GRZ_PACK];        ///< Its place among them, times GRZ_CONTACT_FLOATS.
    uint32_t a[GRZ_PACK], b[GRZ_PACK]; ///< Slots, times four: see solver.h.
    float normal_x[GRZ_PACK], normal_y[GRZ_PACK];
    float lever_a[GRZ_PACK], lever_b[GRZ_PACK], mass[GRZ_PACK];
    float inertia_a[GRZ_PACK], inertia_b[GRZ_PACK]; ///< Inverse.
    float push[GRZ_PACK];                           ///< Below 0: it is firm.
    float friction[GRZ_PACK], slip[GRZ_PACK], friction_impulse[GRZ_PACK];
} grz_pack_sides;

/// Contacts that share no body that can be moved.
typedef struct grz_pack_one {
    grz_pack_sides sides;
    grz_pack_point points[1];
} grz_pack_one;

typedef struct grz_pack_two {
    grz_pack_sides sides;
    grz_pack_point points[2];
} grz_pack_two;

/// Packs that may be solved at one time: all have the same kind.
typedef struct grz_pack_group {
    uint32_t first, count; ///< Packs.
    uint32_t contacts;     ///< In them.
    bool two;              ///< They have two points, or lanes for them.
    bool fixed;            ///< Their b cannot be moved.
} grz_pack_group;

/// A candidate pair of a body that gives way, and a solid one.
typedef struct grz_solver_pair {
    grz_row row_a, row_b; ///< As in the cache: a gives way.
    grz_slot a, b;        ///< Of these rows.
    uint32_t contact;     ///< Its place among the contacts; GRZ_NONE: none.
    float apart;          ///< They are at least so far apart, if it is above 0.
    float gap;            ///< The smaller one of its contact; FLT_MAX: it has none.
    bool fixed;           ///< a does not move b.
    bool is_round;        ///< Neither has corners.
    bool at_corner;       ///< Its contact is at the end of a side.
    bool is_new;          ///< Its contact did not hold the two in the last step.
    uint32_t overlap;     ///< Of its cores, if it is known: its place in the list, and 1.
    bool held;            ///< It was stopped on its ways: see pull_back.c.
    bool hidden;          ///< One of the two cannot reach the other: see obstacle.h.
    bool is_behind;       ///< It is so behind one that held in the last step.
    bool hides;           ///< Another pair is hidden behind it: it must hold.
    bool flies;           ///< One of the two flies: where they meet is an impact.
} grz_solver_pair;

/// The rows of such a pair, as it is found.
typedef struct grz_found_pair {
    grz_row row_a, row_b; ///< a is GRZ_NONE if the candidate pair is none.
} grz_found_pair;

/// A segment of terrain near a body.
typedef struct grz_near_wall {
    grz_wall wall;
    uint32_t contact;          ///< Of its plane, as in grz_solver_pair.
    graze_vec2d point, normal; ///< On the wall, from the body's centre; into the wall.
    double gap;
} grz_near_wall;

enum { GRZ_WALLS_AROUND = 6 };

/// How many walls meet a box around a body. Apart from these: most bodies have none.
typedef struct grz_around {
    graze_aabb box; ///< Its lower corner is above the upper one: they are not known.
    uint32_t count; ///< GRZ_NONE: there are too many to keep them.
} grz_around;

/// These walls, by chain and item.
typedef struct grz_walls_around {
    grz_wall walls[GRZ_WALLS_AROUND];
} grz_walls_around;

/// A body that joins the rigid ones for the step, or flies.
typedef struct grz_joined {
    grz_index index;
    uint32_t traits; ///< Those that say what is done with it, as they were before.
} grz_joined;

/// What a step does to a rigid body, until it is committed.
typedef struct grz_rigid_end {
    grz_row row;
    grz_index index;
    float angle, spin;
    float quiet; ///< For how many seconds it has been slow.
    bool asleep; ///< First at the start of the step, then after it.
    bool slept;  ///< It was asleep through the step.
    bool stands; ///< It may be still after the step.
    bool wakes;  ///< Of the root of an island: some of it is awake.
    bool woke;   ///< In this step.
    bool strays; ///< It has left the box that the grid knows.
} grz_rigid_end;

/// How a body goes: see pull_back.c.
typedef struct grz_way {
    graze_vec2d move;    ///< What is left of it.
    graze_vec2 position; ///< At the start.
    graze_vec2 free_end; ///< Where it goes if nothing holds it.
    double radius, size; ///< From its centre to a corner; and its smaller half extent.
    bool is_held;        ///< It does not turn, or is in contact with what gives no way.
} grz_way;

/// Cores of two bodies that overlap when the step begins: see pull_back.c.
typedef struct grz_core_overlap {
    graze_vec2d normal; ///< Unit, from a to b.
    double depth;       ///< Above 0.
} grz_core_overlap;

/// The solver's part of the world.
typedef struct grz_solve {
    grz_contact_cache cache;       ///< Of contacts with an active body, by key.
    grz_contact_cache still_cache; ///< Of contacts between still bodies, or with terrain, by key.
    grz_contact_cache coming;      ///< This step's, until it is committed.
    float mean_substep;            ///< Seconds: of the last steps; 0: there was none.
    bool woken;                    ///< Some of still_cache are of bodies that have woken.
    bool stirred;                  ///< Some body may have GRZ_STIRRED.

    // The rest is of one step.
    GRZ_ARRAY(grz_joined) joined;     ///< Bodies that join the rigid ones, or fly.
    grz_numbers flies;                ///< By slot, 0 or 1: the solver does not move it.
    GRZ_ARRAY(grz_row) row_of_slot;   ///< Rigid bodies by index, then driven ones.
    GRZ_ARRAY(grz_slot) slot_of_row;  ///< GRZ_NONE: not in the solver.
    uint32_t rigid_count;             ///< Slots of rigid bodies.
    uint32_t behind_count;            ///< Pairs that are behind what holds.
    uint32_t slot_count;              ///< With driven ones, then terrain, then the dummy of packs
                                      ///< that are not full.
    GRZ_ARRAY(grz_solver_pair) pairs; ///< By slot of a, then index of b.
    GRZ_ARRAY(grz_found_pair) found;  ///< By candidate pair.
    grz_numbers pair_ends;            ///< By slot: the end of its pairs.
    grz_numbers places;               ///< By index of a body: where its pairs go.
    grz_numbers partners;             ///< Of bodies that give way: their pairs with others.
    grz_numbers partner_ends;         ///< By slot: the end of its partners.
    GRZ_ARRAY(uint64_t)
    haunted;                              ///< A bit for each slot that has new contacts: see
                                          ///< ghosts.c.
    grz_numbers ghosts;                   ///< By partner: what becomes of it: see ghosts.c.
    GRZ_ARRAY(grz_candidate) passes;      ///< Pairs that only meet: neither deflects the other.
    GRZ_ARRAY(grz_near_wall) walls;       ///< By slot.
    GRZ_ARRAY(grz_near_wall) walls_apart; ///< The same in ranges, as threads find them.
    grz_ranges wall_ranges;               ///< Of their blocks.
    grz_numbers wall_ends;                ///< By slot: the end of its walls.
    GRZ_ARRAY(grz_around)
    around;                ///< By index of a body: see near_walls.c. Kept from step to
                           ///< step,
    uint32_t around_edits; ///< as long as these edits are the terrain's last.
    GRZ_ARRAY(grz_walls_around) walls_around;   ///< By index of a body.
    grz_ranges ranges;                          ///< Of blocks, as threads find and report
                                                ///< contacts; also of isolated bodies.
    GRZ_ARRAY(grz_obstacle) obstacles;          ///< Of one body in each block:
    grz_numbers obstacle_firsts;                ///< by block, the first of them.
    GRZ_ARRAY(grz_constraint_contact) contacts; ///< By key.
    GRZ_ARRAY(grz_contact_body)
    contact_bodies;                          ///< By slot, with driven ones. When all contacts
                                             ///< are found: the memory of before and rebounds.
    grz_numbers fixed;                       ///< The contacts with what gives no way,
    grz_numbers rolling;                     ///< those that resist rolling,
    grz_numbers bouncing;                    ///< and those that may bounce.
    GRZ_ARRAY(grz_constraint_contact) apart; ///< The same in ranges, as threads find them.
    GRZ_ARRAY(grz_solver_body) bodies;       ///< By slot.
    grz_solver_body *before;                 ///< Velocities before a substep.
    grz_rebound *rebounds;                   ///< By slot.
    GRZ_ARRAY(graze_vec2) pressed;           ///< By slot: see forget_squeezes.
    GRZ_ARRAY(grz_rigid_end) ends;           ///< By slot.
    GRZ_ARRAY(uint64_t) held;                ///< A bit for each pair that may hold its bodies.
    GRZ_ARRAY(grz_core_overlap) overlaps;    ///< Of pairs that were looked at.
    GRZ_ARRAY(grz_way) ways;                 ///< By slot, with driven ones.
    GRZ_ARRAY(grz_pack_one) ones;
    GRZ_ARRAY(grz_pack_two) twos;
    GRZ_ARRAY(grz_pack_group) groups;
    GRZ_ARRAY(uint64_t) colours; ///< By slot: a bit for each that its contacts have; later, counts.
    grz_numbers order;           ///< Of lists while they are sorted; later by contact: its place
                                 ///< among those that are kept, or GRZ_NONE.
    grz_numbers group_of;        ///< By contact: its group.
    grz_numbers parents;         ///< Of islands, by slot.
} grz_solve;

#endif
