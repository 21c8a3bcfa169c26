// The step as a list of phases: compute_step() and commit_step().

// For clock_gettime, where there is POSIX. Before any header.
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200112L
#endif

#include "step/step.h"

#include "collide/predict.h"
#include "collide/sleep.h"
#include "fp_environment.h"
#include "plural.h"
#include "solve/slices.h"
#include "solve/solve.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/call_hook.h"
#include "world/message.h"
#include "world/parallel.h"
#include "world/rows.h"

#include <string.h>
#include <time.h>

// Adds the time since `*start` to a phase, and restarts the clock.
static void add_time(graze_world *world, graze_phase phase, double *start)
{
    const double now = grz_now_in_seconds();
    world->reports.stats.phase_seconds[phase] += now - *start;
    *start = now;
}

static graze_status propose(graze_world *world, double *start)
{
    static const struct {
        graze_status (*run)(graze_world *world);
        graze_phase phase;
    } phases[] = {
        {grz_step_predict, GRAZE_PHASE_PREDICT}, {grz_step_sort, GRAZE_PHASE_SORT},
        {grz_step_pairs, GRAZE_PHASE_PAIRS},     {grz_step_decide, GRAZE_PHASE_DECIDE},
        {grz_step_solve, GRAZE_PHASE_RESPOND},   {grz_step_respond, GRAZE_PHASE_RESPOND},
    };
    for (size_t i = 0; i < sizeof phases / sizeof *phases; ++i) {
        const graze_status status = phases[i].run(world);
        add_time(world, phases[i].phase, start);
        if (status) {
            return status;
        }
    }
    return GRAZE_OK;
}

// The phases that can fail: they change nothing that a game can see. See step.h. What would drive
// through others carries them: then all is proposed anew.
static graze_status compute_step(graze_world *world, double *start)
{
    world->found.carries = false;
    graze_status status = propose(world, start);
    if (!status && grz_carry_is_needed(world)) {
        grz_solve_part_joined(world);
        world->found.carries = true;
        status = propose(world, start);
    }
    // Pairs are decided while they are being found: this part of Pairs' time is Decide's.
    double *seconds = world->reports.stats.phase_seconds;
    const double deciding = seconds[GRAZE_PHASE_PAIRS] * world->found.decide_share;
    seconds[GRAZE_PHASE_DECIDE] += deciding;
    seconds[GRAZE_PHASE_PAIRS] -= deciding;
    status = status ? status : grz_step_collate(world);
    add_time(world, GRAZE_PHASE_REPORT, start); // In the stats Collate counts as part of Report.
    return status;
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
    if (world->call.recorder) {
        grz_recorder_add_step(world->call.recorder, dt, status);
    }
    grz_fp_leave(caller);
    return status;
}

// --- Predict ---

// Velocities, ends of trajectories, and swept boxes.

static bool reserve_boxes(graze_world *world)
{
    const graze_allocator *allocator = &world->config.counting;
    const size_t kind = world->bodies.ray_count || world->bodies.filter_count ? sizeof(uint8_t) : 0;
    const size_t size = world->bodies.rows.capacity * (sizeof(graze_aabb) + kind);
    return grz_block_reserve_exact(&world->found.box_memory, allocator, size) &&
           grz_array_reserve(&world->found.row_counts, allocator,
                             grz_count_blocks(world->bodies.rows.capacity, GRZ_BLOCK_ROWS));
}

static void add_up_counts(graze_world *world, uint32_t blocks)
{
    grz_row_counts sum = {0};
    for (uint32_t i = 0; i < blocks; ++i) {
        const grz_row_counts *part = &world->found.row_counts.data[i];
        sum.traits |= part->traits;
        sum.slow += part->slow;
        sum.overflow += part->overflow;
        sum.free += part->free;
        sum.free_shapes += part->free_shapes;
        sum.expiring += part->expiring;
        sum.rigid += part->rigid;
        sum.driving += part->driving;
    }
    world->found.totals = sum;
}

graze_status grz_step_predict_boxes(graze_world *world)
{
    grz_predict_job job = grz_predict_prepare(world);
    grz_predict_rows(world, &job);
    if (grz_sleep_wake_met(world)) {
        grz_predict_rows(world, &job);
    }
    world->bodies.rows.rotations_due = world->bodies.rows.rotations_due && !job.turns;
    add_up_counts(world, grz_count_blocks(world->bodies.active_count, GRZ_BLOCK_ROWS));
    return grz_slices_plan(world) ? GRAZE_OK : GRAZE_ERROR_OUT_OF_MEMORY;
}

