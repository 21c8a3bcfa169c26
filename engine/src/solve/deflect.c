#include "solve/deflect.h"

#include "collide/pair_sweep.h"
#include "collide/tolerance.h"
#include "fault.h"
#include "solve/impulse.h"
#include "solve/slide.h"
#include "solve/solve.h"
#include "solve/trajectory.h"
#include "vec2d.h"

/// The impulse that the two sides of a touch exchange, and what it follows from.
typedef struct impulse_exchange {
    graze_vec2d normal;                 ///< From a to b.
    graze_vec2d velocity_a, velocity_b; ///< Before the touch.
    double speed_a, speed_b;            ///< Along the normal, before the touch.
    double approach;                    ///< The speed of approach: the difference of these.
    double restitution;                 ///< The part of it with which they bounce apart.
    grz_shares shares;                  ///< Each side's part of the change of speed.
    bool sticks;                        ///< One of them lands on the other,
    bool stays;                         ///< and stays there, in its way.
    double held;                        ///< The part of the approach that no mass shares.
    bool waits;                         ///< One of them moves on only in the next step.
    graze_vec2d lever;                  ///< To the touch, from the centre of one that a ray hits;
    double mobility;                    ///< what an impulse of 1 there changes of its speed,
    double ray;                         ///< what it changes of the ray's,
    double slip;                        ///< what one along the surface changes of the speed there,
    double turn;                        ///< and what one along the normal does.
    grz_mixed_surface surface;
} impulse_exchange;

static const double rest_tolerance = 1e-12; ///< Of the speed lost: a smaller speed is rounding.
static const double tilt = 0x1p-5; ///< Of the speed: all that a wall tilted by rounding takes.

/// What one side of a touch meets, and what that does to this side.
typedef struct obstacle {
    graze_vec2d normal; ///< Into the obstacle.
    double taken;       ///< The speed along the normal that this side loses.
    bool is_wall;
    bool sticks;          ///< It lands on this side.
    bool throws_back;     ///< This side bounces off it.
    graze_vec2d velocity; ///< The obstacle's surface's, before the touch.
    double share;         ///< This side's part of the change of their speeds.
    double friction;      ///< Coulomb's coefficient, for this side.
} obstacle;

// Coulomb's friction takes speed along the surface, relative to it: at most `friction` times the
// speed that was taken along the normal.
static graze_vec2d rub(graze_vec2d velocity, const obstacle *met)
{
    const graze_vec2d tangent = left_of(met->normal);
    const double speed = dot(subtract(velocity, met->velocity), tangent) * met->share;
    const double most = met->friction * met->taken;
    return along(velocity, tangent, -min_double(max_double(speed, -most), most));
}

// The obstacle stays in the way for the rest of the step.
static void slide(grz_trajectory *trajectory, const obstacle *met)
{
    trajectory->slide.desired = rub(trajectory->slide.desired, met);
    grz_planes_add(&trajectory->slide, met->normal, dot(trajectory->velocity, met->normal));
    trajectory->velocity = grz_planes_slide(&trajectory->slide, 0);
    if (length_of(trajectory->velocity) < rest_tolerance * met->taken) {
        trajectory->velocity = vec2d(0, 0);
    }
}

// A body that comes to rest on a surface slides along it for the rest of the step. Between two
// surfaces it does not move: if they were solved one after the other, each would send it into the
// other again. A body that bounces leaves them all.
static void bounce(grz_trajectory *trajectory, const obstacle *met)
{
    trajectory->velocity = rub(trajectory->velocity, met);
    if (met->throws_back) {
        trajectory->slide.desired = trajectory->velocity;
        trajectory->slide.count = 0;
        return;
    }
    grz_planes_add(&trajectory->slide, met->normal, dot(trajectory->velocity, met->normal));
    if (trajectory->slide.count > 1) {
        trajectory->velocity = grz_planes_slide(&trajectory->slide, 0);
    }
}

// If a wall is crossed although the velocity leads along it, rounding has put the body too close to
// the wall: then the rest of its path leads away from the wall by as much as rounding can do.
static graze_vec2d find_course(const graze_world *world, const grz_trajectory *trajectory,
                               double time, const obstacle *met)
{
    const graze_vec2d course = scale(trajectory->velocity, (double)world->call.dt);
    const bool grazes =
        met->taken * (double)world->call.dt <= grz_slide_allowance(world, trajectory);
    if (!met->is_wall || !grazes || time >= 1) {
        return course;
    }
    const double blur = grz_blur_at(trajectory->at[trajectory->count - 2], met->normal);
    return along(course, met->normal, -blur / (1 - time));
}

