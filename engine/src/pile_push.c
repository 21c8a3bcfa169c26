#include "pile_push.h"

#include "pile_crowd.h"
#include "tolerance.h"

// Momentum goes through a row of half a dozen to a hundredth (test_pile.c).
enum { SWEEPS = 16 };

double grz_near_room(const grz_near *near, double dt)
{
    const double room = near->gap > -near->slack / 2 ? greater(near->gap + near->slack, 0) : 0;
    return room / dt;
}

double grz_near_parting_room(const grz_near *near, double share, double dt)
{
    const bool is_deep = near->kind == GRZ_NEAR_BODY && near->gap < -2 * near->slack;
    return is_deep ? share * (near->gap + near->slack) / dt : grz_near_room(near, dt);
}

// --- Order ---

// One near after the other, each would wait for what the last one computed. Those that share no
// body may come in any order, to the same bits: so each gets a level, above those of all nears
// before it that it shares a body with, and they come level by level.

// Returns how many levels there are.
static uint32_t find_levels(grz_piles *piles)
{
    uint32_t *tops = piles->tops.data;
    uint32_t highest = 0;
    for (uint32_t k = 0; k < piles->bodies.count; ++k) {
        tops[k] = 0;
    }
    for (uint32_t k = 0; k < piles->order.count; ++k) {
        const grz_near *near = &piles->nears.data[piles->order.data[k]];
        const uint32_t lower = near->kind == GRZ_NEAR_BODY ? near->lower : near->upper;
        const uint32_t level = tops[near->upper] > tops[lower] ? tops[near->upper] : tops[lower];
        piles->levels.data[k] = level;
        tops[near->upper] = tops[lower] = level + 1;
        highest = level > highest ? level : highest;
    }
    return highest + 1;
}

static void find_starts(grz_piles *piles, uint32_t level_count)
{
    uint32_t *starts = piles->starts.data;
    for (uint32_t level = 0; level <= level_count; ++level) {
        starts[level] = 0;
    }
    for (uint32_t k = 0; k < piles->order.count; ++k) {
        ++starts[piles->levels.data[k] + 1];
    }
    for (uint32_t level = 1; level <= level_count; ++level) {
        starts[level] += starts[level - 1];
    }
}

static void make_pushes(grz_piles *piles, double dt)
{
    find_starts(piles, find_levels(piles));
    for (uint32_t k = 0; k < piles->order.count; ++k) {
        const uint32_t n = piles->order.data[k];
        const grz_near *near = &piles->nears.data[n];
        const uint32_t place = piles->starts.data[piles->levels.data[k]]++;
        const grz_push push = {.normal = near->normal,
                               .room = grz_near_room(near, dt),
                               .share = near->share,
                               .friction = near->friction,
                               .upper = near->upper,
                               .lower = near->kind == GRZ_NEAR_BODY ? near->lower : GRZ_NONE,
                               .near = n};
        const grz_rub rub = {.speed = near->speed, .slip = near->slip};
        piles->pushes.data[place] = push;
        piles->rubs.data[place] = rub;
    }
}

// --- Sweeps ---

// Coulomb: of the speed along the surface, relative to the other, at most so much; `rubbed` has
// been taken before.
static graze_vec2d take_slip(graze_vec2d velocity, graze_vec2d surface, double speed, double most,
                             double *rubbed)
{
    const double now = lesser(greater(*rubbed + speed, -most), most);
    const double change = *rubbed - now;
    *rubbed = now;
    return along(velocity, surface, change);
}

// Slip is how fast upper moves along the surface, relative to what it lies on; `lower` is null for
// what gives no way.
static void rub(const grz_push *push, grz_rub *of, graze_vec2d *upper, graze_vec2d *lower)
{
    const graze_vec2d surface = left_of(push->normal);
    const double rest = 1 - push->share;
    const double most = push->friction * push->impulse;
    const double slip = dot(*upper, surface) - (lower ? dot(*lower, surface) : of->slip);
    *upper = take_slip(*upper, surface, slip * push->share, most * push->share, &of->upper);
    if (lower) {
        *lower = take_slip(*lower, surface, -slip * rest, most * rest, &of->lower);
    }
}

