#include "respond/blocked.h"

#include "contact/contact_keys.h"
#include "respond/exchange.h"
#include "respond/meet.h"
#include "respond/tolerance.h"
#include "terrain/certified.h"
#include "terrain/corner.h"
#include "terrain/joint.h"
#include "vec2d.h"

// The move decides, but for its rounding. Against what gives no way the velocity does as well,
// which is exact: far from the origin the move could be rounded to nothing while gravity adds up.
static bool comes_into(const graze_world *world, const grz_motion *motion, const grz_touch *touch,
                       double speed)
{
    if (grz_is_clearly_into(world, motion, speed)) {
        return true;
    }
    double allowance = grz_slide_allowance(world, motion);
    if (speed * (double)world->dt > allowance) {
        return true;
    }
    uint32_t last = motion->count - 2;
    double rest = 1 - motion->time[last];
    return (touch->approach - allowance) * rest > grz_blur_at(motion->at[last], touch->normal);
}

// What stops is not pushed out, so it may go along a surface, but for rounding, only as long as it
// has not sunk in. A point has no surface to go along. At the very end of the step the move leads
// no further in: then the velocity does, unless it is a rotation that touches.
static bool is_stopped(const graze_world *world, const grz_motion *motion, const grz_touch *touch,
                       double speed)
{
    const double size = grz_size_of(world, motion->row);
    const uint32_t last = motion->count - 2;
    const double rest = 1 - motion->time[last];
    const double allowed =
        grz_slide_allowance(world, motion) * rest + grz_blur_at(motion->at[last], touch->normal);
    const bool sunk = !(touch->depth < grz_sink_limit * size);
    const bool spins = (world->rows.traits[motion->row] & GRZ_TRAIT_SPINS) != 0;
    const bool at_end = touch->time >= 1 && touch->approach == 0 && !spins;
    const double approach = at_end ? speed * (double)world->dt : touch->approach;
    return approach > 0 && (sunk || approach * rest > allowed);
}

// How far along a surface a body must be shifted for its corner, sunk in as deep as it may rest, to
// come free of what continues the surface: four times as far as it has sunk, which is enough where
// the side that rises from the corner leans by 15 degrees or more.
static double corner_room(const graze_world *world, const grz_motion *motion, graze_vec2d side)
{
    const double size = grz_size_of(world, motion->row);
    const double blur = grz_blur_at(motion->at[motion->count - 2], side);
    return 4 * min_double(grz_overlap_tolerance * size + blur, grz_sink_limit * size);
}

