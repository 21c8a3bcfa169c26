// Shapes that turn as they move: conservative advancement along separating axes that turn with one
// of the two.
//
// An axis belongs to a rect, and turns with it. Seen from there each corner of the other, or the
// centre of a disc, moves on a smooth path, along which its gap to the rect's side changes at a
// known rate. The second derivative of the path is bounded: so a parabola below the gap says until
// when the axis certainly separates the two. Near a touch that is nearly when they touch; beside a
// near miss each round halves the distance to it, or doubles it.

#include <graze/sweep_turn.h>

#include "direction.h"
#include "rect_pair.h"
#include "sweep_disc.h"

static const double least_progress = 0x1p-30; ///< Of the motion: less is a touch.
static const double never = 2;                ///< Of the motion.

/// A shape. A disc is a rect without extent, and so much around it.
typedef struct turner {
    rect_frame frame; ///< At the start.
    double radius;
    double reach; ///< No part of it is farther from its centre.
    double turn;
    double arc; ///< No part of it goes farther by turning.
} turner;

/// Two of them. Motion is that of a's centre relative to b's.
typedef struct turning_pair {
    turner a, b;
    graze_vec2d start, delta;
    bool a_is_disc, b_is_disc; ///< One at most.
    double bend_a, bend_b;     ///< As each sees the other: see outlook.
} turning_pair;

static turner turner_of(const graze_turning *given)
{
    if (given->shape.kind != GRAZE_SHAPE_RECT) {
        const double radius = (double)given->shape.radius;
        const turner disc = {{{1, 0}, {0, 1}, {0, 0}}, radius, radius, 0, 0};
        return disc;
    }
    const rect_frame frame = frame_of(given->shape.half, given->rotation);
    const double reach = length_of(frame.half) * GRAZE_TURN_MARGIN;
    const turner rect = {frame, 0, reach, given->turn, absolute(given->turn) * reach};
    return rect;
}

static rect_frame frame_at(const turner *shape, double time)
{
    if (shape->turn * time == 0) {
        return shape->frame;
    }
    const graze_vec2d direction = direction_of(reduce_moderate_angle(shape->turn * time));
    const rect_frame frame = {turned_by(shape->frame.u, direction),
                              turned_by(shape->frame.v, direction), shape->frame.half};
    return frame;
}

/// What one of the two sees of the other at some time.
typedef struct outlook {
    const rect_frame *own, *other;
    graze_vec2d offset, velocity; ///< Of the other's centre, from its own.
    double turn, relative;        ///< Its own; the other's less that.
    double bend; ///< No point of the other has a path with a larger second derivative, in its axes.
} outlook;

static double bend_from(const turner *own, const turner *other, double speed)
{
    const double turn = absolute(own->turn);
    const double corner = other->reach - other->radius;
    const double bend = 2 * turn * speed + squared(turn) * (own->reach + other->reach) +
                        squared(other->turn - own->turn) * corner;
    return bend * GRAZE_TURN_MARGIN;
}

// When a gap that changes at `rate`, and bends down by `bend`, is used up: the first root of
// gap + rate t - bend t^2 / 2.
static double time_left(double gap, double rate, double bend)
{
    if (gap <= 0) {
        return 0;
    }
    const double root = grz_sqrt(squared(rate) + 2 * bend * gap);
    if (rate < 0) {
        return 2 * gap / (root - rate);
    }
    return bend > 0 ? (rate + root) / bend : never;
}

/// An axis that separates the two, or along which they touch.
typedef struct separation {
    double time; ///< How long it certainly does.
    double gap;  ///< How far apart they are on it.
    int axis;    ///< As in rect_pair.h; of a rect and a disc it has no meaning.
    double toward;
    graze_vec2d normal; ///< Out of the rect, to a disc,
    graze_vec2d point;  ///< and where it is nearest, from the rect's centre.
} separation;

// How fast a point of the other that is at its centre goes along a normal, which turns with us.
static inline double rate_of_center(const outlook *seen, graze_vec2d normal)
{
    return dot(normal, seen->velocity) - seen->turn * dot(normal, left_of(seen->offset));
}

