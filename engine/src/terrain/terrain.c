#include "terrain/terrain.h"

#include <graze/orient.h>

#include "body/bodies.h"
#include "body/rows.h"
#include "contact/contact_keys.h"
#include "list.h"
#include "respond/meet.h"
#include "respond/tolerance.h"
#include "root.h"
#include "step/box.h"
#include "vec2d.h"

static const double landing_depth = 0x1p-4; ///< Of the size: so deep may lie what comes down.

grz_mover grz_mover_of(const graze_world *world, uint32_t row)
{
    const grz_rows *rows = &world->rows;
    grz_mover mover = {
        .kind = grz_kind_of(rows->traits[row]),
        .responds = (rows->traits[row] & GRZ_TRAIT_RESPONDS) != 0,
        .filter = grz_filter_of(world, rows->index[row]),
        .body = grz_row_id(rows, row),
    };
    if (mover.kind != GRAZE_SHAPE_RAY) {
        mover.half = rows->half[row];
        mover.rotation = grz_rotation_of(rows, row);
        mover.rotates = (rows->traits[row] & GRZ_TRAIT_SPINS) != 0;
        mover.end_rotation = grz_end_rotation_of(rows, row);
        mover.extent = grz_extent_of(rows, row);
    }
    return mover;
}

grz_mover grz_mover_with_walls(const graze_world *world, uint32_t row)
{
    grz_mover mover = grz_mover_of(world, row);
    const grz_motion *motion = grz_motion_of(world, row);
    if (motion) {
        mover.known_walls = motion->known_walls;
    }
    return mover;
}

grz_way grz_way_of(const graze_world *world, const grz_mover *mover, graze_vec2 from, graze_vec2 to)
{
    grz_way way = {world, mover, from, to, grz_swept_box(from, to, mover->extent)};
    return way;
}

void grz_wall_walk_begin(grz_wall_walk *walk, const graze_world *world, const grz_mover *mover,
                         graze_vec2 from, graze_vec2 to)
{
    const grz_known_walls *known = &mover->known_walls;
    walk->way = grz_way_of(world, mover, from, to);
    walk->known_walls = NULL;
    if (known->count && grz_holds_box(&known->box, &walk->way.box)) {
        walk->known_walls = world->known_walls.data + known->first;
        walk->near_left = known->count;
        return;
    }
    walk->span.count = 0;
    walk->next = 0;
    if (mover->kind == GRAZE_SHAPE_RAY) {
        walk->walk = graze_segment_grid_walk_ray(&world->terrain, from, to);
    } else {
        walk->walk = graze_segment_grid_walk_box(&world->terrain, walk->way.box);
    }
}

static bool chain_is_met(const graze_world *world, const grz_mover *mover, uint32_t index)
{
    const grz_chain *chain = &world->chains[index];
    if (!grz_filters_meet(*mover->filter, chain->filter)) {
        return false;
    }
    const graze_body_id none = {0, 0};
    const graze_segment_id segment = {{index, chain->generation}, 0};
    return !world->filter || mover->body.generation == 0 ||
           world->filter(world, mover->body, none, segment, world->filter_user);
}

// Left of a->b; a point on the line counts as the fill rule of orient.h says: the same side in this
// step and in the next.
static bool is_on_left(graze_segment wall, graze_vec2 point)
{
    int side = graze_orient(wall.a, wall.b, point);
    bool zero_is_left = wall.b.y < wall.a.y || (wall.b.y == wall.a.y && wall.b.x > wall.a.x);
    return side > 0 || (side == 0 && zero_is_left);
}

// The place of a point, counted on past the last one at most once around: a division would take
// longer than all else that is done with it.
static uint32_t wrapped(uint32_t place, uint32_t count)
{
    return place < count ? place : place - count;
}

static graze_segment wall_at(const grz_chain *chain, uint32_t item)
{
    const uint32_t count = (uint32_t)grz_list_count(chain->points);
    const graze_segment wall = {chain->points[item], chain->points[wrapped(item + 1, count)]};
    return wall;
}

