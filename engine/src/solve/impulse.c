#include "solve/impulse.h"

#include "collide/pair_sweep.h"
#include "collide/tolerance.h"
#include "fault.h"
#include "solve/manifold.h"
#include "solve/obstacle.h"
#include "solve/slide.h"
#include "solve/solve.h"
#include "solve/trajectory.h"
#include "vec2d.h"
#include "world/adjacency.h"
#include "world/bodies.h"
#include "world/rows.h"
#include "world/run_sort.h"

// The velocity of a body as it is known now, of a wall (row GRZ_NONE) 0.
static graze_vec2d velocity_of(const graze_world *world, grz_row row)
{
    if (row == GRZ_NONE) {
        return vec2d(0, 0);
    }
    const grz_trajectory *trajectory = grz_trajectory_of(world, row);
    return trajectory ? trajectory->velocity : widen(world->bodies.rows.end_velocity[row]);
}

// Before its last turn only its course is known. That is what a ray has to keep away from.
graze_vec2d grz_velocity_at(const graze_world *world, grz_row row, double time)
{
    const grz_trajectory *trajectory = row == GRZ_NONE ? NULL : grz_trajectory_of(world, row);
    if (trajectory && time < trajectory->time[trajectory->count - 2]) {
        return scale(grz_course_at(world, row, time), 1 / (double)world->call.dt);
    }
    return velocity_of(world, row);
}

double grz_spin_now(const graze_world *world, grz_row row)
{
    const grz_trajectory *trajectory = grz_trajectory_of(world, row);
    const uint32_t traits = world->bodies.rows.traits[row];
    if (trajectory && grz_is_rigid(traits)) {
        return (double)trajectory->spin;
    }
    const bool is_solved = row < world->bodies.active_count && grz_is_solved(traits);
    return is_solved ? (double)world->solve.ends.data[world->solve.slot_of_row.data[row]].spin
                     : (double)grz_spin_of(&world->bodies.rows, row);
}

graze_vec2d grz_surface_velocity(const graze_world *world, const grz_event *event, grz_row row)
{
    const grz_touch *touch = &event->touch;
    const graze_vec2d velocity = grz_velocity_at(world, row, touch->time);
    if (event->row_b == GRZ_NONE || !(world->bodies.rows.traits[row] & GRZ_TRAIT_SPINS)) {
        return velocity;
    }
    const graze_vec2d lever = subtract(touch->point, grz_place_at(world, row, touch->time));
    return along(velocity, left_of(lever), grz_spin_now(world, row));
}

// A rigid body that is hit is awake from the next step on.
static grz_rigid_end *wake(grz_solve *solve, grz_row row)
{
    grz_rigid_end *end = &solve->ends.data[solve->slot_of_row.data[row]];
    end->asleep = false;
    end->quiet = 0;
    return end;
}

// --- Impacts of rigid bodies ---

/// One side of an impact.
typedef struct impact_side {
    const grz_side *side;
    graze_vec2d centre, velocity; ///< At the time of the impact.
    double spin;
    double inverse_mass, inverse_inertia;
    double direction; ///< Of the impulse on it: 1 for b, -1 for a.
} impact_side;

/// A point where the two touch.
typedef struct impact_point {
    graze_vec2d lever_a, lever_b;
    double approach; ///< Along the normal, units per second.
    double wanted;   ///< By how much the impact is to change it.
} impact_point;

typedef struct impact {
    impact_side a, b;
    graze_vec2d normal, tangent; ///< From a to b; the normal turned by -90 degrees.
    double friction, restitution, slip;
    bool sticks;
    uint32_t count;
    impact_point points[GRZ_MANIFOLD_POINTS];
} impact;

bool grz_is_impact(const graze_world *world, const grz_event *event)
{
    const uint32_t *traits = world->bodies.rows.traits;
    const uint32_t a = traits[event->row_a];
    if (event->row_b == GRZ_NONE) {
        return grz_is_rigid(a);
    }
    const uint32_t b = traits[event->row_b];
    const bool both = grz_gives_way(world, event->row_a) && grz_gives_way(world, event->row_b);
    return (grz_is_rigid(a) || grz_is_rigid(b) || both) && grz_kind_of(a) != GRAZE_SHAPE_RAY &&
           grz_kind_of(b) != GRAZE_SHAPE_RAY;
}

