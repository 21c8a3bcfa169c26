/// @file rows.h
/// The hot columns of all bodies.
#ifndef GRZ_ROWS_H
#define GRZ_ROWS_H

#include "vec2d.h"
#include "world/shape_kind.h"
#include "world/world_state.h"

#include <float.h>

/// Returns the capacity to grow to from this one if `wanted` are needed, at most GRZ_NONE: half as
/// much again, so that n calls copy O(n) bytes; a quarter if that is much. It is a multiple of 16
/// and independent of the size of elements, so that all columns of a block begin at cache lines.
static inline uint32_t grz_next_capacity(uint32_t capacity, uint32_t wanted)
{
    const uint32_t many = 1u << 15;
    const uint32_t larger = capacity + capacity / (capacity < many ? 2 : 4);
    const uint32_t next = larger < wanted ? wanted : larger;
    return wanted <= capacity ? capacity : (next + 15) / 16 * 16;
}

/// Makes room for `capacity` rows, also of rects if `rects` is set, and keeps the first `count`. In
/// columns of numbers GRZ_LANES_MAX more may be written. Returns false, with the rows as they were,
/// if memory runs out.
bool grz_rows_reserve(grz_rows *rows, const graze_allocator *allocator, uint32_t count,
                      uint32_t capacity, bool rects);

void grz_rows_free(grz_rows *rows, const graze_allocator *allocator);

/// Copies row `from` over row `to`, all columns.
void grz_rows_copy(grz_rows *rows, uint32_t to, uint32_t from);

/// Copies all columns that have a meaning between steps: all but those that Predict fills.
void grz_rows_copy_state(grz_rows *rows, uint32_t to, uint32_t from);

/// Swaps two rows.
void grz_rows_swap(grz_rows *rows, uint32_t first, uint32_t second);

/// Makes the ends that Predict filled the present state: positions, velocities and, with rects,
/// rotations.
void grz_rows_advance(grz_rows *rows, bool rects);

/// Moves active row order[k] to row k; the values that Predict filled are lost. Without rects the
/// columns that only they use are equal in every row and stay as they are.
void grz_rows_sort(const graze_world *world, grz_rows *rows, const uint32_t *order);

/// Fills row_of_index for the first `count` rows.
void grz_rows_number(graze_world *world, uint32_t count);

/// Returns the velocity that gravity adds in a step. It is finite, so that 0 times it is 0 for
/// bodies that gravity does not move.
static inline graze_vec2 grz_gravity_step(graze_vec2 gravity, float dt)
{
    const double most = (double)FLT_MAX;
    const graze_vec2 gravity_step = {(float)clamp((double)(gravity.x * dt), -most, most),
                                     (float)clamp((double)(gravity.y * dt), -most, most)};
    return gravity_step;
}

/// Returns how far a body that may be deflected may go in a step of `dt`, in units: as far as its
/// velocity would take it before gravity changed it by `gravity_step`, or after, to `end`. So a
/// body that is carried does not fall behind by the speed that gravity takes. And as far as what is
/// driven may carry it (carry.c).
static inline double grz_reach_of(const grz_rows *rows, grz_row row, graze_vec2 end,
                                  graze_vec2 gravity_step, float dt)
{
    const double distance = length_of(offset(end, rows->position[row]));
    const double before = length_of(widen(rows->velocity[row])) * (double)dt;
    const double most =
        distance + length_of(widen(gravity_step)) * (double)dt; // Less if it was held.
    const double carry = rows->carry ? (double)rows->carry[rows->index[row]] : 0;
    return max_double(max_double(distance, carry), min_double(before, most));
}

/// The columns of rotations, which do not exist until a body turns.
static inline graze_rotation grz_rotation_of(const grz_rows *rows, grz_row row)
{
    const graze_rotation upright = {1, 0};
    const bool is_rect = grz_has_sides(rows->traits[row]);
    if (!rows->rotation || !is_rect) {
        return upright;
    }
    return rows->rotations_due ? graze_rotation_from_angle(rows->angle[row]) : rows->rotation[row];
}

/// Returns how far a body turns in the step: radians. Round ones have no effect by turning.
static inline double grz_turn_of(const grz_rows *rows, grz_row row)
{
    const bool is_rect = grz_has_sides(rows->traits[row]);
    return rows->rotation && is_rect ? (double)rows->turn[row] : 0;
}

static inline float grz_angle_of(const grz_rows *rows, grz_row row)
{
    return rows->rotation ? rows->angle[row] : 0;
}