// What sticks gives all of its momentum, relative to what it lands on: also that along the surface.
static void take_along(grz_trajectory *trajectory, const obstacle *met)
{
    const graze_vec2d tangent = left_of(met->normal);
    const double speed = dot(subtract(trajectory->velocity, met->velocity), tangent) * met->share;
    trajectory->velocity = along(trajectory->velocity, tangent, -speed);
    trajectory->slide.desired = along(trajectory->slide.desired, tangent, -speed);
}

static void change_velocity(const graze_world *world, grz_trajectory *trajectory,
                            const obstacle *met)
{
    const graze_response response = grz_response_of(world, trajectory);
    if (met->sticks) {
        take_along(trajectory, met);
    }
    trajectory->velocity = response == GRAZE_STOP
                               ? vec2d(0, 0)
                               : along(trajectory->velocity, met->normal, -met->taken);
    if (response == GRAZE_SLIDE) {
        slide(trajectory, met);
    } else if (response == GRAZE_BOUNCE) {
        bounce(trajectory, met);
    }
}

// A body that has been deflected as often as it may be stands still for the rest of the step, and
// moves again in the next. But a rect on a slope of short walls touches a dozen at once, each
// tilted by rounding: if each of those that hold it back a little counted, it would stand there in
// every step.
static void deflect(const graze_world *world, grz_trajectory *trajectory, double time,
                    const obstacle *met)
{
    if (trajectory->stands && grz_trajectory_is_worn_out(trajectory)) {
        return;
    }
    const bool holds = met->is_wall && !met->throws_back;
    if (holds && met->taken <= tilt * length_of(trajectory->velocity)) {
        grz_trajectory_spare_deflection(trajectory, time);
    }
    if (trajectory->count < GRZ_KNOTS) {
        const bool stops = grz_response_of(world, trajectory) == GRAZE_STOP;
        grz_trajectory_deflect(world, trajectory, time,
                               stops ? vec2d(0, 0) : find_course(world, trajectory, time, met));
    }
}

// What the solver moves goes no farther than it would have, and not into what gives no way.
static void hold_solved(const graze_world *world, grz_trajectory *trajectory, double time,
                        graze_vec2d course, graze_vec2d normal, double speed)
{
    const grz_slot slot = world->solve.slot_of_row.data[trajectory->row];
    if (speed / dot(course, normal) < 1 && trajectory->count < GRZ_KNOTS) {
        grz_trajectory_deflect(world, trajectory, time,
                               grz_solve_held_back(&world->solve, slot, course, normal, speed));
    }
}

// Slows a body down along a normal, to `speed` in units per step. No body holds what has mass 0.
static void hold_back(const graze_world *world, grz_trajectory *trajectory, double time,
                      graze_vec2d course, graze_vec2d normal, double speed)
{
    if (!trajectory || trajectory->stands || grz_is_driving(world, trajectory->row)) {
        return;
    }
    const double before = dot(course, normal);
    if (grz_is_solved(world->bodies.rows.traits[trajectory->row])) {
        hold_solved(world, trajectory, time, course, normal, speed);
        return;
    }
    grz_trajectory_redirect(trajectory, along(course, normal, speed - before));
    trajectory->held = grz_flies(world->bodies.rows.traits[trajectory->row]);
}

// What the solver moves, and what flies into it, may overlap a little: the solver parts them.
static double depth_allowed(const graze_world *world, const grz_event *event)
{
    const uint32_t *traits = world->bodies.rows.traits, a = event->row_a, b = event->row_b;
    if (!grz_is_solved(traits[a]) && !grz_is_solved(traits[b])) {
        return 0;
    }
    const double most =
        (1 - grz_round_core) * min_double(grz_size_of(world, a), grz_size_of(world, b));
    return max_double(most - event->touch.depth, 0);
}