// --- The two sides ---

// Where it stays: a copy would have to wait until all of it is stored.
static void fill_side(const graze_world *world, const grz_side *side, double time,
                      double inverse_mass, double direction, impact_side *filled)
{
    filled->side = side;
    filled->inverse_mass = inverse_mass;
    filled->direction = direction;
    filled->centre = vec2d(0, 0);
    filled->velocity = vec2d(0, 0);
    filled->spin = filled->inverse_inertia = 0;
    if (side->row == GRZ_NONE) {
        return;
    }
    const grz_course course = grz_course_of(world, side->row);
    filled->centre = grz_course_start(&course, time);
    filled->velocity = velocity_of(world, side->row);
    filled->spin = grz_spin_now(world, side->row);
    filled->inverse_inertia = inverse_mass > 0 ? grz_inverse_inertia_of(world, side->row) : 0;
}

static graze_vec2d velocity_at(const impact_side *side, graze_vec2d lever)
{
    return along(side->velocity, left_of(lever), side->spin);
}

static graze_vec2d velocity_between(const impact *of, const impact_point *point)
{
    return subtract(velocity_at(&of->b, point->lever_b), velocity_at(&of->a, point->lever_a));
}

// --- Where they touch ---

static void add_point(impact *of, graze_vec2d lever_a, graze_vec2d lever_b)
{
    impact_point *point = &of->points[of->count];
    point->lever_a = lever_a;
    point->lever_b = lever_b;
    point->approach = -dot(velocity_between(of, point), of->normal);
    of->count += of->count == 0 || point->approach > 0;
}

static bool is_circle(const grz_rows *rows, grz_row row)
{
    return grz_kind_of(rows->traits[row]) == GRAZE_SHAPE_CIRCLE;
}

// Only what comes together takes part.
static void drop_parting(impact *of)
{
    if (of->count == 2 && !(of->points[0].approach > 0)) {
        of->points[0] = of->points[--of->count];
    }
}

// What is flat may touch in two points.
static void find_manifold_points(const graze_world *world, const grz_event *event, impact *of)
{
    const grz_rows *rows = &world->bodies.rows;
    const grz_figure a = grz_figure_of(rows, event->row_a), b = grz_figure_of(rows, event->row_b);
    const double size =
        min_double(grz_size_of(world, event->row_a), grz_size_of(world, event->row_b));
    const grz_manifold manifold =
        grz_manifold_of(&a, &b, subtract(of->b.centre, of->a.centre), grz_contact_slop * size);
    const bool same = dot(widen(manifold.normal), of->normal) > grz_same_normal;
    for (uint32_t k = 0; same && k < manifold.count; ++k) {
        add_point(of, widen(manifold.levers_a[k]), widen(manifold.levers_b[k]));
    }
}

// --- What is met in one plane ---

// What gives no way, and is met at the same time in the same plane, is one: blocks of a row, and
// terrain that is level with them. A rect that flies meets all of it, from one end to the other.

/// The side of a rect that meets it.
typedef struct met_side {
    const impact_side *own, *other; ///< The other one gives no way.
    graze_vec2d out, tangent;       ///< The normal, out of the rect; the same turned left.
    double slop, depth;             ///< How deep they overlap.
    double low, high; ///< From where to where it is met: along the tangent, from its centre.
} met_side;

static void widen_side(met_side *side, graze_vec2d lever)
{
    const double place = dot(lever, side->tangent);
    side->low = min_double(side->low, place);
    side->high = max_double(side->high, place);
}

// Widens it by a manifold that was made before the rect came nearer by `way`.
static void widen_by(met_side *side, const grz_manifold *manifold, double way)
{
    const bool same = dot(widen(manifold->normal), side->out) > grz_same_normal;
    for (uint32_t k = 0; same && k < manifold->count; ++k) {
        if (absolute((double)manifold->gaps[k] - way + side->depth) <= side->slop) {
            widen_side(side, widen(manifold->levers_a[k]));
        }
    }
}

