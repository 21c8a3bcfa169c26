/// @file bodies.h
/// The bodies of a world: their indices, their rows, and those that were removed.
///
/// Invariants
/// - A live body has a row. Rows are dense, [0, body_count); those of active bodies come first.
/// - Queries find every body: it is in the grid as last sorted, or in the grid of bodies at rest
///   (sleep.h), or in the set of unsorted ones.
/// - A new body gets the smallest vacant index, so that ids are a function of the state.
/// - Of a vacant index only the generation remains; all else has the values of snapshots, which can
///   thus copy whole columns.
#ifndef GRZ_BODIES_H
#define GRZ_BODIES_H

#include "world/rows.h"
#include "world/world_state.h"

#include <stdint.h>

enum { GRZ_BODIES_MAX = GRZ_NONE / 2 }; ///< And as many indices.

/// Returns which of the optional columns a body needs: GRZ_NEED bits.
uint32_t grz_bodies_needs_of(const graze_body_def *def);

/// Makes room for these numbers of indices and rows in all, in the columns that exist and those
/// that `needs` names. Returns false, with nothing lost, if memory runs out.
bool grz_bodies_make_room(graze_world *world, uint32_t indices, uint32_t rows, uint32_t needs);

/// Returns OK, or LIMIT if the world cannot hold `extra` more bodies.
graze_status grz_bodies_check_limit(const graze_world *world, uint32_t extra);

/// Makes room for `extra` more bodies, and for what `needs` names. Returns OK, OUT_OF_MEMORY or
/// LIMIT; nothing is lost.
graze_status grz_bodies_reserve(graze_world *world, uint32_t extra, uint32_t needs);

/// Adds a body from a checked def. Cannot fail: room must have been reserved, with its needs.
graze_body_id grz_bodies_add(graze_world *world, const graze_body_def *def);

/// Removes an active body from the world at once; its index becomes vacant.
void grz_bodies_remove(graze_world *world, grz_index index);

/// Returns whether the body in a row has this checked shape already.
bool grz_bodies_has_shape(const graze_world *world, grz_row row, graze_shape shape);

/// Gives an active body a checked shape; one of another kind is upright and does not spin. Room
/// must have been reserved for rotations if it then has one.
void grz_bodies_set_shape(graze_world *world, grz_index index, graze_shape shape);

/// Gives an active body a checked response; one that then has no rotation is upright and does not
/// spin. Room must have been reserved for rotations if it then has one, and for dynamics if it is
/// then rigid.
void grz_bodies_set_response(graze_world *world, grz_index index, graze_response response);

/// Gives an active body that has a rotation an angle in [-pi, pi].
void grz_bodies_set_angle(graze_world *world, grz_row row, float angle);

/// Derives the traits of a body's row from the other values.
void grz_bodies_renew_traits(graze_world *world, grz_row row);

/// Gives a body a filter, for which there must be room unless it is the default.
void grz_bodies_set_filter(graze_world *world, grz_index index, graze_filter filter);

/// Finds the kinds of all bodies anew, if that is due; with new numbers, if they had run out.
void grz_bodies_renew_kinds(graze_world *world);

/// Stores the kinds of the bodies in the grid that a thing with this filter may meet, and returns
/// them; or null, if it may be any.
const uint32_t *grz_list_sorted_kinds(const graze_world *world, graze_filter filter,
                                      uint32_t kinds[GRAZE_GRID_KIND_WORDS]);

/// The same of the grid of bodies at rest.
const uint32_t *grz_list_still_kinds(const graze_world *world, graze_filter filter,
                                     uint32_t kinds[GRAZE_GRID_KIND_WORDS]);

/// Adds to the velocity of an active body that takes impulses, and to its spin if impulses turn it.
void grz_bodies_push(graze_world *world, grz_row row, graze_vec2d impulse, double spin_impulse);

/// Makes the indices of removed bodies vacant.
void grz_bodies_forget_removed(graze_world *world);

/// Marks this body unsorted: the grid does not know where it is.
void grz_bodies_mark_unsorted(graze_world *world, grz_index index);

/// Marks all bodies sorted, and of the kinds that the grid has: right after the sort.
void grz_bodies_mark_sorted(graze_world *world);

/// Returns the row of a body in the world; GRZ_NONE if the id is none or stale.
uint32_t grz_bodies_find(const graze_world *world, graze_body_id id);

/// Returns the removed body with this id, or null.
const grz_removed *grz_bodies_find_removed(const graze_world *world, graze_body_id id);