// The paths of the two may still lead into each other, if one cannot go as its velocity says
// (because a third body has met it, or it would leave its box). Then both are slowed down, never
// sped up: if both go the same way, at the speed of the slower one; if they come from opposite
// sides, to a stop. A kinematic body drives the other.
static void keep_apart(const graze_world *world, const grz_event *event, grz_trajectory *a,
                       grz_trajectory *b)
{
    const double time = event->touch.time;
    const graze_vec2d normal = event->touch.normal;
    const graze_vec2d course_a = grz_course_at(world, event->row_a, time);
    const graze_vec2d course_b = grz_course_at(world, event->row_b, time);
    const double speed_a = dot(course_a, normal);
    const double speed_b = dot(course_b, normal);
    double candidate = speed_a < 0 ? speed_a : max_double(speed_b, 0);
    candidate = a ? b ? candidate : speed_b : speed_a;
    if ((speed_a - speed_b) * (1 - time) > depth_allowed(world, event)) {
        hold_back(world, a, time, course_a, normal, candidate);
        hold_back(world, b, time, course_b, normal, candidate);
    }
}

// Finds how fast the two are along the normal. The rest of the exchange is filled in later, by what
// needs it.
static void find_speeds(const graze_world *world, const grz_event *event,
                        impulse_exchange *exchange)
{
    const graze_vec2d normal = event->touch.normal;
    exchange->normal = normal;
    exchange->velocity_a = grz_surface_velocity(world, event, event->row_a);
    exchange->velocity_b = grz_surface_velocity(world, event, event->row_b);
    exchange->speed_a = dot(exchange->velocity_a, normal);
    exchange->speed_b = dot(exchange->velocity_b, normal);
    exchange->approach = exchange->speed_a - exchange->speed_b;
}

// Returns what gravity adds in a step to the speed of a body along the normal.
static double fall_of(const graze_world *world, grz_row row, graze_vec2d normal)
{
    const bool falls = row != GRZ_NONE && grz_material_at(world, row).mass > 0;
    return falls ? dot(widen(world->config.gravity), normal) * (double)world->call.dt : 0;
}

// Returns the part of the approach with which the two bounce apart: the restitution of the
// material, corrected for gravity. The velocity during a step is that in the middle of it. If two
// meet before the middle, they approach more slowly than that, by `early`, and after the bounce
// they lose as much again until the middle; after the middle both are faster. Without this a ball
// would gain height in some bounces and lose it in others, and many would bounce for ever, in time
// with the steps.
static double find_restitution(const graze_world *world, const grz_event *event, bool bounces,
                               float of_surface, double approach)
{
    const double material = (double)of_surface;
    if (!bounces || !(material > 0) || approach <= grz_sleep_speed(world)) {
        return 0;
    }
    const graze_vec2d normal = event->touch.normal;
    const double time = event->touch.time;
    const double fall = fall_of(world, event->row_a, normal) - fall_of(world, event->row_b, normal);
    const double early = fall * (0.5 - time);
    GRZ_FAULT(bounces_in_time, early = 0);
    return max_double(material - (1 + material) * early / approach, 0);
}

bool grz_throws_back(const graze_world *world, const grz_event *event,
                     const grz_trajectory *trajectory)
{
    if (grz_response_of(world, trajectory) != GRAZE_BOUNCE) {
        return false;
    }
    impulse_exchange exchange;
    find_speeds(world, event, &exchange);
    const grz_mixed_surface surface =
        grz_mix_surfaces(world, event->row_a, event->row_b, event->segment, event->touch.normal);
    return find_restitution(world, event, true, surface.restitution, exchange.approach) > 0;
}

// A ray rubs on what it hits once that has taken the impulse along the normal.
static void rub_as_ray(const impulse_exchange *exchange, obstacle *met)
{
    met->velocity =
        along(met->velocity, left_of(met->normal), met->taken / exchange->ray * exchange->turn);
    met->share = exchange->ray / (exchange->ray + exchange->slip);
}

