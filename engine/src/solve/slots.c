// Which bodies the solver moves, which pairs it decides, and which bodies fly.

#include "collide/pair_sweep.h"
#include "collide/tolerance.h"
#include "fault.h"
#include "solve/impulse.h"
#include "solve/obstacle.h"
#include "solve/solve.h"
#include "world/adjacency.h"
#include "world/bodies.h"
#include "world/parallel.h"
#include "world/rows.h"

#include <string.h>

// --- Bodies that join ---

// What slides or bounces and may touch another body that gives way, or touches one that does not,
// is moved by the solver in this step, as a rigid body that never turns. Of mass 0 it is driven.

static bool may_join(const grz_bodies *bodies, grz_row row)
{
    const uint32_t traits = bodies->rows.traits[row];
    return grz_is_free_shape(traits) && (traits & GRZ_TRAIT_TURNS) && !grz_is_rigid(traits) &&
           !(traits & GRZ_TRAIT_INFINITE_MASS) && row < bodies->active_count;
}

static bool is_of_solver(const grz_bodies *bodies, grz_row row)
{
    return grz_is_rigid(bodies->rows.traits[row]) || may_join(bodies, row);
}

// Whether circles around the two touch on their ways, or are nearly in contact before. What comes
// from farther off, fast, and bounces, only meets, and so does what gives no way.
static bool may_touch(const graze_world *world, const grz_candidate *candidate)
{
    const grz_rows *rows = &world->bodies.rows;
    const uint32_t a = candidate->row_a, b = candidate->row_b;
    const double size = min_double(grz_size_of(world, a), grz_size_of(world, b));
    const double round = grz_round_reach(rows, a) + grz_round_reach(rows, b);
    const double reach = round + grz_contact_margin * size;
    const graze_vec2d start = offset(rows->position[a], rows->position[b]);
    const graze_vec2d move = subtract(offset(rows->end[a], rows->end[b]), start);
    const double path = dot(move, move), toward = -dot(start, move), apart = dot(start, start);
    if (apart > reach * reach && !(toward > 0)) {
        return false;
    }
    const double share = toward > 0 ? min_double(toward / path, 1) : 0;
    const graze_vec2d nearest = along(start, move, share);
    if (dot(nearest, nearest) > reach * reach) {
        return false;
    }
    const double rest = grz_sleep_speed(world) * (double)world->call.dt;
    const bool starts_far = apart > squared(round + grz_contact_slop * size);
    const bool both = is_of_solver(&world->bodies, a) && is_of_solver(&world->bodies, b);
    return both ? !(starts_far && path > rest * rest &&
                    grz_mix_surfaces(world, a, b, grz_no_segment, vec2d(0, 0)).restitution > 0)
                : !starts_far;
}

static uint32_t traits_if_joined(const grz_bodies *bodies, grz_row row)
{
    return bodies->rows.traits[row] | (may_join(bodies, row) ? (uint32_t)GRZ_TRAIT_RIGID : 0u);
}

// Whether one of two bodies with these traits deflects the other: both are solid, and what deflects
// a rigid one moves it.
static bool deflect_by_traits(uint32_t a, uint32_t b)
{
    return !((a | b) & (GRAZE_SHAPE_RAY | GRZ_TRAIT_SENSOR)) && ((a | b) & GRZ_TRAIT_RIGID);
}

static bool would_deflect(const graze_world *world, const grz_candidate *candidate)
{
    const uint32_t a = candidate->row_a, b = candidate->row_b;
    return deflect_by_traits(traits_if_joined(&world->bodies, a),
                             traits_if_joined(&world->bodies, b)) &&
           !grz_bodies_pass(world, a, b);
}

// What is done with a body in the step: only this changes in these traits.
enum { CHANGED = GRZ_TRAIT_FREE | GRZ_TRAIT_TURNS | GRZ_TRAIT_RIGID };

static void note_traits(graze_world *world, grz_row row)
{
    const grz_rows *rows = &world->bodies.rows;
    world->solve.joined.data[world->solve.joined.count++] =
        (grz_joined){rows->index[row], rows->traits[row] & CHANGED};
}

static void join(graze_world *world, grz_row row)
{
    if (may_join(&world->bodies, row)) {
        note_traits(world, row);
        world->bodies.rows.traits[row] &= ~(uint32_t)(GRZ_TRAIT_FREE | GRZ_TRAIT_TURNS);
        world->bodies.rows.traits[row] |= GRZ_TRAIT_RIGID;
    }
}