static void widen_by_walls(const graze_world *world, met_side *side)
{
    const grz_solve *solve = &world->solve;
    const grz_row row = side->own->side->row;
    const graze_vec2d way = subtract(side->own->centre, widen(world->bodies.rows.position[row]));
    const grz_slot slot = solve->slot_of_row.data[row];
    for (uint32_t k = grz_first_of(&solve->wall_ends, slot); k < solve->wall_ends.data[slot]; ++k) {
        const uint32_t contact = solve->walls.data[k].contact;
        if (contact != GRZ_NONE) {
            widen_by(side, &solve->contacts.data[contact].manifold, dot(way, side->out));
        }
    }
}

// Whether a body holds the rect as the other one does, and moves as that does.
static bool is_one_with_other(const graze_world *world, const met_side *side, grz_row row)
{
    GRZ_FAULT(blocks_by_themselves, return false);
    if (grz_gives_way(world, row) || !grz_is_solid(world->bodies.rows.traits[row]) ||
        grz_bodies_pass(world, side->own->side->row, row)) {
        return false;
    }
    GRZ_FAULT(blocks_that_move, return true);
    const grz_trajectory *trajectory = grz_trajectory_of(world, row);
    const graze_vec2d velocity = velocity_of(world, row), others = side->other->velocity;
    return !(trajectory && trajectory->gone) && velocity.x == others.x && velocity.y == others.y &&
           grz_spin_now(world, row) == 0;
}

static void widen_by_bodies(const graze_world *world, double time, met_side *side)
{
    const grz_rows *rows = &world->bodies.rows;
    const grz_row own = side->own->side->row;
    const grz_figure figure = grz_figure_of(rows, own);
    for (uint32_t link = grz_link_first(world, own); grz_link_may_deflect(world, link);
         link = grz_link_next(world, link)) {
        const grz_candidate *pair = &world->found.candidates.data[grz_link_candidate(link)];
        const grz_row row = pair->row_a ^ pair->row_b ^ own;
        if (row == side->other->side->row || !is_one_with_other(world, side, row)) {
            continue;
        }
        const grz_figure other = grz_figure_of(rows, row);
        const graze_vec2d apart = subtract(grz_place_at(world, row, time), side->own->centre);
        const grz_manifold manifold = grz_manifold_of(&figure, &other, apart, side->slop);
        widen_by(side, &manifold, 0);
    }
}

// Makes both ends of the side the points of an impact. They are as high as one that it has.
static void touch_at_ends(const met_side *side, graze_vec2d lever, impact *of)
{
    const double ends[GRZ_MANIFOLD_POINTS] = {side->low, side->high};
    const graze_vec2d apart = subtract(side->own->centre, side->other->centre);
    const double place = dot(lever, side->tangent);
    of->count = 0;
    for (uint32_t k = 0; k < GRZ_MANIFOLD_POINTS; ++k) {
        const graze_vec2d on_own = along(lever, side->tangent, ends[k] - place);
        const graze_vec2d on_other = add(on_own, apart);
        add_point(of, side->own == &of->a ? on_own : on_other,
                  side->own == &of->a ? on_other : on_own);
    }
}

// Of what flies: what the solver moves has a contact with each.
static bool is_held_flyer(const graze_world *world, const met_side *side)
{
    const grz_row row = side->own->side->row, other = side->other->side->row;
    return grz_flies(world->bodies.rows.traits[row]) && !is_circle(&world->bodies.rows, row) &&
           (other == GRZ_NONE || (!grz_gives_way(world, other) && side->other->spin == 0));
}

static graze_vec2d lever_of(const impact *of, const met_side *side, uint32_t point)
{
    return side->own == &of->a ? of->points[point].lever_a : of->points[point].lever_b;
}

static void join_plane(const graze_world *world, const grz_touch *touch, impact *of)
{
    const bool is_a = of->b.side->row == GRZ_NONE || !grz_gives_way(world, of->b.side->row);
    met_side side = {.own = is_a ? &of->a : &of->b, .other = is_a ? &of->b : &of->a};
    if (!is_held_flyer(world, &side)) {
        return;
    }
    side.out = is_a ? of->normal : negate(of->normal);
    side.tangent = left_of(side.out);
    side.slop = grz_slop_of(world, side.own->side->row);
    side.depth = touch->depth;
    side.low = side.high = dot(lever_of(of, &side, 0), side.tangent);
    widen_side(&side, lever_of(of, &side, of->count - 1));
    const double low = side.low, high = side.high;
    if (side.other->velocity.x == 0 && side.other->velocity.y == 0) {
        widen_by_walls(world, &side);
    }
    widen_by_bodies(world, touch->time, &side);
    if (side.low < low || side.high > high) {
        touch_at_ends(&side, lever_of(of, &side, 0), of);
    }
}

