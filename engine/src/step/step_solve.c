// Solve: where rigid bodies go.

#include "solve/solve.h"
#include "step/step.h"

// What the last step kept is needed as long as there are dynamic bodies, or there were.
static bool has_work(const graze_world *world)
{
    return world->found.totals.rigid || world->found.totals.free_shapes || world->solve.cache.count;
}

static bool solve(graze_world *world)
{
    if (!grz_solve_number(world) || !grz_solve_find_contacts(world) || !grz_solve_let_fly(world) ||
        !grz_solve_wake(world) || !grz_solve_begin(world) || !grz_solve_pack(world)) {
        return false;
    }
    grz_solve_sweep(world);
    grz_solve_rest(world);
    return grz_solve_pull_back(world) && grz_solve_note_cache(world) && grz_solve_report(world);
}

graze_status grz_step_solve(graze_world *world)
{
    world->solve.rigid_count = 0;
    if (world->solve.woken && !grz_solve_put_woken_back(world)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    world->solve.woken = false;
    world->solve.coming.count = 0;
    if (!has_work(world)) {
        return GRAZE_OK;
    }
    return solve(world) ? GRAZE_OK : GRAZE_ERROR_OUT_OF_MEMORY;
}