// Finds what one side of a touch meets, once the exchange is known.
static obstacle find_obstacle(const impulse_exchange *exchange, bool is_a)
{
    const double share = is_a ? exchange->shares.a : exchange->shares.b;
    const double shared = max_double(exchange->approach, 0) - exchange->held;
    const double speed = is_a ? exchange->speed_a : -exchange->speed_b;
    const double change = (exchange->held + shared * share) * (1 + exchange->restitution);
    const double taken = exchange->stays ? max_double(change, speed) : change;
    GRZ_FAULT(what_stands_holds, taken = change);
    const graze_vec2d normal = is_a ? exchange->normal : negate(exchange->normal);
    const graze_vec2d velocity = is_a ? exchange->velocity_b : exchange->velocity_a;
    obstacle met = {.normal = normal,
                    .taken = taken,
                    .sticks = exchange->sticks,
                    .throws_back = exchange->restitution > 0,
                    .velocity = along(velocity, left_of(normal), (double)exchange->surface.slip),
                    .share = share,
                    .friction = (double)exchange->surface.friction};
    if (exchange->waits) {
        rub_as_ray(exchange, &met);
    }
    return met;
}

// A wall gives no way: the body takes all of the change. What stops stays there.
static void answer_wall(const graze_world *world, const grz_event *event,
                        grz_trajectory *trajectory)
{
    const graze_response response = grz_response_of(world, trajectory);
    const graze_vec2d normal = event->touch.normal;
    const grz_mixed_surface surface =
        grz_mix_surfaces(world, event->row_a, GRZ_NONE, event->segment, normal);
    const double speed = dot(grz_velocity_at(world, event->row_a, event->touch.time), normal);
    const double restitution =
        find_restitution(world, event, response == GRAZE_BOUNCE, surface.restitution, speed);
    const obstacle met = {.normal = normal,
                          .taken = max_double(speed, 0) * (1 + restitution),
                          .is_wall = true,
                          .sticks = response == GRAZE_STOP && speed > 0 &&
                                    grz_material_at(world, trajectory->row).mass > 0,
                          .throws_back = restitution > 0,
                          .velocity = along(vec2d(0, 0), left_of(normal), (double)surface.slip),
                          .share = 1,
                          .friction = (double)surface.friction};
    change_velocity(world, trajectory, &met);
    deflect(world, trajectory, event->touch.time, &met);
}

// --- Momentum ---
//
// Each side gives the other the impulse of its own mass, whatever becomes of it: also if its last
// hit removes it, or if it stops. What stops lands on the other, and sticks: it gives its momentum
// relative to the other, as in an inelastic collision. From then on it stands, and what stands, or
// is kinematic, holds the other as a wall does. At its last hit, what passes (GRAZE_PASS)
// gives the impulse of its mass by its own speed, and holds the other by the other's.

static bool is_deflected(const grz_side *side)
{
    return side->blocked && !side->spent;
}

static graze_response response_at(const graze_world *world, const grz_side *side)
{
    return grz_response_at(world, world->bodies.rows.index[side->row]);
}

// Whether a body of these traits is a ray that pushes what it hits.
static bool is_bullet(uint32_t traits)
{
    return grz_kind_of(traits) == GRAZE_SHAPE_RAY && (traits & GRZ_TRAIT_RESPONDS) &&
           !(traits & GRZ_TRAIT_SENSOR);
}

// Whether a ray has hit a body that gives way: the body is not deflected in this step. A ray is not
// solid: where the body runs into one that stands, nothing comes of it.
static bool is_shot(const graze_world *world, const grz_side *side, const grz_side *by)
{
    const uint32_t *traits = world->bodies.rows.traits;
    return !side->trajectory && by->hit && by->row != GRZ_NONE && side->row != GRZ_NONE &&
           is_bullet(traits[by->row]) && grz_gives_way(world, side->row);
}

// Whether the mass of a side counts. `speed` is its own, towards the other.
static bool has_weight(const graze_world *world, const grz_side *side, const grz_side *other,
                       double speed)
{
    if (!side->trajectory) {
        return is_shot(world, side, other);
    }
    switch (response_at(world, side)) {
    case GRAZE_PASS:
        GRZ_FAULT(weight_of_what_is_spent, return false);
        return side->spent && speed > 0;
    case GRAZE_STOP:
        GRZ_FAULT(weight_of_what_stops, return false);
        return side->blocked && speed > 0;
    default:
        return side->blocked;
    }
}

static double inverse_mass(const graze_world *world, const grz_side *side, const grz_side *other,
                           double speed)
{
    if (side->row == GRZ_NONE || !has_weight(world, side, other, speed)) {
        return 0;
    }
    const float mass = grz_material_at(world, side->row).mass;
    return mass > 0 ? 1 / (double)mass : 0;
}

