#include "solve/ease.h"

#include "collide/certify.h"
#include "collide/joint.h"
#include "collide/tolerance.h"
#include "fault.h"
#include "vec2d.h"
#include "world/contact_keys.h"

static graze_vec2 shifted(graze_vec2 point, graze_vec2d by)
{
    const graze_vec2 place = {(float)((double)point.x + by.x), (float)((double)point.y + by.y)};
    return place;
}

static bool is_same_side(graze_vec2d one, graze_vec2d other)
{
    return dot(one, other) > 1 - grz_position_tolerance;
}

/// A look at what would hold a rect.
typedef struct probe {
    const graze_world *world;
    const grz_mover *mover;
    graze_vec2d shift; ///< How far the rect is moved, units,
    graze_vec2d steep; ///< in this direction.
} probe;

static grz_wall_walk begin_probe(const probe *look, graze_vec2 from)
{
    grz_wall_walk walk;
    grz_wall_walk_begin(&walk, look->world, look->mover, from, shifted(from, look->shift));
    return walk;
}

// The next solid wall that the rect would meet head on.
static bool find_holder(const probe *look, grz_wall_walk *walk, graze_segment_id *segment)
{
    grz_touch touch;
    while (grz_wall_walk_next(walk, 1, &touch, segment)) {
        if (grz_chain_stops(look->world, *segment, look->mover->filter) &&
            is_same_side(touch.normal, look->steep)) {
            return true;
        }
    }
    return false;
}

static bool is_met_from(const probe *look, graze_vec2 from, graze_segment_id wall)
{
    grz_wall_walk walk = begin_probe(look, from);
    graze_segment_id segment;
    while (find_holder(look, &walk, &segment)) {
        if (grz_compare_segments(segment, wall) == 0) {
            return true;
        }
    }
    return false;
}

/// A side with which a corner may meet a wall, but for rounding.
typedef struct corner_side {
    graze_vec2d normal;
    double approach;
    graze_vec2d aside; ///< How far the corner is shifted, units.
} corner_side;

enum { MAX_SIDES = 3 };

/// The sides with which a corner may meet a wall.
typedef struct corner_sides {
    uint32_t count;
    corner_side of[MAX_SIDES];
    corner_side *least, *most; ///< Those that take least, and most, of the trajectory.
} corner_sides;

// Of two sides that take as much of the trajectory all walls must choose the same: if each chose
// another, the corner could go neither way.
static bool takes_less(const corner_side *one, const corner_side *other, graze_vec2d course)
{
    const double difference = one->approach - other->approach;
    const double sum = absolute(one->approach) + absolute(other->approach);
    if (absolute(difference) > grz_slide_tolerance * sum) {
        return difference < 0;
    }
    GRZ_FAULT(equal_sides, return false);
    return cross(course, one->normal) < cross(course, other->normal);
}

// Whether another wall holds a rect, at `time` of its move, against moving as the side that takes
// most of it does not let it: it stands aside of the touched wall, and off it, so that neither that
// one nor what continues it is met. And it stands there as well if the rect sinks in: else it is
// but the joint of a wall on the other side of a passage that the rect fits.
static bool is_held(const grz_trajectory *trajectory, const grz_move *move, const grz_touch *touch,
                    const corner_sides *sides)
{
    const graze_world *world = move->world;
    const graze_vec2d steep = sides->most->normal;
    const graze_vec2d off =
        scale(touch->normal, -grz_corner_room(world, trajectory, touch->normal));
    const graze_vec2d way = add(sides->least->aside, off);
    const graze_vec2 at = grz_point_at(move->from, move->to, touch->time);
    const graze_vec2 lifted = shifted(at, way);
    const graze_vec2 sunk = shifted(at, scale(way, -1));
    grz_mover still = *move->mover;
    still.rotates = false;
    still.turn = 0;
    const probe look = {world, &still, scale(steep, 2 * grz_corner_room(world, trajectory, steep)),
                        steep};
    grz_wall_walk walk = begin_probe(&look, lifted);
    graze_segment_id segment;
    while (find_holder(&look, &walk, &segment)) {
        if (is_met_from(&look, sunk, segment)) {
            return true;
        }
    }
    return false;
}

