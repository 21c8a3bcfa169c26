#include "pile/pile_settle.h"

#include "likely.h"
#include "meet/tolerance.h"
#include "motion/motion_planes.h"
#include "motion/ride.h"
#include "pile/pile_crowd.h"
#include "pile/pile_push.h"
#include "pile/pile_sets.h"

#include <float.h>
#include <string.h>

enum { MAX_SETTLED = 8 }; ///< How often a body settles at most.

static const double recovery = 0.25;    ///< Of an overlap, per step.
static const double closing = 1e-7;     ///< Of the size, per step: a slower approach is rounding.
static const double creeping = 0x1p-13; ///< Likewise: a slower one makes nothing stuck.
static const double pushed = 2; ///< Of the speed that it may have in a step: faster is pushed.
static const double deep = 16;  ///< Of the slack: two that overlap deeper may not stand.
static const double creeping_speed = 0x1p-8;     ///< Of what gravity adds in a step.
static const double creeping_distance = 0x1p-19; ///< Of the size, in a step.

// --- What holds bodies ---

// A body yields to what gives no way, to what lies lower, and to what is stuck; a body of a crowd,
// which has been separated from the others, only to what gives no way.
static grz_yield find_yield(const grz_constraint *constraint, double share, bool is_upper,
                            bool is_crowd)
{
    if (constraint->kind != GRZ_CONSTRAINT_BODY || !(share < 1)) {
        return GRZ_YIELDS;
    }
    return is_crowd || !(share > 0) ? GRZ_YIELDS_NEVER
           : is_upper               ? GRZ_YIELDS
                                    : GRZ_YIELDS_IF_STUCK;
}

// The edge as the upper body sees it.
static grz_constraint_edge make_edge(const graze_world *world, uint32_t n)
{
    const grz_constraint *constraint = &world->piles.constraints.data[n];
    const double dt = (double)world->dt;
    const bool gives_way = constraint->kind == GRZ_CONSTRAINT_BODY;
    const double speed = gives_way ? 0 : constraint->normal_speed;
    const bool is_crowd = grz_piles_are_crowds(world);
    const bool is_touch = is_crowd && constraint->impulse > 0;
    const grz_constraint_edge edge = {
        .normal = constraint->normal,
        .max_approaches = {speed + (is_touch ? 0 : grz_constraint_max_approach(constraint, dt)),
                           speed + grz_constraint_parting_approach(constraint, recovery, dt)},
        .other = gives_way ? constraint->lower : world->piles.bodies.count,
        .constraint = n,
        .yields = (uint8_t)find_yield(constraint, constraint->share, true, is_crowd),
        .other_yields = (uint8_t)find_yield(constraint, 1 - constraint->share, false, is_crowd)};
    return edge;
}

// The edge as the lower body sees it.
static grz_constraint_edge flip(const grz_constraint_edge *edge, uint32_t upper)
{
    grz_constraint_edge flipped = *edge;
    flipped.normal = negate(edge->normal);
    flipped.other = upper;
    flipped.yields = edge->other_yields;
    flipped.other_yields = edge->yields;
    return flipped;
}

// Returns the largest number of edges that a body has.
static uint32_t count_edges(grz_piles *piles)
{
    for (uint32_t k = 0; k < piles->order.count; ++k) {
        const grz_constraint *constraint = &piles->constraints.data[piles->order.data[k]];
        ++piles->bodies.data[constraint->upper].first_edge;
        if (constraint->kind == GRZ_CONSTRAINT_BODY) {
            ++piles->bodies.data[constraint->lower].first_edge;
        }
    }
    uint32_t sum = 0, most = 0;
    for (uint32_t k = 0; k < piles->bodies.count; ++k) {
        const uint32_t here = piles->bodies.data[k].first_edge;
        piles->bodies.data[k].first_edge = sum;
        sum += here;
        most = here > most ? here : most;
    }
    return most;
}

