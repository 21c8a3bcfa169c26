#include "collide/one_sided.h"

#include <graze/orient.h>

#include "collide/corner.h"
#include "collide/pair_sweep.h"
#include "collide/tolerance.h"
#include "vec2d.h"
#include "world/contact_keys.h"

static const double landing_depth = 0x1p-4; ///< Of the size: what lands may be so deep.

bool grz_is_on_left(graze_segment wall, graze_vec2 point)
{
    const int side = graze_orient(wall.a, wall.b, point);
    return side > 0 || (side == 0 && grz_line_is_on_left(offset(wall.b, wall.a)));
}

// Half of its smaller side; a circle's radius.
static double size_of(const grz_mover *mover)
{
    return min_double((double)mover->half.x, (double)mover->half.y);
}

// How far a body whose centre is at `at` reaches beyond the nearer end of a wall in a direction.
// For a rect that spins the circle within it counts: a corner that rotates into the wall on which
// the rect lies does not make it come through.
static double reach_beyond(const grz_mover *mover, graze_vec2d at, graze_segment wall,
                           graze_vec2d direction)
{
    const double from_a = dot(subtract(at, widen(wall.a)), direction);
    const double from_b = dot(subtract(at, widen(wall.b)), direction);
    if (mover->kind == GRAZE_SHAPE_CIRCLE || mover->rotates) {
        return max_double(from_a, from_b) + size_of(mover);
    }
    const graze_vec2d side = {(double)mover->rotation.cosine, (double)mover->rotation.sine};
    return max_double(from_a, from_b) + absolute((double)mover->half.x * dot(side, direction)) +
           absolute((double)mover->half.y * cross(side, direction));
}

// Whether the body met, in the last step, a one-sided wall that faces the same way, to within 90
// degrees, as one along this direction.
static bool lay_on_alike(const graze_world *world, graze_body_id body, graze_vec2d along_wall)
{
    graze_segment_id met;
    for (uint32_t key = grz_keys_of_terrain(world, body);
         grz_key_is_of_terrain(world, body, key, &met); ++key) {
        const grz_chain *chain = &world->terrain.chains[met.chain.index];
        const bool is_there = chain->in_world && chain->generation == met.chain.generation;
        if (is_there && chain->one_sided) {
            const graze_segment wall = grz_chain_wall(chain, met.index);
            if (dot(offset(wall.b, wall.a), along_wall) > 0) {
                return true;
            }
        }
    }
    return false;
}

/// A body that may come through a one-sided wall, and its touch of it.
typedef struct wall_passage {
    const grz_move *move;
    const grz_wall *wall;
    const grz_touch *touch;
    graze_vec2d along; ///< The wall, from a to b.
} wall_passage;

// Whether the body reaches deeper into the wall, along `into`, than one that lies on it or lands on
// it may.
static bool reaches_through(const wall_passage *passage, graze_vec2d into, bool comes_down)
{
    const grz_move *move = passage->move;
    const double share = comes_down ? landing_depth : grz_overlap_tolerance;
    const double allowed = share * size_of(move->mover) + grz_blur_at(move->from, into);
    const graze_vec2d centre = grz_centre_at(move, passage->touch->time);
    return reach_beyond(move->mover, centre, passage->wall->segment, into) > allowed;
}

// The rounding error of a - b: the tail of Two-Diff, J. R. Shewchuk 1997.
static double error_of_difference(double a, double b, double difference)
{
    const double b_as_taken = a - difference;
    return (a - (difference + b_as_taken)) - (b - b_as_taken);
}

// Whether a - b >= c - d, of floats, exactly: if both round to the same value, their rounding
// errors decide.
static bool is_difference_at_least(float a, float b, float c, float d)
{
    const double first = (double)a - (double)b, second = (double)c - (double)d;
    if (first != second) {
        return first > second;
    }
    return error_of_difference((double)a, (double)b, first) >=
           error_of_difference((double)c, (double)d, second);
}

// Whether a - b is at least the distance of c and d.
static bool reaches_as_far(float a, float b, float c, float d)
{
    return is_difference_at_least(a, b, c, d) && is_difference_at_least(a, b, d, c);
}

// Whether a normal leans at most 45 degrees from the one into the wall's face. Exact for a normal
// along an axis, such as those of upright rects.
static bool is_into_face(const wall_passage *passage, graze_vec2d normal)
{
    const graze_vec2 a = passage->wall->segment.a, b = passage->wall->segment.b;
    if (normal.y == 0) {
        return normal.x > 0 ? reaches_as_far(b.y, a.y, a.x, b.x)
                            : reaches_as_far(a.y, b.y, a.x, b.x);
    }
    if (normal.x == 0) {
        return normal.y < 0 ? reaches_as_far(b.x, a.x, a.y, b.y)
                            : reaches_as_far(a.x, b.x, a.y, b.y);
    }
    return -cross(passage->along, normal) >= absolute(dot(passage->along, normal));
}

