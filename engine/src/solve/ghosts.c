// Ghosts among bodies that give way: contacts with what lies behind another, and is not there to be
// met.

#include "bits.h"
#include "collide/tolerance.h"
#include "fault.h"
#include "solve/constraint.h"
#include "solve/solve.h"
#include "world/parallel.h"

#include <string.h>

// What one body hides, another does not list any more: so bodies come in their order, by slot. On
// threads they guess that nothing is hidden yet, then that it is as the last guesses say; what has
// guessed right by its turn is right.

/// What becomes of a pair, from the side of one of its bodies. Else: the place, among that body's
/// partners, of the one that hides it.
enum {
    GHOST_NONE = GRZ_NONE,       ///< It holds, or holds as well as any.
    GHOST_HIDDEN = GRZ_NONE - 1, ///< It is hidden, but by nothing that gives way.
    GHOST_UNKNOWN = GRZ_NONE - 2 ///< Of the first partner: none of them is known.
};

// Returns the next body, from `slot` on, that may have ghosts; `end` if there is none before it.
static grz_slot next_haunted(const grz_solve *solve, grz_slot slot, grz_slot end)
{
    for (; slot < end; slot = slot / 64 * 64 + 64) {
        const uint64_t bits = solve->haunted.data[slot / 64] >> slot % 64;
        if (bits) {
            return min_u32(slot + grz_lowest_bit(bits), end);
        }
    }
    return end;
}

static bool is_at_corner(const grz_solve *solve, grz_slot slot)
{
    bool is_any = false;
    for (uint32_t k = grz_first_of(&solve->partner_ends, slot); k < solve->partner_ends.data[slot];
         ++k) {
        const grz_solver_pair *pair = &solve->pairs.data[solve->partners.data[k]];
        is_any |= pair->at_corner & !pair->hidden;
    }
    return is_any;
}