/// Returns the id of the body that has this index.
graze_body_id grz_bodies_id(const graze_world *world, grz_index index);

/// Returns whether no body is still.
static inline bool grz_all_are_active(const graze_world *world)
{
    return world->bodies.active_count == world->bodies.count;
}

/// Turns pairs of places in the grid, right after the sort, into pairs of rows.
static inline void grz_rows_of_places(const graze_world *world, graze_pair *pairs, uint32_t count)
{
    const uint32_t *row = graze_grid_order(world->grid.cells);
    for (uint32_t i = 0; i < count; ++i) {
        const graze_pair rows = {row[pairs[i].a], row[pairs[i].b]};
        pairs[i] = rows;
    }
}

/// Returns the index of the body that was sorted to a place in the grid; it may be gone.
static inline grz_index grz_index_of_place(const graze_world *world, uint32_t place)
{
    return graze_grid_read_notes(world->grid.cells)[graze_grid_order(world->grid.cells)[place]];
}

static inline bool grz_filter_is_default(graze_filter filter)
{
    const graze_filter usual = grz_optional_default.filter;
    return filter.category == usual.category && filter.mask == usual.mask &&
           filter.pass == usual.pass && filter.group == usual.group;
}

/// Returns the surface with every -0 as 0: one state, one pattern of bits.
static inline graze_surface grz_clean_surface(graze_surface surface)
{
    const graze_surface clean = {surface.friction + 0.0f, surface.restitution + 0.0f,
                                 surface.rolling_resistance + 0.0f, surface.speed + 0.0f};
    return clean;
}

/// Returns the traits that a response gives a row.
static inline uint32_t grz_traits_of_response(graze_response response)
{
    static const uint16_t traits[] = {
        [GRAZE_PASS] = 0,
        [GRAZE_STOP] = GRZ_TRAIT_RESPONDS,
        [GRAZE_SLIDE] = GRZ_TRAIT_RESPONDS | GRZ_TRAIT_TURNS,
        [GRAZE_BOUNCE] = GRZ_TRAIT_RESPONDS | GRZ_TRAIT_TURNS,
        [GRAZE_RIGID] = GRZ_TRAIT_RIGID,
    };
    return traits[response];
}

/// Returns whether, after `hit_count` hits, the next one is the last.
static inline bool grz_is_last_hit(uint32_t hit_limit, uint32_t hit_count)
{
    return (hit_limit != 0) & (hit_count + 1 >= hit_limit);
}

/// Returns the material of a body, by index.
static inline grz_material grz_material_of(const graze_world *world, grz_index index)
{
    return world->bodies.materials.data ? world->bodies.materials.data[index]
                                        : grz_optional_default.material;
}

/// Returns the mass of the body in a row.
static inline float grz_mass_at(const graze_world *world, grz_row row)
{
    return world->bodies.rows.traits[row] & GRZ_TRAIT_UNIT_MASS
               ? 1
               : grz_material_of(world, world->bodies.rows.index[row]).mass;
}

/// Returns the lifetime and hits of a body.
static inline grz_life grz_life_of(const graze_world *world, grz_index index)
{
    return world->bodies.lives.data ? world->bodies.lives.data[index] : grz_optional_default.life;
}

/// Returns a body's filter: valid until the next body or filter is given to the world.
static inline const graze_filter *grz_filter_of(const graze_world *world, grz_index index)
{
    return world->bodies.filters.data ? &world->bodies.filters.data[index]
                                      : &grz_optional_default.filter;
}

static inline uint64_t grz_user_data_of(const graze_world *world, grz_index index)
{
    return world->bodies.user_data.data ? world->bodies.user_data.data[index] : 0;
}

/// Returns how a body moves and sleeps.
static inline grz_dynamics grz_dynamics_of(const graze_world *world, grz_index index)
{
    return world->bodies.dynamics.data ? world->bodies.dynamics.data[index]
                                       : grz_optional_default.dynamics;
}

/// Returns the inertia in force of a body of this shape: its own, or that of its shape and mass. 0:
/// that of a ray or of mass 0, which acts as infinite.
static inline float grz_inertia_of(const graze_world *world, grz_index index, uint32_t kind,
                                   graze_vec2 half)
{
    const float own = grz_dynamics_of(world, index).inertia;
    const double mass = (double)grz_material_of(world, index).mass;
    const double solid = grz_solid_inertia(kind, half, mass);
    return own > 0 ? own : (float)min_double(solid, (double)FLT_MAX);
}