// A point that any two have.
static void add_touch(const grz_rows *rows, const grz_event *event, impact *of)
{
    const bool is_wall = event->row_b == GRZ_NONE;
    graze_vec2d lever_a = subtract(event->touch.point, of->a.centre);
    graze_vec2d lever_b = is_wall ? vec2d(0, 0) : subtract(event->touch.point, of->b.centre);
    if (is_circle(rows, event->row_a)) {
        lever_a = scale(of->normal, (double)rows->half[event->row_a].x);
    }
    if (!is_wall && is_circle(rows, event->row_b)) {
        lever_b = scale(of->normal, -(double)rows->half[event->row_b].x);
    }
    add_point(of, lever_a, lever_b);
}

// As it was turned before the step, what turns into another does not touch.
static void find_points(const graze_world *world, const grz_event *event, impact *of)
{
    const grz_rows *rows = &world->bodies.rows;
    const bool turns = event->touch.turns;
    if (!turns && event->row_b != GRZ_NONE && !is_circle(rows, event->row_a) &&
        !is_circle(rows, event->row_b)) {
        find_manifold_points(world, event, of);
    }
    if (of->count == 0) {
        add_touch(rows, event, of);
    }
    if (!turns) {
        join_plane(world, &event->touch, of);
    }
    drop_parting(of);
}

// --- Walls ---

// What has slid along a wall that it is pushed at goes along that wall alone. Returns the part of a
// push that is left.
static graze_vec2d leave_open(const grz_trajectory *trajectory, graze_vec2d push)
{
    if (!trajectory || trajectory->slide.count == 0) {
        return push;
    }
    graze_vec2d open = push;
    uint32_t held = 0;
    for (uint32_t i = 0; i < trajectory->slide.count; ++i) {
        const grz_plane *plane = &trajectory->slide.planes[i];
        const double rounding = grz_slide_tolerance * length_of(trajectory->slide.desired);
        if (dot(trajectory->velocity, plane->normal) > plane->limit - rounding &&
            dot(push, plane->normal) > 0) {
            open = along(push, plane->normal, -dot(push, plane->normal));
            ++held;
        }
    }
    const double least = 0x1p-20; // Of the square: less is no way out.
    return held > 1 || dot(open, open) < least * dot(push, push) ? vec2d(0, 0) : open;
}

static graze_vec2d moved_by(const impact_side *side, graze_vec2d impulse)
{
    return scale(leave_open(side->side->trajectory, impulse), side->inverse_mass);
}

// --- Speeds ---

// What gravity adds to the velocity of a body in a step: as much of it as contacts let through.
static graze_vec2d fall_of(const graze_world *world, grz_row row)
{
    const graze_vec2 gravity = world->config.gravity;
    if (row == GRZ_NONE || (world->bodies.rows.traits[row] & GRZ_TRAIT_INFINITE_MASS) ||
        (gravity.x == 0 && gravity.y == 0)) {
        return vec2d(0, 0);
    }
    const grz_dynamics dynamics = grz_dynamics_of(world, world->bodies.rows.index[row]);
    const double dt = (double)world->call.dt;
    const graze_vec2d fall = scale(widen(gravity), (double)dynamics.gravity_scale * dt /
                                                       (1 + (double)dynamics.damping * dt));
    if (!grz_is_solved(world->bodies.rows.traits[row]) || !(dot(fall, fall) > 0)) {
        return leave_open(grz_trajectory_of(world, row), fall);
    }
    const graze_vec2d change =
        offset(world->bodies.rows.end_velocity[row], world->bodies.rows.velocity[row]);
    return scale(fall, min_double(max_double(dot(change, fall) / dot(fall, fall), 0), 1));
}

