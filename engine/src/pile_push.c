#include "pile_push.h"

#include "motion_planes.h"
#include "tolerance.h"

// Momentum goes through a row of half a dozen to a hundredth (test_pile.c).
enum { SWEEPS = 16, PASSES = 8 };

static const double recovery = 0.25;    ///< Of an overlap, a step.
static const double closing = 1e-7;     ///< Of the size, a step: so slow an approach is rounding.
static const double creeping = 0x1p-13; ///< Likewise: so slow a one is better than to be stuck.

// --- Sweeps ---

// So far the two may come together in the step: until they touch beyond any rounding.
static double find_room(const grz_near *near)
{
    if (near->gap > -near->slack / 2) {
        return greater(near->gap + near->slack, 0);
    }
    return 0;
}

static double speed_of(const grz_piles *piles, const grz_near *near)
{
    return near->kind == GRZ_NEAR_BODY ? dot(piles->bodies.data[near->lower].velocity, near->normal)
                                       : near->speed;
}

// Coulomb: of the speed along the surface, relative to the other, at most so much; `rubbed` has
// been taken before.
static void rub(grz_piled *body, graze_vec2d normal, double speed, double most, double *rubbed)
{
    const double now = lesser(greater(*rubbed + speed, -most), most);
    body->velocity = along(body->velocity, left_of(normal), *rubbed - now);
    *rubbed = now;
}

// How fast upper moves along the surface, relative to what it lies on.
static double find_slip(const grz_piled *upper, const grz_piled *lower, const grz_near *near)
{
    const double slip = dot(upper->velocity, left_of(near->normal));
    return slip - (lower ? dot(lower->velocity, left_of(near->normal)) : near->slip);
}

static void push_apart(const grz_piles *piles, grz_near *near, double dt)
{
    grz_piled *upper = &piles->bodies.data[near->upper];
    const double approach = dot(upper->velocity, near->normal) - speed_of(piles, near);
    const double impulse = greater(near->impulse + approach - find_room(near) / dt, 0);
    const double change = impulse - near->impulse;
    near->impulse = impulse;
    upper->velocity = along(upper->velocity, near->normal, -change * near->share);
    grz_piled *lower = near->kind == GRZ_NEAR_BODY ? &piles->bodies.data[near->lower] : NULL;
    const double rest = 1 - near->share;
    if (lower) {
        lower->velocity = along(lower->velocity, near->normal, change * rest);
    }
    const double slip = find_slip(upper, lower, near);
    const double most = near->friction * impulse;
    rub(upper, near->normal, slip * near->share, most * near->share, &near->rubbed_upper);
    if (lower) {
        rub(lower, near->normal, -slip * rest, most * rest, &near->rubbed_lower);
    }
}

// Down and up again: so one sweep brings the weight of all to the lowest, and support to the
// highest.
static void sweep(const grz_piles *piles, double dt)
{
    for (uint32_t k = piles->nears.count; k-- > 0;) {
        push_apart(piles, &piles->nears.data[k], dt);
    }
    for (uint32_t k = 0; k < piles->nears.count; ++k) {
        push_apart(piles, &piles->nears.data[k], dt);
    }
}

// --- What the sweeps leave ---

/// What a body may not come closer to, seen from the body.
typedef struct barrier {
    graze_vec2d normal; ///< Into it.
    double limit;       ///< Of the body's speed along the normal.
    double over;        ///< So much faster the body is.
} barrier;

/// What is found out about all bodies, one after the other.
typedef struct settling {
    const grz_piles *piles;
    double dt;
    double fall;   ///< What gravity adds to a speed, in a step.
    bool recovers; ///< What overlaps too deep is to part.
} settling;

static double find_limit(const settling *of, const grz_near *near, double speed)
{
    const bool is_deep =
        of->recovers && near->kind == GRZ_NEAR_BODY && near->gap < -2 * near->slack;
    const double room = is_deep ? recovery * (near->gap + near->slack) : find_room(near);
    return speed + room / of->dt;
}