// Inlined: otherwise the edge would be built in memory and copied.
GRZ_IN_PLACE void add_edge(const grz_piles *piles, uint32_t body, const grz_constraint_edge *edge)
{
    grz_pile_body *piled = &piles->bodies.data[body];
    const bool follows = edge->other_yields == GRZ_YIELDS && edge->other < piles->bodies.count;
    piled->parts |= edge->max_approaches[0] != edge->max_approaches[1];
    piled->first_follower += !follows && piled->first_follower == piled->edge_count;
    piles->edges.data[piled->first_edge + piled->edge_count++] = *edge;
    piled->yield_count = edge->yields == GRZ_YIELDS ? piled->edge_count : piled->yield_count;
}

static void note_depth(const grz_piles *piles, const grz_constraint *constraint)
{
    if (constraint->kind == GRZ_CONSTRAINT_BODY && constraint->gap < -deep * constraint->slack) {
        piles->bodies.data[constraint->upper].is_deep = true;
        piles->bodies.data[constraint->lower].is_deep = true;
    }
}

static void make_edges(graze_world *world)
{
    grz_piles *piles = &world->piles;
    for (uint32_t k = 0; k < piles->order.count; ++k) {
        const uint32_t n = piles->order.data[k];
        const grz_constraint *constraint = &piles->constraints.data[n];
        const grz_constraint_edge edge = make_edge(world, n);
        note_depth(piles, constraint);
        add_edge(piles, constraint->upper, &edge);
        if (constraint->kind == GRZ_CONSTRAINT_BODY) {
            const grz_constraint_edge flipped = flip(&edge, constraint->upper);
            add_edge(piles, constraint->lower, &flipped);
        }
    }
}

// Marks the piles that something that gives no way pushes, and not only up.
static void mark_driven(const graze_world *world)
{
    const grz_piles *piles = &world->piles;
    for (uint32_t k = 0; k < piles->order.count && piles->shoves; ++k) {
        const grz_constraint *constraint = &piles->constraints.data[piles->order.data[k]];
        if (constraint->kind == GRZ_CONSTRAINT_FIXED && constraint->normal_speed < 0 &&
            !grz_constraint_bears(world, constraint)) {
            grz_pile_mark(piles, constraint->upper, GRZ_PILE_DRIVEN);
        }
    }
}

// --- Velocities ---

/// What is found out about all bodies, one after the other.
typedef struct settling {
    const graze_world *world;
    const grz_piles *piles;
    double dt;
    graze_vec2d up;
    double fall;   ///< What gravity adds to a speed, in a step.
    bool recovers; ///< For this step alone: what overlaps too deep is to part.
    bool is_crowd; ///< Its bodies need not yield to each other: grz_crowds_separate().
    bool asks_all; ///< Without shortcuts: see graze_world.
} settling;

/// What a body may not come closer to.
typedef struct barrier {
    const grz_plane *limit; ///< Of its speed; any where over is 0.
    double over;            ///< By how much its speed is above the limit, units per second.
} barrier;

static bool is_stuck(const settling *work, uint32_t body)
{
    return (work->piles->states.data[body] & GRZ_PILED_STUCK) != 0;
}

// Lists what the body yields to. Which of its edges these are is hard to predict: each is written,
// and kept if the body yields. What gives no way has a velocity of 0 at the place after all bodies.
// Edges to what lies higher come last, and count only where something is stuck.
//
// HOT. bench: engine/step/heap
//
// Data    An edge: 48 bytes read, and 17 of the other body; 24 written.
static uint32_t list_limits(const settling *work, const grz_pile_body *body)
{
    const grz_constraint_edge *edges = work->piles->edges.data + body->first_edge;
    grz_plane *limits = work->piles->limits.data;
    const uint32_t edge_count = body->is_near_stuck ? body->edge_count : body->yield_count;
    uint32_t count = 0;
    for (uint32_t k = 0; k < edge_count; ++k) {
        const grz_constraint_edge *edge = &edges[k];
        const double speed = dot(work->piles->step_velocities.data[edge->other], edge->normal);
        const grz_plane limit = {edge->normal, speed + edge->max_approaches[work->recovers]};
        limits[count] = limit;
        count += (edge->yields == GRZ_YIELDS) |
                 ((edge->yields == GRZ_YIELDS_IF_STUCK) & is_stuck(work, edge->other));
    }
    return count;
}

