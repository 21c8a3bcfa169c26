#include "solve/glide.h"

#include "collide/box.h"
#include "collide/terrain_sweep.h"
#include "collide/tolerance.h"
#include "fault.h"
#include "solve/impact_queue.h"
#include "world/adjacency.h"

// That the body is not deflected again follows from one normal: that of the wall's face. So on its
// path it may touch no other part of the wall, and no other wall, though at a joint the next one is
// often near. All tests leave a margin for the rounding of the kernels: lengths a part of the size,
// speeds half of what blocked.c allows.

static const double end_share = 0x1p-3;    ///< Of a radius: nearer to its ends is no face.
static const double across_share = 0x1p-6; ///< Of a rect's size: less may be of its side as well.
/// Below it a side lies along a face: grz_is_of_face allows ten times as much.
static const double parallel_sine = 1e-13;

// Whether a body can meet only walls, which are known, and has been deflected by one of them. A
// body that was pushed out of the wall at the very start of the step has to meet it again: it would
// be pushed again, with other rounding, and the longest of its pushes counts.
static bool has_only_walls(const graze_world *world, const grz_agenda *agenda,
                           const grz_trajectory *trajectory, const grz_mover *mover,
                           const grz_piece *piece)
{
    return trajectory->count > 2 && trajectory->known_walls.count && trajectory->met_time >= 0 &&
           !mover->rotates && mover->kind != GRAZE_SHAPE_RAY && !world->config.filter &&
           (piece->start_time > 0 || !trajectory->shoved) &&
           grz_is_isolated(world, trajectory->row) && !grz_events_are_left(agenda);
}

static bool is_met(const grz_trajectory *trajectory, const grz_wall *wall)
{
    return wall->chain == trajectory->met.chain.index && wall->item == trajectory->met.index;
}

// Whether the path touches a known wall other than the one that was met last. A wall that the
// formula misses, and that the centre does not cross, is not met.
static bool touches_another(const graze_world *world, const grz_trajectory *trajectory,
                            const grz_move *move)
{
    GRZ_FAULT(gliding, return false);
    const grz_known_walls *known = &trajectory->known_walls;
    grz_touch touch;
    for (uint32_t k = 0; k < known->count; ++k) {
        const grz_wall *wall = &world->impacts.known_walls.data[known->first + k];
        if (!grz_is_outside(wall->segment.a, wall->segment.b, &move->box) &&
            !is_met(trajectory, wall) &&
            grz_touch_by_shape(move->mover, move->from, move->to, wall->segment, &touch)) {
            return true;
        }
    }
    return false;
}

static const grz_wall *find_met(const graze_world *world, const grz_trajectory *trajectory)
{
    const grz_known_walls *known = &trajectory->known_walls;
    const grz_wall *wall = &world->impacts.known_walls.data[known->first];
    const grz_wall *end = wall + known->count;
    while (wall < end && !is_met(trajectory, wall)) {
        ++wall;
    }
    return wall < end ? wall : NULL;
}

/// A wall as a body sees it.
typedef struct face {
    graze_vec2d start, along;
    double length;
    graze_vec2d normal; ///< Unit, into it.
} face;

static face face_of(graze_segment wall, graze_vec2 from)
{
    face seen = {.start = widen(wall.a), .along = offset(wall.b, wall.a)};
    const double side = cross(seen.along, offset(from, wall.a)) < 0 ? -1 : 1;
    seen.length = length_of(seen.along);
    seen.normal = scale(left_of(seen.along), -side / seen.length);
    return seen;
}

// Whether a circle here touches the face, if it touches the wall at all.
static bool is_circle_before(const face *wall, double radius, graze_vec2 at)
{
    const double along_wall = dot(subtract(widen(at), wall->start), wall->along);
    const double least = wall->length * radius * end_share;
    return along_wall > least && along_wall < wall->length * wall->length - least;
}

// Whether a rect that is here overlaps the wall along one of its axes by more than rounding, or has
// a side that lies along it.
static bool is_across(const face *wall, graze_vec2d start, graze_vec2d axis, double half,
                      double room)
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
static bool is_rect_before(const face *wall, const grz_mover *mover, graze_vec2 at)
{
    const graze_vec2d half = widen(mover->half);
    const double room = min_double(half.x, half.y) * across_share;
    const graze_vec2d start = subtract(wall->start, widen(at));
    const graze_vec2d u = {(double)mover->rotation.cosine, (double)mover->rotation.sine};
    const graze_vec2d v = left_of(u);
    const double reach =
        half.x * absolute(dot(u, wall->normal)) + half.y * absolute(dot(v, wall->normal));
    return reach - dot(start, wall->normal) < room / 2 && is_across(wall, start, u, half.x, room) &&
           is_across(wall, start, v, half.y, room);
}

static bool is_before(const face *wall, const grz_mover *mover, graze_vec2 at)
{
    return mover->kind == GRAZE_SHAPE_CIRCLE ? is_circle_before(wall, (double)mover->half.x, at)
                                             : is_rect_before(wall, mover, at);
}

// As comes_into in blocked.c, but only half as much is allowed.
static bool leads_along(const graze_world *world, const grz_trajectory *trajectory,
                        const face *wall, const grz_piece *piece)
{
    const double length = piece->end_time - piece->start_time;
    const double allowance = grz_slide_allowance(world, trajectory);
    const double blur = grz_blur_at(piece->start, wall->normal);
    const double into = dot(offset(piece->end, piece->start), wall->normal);
    return dot(trajectory->velocity, wall->normal) * (double)world->call.dt <= allowance / 2 &&
           into <= (allowance * length + blur) / 2;
}

bool grz_glides(const graze_world *world, const grz_agenda *agenda,
                const grz_trajectory *trajectory, const grz_mover *mover, const grz_piece *piece)
{
    if (!has_only_walls(world, agenda, trajectory, mover, piece)) {
        return false;
    }
    const grz_move move = grz_move_of(world, mover, piece->start, piece->end);
    const grz_wall *met = find_met(world, trajectory);
    if (!met || !grz_holds_box(&trajectory->known_walls.box, &move.box) ||
        !grz_are_apart(piece->start, piece->end, met->segment)) {
        return false;
    }
    const face wall = face_of(met->segment, piece->start);
    return is_before(&wall, mover, piece->start) && is_before(&wall, mover, piece->end) &&
           leads_along(world, trajectory, &wall, piece) &&
           !touches_another(world, trajectory, &move);
}
