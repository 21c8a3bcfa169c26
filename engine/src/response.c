#include "response.h"

#include "meet.h"
#include "motion.h"
#include "rows.h"

#include <math.h>

/// How the two sides of a touch share what it does.
typedef struct exchange {
    double share_a, share_b; ///< Of the change of speed; 0: this side is not moved.
    double into;             ///< Speed at which they come together along the normal, before.
    double restitution;
} exchange;

static const double slide_tolerance = 1e-6;       ///< Of the speed: less is along the surface.
static const double position_tolerance = 0x1p-22; ///< Of the coordinates: two roundings.
static const double plane_nudge = 1e-6;           ///< Of the speed: away from a wall met again.
static const double push_share = 0.25;            ///< Of an overlap of bodies, a step.
static const double overlap_tolerance = 0x1p-16;  ///< Of the size: so deep may a body rest.

static double dot(graze_vec2d a, graze_vec2d b)
{
    return a.x * b.x + a.y * b.y;
}

static graze_vec2d scaled(graze_vec2d v, double factor)
{
    graze_vec2d product = {v.x * factor, v.y * factor};
    return product;
}

static graze_vec2d plus(graze_vec2d v, graze_vec2d direction, double length)
{
    graze_vec2d sum = {v.x + direction.x * length, v.y + direction.y * length};
    return sum;
}