// What was in contact in the last step may be asleep.
static void join_again(graze_world *world, graze_body_id body)
{
    const grz_row row = body.generation ? grz_bodies_find(world, body) : GRZ_NONE;
    if (row != GRZ_NONE) {
        join(world, row);
    }
}

static bool let_join(graze_world *world)
{
    grz_solve *solve = &world->solve;
    const graze_allocator *allocator = &world->config.counting;
    const size_t most = (size_t)world->found.totals.free_shapes + world->found.totals.rigid;
    solve->joined.count = 0;
    if (!grz_array_reserve(&solve->joined, allocator, most)) {
        return false;
    }
    for (uint32_t k = 0; world->found.totals.free_shapes && k < solve->cache.count; ++k) {
        join_again(world, solve->cache.data[k].key.a);
        join_again(world, solve->cache.data[k].key.b);
    }
    for (uint32_t k = 0; world->found.totals.free_shapes && k < world->found.candidates.count;
         ++k) {
        const grz_candidate *candidate = &world->found.candidates.data[k];
        if ((is_of_solver(&world->bodies, candidate->row_a) ||
             is_of_solver(&world->bodies, candidate->row_b)) &&
            may_touch(world, candidate) && would_deflect(world, candidate)) {
            join(world, candidate->row_a);
            join(world, candidate->row_b);
        }
    }
    return true;
}

void grz_solve_part_joined(graze_world *world)
{
    for (uint32_t k = 0; k < world->solve.joined.count; ++k) {
        const grz_joined joined = world->solve.joined.data[k];
        uint32_t *traits =
            &world->bodies.rows.traits[world->bodies.row_of_index.data[joined.index]];
        *traits = (*traits & ~(uint32_t)CHANGED) | joined.traits;
    }
    world->solve.joined.count = 0;
}

// --- Slots ---

// By index, which does not change with the order of rows.
static bool number_rigid(graze_world *world)
{
    const grz_bodies *bodies = &world->bodies;
    grz_solve *solve = &world->solve;
    if (!grz_array_reserve(&solve->slot_of_row, &world->config.counting, bodies->count) ||
        !grz_array_reserve(&solve->row_of_slot, &world->config.counting, bodies->count)) {
        return false;
    }
    for (grz_row row = 0; row < bodies->count; ++row) {
        solve->slot_of_row.data[row] = GRZ_NONE;
    }
    uint32_t slots = 0;
    for (grz_index index = 0; index < bodies->cold.count; ++index) {
        const grz_row row = bodies->row_of_index.data[index];
        if (row < bodies->active_count && grz_is_solved(bodies->rows.traits[row])) {
            solve->slot_of_row.data[row] = slots;
            solve->row_of_slot.data[slots++] = row;
        }
    }
    solve->rigid_count = solve->slot_count = slots;
    return true;
}

// Returns the slot of a body, which gets the next one if it has none.
static grz_slot give_slot(grz_solve *solve, grz_row row)
{
    uint32_t *slot = &solve->slot_of_row.data[row];
    if (*slot == GRZ_NONE) {
        solve->row_of_slot.data[solve->slot_count] = row;
        *slot = solve->slot_count++;
    }
    return *slot;
}

// --- Pairs ---

// Whether a body with these traits is free, and others deflect it, or its next hit is its last, and
// gives the impulse of its mass: it meets them in the order of time. What else is free because it
// has a hit_limit, or stops at terrain, is driven all the same.
static inline bool is_in_time(uint32_t traits)
{
    const uint32_t last = GRZ_TRAIT_LAST, rigid = GRZ_TRAIT_RIGID;
    return ((traits & GRZ_TRAIT_RESPONDS) || (traits & (last | rigid)) == last) &&
           !(traits & GRZ_TRAIT_INFINITE_MASS);
}

// Whether a body may lie on another one that stands: it is near, and gravity pulls it there.
static bool may_lie_on(const graze_world *world, grz_row row, grz_row standing)
{
    const grz_rows *rows = &world->bodies.rows;
    const graze_vec2d way = offset(rows->position[standing], rows->position[row]);
    const double size = min_double(grz_size_of(world, row), grz_size_of(world, standing));
    const double round = grz_round_reach(rows, row) + grz_round_reach(rows, standing);
    GRZ_FAULT(standing_under_crates, return false);
    return grz_stands(rows, standing) && dot(way, widen(world->config.gravity)) > 0 &&
           dot(way, way) <= squared(round + grz_contact_slop * size);
}