// A body yields to what gives no way, to what lies lower, and to what is stuck.
static bool yields_to(const settling *of, const grz_near *near, bool is_upper)
{
    const double share = is_upper ? near->share : 1 - near->share;
    const uint32_t other = is_upper ? near->lower : near->upper;
    if (near->kind != GRZ_NEAR_BODY || !(share < 1)) {
        return true;
    }
    return share > 0 && (is_upper || of->piles->bodies.data[other].stuck);
}

static barrier barrier_of(const settling *of, uint32_t link, graze_vec2d course)
{
    const grz_near *near = &of->piles->nears.data[link / 2];
    const bool is_upper = link % 2 == 0;
    const uint32_t other = is_upper ? near->lower : near->upper;
    barrier met = {is_upper ? near->normal : negate(near->normal), 0, 0};
    const double speed = near->kind == GRZ_NEAR_BODY
                             ? dot(of->piles->bodies.data[other].course, met.normal)
                             : near->speed;
    met.limit = find_limit(of, near, speed);
    met.over = yields_to(of, near, is_upper) ? dot(course, met.normal) - met.limit : 0;
    return met;
}

// The one that the course leads into fastest.
static barrier find_worst(const settling *of, const grz_piled *body, graze_vec2d course)
{
    barrier worst = {{0, 0}, 0, 0};
    for (uint32_t link = body->first_link; link != GRZ_NONE; link = of->piles->links.data[link]) {
        const barrier met = barrier_of(of, link, course);
        if (met.over > worst.over) {
            worst = met;
        }
    }
    return worst;
}

// Finds the course nearest to the wish that leads into nothing. Returns false when there is none,
// or it would be faster than the wish and gravity make it.
static bool find_course(const settling *of, grz_piled *body, graze_vec2d wish)
{
    const double rounding = closing * body->size / of->dt;
    grz_slide slide = {.wish = wish};
    body->course = wish;
    barrier worst = find_worst(of, body, wish);
    for (int k = 0; worst.over > rounding && k < GRZ_TURNS; ++k) {
        grz_planes_add(&slide, worst.normal, worst.limit);
        body->course = grz_planes_slide(&slide);
        worst = find_worst(of, body, body->course);
    }
    return worst.over <= creeping * body->size / of->dt &&
           length_of(body->course) <= length_of(body->velocity) + of->fall;
}

// For this step alone no body is faster than the boxes allow that its pairs were found by.
static graze_vec2d find_wish(const settling *of, const grz_piled *body)
{
    const double speed = length_of(body->velocity);
    const bool is_held = of->recovers && speed > body->most;
    return is_held ? scale(body->velocity, body->most / speed) : body->velocity;
}

// Bodies that are stuck stand, and all others yield to them: once more, until no other is stuck.
static void settle(const settling *of)
{
    const grz_piles *piles = of->piles;
    for (uint32_t k = 0; k < piles->bodies.count; ++k) {
        piles->bodies.data[k].stuck = false;
        piles->bodies.data[k].course = find_wish(of, &piles->bodies.data[k]);
    }
    bool done = false;
    for (int pass = 0; pass < PASSES && !done; ++pass) {
        done = true;
        for (uint32_t k = 0; k < piles->bodies.count; ++k) {
            grz_piled *body = &piles->bodies.data[k];
            if (!body->stuck && !find_course(of, body, find_wish(of, body))) {
                const graze_vec2d still = {0, 0};
                body->course = still;
                body->stuck = true;
                done = false;
            }
        }
    }
}

void grz_piles_push(graze_world *world)
{
    const grz_piles *piles = &world->piles;
    settling of = {.piles = piles, .dt = (double)world->dt};
    of.fall = length_of(widen(world->gravity)) * of.dt;
    for (int k = 0; k < SWEEPS; ++k) {
        sweep(piles, of.dt);
    }
    settle(&of);
    for (uint32_t k = 0; k < piles->bodies.count; ++k) {
        piles->bodies.data[k].velocity = piles->bodies.data[k].course;
    }
    of.recovers = true;
    settle(&of);
}