static graze_sweep sweep_shape(const grz_mover *mover, graze_vec2 from, graze_vec2d delta,
                               graze_segment wall)
{
    graze_vec2d start = widen(from);
    if (mover->kind == GRAZE_SHAPE_CIRCLE) {
        return graze_sweep_circle_segment(start, delta, (double)mover->half.x, wall);
    }
    return graze_sweep_rect_segment(start, delta, mover->half, mover->rotation, wall);
}

static graze_sweep sweep_rotated(const grz_mover *mover, graze_vec2 to, graze_segment wall)
{
    const graze_vec2d still = {0, 0};
    graze_vec2d at = {(double)to.x, (double)to.y};
    graze_sweep sweep = graze_sweep_rect_segment(at, still, mover->half, mover->end_rotation, wall);
    sweep.time = 1;
    sweep.depth = 0;
    return sweep;
}

// The chain's next point in a direction that differs from `corner`; false at a chain's end.
static bool find_neighbour(const grz_chain *chain, uint32_t corner, bool forward,
                           graze_vec2 *neighbour)
{
    uint32_t count = (uint32_t)grz_list_count(chain->points);
    graze_vec2 at = chain->points[corner];
    for (uint32_t k = 1; k < count; ++k) {
        uint32_t place = forward ? corner + k : corner + count - k;
        bool wraps = forward ? place >= count : k > corner;
        if (wraps && !chain->loop) {
            return false;
        }
        *neighbour = chain->points[wrapped(place, count)];
        if (neighbour->x != at.x || neighbour->y != at.y) {
            return true;
        }
    }
    return false;
}

/// Where two walls of a chain meet, as a mover near it sees it.
typedef struct corner {
    graze_vec2d first, second; ///< Along the wall before it, and after it.
    double side;               ///< 1: the mover is left of the chain; -1: right.
    bool sticks_out;           ///< Towards the mover.
} corner;

static corner find_corner(graze_vec2d first, graze_vec2d second, double side)
{
    corner found = {.first = first, .second = second, .side = side};
    double turn = cross(first, second);
    bool tip = turn == 0 && dot(first, second) < 0;
    found.sticks_out = side * turn < 0 || tip;
    return found;
}

// Of a mover that touches the corner itself, by where its centre is.
static double side_of_corner(graze_vec2d first, graze_vec2d second, graze_vec2d mover)
{
    bool left_of_first = cross(first, mover) >= 0;
    bool left_of_second = cross(second, mover) >= 0;
    bool is_left = cross(first, second) < 0 ? left_of_first || left_of_second
                                            : left_of_first && left_of_second;
    return is_left ? 1 : -1;
}

// Whether a normal leans along the wall by rounding alone: what is touched is the wall between its
// ends, then, and the normal says from which side. The centre does not: it may be beyond a corner
// over which the mover leans.
static bool is_of_face(graze_vec2d along, double lean)
{
    const double rounding = 1e-12;
    return lean * lean <= rounding * rounding * dot(along, along);
}

static graze_vec2d normal_into(graze_vec2d wall, double side)
{
    double scale = side / grz_sqrt(dot(wall, wall));
    graze_vec2d normal = {wall.y * scale, -wall.x * scale};
    return normal;
}

// A corner that sticks out can be met by itself, in the directions between its walls' normals. What
// lies beyond is met by one of the walls, and one that does not stick out is never met before them.
static graze_vec2d normal_at(const corner *at, graze_vec2d wall, graze_vec2d normal)
{
    if (!at->sticks_out) {
        return normal_into(wall, at->side);
    }
    if (dot(normal, at->first) > 0) {
        return normal_into(at->first, at->side);
    }
    return dot(normal, at->second) < 0 ? normal_into(at->second, at->side) : normal;
}

// Smooth chains: a mover that slides along must not feel the joints, so a touch with an end that
// the wall shares gets the normal that it has on the chain as a whole.
static graze_vec2d smooth_normal(const grz_chain *chain, uint32_t item, graze_segment wall,
                                 graze_vec2 mover, graze_vec2d normal)
{
    graze_vec2d along = offset(wall.b, wall.a);
    double lean = dot(normal, along);
    if (lean == 0) {
        return normal;
    }
    // The end that reaches out most towards the mover.
    bool at_end = lean < 0;
    const uint32_t count = (uint32_t)grz_list_count(chain->points);
    uint32_t place = at_end ? wrapped(item + 1, count) : item;
    graze_vec2 neighbour;
    if (find_neighbour(chain, place, at_end, &neighbour)) {
        graze_vec2 end = chain->points[place];
        graze_vec2d other = at_end ? offset(neighbour, end) : offset(end, neighbour);
        graze_vec2d first = at_end ? along : other;
        graze_vec2d second = at_end ? other : along;
        double side = is_of_face(along, lean) ? (cross(along, normal) < 0 ? 1 : -1)
                                              : side_of_corner(first, second, offset(mover, end));
        // Behind a one-sided neighbour there is none: the wall ends there.
        if (!chain->one_sided || side > 0) {
            corner at = find_corner(first, second, side);
            return normal_at(&at, along, normal);
        }
    }
    return normal;
}

