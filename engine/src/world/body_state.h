/// @file body_state.h
/// The world's data on bodies: rows (the hot part), and by index the cold part and the columns that
/// not all worlds have. See world_state.h.
#ifndef GRZ_BODY_STATE_H
#define GRZ_BODY_STATE_H

#include <graze/body.h>

#include "array.h"

/// As a row, or a position in a list: none.
#define GRZ_NONE UINT32_C(0x7FFFFFFF)

/// Numbers by which bodies are found. They are types of their own, so that the compiler warns where
/// one is taken for another (-Wenum-conversion), unless it goes through a uint32_t. (All
/// enums of MSVC are signed.)
#if defined(_MSC_VER)
typedef uint32_t grz_index, grz_row, grz_slot;
#else
typedef enum grz_index { GRZ_LAST_INDEX = 0x7FFFFFFE } grz_index; ///< Of an id: never changes.
typedef enum grz_row { GRZ_LAST_ROW = 0x7FFFFFFE } grz_row;       ///< In the columns: see grz_rows.
typedef enum grz_slot { GRZ_LAST_SLOT = 0x7FFFFFFE } grz_slot;    ///< In the solver: see slots.c.
#endif

_Static_assert(sizeof(grz_row) == 4 && (grz_row)-1 > 0, "stored, and counted, as uint32_t is");

typedef GRZ_ARRAY(uint32_t) grz_numbers;

/// What a block has found for a list: see grz_find_in_blocks().
typedef struct grz_range {
    void *items;          ///< The first item of the list in which blocks find it,
    uint32_t first, room; ///< and their own range there.
    uint32_t count;       ///< More than there is room for: it is to be searched.
    uint32_t closed;      ///< The first when all are closed up.
} grz_range;

typedef GRZ_ARRAY(grz_range) grz_ranges;

/// Bits of a row's traits: what hot loops need of the cold part.
enum {
    GRZ_TRAIT_KIND = 3,     ///< graze_shape_kind.
    GRZ_TRAIT_RESPONDS = 4, ///< Its response is neither GRAZE_PASS nor GRAZE_RIGID.
    GRZ_TRAIT_LIMITED = 8,  ///< It has a hit_limit.
    GRZ_TRAIT_SENSOR = 16,
    GRZ_TRAIT_SPINS = 32,          ///< A rect whose spin is not 0.
    GRZ_TRAIT_EXPIRES = 64,        ///< It has a lifetime.
    GRZ_TRAIT_INFINITE_MASS = 128, ///< Mass 0, which acts as infinite: gravity does not move it.
    GRZ_TRAIT_TURNS = 256,         ///< It slides or bounces: it may be deflected.
    GRZ_TRAIT_LAST = 512,          ///< Its next hit is its last. Follows from what is hashed.
    GRZ_TRAIT_RIGID = 1024,        ///< Its response is GRAZE_RIGID, and it is not static.
    /// Its mass is not 0, and its gravity_scale, damping or spin_damping is not the default.
    GRZ_TRAIT_ADJUSTED = 2048,
    GRZ_TRAIT_STEERED = 4096,   ///< As grz_body has it.
    GRZ_TRAIT_UNIT_MASS = 8192, ///< Its mass is 1, as that of most: none has to look it up.
    GRZ_TRAIT_BLOCK = 16384,    ///< GRAZE_RIGID of mass 0, which no contact turns.
    /// Its motion depends on what it meets: the Respond phase finds it.
    GRZ_TRAIT_FREE = GRZ_TRAIT_RESPONDS | GRZ_TRAIT_LIMITED,
    /// Where it goes depends on what it meets.
    GRZ_TRAIT_OPEN = GRZ_TRAIT_FREE | GRZ_TRAIT_RIGID,
    GRZ_TRAIT_FILTER_SHIFT = 18,     ///< The bits from it on are its filter's tag (filter_kinds.h),
    GRZ_TRAIT_FILTER_KIND_SHIFT = 24 ///< and of these, those from here on the kind.
};

/// The traits that are part of the state: the others follow from it, or from the past.
#define GRZ_TRAITS_OF_STATE                                                                        \
    ((UINT32_C(1) << GRZ_TRAIT_FILTER_SHIFT) - 1 - GRZ_TRAIT_LAST - GRZ_TRAIT_UNIT_MASS)

_Static_assert(GRAZE_SHAPE_CIRCLE == 0 && GRAZE_SHAPE_RECT == 1 && GRAZE_SHAPE_RAY == 2,
               "kinds are bits: loops join those of two bodies, and count rects by theirs");

/// The hot columns: element r of each belongs to the same body. They share one block, those of
/// rotations another.
typedef struct grz_rows {
    uint32_t capacity;
    graze_vec2 *position;
    graze_vec2 *velocity;
    graze_vec2 *half; ///< Half extents; a circle's radius, twice; a ray's 0, 0.
    graze_rotation
        *rotation;      ///< Of a rect's angle; of others upright. Null, like the other columns
                        ///< of rotations, until a body turns: see grz_rotation_of.
    bool rotations_due; ///< Angles were loaded: the next Predict fills in the rotations.
    float *angle;       ///< In [-pi, pi].
    float *spin;
    uint32_t *traits;
    grz_index *index;     ///< Of the body's id.
    uint32_t *generation; ///< Likewise.

    // Filled by Predict; Commit swaps these columns with those of position and velocity.
    // Meaningless between steps.
    graze_vec2 *end;              ///< Where it is after the step if nothing stops it.
    graze_vec2 *end_velocity;     ///< Its velocity then.
    graze_rotation *end_rotation; ///< Its rotation then,
    float *turn;                  ///< and how far it turns until then: radians. Still rows: 0.
    const float *carry; ///< By index: how far it may be carried in this step; null: none is.
    grz_block memory, rotation_memory;
} grz_rows;

