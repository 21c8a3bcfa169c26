#include "respond/push_out.h"

#include "respond/exchange.h"
#include "respond/tolerance.h"

static const double push_share = 0.25; ///< Of an overlap of bodies, a step.

// Pushes overlap: of several along one direction the longest counts, not their sum.
static void lengthen(graze_vec2d *push, graze_vec2d out, double distance)
{
    double missing = distance - dot(*push, out);
    if (missing > 0) {
        *push = along(*push, out, missing);
    }
}

static void note_wall(const graze_world *world, grz_motion *motion, graze_vec2d out,
                      double distance)
{
    lengthen(&motion->push, out, distance);
    if (distance > grz_sink_limit * grz_size_of(world, motion->row)) {
        lengthen(&motion->off_wall, out, distance);
    }
}

// Bodies push nothing back into the terrain that it has sunk into: in a row that is pressed at a
// wall, step after step, the first would sink in deeper and deeper.
static void note_body(grz_motion *motion, graze_vec2d out, double distance)
{
    lengthen(&motion->push, out, distance);
    const double length = length_of(motion->off_wall);
    if (length > 0) {
        lengthen(&motion->push, scale(motion->off_wall, 1 / length), length);
    }
}

static bool is_pushed(const graze_world *world, const grz_motion *motion)
{
    return grz_is_movable(world, motion) && grz_response_of(world, motion) != GRAZE_PASS &&
           grz_kind_of(world->rows.traits[motion->row]) != GRAZE_SHAPE_RAY;
}

// What stops at a wall is lifted out of it when it has sunk in by rounding, step by step; one that
// a new wall was laid over is left where it is.
static void lift_stopped(const graze_world *world, const grz_event *event, grz_motion *a,
                         double depth)
{
    bool stops = a && event->row_b == GRZ_NONE && grz_response_of(world, a) == GRAZE_STOP;
    if (stops && event->touch.depth < grz_sink_limit * grz_size_of(world, event->row_a)) {
        note_wall(world, a, scale(event->touch.normal, -1), depth);
    }
}

bool grz_note_overlap(graze_world *world, const grz_event *event, grz_motion *a, grz_motion *b)
{
    const double allowed = grz_overlap_allowed(world, event->row_a, event->touch.normal);
    const double depth = event->touch.depth - allowed;
    if (!(depth > 0)) {
        return false;
    }
    lift_stopped(world, event, a, depth);
    a = is_pushed(world, a) ? a : NULL;
    b = is_pushed(world, b) ? b : NULL;
    const grz_shares shares = grz_share_out(world, a, b);
    const graze_vec2d back = scale(event->touch.normal, -1);
    if (a && event->row_b == GRZ_NONE) {
        note_wall(world, a, back, depth * shares.a);
    } else if (a) {
        note_body(a, back, depth * push_share * shares.a);
    }
    if (b) {
        note_body(b, event->touch.normal, depth * push_share * shares.b);
    }
    return true;
}