// A velocity is that of the end of the step, less half of what gravity adds in a substep; a body
// that never turns goes the whole step as one. Returns what gravity adds to it after `time`.
static graze_vec2d fall_after(const graze_world *world, grz_row row, double time)
{
    const bool turns = row != GRZ_NONE && grz_is_rigid(world->bodies.rows.traits[row]);
    const double left = 1 - time - 0.5 / (turns ? (double)world->config.substeps : 1);
    return scale(fall_of(world, row), left);
}

// At the time of the impact the two come together more slowly, by `early`; and what they have after
// it grows as much until the end.
static void find_wanted(const graze_world *world, const grz_event *event, impact *of)
{
    const double rest = grz_sleep_speed(world);
    const double time = event->touch.time;
    const graze_vec2d fall =
        subtract(fall_after(world, event->row_a, time), fall_after(world, event->row_b, time));
    const double early = dot(fall, of->normal);
    for (uint32_t k = 0; k < of->count; ++k) {
        impact_point *point = &of->points[k];
        const double approach = max_double(point->approach, 0);
        const bool bounces = of->restitution > 0 && !of->sticks && approach > rest;
        point->wanted =
            bounces ? max_double((1 + of->restitution) * (approach - early), approach) : approach;
    }
}

// --- Impulses ---

// By how much an impulse of 1 along `push` at one point changes the speed along `along` at another.
static double mobility(const impact *of, const impact_point *pushed, graze_vec2d push,
                       const impact_point *moved, graze_vec2d direction)
{
    return dot(add(scale(moved_by(&of->a, scale(push, of->a.direction)), of->a.direction),
                   scale(moved_by(&of->b, scale(push, of->b.direction)), of->b.direction)),
               direction) +
           of->a.inverse_inertia * cross(pushed->lever_a, push) * cross(moved->lever_a, direction) +
           of->b.inverse_inertia * cross(pushed->lever_b, push) * cross(moved->lever_b, direction);
}

static void give_side(impact_side *side, graze_vec2d lever, graze_vec2d impulse)
{
    const graze_vec2d own = scale(impulse, side->direction);
    side->velocity = add(side->velocity, moved_by(side, own));
    side->spin += side->inverse_inertia * cross(lever, own);
}

static void give(impact *of, const impact_point *point, double pressure, double rub)
{
    const graze_vec2d impulse = along(scale(of->normal, pressure), of->tangent, rub);
    give_side(&of->a, point->lever_a, impulse);
    give_side(&of->b, point->lever_b, impulse);
}

// At one point: the impulse without friction, and as much of what friction adds to it until the two
// stick as Coulomb's cone allows.
static void solve_one(impact *of, const impact_point *point)
{
    const graze_vec2d n = of->normal, t = of->tangent;
    const double nn = mobility(of, point, n, point, n), nt = mobility(of, point, n, point, t);
    const double tt = mobility(of, point, t, point, t), det = nn * tt - nt * nt;
    const double slide = dot(velocity_between(of, point), t) - of->slip;
    if (!(nn > 0)) { // Walls hold both.
        return;
    }
    const double pressure = point->wanted / nn, approach = max_double(point->approach, 0);
    const bool is_firm = det > grz_slide_tolerance * nn * tt; // Not where walls hold them.
    const double rub = is_firm ? (-slide * nn - approach * nt) / det : 0;
    const double added = is_firm ? (approach * tt + slide * nt) / det - approach / nn : 0;
    double share = 1;
    if (!of->sticks && absolute(rub) > of->friction * (pressure + added)) {
        share = of->friction * pressure / (absolute(rub) - of->friction * added);
    }
    give(of, point, pressure + share * added, share * rub);
}