bool grz_touch_by_ray(graze_vec2 from, graze_vec2 to, graze_segment wall, grz_touch *touch)
{
    graze_sweep sweep = graze_sweep_point_segment(from, to, wall);
    grz_touch crossing = {sweep.time, sweep.point, sweep.normal, 0, 0, true, false};
    crossing.approach = sweep.time < 1 ? dot(offset(to, from), sweep.normal) : 0;
    *touch = crossing;
    return sweep.hit;
}

// A point that lies on a wall touches it from both sides: it comes from where the fill rule has it.
static void turn_to_point(graze_vec2 from, graze_segment wall, graze_sweep *sweep)
{
    const graze_vec2d along = offset(wall.b, wall.a);
    const bool from_left = is_on_left(wall, from);
    if (is_of_face(along, dot(sweep->normal, along)) &&
        (cross(along, sweep->normal) > 0) == from_left) {
        sweep->normal = negate(sweep->normal);
    }
}

static bool is_outside_in(const graze_segment_span *span, uint32_t place, const graze_aabb *box)
{
    const graze_vec2 a = {span->ax[place], span->ay[place]};
    const graze_vec2 b = {span->bx[place], span->by[place]};
    return grz_is_outside(a, b, box);
}

static bool are_all_less(float a, float b, float c, float d)
{
    return a < c && a < d && b < c && b < d;
}

// Whether a line along an axis parts a move and a wall: so they do not cross, wherever they were
// shifted to by an infinitesimal.
static bool are_apart(graze_vec2 from, graze_vec2 to, graze_segment wall)
{
    return are_all_less(wall.a.y, wall.b.y, from.y, to.y) ||
           are_all_less(from.y, to.y, wall.a.y, wall.b.y) ||
           are_all_less(wall.a.x, wall.b.x, from.x, to.x) ||
           are_all_less(from.x, to.x, wall.a.x, wall.b.x);
}

// Formulas give time and normal; the exact test on the centre's path has the last word on whether
// the wall is passed, so that rounding can cost accuracy but never opens a gap.
static bool touch_by_shape(const grz_mover *mover, graze_vec2 from, graze_vec2 to,
                           graze_segment wall, grz_touch *touch)
{
    graze_sweep sweep = sweep_shape(mover, from, offset(to, from), wall);
    bool crosses = !are_apart(from, to, wall) && graze_crosses(from, to, wall);
    if (!sweep.hit && crosses) {
        sweep = graze_sweep_point_segment(from, to, wall);
    }
    if (!sweep.hit && mover->rotates) {
        sweep = sweep_rotated(mover, to, wall);
    }
    const bool is_point = mover->half.x == 0;
    if (sweep.hit && is_point) {
        turn_to_point(from, wall, &sweep);
    }
    // It grazes the ends of walls, where tiles join, and they must not stop what slides over them.
    const bool passes = is_point && !crosses;
    grz_touch found = {sweep.time, sweep.point, sweep.normal, sweep.depth, 0, crosses, passes};
    *touch = found;
    return sweep.hit;
}

// Exact, together with grz_is_outside(): a line with all four corners on one side misses the box. Two
// opposite ones are enough, those that lie farthest to either side: of a line that rises the upper
// left and the lower right one.
static bool reaches_box(graze_segment wall, const graze_aabb *box)
{
    const bool rises = (wall.a.x <= wall.b.x) == (wall.a.y <= wall.b.y);
    const graze_vec2 left = {box->lower.x, rises ? box->upper.y : box->lower.y};
    const graze_vec2 right = {box->upper.x, rises ? box->lower.y : box->upper.y};
    const int side = graze_orient(wall.a, wall.b, left);
    return side == 0 || graze_orient(wall.a, wall.b, right) != side;
}

