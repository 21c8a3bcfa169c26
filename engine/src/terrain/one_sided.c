#include "terrain/one_sided.h"

#include <graze/orient.h>

#include "contact/contact_keys.h"
#include "list.h"
#include "respond/meet.h"
#include "respond/tolerance.h"
#include "terrain/corner.h"
#include "vec2d.h"

static const double landing_depth = 0x1p-4; ///< Of the size: so deep may lie what comes down.

bool grz_is_on_left(graze_segment wall, graze_vec2 point)
{
    int side = graze_orient(wall.a, wall.b, point);
    bool zero_is_left = wall.b.y < wall.a.y || (wall.b.y == wall.a.y && wall.b.x > wall.a.x);
    return side > 0 || (side == 0 && zero_is_left);
}

// How far a body whose centre is at `at` reaches beyond the nearer end of a wall in a direction. Of
// a rect that spins the circle within counts: no corner that turns into a wall comes through it.
static double reach_beyond(const grz_mover *mover, graze_vec2d at, graze_segment wall,
                           graze_vec2d direction)
{
    const double from_a = dot(subtract(at, widen(wall.a)), direction);
    const double from_b = dot(subtract(at, widen(wall.b)), direction);
    if (mover->kind == GRAZE_SHAPE_CIRCLE || mover->rotates) {
        return greater(from_a, from_b) + lesser((double)mover->half.x, (double)mover->half.y);
    }
    const graze_vec2d side = {(double)mover->rotation.cosine, (double)mover->rotation.sine};
    return greater(from_a, from_b) + absolute((double)mover->half.x * dot(side, direction)) +
           absolute((double)mover->half.y * cross(side, direction));
}

