// Ghosts among bodies that give way: contacts with what lies behind another, and is not there to be
// met.

#include "bits.h"
#include "collide/tolerance.h"
#include "solve/constraint.h"
#include "solve/solve.h"
#include "world/parallel.h"

#include <string.h>

// Each body judges for itself what lies behind what. Then what hides another must hold: so it is
// hidden from neither side. What held in the last step is no ghost.

/// What becomes of a pair, from the side of one of its bodies. Else: the place, among that body's
/// partners, of the one that hides it.
enum {
    GHOST_NONE = GRZ_NONE,      ///< It holds, or holds as well as any.
    GHOST_HIDDEN = GRZ_NONE - 1 ///< It is hidden, but by nothing that gives way.
};

static grz_solver_pair *pair_of(const grz_solve *solve, uint32_t partner)
{
    return &solve->pairs.data[solve->partners.data[partner]];
}

// What bounces off another, and is far from it, meets it in the order of time, if it does: the
// solver need not know of it. So no such pair hides another. What never turns is far from farther
// off: games steer it along rows of others.
static bool is_listed(const grz_solve *solve, const grz_solver_pair *pair)
{
    if (pair->contact == GRZ_NONE) {
        return false;
    }
    const grz_constraint_contact *contact = &solve->contacts.data[pair->contact];
    const grz_contact_body *bodies = solve->contact_bodies.data;
    const grz_contact_body *a = &bodies[pair->a], *b = &bodies[pair->b];
    const double near = a->turns && b->turns ? grz_contact_margin : 4;
    return !(contact->restitution > 0) ||
           (double)pair->gap <= near * (double)min_float(a->size, b->size);
}

static bool is_at_corner(const grz_solve *solve, grz_slot slot)
{
    bool is_any = false;
    for (uint32_t k = grz_first_of(&solve->partner_ends, slot); k < solve->partner_ends.data[slot];
         ++k) {
        is_any |= pair_of(solve, k)->at_corner;
    }
    return is_any;
}

// A body that stands enters nothing that it is not in contact with already.
static bool stands(const graze_world *world, grz_row row)
{
    const double way = length_of(widen(world->bodies.rows.velocity[row])) * (double)world->call.dt;
    return !(way > grz_slop_of(world, row));
}

// Lists the pairs that have a contact behind the other obstacles.
static void list_partners(grz_contact_finder *finder, const grz_met_by *body, grz_slot slot)
{
    const grz_solve *solve = &finder->world->solve;
    for (uint32_t k = grz_first_of(&solve->partner_ends, slot); k < solve->partner_ends.data[slot];
         ++k) {
        const grz_solver_pair *pair = pair_of(solve, k);
        if (is_listed(solve, pair)) {
            grz_finder_add(finder, body, pair->row_a == body->row ? pair->row_b : pair->row_a);
            finder->obstacles[finder->obstacle_count - 1].gives_way = true;
        }
    }
}

// What hides an obstacle may itself be behind another.
static uint32_t find_hider(const grz_contact_finder *finder, const grz_obstacle *hidden)
{
    uint32_t hider = hidden->hider;
    while (hider != GRZ_NONE && finder->obstacles[hider].dropped) {
        hider = finder->obstacles[hider].hider;
    }
    return hider;
}

/// The pairs of a body that gives way, among its obstacles.
typedef struct partner_list {
    grz_slot slot, first; ///< The place of the first among the obstacles.
} partner_list;

static uint32_t partner_of_obstacle(const grz_solve *solve, const partner_list *list,
                                    uint32_t place)
{
    uint32_t k = grz_first_of(&solve->partner_ends, list->slot);
    for (uint32_t listed = list->first;; ++k) {
        if (is_listed(solve, pair_of(solve, k)) && listed++ == place) {
            return k;
        }
    }
}

// What hides another must hold. What the sweep has dropped is not entered, whatever holds.
static uint32_t judge_partner(const grz_contact_finder *finder, const partner_list *list,
                              uint32_t place)
{
    const grz_obstacle *hidden = &finder->obstacles[place];
    const uint32_t hider = find_hider(finder, hidden);
    if (!hidden->dropped || (hidden->hider != GRZ_NONE && hider == GRZ_NONE)) {
        return GHOST_NONE;
    }
    return hider == GRZ_NONE || hider < list->first
               ? GHOST_HIDDEN
               : partner_of_obstacle(&finder->world->solve, list, hider);
}