static bool lands(const graze_world *world, const grz_side *side, double inverse)
{
    return inverse > 0 && response_at(world, side) == GRAZE_STOP;
}

// How much of the approach comes from the speed of a side that runs into one that passes all
// others, and is removed.
static double held_part(const graze_world *world, const grz_side *passer, double inverse,
                        double speed, double approach)
{
    const bool holds = inverse > 0 && response_at(world, passer) == GRAZE_PASS;
    return holds ? min_double(max_double(speed, 0), max_double(approach, 0)) : 0;
}

// A side without a mass that counts may still be deflected by one that holds it: then it takes all.
static void find_shares(const graze_world *world, const grz_side *a, const grz_side *b,
                        impulse_exchange *exchange)
{
    const double speed_a = exchange->speed_a, speed_b = -exchange->speed_b;
    double inverse_a = inverse_mass(world, a, b, speed_a);
    double inverse_b = inverse_mass(world, b, a, speed_b);
    exchange->waits = (!a->trajectory || !b->trajectory) && inverse_a > 0 && inverse_b > 0;
    exchange->ray = a->trajectory ? inverse_a : inverse_b;
    const double waiting = exchange->waits ? exchange->mobility : 0;
    inverse_a = a->trajectory ? inverse_a : waiting;
    inverse_b = b->trajectory ? inverse_b : waiting;
    const double sum = inverse_a + inverse_b;
    exchange->shares.a = sum > 0 ? inverse_a / sum : is_deflected(a);
    exchange->shares.b = sum > 0 ? inverse_b / sum : is_deflected(b);
    exchange->sticks = lands(world, a, inverse_a) || lands(world, b, inverse_b);
    exchange->stays = exchange->sticks && !exchange->waits && !a->spent && !b->spent;
    exchange->held = held_part(world, a, inverse_a, speed_b, exchange->approach) +
                     held_part(world, b, inverse_b, speed_a, exchange->approach);
}

static bool is_thrown(const graze_world *world, const grz_side *side, double share)
{
    return side->trajectory && (share > 0 || is_deflected(side)) &&
           response_at(world, side) == GRAZE_BOUNCE;
}

// How a body moves where a ray hits it. It goes on as if no ray had, to the end of the step: what
// this one has given it already counts, or the same hit would count again and again.
static graze_vec2d velocity_under(const graze_world *world, grz_row row, uint32_t ray,
                                  graze_vec2d lever, double time)
{
    const grz_impulse_gain given = grz_impulses_given(world, row, ray, time);
    const graze_vec2d own = add(grz_velocity_at(world, row, time), given.velocity);
    return along(own, left_of(lever), grz_spin_now(world, row) + given.spin);
}

static graze_vec2d lever_of(const graze_world *world, grz_row row, const grz_touch *touch)
{
    return subtract(touch->point, grz_place_at(world, row, touch->time));
}

// How much an impulse of 1 along a unit vector changes the speed where it acts.
static double mobility_at(const graze_world *world, grz_row row, graze_vec2d lever,
                          graze_vec2d direction)
{
    return 1 / (double)grz_material_at(world, row).mass +
           squared(cross(lever, direction)) * grz_inverse_inertia_of(world, row);
}

static void find_shot(const graze_world *world, const grz_event *event, const grz_side *a,
                      const grz_side *b, impulse_exchange *exchange)
{
    const bool is_a = is_shot(world, a, b);
    exchange->lever = vec2d(0, 0);
    exchange->mobility = 0;
    if (!is_a && !is_shot(world, b, a)) {
        return;
    }
    const grz_row row = is_a ? a->row : b->row, ray = is_a ? b->row : a->row;
    exchange->lever = lever_of(world, row, &event->touch);
    exchange->mobility = mobility_at(world, row, exchange->lever, exchange->normal);
    const graze_vec2d tangent = left_of(exchange->normal);
    exchange->slip = mobility_at(world, row, exchange->lever, tangent);
    exchange->turn = cross(exchange->lever, exchange->normal) * cross(exchange->lever, tangent) *
                     grz_inverse_inertia_of(world, row);
    const graze_vec2d velocity =
        velocity_under(world, row, ray, exchange->lever, event->touch.time);
    *(is_a ? &exchange->velocity_a : &exchange->velocity_b) = velocity;
    exchange->speed_a = dot(exchange->velocity_a, exchange->normal);
    exchange->speed_b = dot(exchange->velocity_b, exchange->normal);
    exchange->approach = exchange->speed_a - exchange->speed_b;
}

