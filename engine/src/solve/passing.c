// Contacts of two discs that pass each other by.

#include "collide/pair_sweep.h"
#include "fault.h"
#include "solve/solve.h"

#include <string.h>

// A contact is found where two come near each other, with the normal of that time: along that, who
// passes beside a disc comes nearer than it does. Whether two meet, the exact test on their ways
// says, as long as nothing leads them off these. So a contact of two discs that have no other one,
// and that do not meet, holds nothing.

static bool has_contact(const grz_solver_pair *pair)
{
    return pair->contact != GRZ_NONE || pair->hidden;
}

// Whether a body has a contact besides that of a pair.
static bool has_other(const grz_solve *solve, grz_slot slot, const grz_solver_pair *one)
{
    const grz_solver_pair *pairs = solve->pairs.data;
    bool found = false;
    for (uint32_t k = grz_first_of(&solve->wall_ends, slot); k < solve->wall_ends.data[slot]; ++k) {
        found = found || solve->walls.data[k].contact != GRZ_NONE;
    }
    for (uint32_t k = grz_first_of(&solve->pair_ends, slot); k < solve->pair_ends.data[slot]; ++k) {
        found = found || (&pairs[k] != one && has_contact(&pairs[k]));
    }
    const uint32_t *partners = solve->partners.data, end = solve->partner_ends.data[slot];
    for (uint32_t k = grz_first_of(&solve->partner_ends, slot); k < end; ++k) {
        found = found || (&pairs[partners[k]] != one && has_contact(&pairs[partners[k]]));
    }
    return found;
}

// What flies has no contact to hold it, but for the impulses that it may have kept.
static bool holds(const grz_solve *solve, const grz_solver_pair *pair)
{
    return !pair->flies || solve->contacts.data[pair->contact].kept;
}

static bool pass_by(const graze_world *world, const grz_solver_pair *pair)
{
    const grz_solve *solve = &world->solve;
    const bool may = pair->is_round & (pair->contact != GRZ_NONE) & (pair->gap > 0);
    grz_touch touch;
    return may && holds(solve, pair) && // One branch: most may not.
           !has_other(solve, pair->a, pair) && (pair->fixed || !has_other(solve, pair->b, pair)) &&
           !grz_touch_straight(&world->bodies.rows, pair->row_a, pair->row_b, &touch);
}

void grz_solve_let_pass(graze_world *world)
{
    grz_solve *solve = &world->solve;
    GRZ_FAULT(passing_by_holds, return );
    for (uint32_t k = 0; k < solve->pairs.count; ++k) {
        if (pass_by(world, &solve->pairs.data[k])) {
            grz_constraint_contact *contact = &solve->contacts.data[solve->pairs.data[k].contact];
            contact->passes = true;
            memset(contact->impulses, 0, sizeof contact->impulses);
            contact->friction_impulse = contact->rolling_impulse = 0;
        }
    }
}
