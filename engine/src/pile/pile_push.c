#include "pile/pile_push.h"

#include "forest.h"
#include "meet/tolerance.h"
#include "motion/ride.h"
#include "pile/kept_impulses.h"
#include "pile/pile_crowd.h"
#include "pile/pile_sweep.h"

#include <string.h>

enum {
    SWEEPS = 16, ///< Momentum passes through half a dozen bodies to within 1 % (test_pile.c).
    ROUND_CAPACITY = 2 * GRZ_PUSHES ///< Two blocks: see pile_sweep_wide.h.
};

static const double withheld = 0.375; ///< The part of its own weight that a body keeps at first.

bool grz_constraint_bears(const graze_world *world, const grz_constraint *constraint)
{
    const graze_vec2d gravity = widen(world->gravity);
    const double pull = length_of(gravity);
    return pull > 0 && dot(constraint->normal, gravity) >= grz_steepest_bearing * pull;
}

// --- Order ---

// If constraints were solved one after the other, each would wait for the result of the last one.
// But constraints that share no body give the same bits in any order, or side by side. So each gets
// a round: the first one with room that comes after the rounds of all constraints before it with
// which it shares a body. (Graph colouring does likewise, but does not keep the order.) A round has
// room for as many as are solved at once. Were it to take all that it may, its last block would
// hold only a few.

static uint32_t lower_of(const grz_piles *piles, const grz_constraint *constraint)
{
    return constraint->kind == GRZ_CONSTRAINT_BODY ? constraint->lower : piles->bodies.count;
}

static void open_round(grz_piles *piles, uint32_t round)
{
    piles->starts.data[round] = 0;
    piles->open_rounds.data[round] = round;
}

// Returns the first round with room from this one on. There is one at the end.
static uint32_t find_open_round(grz_piles *piles, uint32_t from)
{
    return grz_forest_root(piles->open_rounds.data, from);
}

static void take_round(grz_piles *piles, uint32_t k, uint32_t *round_count)
{
    uint32_t *next_rounds = piles->next_rounds.data;
    const grz_constraint *constraint = &piles->constraints.data[piles->order.data[k]];
    const uint32_t upper = constraint->upper;
    const uint32_t lower = constraint->kind == GRZ_CONSTRAINT_BODY ? constraint->lower : upper;
    const uint32_t first =
        next_rounds[upper] > next_rounds[lower] ? next_rounds[upper] : next_rounds[lower];
    const uint32_t round = find_open_round(piles, first);
    piles->rounds.data[k] = round;
    next_rounds[upper] = next_rounds[lower] = round + 1;
    if (++piles->starts.data[round] == ROUND_CAPACITY) {
        piles->open_rounds.data[round] = round + 1;
    }
    if (round == *round_count) {
        open_round(piles, ++*round_count);
    }
}

// Returns how many rounds there are, and counts in `starts` how many constraints each takes.
static uint32_t find_rounds(grz_piles *piles)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < piles->bodies.count; ++k) {
        piles->next_rounds.data[k] = 0;
    }
    open_round(piles, 0);
    for (uint32_t k = 0; k < piles->order.count; ++k) {
        take_round(piles, k, &count);
    }
    return count;
}

// Finds which place among the pushes is the first of each round, which begins a block. Returns how
// many blocks there are.
static uint32_t find_starts(grz_piles *piles, uint32_t round_count)
{
    uint32_t *starts = piles->starts.data;
    uint32_t blocks = 0;
    for (uint32_t round = 0; round < round_count; ++round) {
        const uint32_t own = (starts[round] + GRZ_PUSHES - 1) / GRZ_PUSHES;
        starts[round] = blocks * GRZ_PUSHES;
        blocks += own;
    }
    return blocks;
}

// All of them at once: clearing only the rest of those that are not full took longer (bench:
// engine/step/heap).
static void clear_blocks(grz_piles *piles)
{
    memset(piles->pushes.data, 0, piles->pushes.count * sizeof *piles->pushes.data);
    for (uint32_t k = 0; k < piles->pushes.count; ++k) {
        grz_push_block *block = &piles->pushes.data[k];
        for (uint32_t i = 0; i < GRZ_PUSHES; ++i) {
            block->upper[i] = block->lower[i] = 2 * piles->bodies.count;
        }
    }
}