// Each corner of the other is at its centre +-x +-y, at `gap` +-out.x +-out.y, and gains by +-x +-y
// on it. Where the nearest one, at the rate of the fastest, has as much time left as is wanted, so
// have all.
static double time_of_corners(const outlook *seen, graze_vec2d normal, double gap, graze_vec2d out,
                              double wanted)
{
    const graze_vec2d half = seen->other->half;
    const graze_vec2d gain = {seen->relative * half.x * dot(normal, seen->other->v),
                              -seen->relative * half.y * dot(normal, seen->other->u)};
    const double rate = rate_of_center(seen, normal), bend = seen->bend;
    const double least = time_left(gap - absolute(out.x) - absolute(out.y),
                                   rate - absolute(gain.x) - absolute(gain.y), bend);
    if (least >= wanted) {
        return least;
    }
    return min_double(min_double(time_left(gap + out.x + out.y, rate + gain.x + gain.y, bend),
                                 time_left(gap + out.x - out.y, rate + gain.x - gain.y, bend)),
                      min_double(time_left(gap - out.x + out.y, rate - gain.x + gain.y, bend),
                                 time_left(gap - out.x - out.y, rate - gain.x - gain.y, bend)));
}

// An axis that separates for long enough is enough.
static void consider_axis(const outlook *seen, graze_vec2d axis, double reach, int number,
                          double wanted, separation *best)
{
    if (best->time >= wanted) {
        return;
    }
    const double toward = dot(axis, seen->offset) < 0 ? -1 : 1;
    const graze_vec2d normal = scale(axis, toward), half = seen->other->half;
    const graze_vec2d out = {half.x * dot(normal, seen->other->u),
                             half.y * dot(normal, seen->other->v)};
    const double gap = dot(normal, seen->offset) - reach;
    separation found = {.axis = number, .toward = number < 2 ? toward : -toward};
    found.gap = gap - absolute(out.x) - absolute(out.y);
    if (found.gap > 0) {
        found.time = time_of_corners(seen, normal, gap, out, wanted);
    }
    const bool is_better = found.time > best->time || (best->time <= 0 && found.gap > best->gap);
    if (is_better || best->axis < 0) {
        *best = found;
    }
}

static void consider_sides(const outlook *seen, int first, double wanted, separation *best)
{
    consider_axis(seen, seen->own->u, seen->own->half.x, first, wanted, best);
    consider_axis(seen, seen->own->v, seen->own->half.y, first + 1, wanted, best);
}

/// The two at some time.
typedef struct moment {
    rect_frame a, b;
    graze_vec2d between; ///< a's centre, from b's.
} moment;

static moment moment_at(const turning_pair *pair, double time)
{
    const moment now = {frame_at(&pair->a, time), frame_at(&pair->b, time),
                        along(pair->start, pair->delta, time)};
    return now;
}

static outlook look_from_a(const turning_pair *pair, const moment *now)
{
    const outlook seen = {&now->a,
                          &now->b,
                          negate(now->between),
                          negate(pair->delta),
                          pair->a.turn,
                          pair->b.turn - pair->a.turn,
                          pair->bend_a};
    return seen;
}

static outlook look_from_b(const turning_pair *pair, const moment *now)
{
    const outlook seen = {&now->b,     &now->a,      now->between,
                          pair->delta, pair->b.turn, pair->a.turn - pair->b.turn,
                          pair->bend_b};
    return seen;
}

static separation separate_rects(const turning_pair *pair, const moment *now, double wanted)
{
    separation best = {.axis = -1};
    const outlook from_a = look_from_a(pair, now), from_b = look_from_b(pair, now);
    consider_sides(&from_a, 0, wanted, &best);
    consider_sides(&from_b, 2, wanted, &best);
    return best;
}

// Of a rect and a disc: the way from the nearest point of the rect to the centre separates them.
static separation separate_disc(const outlook *seen, double radius)
{
    const graze_vec2d local = into_frame(seen->own, seen->offset);
    const graze_vec2d half = seen->own->half;
    const graze_vec2d nearest = {clamp(local.x, -half.x, half.x), clamp(local.y, -half.y, half.y)};
    const graze_vec2d beyond = subtract(local, nearest);
    const double distance = length_of(beyond);
    const bool by_x = absolute(local.x) - half.x >= absolute(local.y) - half.y;
    const graze_vec2d side = by_x ? vec2d(local.x < 0 ? -1 : 1, 0) : vec2d(0, local.y < 0 ? -1 : 1);
    separation found = {.gap = distance - radius, .point = out_of_frame(seen->own, nearest)};
    found.normal = out_of_frame(seen->own, distance > 0 ? scale(beyond, 1 / distance) : side);
    found.time = time_left(found.gap, rate_of_center(seen, found.normal), seen->bend);
    return found;
}

// `wanted`: no longer separation is needed.
static separation separate_at(const turning_pair *pair, const moment *now, double wanted)
{
    if (pair->a_is_disc) {
        const outlook from_b = look_from_b(pair, now);
        return separate_disc(&from_b, pair->a.radius);
    }
    if (pair->b_is_disc) {
        const outlook from_a = look_from_a(pair, now);
        return separate_disc(&from_a, pair->b.radius);
    }
    return separate_rects(pair, now, wanted);
}