// The limit that the velocity exceeds most: again hard to predict.
static barrier find_worst(const grz_plane *limits, uint32_t count, graze_vec2d velocity)
{
    const grz_plane *worst = limits;
    double over = 0;
    for (uint32_t k = 0; k < count; ++k) {
        const double own = dot(velocity, limits[k].normal) - limits[k].limit;
        worst = own > over ? &limits[k] : worst;
        over = max_double(own, over);
    }
    const barrier found = {worst, over};
    return found;
}

// Limits how fast what overlaps parts. Returns how fast the velocity then leads into others.
static double separate_slowly(const settling *work, const grz_pile_body *body,
                              graze_vec2d *velocity, double share)
{
    settling plain = *work;
    plain.recovers = false;
    *velocity = scale(*velocity, share);
    return find_worst(work->piles->limits.data, list_limits(&plain, body), *velocity).over;
}

// Finds the velocity nearest to the desired one that leads into nothing. Returns false if there is
// none, or if it would be faster than the body's speed before and what gravity adds.
static bool find_velocity(const settling *work, grz_pile_body *body, graze_vec2d *velocity)
{
    const grz_plane *limits = work->piles->limits.data;
    const uint32_t count = list_limits(work, body);
    const double rounding = closing * body->size / work->dt;
    grz_slide slide;
    slide.desired = body->desired;
    slide.count = 0;
    *velocity = body->desired;
    barrier worst = find_worst(limits, count, *velocity);
    for (int k = 0; worst.over > rounding && k < GRZ_TURNS; ++k) {
        grz_planes_add(&slide, worst.limit->normal, worst.limit->limit);
        *velocity = work->recovers ? grz_planes_slide(&slide) : grz_planes_hold(&slide);
        worst = find_worst(limits, count, *velocity);
    }
    body->is_clear = worst.over <= rounding;
    const double stuck = creeping * body->size / work->dt;
    const double speed = length_of(*velocity);
    if (work->is_crowd || speed <= body->max_solved_speed) {
        return worst.over <= stuck;
    }
    return work->recovers &&
           separate_slowly(work, body, velocity, body->max_solved_speed / speed) <= stuck;
}

// Makes those wait whose velocity depends on this body's, because they yield to it. Returns the
// lowest of these; if there is none, the body after this one. If this one is not stuck, only what
// always yields to it depends on it: mostly what lies higher, to which its last edges are.
static uint32_t wake_others(const settling *work, uint32_t body)
{
    const grz_pile_body *piled = &work->piles->bodies.data[body];
    const grz_constraint_edge *edges = work->piles->edges.data + piled->first_edge;
    const bool is_stuck_now = is_stuck(work, body);
    const uint32_t first = is_stuck_now || work->asks_all ? 0 : piled->first_follower;
    uint32_t lowest = body + 1;
    for (uint32_t k = first; k < piled->edge_count; ++k) {
        const grz_constraint_edge *edge = &edges[k];
        const bool depends = (edge->other_yields == GRZ_YIELDS) |
                             ((edge->other_yields == GRZ_YIELDS_IF_STUCK) & is_stuck_now);
        work->piles->states.data[edge->other] |= (uint8_t)(depends ? GRZ_PILED_WAITS : 0);
        lowest = depends && edge->other < lowest ? edge->other : lowest;
    }
    return lowest;
}

// A body that leads into nothing, and is to part from nothing, needs no other velocity for this
// step than the one that it keeps, unless a body that it depends on takes another.
static bool has_to_settle(const settling *work, const grz_pile_body *body)
{
    return !work->recovers || work->is_crowd || work->asks_all || body->parts || !body->is_clear;
}