static inline float grz_spin_of(const grz_rows *rows, grz_row row)
{
    return rows->rotation ? rows->spin[row] : 0;
}

_Static_assert(sizeof(graze_rotation) == sizeof(graze_vec2), "a rotation is two floats");

/// Rotations as vectors, for lanes: cosines are x, sines are y.
static inline const graze_vec2 *grz_as_points(const graze_rotation *rotations)
{
    return (const graze_vec2 *)(const void *)rotations;
}

static inline graze_body_id grz_row_id(const grz_rows *rows, grz_row row)
{
    graze_body_id id = {rows->index[row], rows->generation[row]};
    return id;
}

static inline bool grz_is_free_ray(uint32_t traits)
{
    return (traits & GRZ_TRAIT_FREE) && grz_kind_of(traits) == GRAZE_SHAPE_RAY;
}

static inline bool grz_is_free_shape(uint32_t traits)
{
    return (traits & GRZ_TRAIT_FREE) && grz_kind_of(traits) != GRAZE_SHAPE_RAY;
}

static inline bool grz_are_round(const grz_rows *rows, grz_row a, grz_row b)
{
    return !((rows->traits[a] | rows->traits[b]) & GRAZE_SHAPE_RECT);
}

/// Returns how far a body reaches from its centre, however it is turned.
static inline double grz_round_reach(const grz_rows *rows, grz_row row)
{
    const graze_vec2d half = widen(rows->half[row]);
    const uint32_t sides = grz_has_sides(rows->traits[row]);
    return grz_sqrt(half.x * half.x + half.y * half.y * (double)sides);
}

/// Sets the trait that follows from a row's spin.
static inline void grz_rows_note_spin(grz_rows *rows, grz_row row)
{
    const bool rect = grz_has_sides(rows->traits[row]);
    rows->traits[row] &= ~(uint32_t)GRZ_TRAIT_SPINS;
    rows->traits[row] |= rect && rows->spin[row] != 0 ? GRZ_TRAIT_SPINS : 0u;
}

/// Returns whether a body with these traits slides, bounces or is rigid, and is no ray.
static inline bool grz_row_is_dynamic(uint32_t traits)
{
    return ((traits & (GRZ_TRAIT_TURNS | GRZ_TRAIT_RIGID | GRZ_TRAIT_BLOCK)) != 0) &
           ((traits & GRZ_TRAIT_KIND) != GRAZE_SHAPE_RAY);
}

/// Whether a body is rigid, or joins those that are, and no ray.
static inline bool grz_is_rigid(uint32_t traits)
{
    return (traits & GRZ_TRAIT_RIGID) && grz_kind_of(traits) != GRAZE_SHAPE_RAY;
}

/// Whether a rigid body flies in this step: it has no contact, and what it meets are impacts.
static inline bool grz_flies(uint32_t traits)
{
    return grz_is_rigid(traits) && (traits & GRZ_TRAIT_TURNS);
}

/// Returns whether a body moves others, and none moves it, as far as its traits tell: they do
/// before trajectories are known (impulse.h).
static inline bool grz_drives(uint32_t traits)
{
    const uint32_t responds = GRZ_TRAIT_RESPONDS | GRZ_TRAIT_RIGID;
    const uint32_t never = GRZ_TRAIT_SENSOR | GRZ_TRAIT_LAST | GRAZE_SHAPE_RAY;
    const bool gives_no_way = (traits & responds) == 0;
    const bool is_heavy = (traits & GRZ_TRAIT_INFINITE_MASS) != 0;
    return ((traits & never) == 0) & (gives_no_way | is_heavy);
}

/// Whether the solver moves it: a rigid body that does not fly.
static inline bool grz_is_solved(uint32_t traits)
{
    return grz_is_rigid(traits) && !(traits & GRZ_TRAIT_TURNS);
}

/// Whether a candidate pair is the solver's: neither body is free.
static inline bool grz_are_solved(const graze_world *world, const grz_candidate *candidate)
{
    const uint32_t *traits = world->bodies.rows.traits;
    return !((traits[candidate->row_a] | traits[candidate->row_b]) & GRZ_TRAIT_FREE);
}

/// Whether others can be stopped by it: rays and sensors stop nobody.
static inline bool grz_is_solid(uint32_t traits)
{
    return grz_kind_of(traits) != GRAZE_SHAPE_RAY && !(traits & GRZ_TRAIT_SENSOR);
}

#endif
