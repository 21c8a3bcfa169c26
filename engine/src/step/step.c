// The step as a list of phases: compute_step() and commit_step().

#include "step/step.h"

#include "collide/sleep.h"
#include "fp_environment.h"
#include "plural.h"
#include "solve/solve.h"
#include "vec2d.h"
#include "world/call_hook.h"
#include "world/clock.h"
#include "world/message.h"

#include <string.h>

// Adds the time since `*start` to a phase, and restarts the clock.
static void add_time(graze_world *world, graze_phase phase, double *start)
{
    const double now = grz_now_in_seconds();
    world->reports.stats.phase_seconds[phase] += now - *start;
    *start = now;
}

// Pairs are decided while they are being found: this part of Pairs' time is Decide's.
static void split_time_of_pairs(graze_world *world)
{
    double *seconds = world->reports.stats.phase_seconds;
    const double deciding = seconds[GRAZE_PHASE_PAIRS] * world->found.decide_share;
    seconds[GRAZE_PHASE_DECIDE] += deciding;
    seconds[GRAZE_PHASE_PAIRS] -= deciding;
}

// The phases that can fail: they change nothing that a game can see. See step.h.
static graze_status compute_step(graze_world *world, double *start)
{
    static const struct {
        graze_status (*run)(graze_world *world);
        graze_phase phase; // In the stats: Collate counts as part of Report.
    } phases[] = {
        {grz_step_predict, GRAZE_PHASE_PREDICT}, {grz_step_sort, GRAZE_PHASE_SORT},
        {grz_step_pairs, GRAZE_PHASE_PAIRS},     {grz_step_decide, GRAZE_PHASE_DECIDE},
        {grz_step_solve, GRAZE_PHASE_RESPOND},   {grz_step_respond, GRAZE_PHASE_RESPOND},
        {grz_step_collate, GRAZE_PHASE_REPORT},
    };
    for (size_t i = 0; i < sizeof phases / sizeof *phases; ++i) {
        const graze_status status = phases[i].run(world);
        add_time(world, phases[i].phase, start);
        if (status) {
            return status;
        }
    }
    split_time_of_pairs(world);
    return GRAZE_OK;
}

// The phases that cannot fail: they change the world. Putting bodies to rest is timed as Commit.
static void commit_step(graze_world *world, double *start)
{
    grz_step_commit(world);
    add_time(world, GRAZE_PHASE_COMMIT, start);
    grz_step_report(world);
    add_time(world, GRAZE_PHASE_REPORT, start);
    if (grz_sleep_make_still(world)) {
        grz_solve_set_still_apart(world);
    }
    add_time(world, GRAZE_PHASE_COMMIT, start);
}

static graze_status run_phases(graze_world *world)
{
    double start = grz_now_in_seconds();
    const graze_status status = compute_step(world, &start);
    if (status) {
        grz_solve_part_joined(world);
    } else {
        commit_step(world, &start);
    }
    return status;
}

static void explain_failure(const graze_world *world, graze_status status)
{
    if (status == GRAZE_ERROR_LIMIT) {
        grz_fail(world, status, "graze_world_step: the step has %u %s; contact_capacity is %u",
                 (unsigned)world->reports.contact_count,
                 grz_plural(world->reports.contact_count, "contact", "contacts"),
                 (unsigned)world->config.contact_capacity);
    } else {
        grz_fail(world, status, "graze_world_step: no memory for a step of %u %s",
                 (unsigned)world->bodies.count, grz_plural(world->bodies.count, "body", "bodies"));
    }
}

static graze_status step_world(graze_world *world, float dt)
{
    const graze_status busy = grz_check_not_busy(world, "graze_world_step");
    if (busy) {
        return busy;
    }
    if (!is_finite_sum((double)dt) || !(dt > 0)) {
        return grz_fail(world, GRAZE_ERROR_ARGUMENT,
                        "graze_world_step: dt is %g; it must be finite and above 0", (double)dt);
    }
    const graze_world_stats before = world->reports.stats;
    memset(world->reports.stats.phase_seconds, 0, sizeof world->reports.stats.phase_seconds);
    world->call.busy = true;
    world->call.dt = dt;
    const graze_status status = run_phases(world);
    world->call.busy = false;
    if (status) {
        world->reports.stats = before;
        explain_failure(world, status);
    } else if (world->found.totals.overflow) {
        grz_fail(world, GRAZE_ERROR_LIMIT,
                 "graze_world_step: %u %s would have left the range of float, and %s stopped",
                 (unsigned)world->found.totals.overflow,
                 grz_plural(world->found.totals.overflow, "body", "bodies"),
                 grz_plural(world->found.totals.overflow, "was", "were"));
    }
    return status;
}

graze_status graze_world_step(graze_world *world, float dt)
{
    const grz_fp_environment caller = grz_fp_enter();
    const graze_status status = step_world(world, dt);
    grz_note_step(world, status, dt);
    grz_fp_leave(caller);
    return status;
}
