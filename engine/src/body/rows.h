/// @file rows.h
/// The hot columns of all bodies.
#ifndef GRZ_ROWS_H
#define GRZ_ROWS_H

#include "state.h"
#include "vec2d.h"

#include <float.h>

/// Returns the capacity that something of this one grows to when so many are wanted, of at most
/// GRZ_NONE: half as much again, so that n calls copy O(n) bytes; a quarter where that is much. A
/// multiple of 16: what holds the same numbers has the same capacity whatever its elements' size
/// is, and all columns of a block start cache lines.
static inline uint32_t grz_next_capacity(uint32_t capacity, uint32_t wanted)
{
    const uint32_t many = 1u << 15;
    const uint32_t larger = capacity + capacity / (capacity < many ? 2 : 4);
    const uint32_t next = larger < wanted ? wanted : larger;
    return wanted <= capacity ? capacity : (next + 15) / 16 * 16;
}

/// Makes room for `capacity` rows, of rects too when `rects` says so, keeping the first `count`. In
/// columns of numbers GRZ_LANES_MAX more may be written. Returns false, the rows as they were,
/// when there is no memory.
bool grz_rows_reserve(grz_rows *rows, const graze_allocator *allocator, uint32_t count,
                      uint32_t capacity, bool rects);

void grz_rows_free(grz_rows *rows, const graze_allocator *allocator);

/// Copies row `from` over row `to`, all columns.
void grz_rows_copy(grz_rows *rows, uint32_t to, uint32_t from);

/// Copies what means something between steps: all but what Predict fills.
void grz_rows_copy_state(grz_rows *rows, uint32_t to, uint32_t from);

/// Lets two rows change places.
void grz_rows_swap(grz_rows *rows, uint32_t first, uint32_t second);

/// Makes what Predict foresaw what is: positions, velocities and, with rects, rotations.
void grz_rows_advance(grz_rows *rows, bool rects);

/// Puts active row order[k] into row k; what Predict foresaw of them is lost. Without rects the
/// columns that only they use are the same in every row and stay as they are.
void grz_rows_sort(const graze_world *world, grz_rows *rows, const uint32_t *order);

/// Likewise, where no row is still, with what Predict has filled. `memory` has room for two vectors
/// a row of the capacity.
void grz_rows_sort_with_ends(const graze_world *world, grz_rows *rows, const uint32_t *order,
                             void *memory);

/// Makes row_of_index lead to the first `count` rows.
void grz_rows_number(graze_world *world, uint32_t count);

/// Returns the velocity that gravity adds in a step. It is finite, so that a body that gravity does
/// not move can be given 0 times as much.
static inline graze_vec2 grz_gravity_step(graze_vec2 gravity, float dt)
{
    const double most = (double)FLT_MAX;
    const graze_vec2 gravity_step = {(float)clamp((double)(gravity.x * dt), -most, most),
                                     (float)clamp((double)(gravity.y * dt), -most, most)};
    return gravity_step;
}

/// Returns how far a body that turns may go in a step of `dt`, in units: as far as its velocity
/// takes it before gravity has changed it by `gravity_step`, or after, to `end`. So what is carried
/// is not left behind by what gravity takes from its speed.
static inline double grz_reach_of(const grz_rows *rows, uint32_t row, graze_vec2 end,
                                  graze_vec2 gravity_step, float dt)
{
    const double distance = length_of(offset(end, rows->position[row]));
    const double before = length_of(widen(rows->velocity[row])) * (double)dt;
    const double most =
        distance + length_of(widen(gravity_step)) * (double)dt; // If it was held: not so far.
    return max_double(distance, min_double(before, most));
}

/// What a row holds of a rect's rotation; as long as there has been no rect, no row holds any.
static inline graze_rotation grz_rotation_of(const grz_rows *rows, uint32_t row)
{
    const graze_rotation upright = {1, 0};
    if (!rows->rotation) {
        return upright;
    }
    return rows->rotations_due ? graze_rotation_from_angle(rows->angle[row]) : rows->rotation[row];
}

static inline graze_rotation grz_end_rotation_of(const grz_rows *rows, uint32_t row)
{
    const graze_rotation upright = {1, 0};
    return rows->rotation ? rows->end_rotation[row] : upright;
}

static inline float grz_angle_of(const grz_rows *rows, uint32_t row)
{
    return rows->rotation ? rows->angle[row] : 0;
}

static inline float grz_spin_of(const grz_rows *rows, uint32_t row)
{
    return rows->rotation ? rows->spin[row] : 0;
}

_Static_assert(sizeof(graze_rotation) == sizeof(graze_vec2), "a rotation is two floats");

/// Rotations as what lanes take apart: cosines are x, sines are y.
static inline const graze_vec2 *grz_as_points(const graze_rotation *rotations)
{
    return (const graze_vec2 *)(const void *)rotations;
}

static inline graze_shape_kind grz_kind_of(uint32_t traits)
{
    return (graze_shape_kind)(traits & GRZ_TRAIT_KIND);
}

static inline graze_body_id grz_row_id(const grz_rows *rows, uint32_t row)
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

/// Whether others can be stopped by it: rays and sensors stop nobody.
static inline bool grz_is_solid(uint32_t traits)
{
    return grz_kind_of(traits) != GRAZE_SHAPE_RAY && !(traits & GRZ_TRAIT_SENSOR);
}

#endif