// The side that takes least of the trajectory does: unless another wall takes more of it anyway, of
// which this one only continues the surface.
static void choose_side(const grz_trajectory *trajectory, const grz_move *move,
                        const corner_sides *sides, grz_touch *touch)
{
    touch->normal = sides->least->normal;
    touch->approach = sides->least->approach;
    if (!touch->passes && !is_same_side(sides->least->normal, sides->most->normal) &&
        is_held(trajectory, move, touch, sides)) {
        touch->normal = sides->most->normal;
        touch->approach = sides->most->approach;
    }
}

// The move as units per step.
static graze_vec2d course_of(const grz_trajectory *trajectory, const grz_move *move)
{
    const uint32_t last = trajectory->count - 1;
    const double length = trajectory->time[last] - trajectory->time[last - 1];
    return scale(offset(move->to, move->from), 1 / length);
}

/// A circle that touches the end of a wall.
typedef struct round_touch {
    graze_vec2d end; ///< As seen from its centre.
    double radius;
    double rest; ///< How deep it may lie in a wall.
} round_touch;

static round_touch round_touch_of(const graze_world *world, const grz_trajectory *trajectory,
                                  const grz_move *move, const grz_touch *touch, graze_vec2 end)
{
    const double radius = (double)move->mover->half.x;
    const double allowed = grz_overlap_allowed(world, trajectory->row, touch->normal);
    const round_touch circle = {subtract(widen(end), grz_centre_at(move, touch->time)), radius,
                                min_double(2 * allowed, grz_sink_limit * radius)};
    return circle;
}

// Whether a wall that has this end continues what the circle lies on: the circle has sunk into the
// wall's line no deeper than it may lie there. Finds the normal into the wall's face.
static bool is_continued(const round_touch *circle, graze_vec2d wall, graze_vec2d *face)
{
    *face = grz_normal_into(wall, cross(wall, circle->end) < 0 ? 1 : -1);
    return circle->radius - dot(circle->end, *face) <= circle->rest;
}

// A circle sinks in a little where it lies, so that the end of the next wall rises before it. It
// meets this end as it would the wall's face, or the face of the neighbour in its chain: the end of
// a tile's side is that of its top, too.
static bool ease_end(const graze_world *world, const grz_trajectory *trajectory,
                     const grz_move *move, graze_segment_id segment, grz_touch *touch)
{
    const grz_chain *chain = &world->terrain.chains[segment.chain.index];
    const graze_segment wall = grz_chain_wall(chain, segment.index);
    const graze_vec2d wall_along = offset(wall.b, wall.a);
    const double lean = dot(wall_along, touch->normal);
    if (grz_is_of_face(wall_along, lean)) {
        return false;
    }
    const bool at_end = lean < 0;
    const graze_vec2 end = at_end ? wall.b : wall.a;
    const uint32_t place = grz_place_of_end(chain, segment.index, at_end);
    const round_touch circle = round_touch_of(world, trajectory, move, touch, end);
    graze_vec2 neighbour;
    graze_vec2d face;
    const bool is_eased = is_continued(&circle, wall_along, &face) ||
                          (grz_chain_neighbour(chain, place, at_end, &neighbour) &&
                           is_continued(&circle, offset(neighbour, end), &face));
    if (is_eased) {
        GRZ_FAULT(joints_of_circles, face = touch->normal);
        touch->normal = face;
        touch->approach = dot(course_of(trajectory, move), face);
    }
    return is_eased;
}

