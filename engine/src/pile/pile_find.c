#include "pile/pile_find.h"

#include "pile/pile_pairs.h"
#include "pile/pile_sets.h"
#include "pile/pile_walls.h"

// Two that a constraint joins are of one set: it is enough to ask for one of them.
static bool is_of_piles(const graze_world *world, const grz_constraint *constraint)
{
    return grz_pile_has(world, constraint->upper) &&
           (constraint->kind != GRZ_CONSTRAINT_BODY || constraint->joins ||
            grz_pile_has(world, constraint->lower));
}

static void drop_others(graze_world *world)
{
    grz_piles *piles = &world->piles;
    uint32_t count = 0;
    for (uint32_t k = 0; k < piles->constraints.count; ++k) {
        if (is_of_piles(world, &piles->constraints.data[k])) {
            if (count < k) {
                piles->constraints.data[count] = piles->constraints.data[k];
            }
            ++count;
        }
    }
    piles->constraints.count = count;
}

static bool note_meetings(graze_world *world)
{
    grz_piles *piles = &world->piles;
    const uint32_t meetings = world->meetings.count;
    if (!grz_array_reserve(&piles->of_meeting, &world->counting, meetings)) {
        return false;
    }
    piles->of_meeting.count = meetings;
    for (uint32_t k = 0; k < meetings; ++k) {
        piles->of_meeting.data[k] = GRZ_NONE;
    }
    for (uint32_t k = 0; k < piles->constraints.count; ++k) {
        const grz_constraint *constraint = &piles->constraints.data[k];
        if (constraint->kind != GRZ_CONSTRAINT_WALL) {
            piles->of_meeting.data[constraint->meeting] = k;
        }
    }
    return true;
}

static bool list_bodies(graze_world *world)
{
    grz_piles *piles = &world->piles;
    if (!grz_array_reserve(&piles->keys, &world->counting, world->motions.count)) {
        return false;
    }
    for (uint32_t m = 0; m < world->motions.count; ++m) {
        piles->keys.data[piles->keys.count].motion = m;
        piles->keys.count += grz_pile_has(world, m);
    }
    return true;
}

bool grz_piles_find(graze_world *world)
{
    grz_piles *piles = &world->piles;
    piles->constraints.count = 0;
    piles->loose.count = 0;
    piles->keys.count = 0;
    if (world->totals.free_shapes == world->totals.flying) {
        return true;
    }
    if (!grz_pile_pairs_add(world)) {
        return false;
    }
    if (piles->constraints.count < grz_least_bodies_of_pile(world) - 1) {
        piles->constraints.count = 0;
        return true;
    }
    if (!grz_pile_sets_join(world) || !grz_pile_walls_add(world)) {
        return false;
    }
    grz_pile_sets_mark_held(world);
    drop_others(world);
    return grz_pile_pairs_add_loose(world) && note_meetings(world) && list_bodies(world);
}