// Whether two meet in the order of time. But what stands holds what lies on it as terrain does: the
// solver knows the two.
static inline bool meet_in_time(const graze_world *world, const grz_candidate *candidate)
{
    const uint32_t a = candidate->row_a, b = candidate->row_b;
    const bool in_time_a = is_in_time(world->bodies.rows.traits[a]);
    const bool in_time_b = is_in_time(world->bodies.rows.traits[b]);
    return in_time_a ? in_time_b || !may_lie_on(world, b, a)
                     : in_time_b && !may_lie_on(world, a, b);
}

// Whether two with these traits are a pair of the solver whatever else is known: most are.
static inline bool are_plain(uint32_t a, uint32_t b)
{
    const uint32_t other = (uint32_t)GRAZE_SHAPE_RAY | GRZ_TRAIT_SENSOR | GRZ_TRAIT_RESPONDS;
    return (a & b & GRZ_TRAIT_RIGID) && !((a | b) & other);
}

// What is rigid is solved, with all that is not found in the order of time. What is none has no
// bodies.
static void find_some_pairs(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const graze_world *world = context;
    const grz_candidate *candidates = world->found.candidates.data;
    const uint32_t *traits = world->bodies.rows.traits;
    const bool may_pass = grz_may_any_pass(world);
    grz_found_pair *found = world->solve.found.data;
    (void)block;
    for (uint32_t k = first; k < end; ++k) {
        const uint32_t a = candidates[k].row_a, b = candidates[k].row_b;
        const bool is_pair =
            (are_plain(traits[a], traits[b]) ||
             (deflect_by_traits(traits[a], traits[b]) && !meet_in_time(world, &candidates[k]))) &&
            !(may_pass && grz_bodies_pass(world, a, b));
        const bool solved_a = (traits[a] & GRZ_TRAIT_RIGID) != 0;
        const grz_found_pair pair = {solved_a ? a : b, solved_a ? b : a}, none = {GRZ_NONE, 0};
        found[k] = is_pair ? pair : none;
    }
}

static bool find_pairs(graze_world *world)
{
    const graze_allocator *allocator = &world->config.counting;
    grz_solve *solve = &world->solve;
    const size_t ends = (size_t)solve->rigid_count + 1;
    if (!grz_array_reserve(&solve->found, allocator, world->found.candidates.count) ||
        !grz_array_reserve(&solve->places, allocator, (size_t)world->bodies.cold.count + 1) ||
        !grz_array_reserve(&solve->pair_ends, allocator, ends) ||
        !grz_array_reserve(&solve->partner_ends, allocator, ends)) {
        return false;
    }
    grz_run_blocks(world, world->found.candidates.count, GRZ_BLOCK_SLOTS, find_some_pairs, world);
    solve->found.count = world->found.candidates.count;
    return true;
}

// Counts what goes to each place of the lists, in the element after it, and numbers driven bodies.
static void count_pairs(graze_world *world)
{
    grz_solve *solve = &world->solve;
    uint32_t *places = solve->places.data, *ends = solve->pair_ends.data;
    uint32_t *partner_ends = solve->partner_ends.data;
    const uint32_t *index = world->bodies.rows.index, *slot_of_row = solve->slot_of_row.data;
    const grz_found_pair *found = solve->found.data;
    memset(places, 0, ((size_t)world->bodies.cold.count + 1) * sizeof *places);
    memset(ends, 0, ((size_t)solve->rigid_count + 1) * sizeof *ends);
    memset(partner_ends, 0, ((size_t)solve->rigid_count + 1) * sizeof *ends);
    for (uint32_t k = 0, count = solve->found.count; k < count; ++k) {
        const grz_found_pair pair = found[k];
        if (pair.row_a == GRZ_NONE) {
            continue;
        }
        const uint32_t a = slot_of_row[pair.row_a], b = give_slot(solve, pair.row_b);
        ++places[index[pair.row_b] + 1];
        ++ends[a + 1];
        if (b < solve->rigid_count) {
            ++partner_ends[a + 1];
            ++partner_ends[b + 1];
        }
    }
}

static void add_up(uint32_t *ends, uint32_t count)
{
    for (uint32_t k = 0; k < count; ++k) {
        ends[k + 1] += ends[k];
    }
}