// How far a body whose centre is at `at` reaches beyond the nearer end of a wall in a direction.
static double reach_beyond(const grz_mover *mover, graze_vec2d at, graze_segment wall,
                           graze_vec2d direction)
{
    const double from_a = dot(subtract(at, widen(wall.a)), direction);
    const double from_b = dot(subtract(at, widen(wall.b)), direction);
    if (mover->kind == GRAZE_SHAPE_CIRCLE) {
        return greater(from_a, from_b) + (double)mover->half.x;
    }
    const graze_vec2d side = {(double)mover->rotation.cosine, (double)mover->rotation.sine};
    return greater(from_a, from_b) + absolute((double)mover->half.x * dot(side, direction)) +
           absolute((double)mover->half.y * cross(side, direction));
}

// Whether the body met a one-sided wall in the last step that faces as one along this direction.
static bool lay_on_alike(const graze_world *world, graze_body_id body, graze_vec2d along_wall)
{
    graze_segment_id met;
    uint32_t key = grz_keys_of_terrain(world, body);
    while (grz_key_is_of_terrain(world, body, key, &met)) {
        const grz_chain *chain = &world->chains[met.chain.index];
        const bool is_there = chain->in_world && chain->generation == met.chain.generation;
        if (is_there && chain->one_sided) {
            const graze_segment wall = wall_at(chain, met.index);
            if (dot(offset(wall.b, wall.a), along_wall) > 0) {
                return true;
            }
        }
        ++key;
    }
    return false;
}

static bool is_at(const graze_segment_span *span, uint32_t place, graze_vec2 point)
{
    return (span->ax[place] == point.x && span->ay[place] == point.y) ||
           (span->bx[place] == point.x && span->by[place] == point.y);
}

// Whether all walls with an end at this point go on as one along this direction.
static bool all_go_on(const graze_world *world, graze_vec2 point, graze_vec2d along_wall)
{
    const graze_aabb box = {point, point};
    graze_segment_walk walk = graze_segment_grid_walk_box(&world->terrain, box);
    graze_segment_span span;
    while (graze_segment_walk_next(&walk, 1, &span)) {
        for (uint32_t place = 0; place < span.count; ++place) {
            const graze_vec2d other = {(double)span.bx[place] - (double)span.ax[place],
                                       (double)span.by[place] - (double)span.ay[place]};
            if (is_at(&span, place, point) && !(dot(other, along_wall) > 0)) {
                return false;
            }
        }
    }
    return true;
}

// Whether a wall may be passed from the side at an end: where a chain ends, and makes no corner
// with another.
static bool is_open_end(const graze_world *world, const grz_wall *wall, bool at_end)
{
    const grz_chain *chain = &world->chains[wall->chain];
    const uint32_t count = (uint32_t)grz_list_count(chain->points);
    const uint32_t place = at_end ? wrapped(wall->item + 1, count) : wall->item;
    graze_vec2 neighbour;
    return !find_neighbour(chain, place, at_end, &neighbour) &&
           all_go_on(world, chain->points[place], offset(wall->segment.b, wall->segment.a));
}

// One-sided walls: what comes from the right passes until it has left the wall. So a body whose
// centre is on the left does not meet it if it reaches deeper into it, where they touch, than one
// may that comes down on its face; or than rounding, if it moves away or comes at an open end from
// the side. But what met a wall that faces the same way in the last step lies on it,
// however deep others press it in.
static bool is_coming_through(const grz_way *way, const grz_wall *wall, const grz_touch *touch)
{
    const grz_mover *mover = way->mover;
    const bool is_guarded = touch->crosses && !(touch->depth > 0); // May be by rounding.
    if (!mover->responds || mover->rotates || is_guarded) {
        return false;
    }
    const graze_vec2d along_wall = offset(wall->segment.b, wall->segment.a);
    const double lean = dot(along_wall, touch->normal);
    const bool is_face = -cross(along_wall, touch->normal) >= absolute(lean);
    const bool comes_down = touch->crosses || (is_face && touch->approach >= 0);
    const bool is_open = !is_face && is_open_end(way->world, wall, lean < 0);
    const graze_vec2d into = is_open ? normal_into(along_wall, 1) : touch->normal;
    const graze_vec2d at = along(widen(way->from), offset(way->to, way->from), touch->time);
    const double size = (double)(mover->half.x < mover->half.y ? mover->half.x : mover->half.y);
    const double allowed =
        (comes_down ? landing_depth : grz_overlap_tolerance) * size + grz_blur_at(way->from, into);
    return reach_beyond(mover, at, wall->segment, into) > allowed &&
           !lay_on_alike(way->world, mover->body, along_wall);
}