// At two points: the impulses without friction that change both speeds as wanted.
static bool solve_two(impact *of)
{
    const impact_point *first = &of->points[0], *second = &of->points[1];
    const graze_vec2d n = of->normal, t = of->tangent;
    const double k11 = mobility(of, first, n, first, n), k22 = mobility(of, second, n, second, n);
    const double k12 = mobility(of, first, n, second, n), det = k11 * k22 - k12 * k12;
    const double one = first->wanted * k22 - second->wanted * k12;
    const double two = second->wanted * k11 - first->wanted * k12;
    if (!(det > grz_slide_tolerance * k11 * k22) || one < 0 || two < 0) { // Or walls hold both.
        return false;
    }
    const double sum = (one + two) / det, share = sum > 0 ? two / (one + two) : 0;
    const impact_point middle = {
        .lever_a = along(first->lever_a, subtract(second->lever_a, first->lever_a), share),
        .lever_b = along(first->lever_b, subtract(second->lever_b, first->lever_b), share)};
    give(of, &middle, sum, 0);
    const double most = of->friction * sum;
    const double slide = dot(velocity_between(of, &middle), t) - of->slip;
    const double tt = mobility(of, &middle, t, &middle, t);
    const double rub = tt > 0 ? -slide / tt : 0;
    give(of, &middle, 0, of->sticks ? rub : min_double(max_double(rub, -most), most));
    return true;
}

static void solve(impact *of)
{
    if (of->count == 2 && solve_two(of)) {
        return;
    }
    const bool second = of->count == 2 && of->points[1].approach > of->points[0].approach;
    solve_one(of, &of->points[second]);
}

// How fast a body turns into a touch, along its normal; a wall does not.
static double turning_speed(const graze_world *world, const grz_touch *touch, grz_row row)
{
    const double spin = row == GRZ_NONE ? 0 : grz_spin_now(world, row);
    if (spin == 0) {
        return 0;
    }
    const grz_course course = grz_course_of(world, row);
    const graze_vec2d centre = grz_course_start(&course, touch->time);
    return spin * dot(left_of(subtract(touch->point, centre)), touch->normal);
}

double grz_turning_approach(const graze_world *world, const grz_event *event)
{
    const uint32_t *traits = world->bodies.rows.traits;
    const bool counts = event->row_b == GRZ_NONE
                            ? grz_is_impact(world, event)
                            : !((traits[event->row_a] | traits[event->row_b]) & GRAZE_SHAPE_RAY);
    if (!counts) {
        return 0;
    }
    return (turning_speed(world, &event->touch, event->row_a) -
            turning_speed(world, &event->touch, event->row_b)) *
           (double)world->call.dt;
}

// --- What follows ---

// The mean velocity for the rest of the step: gravity goes on.
static graze_vec2d mean_velocity(const graze_world *world, const grz_trajectory *trajectory,
                                 double time)
{
    const double left = (1 - time - 1 / (double)world->config.substeps) / 2;
    const graze_vec2d fall = fall_of(world, trajectory->row);
    return along(trajectory->velocity, fall, -left);
}

// What has been deflected too often in a step goes on turning as it did.
static void take_spin(const grz_call_state *call, grz_trajectory *trajectory, double time,
                      double spin)
{
    trajectory->spin = narrow_reported(spin);
    if (trajectory->count < GRZ_KNOTS) {
        grz_trajectory_turn_at(trajectory, call->dt, time, trajectory->spin);
    }
}

// It leaves the walls along which it has slid, or it meets them again.
static void take_velocity(const graze_world *world, grz_trajectory *trajectory,
                          graze_vec2d velocity)
{
    const bool stops = grz_response_of(world, trajectory) == GRAZE_STOP;
    velocity = stops ? vec2d(0, 0) : velocity;
    trajectory->velocity = velocity;
    trajectory->slide.desired = velocity;
    trajectory->slide.count = 0;
}

// Where a corner leaves a wall because the body turns, the centre may still come to it: a course
// leads along the wall.
static graze_vec2d find_course(const graze_world *world, const grz_trajectory *trajectory,
                               double time, const grz_event *event, const impact *of)
{
    const impact_point *point = &of->points[0];
    if (point->wanted > point->approach && grz_flies(world->bodies.rows.traits[trajectory->row])) {
        return scale(mean_velocity(world, trajectory, time), (double)world->call.dt);
    }
    const graze_vec2d course = scale(trajectory->velocity, (double)world->call.dt);
    const double into = event->row_b == GRZ_NONE ? dot(course, of->normal) : 0;
    return along(course, of->normal, -max_double(into, 0));
}