// Whether the body, met with this normal, comes through.
static bool passes_with(const wall_passage *passage, graze_vec2d normal)
{
    const double approach = grz_approach_along(passage->move, passage->touch->time, normal);
    const bool comes_down =
        passage->touch->crosses || (is_into_face(passage, normal) && approach >= 0);
    return reaches_through(passage, normal, comes_down);
}

// Where nothing continues the wall, and there is no corner, a body that comes from the side with
// part of it on the right passes.
static bool passes_beside(const wall_passage *passage, bool makes_corner)
{
    const bool is_open = !makes_corner && !is_into_face(passage, passage->touch->normal);
    return is_open ? reaches_through(passage, grz_normal_into(passage->along, 1),
                                     passage->touch->crosses)
                   : passes_with(passage, passage->touch->normal);
}

// Whether it comes through a wall that another one-sided wall continues at the end where it is met.
// To what is on the right of that one it is not there, and the wall ends.
static bool passes_at_joint(const wall_passage *passage, const grz_joint *joint)
{
    return grz_is_left_of_joint(joint)
               ? passes_with(passage, grz_joint_normal(joint, passage->touch->normal))
               : passes_beside(passage, !(dot(joint->other, passage->along) > 0));
}

/// What other walls are at the end of a wall where its chain ends, too.
typedef struct end_company {
    graze_vec2 point;  ///< The end:
    bool at_end;       ///< b of the wall; else a.
    bool makes_corner; ///< With another wall, of 90 degrees or more.
    bool goes_on;      ///< A one-sided wall continues it, as if of its chain.
    bool passes;       ///< The body comes through all those that continue it.
} end_company;

// Whether the other wall begins where the chain ends, or ends where it begins, and is met from one
// side only.
static bool goes_on(const wall_passage *passage, const grz_wall *other, const end_company *company)
{
    const grz_chain *chain = &passage->move->world->terrain.chains[other->chain];
    const graze_vec2 near = company->at_end ? other->segment.a : other->segment.b;
    return is_same_point(near, company->point) && chain->one_sided && !chain->sensor &&
           grz_filters_meet(*passage->move->mover->filter, chain->filter);
}

// Adds another wall, which need not have an end there.
static void join_company(const wall_passage *passage, const grz_wall *other, end_company *company)
{
    const graze_vec2d other_along = offset(other->segment.b, other->segment.a);
    if (!is_same_point(other->segment.a, company->point) &&
        !is_same_point(other->segment.b, company->point)) {
        return;
    }
    if (!(dot(other_along, passage->along) > 0)) {
        company->makes_corner = true;
    } else if (goes_on(passage, other, company)) {
        const grz_joint joint = {.along = passage->along,
                                 .other = other_along,
                                 .mover = offset(passage->move->from, company->point),
                                 .at_end = company->at_end,
                                 .one_sided = true};
        company->goes_on = true;
        company->passes = company->passes && passes_at_joint(passage, &joint);
    }
}

static end_company find_company(const wall_passage *passage, graze_vec2 point, bool at_end)
{
    const graze_aabb box = {point, point};
    end_company company = {.point = point, .at_end = at_end, .passes = true};
    graze_segment_walk walk = graze_segment_grid_walk_box(&passage->move->world->terrain.grid, box);
    graze_segment_span span;
    while (graze_segment_walk_next(&walk, 1, &span)) {
        for (uint32_t k = 0; k < span.count; ++k) {
            const grz_wall other = grz_wall_of_span(&span, k);
            join_company(passage, &other, &company);
        }
    }
    return company;
}

// Other chains may continue a wall where its own chain ends.
static bool passes_at_end(const wall_passage *passage, graze_vec2 point, bool at_end)
{
    const end_company company = find_company(passage, point, at_end);
    return company.goes_on ? company.passes : passes_beside(passage, company.makes_corner);
}

static bool passes(const wall_passage *passage)
{
    const double lean = dot(passage->along, passage->touch->normal);
    const grz_chain *chain = &passage->move->world->terrain.chains[passage->wall->chain];
    const bool at_end = lean < 0;
    const uint32_t item = passage->wall->item;
    grz_joint joint;
    if (grz_is_of_face(passage->along, lean)) {
        return passes_with(passage, passage->touch->normal);
    }
    return grz_chain_joint(chain, item, passage->along, at_end, passage->move->from, &joint)
               ? passes_at_joint(passage, &joint)
               : passes_at_end(passage, chain->points[grz_place_of_end(chain, item, at_end)],
                               at_end);
}

// It comes through if it is deeper in the wall, where they touch, than a landing body may be; or,
// if it moves away or comes to an open end from the side, deeper than rounding explains. But a body
// that met a wall facing the same way in the last step lies on it, however deep others press it in.
bool grz_is_coming_through(const grz_move *move, const grz_wall *wall, const grz_touch *touch)
{
    const grz_mover *mover = move->mover;
    // Its centre crosses from a start clear of the wall, in which rounding may seem to put it.
    const bool is_guarded = touch->crosses && !(touch->depth > 0);
    if (!mover->responds || is_guarded) {
        return false;
    }
    const wall_passage passage = {move, wall, touch, offset(wall->segment.b, wall->segment.a)};
    return passes(&passage) && !lay_on_alike(move->world, mover->body, passage.along);
}