bool grz_ray_meets(const graze_world *world, const grz_mover *mover, graze_vec2 from,
                   graze_segment wall, uint32_t chain)
{
    return (!world->chains[chain].one_sided || is_on_left(wall, from)) &&
           chain_is_met(world, mover, chain);
}

bool grz_touch_wall(const grz_way *way, const grz_wall *wall, grz_touch *touch)
{
    const grz_mover *mover = way->mover;
    if (mover->kind == GRAZE_SHAPE_RAY) {
        return grz_touch_by_ray(way->from, way->to, wall->segment, touch) &&
               grz_ray_meets(way->world, mover, way->from, wall->segment, wall->chain);
    }
    // For a very long wall rounding can exceed the size of a mover. A touch by rounding alone must
    // not depend on which cells list the wall.
    if (!touch_by_shape(mover, way->from, way->to, wall->segment, touch) ||
        !reaches_box(wall->segment, &way->box)) {
        return false;
    }
    const grz_chain *chain = &way->world->chains[wall->chain];
    if (chain->one_sided && !is_on_left(wall->segment, way->from)) {
        return false;
    }
    if (!touch->crosses) {
        touch->normal = smooth_normal(chain, wall->item, wall->segment, way->from, touch->normal);
    }
    touch->approach = touch->time < 1 ? dot(offset(way->to, way->from), touch->normal) : 0;
    return !(chain->one_sided && is_coming_through(way, wall, touch)) &&
           chain_is_met(way->world, mover, wall->chain);
}

bool grz_touch_wall_aside(const grz_way *way, graze_segment_id segment, double time,
                          graze_vec2d aside, graze_vec2d *normal)
{
    const grz_chain *chain = &way->world->chains[segment.chain.index];
    const graze_segment wall = wall_at(chain, segment.index);
    const graze_vec2d delta = offset(way->to, way->from);
    const graze_vec2d start = add(along(widen(way->from), delta, time), aside);
    const graze_sweep sweep = graze_sweep_rect_segment(
        start, scale(delta, 1 - time), way->mover->half, way->mover->rotation, wall);
    if (sweep.hit) {
        *normal = smooth_normal(chain, segment.index, wall, way->from, sweep.normal);
    }
    return sweep.hit;
}

graze_segment_id grz_wall_id(const graze_world *world, const grz_wall *wall)
{
    graze_segment_id id = {{wall->chain, world->chains[wall->chain].generation}, wall->item};
    return id;
}

static grz_wall wall_of(const graze_segment_span *span, uint32_t place)
{
    grz_wall wall = {
        {{span->ax[place], span->ay[place]}, {span->bx[place], span->by[place]}},
        span->names[place].owner,
        span->names[place].item,
    };
    return wall;
}

// Steps to the next wall of the grid that is not beside the way.
static bool find_in_grid(grz_wall_walk *walk, double limit, grz_wall *wall)
{
    for (;;) {
        if (walk->next >= walk->span.count) {
            if (!graze_segment_walk_next(&walk->walk, limit, &walk->span)) {
                return false;
            }
            walk->next = 0;
        }
        const uint32_t place = walk->next++;
        if (!is_outside_in(&walk->span, place, &walk->way.box)) {
            *wall = wall_of(&walk->span, place);
            return true;
        }
    }
}

// The same of those that are known.
static bool find_near(grz_wall_walk *walk, grz_wall *wall)
{
    while (walk->near_left) {
        const grz_wall *next = walk->known_walls++;
        --walk->near_left;
        if (!grz_is_outside(next->segment.a, next->segment.b, &walk->way.box)) {
            *wall = *next;
            return true;
        }
    }
    return false;
}