// For this step alone no body may be so fast that it leaves the box by which its pairs were found.
// Returns whether this slows it down.
static bool start_body(const settling *work, uint32_t k)
{
    const grz_piles *piles = work->piles;
    grz_pile_body *body = &piles->bodies.data[k];
    const double speed = length_of(body->velocity);
    const bool is_slowed = work->recovers && !work->is_crowd && speed > body->max_speed;
    const graze_vec2d velocity = work->is_crowd ? piles->step_velocities.data[k] : body->velocity;
    const graze_vec2d desired = is_slowed ? scale(velocity, body->max_speed / speed) : velocity;
    body->desired = desired;
    const bool is_driven =
        !work->recovers && piles->shoves && grz_pile_is_marked(piles, k, GRZ_PILE_DRIVEN);
    body->max_solved_speed = is_driven ? (double)FLT_MAX : speed + work->fall;
    body->settled = 0;
    body->is_near_stuck = work->asks_all;
    piles->step_velocities.data[k] = desired;
    return is_slowed;
}

static void start_settling(const settling *work)
{
    const grz_piles *piles = work->piles;
    const graze_vec2d still = {0, 0};
    const uint32_t count = piles->bodies.count;
    piles->step_velocities.data[count] = still;
    memset(piles->states.data, 0, (size_t)count + 1);
    for (uint32_t k = 0; k < count; ++k) {
        const bool is_slowed = start_body(work, k);
        if (is_slowed || has_to_settle(work, &piles->bodies.data[k])) {
            piles->states.data[k] = GRZ_PILED_WAITS;
        }
        if (is_slowed) {
            wake_others(work, k);
        }
    }
}

static void mark_near_stuck(const settling *work, uint32_t body)
{
    const grz_pile_body *piled = &work->piles->bodies.data[body];
    for (uint32_t k = 0; k < piled->edge_count; ++k) {
        const uint32_t other = work->piles->edges.data[piled->first_edge + k].other;
        if (other < work->piles->bodies.count) {
            work->piles->bodies.data[other].is_near_stuck = true;
        }
    }
}

static bool is_no_move(float start, float end, double size)
{
    const double rounding = grz_position_tolerance * absolute((double)start);
    return absolute((double)end - (double)start) <= max_double(rounding, creeping_distance * size);
}

bool grz_piles_creep(const grz_pile_body *body, graze_vec2 start, graze_vec2 end,
                     graze_vec2d velocity, double fall)
{
    const double max_speed = creeping_speed * fall;
    return !body->is_deep && dot(velocity, velocity) <= max_speed * max_speed &&
           is_no_move(start.x, end.x, body->size) && is_no_move(start.y, end.y, body->size);
}

// Returns whether a body that is to part stands after all, because it would only creep. What lies
// on it must know: if it went along, it would rise off this body and fall back, step after step.
static bool will_stand(const settling *work, const grz_pile_body *body, graze_vec2d velocity)
{
    if (!work->recovers || work->is_crowd || !body->parts) {
        return false;
    }
    const graze_world *world = work->world;
    const graze_vec2 start = world->rows.position[world->motions.data[body->motion].row];
    const graze_vec2 end = narrow(along(widen(start), velocity, work->dt));
    return grz_piles_creep(body, start, end, body->velocity, work->fall);
}

// What a body that is stuck does: it stands, or only rises if it is carried and nothing that gives
// no way is in the way. But if it is stuck because it is pushed, and cannot go as far as that in
// this step, it goes as far as it can: if it stood, it would be as slow in the next step, and would
// stand in each.
GRZ_APART static graze_vec2d find_stand(const settling *work, const grz_pile_body *body)
{
    if (work->recovers && !work->is_crowd && length_of(body->velocity) > pushed * body->max_speed) {
        return body->desired;
    }
    const grz_constraint_edge *edges = work->piles->edges.data + body->first_edge;
    const double speed = work->recovers ? min_double(body->rise, body->max_speed) : body->rise;
    const graze_vec2d rise = scale(work->up, speed);
    const double most = creeping * body->size / work->dt;
    for (uint32_t k = 0; body->rise > 0 && k < body->edge_count; ++k) {
        const bool is_fixed = edges[k].other == work->piles->bodies.count;
        const double limit = max_double(edges[k].max_approaches[0], 0) + most;
        if (is_fixed && dot(rise, edges[k].normal) > limit) {
            return vec2d(0, 0);
        }
    }
    return rise;
}