// A corner of a chain, and what touches a row of segments, is one turn.
static void turn_flyer(const graze_world *world, const grz_event *event, const impact *of,
                       const impact_side *side)
{
    grz_trajectory *trajectory = side->side->trajectory;
    const double time = event->touch.time;
    const bool is_rigid = grz_flies(world->bodies.rows.traits[trajectory->row]);
    take_velocity(world, trajectory, side->velocity);
    if (event->row_b == GRZ_NONE) {
        grz_trajectory_spare_deflection(trajectory, time);
    }
    if (is_rigid) {
        take_spin(&world->call, trajectory, time, side->spin);
    }
    if (trajectory->count < GRZ_KNOTS) {
        grz_trajectory_deflect(world, trajectory, time,
                               find_course(world, trajectory, time, event, of));
    }
}

// What the solver moves goes on as it does, and is awake from the next step on.
static void take_hit(grz_solve *solve, const impact_side *side)
{
    grz_trajectory *trajectory = side->side->trajectory;
    trajectory->velocity = side->velocity;
    trajectory->spin = narrow_reported(side->spin);
    (void)wake(solve, trajectory->row);
}

static void answer(graze_world *world, const grz_event *event, const impact *of,
                   const impact_side *side)
{
    const grz_side *own = side->side;
    if (!own->trajectory || !own->blocked || own->spent) {
        return;
    }
    if (grz_is_solved(world->bodies.rows.traits[own->row])) {
        take_hit(&world->solve, side);
    } else {
        turn_flyer(world, event, of, side);
    }
}

void grz_impact(graze_world *world, const grz_event *event, const grz_side *a, const grz_side *b,
                const grz_impact_masses *masses)
{
    const uint32_t own =
        grz_is_rigid(world->bodies.rows.traits[event->row_a]) ? event->row_a : event->row_b;
    const uint32_t other = event->row_b == GRZ_NONE ? GRZ_NONE : event->row_a ^ event->row_b ^ own;
    const double time = event->touch.time;
    const graze_vec2d normal = event->touch.normal;
    const grz_mixed_surface mixed = grz_mix_surfaces(world, own, other, event->segment,
                                                     own == event->row_a ? normal : negate(normal));
    impact of;
    of.normal = normal;
    of.tangent = negate(left_of(normal));
    of.friction = (double)mixed.friction;
    of.restitution = (double)mixed.restitution;
    of.slip = (double)mixed.slip;
    of.sticks = masses->sticks;
    of.count = 0;
    fill_side(world, a, time, masses->inverse_a, -1, &of.a);
    fill_side(world, b, time, masses->inverse_b, 1, &of.b);
    find_points(world, event, &of);
    find_wanted(world, event, &of);
    if (of.points[0].approach > 0) {
        solve(&of);
    }
    answer(world, event, &of, &of.a);
    answer(world, event, &of, &of.b);
}

// --- Impulses on courses that do not change ---

bool grz_impulse_give(graze_world *world, const grz_impulse *impulse)
{
    const grz_row row = world->bodies.row_of_index.data[impulse->index];
    if (!grz_array_reserve_more(&world->impacts.impulses, &world->config.counting, 1) ||
        !(grz_is_solved(world->bodies.rows.traits[row]) || grz_trajectory_give(world, row))) {
        return false;
    }
    world->impacts.impulses.data[world->impacts.impulses.count++] = *impulse;
    return true;
}

static int compare_impulses(const graze_world *world, uint32_t first, uint32_t second)
{
    const grz_impulse *a = &world->impacts.impulses.data[first];
    const grz_impulse *b = &world->impacts.impulses.data[second];
    if (a->index != b->index) {
        return a->index < b->index ? -1 : 1;
    }
    if (a->time != b->time) {
        return a->time < b->time ? -1 : 1;
    }
    return (a->by > b->by) - (a->by < b->by);
}

static bool sort_impulses(graze_world *world)
{
    const uint32_t count = world->impacts.impulses.count;
    grz_numbers *places = &world->impacts.impulse_places;
    if (!grz_array_reserve(places, &world->config.counting, (size_t)count + count / 2 + 1)) {
        return false;
    }
    for (uint32_t k = 0; k < count; ++k) {
        places->data[k] = k;
    }
    grz_sort_run(world, places->data, places->data + count, count, compare_impulses);
    return true;
}