bool grz_wall_walk_next(grz_wall_walk *walk, double limit, grz_touch *touch,
                        graze_segment_id *segment)
{
    grz_wall wall;
    while (walk->known_walls ? find_near(walk, &wall) : find_in_grid(walk, limit, &wall)) {
        if (grz_touch_wall(&walk->way, &wall, touch) && touch->time <= limit) {
            *segment = grz_wall_id(walk->way.world, &wall);
            return true;
        }
    }
    return false;
}

bool grz_is_wall_near(const graze_world *world, const graze_aabb *box)
{
    graze_segment_walk walk = graze_segment_grid_walk_box(&world->terrain, *box);
    graze_segment_span span;
    while (graze_segment_walk_next(&walk, 1, &span)) {
        for (uint32_t place = 0; place < span.count; ++place) {
            if (!is_outside_in(&span, place, box)) {
                return true;
            }
        }
    }
    return false;
}

bool grz_chain_is_solid(const graze_world *world, graze_segment_id segment)
{
    return !world->chains[segment.chain.index].sensor;
}

// Whether the mover goes back through a wall that its centre crosses.
static bool goes_back(const grz_way *way, graze_segment_id segment)
{
    const grz_chain *chain = &way->world->chains[segment.chain.index];
    const grz_wall wall = {wall_at(chain, segment.index), segment.chain.index, segment.index};
    grz_touch touch;
    return chain->one_sided && way->mover->kind != GRAZE_SHAPE_RAY &&
           touch_by_shape(way->mover, way->from, way->to, wall.segment, &touch) &&
           is_coming_through(way, &wall, &touch);
}

// Whether the move, as stored, crosses a solid wall that the mover meets.
static bool move_crosses(const graze_world *world, const grz_mover *mover, graze_vec2 from,
                         graze_vec2 to)
{
    const grz_way way = grz_way_of(world, mover, from, to);
    grz_mover centre = {.kind = GRAZE_SHAPE_RAY,
                        .filter = mover->filter,
                        .body = mover->body,
                        .known_walls = mover->known_walls};
    grz_wall_walk walk;
    grz_wall_walk_begin(&walk, world, &centre, from, to);
    grz_touch touch;
    graze_segment_id segment;
    while (grz_wall_walk_next(&walk, 1, &touch, &segment)) {
        if (grz_chain_is_solid(world, segment) && !goes_back(&way, segment)) {
            return true;
        }
    }
    return false;
}

graze_vec2 grz_point_at(graze_vec2 from, graze_vec2 to, double share)
{
    double x = (double)from.x + ((double)to.x - (double)from.x) * share;
    double y = (double)from.y + ((double)to.y - (double)from.y) * share;
    graze_vec2 point = {(float)x + 0.0f, (float)y + 0.0f};
    return point;
}

graze_vec2 grz_next_point(graze_vec2 from, graze_vec2 to, double share, graze_vec2 point,
                          double *left_out)
{
    graze_vec2 next = point;
    while (next.x == point.x && next.y == point.y && *left_out < 1) {
        next = grz_point_at(from, to, share * (1 - *left_out));
        *left_out *= 2;
    }
    return *left_out < 1 || next.x != point.x || next.y != point.y ? next : from;
}

bool grz_is_far_from_walls(const graze_world *world, const grz_known_walls *known, graze_vec2 from,
                           graze_vec2 to)
{
    const graze_vec2 nothing = {0, 0};
    const graze_aabb path = grz_swept_box(from, to, nothing);
    if (!known->count || !grz_holds_box(&known->box, &path)) {
        return false;
    }
    for (uint32_t k = 0; k < known->count; ++k) {
        const graze_segment wall = world->known_walls.data[known->first + k].segment;
        if (!are_apart(from, to, wall)) {
            return false;
        }
    }
    return true;
}

graze_vec2 grz_certified_point(const graze_world *world, const grz_mover *mover, graze_vec2 from,
                               graze_vec2 to, double share)
{
    graze_vec2 point = grz_point_at(from, to, share);
    double left_out = GRZ_LEAST_LEFT_OUT;
    while (!is_same_point(from, point) && move_crosses(world, mover, from, point)) {
        point = grz_next_point(from, to, share, point, &left_out);
    }
    return point;
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