static void find_exchange(const graze_world *world, const grz_event *event, const grz_side *a,
                          const grz_side *b, impulse_exchange *exchange)
{
    find_speeds(world, event, exchange);
    find_shot(world, event, a, b, exchange);
    exchange->surface =
        grz_mix_surfaces(world, event->row_a, event->row_b, event->segment, event->touch.normal);
    find_shares(world, a, b, exchange);
    const bool bounces = !exchange->sticks && (is_thrown(world, a, exchange->shares.a) ||
                                               is_thrown(world, b, exchange->shares.b));
    exchange->restitution =
        find_restitution(world, event, bounces, exchange->surface.restitution, exchange->approach);
}

/// A hit by which a ray pushes a body.
typedef struct ray_push {
    uint32_t ray, body; ///< Rows.
    const grz_touch *touch;
    graze_vec2d lever, impulse; ///< On the body.
    double closing;             ///< As in a grz_impulse.
} ray_push;

static bool give_push(graze_world *world, const ray_push *push)
{
    const grz_impulse impulse = {
        .index = world->bodies.rows.index[push->body],
        .by = world->bodies.rows.index[push->ray],
        .time = push->touch->time,
        .lever = push->lever,
        .impulse = push->impulse,
        .closing = push->closing,
    };
    return !(push->closing > 0) || grz_impulse_give(world, &impulse);
}

// What a ray gives that lands on a body, of this velocity relative to it: all that it has.
static graze_vec2d landing_impulse(const graze_world *world, const ray_push *push,
                                   graze_vec2d relative)
{
    const graze_vec2d way = unit_or(relative, vec2d(1, 0));
    const double ray = 1 / (double)grz_material_at(world, push->ray).mass;
    return scale(relative, 1 / (ray + mobility_at(world, push->body, push->lever, way)));
}

// What a ray gives that goes on: what it loses along the normal, and by friction along the surface.
static graze_vec2d passing_impulse(const impulse_exchange *exchange, const obstacle *met,
                                   graze_vec2d velocity)
{
    const graze_vec2d lost = along(subtract(velocity, rub(velocity, met)), met->normal, met->taken);
    return scale(lost, 1 / exchange->ray);
}

// Gives a body that a ray has hit the impulse of the ray.
static bool give_shot(graze_world *world, const grz_event *event, bool is_a,
                      const impulse_exchange *exchange)
{
    ray_push push = {
        .ray = is_a ? event->row_b : event->row_a,
        .body = is_a ? event->row_a : event->row_b,
        .touch = &event->touch,
        .lever = exchange->lever,
    };
    const obstacle met = find_obstacle(exchange, !is_a);
    const graze_vec2d own = is_a ? exchange->velocity_a : exchange->velocity_b;
    const graze_vec2d rays = is_a ? exchange->velocity_b : exchange->velocity_a;
    const graze_vec2d relative = subtract(rays, own);
    push.impulse = met.sticks ? landing_impulse(world, &push, relative)
                              : passing_impulse(exchange, &met, rays);
    push.closing = dot(relative, unit_or(push.impulse, relative));
    return give_push(world, &push);
}

// As give_shot() has it of a ray that stops.
bool grz_push_by_ray(graze_world *world, uint32_t ray, const grz_candidate *candidate)
{
    const bool is_a = candidate->row_b == ray;
    double from = 0;
    grz_touch touch;
    if (!grz_touch_moving(world, candidate->row_a, candidate->row_b, &from, &touch)) {
        return true;
    }
    ray_push push = {
        .ray = ray, .body = is_a ? candidate->row_a : candidate->row_b, .touch = &touch};
    push.lever = lever_of(world, push.body, &touch);
    const graze_vec2d velocity = widen(world->bodies.rows.end_velocity[ray]);
    const graze_vec2d relative =
        subtract(velocity, velocity_under(world, push.body, ray, push.lever, touch.time));
    const double speed = dot(velocity, touch.normal);
    push.impulse = landing_impulse(world, &push, relative);
    push.closing = (is_a ? -speed : speed) > 0 ? length_of(relative) : 0;
    return give_push(world, &push);
}