// A body that was passed over, because it did not have to settle, counts as settled once. Returns
// the lowest body that may be waiting now.
static uint32_t settle_one(const settling *work, uint32_t k, bool is_passed)
{
    const grz_piles *piles = work->piles;
    grz_pile_body *body = &piles->bodies.data[k];
    graze_vec2d velocity;
    const graze_vec2d before = piles->step_velocities.data[k];
    const bool done = find_velocity(work, body, &velocity);
    velocity = will_stand(work, body, velocity) ? vec2d(0, 0) : velocity;
    body->settled += is_passed && !body->settled ? 2 : 1;
    const bool stays = body->settled == MAX_SETTLED;
    body->is_clear = body->is_clear && done && !stays;
    piles->states.data[k] = (done ? 0 : GRZ_PILED_STUCK) | (stays ? GRZ_PILED_STAYS : 0);
    piles->step_velocities.data[k] = done ? velocity : find_stand(work, body);
    if (!done) {
        mark_near_stuck(work, k);
    }
    const bool is_same = done && velocity.x == before.x && velocity.y == before.y;
    return is_same ? k + 1 : wake_others(work, k);
}

// Returns the first body from this one up that waits; the number of all bodies if there is none.
// Mostly it is this one, whose state is read by itself: wide loads would have to wait until the
// bytes around it are stored.
static uint32_t next_that_waits(const grz_piles *piles, uint32_t from)
{
    const uint8_t *states = piles->states.data;
    if (states[from] == GRZ_PILED_WAITS && from < piles->bodies.count) {
        return from;
    }
    const uint8_t *next = memchr(states + from, GRZ_PILED_WAITS, piles->bodies.count - from);
    return next ? (uint32_t)(next - states) : piles->bodies.count;
}

// Bodies that are stuck stand, and all others of their pile yield to them. A body settles again
// only if something that it depends on has changed: otherwise it would find the same velocity. The
// lowest body that waits always settles next: so what lies below it, to which most yield, has
// settled.
static void settle(const settling *work)
{
    const grz_piles *piles = work->piles;
    start_settling(work);
    uint32_t highest = 0;
    uint32_t next = next_that_waits(piles, 0);
    while (next < piles->bodies.count) {
        highest = next > highest ? next : highest;
        next = next_that_waits(piles, settle_one(work, next, next < highest));
    }
}

bool grz_piles_settle(graze_world *world)
{
    grz_piles *piles = &world->piles;
    const graze_allocator *allocator = &world->counting;
    const uint32_t bodies = piles->bodies.count;
    const uint32_t most_of_a_body = count_edges(piles);
    if (!grz_array_reserve(&piles->edges, allocator, 2 * (size_t)piles->order.count) ||
        !grz_array_reserve(&piles->limits, allocator, (size_t)most_of_a_body + 1) ||
        !grz_array_reserve(&piles->states, allocator, (size_t)bodies + 1)) {
        return false;
    }
    settling work = {.world = world,
                     .piles = piles,
                     .dt = (double)world->dt,
                     .is_crowd = grz_piles_are_crowds(world),
                     .asks_all = world->no_shortcuts};
    work.fall = length_of(widen(world->gravity)) * work.dt;
    work.up = grz_up(world);
    make_edges(world);
    mark_driven(world);
    for (uint32_t k = 0; k < bodies; ++k) {
        piles->bodies.data[k].velocity = piles->step_velocities.data[k];
    }
    settle(&work);
    for (uint32_t k = 0; k < bodies; ++k) {
        piles->bodies.data[k].velocity = piles->step_velocities.data[k];
    }
    work.recovers = true;
    if (work.is_crowd) {
        grz_crowds_separate(world);
    }
    settle(&work);
    return true;
}
