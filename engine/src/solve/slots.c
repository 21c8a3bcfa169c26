// Which bodies the solver moves, and which pairs it decides.

#include "bits.h"
#include "collide/pair_sweep.h"
#include "collide/tolerance.h"
#include "solve/solve.h"
#include "world/parallel.h"

#include <string.h>

// --- Bodies that join ---

// What slides or bounces and may touch another body that gives way, or touches one that does not,
// is moved by the solver in this step, as a rigid body that never turns.

static bool may_join(const graze_world *world, grz_row row)
{
    const uint32_t traits = world->bodies.rows.traits[row];
    return grz_is_free_shape(traits) && (traits & GRZ_TRAIT_TURNS) && !grz_is_rigid(traits) &&
           row < world->bodies.active_count;
}

static bool is_of_solver(const graze_world *world, grz_row row)
{
    return grz_is_rigid(world->bodies.rows.traits[row]) || may_join(world, row);
}

static bool bounce_apart(const graze_world *world, const grz_candidate *candidate)
{
    const uint32_t *index = world->bodies.rows.index;
    const uint32_t a = index[candidate->row_a], b = index[candidate->row_b];
    const bool throws = world->bodies.cold.data[a].response >= GRAZE_BOUNCE ||
                        world->bodies.cold.data[b].response >= GRAZE_BOUNCE;
    return throws && (grz_material_of(world, a).surface.restitution > 0 ||
                      grz_material_of(world, b).surface.restitution > 0);
}

// Whether circles around the two touch on their ways, or are nearly in contact before. What comes
// from farther off, fast, and bounces, only meets, and so does what gives no way.
static bool may_touch(const graze_world *world, const grz_candidate *candidate)
{
    const grz_rows *rows = &world->bodies.rows;
    const uint32_t a = candidate->row_a, b = candidate->row_b;
    const double size = min_double(grz_least_half(rows, a), grz_least_half(rows, b));
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
    const bool is_far = apart > squared(round + grz_contact_slop * size);
    const bool both = is_of_solver(world, a) && is_of_solver(world, b);
    return both ? !(is_far && path > rest * rest && bounce_apart(world, candidate)) : !is_far;
}

static uint32_t traits_if_joined(const graze_world *world, grz_row row)
{
    return world->bodies.rows.traits[row] | (may_join(world, row) ? (uint32_t)GRZ_TRAIT_RIGID : 0u);
}

// Whether one of two bodies with these traits deflects the other: both are solid, and what deflects
// a rigid one moves it.
static bool deflect_by_traits(uint32_t a, uint32_t b)
{
    const uint32_t rigid = GRZ_TRAIT_RIGID, of_mass = GRZ_TRAIT_RIGID | GRZ_TRAIT_INFINITE_MASS;
    return !((a | b) & (GRAZE_SHAPE_RAY | GRZ_TRAIT_SENSOR)) &&
           ((a & of_mass) == rigid || (b & of_mass) == rigid);
}

static bool would_deflect(const graze_world *world, const grz_candidate *candidate)
{
    const uint32_t a = candidate->row_a, b = candidate->row_b;
    return deflect_by_traits(traits_if_joined(world, a), traits_if_joined(world, b)) &&
           !grz_bodies_pass(world, a, b);
}

