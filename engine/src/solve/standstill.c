#include "solve/standstill.h"

#include "collide/pair_sweep.h"
#include "collide/sleep.h"
#include "fault.h"
#include "world/contact_keys.h"
#include "world/forest.h"
#include "world/rows.h"

#include <string.h>

// A forest of trajectories (disjoint sets): bodies that may meet are in one tree. One more node,
// the last, is the root of the tree of all that do not stand: bodies in this tree do not stay as
// they are.

// The later node leads: so the last one stays a root.
static void join(uint32_t *parents, uint32_t a, uint32_t b)
{
    const uint32_t root_a = grz_forest_root(parents, a);
    const uint32_t root_b = grz_forest_root(parents, b);
    parents[root_a < root_b ? root_a : root_b] = root_a < root_b ? root_b : root_a;
}

// What has joined the solver, and flies, may join it again: see cache.c.
static bool has_joined(const graze_world *world, grz_row row)
{
    const grz_solve *solve = &world->solve;
    return solve->rigid_count && solve->slot_of_row.data[row] < solve->rigid_count;
}

// Whether the step leaves a body as it was, to the last bit, and counts no hit of it. Bodies that
// pass through others cost too little to be kept out of the step.
static bool stands(const graze_world *world, const grz_trajectory *trajectory)
{
    const uint32_t changes = GRZ_TRAIT_SPINS | GRZ_TRAIT_EXPIRES;
    const uint32_t traits = world->bodies.rows.traits[trajectory->row];
    const graze_vec2 position = world->bodies.rows.position[trajectory->row];
    const graze_vec2 velocity = world->bodies.rows.velocity[trajectory->row];
    const graze_vec2 end = trajectory->at[trajectory->count - 1];
    return end.x == position.x && end.y == position.y &&
           (float)trajectory->velocity.x == velocity.x &&
           (float)trajectory->velocity.y == velocity.y && !trajectory->was_hit &&
           !(traits & changes) && (traits & GRZ_TRAIT_RESPONDS) &&
           !has_joined(world, trajectory->row) && grz_kind_of(traits) != GRAZE_SHAPE_RAY;
}

// The node of a body that another may meet; GRZ_NONE: nothing can change it.
static uint32_t node_of(const graze_world *world, grz_row row)
{
    const grz_trajectory *trajectory = grz_trajectory_of(world, row);
    if (trajectory) {
        return (uint32_t)(trajectory - world->impacts.trajectories.data);
    }
    const bool is_fixed = row >= world->bodies.active_count || grz_sleep_is_fixed(world, row);
    return is_fixed ? GRZ_NONE : world->impacts.trajectories.count;
}

// Which one-sided walls a body meets depends, too, on those that it met in the last step
// (joint.h): so one stands only if these stay the same. Bit k of its number in `kept` says that
// it meets again what its k-th key of terrain names.
enum { KEPT_MAX = 32 };

static bool is_one_sided(const graze_world *world, graze_segment_id segment)
{
    const grz_chain *chain = &world->terrain.chains[segment.chain.index];
    return chain->in_world && chain->generation == segment.chain.generation && chain->one_sided;
}

// Returns which of the body's keys of terrain this contact repeats; KEPT_MAX: none, or a late one.
static uint32_t place_of_key(const graze_world *world, const graze_contact *contact)
{
    const uint32_t first = grz_keys_of_terrain(world, contact->a);
    graze_segment_id met;
    for (uint32_t k = 0; k < KEPT_MAX && grz_key_is_of_terrain(world, contact->a, first + k, &met);
         ++k) {
        if (grz_compare_segments(met, contact->segment) == 0) {
            return k;
        }
    }
    return KEPT_MAX;
}

static void note_kept(graze_world *world, uint32_t *parents)
{
    uint32_t *kept = world->sleep.kept.data;
    for (uint32_t i = 0; i < world->found.fresh.count; ++i) {
        const graze_contact *contact = &world->found.fresh.data[i];
        if (contact->b.generation || !is_one_sided(world, contact->segment)) {
            continue;
        }
        const uint32_t m = node_of(world, world->bodies.row_of_index.data[contact->a.index]);
        if (m < world->impacts.trajectories.count) {
            const uint32_t k = place_of_key(world, contact);
            kept[m] |= k < KEPT_MAX ? 1u << k : 0;
            GRZ_FAULT(standing_on_new_walls, continue);
            parents[m] = k < KEPT_MAX ? parents[m] : world->impacts.trajectories.count;
        }
    }
}

static bool keeps_walls(const graze_world *world, const grz_trajectory *trajectory, uint32_t kept)
{
    const graze_body_id body = grz_row_id(&world->bodies.rows, trajectory->row);
    const uint32_t first = grz_keys_of_terrain(world, body);
    graze_segment_id met;
    for (uint32_t k = 0; grz_key_is_of_terrain(world, body, first + k, &met); ++k) {
        if (is_one_sided(world, met) && !(k < KEPT_MAX && kept >> k & 1)) {
            return false;
        }
    }
    return true;
}

// Before anything is joined.
static void leave_those_on_new_walls(graze_world *world, uint32_t *parents)
{
    const uint32_t count = world->impacts.trajectories.count;
    if (!world->terrain.odd_chain_count) { // No wall is one-sided.
        return;
    }
    memset(world->sleep.kept.data, 0, count * sizeof *world->sleep.kept.data);
    note_kept(world, parents);
    for (uint32_t m = 0; m < count; ++m) {
        if (parents[m] == m &&
            !keeps_walls(world, &world->impacts.trajectories.data[m], world->sleep.kept.data[m])) {
            parents[m] = count;
        }
    }
}

static void join_candidates(const graze_world *world, uint32_t *parents)
{
    for (uint32_t k = 0; k < world->found.candidates.count; ++k) {
        const uint32_t a = node_of(world, world->found.candidates.data[k].row_a);
        const uint32_t b = node_of(world, world->found.candidates.data[k].row_b);
        if (a != GRZ_NONE && b != GRZ_NONE) {
            join(parents, a, b);
        }
    }
}

// Returns how many stand, whatever they may meet.
static uint32_t plant(const graze_world *world, uint32_t *parents)
{
    const uint32_t count = world->impacts.trajectories.count;
    uint32_t standing = 0;
    parents[count] = count;
    for (uint32_t m = 0; m < count; ++m) {
        const bool own = stands(world, &world->impacts.trajectories.data[m]);
        parents[m] = own ? m : count;
        standing += own;
    }
    return standing;
}

static void list_standing(graze_world *world, uint32_t *parents)
{
    grz_numbers *standing = &world->sleep.standing;
    const uint32_t count = world->impacts.trajectories.count;
    for (uint32_t m = 0; m < count; ++m) {
        standing->data[standing->count] = world->impacts.trajectories.data[m].index;
        standing->count += grz_forest_root(parents, m) != count;
    }
}

bool grz_standstill_find(graze_world *world)
{
    grz_sleep *sleep = &world->sleep;
    const size_t count = world->impacts.trajectories.count;
    if (sleep->wait || !sleep->steady || !count || world->found.totals.overflow) {
        return true;
    }
    if (!grz_array_reserve(&sleep->parents, &world->config.counting, count + 1) ||
        !grz_array_reserve(&sleep->standing, &world->config.counting,
                           count + world->solve.rigid_count) ||
        !grz_array_reserve(&sleep->kept, &world->config.counting, count)) {
        return false;
    }
    if (plant(world, sleep->parents.data)) {
        leave_those_on_new_walls(world, sleep->parents.data);
        join_candidates(world, sleep->parents.data);
        list_standing(world, sleep->parents.data);
    }
    return true;
}