static inline grz_optional grz_optional_of(const graze_world *world, grz_index index)
{
    const grz_optional optional = {grz_material_of(world, index), grz_life_of(world, index),
                                   *grz_filter_of(world, index), grz_user_data_of(world, index),
                                   grz_dynamics_of(world, index)};
    return optional;
}

/// Writes the values that have columns.
static inline void grz_bodies_fill_optional(grz_bodies *bodies, grz_index index,
                                            const grz_optional *optional)
{
#define GRZ_FILL(column, member, need)                                                             \
    if (bodies->column.data) {                                                                     \
        bodies->column.data[index] = optional->member;                                             \
    }
    GRZ_OPTIONAL_COLUMNS(GRZ_FILL)
#undef GRZ_FILL
}

/// Returns whether an element of row_of_index is the place of a removed body: see
/// grz_removed_place.
static inline bool grz_is_removed(grz_row row)
{
    return row > GRZ_NONE;
}

static inline uint32_t grz_removed_place(grz_row row)
{
    return row - GRZ_NONE - 1;
}

/// Returns the element of row_of_index for the removed body at a place in the list.
static inline grz_row grz_row_of_removed(uint32_t place)
{
    return place + GRZ_NONE + 1;
}

/// Returns the trait of a body with this mass that moves otherwise than gravity alone says.
static inline uint32_t grz_adjusted_trait(float mass, const grz_dynamics *dynamics)
{
    const bool differs =
        (dynamics->gravity_scale != 1) | (dynamics->damping > 0) | (dynamics->spin_damping > 0);
    return (differs & (mass > 0)) * (uint32_t)GRZ_TRAIT_ADJUSTED;
}

/// Corrects the traits of a rigid body. The solver counts its hits. A rigid ray, which is a point
/// that never turns, moves as one that bounces. So does what has mass 0, which no contact turns; if
/// it stands, nothing moves it.
static inline uint32_t grz_traits_of_rigid(uint32_t traits, bool moves)
{
    const uint32_t point = (traits & (GRZ_TRAIT_RIGID | GRZ_TRAIT_KIND)) ==
                           ((uint32_t)GRZ_TRAIT_RIGID | (uint32_t)GRAZE_SHAPE_RAY);
    const uint32_t heavy = (uint32_t)GRZ_TRAIT_RIGID | (uint32_t)GRZ_TRAIT_INFINITE_MASS;
    const uint32_t block = !point & ((traits & heavy) == heavy);
    const uint32_t as_flyer = GRZ_TRAIT_RESPONDS + GRZ_TRAIT_TURNS;
    const uint32_t as_block = (uint32_t)GRZ_TRAIT_BLOCK - GRZ_TRAIT_RIGID;
    const uint32_t changed = traits + point * (as_flyer - GRZ_TRAIT_RIGID) + block * as_block +
                             (block & moves) * as_flyer;
    return changed & GRZ_TRAIT_RIGID ? changed & ~(uint32_t)GRZ_TRAIT_LIMITED : changed;
}

/// Returns whether all bodies meet what has the default filter, such as plain chains; false also
/// where that would have to be looked up.
static inline bool grz_all_meet_default(const graze_world *world)
{
    return !world->bodies.filter_count ||
           !(world->grid.kinds.closed || world->grid.kinds.full || world->grid.kinds_due);
}

/// Returns whether some body may pass others that it meets; true also where that would have to be
/// looked up.
static inline bool grz_may_any_pass(const graze_world *world)
{
    return world->bodies.filter_count && (world->grid.kinds.passing || world->grid.kinds_due);
}

/// Returns the tag of a body's filter, as the world's kinds number it.
static inline uint32_t grz_filter_tag_of(const graze_world *world, grz_index index)
{
    return world->bodies.filters.data ? grz_filter_tag(world->bodies.filter_kinds.data[index],
                                                       world->bodies.filters.data[index].group)
                                      : grz_filter_tag(GRZ_KIND_USUAL, 0);
}