// A corner in a row of bodies that continue each other sticks out by rounding, and what slides
// along the row is sunk into it, as deep as it may rest.
bool grz_is_passed(const graze_world *world, const grz_event *event, const grz_motion *motion)
{
    const graze_vec2d tangent = left_of(event->touch.normal);
    const double room = corner_room(world, motion, tangent);
    return grz_pass_aside(world, event->row_a, event->row_b, event->touch.time,
                          scale(tangent, room));
}

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
    graze_vec2d shift; ///< How far it is moved, units,
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
        if (grz_chain_is_solid(look->world, *segment) && is_same_side(touch.normal, look->steep)) {
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

// Whether another wall holds a rect against moving along `steep` at `time` of its move: it stands
// aside of the touched wall, and off it, so that neither that one nor what continues it is met. And
// it stands there as well if the rect sinks in: else it is but the joint of a wall on the other
// side of a passage that the rect fits.
static bool is_held(const graze_world *world, const grz_motion *motion, const grz_move *move,
                    const grz_touch *touch, graze_vec2d aside, graze_vec2d steep)
{
    const graze_vec2d off = scale(touch->normal, -corner_room(world, motion, touch->normal));
    const graze_vec2 at = grz_point_at(move->from, move->to, touch->time);
    const graze_vec2 lifted = shifted(at, add(aside, off));
    const graze_vec2 sunk = shifted(at, scale(add(aside, off), -1));
    grz_mover still = *move->mover;
    still.rotates = false;
    const probe look = {world, &still, scale(steep, 2 * corner_room(world, motion, steep)), steep};
    grz_wall_walk walk = begin_probe(&look, lifted);
    graze_segment_id segment;
    while (find_holder(&look, &walk, &segment)) {
        if (is_met_from(&look, sunk, segment)) {
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

// The side that takes least of the motion does: unless another wall takes more of it anyway, of
// which this one only continues the surface.
static void choose_side(const graze_world *world, const grz_motion *motion, const grz_move *move,
                        const corner_side *least, const corner_side *most, grz_touch *touch)
{
    touch->normal = least->normal;
    touch->approach = least->approach;
    if (!touch->passes && !is_same_side(least->normal, most->normal) &&
        is_held(world, motion, move, touch, least->aside, most->normal)) {
        touch->normal = most->normal;
        touch->approach = most->approach;
    }
}

// The move as units per step.
static graze_vec2d course_of(const grz_motion *motion, const grz_move *move)
{
    const uint32_t last = motion->count - 1;
    const double length = motion->time[last] - motion->time[last - 1];
    return scale(offset(move->to, move->from), 1 / length);
}

/// A circle that touches the end of a wall.
typedef struct round_touch {
    graze_vec2d end; ///< As seen from its centre.
    double radius;
    double rest; ///< How deep it may lie in a wall.
} round_touch;

static round_touch round_touch_of(const graze_world *world, const grz_motion *motion,
                                  const grz_move *move, const grz_touch *touch, graze_vec2 end)
{
    const double radius = (double)move->mover->half.x;
    const double allowed = grz_overlap_allowed(world, motion->row, touch->normal);
    const round_touch circle = {subtract(widen(end), grz_centre_at(move, touch->time)), radius,
                                min_double(2 * allowed, grz_sink_limit * radius)};
    return circle;
}

static graze_vec2d along_wall(const graze_world *world, graze_segment_id segment)
{
    const graze_segment wall = grz_chain_wall(&world->chains[segment.chain.index], segment.index);
    return offset(wall.b, wall.a);
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
static bool ease_end(const graze_world *world, const grz_motion *motion, const grz_move *move,
                     graze_segment_id segment, grz_touch *touch)
{
    const grz_chain *chain = &world->chains[segment.chain.index];
    const graze_segment wall = grz_chain_wall(chain, segment.index);
    const graze_vec2d wall_along = offset(wall.b, wall.a);
    const double lean = dot(wall_along, touch->normal);
    if (grz_is_of_face(wall_along, lean)) {
        return false;
    }
    const bool at_end = lean < 0;
    const graze_vec2 end = at_end ? wall.b : wall.a;
    const uint32_t place = grz_place_of_end(chain, segment.index, at_end);
    const round_touch circle = round_touch_of(world, motion, move, touch, end);
    graze_vec2 neighbour;
    graze_vec2d face;
    const bool is_eased = is_continued(&circle, wall_along, &face) ||
                          (grz_chain_neighbour(chain, place, at_end, &neighbour) &&
                           is_continued(&circle, offset(neighbour, end), &face));
    if (is_eased) {
        touch->normal = face;
        touch->approach = dot(course_of(motion, move), face);
    }
    return is_eased;
}

// Other walls that end where a corner meets this one may hide it, or continue it as if all were of
// one chain. `lean` is that of a normal by which the end is met: see grz_is_of_face.
static void ease_joint(const grz_move *move, graze_segment_id segment, double lean,
                       graze_vec2d course, grz_touch *touch)
{
    const graze_vec2d wall_along = along_wall(move->world, segment);
    const graze_vec2d centre = grz_centre_at(move, touch->time);
    const grz_wall_end end = grz_look_at_end(move, segment, lean < 0, centre);
    if (end.is_hidden) {
        touch->passes = true;
    }
    if (end.is_joined && !grz_is_of_face(wall_along, dot(wall_along, touch->normal))) {
        touch->normal = grz_joint_normal(&end.joint, touch->normal);
        touch->approach = dot(course, touch->normal);
    }
}

// Of the sides of a rect that meet the wall once it is a little to one side, the one that takes
// least of the motion meets it. Where both take as much, as of a diagonal push at a row of tiles,
// either may: choose_side() tells which.
static void ease_corner(const graze_world *world, const grz_motion *motion, const grz_move *move,
                        graze_segment_id segment, grz_touch *touch)
{
    const graze_vec2d course = course_of(motion, move);
    const graze_vec2d tangent = left_of(touch->normal);
    const double room = corner_room(world, motion, tangent);
    const bool at_end = touch->time >= 1; // Its approach is 0 then.
    const double approach = at_end ? dot(course, touch->normal) : touch->approach;
    corner_side least = {touch->normal, approach, {0, 0}};
    corner_side most = least;
    const graze_vec2d wall_along = along_wall(world, segment);
    double lean = dot(wall_along, touch->normal);
    for (int sign = -1; sign <= 1; sign += 2) {
        corner_side side = {.aside = scale(tangent, sign * room)};
        const bool hit = grz_touch_wall_aside(move, segment, touch->time, side.aside, &side.normal);
        side.approach = hit ? dot(course, side.normal) : 0;
        if (hit && grz_is_of_face(wall_along, lean)) {
            lean = dot(wall_along, side.normal);
        }
        if (side.approach <= 0) {
            touch->passes = true;
        } else if (is_same_side(side.normal, least.normal)) {
            least.aside = side.aside;
        } else if (side.approach < least.approach) {
            least = side;
        } else if (side.approach >= most.approach && !is_same_side(side.normal, most.normal)) {
            most = side;
        }
    }
    choose_side(world, motion, move, &least, &most, touch);
    if (!touch->passes && !grz_is_of_face(wall_along, lean)) {
        ease_joint(move, segment, lean, course, touch);
    }
    touch->approach = at_end ? 0 : touch->approach;
}

bool grz_ease_touch(const graze_world *world, const grz_motion *motion, const grz_move *move,
                    graze_segment_id segment, grz_touch *touch)
{
    const bool turns = (world->rows.traits[motion->row] & GRZ_TRAIT_TURNS) != 0;
    if (!turns || move->mover->kind == GRAZE_SHAPE_RAY || touch->crosses ||
        (touch->time >= 1 && move->mover->rotates)) {
        return false;
    }
    if (move->mover->kind == GRAZE_SHAPE_CIRCLE) {
        return ease_end(world, motion, move, segment, touch);
    }
    ease_corner(world, motion, move, segment, touch);
    return true;
}

bool grz_is_blocked(const graze_world *world, const grz_motion *motion, const grz_touch *touch,
                    double speed)
{
    if (touch->passes || !(world->rows.traits[motion->row] & GRZ_TRAIT_RESPONDS)) {
        return false;
    }
    if (grz_response_of(world, motion) == GRAZE_STOP) {
        return !motion->stands && (touch->crosses || is_stopped(world, motion, touch, speed));
    }
    return touch->crosses || comes_into(world, motion, touch, speed);
}