static graze_sweep touch_disc(const moment *now, const separation *last, bool a_is_disc)
{
    graze_sweep sweep = {.hit = true};
    sweep.normal = unit_axis(a_is_disc ? negate(last->normal) : last->normal);
    sweep.point = a_is_disc ? last->point : add(now->between, last->point);
    return sweep;
}

static graze_sweep touch_rects(const moment *now, const separation *last)
{
    graze_sweep sweep = {.hit = true};
    const rect_pair pair = {now->a, now->b, 0, 0};
    const feature_pair features = features_of_rects(&pair, now->between, last->axis, last->toward);
    sweep.normal = features.normal;
    sweep.point = touching_point(&features);
    return sweep;
}

/// The time in which the circles around two shapes overlap.
typedef struct time_span {
    double begin, end;
} time_span;

static double time_of_leaving(graze_vec2d start, graze_vec2d delta, double reach)
{
    const double path = dot(delta, delta);
    const double chord = max_double(squared(reach) * path - squared(cross(start, delta)), 0);
    const double leaves = grz_sqrt(chord) - dot(start, delta);
    return leaves < path ? leaves / path : 1;
}

// Returns whether there is any.
static bool find_time_near(const turning_pair *pair, time_span *near)
{
    const double reach = pair->a.reach + pair->b.reach;
    near->begin = 0;
    if (!touches_disc(pair->start, reach)) {
        const graze_sweep sweep = enter_disc(pair->start, pair->delta, reach);
        near->begin = sweep.time;
        if (!sweep.hit) {
            return false;
        }
    }
    near->end = time_of_leaving(pair->start, pair->delta, reach);
    return true;
}

// Two that do not overlap at the start.
static graze_sweep advance(const turning_pair *pair, time_span near)
{
    double time = near.begin;
    moment now;
    separation best;
    for (int round = 0;; ++round) {
        now = moment_at(pair, time);
        best = separate_at(pair, &now, near.end - time);
        if (!(time + best.time < near.end)) {
            return miss();
        }
        if (best.time < least_progress || round == GRAZE_TURN_ROUNDS - 1) {
            break;
        }
        time += best.time;
    }
    graze_sweep sweep = pair->a_is_disc || pair->b_is_disc
                            ? touch_disc(&now, &best, pair->a_is_disc)
                            : touch_rects(&now, &best);
    sweep.time = time;
    return sweep;
}

static bool is_finite_turn(const turning_pair *pair)
{
    const graze_vec2d start = pair->start, delta = pair->delta;
    return is_finite_sum(pair->a.reach + pair->b.reach) &&
           is_finite_sum(start.x + start.y + delta.x + delta.y) &&
           is_finite_sum(pair->a.turn + pair->b.turn);
}

// Who turns so far is given up in any case: the directions need only be some.
static double bounded_turn(double turn)
{
    return clamp(turn, -grz_moderate_angle / 2, grz_moderate_angle / 2);
}

static graze_sweep sweep_pair(turning_pair *pair)
{
    time_span near;
    if (!find_time_near(pair, &near)) {
        return miss();
    }
    const double speed = length_of(pair->delta);
    pair->a.turn = bounded_turn(pair->a.turn);
    pair->b.turn = bounded_turn(pair->b.turn);
    pair->bend_a = bend_from(&pair->a, &pair->b, speed);
    pair->bend_b = bend_from(&pair->b, &pair->a, speed);
    return advance(pair, near);
}

/// How two shapes are that do not turn yet.
typedef enum first_look { OVERLAP, APART, FAR_APART } first_look;

// Far apart are two that an axis, which does not turn, separates: at the start, and at the end by
// more than they turn until then. Mirrored by narrow_windows in decide_wide.h.
static first_look look_at_rects(const turning_pair *pair)
{
    const rect_pair rects = pair_of_frames(pair->a.frame, pair->b.frame);
    const double arc = pair->a.arc + pair->b.arc;
    first_look found = OVERLAP;
    for (int axis = 0; axis < 4; ++axis) {
        const projection shapes = project_rects(&rects, pair->start, pair->delta, axis);
        const bool is_ahead = shapes.low > shapes.reach;
        const double gap = is_ahead ? shapes.low - shapes.reach : -shapes.reach - shapes.high;
        const double closing = is_ahead ? shapes.speed : -shapes.speed;
        if (gap > 0) {
            if (gap - closing > arc) {
                return FAR_APART;
            }
            found = APART;
        }
    }
    return found;
}

