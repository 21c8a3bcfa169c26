#include "solve/find_impacts.h"

#include <graze/sweep_turn.h>

#include "collide/box.h"
#include "collide/certify.h"
#include "collide/joint.h"
#include "collide/terrain_sweep.h"
#include "collide/tolerance.h"
#include "fault.h"
#include "solve/blocked.h"
#include "solve/impact_queue.h"
#include "solve/trajectory.h"
#include "vec2d.h"
#include "world/adjacency.h"
#include "world/contact_keys.h"

// --- Faces of walls ---

static const double end_share = 0x1p-3;    ///< Of a radius: nearer to its ends is no face.
static const double across_share = 0x1p-6; ///< Of a rect's size: less may be of its side as well.
/// Below it a side lies along a face: grz_is_of_face allows ten times as much.
static const double parallel_sine = 1e-13;

/// A wall as a body sees it.
typedef struct wall_face {
    graze_vec2d start, along;
    double length;
    graze_vec2d normal; ///< Unit, into it.
} wall_face;

static wall_face face_of(graze_segment wall, graze_vec2 from)
{
    wall_face seen = {.start = widen(wall.a), .along = offset(wall.b, wall.a)};
    const double side = cross(seen.along, offset(from, wall.a)) < 0 ? -1 : 1;
    seen.length = length_of(seen.along);
    seen.normal = scale(left_of(seen.along), -side / seen.length);
    return seen;
}

// Whether a circle here touches the face, if it touches the wall at all.
static bool is_circle_before(const wall_face *wall, double radius, graze_vec2 at)
{
    const double along_wall = dot(subtract(widen(at), wall->start), wall->along);
    const double least = wall->length * radius * end_share;
    return along_wall > least && along_wall < wall->length * wall->length - least;
}

// Whether a rect that is here overlaps the wall along one of its axes by more than rounding, or has
// a side that lies along it.
static inline bool is_across(const wall_face *wall, graze_vec2d start, graze_vec2d axis,
                             double half, double room)
{
    const double from = dot(start, axis);
    const double span = dot(wall->along, axis);
    const double low = min_double(from, from + span);
    const double high = max_double(from, from + span);
    return (low < half - room && high > room - half) ||
           absolute(span) <= parallel_sine * wall->length;
}

// The same for a rect: apart from sides along the wall, it must not overlap the face by as much as
// it overlaps the wall along its own axes.
static inline bool is_rect_before(const wall_face *wall, const grz_mover *mover, graze_vec2 at)
{
    const graze_vec2d half = widen(mover->half);
    const double room = min_double(half.x, half.y) * across_share;
    const graze_vec2d start = subtract(wall->start, widen(at));
    const graze_vec2d u = grz_x_axis(mover->rotation);
    const graze_vec2d v = left_of(u);
    const double reach =
        half.x * absolute(dot(u, wall->normal)) + half.y * absolute(dot(v, wall->normal));
    return reach - dot(start, wall->normal) < room / 2 && is_across(wall, start, u, half.x, room) &&
           is_across(wall, start, v, half.y, room);
}

static bool is_before(const wall_face *wall, const grz_mover *mover, graze_vec2 at)
{
    return mover->kind == GRAZE_SHAPE_CIRCLE ? is_circle_before(wall, (double)mover->half.x, at)
                                             : is_rect_before(wall, mover, at);
}

