#include "collide/joint.h"

#include <graze/orient.h>

#include "collide/pair_sweep.h"
#include "collide/tolerance.h"
#include "fault.h"
#include "vec2d.h"
#include "world/contact_keys.h"

// --- Corners of a chain ---

bool grz_chain_neighbour(const grz_chain *chain, uint32_t corner, bool forward,
                         graze_vec2 *neighbour)
{
    const uint32_t count = (uint32_t)grz_list_count(chain->points);
    const graze_vec2 at = chain->points[corner];
    for (uint32_t k = 1; k < count; ++k) {
        const uint32_t place = forward ? corner + k : corner + count - k;
        const bool wraps = forward ? place >= count : k > corner;
        if (wraps && !chain->loop) {
            return false;
        }
        *neighbour = chain->points[grz_wrap_place(place, count)];
        if (!is_same_point(*neighbour, at)) {
            return true;
        }
    }
    return false;
}

/// Where two walls of a chain meet, as a mover near it sees it.
typedef struct chain_corner {
    graze_vec2d first, second; ///< Along the wall before it, and after it.
    double side;               ///< 1: the mover is left of the chain; -1: right.
    bool sticks_out;           ///< Towards the mover.
} chain_corner;

static graze_vec2d first_of(const grz_joint *joint)
{
    return joint->at_end ? joint->along : joint->other;
}

static graze_vec2d second_of(const grz_joint *joint)
{
    return joint->at_end ? joint->other : joint->along;
}

static chain_corner find_corner(const grz_joint *joint, double side)
{
    const graze_vec2d first = first_of(joint), second = second_of(joint);
    chain_corner found = {.first = first, .second = second, .side = side};
    const double turn = cross(first, second);
    const bool tip = turn == 0 && dot(first, second) < 0;
    found.sticks_out = side * turn < 0 || tip;
    return found;
}

static bool is_left_of(graze_vec2d wall, graze_vec2d mover)
{
    const double side = cross(wall, mover);
    return side > 0 || (side == 0 && grz_line_is_on_left(wall));
}

// Of a mover that touches the corner itself, by where its centre is.
static double side_of(const grz_joint *joint)
{
    const graze_vec2d first = first_of(joint), second = second_of(joint);
    const bool left_of_first = is_left_of(first, joint->mover);
    const bool left_of_second = is_left_of(second, joint->mover);
    const bool is_left = cross(first, second) < 0 ? left_of_first || left_of_second
                                                  : left_of_first && left_of_second;
    return is_left ? 1 : -1;
}

graze_vec2d grz_normal_into(graze_vec2d wall, double side)
{
    const double factor = side / length_of(wall);
    const graze_vec2d normal = {wall.y * factor, -wall.x * factor};
    return normal;
}

// A corner that sticks out is met itself in the directions between its walls' normals; in other
// directions one of the walls is met. A corner that does not stick out is never met before its
// walls.
static graze_vec2d normal_at(const chain_corner *corner, graze_vec2d wall, graze_vec2d normal)
{
    if (!corner->sticks_out) {
        return grz_normal_into(wall, corner->side);
    }
    if (dot(normal, corner->first) > 0) {
        return grz_normal_into(corner->first, corner->side);
    }
    return dot(normal, corner->second) < 0 ? grz_normal_into(corner->second, corner->side) : normal;
}

graze_vec2d grz_joint_normal(const grz_joint *joint, graze_vec2d normal)
{
    const double side = grz_is_of_face(joint->along, dot(normal, joint->along))
                            ? (cross(joint->along, normal) < 0 ? 1 : -1)
                            : side_of(joint);
    // Behind a one-sided neighbour there is no neighbour: the wall ends there.
    if (joint->one_sided && side < 0) {
        return normal;
    }
    const chain_corner corner = find_corner(joint, side);
    return normal_at(&corner, joint->along, normal);
}

// Finds the joint at an end of a wall of this chain, as seen by a mover whose centre is at
// `mover`. Returns false at a chain's end.
static bool find_joint(const grz_chain *chain, uint32_t item, graze_vec2d wall_along, bool at_end,
                       graze_vec2 mover, grz_joint *joint)
{
    const uint32_t place = grz_place_of_end(chain, item, at_end);
    graze_vec2 neighbour;
    if (!grz_chain_neighbour(chain, place, at_end, &neighbour)) {
        return false;
    }
    const graze_vec2 end = chain->points[place];
    const grz_joint found = {.along = wall_along,
                             .other = at_end ? offset(neighbour, end) : offset(end, neighbour),
                             .mover = offset(mover, end),
                             .at_end = at_end,
                             .one_sided = chain->one_sided};
    *joint = found;
    return true;
}