static bool reserve_pairs(graze_world *world)
{
    const graze_allocator *allocator = &world->config.counting;
    grz_solve *solve = &world->solve;
    const uint32_t slots = solve->rigid_count;
    return grz_array_reserve(&solve->pairs, allocator, solve->pair_ends.data[slots]) &&
           grz_array_reserve(&solve->order, allocator, 2 * (size_t)solve->pair_ends.data[slots]) &&
           grz_array_reserve(&solve->partners, allocator, solve->partner_ends.data[slots]);
}

// Counting sort by index of b.
static void order_by_partner(graze_world *world)
{
    grz_solve *solve = &world->solve;
    const uint32_t *index = world->bodies.rows.index, count = solve->found.count;
    const grz_found_pair *found = solve->found.data;
    uint32_t *order = solve->order.data, *places = solve->places.data;
    for (uint32_t k = 0; k < count; ++k) {
        if (found[k].row_a != GRZ_NONE) {
            order[places[index[found[k].row_b]]++] = k;
        }
    }
}

// And then, without changing the order of those that have the same a, by slot of a.
static void order_by_first(grz_solve *solve, const uint32_t *order, uint32_t *ordered)
{
    const uint32_t *slot_of_row = solve->slot_of_row.data;
    uint32_t *ends = solve->pair_ends.data;
    for (uint32_t k = 0, count = solve->pairs.count; k < count; ++k) {
        ordered[ends[slot_of_row[solve->found.data[order[k]].row_a]]++] = order[k];
    }
}

// Fills in the pairs in their order. Of each body that gives way, those with others that do are
// listed.
static void fill_pairs(const grz_rows *rows, grz_solve *solve, const uint32_t *ordered)
{
    const grz_solver_pair unknown = {.contact = GRZ_NONE, .gap = FLT_MAX};
    const uint32_t *slot_of_row = solve->slot_of_row.data, slots = solve->rigid_count;
    uint32_t *ends = solve->partner_ends.data, *partners = solve->partners.data;
    for (uint32_t k = 0, count = solve->pairs.count; k < count; ++k) {
        const grz_found_pair found = solve->found.data[ordered[k]];
        const uint32_t a = slot_of_row[found.row_a], b = slot_of_row[found.row_b];
        const uint32_t kinds = rows->traits[found.row_a] | rows->traits[found.row_b];
        grz_solver_pair *pair = &solve->pairs.data[k];
        *pair = unknown;
        pair->row_a = found.row_a;
        pair->row_b = found.row_b;
        pair->a = a;
        pair->b = b;
        pair->fixed = b >= slots;
        pair->is_round = (kinds & GRAZE_SHAPE_RECT) == 0;
        if (b < slots) {
            partners[ends[a]++] = k;
            partners[ends[b]++] = k;
        }
    }
}

static bool list_pairs(graze_world *world)
{
    grz_solve *solve = &world->solve;
    count_pairs(world);
    add_up(solve->places.data, world->bodies.cold.count);
    add_up(solve->pair_ends.data, solve->rigid_count);
    add_up(solve->partner_ends.data, solve->rigid_count);
    if (!reserve_pairs(world)) {
        return false;
    }
    solve->pairs.count = solve->pair_ends.data[solve->rigid_count];
    order_by_partner(world);
    order_by_first(solve, solve->order.data, solve->order.data + solve->pairs.count);
    fill_pairs(&world->bodies.rows, solve, solve->order.data + solve->pairs.count);
    return true;
}

// Whether two that the solver knows, one of which flies, do not meet: what the other lies on, and
// did in the last step, holds it before.
static bool is_ghost(const grz_solve *solve, const grz_found_pair *found)
{
    const grz_slot a = solve->slot_of_row.data[found->row_a];
    bool hidden = false;
    for (uint32_t k = grz_first_of(&solve->pair_ends, a); k < solve->pair_ends.data[a]; ++k) {
        const grz_solver_pair *pair = &solve->pairs.data[k];
        hidden |= pair->row_b == found->row_b && pair->is_behind &&
                  solve->flies.data[pair->a] != solve->flies.data[pair->b];
    }
    return hidden;
}