// Finds the side with which the corner meets the wall, and those with which it meets the wall once
// it is a little to one side.
static void find_sides(const grz_move *move, graze_segment_id segment, const grz_touch *touch,
                       double room, corner_sides *sides)
{
    const graze_vec2d tangent = left_of(touch->normal);
    sides->count = 1;
    sides->of[0] = (corner_side){.normal = touch->normal};
    for (int sign = -1; sign <= 1; sign += 2) {
        corner_side side = {.aside = scale(tangent, sign * room)};
        if (grz_touch_wall_aside(move, segment, touch->time, side.aside, &side.normal)) {
            sides->of[sides->count++] = side;
        }
    }
}

// Returns how one of the normals leans along the wall: 0 where the wall is met between its ends.
static double find_lean(const corner_sides *sides, graze_vec2d wall)
{
    for (uint32_t k = 0; k < sides->count; ++k) {
        const double lean = dot(wall, sides->of[k].normal);
        if (!grz_is_of_face(wall, lean)) {
            return lean;
        }
    }
    return 0;
}

// Other walls that end where a corner meets this one may hide it, or continue it as if all were of
// one chain. Returns whether they hide it.
static bool join_sides(const grz_move *move, graze_segment_id segment, double time,
                       corner_sides *sides)
{
    const graze_segment wall =
        grz_chain_wall(&move->world->terrain.chains[segment.chain.index], segment.index);
    const double lean = find_lean(sides, offset(wall.b, wall.a));
    if (lean == 0) {
        return false;
    }
    const grz_wall_end end = grz_look_at_end(move, segment, lean < 0, grz_centre_at(move, time));
    GRZ_FAULT(joined_ends, end.is_joined = false);
    GRZ_FAULT(hidden_ends, end.is_hidden = false);
    for (uint32_t k = 0; end.is_joined && k < sides->count; ++k) {
        sides->of[k].normal = grz_joint_normal(&end.joint, sides->of[k].normal);
    }
    return end.is_hidden;
}

// Finds what each side takes of the trajectory, and which takes least and most. Returns whether the
// trajectory leads past one of them.
static bool compare_sides(graze_vec2d course, corner_sides *sides)
{
    for (uint32_t k = 0; k < sides->count; ++k) {
        sides->of[k].approach = dot(course, sides->of[k].normal);
    }
    bool passes = sides->count < MAX_SIDES;
    sides->least = sides->most = &sides->of[0];
    for (uint32_t k = 1; k < sides->count; ++k) {
        corner_side *side = &sides->of[k];
        passes |= side->approach <= 0;
        if (is_same_side(side->normal, sides->least->normal)) {
            sides->least->aside = side->aside;
        } else if (takes_less(side, sides->least, course)) {
            sides->least = side;
        } else if (takes_less(sides->most, side, course)) {
            sides->most = side;
        }
    }
    GRZ_FAULT(held_sides, sides->most = &sides->of[0]);
    return passes;
}

// Of the sides of a rect that meet the wall once it is a little to one side, the one that takes
// least of the trajectory meets it.
static void ease_corner(const grz_trajectory *trajectory, const grz_move *move,
                        graze_segment_id segment, grz_touch *touch)
{
    const graze_vec2d course = course_of(trajectory, move);
    const double room = grz_corner_room(move->world, trajectory, left_of(touch->normal));
    corner_sides sides;
    find_sides(move, segment, touch, room, &sides);
    touch->passes |= join_sides(move, segment, touch->time, &sides);
    touch->passes |= compare_sides(course, &sides);
    choose_side(trajectory, move, &sides, touch);
    if (touch->time >= 1) {
        touch->approach = 0;
    }
}

bool grz_ease_touch(const graze_world *world, const grz_trajectory *trajectory,
                    const grz_move *move, graze_segment_id segment, grz_touch *touch)
{
    GRZ_FAULT(joints_at_the_end, if (touch->time >= 1) return false);
    if (move->mover->kind == GRAZE_SHAPE_RAY || touch->crosses || touch->turns) {
        return false;
    }
    if (move->mover->kind == GRAZE_SHAPE_CIRCLE) {
        return ease_end(world, trajectory, move, segment, touch);
    }
    ease_corner(trajectory, move, segment, touch);
    return true;
}