static void find_ghosts(grz_contact_finder *finder, grz_slot slot)
{
    grz_solve *solve = &finder->world->solve;
    grz_met_by body;
    grz_met_by_fill(finder->world, solve->row_of_slot.data[slot], &body);
    grz_finder_list(finder, &body, slot);
    const partner_list list = {slot, finder->obstacle_count};
    list_partners(finder, &body, slot);
    grz_obstacles_rule(&body, finder->obstacles, finder->obstacle_count);
    uint32_t place = list.first;
    for (uint32_t k = grz_first_of(&solve->partner_ends, slot); k < solve->partner_ends.data[slot];
         ++k) {
        const bool listed = is_listed(solve, pair_of(solve, k));
        solve->ghosts.data[k] = listed ? judge_partner(finder, &list, place++) : GHOST_NONE;
    }
}

// Returns the next body, from `slot` on, that has new contacts; `end` if there is none before it.
static grz_slot next_with_new(const grz_solve *solve, grz_slot slot, grz_slot end)
{
    for (; slot < end; slot = slot / 64 * 64 + 64) {
        const uint64_t bits = solve->haunted.data[slot / 64] >> slot % 64;
        if (bits) {
            return min_u32(slot + grz_lowest_bit(bits), end);
        }
    }
    return end;
}

static void judge_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    grz_solve *solve = &world->solve;
    grz_contact_finder finder = grz_finder_of(world, block, NULL, 0);
    first = block * GRZ_BLOCK_CONTACTS;
    end = grz_finder_end(solve, block);
    for (grz_slot slot = next_with_new(solve, first, end); slot < end;
         slot = next_with_new(solve, slot + 1, end)) {
        if (is_at_corner(solve, slot) && !stands(world, solve->row_of_slot.data[slot])) {
            find_ghosts(&finder, slot);
        } else {
            solve->haunted.data[slot / 64] &= ~((uint64_t)1 << slot % 64);
        }
    }
}

static void hide_ghosts(grz_solve *solve, grz_slot slot)
{
    for (uint32_t k = grz_first_of(&solve->partner_ends, slot); k < solve->partner_ends.data[slot];
         ++k) {
        grz_solver_pair *pair = pair_of(solve, k);
        const uint32_t hider = solve->ghosts.data[k];
        if (hider == GHOST_NONE || !pair->is_new || pair->hides) {
            continue;
        }
        if (hider == GHOST_HIDDEN) {
            pair->hidden = true;
        } else if (!pair_of(solve, hider)->hidden) {
            pair->hidden = pair_of(solve, hider)->hides = true;
        }
    }
}

static void drop_hidden(grz_solve *solve, grz_slot slot)
{
    for (uint32_t k = grz_first_of(&solve->partner_ends, slot); k < solve->partner_ends.data[slot];
         ++k) {
        grz_solver_pair *pair = pair_of(solve, k);
        if (pair->hidden && pair->contact != GRZ_NONE) {
            solve->contacts.data[pair->contact].hidden = true;
            pair->contact = GRZ_NONE;
            pair->gap = FLT_MAX;
        }
    }
}

static void mark(grz_solve *solve, grz_row row)
{
    const grz_slot slot = solve->slot_of_row.data[row];
    solve->haunted.data[slot / 64] |= (uint64_t)1 << slot % 64;
}

static void mark_new(grz_solve *solve)
{
    memset(solve->haunted.data, 0, ((size_t)solve->rigid_count / 64 + 1) * sizeof(uint64_t));
    for (uint32_t k = 0; k < solve->pairs.count; ++k) {
        const grz_solver_pair *pair = &solve->pairs.data[k];
        if (pair->is_new) {
            mark(solve, pair->row_a);
            mark(solve, pair->row_b);
        }
    }
}

bool grz_solve_hide_ghosts(graze_world *world)
{
    const graze_allocator *allocator = &world->config.counting;
    grz_solve *solve = &world->solve;
    const grz_slot end = solve->rigid_count;
    if (!grz_array_reserve(&solve->haunted, allocator, (size_t)end / 64 + 1) ||
        !grz_array_reserve(&solve->ghosts, allocator, grz_first_of(&solve->partner_ends, end))) {
        return false;
    }
    mark_new(solve);
    grz_run_blocks(world, solve->obstacle_firsts.count, 1, judge_block, world);
    for (grz_slot k = next_with_new(solve, 0, end); k < end; k = next_with_new(solve, k + 1, end)) {
        hide_ghosts(solve, k);
    }
    for (grz_slot k = next_with_new(solve, 0, end); k < end; k = next_with_new(solve, k + 1, end)) {
        drop_hidden(solve, k);
    }
    return true;
}