static double length_of(graze_vec2d v)
{
    return sqrt(dot(v, v));
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static const grz_body *cold_of(const graze_world *world, uint32_t row)
{
    return &world->bodies.data[world->rows.index[row]];
}

static graze_response response_of(const graze_world *world, const grz_motion *motion)
{
    return (graze_response)cold_of(world, motion->row)->response;
}

static double magnitude(double number)
{
    return number < 0 ? -number : number;
}

// What the rest of the way may lead into a surface that the body slides along: the end of a way is
// a rounded point, so its direction is not quite the surface's. Each coordinate is rounded by
// itself: one that is large does not blur a surface that lies along its axis.
static double slide_allowance(const grz_motion *motion, graze_vec2d course, double rest,
                              graze_vec2d normal)
{
    graze_vec2 at = motion->at[motion->count - 2];
    double x = magnitude((double)at.x * normal.x);
    double y = magnitude((double)at.y * normal.y);
    return slide_tolerance * length_of(course) * rest + position_tolerance * (x + y);
}

bool grz_is_blocked(const graze_world *world, const grz_motion *motion, graze_vec2d course,
                    const grz_touch *touch)
{
    if (!(world->rows.traits[motion->row] & GRZ_TRAIT_RESPONDS) || motion->stands) {
        return false;
    }
    if (touch->crosses || response_of(world, motion) != GRAZE_SLIDE) {
        return touch->crosses || touch->approach > 0;
    }
    double rest = 1 - motion->time[motion->count - 2];
    return touch->approach * rest > slide_allowance(motion, course, rest, touch->normal);
}

static graze_vec2d velocity_of(const graze_world *world, uint32_t row)
{
    const graze_vec2d still = {0, 0};
    if (row == GRZ_NONE) {
        return still;
    }
    const grz_motion *motion = grz_motion_of(world, row);
    graze_vec2 fixed = world->rows.end_velocity[row];
    graze_vec2d velocity = {(double)fixed.x, (double)fixed.y};
    return motion ? motion->velocity : velocity;
}

static bool is_movable(const graze_world *world, const grz_motion *motion)
{
    return motion && response_of(world, motion) != GRAZE_STOP;
}

// Inverse masses share an impulse. What cannot be moved takes none, and the other all.
static void share_out(const graze_world *world, const grz_event *event, const grz_motion *a,
                      const grz_motion *b, exchange *trade)
{
    double inverse_a = 0;
    double inverse_b = 0;
    if (is_movable(world, a) && cold_of(world, a->row)->mass > 0) {
        inverse_a = 1 / (double)cold_of(world, a->row)->mass;
    }
    if (is_movable(world, b) && cold_of(world, b->row)->mass > 0) {
        inverse_b = 1 / (double)cold_of(world, b->row)->mass;
    }
    double sum = inverse_a + inverse_b;
    bool both_fixed = event->row_b == GRZ_NONE || !(sum > 0);
    trade->share_a = both_fixed ? is_movable(world, a) : inverse_a / sum;
    trade->share_b = both_fixed ? is_movable(world, b) : inverse_b / sum;
}

// The larger of the two, where one of them bounces. A bounce slower than what gravity gives in two
// steps keeps nothing: a ball comes to rest.
static double find_restitution(const graze_world *world, const grz_event *event,
                               const grz_motion *a, const grz_motion *b, double into)
{
    bool bounces = (a && response_of(world, a) == GRAZE_BOUNCE) ||
                   (b && response_of(world, b) == GRAZE_BOUNCE);
    graze_vec2d gravity = {(double)world->gravity.x, (double)world->gravity.y};
    if (!bounces || into <= 2 * length_of(gravity) * (double)world->dt) {
        return 0;
    }
    double of_a = (double)cold_of(world, event->row_a)->restitution;
    double of_b = event->row_b == GRZ_NONE ? 0 : (double)cold_of(world, event->row_b)->restitution;
    return larger(of_a, of_b);
}

static bool is_allowed(const grz_motion *motion, graze_vec2d velocity)
{
    double tolerance = 1e-9 * length_of(motion->wish);
    for (uint32_t i = 0; i < motion->plane_count; ++i) {
        const grz_plane *plane = &motion->planes[i];
        if (dot(velocity, plane->normal) > plane->limit + tolerance) {
            return false;
        }
    }
    return true;
}

static graze_vec2d project(graze_vec2d velocity, const grz_plane *plane)
{
    return plus(velocity, plane->normal, plane->limit - dot(velocity, plane->normal));
}

// The velocity that two planes leave no choice of; false when they are parallel.
static bool intersect(const grz_plane *first, const grz_plane *second, graze_vec2d *velocity)
{
    graze_vec2d n = first->normal;
    graze_vec2d m = second->normal;
    double area = n.x * m.y - n.y * m.x;
    if (area * area < 1e-12) {
        return false;
    }
    velocity->x = (first->limit * m.y - second->limit * n.y) / area;
    velocity->y = (second->limit * n.x - first->limit * m.x) / area;
    return true;
}

/// The best velocity so far.
typedef struct choice {
    bool found;
    graze_vec2d velocity;
    double distance;
} choice;

static void consider(choice *best, const grz_motion *motion, graze_vec2d velocity)
{
    double distance = length_of(plus(velocity, motion->wish, -1));
    if (is_allowed(motion, velocity) && (!best->found || distance < best->distance)) {
        choice better = {true, velocity, distance};
        *best = better;
    }
}

// The velocity nearest to the wish that no plane forbids, all taken together; none at all where
// they leave no way out. The nearest point of a convex region in the plane lies inside it, on one
// of its sides, or at a corner: so few candidates are enough.
static graze_vec2d slide_velocity(const grz_motion *motion)
{
    choice best = {.found = false, .velocity = {0, 0}};
    consider(&best, motion, motion->wish);
    for (uint32_t i = 0; i < motion->plane_count; ++i) {
        consider(&best, motion, project(motion->wish, &motion->planes[i]));
    }
    for (uint32_t i = 0; i < motion->plane_count; ++i) {
        for (uint32_t k = i + 1; k < motion->plane_count; ++k) {
            graze_vec2d corner;
            if (intersect(&motion->planes[i], &motion->planes[k], &corner)) {
                consider(&best, motion, corner);
            }
        }
    }
    return best.velocity;
}

// A plane met again was not left far enough, by rounding: it holds back a little more.
static void add_plane(grz_motion *motion, graze_vec2d normal, double limit)
{
    for (uint32_t i = 0; i < motion->plane_count; ++i) {
        grz_plane *plane = &motion->planes[i];
        if (dot(plane->normal, normal) > 1 - 1e-9) {
            plane->limit = smaller(plane->limit, limit) - plane_nudge * length_of(motion->wish);
            return;
        }
    }
    if (motion->plane_count < GRZ_TURNS) {
        grz_plane plane = {normal, limit};
        motion->planes[motion->plane_count++] = plane;
    }
}

// Coulomb: along the surface at most friction times what the surface took across it.
static void rub(grz_motion *motion, graze_vec2d normal, double taken, double friction)
{
    graze_vec2d tangent = {-normal.y, normal.x};
    double speed = dot(motion->wish, tangent);
    double loss = friction * taken;
    double size = speed < 0 ? -speed : speed;
    loss = smaller(loss, size);
    motion->wish = plus(motion->wish, tangent, speed < 0 ? loss : -loss);
}

/// What one side of a touch is turned by.
typedef struct obstacle {
    graze_vec2d normal; ///< Into it.
    graze_vec2d course; ///< How it moves itself, units per step.
    double taken;       ///< Speed along the normal that it takes from this side.
} obstacle;

static void slide(graze_world *world, grz_motion *motion, double time, const obstacle *met)
{
    double dt = (double)world->dt;
    double limit = smaller(dot(motion->velocity, met->normal), dot(met->course, met->normal) / dt);
    rub(motion, met->normal, met->taken, (double)cold_of(world, motion->row)->friction);
    add_plane(motion, met->normal, limit);
    motion->velocity = slide_velocity(motion);
    grz_motion_turn(world, motion, time, scaled(motion->velocity, dt));
}

// The way back leads away from the obstacle even where the exchange alone would not.
static void bounce(const graze_world *world, grz_motion *motion, double time, const obstacle *met)
{
    graze_vec2d course = scaled(motion->velocity, (double)world->dt);
    double into = dot(course, met->normal) - dot(met->course, met->normal);
    grz_motion_turn(world, motion, time, into > 0 ? plus(course, met->normal, -into) : course);
}

static void turn(graze_world *world, grz_motion *motion, double time, const obstacle *met)
{
    const graze_vec2d still = {0, 0};
    switch (response_of(world, motion)) {
    case GRAZE_STOP:
        motion->velocity = still;
        grz_motion_turn(world, motion, time, still);
        break;
    case GRAZE_SLIDE:
        motion->velocity = plus(motion->velocity, met->normal, -met->taken);
        slide(world, motion, time, met);
        break;
    case GRAZE_BOUNCE:
        motion->velocity = plus(motion->velocity, met->normal, -met->taken);
        bounce(world, motion, time, met);
        break;
    case GRAZE_PASS:
        break;
    }
}

static graze_vec2d course_of(const graze_world *world, uint32_t row, double time)
{
    const graze_vec2d still = {0, 0};
    return row == GRZ_NONE ? still : grz_course_at(world, row, time);
}

void grz_respond(graze_world *world, const grz_event *event, grz_motion *a, grz_motion *b)
{
    double time = event->touch.time;
    graze_vec2d normal = event->touch.normal;
    graze_vec2d velocity_a = velocity_of(world, event->row_a);
    graze_vec2d velocity_b = velocity_of(world, event->row_b);
    exchange trade = {.into = dot(velocity_a, normal) - dot(velocity_b, normal)};
    share_out(world, event, a, b, &trade);
    trade.restitution = find_restitution(world, event, a, b, trade.into);
    double change = larger(trade.into, 0) * (1 + trade.restitution);
    obstacle of_a = {normal, course_of(world, event->row_b, time), change * trade.share_a};
    obstacle of_b = {scaled(normal, -1), course_of(world, event->row_a, time),
                     change * trade.share_b};
    if (a) {
        turn(world, a, time, &of_a);
    }
    if (b) {
        turn(world, b, time, &of_b);
    }
}

// Pushes overlap: of several along one direction the longest counts, not their sum.
static void note_push(grz_motion *motion, graze_vec2d out, double distance)
{
    double missing = distance - dot(motion->push, out);
    if (missing > 0) {
        motion->push = plus(motion->push, out, missing);
    }
}

static bool is_pushed(const graze_world *world, const grz_motion *motion)
{
    return motion && is_movable(world, motion) && response_of(world, motion) != GRAZE_PASS &&
           grz_kind_of(world->rows.traits[motion->row]) != GRAZE_SHAPE_RAY;
}

static double size_of(const graze_world *world, uint32_t row)
{
    graze_vec2 half = world->rows.half[row];
    return (double)(half.x < half.y ? half.x : half.y);
}

void grz_note_overlap(graze_world *world, const grz_event *event)
{
    grz_motion *a = grz_motion_of(world, event->row_a);
    grz_motion *b = event->row_b == GRZ_NONE ? NULL : grz_motion_of(world, event->row_b);
    a = is_pushed(world, a) ? a : NULL;
    b = is_pushed(world, b) ? b : NULL;
    double depth = event->touch.depth - overlap_tolerance * size_of(world, event->row_a);
    if (!(depth > 0)) {
        return;
    }
    exchange trade = {0};
    share_out(world, event, a, b, &trade);
    double share = event->row_b == GRZ_NONE ? 1 : push_share;
    if (a) {
        note_push(a, scaled(event->touch.normal, -1), depth * share * trade.share_a);
    }
    if (b) {
        note_push(b, event->touch.normal, depth * share * trade.share_b);
    }
}