// By how much what it met since, until a time of the step, has changed the velocity of a body.
static graze_vec2d turned_since(const graze_world *world, const grz_impulse *impulse, double until)
{
    const grz_row row = world->bodies.row_of_index.data[impulse->index];
    const graze_vec2d turned =
        subtract(grz_course_at(world, row, until), grz_course_at(world, row, impulse->time));
    return scale(turned, 1 / (double)world->call.dt);
}

// The body may have gained a velocity since the impulse was found: the faster it moves ahead of
// what hits it, the weaker the impulse is. It is never stronger.
static void add_gain(const graze_world *world, const grz_impulse *impulse, double until,
                     grz_impulse_gain *gain)
{
    const grz_row row = world->bodies.row_of_index.data[impulse->index];
    const double mass = (double)grz_material_of(world, impulse->index).mass;
    const double strength = length_of(impulse->impulse);
    const graze_vec2d gained = add(along(gain->velocity, left_of(impulse->lever), gain->spin),
                                   turned_since(world, impulse, until));
    const double ahead = strength > 0 ? dot(gained, impulse->impulse) / strength : 0;
    const double left = clamp(1 - ahead / impulse->closing, 0, 1);
    GRZ_FAULT(rays_in_turn, left = 1);
    gain->velocity = along(gain->velocity, impulse->impulse, left / mass);
    gain->spin +=
        left * cross(impulse->lever, impulse->impulse) * grz_inverse_inertia_of(world, row);
}

// Rays come one after the other: so the last impulses are its own, in the order of time.
grz_impulse_gain grz_impulses_given(const graze_world *world, grz_row row, uint32_t ray,
                                    double time)
{
    const uint32_t by = world->bodies.rows.index[ray], index = world->bodies.rows.index[row];
    uint32_t first = world->impacts.impulses.count;
    while (first > 0 && world->impacts.impulses.data[first - 1].by == by) {
        --first;
    }
    grz_impulse_gain gain = {{0, 0}, 0};
    for (uint32_t k = first; k < world->impacts.impulses.count; ++k) {
        if (world->impacts.impulses.data[k].index == index) {
            add_gain(world, &world->impacts.impulses.data[k], time, &gain);
        }
    }
    return gain;
}

static void move_rigid(graze_world *world, grz_row row, const grz_impulse_gain *gain)
{
    grz_rigid_end *end = wake(&world->solve, row);
    const graze_vec2 velocity = world->bodies.rows.end_velocity[row];
    world->bodies.rows.end_velocity[row] = narrow_reported2(add(widen(velocity), gain->velocity));
    end->spin = narrow_reported((double)end->spin + gain->spin);
}

static void move_on(graze_world *world, grz_index index, const grz_impulse_gain *gain)
{
    const grz_row row = world->bodies.row_of_index.data[index];
    grz_trajectory *trajectory = grz_trajectory_of(world, row);
    if (trajectory && !trajectory->gone) {
        trajectory->velocity = add(trajectory->velocity, gain->velocity);
        trajectory->spin = narrow_reported((double)trajectory->spin + gain->spin);
        if (grz_is_rigid(world->bodies.rows.traits[row])) {
            wake(&world->solve, row);
        }
    } else if (row < world->bodies.active_count && grz_is_solved(world->bodies.rows.traits[row])) {
        move_rigid(world, row, gain);
    }
}

bool grz_impulses_apply(graze_world *world)
{
    if (world->impacts.impulses.count == 0) {
        return true;
    }
    if (!sort_impulses(world)) {
        return false;
    }
    const grz_impulse_gain none = {{0, 0}, 0};
    grz_impulse_gain gain = none;
    for (uint32_t k = 0; k < world->impacts.impulses.count; ++k) {
        const uint32_t *places = world->impacts.impulse_places.data + k;
        const grz_impulse *impulse = &world->impacts.impulses.data[*places];
        add_gain(world, impulse, 1, &gain);
        const bool is_last = k + 1 == world->impacts.impulses.count ||
                             world->impacts.impulses.data[places[1]].index != impulse->index;
        if (is_last) {
            move_on(world, impulse->index, &gain);
            gain = none;
        }
    }
    return true;
}