static void put_push(grz_piles *piles, uint32_t place, uint32_t n, double dt)
{
    const grz_constraint *constraint = &piles->constraints.data[n];
    grz_push_block *block = &piles->pushes.data[place / GRZ_PUSHES];
    const uint32_t k = block->count++;
    block->normal_x[k] = constraint->normal.x;
    block->normal_y[k] = constraint->normal.y;
    block->max_approach[k] = grz_constraint_max_approach(constraint, dt);
    block->share[k] = constraint->share;
    block->friction[k] = constraint->friction;
    block->impulse[k] = constraint->impulse;
    block->upper_tangent_impulse[k] = constraint->tangent_impulse * constraint->share;
    block->lower_tangent_impulse[k] = -(constraint->tangent_impulse * (1 - constraint->share));
    block->gives_way[k] = constraint->kind == GRZ_CONSTRAINT_BODY;
    block->normal_speed[k] = constraint->normal_speed;
    block->tangent_speed[k] = constraint->tangent_speed;
    block->upper[k] = 2 * constraint->upper;
    block->lower[k] = 2 * lower_of(piles, constraint);
    block->constraint[k] = n;
    block->has_friction |= constraint->friction > 0;
    block->is_uneven |= constraint->kind != GRZ_CONSTRAINT_BODY || constraint->share != 0.5;
}

// The blocks of a round are taken together. Where each round ends is known once all are filled.
static void pair_blocks(const grz_piles *piles, uint32_t round_count)
{
    uint32_t first = 0;
    for (uint32_t round = 0; round < round_count; ++round) {
        const uint32_t end = (piles->starts.data[round] + GRZ_PUSHES - 1) / GRZ_PUSHES;
        piles->pushes.data[first].is_with_next = end - first > 1;
        first = end;
    }
}

// Even blocks are a shortcut: solved like all others they give the same bits.
static void take_for_uneven(const grz_piles *piles)
{
    for (uint32_t k = 0; k < piles->pushes.count; ++k) {
        piles->pushes.data[k].is_uneven = true;
    }
}

static bool make_pushes(graze_world *world)
{
    grz_piles *piles = &world->piles;
    const uint32_t round_count = find_rounds(piles);
    const uint32_t blocks = find_starts(piles, round_count);
    if (!grz_array_reserve(&piles->pushes, &world->counting, blocks)) {
        return false;
    }
    piles->pushes.count = blocks;
    clear_blocks(piles);
    for (uint32_t k = 0; k < piles->order.count; ++k) {
        const uint32_t place = piles->starts.data[piles->rounds.data[k]]++;
        put_push(piles, place, piles->order.data[k], (double)world->dt);
    }
    pair_blocks(piles, round_count);
    if (world->no_shortcuts) {
        take_for_uneven(piles);
    }
    return true;
}

// --- Sweeps ---

static void sweep_all(const graze_world *world)
{
    static const grz_sweep_loops *const tables[] = GRZ_WIDE_TABLES(grz_sweep_loops);
    grz_sweep_fn *sweep = tables[world->lanes]->sweep;
    const grz_piles *piles = &world->piles;
    for (int k = 0; k < SWEEPS; ++k) {
        sweep(piles->pushes.data, piles->pushes.count, piles->step_velocities.data);
    }
}

static bool reserve(graze_world *world)
{
    grz_piles *piles = &world->piles;
    const graze_allocator *allocator = &world->counting;
    const uint32_t bodies = piles->bodies.count;
    return grz_array_reserve(&piles->step_velocities, allocator, (size_t)bodies + 1) &&
           grz_array_reserve(&piles->next_rounds, allocator, bodies) &&
           grz_array_reserve(&piles->starts, allocator, (size_t)piles->order.count + 1) &&
           grz_array_reserve(&piles->open_rounds, allocator, (size_t)piles->order.count + 1);
}

static void start_velocities(const grz_piles *piles)
{
    const graze_vec2d still = {0, 0};
    for (uint32_t k = 0; k < piles->bodies.count; ++k) {
        piles->step_velocities.data[k] = piles->bodies.data[k].velocity;
    }
    piles->step_velocities.data[piles->bodies.count] = still;
}

// --- Weight ---

// The speed along the normal, before gravity accelerated it, of what a constraint's upper body lies
// on; if that is driven, its speed now.
static double speed_before(const grz_piles *piles, const grz_constraint *constraint)
{
    return constraint->kind == GRZ_CONSTRAINT_BODY
               ? dot(piles->bodies.data[constraint->lower].before, constraint->normal)
               : constraint->normal_speed;
}

// The upper body of a constraint passes on to the lower one all of its approach but `kept`, in
// units per second, as if that one did not give way.
static void pass_weight_on(const grz_piles *piles, grz_constraint *constraint, double kept,
                           double dt)
{
    graze_vec2d *upper = &piles->step_velocities.data[constraint->upper];
    const double max_approach = grz_constraint_max_approach(constraint, dt) + kept;
    const double over =
        dot(*upper, constraint->normal) - speed_before(piles, constraint) - max_approach;
    if (!(over > 0) || !(constraint->share > 0)) {
        return;
    }
    constraint->impulse = over / constraint->share;
    *upper = along(*upper, constraint->normal, -over);
    if (constraint->kind == GRZ_CONSTRAINT_BODY) {
        graze_vec2d *lower = &piles->step_velocities.data[constraint->lower];
        *lower = along(*lower, constraint->normal, constraint->impulse * (1 - constraint->share));
    }
}

