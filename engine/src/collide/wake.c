// How bodies at rest become active again.

#include "collide/sleep.h"

#include "asserts.h"
#include "bounds.h"
#include "collide/box.h"
#include "collide/sleep_rows.h"
#include "vec2d.h"
#include "world/bodies.h"

static bool do_indices_meet(const graze_world *world, uint32_t a, uint32_t b)
{
    return !world->bodies.filter_count ||
           grz_filters_meet(*grz_filter_of(world, a), *grz_filter_of(world, b));
}

// Takes a body out of the grid of bodies at sleep, and its pairs out of the count.
static void leave_grid(graze_world *world, uint32_t index, uint32_t row)
{
    grz_sleep *sleep = &world->sleep;
    graze_grid_cursor cursor =
        graze_grid_begin_box(sleep->grid, grz_sleep_box_of_still(world, row));
    uint32_t places[GRZ_SLEEP_PLACES];
    uint32_t own = GRZ_NONE;
    for (uint32_t count;
         (count = graze_grid_next_box(sleep->grid, &cursor, places, GRZ_SLEEP_PLACES));) {
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t other = sleep->index_of_place.data[places[i]];
            own = other == index ? places[i] : own;
            sleep->pair_count -= other != index && do_indices_meet(world, index, other);
        }
    }
    GRZ_ASSERT(own != GRZ_NONE);
    graze_grid_remove(sleep->grid, own);
}

static void wake_alone(graze_world *world, uint32_t index, uint32_t row)
{
    leave_grid(world, index, row);
    grz_sleep_swap_rows(world, row, world->bodies.active_count++);
    grz_bodies_mark_unsorted(world, index);
    world->sleep.voided = true;
    world->solve.woken = true;
    world->sleep.sleeper_count -=
        grz_sleep_is_sleeper(world->bodies.rows.traits[world->bodies.active_count - 1]);
}

// Wakes the sleepers in a box, and no others. Waking removes them from the grid, whose cursors stay
// valid.
static void wake_sleepers_in(graze_world *world, graze_aabb box)
{
    graze_grid_cursor cursor = graze_grid_begin_box(world->sleep.grid, box);
    uint32_t places[GRZ_SLEEP_PLACES];
    for (uint32_t found;
         (found = graze_grid_next_box(world->sleep.grid, &cursor, places, GRZ_SLEEP_PLACES));) {
        for (uint32_t i = 0; i < found; ++i) {
            const uint32_t index = grz_sleep_index_of_place(world, places[i]);
            const uint32_t row = world->bodies.row_of_index.data[index];
            if (grz_sleep_is_sleeper(world->bodies.rows.traits[row])) {
                wake_alone(world, index, row);
            }
        }
    }
}

// The active rows from `first` on have just woken: wakes the sleepers that each of them may meet,
// and so on.
static void spread(graze_world *world, uint32_t first)
{
    for (uint32_t row = first; row < world->bodies.active_count && world->sleep.sleeper_count;
         ++row) {
        wake_sleepers_in(world, grz_sleep_box_of_still(world, row));
    }
}

static void make_active(graze_world *world, uint32_t index)
{
    const uint32_t row = world->bodies.row_of_index.data[index];
    const uint32_t first = world->bodies.active_count;
    if (row >= first) {
        wake_alone(world, index, row);
        spread(world, first);
    }
}

static void wake_from_sleep(graze_world *world, uint32_t index)
{
    world->bodies.dynamics.data[index].flags &= ~(uint32_t)GRZ_ASLEEP;
    world->bodies.dynamics.data[index].quiet = 0;
}

// What rigid bodies may lie on. Where nothing is kept of contacts none lies on anything.
static bool may_bear(const graze_world *world, uint32_t index)
{
    const uint32_t traits = world->bodies.rows.traits[world->bodies.row_of_index.data[index]];
    return grz_is_solid(traits) && (world->solve.cache.count || world->solve.still_cache.count);
}

void grz_sleep_wake(graze_world *world, uint32_t index)
{
    make_active(world, index);
    if (world->bodies.dynamics.data) {
        wake_from_sleep(world, index);
        world->bodies.dynamics.data[index].flags |= may_bear(world, index) ? GRZ_STIRRED : 0u;
        world->solve.stirred = true;
    }
}