// The pairs that are listed as obstacles, behind the others: those that are not hidden yet.
static void list_partners(grz_contact_finder *finder, const grz_met_by *body, grz_slot slot)
{
    const grz_solve *solve = &finder->world->solve;
    for (uint32_t k = grz_first_of(&solve->partner_ends, slot); k < solve->partner_ends.data[slot];
         ++k) {
        const grz_solver_pair *pair = &solve->pairs.data[solve->partners.data[k]];
        if (!solve->unlisted.data[k]) {
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
        if (!solve->unlisted.data[k] && listed++ == place) {
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
    const grz_row row = solve->row_of_slot.data[slot];
    const uint32_t first = grz_first_of(&solve->partner_ends, slot);
    const uint32_t end = solve->partner_ends.data[slot];
    for (uint32_t k = first; k < end; ++k) {
        solve->ghosts.data[k] = GHOST_NONE;
    }
    const grz_met_by body = grz_met_by_row(finder->world, row);
    grz_finder_list(finder, &body, slot);
    const partner_list list = {slot, finder->obstacle_count};
    list_partners(finder, &body, slot);
    grz_obstacles_rule(&body, finder->obstacles, finder->obstacle_count);
    uint32_t place = list.first;
    for (uint32_t k = first; k < end; ++k) {
        solve->ghosts.data[k] =
            solve->unlisted.data[k] ? GHOST_NONE : judge_partner(finder, &list, place++);
    }
}

// What has no contact hides nothing.
static bool is_left_out(const grz_solve *solve, uint32_t partner)
{
    const grz_solver_pair *pair = &solve->pairs.data[solve->partners.data[partner]];
    return pair->hidden || pair->contact == GRZ_NONE;
}

static bool is_known(const grz_solve *solve, grz_slot slot)
{
    const uint32_t first = grz_first_of(&solve->partner_ends, slot);
    bool known = solve->ghosts.data[first] != GHOST_UNKNOWN;
    for (uint32_t k = first; known && k < solve->partner_ends.data[slot]; ++k) {
        known = solve->unlisted.data[k] == is_left_out(solve, k);
    }
    return known;
}

static void note_listed(grz_solve *solve, grz_slot slot)
{
    for (uint32_t k = grz_first_of(&solve->partner_ends, slot); k < solve->partner_ends.data[slot];
         ++k) {
        solve->unlisted.data[k] = is_left_out(solve, k);
    }
}

// What hides another is hidden from neither side.
static void hide_ghosts(grz_solve *solve, grz_slot slot)
{
    for (uint32_t k = grz_first_of(&solve->partner_ends, slot); k < solve->partner_ends.data[slot];
         ++k) {
        grz_solver_pair *pair = &solve->pairs.data[solve->partners.data[k]];
        const uint32_t hider = solve->ghosts.data[k];
        if (hider == GHOST_NONE || hider == GHOST_UNKNOWN || pair->hides) {
            continue;
        }
        pair->hidden = true;
        if (hider != GHOST_HIDDEN) {
            solve->pairs.data[solve->partners.data[hider]].hides = true;
        }
    }
}

static void guess_ghosts(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    const grz_solve *solve = &world->solve;
    grz_contact_finder finder = grz_finder_of(world, block, NULL, 0);
    (void)first;
    (void)end;
    const grz_slot behind = grz_finder_end(solve, block);
    for (grz_slot slot = next_haunted(solve, block * GRZ_BLOCK_CONTACTS, behind); slot < behind;
         slot = next_haunted(solve, slot + 1, behind)) {
        const uint32_t partner = grz_first_of(&solve->partner_ends, slot);
        if (is_at_corner(solve, slot) && solve->ghosts.data[partner] == GHOST_UNKNOWN) {
            find_ghosts(&finder, slot);
        }
    }
}

// Returns how many bodies have guessed wrong. These guess again.
static uint32_t hide_guessed(grz_solve *solve)
{
    uint32_t wrong = 0;
    const grz_slot end = solve->rigid_count;
    for (grz_slot slot = next_haunted(solve, 0, end); slot < end;
         slot = next_haunted(solve, slot + 1, end)) {
        if (!is_at_corner(solve, slot)) {
            continue;
        }
        const bool known = is_known(solve, slot);
        if (!known) {
            note_listed(solve, slot);
        }
        hide_ghosts(solve, slot);
        if (!known) {
            solve->ghosts.data[grz_first_of(&solve->partner_ends, slot)] = GHOST_UNKNOWN;
            ++wrong;
        }
    }
    return wrong;
}

static void hide_known(graze_world *world)
{
    grz_solve *solve = &world->solve;
    for (uint32_t block = 0; block < solve->obstacle_firsts.count; ++block) {
        grz_contact_finder finder = grz_finder_of(world, block, NULL, 0);
        const grz_slot end = grz_finder_end(solve, block);
        for (grz_slot slot = next_haunted(solve, block * GRZ_BLOCK_CONTACTS, end); slot < end;
             slot = next_haunted(solve, slot + 1, end)) {
            if (is_at_corner(solve, slot)) {
                if (!is_known(solve, slot)) {
                    note_listed(solve, slot);
                    find_ghosts(&finder, slot);
                }
                hide_ghosts(solve, slot);
            }
        }
    }
}

static void show_all(grz_solve *solve)
{
    for (uint32_t k = 0; k < solve->pairs.count; ++k) {
        solve->pairs.data[k].hidden = solve->pairs.data[k].hides = false;
    }
}

// Few that are wrong are done in their turn.
static void guess_on_threads(graze_world *world, uint32_t count)
{
    enum { GUESSES = 4 };
    grz_solve *solve = &world->solve;
    uint32_t wrong = count;
    for (int guess = 0; guess < GUESSES && wrong > GRZ_BLOCK_CONTACTS; ++guess) {
        grz_run_blocks(world, solve->obstacle_firsts.count, 1, guess_ghosts, world);
        wrong = hide_guessed(solve);
        show_all(solve);
    }
}

// Nothing is known of a body's partners, and none is left out.
static void forget_partners(grz_solve *solve, grz_slot slot)
{
    for (uint32_t k = grz_first_of(&solve->partner_ends, slot); k < solve->partner_ends.data[slot];
         ++k) {
        solve->ghosts.data[k] = GHOST_UNKNOWN;
        solve->unlisted.data[k] = 0;
    }
}

// What has held two in the last step is none.
static void drop_hidden(grz_solve *solve, grz_slot slot)
{
    for (uint32_t k = grz_first_of(&solve->partner_ends, slot); k < solve->partner_ends.data[slot];
         ++k) {
        grz_solver_pair *pair = &solve->pairs.data[solve->partners.data[k]];
        if (pair->hidden && pair->contact != GRZ_NONE) {
            grz_constraint_contact *contact = &solve->contacts.data[pair->contact];
            contact->hidden = !contact->kept;
            pair->contact = contact->kept ? pair->contact : GRZ_NONE;
        }
    }
}

typedef void of_slot_fn(grz_solve *solve, grz_slot slot);

static void for_all_haunted(grz_solve *solve, of_slot_fn *of_slot)
{
    const grz_slot end = solve->rigid_count;
    for (grz_slot slot = next_haunted(solve, 0, end); slot < end;
         slot = next_haunted(solve, slot + 1, end)) {
        of_slot(solve, slot);
    }
}

static void mark(grz_solve *solve, grz_row row)
{
    const grz_slot slot = solve->slot_of_row.data[row];
    solve->haunted.data[slot / 64] |= (uint64_t)1 << slot % 64;
}

// Only new contacts are hidden in the end.
static void mark_new(graze_world *world)
{
    grz_solve *solve = &world->solve;
    memset(solve->haunted.data, 0, ((size_t)solve->rigid_count / 64 + 1) * sizeof(uint64_t));
    for (uint32_t k = 0; k < solve->pairs.count; ++k) {
        const grz_solver_pair *pair = &solve->pairs.data[k];
        if (pair->is_new || (world->config.no_shortcuts && !pair->fixed)) {
            mark(solve, pair->row_a);
            mark(solve, pair->row_b);
        }
    }
}

// What a body hides depends on what those before it hide.
static void mark_before(grz_solve *solve, grz_slot slot)
{
    GRZ_FAULT(ghosts_in_a_chain, return );
    for (uint32_t k = grz_first_of(&solve->partner_ends, slot); k < solve->partner_ends.data[slot];
         ++k) {
        const grz_solver_pair *pair = &solve->pairs.data[solve->partners.data[k]];
        if (pair->contact != GRZ_NONE && solve->slot_of_row.data[pair->row_a] < slot) {
            mark(solve, pair->row_a);
        }
    }
}

// A body that stands enters nothing that it is not in contact with already.
static bool stands(const graze_world *world, grz_row row)
{
    const double way = length_of(widen(world->bodies.rows.velocity[row])) * (double)world->call.dt;
    return !(way > grz_slop_of(world, row));
}

// Marks all bodies that may have ghosts: at corners. Returns how many.
static uint32_t mark_haunted(graze_world *world)
{
    grz_solve *solve = &world->solve;
    uint32_t count = 0;
    mark_new(world);
    for (grz_slot slot = solve->rigid_count; slot-- > 0;) {
        uint64_t *bits = &solve->haunted.data[slot / 64];
        if (!(*bits >> slot % 64 & 1)) {
            continue;
        }
        if (is_at_corner(solve, slot) && !stands(world, solve->row_of_slot.data[slot])) {
            mark_before(solve, slot);
            ++count;
        } else {
            *bits &= ~((uint64_t)1 << slot % 64);
        }
    }
    return count;
}

static bool reserve_ghosts(graze_world *world)
{
    const graze_allocator *allocator = &world->config.counting;
    grz_solve *solve = &world->solve;
    const uint32_t count = grz_first_of(&solve->partner_ends, solve->rigid_count);
    return grz_array_reserve(&solve->haunted, allocator, (size_t)solve->rigid_count / 64 + 1) &&
           grz_array_reserve(&solve->ghosts, allocator, count) &&
           grz_array_reserve(&solve->unlisted, allocator, count);
}

bool grz_solve_hide_ghosts(graze_world *world)
{
    grz_solve *solve = &world->solve;
    if (!reserve_ghosts(world)) {
        return false;
    }
    const uint32_t count = mark_haunted(world);
    for_all_haunted(solve, forget_partners);
    if (world->config.parallel) {
        guess_on_threads(world, count);
    }
    hide_known(world);
    for_all_haunted(solve, drop_hidden);
    return true;
}