// Leaves the pairs in the candidate pairs that Respond needs: with bodies that others may deflect,
// and, if there are such bodies, the pairs of the solver, but for those with what is driven and
// free. What is neither only meets. Returns false if memory runs out.
static bool part_candidates(graze_world *world)
{
    grz_solve *solve = &world->solve;
    const uint32_t *traits = world->bodies.rows.traits;
    const bool keeps_pairs = world->found.totals.free_shapes != 0;
    if (!grz_array_reserve(&solve->passes, &world->config.counting,
                           world->found.candidates.count)) {
        return false;
    }
    solve->passes.count = 0;
    uint32_t kept = 0;
    if (!world->found.totals.free && solve->pairs.count == world->found.candidates.count) {
        world->found.candidates.count = 0; // All are pairs of the solver.
    }
    for (uint32_t k = 0; k < world->found.candidates.count; ++k) {
        const grz_candidate candidate = world->found.candidates.data[k];
        const bool free = (traits[candidate.row_a] | traits[candidate.row_b]) & GRZ_TRAIT_FREE;
        const bool is_pair = solve->found.data[k].row_a != GRZ_NONE;
        if (is_pair && free && solve->behind_count && is_ghost(solve, &solve->found.data[k])) {
            continue;
        }
        if (!free && !is_pair) {
            solve->passes.data[solve->passes.count++] = candidate;
        } else if (free ? !is_pair || is_in_time(traits[candidate.row_a]) ||
                              is_in_time(traits[candidate.row_b])
                        : keeps_pairs) {
            world->found.candidates.data[kept++] = candidate;
        }
    }
    world->found.candidates.count = kept;
    return true;
}

bool grz_solve_number(graze_world *world)
{
    return let_join(world) && number_rigid(world) && find_pairs(world) && list_pairs(world);
}

// --- Flight ---

// A body that touches something, and comes to it no faster than what rests does, is bound: the
// solver moves it. What flies meets others faster than that, and bounces off them, or lands on
// them, where and when it meets them.

// --- Which bodies are bound ---

// What gives no way binds all that does not bounce off it, and does not leave it faster than
// `leaves`; also what leaves it, but is still deep inside.
static bool is_bound_by_fixed(const grz_constraint_contact *contact, double approach, double rest,
                              double leaves, double size)
{
    const bool is_inside = grz_least_gap(&contact->manifold) < -grz_contact_margin * size;
    return (approach >= -leaves || is_inside) && !(contact->restitution > 0 && approach > rest);
}

static double size_of(const grz_solve *solve, const grz_constraint_contact *contact)
{
    const grz_contact_body *bodies = solve->contact_bodies.data;
    const float own = bodies[contact->a].size;
    return (double)(contact->fixed ? own : min_float(own, bodies[contact->b].size));
}

static bool overlap_deep(const grz_constraint_contact *contact, double size)
{
    return !contact->fixed && grz_least_gap(&contact->manifold) < -grz_contact_margin * size;
}

static bool is_any_turned(const grz_contact_body *bodies, const grz_constraint_contact *contact)
{
    return bodies[contact->a].turns || bodies[contact->b].turns;
}

// Whether two rigid bodies come together by no more than the smaller one's size in the step: if
// they do not bounce, the solver lets one land on the other.
static bool lands(const graze_world *world, const grz_constraint_contact *contact, double size)
{
    const grz_rows *rows = &world->bodies.rows;
    const uint32_t *row_of_slot = world->solve.row_of_slot.data;
    const grz_row a = row_of_slot[contact->a], b = row_of_slot[contact->b];
    const graze_vec2d way =
        subtract(offset(rows->end[a], rows->position[a]), offset(rows->end[b], rows->position[b]));
    GRZ_FAULT(landing_in_time, return false);
    return grz_turns_by_contacts(world, a) && grz_turns_by_contacts(world, b) &&
           dot(way, way) <= squared(size);
}

// Whether the solver decides a contact: the two touch and come together, and do not bounce, overlap
// deep, or did bounce in the last step; or they come together or part no faster than gravity makes
// them in two steps, `rest`; or, if they do not bounce, and are slow by their size. What
// overlaps deep does not bounce; but of two that never turn, each is pushed where it flies.
static bool is_binding(const graze_world *world, grz_constraint_contact *contact, double rest)
{
    const double size = size_of(&world->solve, contact);
    const double approach = (double)contact->speed;
    const double slow = size * grz_slow_way / (double)world->call.dt;
    const bool dead = !(contact->restitution > 0);
    const bool deep = !dead && overlap_deep(contact, size);
    contact->touches = grz_least_gap(&contact->manifold) <= grz_contact_slop * size;
    contact->hits = contact->touches && approach > 0;
    if (contact->hidden) {
        return false;
    }
    return (contact->hits && (dead || deep || contact->jams)) ||
           (contact->fixed ? is_bound_by_fixed(contact, approach, rest,
                                               dead ? max_double(rest, slow) : rest, size)
                           : absolute(approach) <= rest ||
                                 (dead && approach > 0 && lands(world, contact, size)) ||
                                 ((dead || (deep && is_any_turned(world->solve.contact_bodies.data,
                                                                  contact))) &&
                                  absolute(approach) <= slow));
}