// Whether what a constraint's upper body lies on rises, whatever lies on it.
static bool is_driving(const grz_piles *piles, const grz_constraint *constraint)
{
    return constraint->kind == GRZ_CONSTRAINT_BODY ? piles->bodies.data[constraint->lower].is_driven
                                                   : constraint->normal_speed < 0;
}

static double find_rise(const graze_world *world, const grz_constraint *constraint)
{
    return constraint->kind == GRZ_CONSTRAINT_BODY
               ? world->piles.bodies.data[constraint->lower].rise
               : grz_rise_on(world, constraint->normal, constraint->normal_speed);
}

// What gives no way and rises, such as a lift, moves all that lies on it in this very step. By
// sweeps alone each body would get half of the speed of the one below, and those that lag behind
// would be in the way of those below. So, from the lowest up, each body gets the speed of what it
// lies on, as if it had had it before.
static void drive_all(const graze_world *world)
{
    const grz_piles *piles = &world->piles;
    for (uint32_t k = 0; k < piles->order.count; ++k) {
        const grz_constraint *constraint = &piles->constraints.data[piles->order.data[k]];
        if (is_driving(piles, constraint) && constraint->share > 0 &&
            grz_constraint_bears(world, constraint)) {
            grz_pile_body *upper = &piles->bodies.data[constraint->upper];
            const graze_vec2d normal = constraint->normal;
            const double over = dot(upper->before, normal) - speed_before(piles, constraint);
            upper->before = along(upper->before, normal, -max_double(over, 0));
            upper->is_driven = true;
            upper->rise = max_double(upper->rise, find_rise(world, constraint));
        }
    }
}

// For constraints that have kept no impulses. Sweeps alone pass half of a weight on from one body
// to the next: after all of them the lowest bodies of a heap would bear next to nothing of it, and
// friction, which grows with what a body bears, would not hold them. So the sweeps start from a
// guess: from the highest down, each body gives its weight, and what it bears, to what it lies on.
// It keeps a part of its own weight: sweeps that have to add to the guess leave bodies at rest to
// the last bit, but sweeps that have to take some of it back let them part.
//
// HOT. bench: engine/step/heap-rough
//
// Data    A constraint: 60 bytes read and 8 written, two velocities read and written.
// Order   From the last to the first: each body has all that it bears when it passes it on.
static void guess_weights(const graze_world *world)
{
    const grz_piles *piles = &world->piles;
    const double dt = (double)world->dt;
    const double kept = withheld * (length_of(widen(world->gravity)) * dt);
    for (uint32_t k = piles->order.count; k-- > 0;) {
        grz_constraint *constraint = &piles->constraints.data[piles->order.data[k]];
        if (!constraint->is_recalled && grz_constraint_bears(world, constraint)) {
            pass_weight_on(piles, constraint, kept, dt);
        }
    }
}

// After the sweeps two bodies of a crowd may still approach each other until their gap is closed.
// If an impulse acts between them, they lose that approach, too: otherwise they would go on into
// each other in the next step.
static void take_all(const graze_world *world)
{
    const grz_piles *piles = &world->piles;
    for (uint32_t b = 0; b < piles->pushes.count; ++b) {
        grz_push_block *block = &piles->pushes.data[b];
        for (uint32_t k = 0; k < block->count; ++k) {
            block->max_approach[k] = block->impulse[k] > 0 ? 0 : block->max_approach[k];
        }
    }
    sweep_all(world);
}

// Where all of a block share equally, only the upper ones' parts of friction are up to date.
static double sum_tangent(const grz_push_block *block, uint32_t k)
{
    const double share = block->share[k];
    return share >= 0.5 ? block->upper_tangent_impulse[k] / share
                        : -block->lower_tangent_impulse[k] / (1 - share);
}

static void note_impulses(const grz_piles *piles)
{
    for (uint32_t b = 0; b < piles->pushes.count; ++b) {
        const grz_push_block *block = &piles->pushes.data[b];
        for (uint32_t k = 0; k < block->count; ++k) {
            grz_constraint *constraint = &piles->constraints.data[block->constraint[k]];
            constraint->impulse = block->impulse[k];
            constraint->tangent_impulse = sum_tangent(block, k);
        }
    }
}

bool grz_piles_push(graze_world *world)
{
    const grz_piles *piles = &world->piles;
    if (!reserve(world)) {
        return false;
    }
    start_velocities(piles);
    if (!grz_piles_are_crowds(world)) {
        drive_all(world);
        grz_kept_recall(world);
        guess_weights(world);
    }
    if (!make_pushes(world)) {
        return false;
    }
    sweep_all(world);
    if (grz_piles_are_crowds(world)) {
        take_all(world);
    }
    note_impulses(piles);
    return true;
}
