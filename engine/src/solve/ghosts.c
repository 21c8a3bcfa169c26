// Ghosts beside bodies that give way: contacts with what lies behind one of these, and is not there
// to be met.

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
    GHOST_NONE = GRZ_NONE,       ///< It holds, or holds as well as any.
    GHOST_HIDDEN = GRZ_NONE - 1, ///< It is hidden, but by nothing that gives way;
    GHOST_BEHIND = GRZ_NONE - 2  ///< and by what held in the last step.
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

// Whether a body came to a wall in this step.
static bool is_at_new_wall(const grz_solve *solve, grz_slot slot)
{
    bool is_any = false;
    for (uint32_t k = grz_first_of(&solve->wall_ends, slot); k < solve->wall_ends.data[slot]; ++k) {
        const uint32_t contact = solve->walls.data[k].contact;
        is_any |= contact != GRZ_NONE && !solve->contacts.data[contact].kept;
    }
    return is_any;
}

static bool is_at_new_driven(const grz_solve *solve, grz_slot slot)
{
    bool is_any = false;
    for (uint32_t k = grz_first_of(&solve->pair_ends, slot); k < solve->pair_ends.data[slot]; ++k) {
        is_any |= solve->pairs.data[k].fixed && solve->pairs.data[k].is_new;
    }
    return is_any;
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
    const graze_vec2 *velocity = finder->world->bodies.rows.velocity;
    for (uint32_t k = grz_first_of(&solve->partner_ends, slot); k < solve->partner_ends.data[slot];
         ++k) {
        const grz_solver_pair *pair = pair_of(solve, k);
        if (is_listed(solve, pair)) {
            grz_finder_add(finder, body, pair->row_a == body->row ? pair->row_b : pair->row_a);
            grz_obstacle *partner = &finder->obstacles[finder->obstacle_count - 1];
            partner->gives_way = true;
            partner->falls = subtract(partner->velocity, widen(velocity[partner->row]));
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

// Whether what gives no way held the body in the last step.
static bool held_before(const grz_solve *solve, const partner_list *list, uint32_t place)
{
    const uint32_t walls = grz_count_of(&solve->wall_ends, list->slot);
    if (place < walls) {
        const grz_near_wall *near =
            &solve->walls.data[grz_first_of(&solve->wall_ends, list->slot) + place];
        return near->contact != GRZ_NONE && solve->contacts.data[near->contact].kept;
    }
    uint32_t k = grz_first_of(&solve->pair_ends, list->slot);
    for (uint32_t driven = walls;; ++k) {
        if (solve->pairs.data[k].fixed && driven++ == place) {
            return solve->pairs.data[k].contact != GRZ_NONE && !solve->pairs.data[k].is_new;
        }
    }
}

// What hides another must hold. What the sweep has dropped is not entered, whatever holds.
static uint32_t judge_obstacle(const grz_contact_finder *finder, const partner_list *list,
                               uint32_t place)
{
    const grz_obstacle *hidden = &finder->obstacles[place];
    const uint32_t hider = find_hider(finder, hidden);
    if (!hidden->dropped || (hidden->hider != GRZ_NONE && hider == GRZ_NONE)) {
        return GHOST_NONE;
    }
    const grz_solve *solve = &finder->world->solve;
    if (hider == GRZ_NONE || hider < list->first) {
        return hider != GRZ_NONE && held_before(solve, list, hider) ? GHOST_BEHIND : GHOST_HIDDEN;
    }
    return partner_of_obstacle(solve, list, hider);
}

// A body is in what gives way to it as deep as springs let it sink, and so below what is level with
// that and gives no way. What it lay on in the last step hides that.
static bool is_hidden(const grz_contact_finder *finder, const partner_list *list, uint32_t place)
{
    const uint32_t hider = judge_obstacle(finder, list, place);
    return hider == GHOST_HIDDEN || hider == GHOST_BEHIND ||
           (hider != GHOST_NONE && !pair_of(&finder->world->solve, hider)->is_new);
}

// Walls in one plane share a contact: it is hidden where all of them are.
static void hide_walls(const grz_contact_finder *finder, const partner_list *list)
{
    const grz_solve *solve = &finder->world->solve;
    const uint32_t first = grz_first_of(&solve->wall_ends, list->slot);
    const uint32_t end = solve->wall_ends.data[list->slot];
    for (uint32_t k = first; k < end; ++k) {
        const uint32_t contact = solve->walls.data[k].contact;
        if (contact != GRZ_NONE) {
            solve->contacts.data[contact].hidden = !solve->contacts.data[contact].kept;
        }
    }
    for (uint32_t k = first; k < end; ++k) {
        const uint32_t contact = solve->walls.data[k].contact;
        if (contact != GRZ_NONE && !is_hidden(finder, list, k - first)) {
            solve->contacts.data[contact].hidden = false;
        }
    }
}

static void drop_pair(grz_solve *solve, grz_solver_pair *pair)
{
    solve->contacts.data[pair->contact].hidden = true;
    pair->contact = GRZ_NONE;
    pair->gap = FLT_MAX;
}

static void hide_driven(const grz_contact_finder *finder, const partner_list *list)
{
    grz_solve *solve = &finder->world->solve;
    uint32_t place = grz_count_of(&solve->wall_ends, list->slot);
    for (uint32_t k = grz_first_of(&solve->pair_ends, list->slot);
         place < list->first && k < solve->pair_ends.data[list->slot]; ++k) {
        grz_solver_pair *pair = &solve->pairs.data[k];
        if (pair->fixed && is_hidden(finder, list, place++) && pair->is_new) {
            drop_pair(solve, pair);
        }
    }
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
        solve->ghosts.data[k] = listed ? judge_obstacle(finder, &list, place++) : GHOST_NONE;
    }
    hide_walls(finder, &list);
    hide_driven(finder, &list);
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

static bool may_be_haunted(const grz_solve *solve, grz_slot slot)
{
    return grz_count_of(&solve->partner_ends, slot) &&
           (is_at_corner(solve, slot) || is_at_new_wall(solve, slot) ||
            is_at_new_driven(solve, slot));
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
        if (may_be_haunted(solve, slot) && !stands(world, solve->row_of_slot.data[slot])) {
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
        if (hider == GHOST_HIDDEN || hider == GHOST_BEHIND) {
            pair->hidden = true;
            pair->is_behind = hider == GHOST_BEHIND;
        } else if (!pair_of(solve, hider)->hidden) {
            pair->hidden = pair_of(solve, hider)->hides = true;
            pair->is_behind = !pair_of(solve, hider)->is_new;
        }
    }
}

static void drop_hidden(grz_solve *solve, grz_slot slot)
{
    for (uint32_t k = grz_first_of(&solve->partner_ends, slot); k < solve->partner_ends.data[slot];
         ++k) {
        grz_solver_pair *pair = pair_of(solve, k);
        if (pair->hidden && pair->contact != GRZ_NONE) {
            drop_pair(solve, pair);
            solve->behind_count += pair->is_behind;
        }
    }
}

static void mark(grz_solve *solve, grz_slot slot)
{
    solve->haunted.data[slot / 64] |= (uint64_t)1 << slot % 64;
}

static void mark_new(grz_solve *solve)
{
    memset(solve->haunted.data, 0, ((size_t)solve->rigid_count / 64 + 1) * sizeof(uint64_t));
    for (uint32_t k = 0; k < solve->pairs.count; ++k) {
        const grz_solver_pair *pair = &solve->pairs.data[k];
        if (pair->is_new) {
            mark(solve, pair->a);
            mark(solve, pair->fixed ? pair->a : pair->b);
        }
    }
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        if (grz_count_of(&solve->partner_ends, slot) && is_at_new_wall(solve, slot)) {
            mark(solve, slot);
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
    solve->behind_count = 0;
    grz_run_blocks(world, solve->obstacle_firsts.count, 1, judge_block, world);
    for (grz_slot k = next_with_new(solve, 0, end); k < end; k = next_with_new(solve, k + 1, end)) {
        hide_ghosts(solve, k);
    }
    for (grz_slot k = next_with_new(solve, 0, end); k < end; k = next_with_new(solve, k + 1, end)) {
        drop_hidden(solve, k);
    }
    return true;
}