// Whether there is anything that the body may meet.
static bool has_company(const graze_world *world, grz_slot slot)
{
    const grz_solve *solve = &world->solve;
    const bool touches = grz_count_of(&solve->pair_ends, slot) ||
                         grz_count_of(&solve->partner_ends, slot) ||
                         grz_count_of(&solve->wall_ends, slot);
    GRZ_FAULT(slices_fly_alone, return touches);
    return touches || grz_row_is_sliced(world, solve->row_of_slot.data[slot]);
}

static bool is_awake(const graze_world *world, grz_row row)
{
    return !(grz_dynamics_of(world, world->bodies.rows.index[row]).flags & GRZ_ASLEEP);
}

// What has only joined the rigid bodies goes back unless a contact binds it.
static bool may_fly(const graze_world *world, grz_slot slot)
{
    const grz_row row = world->solve.row_of_slot.data[slot];
    return is_awake(world, row) && (!grz_turns_by_contacts(world, row) || has_company(world, slot));
}

static bool lies_on_driven(const graze_world *world, const grz_constraint_contact *contact)
{
    const graze_vec2d gravity = widen(world->config.gravity);
    return contact->b != grz_terrain_slot(&world->solve) && contact->touches &&
           dot(widen(contact->manifold.normal), gravity) >
               grz_steepest_bearing * length_of(gravity);
}

// What never turns slides along terrain, and meets what is driven, in the order of time, unless it
// lies on it.
static bool may_bind(const graze_world *world, const grz_constraint_contact *contact)
{
    const grz_solve *solve = &world->solve;
    return !contact->fixed || lies_on_driven(world, contact) ||
           grz_turns_by_contacts(world, solve->row_of_slot.data[contact->a]);
}

// What touches a body that is bound, and does not bounce off it, is bound as well: it would be in
// the way of what moves that. `loose` lists the contacts that bound nothing themselves.
static void bind_neighbours(grz_solve *solve, const uint32_t *loose, uint32_t count)
{
    uint32_t *flies = solve->flies.data;
    for (bool found = true; found;) {
        found = false;
        for (uint32_t k = 0; k < count; ++k) {
            GRZ_FAULT(flying_in_the_way, continue);
            const grz_constraint_contact *contact = &solve->contacts.data[loose[k]];
            if (!contact->fixed && contact->touches && !(contact->restitution > 0) &&
                flies[contact->a] != flies[contact->b]) {
                flies[contact->a] = flies[contact->b] = 0;
                found = true;
            }
        }
    }
}

static void let_some_fly(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const graze_world *world = context;
    (void)block;
    for (grz_slot slot = first; slot < end; ++slot) {
        world->solve.flies.data[slot] = may_fly(world, slot);
    }
}

// What may meet something in the order of time flies to meet it, if no contact binds it. The solver
// does not know such pairs.
static void let_meet_in_time(graze_world *world)
{
    const grz_solve *solve = &world->solve;
    const uint32_t *traits = world->bodies.rows.traits;
    for (uint32_t k = 0; world->found.totals.free_shapes && k < world->found.candidates.count;
         ++k) {
        const grz_candidate *candidate = &world->found.candidates.data[k];
        const uint32_t a = candidate->row_a, b = candidate->row_b;
        const bool in_time_a = is_in_time(traits[a]), in_time_b = is_in_time(traits[b]);
        const grz_row row = in_time_a ? b : a;
        const grz_slot slot = solve->slot_of_row.data[row];
        if (in_time_a != in_time_b && slot < solve->rigid_count && is_awake(world, row) &&
            meet_in_time(world, candidate) && deflect_by_traits(traits[a], traits[b]) &&
            !grz_bodies_pass(world, a, b)) {
            solve->flies.data[slot] = 1;
        }
    }
}