// Returns how much faster than before they part along the normal.
static inline double change_impulse(grz_push *push, double approach)
{
    const double before = push->impulse;
    const double wanted = before + approach - push->room;
    const double impulse = (wanted + absolute(wanted)) / 2; // Or 0: its sign cannot be predicted.
    push->impulse = impulse;
    return impulse - before;
}

static inline void push_off(grz_push *push, grz_rub *of, graze_vec2d *velocities)
{
    graze_vec2d upper = velocities[push->upper];
    const double change = change_impulse(push, dot(upper, push->normal) - of->speed);
    upper = along(upper, push->normal, -change * push->share);
    if (push->friction > 0) {
        rub(push, of, &upper, NULL);
    }
    velocities[push->upper] = upper;
}

static inline void push_apart(grz_push *push, grz_rub *of, graze_vec2d *velocities)
{
    if (push->lower == GRZ_NONE) {
        push_off(push, of, velocities);
        return;
    }
    graze_vec2d upper = velocities[push->upper];
    graze_vec2d lower = velocities[push->lower];
    const graze_vec2d normal = push->normal;
    const double change = change_impulse(push, dot(upper, normal) - dot(lower, normal));
    upper = along(upper, normal, -change * push->share);
    lower = along(lower, normal, change * (1 - push->share));
    if (push->friction > 0) {
        rub(push, of, &upper, &lower);
    }
    velocities[push->upper] = upper;
    velocities[push->lower] = lower;
}

// Down and up again: so one sweep brings the weight of all to the lowest, and support to the
// highest.
//
// HOT. bench: engine/step/heap
//
// Data    A near: 64 bytes read and 8 written, 32 of velocities read and written; each way.
// Branch  On what gives way, and on friction: mostly the same for all.
// Order   Of levels: what one waits for has been computed some pushes before.
static void sweep(const grz_piles *piles)
{
    grz_push *pushes = piles->pushes.data;
    grz_rub *rubs = piles->rubs.data;
    graze_vec2d *velocities = piles->courses.data;
    const uint32_t count = piles->order.count;
    for (uint32_t k = count; k-- > 0;) {
        push_apart(&pushes[k], &rubs[k], velocities);
    }
    for (uint32_t k = 0; k < count; ++k) {
        push_apart(&pushes[k], &rubs[k], velocities);
    }
}

static bool reserve(graze_world *world)
{
    grz_piles *piles = &world->piles;
    const graze_allocator *allocator = &world->counting;
    const uint32_t nears = piles->order.count;
    const uint32_t bodies = piles->bodies.count;
    return grz_array_reserve(&piles->courses, allocator, bodies) &&
           grz_array_reserve(&piles->tops, allocator, bodies) &&
           grz_array_reserve(&piles->starts, allocator, (size_t)nears + 1) &&
           grz_array_reserve(&piles->pushes, allocator, nears) &&
           grz_array_reserve(&piles->rubs, allocator, nears);
}

// Two bodies of a crowd may still approach each other by their gap. If the sweeps made them touch,
// they lose that approach, too: else they would go on into each other in the next step.
static void take_all(const grz_piles *piles)
{
    for (uint32_t k = 0; k < piles->order.count; ++k) {
        grz_push *push = &piles->pushes.data[k];
        push->room = push->impulse > 0 ? 0 : push->room;
    }
    for (int k = 0; k < SWEEPS; ++k) {
        sweep(piles);
    }
}

bool grz_piles_push(graze_world *world)
{
    grz_piles *piles = &world->piles;
    if (!reserve(world)) {
        return false;
    }
    make_pushes(piles, (double)world->dt);
    for (uint32_t k = 0; k < piles->bodies.count; ++k) {
        piles->courses.data[k] = piles->bodies.data[k].velocity;
    }
    for (int k = 0; k < SWEEPS; ++k) {
        sweep(piles);
    }
    if (grz_piles_are_crowds(world)) {
        take_all(piles);
    }
    for (uint32_t k = 0; k < piles->order.count; ++k) {
        piles->nears.data[piles->pushes.data[k].near].impulse = piles->pushes.data[k].impulse;
    }
    return true;
}