// Whether the body met a one-sided wall in the last step that faces the same way, to within 90
// degrees, as one along this direction.
static bool lay_on_alike(const graze_world *world, graze_body_id body, graze_vec2d along_wall)
{
    graze_segment_id met;
    for (uint32_t key = grz_keys_of_terrain(world, body);
         grz_key_is_of_terrain(world, body, key, &met); ++key) {
        const grz_chain *chain = &world->chains[met.chain.index];
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

/// A touch of a one-sided wall by a body that may come through it.
typedef struct passage {
    const grz_way *way;
    const grz_wall *wall;
    const grz_touch *touch;
    graze_vec2d along; ///< The wall.
} passage;

// Whether the body reaches deeper into the wall in a direction than may what lies on it, or than
// may what comes down on it.
static bool reaches_through(const passage *at, graze_vec2d into, bool comes_down)
{
    const grz_way *way = at->way;
    const grz_mover *mover = way->mover;
    const graze_vec2d place = along(widen(way->from), offset(way->to, way->from), at->touch->time);
    const double size = (double)(mover->half.x < mover->half.y ? mover->half.x : mover->half.y);
    const double allowed =
        (comes_down ? landing_depth : grz_overlap_tolerance) * size + grz_blur_at(way->from, into);
    return reach_beyond(mover, place, at->wall->segment, into) > allowed;
}

static double error_of_difference(double a, double b, double difference)
{
    const double b_as_taken = a - difference;
    return (a - (difference + b_as_taken)) - (b - b_as_taken);
}

// Whether a - b >= c - d, of floats: exactly, as what is rounded of both decides where they are
// equal.
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

// Whether a normal leans at most 45 degrees from the one into the wall's face. Exact where it lies
// along an axis, as do those of the sides of rects that are not turned.
static bool is_into_face(const passage *at, graze_vec2d normal)
{
    const graze_vec2 a = at->wall->segment.a, b = at->wall->segment.b;
    if (normal.y == 0) {
        return normal.x > 0 ? reaches_as_far(b.y, a.y, a.x, b.x)
                            : reaches_as_far(a.y, b.y, a.x, b.x);
    }
    if (normal.x == 0) {
        return normal.y < 0 ? reaches_as_far(b.x, a.x, a.y, b.y)
                            : reaches_as_far(a.x, b.x, a.y, b.y);
    }
    return -cross(at->along, normal) >= absolute(dot(at->along, normal));
}

// Whether the body, met with this normal, comes through.
static bool passes_with(const passage *at, graze_vec2d normal)
{
    const grz_way *way = at->way;
    const double approach = at->touch->time < 1 ? dot(offset(way->to, way->from), normal) : 0;
    const bool comes_down = at->touch->crosses || (is_into_face(at, normal) && approach >= 0);
    return reaches_through(at, normal, comes_down);
}

/// What else has an end where a chain ends.
typedef struct end_company {
    bool makes_corner; ///< Of 90 degrees or more.
    bool goes_on;      ///< A one-sided wall does, as if it were of the chain.
    bool passes;       ///< The body comes through wherever one goes on.
} end_company;

static bool is_same_place(float x, float y, graze_vec2 point)
{
    return x == point.x && y == point.y;
}

// Whether the k-th wall of a span goes on where a wall ends, or before it begins, and the body
// meets it.
static bool goes_on(const passage *at, const graze_segment_span *span, uint32_t k, bool at_end,
                    graze_vec2 point)
{
    const grz_chain *chain = &at->way->world->chains[span->names[k].owner];
    const bool is_next = at_end ? is_same_place(span->ax[k], span->ay[k], point)
                                : is_same_place(span->bx[k], span->by[k], point);
    return is_next && chain->one_sided && !chain->sensor &&
           grz_filters_meet(*at->way->mover->filter, chain->filter);
}

// Looks at a wall that may have an end there.
static void join_company(const passage *at, const graze_segment_span *span, uint32_t k, bool at_end,
                         graze_vec2 point, end_company *company)
{
    const graze_vec2d other = {(double)span->bx[k] - (double)span->ax[k],
                               (double)span->by[k] - (double)span->ay[k]};
    if (!is_same_place(span->ax[k], span->ay[k], point) &&
        !is_same_place(span->bx[k], span->by[k], point)) {
        return;
    }
    if (!(dot(other, at->along) > 0)) {
        company->makes_corner = true;
    } else if (goes_on(at, span, k, at_end, point)) {
        const grz_joint joint = {.along = at->along,
                                 .other = other,
                                 .mover = offset(at->way->from, point),
                                 .at_end = at_end,
                                 .one_sided = true};
        company->goes_on = true;
        company->passes =
            company->passes && passes_with(at, grz_joint_normal(&joint, at->touch->normal));
    }
}

static end_company find_company(const passage *at, graze_vec2 point, bool at_end)
{
    const graze_aabb box = {point, point};
    end_company company = {.passes = true};
    graze_segment_walk walk = graze_segment_grid_walk_box(&at->way->world->terrain, box);
    graze_segment_span span;
    while (graze_segment_walk_next(&walk, 1, &span)) {
        for (uint32_t k = 0; k < span.count; ++k) {
            join_company(at, &span, k, at_end, point, &company);
        }
    }
    return company;
}

// At an end of its chain a wall goes on as the walls of others do that begin there. If there are
// none, and no corner, what comes from the side with a part of it on the right passes.
static bool passes_at_end(const passage *at, graze_vec2 point, bool at_end)
{
    const end_company company = find_company(at, point, at_end);
    if (company.goes_on) {
        return company.passes;
    }
    const bool is_open = !company.makes_corner && !is_into_face(at, at->touch->normal);
    return is_open ? reaches_through(at, grz_normal_into(at->along, 1), at->touch->crosses)
                   : passes_with(at, at->touch->normal);
}

static bool passes(const passage *at)
{
    const double lean = dot(at->along, at->touch->normal);
    const grz_chain *chain = &at->way->world->chains[at->wall->chain];
    const uint32_t count = (uint32_t)grz_list_count(chain->points);
    const bool at_end = lean < 0;
    const uint32_t place = at_end ? grz_wrap_place(at->wall->item + 1, count) : at->wall->item;
    graze_vec2 neighbour;
    if (grz_is_of_face(at->along, lean) || grz_chain_neighbour(chain, place, at_end, &neighbour)) {
        return passes_with(at, at->touch->normal);
    }
    return passes_at_end(at, chain->points[place], at_end);
}

// It comes through if it reaches deeper into the wall, where they touch, than one may that comes
// down on its face; or than rounding, if it moves away or comes at an open end from the side. But
// what met a wall that faces the same way in the last step lies on it, however deep others press it
// in.
bool grz_is_coming_through(const grz_way *way, const grz_wall *wall, const grz_touch *touch)
{
    const grz_mover *mover = way->mover;
    // Its centre crosses from clear of the wall: rounding may make it look as if it were in it.
    const bool is_guarded = touch->crosses && !(touch->depth > 0);
    if (!mover->responds || is_guarded) {
        return false;
    }
    const passage at = {way, wall, touch, offset(wall->segment.b, wall->segment.a)};
    return passes(&at) && !lay_on_alike(way->world, mover->body, at.along);
}

double grz_share_off_one_sided(const graze_world *world, const grz_mover *mover, graze_vec2 from,
                               graze_vec2 to)
{
    double share = 1;
    if (!world->odd_chain_count) {
        return share;
    }
    grz_wall_walk walk;
    grz_wall_walk_begin(&walk, world, mover, from, to);
    grz_touch touch;
    graze_segment_id segment;
    while (grz_wall_walk_next(&walk, share, &touch, &segment)) {
        const grz_chain *chain = &world->chains[segment.chain.index];
        if (chain->one_sided && !chain->sensor && touch.depth == 0 && touch.approach > 0) {
            share = touch.time;
        }
    }
    return share;
}
