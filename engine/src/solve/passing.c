// Contacts of two discs that pass each other by.

#include "collide/pair_sweep.h"
#include "fault.h"
#include "solve/solve.h"

#include <string.h>

// A contact is found where two come near each other, with the normal of that time: along that, who
// passes beside a disc comes nearer than it does. Whether two meet, the exact test on their ways
// says, as long as nothing leads them off these. So a contact of two discs that have no other one,
// and that do not meet, holds nothing.

static void count_contacts(grz_solve *solve, uint32_t *counts)
{
    memset(counts, 0, solve->rigid_count * sizeof *counts);
    for (uint32_t k = 0; k < solve->contacts.count; ++k) {
        const grz_constraint_contact *contact = &solve->contacts.data[k];
        ++counts[contact->a];
        if (!contact->fixed) {
            ++counts[contact->b];
        }
    }
}

static bool pass_by(const graze_world *world, const uint32_t *counts,
                    const grz_constraint_contact *contact)
{
    const grz_solve *solve = &world->solve;
    const grz_rows *rows = &world->bodies.rows;
    if (counts[contact->a] > 1 || (!contact->fixed && counts[contact->b] > 1) ||
        contact->b == grz_terrain_slot(solve) || grz_least_gap(&contact->manifold) <= 0) {
        return false;
    }
    const grz_row a = solve->row_of_slot.data[contact->a], b = solve->row_of_slot.data[contact->b];
    grz_touch touch;
    return !((rows->traits[a] | rows->traits[b]) & GRAZE_SHAPE_RECT) &&
           !grz_touch_straight(rows, a, b, &touch);
}

bool grz_solve_let_pass(graze_world *world)
{
    grz_solve *solve = &world->solve;
    GRZ_FAULT(passing_by_holds, return true);
    if (!solve->contacts.count) {
        return true;
    }
    if (!grz_array_reserve(&solve->order, &world->config.counting, solve->rigid_count)) {
        return false;
    }
    uint32_t *counts = solve->order.data;
    count_contacts(solve, counts);
    for (uint32_t k = 0; k < solve->contacts.count; ++k) {
        grz_constraint_contact *contact = &solve->contacts.data[k];
        contact->passes = pass_by(world, counts, contact);
        if (contact->passes) {
            memset(contact->impulses, 0, sizeof contact->impulses);
            contact->friction_impulse = contact->rolling_impulse = 0;
        }
    }
    return true;
}