// Lists a contact where those of its kinds are looked for. What comes together no faster than
// gravity makes it in two steps rests.
static void list_kinds(grz_solve *solve, uint32_t k, float rest)
{
    const grz_constraint_contact *contact = &solve->contacts.data[k];
    if (contact->fixed) {
        solve->fixed.data[solve->fixed.count++] = k;
    }
    if (contact->rolling > 0 && contact->manifold.count == 1) {
        solve->rolling.data[solve->rolling.count++] = k;
    }
    if (contact->restitution > 0 && contact->approach > rest) {
        solve->bouncing.data[solve->bouncing.count++] = k;
    }
}

enum { FLIES_ALONE = 1, FLIES_IN_CONTACT = 2 };

static void note_contact(uint32_t *flies, grz_slot slot)
{
    flies[slot] = flies[slot] ? (uint32_t)FLIES_IN_CONTACT : 0;
}

// A contact is hidden behind another, which is to hold. What has no other one is held by none: it
// would hit what it lies on anew in each step, and get nowhere. So its contact is none to hide.
static void show_lone_contacts(graze_world *world, const uint32_t *loose, uint32_t count,
                               double rest)
{
    grz_solve *solve = &world->solve;
    uint32_t *flies = solve->flies.data;
    for (uint32_t k = 0; k < count; ++k) {
        const grz_constraint_contact *contact = &solve->contacts.data[loose[k]];
        if (!contact->hidden) {
            note_contact(flies, contact->a);
            note_contact(flies, contact->fixed ? contact->a : contact->b);
        }
    }
    for (uint32_t k = 0; k < count; ++k) {
        grz_constraint_contact *contact = &solve->contacts.data[loose[k]];
        const grz_slot b = contact->fixed ? contact->a : contact->b;
        if (contact->touches && contact->hidden &&
            (flies[contact->a] == FLIES_ALONE || flies[b] == FLIES_ALONE)) {
            contact->hidden = false;
            if (is_binding(world, contact, rest) && may_bind(world, contact)) {
                flies[contact->a] = flies[b] = 0;
            }
        }
    }
}

// Binds the two of contacts that are at rest, as most are in a heap. Lists the others, and returns
// how many these are.
static uint32_t bind_resting(grz_solve *solve, double rest)
{
    uint32_t *flies = solve->flies.data, *others = solve->order.data, count = 0;
    for (uint32_t k = 0; k < solve->contacts.count; ++k) {
        const grz_constraint_contact *contact = &solve->contacts.data[k];
        list_kinds(solve, k, (float)rest);
        if (contact->fixed | contact->hidden || !(absolute((double)contact->speed) <= rest)) {
            others[count++] = k;
        } else {
            flies[contact->a] = flies[contact->b] = 0;
        }
    }
    return count;
}

// Contacts of two that are bound already are not asked.
static uint32_t find_flying(graze_world *world)
{
    grz_solve *solve = &world->solve;
    uint32_t *flies = solve->flies.data, *loose = solve->order.data, loose_count = 0, count = 0;
    const double rest = grz_sleep_speed(world);
    grz_run_blocks(world, solve->rigid_count, GRZ_BLOCK_SLOTS, let_some_fly, world);
    let_meet_in_time(world);
    for (uint32_t k = 0, others = bind_resting(solve, rest); k < others; ++k) {
        grz_constraint_contact *contact = &solve->contacts.data[loose[k]];
        const grz_slot b = contact->fixed ? contact->a : contact->b;
        const bool asked = flies[contact->a] || flies[b];
        if (asked && is_binding(world, contact, rest) && may_bind(world, contact)) {
            flies[contact->a] = flies[b] = 0;
        } else if (asked) {
            loose[loose_count++] = loose[k];
        }
    }
    bind_neighbours(solve, loose, loose_count);
    show_lone_contacts(world, loose, loose_count, rest);
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        flies[slot] = flies[slot] != 0;
        count += flies[slot];
    }
    return count;
}

// --- What flies ---

// What had only joined the rigid bodies is as it was.
static void set_traits(graze_world *world, grz_slot slot)
{
    grz_solve *solve = &world->solve;
    const grz_row row = solve->row_of_slot.data[slot];
    const grz_index index = world->bodies.rows.index[row];
    if (grz_turns_by_contacts(world, row)) {
        const bool limited = grz_life_of(world, index).hit_limit != 0;
        note_traits(world, row);
        world->bodies.rows.traits[row] |= (uint32_t)(GRZ_TRAIT_RESPONDS | GRZ_TRAIT_TURNS) |
                                          (limited ? (uint32_t)GRZ_TRAIT_LIMITED : 0u);
        ++world->found.totals.free;
        ++world->found.totals.free_shapes;
        ++world->found.totals.flying;
    } else {
        grz_bodies_renew_traits(world, row);
    }
}