// Motion is that of the disc relative to the rect. Mirrored by look_at_rects in
// decide_wide.h.
static first_look look_at_disc(const turner *rect, double radius, graze_vec2d start,
                               graze_vec2d delta)
{
    const graze_vec2d local = into_frame(&rect->frame, start);
    const graze_vec2d x = local.x < 0 ? negate(rect->frame.u) : rect->frame.u;
    const graze_vec2d y = local.y < 0 ? negate(rect->frame.v) : rect->frame.v;
    const graze_vec2d gap = {(absolute(local.x) - rect->frame.half.x) - radius,
                             (absolute(local.y) - rect->frame.half.y) - radius};
    if ((gap.x > 0 && gap.x + dot(delta, x) > rect->arc) ||
        (gap.y > 0 && gap.y + dot(delta, y) > rect->arc)) {
        return FAR_APART;
    }
    return touches_disc_box(local, radius, rect->frame.half) ? OVERLAP : APART;
}

static first_look look_at_pair(const turning_pair *pair)
{
    if (pair->a_is_disc) {
        return look_at_disc(&pair->b, pair->a.radius, pair->start, pair->delta);
    }
    if (pair->b_is_disc) {
        return look_at_disc(&pair->a, pair->b.radius, negate(pair->start), negate(pair->delta));
    }
    return look_at_rects(pair);
}

graze_rotation graze_rotation_turned(graze_rotation rotation, double radians)
{
    const graze_vec2 turned =
        narrow(turned_by(axis_u(rotation), direction_of(reduce_moderate_angle(radians))));
    const graze_rotation made = {turned.x, turned.y};
    return made;
}

// The kernel wants the rect as b.
static graze_sweep overlap_rect_disc(graze_vec2d start, const graze_turning *rect, double radius)
{
    graze_sweep sweep = graze_sweep_circle_rect(negate(start), vec2d(0, 0), radius,
                                                rect->shape.half, rect->rotation);
    sweep.normal = negate(sweep.normal);
    sweep.point = add(sweep.point, start);
    return sweep;
}

static graze_sweep overlap_at_start(const graze_turning *a, const graze_turning *b,
                                    const turning_pair *pair)
{
    const graze_vec2d still = {0, 0};
    if (pair->a_is_disc) {
        return graze_sweep_circle_rect(pair->start, still, (double)a->shape.radius, b->shape.half,
                                       b->rotation);
    }
    if (pair->b_is_disc) {
        return overlap_rect_disc(pair->start, a, (double)b->shape.radius);
    }
    return graze_sweep_rects(pair->start, still, a->shape.half, a->rotation, b->shape.half,
                             b->rotation);
}

graze_sweep graze_sweep_turning(const graze_turning *a, const graze_turning *b, graze_vec2d start,
                                graze_vec2d delta)
{
    turning_pair pair = {turner_of(a),
                         turner_of(b),
                         start,
                         delta,
                         a->shape.kind != GRAZE_SHAPE_RECT,
                         b->shape.kind != GRAZE_SHAPE_RECT,
                         0,
                         0};
    if (pair.a_is_disc && pair.b_is_disc) {
        return graze_sweep_circles(start, delta, pair.a.radius, pair.b.radius);
    }
    if (!is_finite_turn(&pair)) {
        return miss();
    }
    switch (look_at_pair(&pair)) {
    case FAR_APART:
        return miss();
    case OVERLAP:
        return overlap_at_start(a, b, &pair);
    default:
        return sweep_pair(&pair);
    }
}

// A wall is a rect without height.
static turner turner_of_wall(graze_segment wall)
{
    const graze_vec2d way = offset(wall.b, wall.a);
    const graze_vec2d u = unit_or(way, vec2d(1, 0));
    const double half = length_of(way) / 2;
    const turner made = {{u, left_of(u), {half, 0}}, 0, half * GRAZE_TURN_MARGIN, 0, 0};
    return made;
}

graze_sweep graze_sweep_turning_segment(graze_vec2d start, graze_vec2d delta, graze_vec2 half,
                                        graze_rotation rotation, double turn, graze_segment wall)
{
    const graze_turning given = {graze_shape_rect(half.x, half.y), rotation, turn};
    const graze_vec2d middle = scale(add(widen(wall.a), widen(wall.b)), 0.5);
    turning_pair pair = {turner_of(&given),
                         turner_of_wall(wall),
                         subtract(start, middle),
                         delta,
                         false,
                         false,
                         0,
                         0};
    graze_sweep sweep = graze_sweep_rect_segment(start, vec2d(0, 0), half, rotation, wall);
    if (!is_finite_turn(&pair)) {
        return miss();
    }
    if (sweep.hit || look_at_rects(&pair) == FAR_APART) {
        return sweep;
    }
    sweep = sweep_pair(&pair);
    if (sweep.hit) {
        sweep.point = add(sweep.point, middle);
    }
    return sweep;
}