graze_vec2d grz_smooth_normal_at(const grz_chain *chain, uint32_t item, graze_vec2d wall_along,
                                 bool at_end, graze_vec2 mover, graze_vec2d normal)
{
    grz_joint joint;
    return find_joint(chain, item, wall_along, at_end, mover, &joint)
               ? grz_joint_normal(&joint, normal)
               : normal;
}

// --- Ends of walls of several chains ---

/// The walls that end at a point, as seen by a mover beside it. All vectors begin at the point.
typedef struct wall_fan {
    const grz_move *move;
    const grz_chain *chain; ///< Of the wall that is touched.
    graze_vec2 point;
    bool at_end;             ///< It is b of that wall; else a.
    graze_vec2d mover;       ///< Its centre.
    graze_vec2d left, right; ///< Along the first wall on the left of that direction, and the right.
} wall_fan;

// Whether a vector is met before another in a turn to the left that begins at `from`.
static bool is_before(graze_vec2d from, graze_vec2d one, graze_vec2d other)
{
    const bool one_is_left = cross(from, one) > 0, other_is_left = cross(from, other) > 0;
    return one_is_left == other_is_left ? cross(one, other) > 0 : one_is_left;
}

static bool is_along(graze_vec2d one, graze_vec2d other)
{
    return cross(one, other) == 0 && dot(one, other) > 0;
}

// Walls come in any order: of two in one direction the longer one counts.
static bool is_longer(graze_vec2d one, graze_vec2d other)
{
    return is_along(one, other) && dot(one, one) > dot(other, other);
}

static void add_wall(wall_fan *fan, graze_vec2d along)
{
    if (is_before(fan->mover, along, fan->left) || is_longer(along, fan->left)) {
        fan->left = along;
    }
    if (is_before(fan->mover, fan->right, along) || is_longer(along, fan->right)) {
        fan->right = along;
    }
}

// Whether the mover meets another wall, which begins or ends at the point, from the same sides as
// the one that it touches.
static bool is_alike(const wall_fan *fan, const grz_wall *other, bool begins)
{
    const grz_chain *chain = &fan->move->world->terrain.chains[other->chain];
    GRZ_FAULT(one_sided_ends, if (chain->one_sided) return false);
    return !chain->sensor && chain->one_sided == fan->chain->one_sided &&
           (!chain->one_sided || begins == fan->at_end) &&
           grz_filters_meet(*fan->move->mover->filter, chain->filter);
}

static void add_other(wall_fan *fan, const grz_wall *other)
{
    const bool begins = is_same_point(other->segment.a, fan->point);
    const bool ends = is_same_point(other->segment.b, fan->point);
    if (begins != ends && is_alike(fan, other, begins)) {
        add_wall(fan, offset(begins ? other->segment.b : other->segment.a, fan->point));
    }
}

static void add_others(wall_fan *fan, graze_segment_id own)
{
    grz_wall_search search;
    grz_wall_search_begin(&search, fan->move->world, &fan->move->mover->known_walls, fan->point);
    for (const grz_wall *other; (other = grz_wall_search_next(&search, 1)) != NULL;) {
        if (other->item != own.index || other->chain != own.chain.index) {
            add_other(fan, other);
        }
    }
}

grz_wall_end grz_look_at_end(const grz_move *move, graze_segment_id segment, bool at_end,
                             graze_vec2d centre)
{
    const grz_chain *chain = &move->world->terrain.chains[segment.chain.index];
    const graze_segment wall = grz_chain_wall(chain, segment.index);
    const graze_vec2d wall_along = offset(wall.b, wall.a);
    const graze_vec2d own = at_end ? negate(wall_along) : wall_along;
    const graze_vec2 point = at_end ? wall.b : wall.a;
    wall_fan fan = {move, chain, point, at_end, subtract(centre, widen(point)), own, own};
    add_others(&fan, segment);
    const bool is_left = is_along(fan.left, own), is_right = is_along(fan.right, own);
    const graze_vec2d other = is_left ? fan.right : fan.left;
    const grz_wall_end end = {.is_hidden = !is_left && !is_right,
                              .is_joined = is_left != is_right,
                              .joint = {.along = wall_along,
                                        .other = at_end ? other : negate(other),
                                        .mover = fan.mover,
                                        .at_end = at_end,
                                        .one_sided = chain->one_sided}};
    return end;
}