// --- Rounding at corners and ends of walls ---

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
    bool passes; ///< The trajectory leads past one of them.
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
    still.turn = still.turned = 0;
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
// it is a little to one side. If it is `alone` these are the same.
static void find_sides(const grz_move *move, graze_segment_id segment, const grz_touch *touch,
                       double room, bool is_alone, corner_sides *sides)
{
    const graze_vec2d tangent = left_of(touch->normal);
    sides->count = 1;
    sides->passes = false;
    sides->of[0] = (corner_side){.normal = touch->normal};
    for (int sign = -1; !is_alone && sign <= 1; sign += 2) {
        corner_side side = {.aside = scale(tangent, sign * room)};
        if (grz_touch_wall_aside(move, segment, touch->time, side.aside, &side.normal)) {
            sides->of[sides->count++] = side;
        } else {
            sides->passes = true;
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

// Finds what each side takes of the trajectory, and which takes least and most. Of one that is
// alone the others are copies.
static void compare_sides(graze_vec2d course, corner_sides *sides)
{
    for (uint32_t k = 0; k < sides->count; ++k) {
        sides->of[k].approach = dot(course, sides->of[k].normal);
    }
    sides->least = sides->most = &sides->of[0];
    sides->passes |= sides->count == 1 && sides->of[0].approach <= 0;
    for (uint32_t k = 1; k < sides->count; ++k) {
        corner_side *side = &sides->of[k];
        sides->passes |= side->approach <= 0;
        if (is_same_side(side->normal, sides->least->normal)) {
            sides->least->aside = side->aside;
        } else if (takes_less(side, sides->least, course)) {
            sides->least = side;
        } else if (takes_less(sides->most, side, course)) {
            sides->most = side;
        }
    }
    GRZ_FAULT(held_sides, sides->most = &sides->of[0]);
}

static double sum_of_sizes(graze_vec2d v)
{
    return absolute(v.x) + absolute(v.y);
}

// Whether a move leads into a touched wall by more than rounding, which is less than a 16th of the
// margins of those below: then two more sweeps, a little to either side (as far as grz_corner_room
// has it), would find nothing else.
static bool leads_clearly_into(const grz_move *move, graze_vec2d wall_along, const grz_touch *touch)
{
    const graze_vec2 half = move->mover->half;
    const double size = min_double((double)half.x, (double)half.y);
    const double far =
        sum_of_sizes(widen(move->from)) + sum_of_sizes(widen(move->to)) + sum_of_sizes(wall_along);
    const double into = dot(offset(move->to, move->from), touch->normal) * (1 - touch->time);
    const double rounding = grz_position_tolerance * far;
    return 16 * rounding < across_share * size && into > rounding;
}

// Whether a rect meets a wall's face, and would do so with the same normal if it were a little to
// either side: most that lie on terrain do.
static bool is_of_face_alone(const grz_move *move, graze_segment wall, const grz_touch *touch)
{
    const graze_vec2d wall_along = offset(wall.b, wall.a);
    GRZ_FAULT(corners_before_faces, return true);
    const wall_face seen = face_of(wall, move->from);
    return leads_clearly_into(move, wall_along, touch) &&
           is_same_side(seen.normal, touch->normal) &&
           seen.length > across_share * sum_of_sizes(widen(move->mover->half)) &&
           is_rect_before(&seen, move->mover, grz_point_at(move->from, move->to, touch->time));
}

// The same of a wall's end that a rect meets with a side: it overlaps the wall across that side by
// far less than along it, and than the wall across itself.
static bool is_of_side_alone(const grz_move *move, graze_segment wall, const grz_touch *touch,
                             double room)
{
    const grz_mover *mover = move->mover;
    const graze_vec2d half = widen(mover->half), normal = touch->normal, out = left_of(normal);
    const graze_vec2d u = grz_x_axis(mover->rotation);
    GRZ_FAULT(corners_before_sides, return true);
    const bool is_u = grz_is_of_face(u, cross(normal, u));
    if (!is_u && !grz_is_of_face(u, dot(normal, u))) {
        return false;
    }
    const double high = is_u ? half.x : half.y, wide = is_u ? half.y : half.x;
    const graze_vec2d wall_along = offset(wall.b, wall.a);
    const graze_vec2d start = subtract(widen(wall.a), grz_centre_at(move, touch->time));
    const double across = dot(start, normal), beside = dot(start, out);
    const double rise = dot(wall_along, normal), run = dot(wall_along, out);
    const double reach = high * absolute(run) + wide * absolute(rise);
    return leads_clearly_into(move, wall_along, touch) &&
           high - (across + min_double(rise, 0)) < room &&
           beside + min_double(run, 0) < wide - 3 * room &&
           beside + max_double(run, 0) > 3 * room - wide &&
           reach - absolute(cross(wall_along, start)) > 3 * room * sum_of_sizes(wall_along);
}

// Of the sides of a rect that meet the wall once it is a little to one side, the one that takes
// least of the trajectory meets it.
static void ease_corner(const grz_trajectory *trajectory, const grz_move *move,
                        graze_segment_id segment, grz_touch *touch)
{
    const graze_vec2d course = course_of(trajectory, move);
    const graze_segment wall =
        grz_chain_wall(&move->world->terrain.chains[segment.chain.index], segment.index);
    const graze_vec2d wall_along = offset(wall.b, wall.a);
    const bool is_of_face = grz_is_of_face(wall_along, dot(wall_along, touch->normal));
    const bool may_be_alone = !move->world->config.no_shortcuts;
    if (may_be_alone && is_of_face && is_of_face_alone(move, wall, touch)) {
        touch->approach = dot(course, touch->normal);
        return;
    }
    const double room = grz_corner_room(move->world, trajectory, left_of(touch->normal));
    const bool is_alone = may_be_alone && !is_of_face && is_of_side_alone(move, wall, touch, room);
    corner_sides sides;
    find_sides(move, segment, touch, room, is_alone, &sides);
    touch->passes |= join_sides(move, segment, touch->time, &sides);
    compare_sides(course, &sides);
    touch->passes |= sides.passes;
    choose_side(trajectory, move, &sides, touch);
    if (touch->time >= 1) {
        touch->approach = 0;
    }
}

// Eases a touch by which a wall would block a body on the last piece of its trajectory: of a rect's
// corner, of which rounding decides which side meets the wall, or of a circle with a wall's end.
// touch->time is of the move. Returns false where that changes nothing.
static bool ease_touch(const graze_world *world, const grz_trajectory *trajectory,
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

// --- Bodies that glide along a wall ---

// That the body is not deflected again follows from one normal: that of the wall's face. So on its
// path it may touch no other part of the wall, and no other wall, though at a joint the next one is
// often near. All tests leave a margin for the rounding of the kernels: lengths a part of the size,
// speeds half of what blocked.c allows.

// Whether a body can meet only walls, which are known, and has been deflected by one of them. A
// body that was pushed out of the wall at the very start of the step has to meet it again: it would
// be pushed again, with other rounding, and the longest of its pushes counts.
static bool has_only_walls(const graze_world *world, const grz_agenda *agenda,
                           const grz_trajectory *trajectory, const grz_mover *mover,
                           const grz_piece *piece)
{
    return trajectory->count > 2 && trajectory->known_walls.count && trajectory->met_time >= 0 &&
           !mover->rotates && mover->turn == 0 && mover->kind != GRAZE_SHAPE_RAY &&
           !world->config.filter && (piece->start_time > 0 || !trajectory->shoved) &&
           grz_is_isolated(world, trajectory->row) && !grz_events_are_left(agenda);
}

static bool is_met(const grz_trajectory *trajectory, const grz_wall *wall)
{
    return wall->chain == trajectory->met.chain.index && wall->item == trajectory->met.index;
}

// Whether the path touches a known wall other than the one that was met last. A wall that the
// formula misses, and that the centre does not cross, is not met.
static bool touches_another(const grz_impacts *impacts, const grz_trajectory *trajectory,
                            const grz_move *move)
{
    GRZ_FAULT(gliding, return false);
    const grz_known_walls *known = &trajectory->known_walls;
    grz_touch touch;
    for (uint32_t k = 0; k < known->count; ++k) {
        const grz_wall *wall = &impacts->known_walls.data[known->first + k];
        if (!grz_is_outside(wall->segment.a, wall->segment.b, &move->box) &&
            !is_met(trajectory, wall) &&
            grz_touch_by_shape(move->mover, move->from, move->to, wall->segment, &touch)) {
            return true;
        }
    }
    return false;
}

static const grz_wall *find_met(const grz_impacts *impacts, const grz_trajectory *trajectory)
{
    const grz_known_walls *known = &trajectory->known_walls;
    const grz_wall *wall = &impacts->known_walls.data[known->first];
    const grz_wall *end = wall + known->count;
    while (wall < end && !is_met(trajectory, wall)) {
        ++wall;
    }
    return wall < end ? wall : NULL;
}

// As comes_into in blocked.c, but only half as much is allowed.
static bool leads_along(const graze_world *world, const grz_trajectory *trajectory,
                        const wall_face *wall, const grz_piece *piece)
{
    const double length = piece->end_time - piece->start_time;
    const double allowance = grz_slide_allowance(world, trajectory);
    const double blur = grz_blur_at(piece->start, wall->normal);
    const double into = dot(offset(piece->end, piece->start), wall->normal);
    return dot(trajectory->velocity, wall->normal) * (double)world->call.dt <= allowance / 2 &&
           into <= (allowance * length + blur) / 2;
}

// Returns whether a body that has been deflected can meet nothing on the last piece of its
// trajectory but the face of the wall that it met last, and is not deflected by that again: then
// its touches are nothing new (is_old in apply_impact.c). Most bodies on terrain go on so. False if
// only a search can tell.
static bool glides(const graze_world *world, const grz_agenda *agenda,
                   const grz_trajectory *trajectory, const grz_mover *mover, const grz_piece *piece)
{
    if (!has_only_walls(world, agenda, trajectory, mover, piece)) {
        return false;
    }
    const grz_move move = grz_move_of(world, mover, piece->start, piece->end);
    const grz_wall *met = find_met(&world->impacts, trajectory);
    if (!met || !grz_holds_box(&trajectory->known_walls.box, &move.box) ||
        !grz_are_apart(piece->start, piece->end, met->segment)) {
        return false;
    }
    const wall_face wall = face_of(met->segment, piece->start);
    return is_before(&wall, mover, piece->start) && is_before(&wall, mover, piece->end) &&
           leads_along(world, trajectory, &wall, piece) &&
           !touches_another(&world->impacts, trajectory, &move);
}

// --- The walls that a body meets ---

static const double time_rounding = 0x1p-50; ///< Of the step: less apart, two times are one.

// Of an event whose touch and segment are filled in.
static void add_wall_event(const graze_world *world, grz_agenda *agenda,
                           const grz_trajectory *trajectory, grz_event *event)
{
    event->row_a = trajectory->row;
    event->row_b = GRZ_NONE;
    event->version_a = trajectory->version;
    event->version_b = 0;
    event->candidate = GRZ_NONE;
    grz_event_add(world, agenda);
}

static bool is_blocked_by_wall(const graze_world *world, const grz_trajectory *trajectory,
                               const grz_touch *touch)
{
    return grz_is_blocked(world, trajectory, touch, dot(trajectory->velocity, touch->normal));
}

// Returns whether a wall that is touched on the last piece of a trajectory turns it. Eases a touch
// that would: see ease_touch.
static bool ease_and_check(const graze_world *world, const grz_trajectory *trajectory,
                           const grz_move *move, graze_segment_id segment, grz_touch *touch)
{
    if (!grz_chain_stops(world, segment, move->mover->filter) ||
        !is_blocked_by_wall(world, trajectory, touch)) {
        return false;
    }
    return !ease_touch(world, trajectory, move, segment, touch) ||
           is_blocked_by_wall(world, trajectory, touch);
}

// Whether a rect has been deflected: it may turn otherwise since, and reach farther.
static bool turns_anew(const graze_world *world, const grz_trajectory *trajectory)
{
    const uint32_t traits = trajectory ? world->bodies.rows.traits[trajectory->row] : 0;
    return trajectory && trajectory->count > 2 && grz_flies(traits) && grz_has_sides(traits);
}

// The mover of the row that was asked for last is kept: what has turned asks again, and a isolated
// body before any other does.
static void find_mover(const graze_world *world, grz_agenda *agenda, grz_row row,
                       const grz_trajectory *trajectory, double begin)
{
    if (agenda->mover_row != row) {
        grz_mover_fill(world, row, trajectory, &agenda->mover);
        agenda->mover_row = row;
    }
    const grz_spinning spins = grz_spinning_at(world, row, begin);
    agenda->mover.turned = spins.before;
    agenda->mover.turn = spins.rate * (1 - begin);
    if (turns_anew(world, trajectory)) {
        const float reach = (float)(length_of(widen(agenda->mover.half)) * GRAZE_TURN_MARGIN);
        agenda->mover.extent = (graze_vec2){reach, reach};
    }
}

// Turns the time of a touch on a piece of a trajectory into that of the step.
static void move_to_step(grz_touch *touch, const grz_piece *piece)
{
    touch->depth = piece->start_time > 0 ? 0 : touch->depth;
    touch->time = piece->start_time + touch->time * (piece->end_time - piece->start_time);
}

// Foresees touches with walls on the last piece of a trajectory, which it begins if there is none,
// up to the first wall that turns it, and with those that come at the same time to within its
// rounding: which of these are known must not depend on the order in which cells list them.
static bool find_impacts_on_piece(graze_world *world, grz_agenda *agenda,
                                  grz_trajectory *trajectory, const grz_piece *piece, bool is_first)
{
    const double length = piece->end_time - piece->start_time;
    double limit = 1; // Of the piece.
    grz_wall_walk walk;
    grz_wall_walk_begin(&walk, world, &agenda->mover, piece->start, piece->end);
    grz_event *event;
    while ((event = grz_event_room(agenda)) &&
           grz_wall_walk_next(&walk, limit, &event->touch, &event->segment)) {
        if (!trajectory && !grz_trajectory_begin(world, agenda->mover_row)) {
            return false;
        }
        trajectory = trajectory ? trajectory : grz_trajectory_of(world, agenda->mover_row);
        grz_touch *touch = &event->touch;
        if (trajectory->stands && touch->time == 0 && !is_first) {
            continue; // Where it stopped: what it touches there it has met already.
        }
        touch->approach /= length;
        touch->blocks = !(touch->turns && turns_anew(world, trajectory)) &&
                        ease_and_check(world, trajectory, &walk.move, event->segment, touch);
        if (touch->blocks && !trajectory->stands) { // What stands may go on turning after a touch.
            limit = min_double(limit, touch->time + time_rounding / length);
        }
        move_to_step(touch, piece);
        add_wall_event(world, agenda, trajectory, event);
    }
    return event != NULL;
}

bool grz_find_impacts_walls(graze_world *world, grz_agenda *agenda, grz_row row,
                            grz_trajectory *trajectory, bool is_first)
{
    if (!world->terrain.segment_count ||
        (trajectory && trajectory->is_clear && !turns_anew(world, trajectory))) {
        return true;
    }
    const grz_piece straight = {0, 1, world->bodies.rows.position[row],
                                world->bodies.rows.end[row]};
    const grz_piece piece = trajectory ? grz_last_piece_of(trajectory) : straight;
    if (!(piece.end_time - piece.start_time > 0)) {
        return true;
    }
    find_mover(world, agenda, row, trajectory, piece.start_time);
    return (!is_first && glides(world, agenda, trajectory, &agenda->mover, &piece)) ||
           find_impacts_on_piece(world, agenda, trajectory, &piece, is_first);
}
