#include "respond/push_out.h"

#include "respond/exchange.h"
#include "respond/meet.h"
#include "respond/tolerance.h"
#include "terrain/one_sided.h"
#include "terrain/terrain.h"

enum { MOST_HINDRANCES = 4 }; ///< That a push gives way to, one after the other.

static const double push_share = 0.25; ///< Of an overlap of bodies, a step.

// Pushes overlap: of several along one direction the longest counts, not their sum.
static void lengthen(graze_vec2d *push, graze_vec2d out, double distance)
{
    double missing = distance - dot(*push, out);
    if (missing > 0) {
        *push = along(*push, out, missing);
    }
}

static void push_by(const grz_event *event, grz_motion *motion, graze_vec2d out, double distance)
{
    const bool is_wall = event->row_b == GRZ_NONE;
    lengthen(&motion->push, out, is_wall ? distance : distance * push_share);
    motion->shoved = motion->shoved || !is_wall;
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
        push_by(event, a, negate(event->touch.normal), depth);
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
    if (a) {
        push_by(event, a, negate(event->touch.normal), depth * shares.a);
    }
    if (b) {
        push_by(event, b, event->touch.normal, depth * shares.b);
    }
    return true;
}

/// A wall that a push leads into.
typedef struct hindrance {
    graze_segment_id segment;
    graze_vec2d out; ///< Unit.
    double missing;  ///< So much farther along this the push has to lead, units.
} hindrance;

// Cells list walls in no order: of two that are as much in the way the id decides.
static bool is_worse(const hindrance *found, const hindrance *than)
{
    if (found->missing != than->missing) {
        return found->missing > than->missing;
    }
    return found->missing > 0 &&
           grz_constraint_wall_id(found->segment) < grz_constraint_wall_id(than->segment);
}

static graze_vec2 pushed_by(graze_vec2 from, graze_vec2d push)
{
    const graze_vec2 pushed = {(float)((double)from.x + push.x) + 0.0f,
                               (float)((double)from.y + push.y) + 0.0f};
    return pushed;
}

// The wall that the push of a body leads deepest into; nothing is missing where there is none.
static hindrance find_worst(const graze_world *world, const grz_mover *mover, uint32_t row,
                            graze_vec2 from, graze_vec2d push)
{
    hindrance worst = {.missing = 0};
    grz_wall_walk walk;
    grz_wall_walk_begin(&walk, world, mover, from, pushed_by(from, push));
    grz_touch touch;
    graze_segment_id segment;
    while (grz_wall_walk_next(&walk, 1, &touch, &segment)) {
        const double gap = touch.approach * touch.time - touch.depth;
        const double room = gap + grz_overlap_allowed(world, row, touch.normal);
        const hindrance found = {segment, negate(touch.normal), dot(push, touch.normal) - room};
        if (grz_chain_is_solid(world, segment) && is_worse(&found, &worst)) {
            worst = found;
        }
    }
    return worst;
}

// Terrain has the last word: bodies push none into it, nor back into what it is to leave. In a row
// that is pressed at a wall they would push the first one in, a little deeper in each step.
static graze_vec2d push_off_walls(const graze_world *world, const grz_mover *mover,
                                  const grz_motion *motion)
{
    const graze_vec2 from = motion->at[motion->count - 1];
    graze_vec2d push = motion->push;
    hindrance worst = find_worst(world, mover, motion->row, from, push);
    for (int k = 0; worst.missing > 0 && k < MOST_HINDRANCES; ++k) {
        push = along(push, worst.out, worst.missing);
        worst = find_worst(world, mover, motion->row, from, push);
    }
    return push;
}

// What stops has gone one straight way, and so it must seem to have: the way to where it is lifted
// must not cross a wall around whose end it came.
static bool leads_straight(const graze_world *world, const grz_mover *mover,
                           const grz_motion *motion, graze_vec2 to)
{
    const graze_vec2 point = grz_certified_point(world, mover, motion->at[0], to, 1);
    return point.x == to.x && point.y == to.y;
}

// A body that is pushed into a one-sided wall without having met it would be taken for one that
// came through it.
void grz_push_out(const graze_world *world, grz_motion *motion)
{
    graze_vec2 *end = &motion->at[motion->count - 1];
    const grz_mover mover = grz_mover_with_walls(world, motion->row);
    const bool is_walled = motion->clearance != GRZ_CLEAR && world->segment_count;
    const bool is_held = motion->shoved && is_walled;
    const graze_vec2d push = is_held ? push_off_walls(world, &mover, motion) : motion->push;
    const graze_vec2 pushed = pushed_by(*end, push);
    const double share = grz_share_off_one_sided(world, &mover, *end, pushed);
    const graze_vec2 point = grz_certified_point(world, &mover, *end, pushed, share);
    if (grz_is_movable(world, motion) || leads_straight(world, &mover, motion, point)) {
        *end = point;
    }
}