// --- One-sided walls ---

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
    const graze_vec2d side = grz_x_axis(mover->rotation);
    return max_double(from_a, from_b) + absolute((double)mover->half.x * dot(side, direction)) +
           absolute((double)mover->half.y * cross(side, direction));
}

// Whether the body met, in the last step, a one-sided wall that faces the same way as this one, to
// within 90 degrees, or that continues it.
static bool lay_on_alike(const graze_world *world, graze_body_id body, graze_segment own)
{
    GRZ_FAULT(lying_on_a_platform, return false);
    graze_segment_id met;
    for (uint32_t key = grz_keys_of_terrain(world, body);
         grz_key_is_of_terrain(world, body, key, &met); ++key) {
        const grz_chain *chain = &world->terrain.chains[met.chain.index];
        const bool is_there = chain->in_world && chain->generation == met.chain.generation;
        if (is_there && chain->one_sided) {
            const graze_segment wall = grz_chain_wall(chain, met.index);
            if (dot(offset(wall.b, wall.a), offset(own.b, own.a)) > 0 ||
                grz_is_continued_by(wall, own)) {
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
// it may: what lands sixteen times as far as rounding gets.
static bool reaches_through(const wall_passage *passage, graze_vec2d into, bool comes_down)
{
    const grz_move *move = passage->move;
    const double share = comes_down ? 16 * grz_sink_limit : grz_overlap_tolerance;
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
    GRZ_FAULT(leaning_exactly, if (first == second) return false);
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
    const bool is_left = side_of(joint) > 0;
    GRZ_FAULT(sagging_platforms, is_left = true);
    if (is_left) {
        return passes_with(passage, grz_joint_normal(joint, passage->touch->normal));
    }
    const bool makes_corner = !(dot(joint->other, passage->along) > 0);
    GRZ_FAULT(sharp_valleys, makes_corner = false);
    return passes_beside(passage, makes_corner);
}

/// What other walls are at the end of a wall where its chain ends, too.
typedef struct end_company {
    graze_vec2 point;  ///< The end:
    bool at_end;       ///< b of the wall; else a.
    bool makes_corner; ///< With another wall, of 90 degrees or more.
    bool is_continued; ///< A one-sided wall continues it, as if of its chain.
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
        company->is_continued = true;
        company->passes = company->passes && passes_at_joint(passage, &joint);
    }
}

static end_company find_company(const wall_passage *passage, graze_vec2 point, bool at_end)
{
    const grz_move *move = passage->move;
    end_company company = {.point = point, .at_end = at_end, .passes = true};
    grz_wall_search search;
    grz_wall_search_begin(&search, move->world, &move->mover->known_walls, point);
    for (const grz_wall *other; (other = grz_wall_search_next(&search, 1)) != NULL;) {
        join_company(passage, other, &company);
    }
    return company;
}

// Other chains may continue a wall where its own chain ends.
static bool passes_at_end(const wall_passage *passage, graze_vec2 point, bool at_end)
{
    const end_company company = find_company(passage, point, at_end);
    GRZ_FAULT(row_of_platforms, company.is_continued = false);
    return company.is_continued ? company.passes : passes_beside(passage, company.makes_corner);
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
    return find_joint(chain, item, passage->along, at_end, passage->move->from, &joint)
               ? passes_at_joint(passage, &joint)
               : passes_at_end(passage, chain->points[grz_place_of_end(chain, item, at_end)],
                               at_end);
}

// It comes through if it is deeper in the wall, where they touch, than a landing body may be; or,
// if it moves away or comes to an open end from the side, deeper than rounding explains. But a body
// that met a wall facing the same way in the last step, or one that continues this one, lies on it,
// however deep others press it in.
bool grz_is_coming_through(const grz_move *move, const grz_wall *wall, const grz_touch *touch)
{
    GRZ_FAULT(coming_through, return false);
    const grz_mover *mover = move->mover;
    // Its centre crosses from a start clear of the wall, in which rounding may seem to put it.
    const bool is_guarded = touch->crosses && !(touch->depth > 0);
    if (!mover->responds || is_guarded) {
        return false;
    }
    const wall_passage passage = {move, wall, touch, offset(wall->segment.b, wall->segment.a)};
    return passes(&passage) && !lay_on_alike(move->world, mover->body, wall->segment);
}