/// Returns the traits of a body's row, from its cold part and the columns that count; all but the
/// tag of its filter. Without a branch on values: the kinds of many bodies one after the other
/// cannot be predicted.
static inline uint32_t grz_untagged_traits_of(const grz_bodies *bodies, grz_index index,
                                              uint32_t kind, graze_vec2 velocity, float spin)
{
    const grz_optional *usual = &grz_optional_default;
    const grz_body *body = &bodies->cold.data[index];
    const grz_life life = bodies->lives.data ? bodies->lives.data[index] : usual->life;
    const float mass =
        bodies->materials.data ? bodies->materials.data[index].mass : usual->material.mass;
    const grz_dynamics *dynamics =
        bodies->dynamics.data ? &bodies->dynamics.data[index] : &usual->dynamics;
    uint32_t traits = kind + body->sensor * (uint32_t)GRZ_TRAIT_SENSOR;
    traits += grz_traits_of_response((graze_response)body->response);
    traits += (life.hit_limit != 0) * (uint32_t)GRZ_TRAIT_LIMITED;
    traits += grz_is_last_hit(life.hit_limit, life.hit_count) * (uint32_t)GRZ_TRAIT_LAST;
    traits += (grz_kind_has_sides(kind) & (spin != 0)) * (uint32_t)GRZ_TRAIT_SPINS;
    traits += (life.lifetime > 0) * (uint32_t)GRZ_TRAIT_EXPIRES;
    traits += (mass == 0) * (uint32_t)GRZ_TRAIT_INFINITE_MASS;
    traits += (mass == 1) * (uint32_t)GRZ_TRAIT_UNIT_MASS;
    traits += grz_adjusted_trait(mass, dynamics);
    traits += body->steered * (uint32_t)GRZ_TRAIT_STEERED;
    return grz_traits_of_rigid(traits, (velocity.x != 0) | (velocity.y != 0) | (spin != 0));
}

/// Returns all traits of a body's row, of whose columns all others are filled in.
static inline uint32_t grz_traits_of(const graze_world *world, grz_row row, graze_shape_kind kind)
{
    const grz_rows *rows = &world->bodies.rows;
    const grz_index index = rows->index[row];
    return grz_untagged_traits_of(&world->bodies, index, (uint32_t)kind, rows->velocity[row],
                                  grz_spin_of(rows, row)) +
           (grz_filter_tag_of(world, index) << GRZ_TRAIT_FILTER_SHIFT);
}

static inline graze_shape grz_bodies_shape(const grz_rows *rows, grz_row row)
{
    return grz_shape_of(grz_kind_of(rows->traits[row]), rows->half[row]);
}

/// Returns whether impulses move a body: it responds, and its mass is finite.
static inline bool grz_takes_impulses(uint32_t traits)
{
    return (traits & (GRZ_TRAIT_RESPONDS | GRZ_TRAIT_RIGID)) && !(traits & GRZ_TRAIT_INFINITE_MASS);
}

/// Returns 1 by the inertia of a body; 0 if no impulse turns it: it is not rigid (the trait alone
/// may say that it joins those that are), is a ray, or has mass 0.
static inline double grz_inverse_inertia_of(const graze_world *world, grz_row row)
{
    const uint32_t traits = world->bodies.rows.traits[row];
    const bool rigid =
        world->bodies.cold.data[world->bodies.rows.index[row]].response == GRAZE_RIGID;
    if (!rigid || !grz_row_has_rotation(traits) || (traits & GRZ_TRAIT_INFINITE_MASS)) {
        return 0;
    }
    const double inertia =
        (double)grz_inertia_of(world, world->bodies.rows.index[row], traits & GRZ_TRAIT_KIND,
                               world->bodies.rows.half[row]);
    return inertia > 0 ? 1 / inertia : 0;
}

/// Returns the hot part of the body in this row.
static inline grz_removed grz_bodies_read_row(const graze_world *world, grz_row row)
{
    const grz_rows *rows = &world->bodies.rows;
    const grz_removed hot = {rows->index[row],       rows->position[row],
                             rows->velocity[row],    grz_angle_of(rows, row),
                             grz_spin_of(rows, row), grz_bodies_shape(rows, row)};
    return hot;
}

// --- Angles of bodies, in radians ---

/// The float nearest to pi, which is above it.
#define GRZ_PI 3.14159274f

/// Returns the angle within [-pi, pi]; 0 for one too large to have a direction (1e15 turns).
float grz_wrap_angle(float angle);

// --- A second set of columns ---
//
// A second set of the columns of bodies. A snapshot is copied into it while it is being checked;
// if all of it is right, the two sets are swapped; if not, the world is untouched.
//
// It is allocated when the first snapshot is loaded, with as much room as the world itself has: so
// that each can replace the other.

/// Makes room in bodies->spare for these numbers of indices and rows, for what `needs`
/// names, and for all that `bodies` has room for. Its contents are lost. Returns false if memory
/// runs out.
bool grz_spare_reserve(grz_bodies *bodies, const graze_allocator *allocator, uint32_t indices,
                       uint32_t rows, uint32_t needs);

/// Swaps the two, but for those that go.
void grz_spare_exchange(grz_bodies *bodies);

#endif