static void join(graze_world *world, grz_row row)
{
    if (may_join(world, row)) {
        world->bodies.rows.traits[row] &= ~(uint32_t)(GRZ_TRAIT_FREE | GRZ_TRAIT_TURNS);
        world->bodies.rows.traits[row] |= GRZ_TRAIT_RIGID;
        world->solve.joined.data[world->solve.joined.count++] = world->bodies.rows.index[row];
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
        if ((is_of_solver(world, candidate->row_a) || is_of_solver(world, candidate->row_b)) &&
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
        const grz_row row = world->bodies.row_of_index.data[world->solve.joined.data[k]];
        grz_bodies_renew_traits(world, row);
    }
    world->solve.joined.count = 0;
}

// --- Slots ---

static bool reserve_slots(graze_world *world)
{
    const graze_allocator *allocator = &world->config.counting;
    grz_solve *solve = &world->solve;
    const size_t bodies = world->bodies.count, words = (size_t)world->bodies.cold.count / 64 + 1;
    return grz_array_reserve(&solve->slot_of_row, allocator, bodies) &&
           grz_array_reserve(&solve->row_of_slot, allocator, bodies) &&
           grz_array_reserve(&solve->indices, allocator, words);
}

static void mark_indices(graze_world *world)
{
    grz_solve *solve = &world->solve;
    memset(solve->indices.data, 0, ((size_t)world->bodies.cold.count / 64 + 1) * sizeof(uint64_t));
    for (grz_row row = 0; row < world->bodies.count; ++row) {
        solve->slot_of_row.data[row] = GRZ_NONE;
    }
    for (grz_row row = 0; row < world->bodies.active_count; ++row) {
        if (grz_is_solved(world->bodies.rows.traits[row])) {
            const grz_index index = world->bodies.rows.index[row];
            solve->indices.data[index / 64] |= (uint64_t)1 << index % 64;
        }
    }
}

// By index, which does not change with the order of rows.
static void number_rigid(graze_world *world)
{
    grz_solve *solve = &world->solve;
    const uint32_t words = world->bodies.cold.count / 64 + 1;
    solve->slot_count = 0;
    for (uint32_t word = 0; word < words; ++word) {
        for (uint64_t bits = solve->indices.data[word]; bits; bits &= bits - 1) {
            const grz_row row = world->bodies.row_of_index.data[64 * word + grz_lowest_bit(bits)];
            solve->slot_of_row.data[row] = solve->slot_count;
            solve->row_of_slot.data[solve->slot_count++] = row;
        }
    }
    solve->rigid_count = solve->slot_count;
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

static bool is_with_free(const graze_world *world, const grz_candidate *candidate)
{
    const uint32_t *traits = world->bodies.rows.traits;
    return ((traits[candidate->row_a] | traits[candidate->row_b]) & GRZ_TRAIT_FREE) != 0;
}

// What is rigid and not free is solved. What is none has no bodies.
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
        const bool is_pair = !((traits[a] | traits[b]) & GRZ_TRAIT_FREE) &&
                             deflect_by_traits(traits[a], traits[b]) &&
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
           grz_array_reserve(&solve->order, allocator, solve->pair_ends.data[slots]) &&
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
static void sort_pairs(graze_world *world)
{
    grz_solve *solve = &world->solve;
    const uint32_t *traits = world->bodies.rows.traits, *slot_of_row = solve->slot_of_row.data;
    const uint32_t *order = solve->order.data, slots = solve->rigid_count;
    const grz_found_pair *found = solve->found.data;
    grz_solver_pair *pairs = solve->pairs.data;
    uint32_t *ends = solve->pair_ends.data;
    for (uint32_t k = 0, count = solve->pairs.count; k < count; ++k) {
        const uint32_t a = found[order[k]].row_a, b = found[order[k]].row_b;
        const grz_solver_pair pair = {
            .row_a = a,
            .row_b = b,
            .contact = GRZ_NONE,
            .fixed = slot_of_row[b] >= slots,
            .is_round = !((traits[a] | traits[b]) & GRAZE_SHAPE_RECT),
        };
        pairs[ends[slot_of_row[a]]++] = pair;
    }
}

// Of each body that gives way, its pairs with others that do: in their order.
static void list_partners(grz_solve *solve)
{
    const uint32_t *slot_of_row = solve->slot_of_row.data, *pair_ends = solve->pair_ends.data;
    const grz_solver_pair *pairs = solve->pairs.data;
    uint32_t *ends = solve->partner_ends.data, *partners = solve->partners.data, k = 0;
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        for (; k < pair_ends[slot]; ++k) {
            if (!pairs[k].fixed) {
                partners[ends[slot]++] = k;
                partners[ends[slot_of_row[pairs[k].row_b]]++] = k;
            }
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
    sort_pairs(world);
    list_partners(solve);
    return true;
}

bool grz_solve_part_candidates(graze_world *world)
{
    grz_solve *solve = &world->solve;
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
        const bool free = is_with_free(world, &candidate);
        if (!free && solve->found.data[k].row_a == GRZ_NONE) {
            solve->passes.data[solve->passes.count++] = candidate;
        } else if (free || keeps_pairs) {
            world->found.candidates.data[kept++] = candidate;
        }
    }
    world->found.candidates.count = kept;
    return true;
}

bool grz_solve_number(graze_world *world)
{
    if (!reserve_slots(world) || !let_join(world)) {
        return false;
    }
    mark_indices(world);
    number_rigid(world);
    return find_pairs(world) && list_pairs(world);
}