graze_status grz_step_predict(graze_world *world)
{
    if (!reserve_boxes(world)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    grz_bodies_renew_kinds(world);
    world->bodies.rows.carry = NULL;
    if (world->found.carries) {
        grz_sleep_make_all_active(world);
    } else {
        grz_sleep_review(world, grz_gravity_step(world->config.gravity, world->call.dt),
                         world->call.dt);
    }
    return grz_step_predict_boxes(world);
}

// --- Sort ---

// Swept boxes into the grid; now and then rows into its order.

enum {
    JUMP_STRIDE = 8, ///< One place in 8 is tested.
    JUMP_LENGTH = 8, ///< Vectors in a cache line: rows farther apart share none.
    JUMP_SHARE = 2,  ///< Rows are sorted if one in 2 jumps,
    PAIR_SHARE = 4,  ///< and there is a pair to 4 rows.
    ORDER_WAIT = 64  ///< If order does not last, it is tried again after this many steps.
};

static graze_grid_items items_of(const graze_world *world)
{
    const graze_aabb *boxes = world->found.box_memory.data;
    const bool has_kinds = world->bodies.ray_count || world->bodies.filter_count;
    const uint8_t *kinds =
        has_kinds ? (const uint8_t *)(boxes + world->bodies.rows.capacity) : NULL;
    const graze_grid_items items = {
        .boxes = boxes,
        .kinds = grz_is_sliced(world) ? world->impacts.slices.kinds.data : kinds,
        .meets = grz_is_sliced(world) ? world->impacts.slices.meets.data : &world->grid.kinds.meets,
        .count = world->bodies.active_count,
        .from = world->bodies.rows.position,
        .to = world->bodies.rows.end,
    };
    return items;
}

// Measures how far rows are from the grid's order: at every eighth place, is the row of the next
// place more than a cache line away? Bodies move little in a step, so rows stay near each other for
// many steps; sorting them costs as much as a few steps of reading them from afar.
static uint32_t count_jumps(const uint32_t *order, uint32_t first, uint32_t end)
{
    uint32_t jumps = 0;
    for (uint32_t place = first; place + 1 < end; place += JUMP_STRIDE) {
        const uint32_t jump = order[place + 1] - order[place] + JUMP_LENGTH;
        jumps += jump > 2 * JUMP_LENGTH;
    }
    return jumps;
}

// Between steps rows change, but the grid still names those of the sort: so their indices are
// stored.
static void review_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const graze_world *world = context;
    memcpy(graze_grid_notes(world->grid.cells) + first, world->bodies.rows.index + first,
           (end - first) * sizeof *world->bodies.rows.index);
    world->found.row_counts.data[block].jumps =
        count_jumps(graze_grid_order(world->grid.cells), first, end);
}

static void review_rows(graze_world *world)
{
    const uint32_t count = world->bodies.active_count;
    grz_run_blocks(world, count, GRZ_BLOCK_ROWS, review_block, world);
    world->found.totals.jumps = 0;
    for (uint32_t block = 0; block < grz_count_blocks(count, GRZ_BLOCK_ROWS); ++block) {
        world->found.totals.jumps += world->found.row_counts.data[block].jumps;
    }
}

static bool has_many_jumps(const graze_world *world)
{
    return world->found.totals.jumps > world->bodies.active_count / JUMP_STRIDE / JUMP_SHARE;
}

// If many bodies come and go, rows that were sorted in one step are unordered by the next: then
// they are better not sorted.
static void review_order(graze_world *world)
{
    if (world->grid.rows_ordered && has_many_jumps(world)) {
        world->grid.order_wait = ORDER_WAIT;
    } else if (world->grid.order_wait) {
        --world->grid.order_wait;
    }
    world->grid.rows_ordered = false;
}

graze_status grz_step_sort(graze_world *world)
{
    const graze_grid_items items = items_of(world);
    graze_status status = graze_grid_reserve(world->grid.cells, world->bodies.rows.capacity);
    if (status) {
        return status;
    }
    status = graze_grid_build_parallel(world->grid.cells, &items, world->config.parallel,
                                       world->config.parallel_user);
    if (status) {
        return status;
    }
    review_rows(world);
    review_order(world);
    grz_bodies_mark_sorted(world);
    if (grz_is_sliced(world)) {
        world->grid.stale_kinds[world->impacts.slices.kind / 32] |=
            UINT32_C(1) << world->impacts.slices.kind % 32;
    }
    return GRAZE_OK;
}

// Only pairs read rows in the order of the grid: if there are few, rows are not sorted.
void grz_step_order_rows(graze_world *world)
{
    if (!world->grid.order_wait && has_many_jumps(world) &&
        world->found.candidate_count > world->bodies.active_count / PAIR_SHARE) {
        grz_rows_sort(world, &world->bodies.rows, graze_grid_order(world->grid.cells));
        grz_rows_number(world, world->bodies.active_count);
        world->grid.rows_ordered = true;
    }
}

// --- Solve ---

// Where rigid bodies go.

static bool solve(graze_world *world)
{
    if (!grz_solve_number(world) || !grz_solve_find_contacts(world) || !grz_solve_let_fly(world)) {
        return false;
    }
    grz_solve_let_pass(world);
    if (!grz_solve_wake(world) || !grz_solve_begin(world) || !grz_solve_pack(world)) {
        return false;
    }
    grz_solve_sweep(world);
    grz_solve_rest(world);
    return grz_solve_pull_back(world) && grz_solve_note_cache(world) && grz_solve_report(world);
}

// What the last step kept is needed as long as there are dynamic bodies, or there were.
graze_status grz_step_solve(graze_world *world)
{
    const bool has_dynamic = world->found.totals.rigid || world->found.totals.free_shapes;
    world->solve.rigid_count = 0;
    if (world->solve.woken && !grz_solve_put_woken_back(world)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    world->solve.woken = false;
    world->solve.coming.count = 0;
    const bool done = !(has_dynamic || world->solve.cache.count) || solve(world);
    return done ? GRAZE_OK : GRAZE_ERROR_OUT_OF_MEMORY;
}

// --- The clock ---

double grz_now_in_seconds(void)
{
#if defined(CLOCK_MONOTONIC) && !defined(_WIN32)
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#elif defined(TIME_UTC)
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#else
    // The older C library of Windows lacks both; its processor time is wall time.
    return (double)clock() / CLOCKS_PER_SEC;
#endif
}