static bool reserve_contacts(graze_world *world)
{
    const graze_allocator *allocator = &world->config.counting;
    grz_solve *solve = &world->solve;
    const uint32_t count = solve->contacts.count;
    solve->fixed.count = solve->rolling.count = solve->bouncing.count = 0;
    return grz_array_reserve(&solve->flies, allocator, solve->rigid_count) &&
           grz_array_reserve(&solve->order, allocator, count) &&
           grz_array_reserve(&solve->fixed, allocator, count) &&
           grz_array_reserve(&solve->rolling, allocator, count) &&
           grz_array_reserve(&solve->bouncing, allocator, count);
}

static void leave_contacts(grz_solve *solve)
{
    const uint32_t *flies = solve->flies.data;
    for (uint32_t k = 0; k < solve->contacts.count; ++k) {
        grz_constraint_contact *contact = &solve->contacts.data[k];
        contact->flies = flies[contact->a] || (!contact->fixed && flies[contact->b]);
    }
    for (uint32_t k = 0; k < solve->pairs.count; ++k) {
        grz_solver_pair *pair = &solve->pairs.data[k];
        pair->flies = flies[pair->a] || (!pair->fixed && flies[pair->b]);
    }
}

bool grz_solve_let_fly(graze_world *world)
{
    grz_solve *solve = &world->solve;
    if (!reserve_contacts(world)) {
        return false;
    }
    if (find_flying(world)) {
        leave_contacts(solve);
        for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
            if (solve->flies.data[slot]) {
                set_traits(world, slot);
            }
        }
    }
    GRZ_FAULT(slices_of_the_solver, return part_candidates(world));
    if (grz_is_sliced(world)) { // The solver knows the pairs of the first slice alone.
        world->found.totals.free += world->impacts.slices.rows.count;
        world->found.totals.free_shapes += world->impacts.slices.rows.count;
    }
    return part_candidates(world);
}

// --- How they turn ---

static void note_flight(graze_world *world, const grz_trajectory *trajectory)
{
    grz_solve *solve = &world->solve;
    grz_rigid_end *end = &solve->ends.data[solve->slot_of_row.data[trajectory->row]];
    end->spin = trajectory->spin + 0.0f;
    if (trajectory->version == 1 || !solve->flies.data[solve->slot_of_row.data[trajectory->row]]) {
        return;
    }
    end->angle = grz_wrap_angle(grz_angle_of(&world->bodies.rows, end->row) + trajectory->turn);
    end->quiet = 0;
    end->asleep = false;
    end->strays = grz_swing_of(world, end->row, trajectory->turn) >
                  grz_contact_margin * grz_size_of(world, end->row);
    if (grz_has_sides(world->bodies.rows.traits[end->row])) {
        world->bodies.rows.end_rotation[end->row] = graze_rotation_from_angle(end->angle);
    }
}

static bool is_jammed(const graze_world *world, graze_body_id body)
{
    const grz_row row = body.generation ? world->bodies.row_of_index.data[body.index] : GRZ_NONE;
    const grz_trajectory *trajectory = row == GRZ_NONE ? NULL : grz_trajectory_of(world, row);
    if (!trajectory || trajectory->count < GRZ_KNOTS) {
        return false;
    }
    const double way = length_of(offset(trajectory->at[trajectory->count - 1], trajectory->at[0]));
    return way <= grz_contact_margin * grz_size_of(world, row);
}

// Where two hit each other and fly on, the next step begins anew. But what has had as many impacts
// as it may have in a step, and got nowhere, is jammed.
static void keep_jams(graze_world *world)
{
    grz_contact_cache *coming = &world->solve.coming;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < coming->count; ++k) {
        const grz_cached_contact *contact = &coming->data[k];
        if (contact->features[0] != GRZ_NONE || is_jammed(world, contact->key.a) ||
            is_jammed(world, contact->key.b)) {
            coming->data[kept++] = *contact;
        }
    }
    coming->count = kept;
}

void grz_solve_note_flights(graze_world *world)
{
    keep_jams(world);
    for (uint32_t m = 0; m < world->impacts.trajectories.count; ++m) {
        if (grz_is_rigid(world->bodies.rows.traits[world->impacts.trajectories.data[m].row])) {
            note_flight(world, &world->impacts.trajectories.data[m]);
        }
    }
}