/// Predict's findings on some rows, or on all that are active.
typedef struct grz_row_counts {
    uint32_t traits;      ///< Traits that any of them has.
    uint32_t slow;        ///< Rows whose velocity after the step is 0, or has a square of 0.
    uint32_t overflow;    ///< Rows stopped because they would leave the range of float.
    uint32_t free;        ///< Rows with GRZ_TRAIT_FREE.
    uint32_t free_shapes; ///< Rows with GRZ_TRAIT_FREE, without rays.
    uint32_t driving;     ///< Rows of bodies that nothing moves,
    uint32_t rigid;       ///< of rigid bodies,
    uint32_t flying;      ///< and those of them that fly: counted by Solve, also as free.
    uint32_t expiring;    ///< Rows with a lifetime.
    uint32_t jumps;       ///< How far rows are from the grid's order: counted by Sort.
} grz_row_counts;

/// The cold part of every body, and what remains of one that is gone. Snapshots copy it as it is:
/// no padding.
typedef struct grz_body {
    uint32_t generation; ///< Of the body that has this index, or of the last that had it; 0: none.
    uint8_t response;    ///< graze_response.
    bool sensor;
    uint8_t kind; ///< graze_shape_kind.
    bool steered; ///< The game has changed its velocity since the last step, and not to 0.
} grz_body;

/// The material of a body.
typedef struct grz_material {
    float mass;
    graze_surface surface;
} grz_material;

/// The lifetime and hits of a body.
typedef struct grz_life {
    float lifetime;                ///< Seconds left; 0: for ever.
    uint32_t hit_limit, hit_count; ///< Hits are counted only if there is a limit.
} grz_life;

/// Flags of grz_dynamics.
enum {
    GRZ_NEVER_SLEEPS = 1,
    GRZ_ASLEEP = 2,
    GRZ_STIRRED = 4, ///< A call has changed it, which wakes what lies
                     ///< on it in the next step.
    GRZ_DYNAMICS_FLAGS = 7
};

/// How a body moves and sleeps.
typedef struct grz_dynamics {
    float inertia; ///< 0: see grz_inertia_of.
    float damping, spin_damping;
    float gravity_scale;
    float quiet;    ///< Seconds for which it has been slow.
    uint32_t flags; ///< GRZ_NEVER_SLEEPS, GRZ_ASLEEP, GRZ_STIRRED.
} grz_dynamics;

/// A body's part of the columns that not all worlds have.
typedef struct grz_optional {
    grz_material material;
    grz_life life;
    graze_filter filter;
    uint64_t user_data;
    grz_dynamics dynamics;
} grz_optional;

/// The defaults of these in a def.
static const grz_optional grz_optional_default = {
    {1, {0.6f, 0, 0, 0}}, {0, 0, 0}, {1, UINT32_MAX, 0, 0}, 0, {0, 0, 0, 1, 0, 0}};

/// Optional columns. A column that no body has needed does not exist, and reading it gives the
/// default of a def. Once it exists, it stays.
enum {
    GRZ_NEED_ROTATIONS = 1, ///< The columns of rows that only rects and rigid circles use.
    GRZ_NEED_MATERIAL = 2,
    GRZ_NEED_LIFE = 4, ///< A hit_limit or a lifetime.
    GRZ_NEED_FILTER = 8,
    GRZ_NEED_USER_DATA = 16,
    GRZ_NEED_DYNAMICS = 32, ///< Also where a body is dynamic.
    GRZ_NEED_ALL = 63
};

/// Those of them that are by index: the column in grz_bodies, its element in grz_optional, and its
/// bit.
#define GRZ_OPTIONAL_COLUMNS(DO)                                                                   \
    DO(materials, material, GRZ_NEED_MATERIAL)                                                     \
    DO(lives, life, GRZ_NEED_LIFE)                                                                 \
    DO(filters, filter, GRZ_NEED_FILTER)                                                           \
    DO(user_data, user_data, GRZ_NEED_USER_DATA)                                                   \
    DO(dynamics, dynamics, GRZ_NEED_DYNAMICS)

/// The hot part of a body that the last step removed: readable until the next one begins.
typedef struct grz_removed {
    grz_index index;
    graze_vec2 position, velocity;
    float angle, spin;
    graze_shape shape;
} grz_removed;

/// The marked rows of a block: see commit.h.
typedef struct grz_marked_block {
    uint32_t first; ///< Place of the first in the list of removed bodies.
    uint32_t count;
    /// How many are rects, are rays, have a rotation, have a filter of their own.
    uint32_t rects, rays, rotations, filters;
} grz_marked_block;

#endif