// Deflects bodies that meet a body: `a` or `b` is null for one that is not deflected.
static void deflect_bodies(const graze_world *world, const grz_event *event, grz_trajectory *a,
                           grz_trajectory *b, const impulse_exchange *exchange)
{
    grz_trajectory *const turned[2] = {a, b};
    obstacle met[2];
    for (uint32_t k = 0; k < 2; ++k) {
        if (turned[k]) {
            met[k] = find_obstacle(exchange, k == 0);
            change_velocity(world, turned[k], &met[k]);
        }
    }
    for (uint32_t k = 0; k < 2; ++k) {
        if (turned[k]) {
            deflect(world, turned[k], event->touch.time, &met[k]);
        }
    }
}

void grz_hold_solved(const graze_world *world, const grz_event *event)
{
    keep_apart(world, event, grz_trajectory_of(world, event->row_a),
               grz_trajectory_of(world, event->row_b));
}

// The masses count as above; but what a rigid body hits, and the solver moves, takes its share at
// once.
static void answer_impact(graze_world *world, const grz_event *event, const grz_side *a,
                          const grz_side *b)
{
    impulse_exchange exchange;
    find_speeds(world, event, &exchange);
    double inverse_a = inverse_mass(world, a, b, exchange.speed_a);
    double inverse_b = inverse_mass(world, b, a, -exchange.speed_b);
    const bool sticks = lands(world, a, inverse_a) || lands(world, b, inverse_b);
    if (!(inverse_a > 0) && !(inverse_b > 0)) {
        inverse_a = is_deflected(a);
        inverse_b = is_deflected(b);
    }
    const grz_impact_masses masses = {inverse_a, inverse_b, sticks};
    grz_impact(world, event, a, b, &masses);
    if (event->row_b != GRZ_NONE && !a->spent && !b->spent) {
        keep_apart(world, event, is_deflected(a) ? a->trajectory : NULL,
                   is_deflected(b) ? b->trajectory : NULL);
    }
}

bool grz_respond(graze_world *world, const grz_event *event, const grz_side *a, const grz_side *b)
{
    if (grz_is_impact(world, event)) {
        answer_impact(world, event, a, b);
        return true;
    }
    grz_trajectory *own_a = is_deflected(a) ? a->trajectory : NULL;
    grz_trajectory *own_b = is_deflected(b) ? b->trajectory : NULL;
    if (event->row_b == GRZ_NONE) {
        if (own_a) {
            answer_wall(world, event, own_a);
        }
        return true;
    }
    impulse_exchange exchange;
    find_exchange(world, event, a, b, &exchange);
    deflect_bodies(world, event, own_a, own_b, &exchange);
    if (!a->spent && !b->spent) {
        keep_apart(world, event, own_a, own_b);
    }
    return !exchange.waits || give_shot(world, event, a->trajectory == NULL, &exchange);
}

// Whether a way through a held place is only what turning there rounds to: it leads along what
// holds the body, and not far.
static bool is_rounding(const grz_trajectory *trajectory, graze_vec2d delta, double size)
{
    const graze_vec2 start = trajectory->at[0];
    const double reach = absolute((double)start.x) + absolute((double)start.y) + size;
    if (length_of(delta) > grz_position_tolerance * reach) {
        return false;
    }
    for (uint32_t i = 0; i < trajectory->slide.count; ++i) {
        const graze_vec2d normal = trajectory->slide.planes[i].normal;
        const double blur = grz_blur_at(start, normal) + grz_position_tolerance * size;
        if (absolute(dot(delta, normal)) > blur / 2) {
            return false;
        }
    }
    return true;
}

void grz_undo_rounding(const graze_world *world, grz_trajectory *trajectory)
{
    const bool held = trajectory->velocity.x == 0 && trajectory->velocity.y == 0 &&
                      trajectory->count > 2 && grz_response_of(world, trajectory) == GRAZE_SLIDE;
    const graze_vec2 start = trajectory->at[0];
    graze_vec2 *end = &trajectory->at[trajectory->count - 1];
    const graze_vec2d delta = {(double)end->x - (double)start.x, (double)end->y - (double)start.y};
    if (held && is_rounding(trajectory, delta, grz_size_of(world, trajectory->row))) {
        *end = start;
    }
}