void grz_sleep_forget(graze_world *world)
{
    world->bodies.active_count = world->bodies.count;
    world->sleep.pair_count = 0;
    world->sleep.sleeper_count = 0;
    world->solve.woken = true;
    world->sleep.standing.count = 0;
    world->sleep.voided = false;
    world->sleep.wait = world->sleep.patience;
}

void grz_sleep_make_all_active(graze_world *world)
{
    for (uint32_t row = world->bodies.active_count; row < world->bodies.count; ++row) {
        grz_bodies_mark_unsorted(world, world->bodies.rows.index[row]);
    }
    grz_sleep_forget(world);
}

void grz_sleep_wake_all(graze_world *world)
{
    grz_sleep_make_all_active(world);
    for (uint32_t row = 0; world->bodies.dynamics.data && row < world->bodies.count; ++row) {
        wake_from_sleep(world, world->bodies.rows.index[row]);
    }
}

// Slightly enlarged, to include what touches by rounding.
static graze_aabb box_of_points(const graze_vec2 *points, uint32_t count)
{
    const graze_vec2 no_extent = {0, 0};
    graze_aabb box = box_of_point(points[0]);
    for (uint32_t i = 1; i < count; ++i) {
        extend_by_point(&box, points[i]);
    }
    return grz_swept_box(box.lower, box.upper, no_extent);
}

// What a sleeper meets may lie outside of its box, but no farther away than its own size.
static graze_aabb box_around(const graze_world *world, const graze_vec2 *points, uint32_t count)
{
    const float margin = world->sleep.sleeper_count ? world->sleep.sleeper_size : 0;
    graze_aabb box = box_of_points(points, count);
    box.lower.x -= margin;
    box.lower.y -= margin;
    box.upper.x += margin;
    box.upper.y += margin;
    return box;
}

void grz_sleep_make_active_near(graze_world *world, const graze_vec2 *points, uint32_t count)
{
    if (grz_all_are_active(world)) {
        return;
    }
    graze_grid_cursor cursor =
        graze_grid_begin_box(world->sleep.grid, box_around(world, points, count));
    uint32_t places[GRZ_SLEEP_PLACES];
    for (uint32_t found;
         (found = graze_grid_next_box(world->sleep.grid, &cursor, places, GRZ_SLEEP_PLACES));) {
        for (uint32_t i = 0; i < found; ++i) {
            make_active(world, grz_sleep_index_of_place(world, places[i]));
        }
    }
}

static void wake_sleepers(graze_world *world)
{
    for (uint32_t row = world->bodies.active_count; row < world->bodies.count; ++row) {
        if (row >= world->bodies.active_count &&
            grz_sleep_is_sleeper(world->bodies.rows.traits[row])) {
            make_active(world, world->bodies.rows.index[row]);
        }
    }
}

// Sleepers stay still only under the same gravity and dt. A dt of 0 only sorts.
static void review_course(graze_world *world, graze_vec2 gravity_step, float dt)
{
    grz_sleep *sleep = &world->sleep;
    if (dt == 0) {
        return;
    }
    sleep->steady = sleep->dt == dt && sleep->gravity_step.x == gravity_step.x &&
                    sleep->gravity_step.y == gravity_step.y;
    if (!sleep->steady && sleep->sleeper_count) {
        wake_sleepers(world);
    }
    sleep->dt = dt;
    sleep->gravity_step = gravity_step;
}

void grz_sleep_review(graze_world *world, graze_vec2 gravity_step, float dt)
{
    const uint32_t still = grz_sleep_count_still(world);
    const uint32_t worth = grz_sleep_worth_of(still, world->sleep.sleeper_count);
    world->sleep.standing.count = 0;
    if (still && (worth < world->bodies.active_count || !is_finite(gravity_step))) {
        grz_sleep_make_all_active(world);
    }
    review_course(world, gravity_step, dt);
}

bool grz_sleep_rouse(graze_world *world)
{
    const uint32_t active = world->bodies.active_count;
    for (uint32_t row = 0; row < active && world->sleep.sleeper_count; ++row) {
        const uint32_t first = world->bodies.active_count;
        wake_sleepers_in(world, grz_sleep_box_of_active(world, row));
        spread(world, first);
    }
    return world->bodies.active_count > active;
}
