// How bodies at rest become still: their rows, their grid, and the reports that stay.

#include "collide/sleep.h"

#include "asserts.h"
#include "bounds.h"
#include "collide/box.h"
#include "collide/pair_sweep.h"
#include "collide/predict.h"
#include "prefetch.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/contact_keys.h"
#include "world/rows.h"

#include <string.h>

// --- Still rows, and the boxes by which they are found ---

enum {
    PLACES_AT_ONCE = 64, ///< Places in the grid of bodies at rest that are read at a time.
    SLEEPER_WORTH = 16   ///< A sleeper saves the cost of this many other still bodies.
};

static uint32_t count_still(const graze_world *world)
{
    return world->bodies.count - world->bodies.active_count;
}

// Returns whether a still body with these traits is a sleeper.
static bool is_sleeper(uint32_t traits)
{
    return (traits & GRZ_TRAIT_OPEN) != 0;
}

// Returns what still bodies save in a step, of which `sleepers` are sleepers.
static uint32_t worth_of(uint32_t still, uint32_t sleepers)
{
    return still + (SLEEPER_WORTH - 1) * sleepers;
}

// Returns the box of a still body, as Predict would make it: a sleeper's contains all that may
// affect it.
static graze_aabb box_of_still(const graze_world *world, grz_row row)
{
    const grz_rows *rows = &world->bodies.rows;
    const grz_sleep *sleep = &world->sleep;
    const graze_vec2 position = rows->position[row];
    if (!is_sleeper(rows->traits[row])) {
        return grz_swept_box(position, position, grz_extent_of(rows, row));
    }
    const graze_vec2 velocity =
        grz_velocity_ahead(world, rows->index[row], rows->traits[row], rows->velocity[row],
                           sleep->gravity_step, sleep->dt);
    const graze_vec2 end = grz_straight_end(position, velocity, sleep->dt);
    return grz_predicted_box(rows, row, end, sleep->gravity_step, sleep->dt);
}

// Returns the box that Predict made of an active body in this step.
static graze_aabb box_of_active(const graze_world *world, grz_row row)
{
    const graze_aabb *boxes = world->found.box_memory.data;
    return boxes[row];
}

static void swap_rows(graze_world *world, uint32_t first, uint32_t second)
{
    if (first != second) {
        grz_rows_swap(&world->bodies.rows, first, second);
        world->bodies.row_of_index.data[world->bodies.rows.index[first]] = first;
        world->bodies.row_of_index.data[world->bodies.rows.index[second]] = second;
    }
}

// --- Falling asleep ---

enum {
    PAIRS_AT_ONCE = 256,
    STILL_SHARE = 8,  ///< Rebuild the grid for an eighth of it or more.
    ACTIVE_SHARE = 2, ///< Still bodies must be this many times the active ones.
    SLEEPER_HASTE = 8 ///< Sleepers wait only an eighth of the patience.
};

bool grz_sleep_is_fixed(const graze_world *world, grz_row row)
{
    const uint32_t traits = world->bodies.rows.traits[row];
    const graze_vec2 velocity = world->bodies.rows.velocity[row];
    const bool is_light = traits & GRZ_TRAIT_ADJUSTED &&
                          grz_dynamics_of(world, world->bodies.rows.index[row]).gravity_scale == 0;
    const bool falls = (world->config.gravity.x != 0 || world->config.gravity.y != 0) &&
                       !(traits & GRZ_TRAIT_INFINITE_MASS) && !is_light;
    const uint32_t busy = GRZ_TRAIT_FREE | GRZ_TRAIT_SPINS | GRZ_TRAIT_EXPIRES | GRZ_TRAIT_RIGID;
    return velocity.x == 0 && velocity.y == 0 && !falls && !(traits & busy) &&
           grz_kind_of(traits) != GRAZE_SHAPE_RAY;
}

static uint32_t count_at_rest(const graze_world *world)
{
    uint32_t count = 0;
    for (grz_row row = 0; row < world->bodies.active_count; ++row) {
        count += grz_sleep_is_fixed(world, row);
    }
    return count;
}

// Whether new still bodies and sleepers are enough to rebuild their grid: the sooner after the last
// time, the more must there be.
static bool is_worth_while(const graze_world *world, uint32_t fixed, uint32_t sleepers)
{
    const grz_sleep *sleep = &world->sleep;
    const uint32_t worth = worth_of(fixed + sleepers, sleepers);
    const uint32_t since = sleep->since < sleep->patience ? sleep->since : sleep->patience;
    const uint64_t share = (uint64_t)(count_still(world) / STILL_SHARE) * sleep->patience;
    return worth >= sleep->least && (uint64_t)worth * since >= share;
}

static bool reserve_passing(graze_world *world)
{
    const graze_allocator *allocator = &world->config.counting;
    grz_sleep *sleep = &world->sleep;
    return grz_array_reserve(&sleep->of_contacts.places, allocator,
                             (size_t)world->reports.contacts.count + 1) &&
           grz_array_reserve(&sleep->of_keys.places, allocator,
                             (size_t)world->reports.keys.count + 1);
}

static bool reserve(graze_world *world)
{
    const graze_allocator *allocator = &world->config.counting;
    grz_sleep *sleep = &world->sleep;
    return (sleep->grid || graze_grid_create(allocator, &sleep->grid) == GRAZE_OK) &&
           grz_array_reserve(&sleep->index_of_place, allocator, world->bodies.count) &&
           reserve_passing(world);
}

// Moves the active rows at rest behind the others. Returns where they begin.
static uint32_t part_rows(graze_world *world)
{
    const grz_numbers *standing = &world->sleep.standing;
    uint32_t first = 0;
    uint32_t end = world->bodies.active_count;
    for (uint32_t k = 0; k < standing->count; ++k) {
        const grz_index index = standing->data[k];
        swap_rows(world, world->bodies.row_of_index.data[index], --end);
        grz_index_set_remove(&world->bodies.unsorted, index); // Commit pushed it in place.
    }
    while (first < end) {
        if (!grz_sleep_is_fixed(world, first)) {
            ++first;
        } else if (--end != first) {
            swap_rows(world, first, end);
        }
    }
    return first;
}

// The boxes and kinds overwrite those of Predict, which are no longer needed. Without filters no
// kinds are needed: no ray is still.
static graze_status build_grid(graze_world *world, uint32_t first)
{
    graze_aabb *boxes = world->found.box_memory.data;
    uint8_t *kinds =
        world->bodies.filter_count ? (uint8_t *)(boxes + world->bodies.rows.capacity) : NULL;
    const uint32_t count = world->bodies.count - first;
    for (uint32_t k = 0; k < count; ++k) {
        boxes[k] = box_of_still(world, first + k);
    }
    for (uint32_t k = 0; k < count && kinds; ++k) {
        kinds[k] = (uint8_t)(world->bodies.rows.traits[first + k] >> GRZ_TRAIT_FILTER_KIND_SHIFT);
    }
    const graze_grid_items items = {
        .boxes = boxes, .kinds = kinds, .meets = &world->grid.kinds.meets, .count = count};
    const graze_status status = graze_grid_build(world->sleep.grid, &items);
    world->sleep.has_kinds = status ? world->sleep.has_kinds : kinds != NULL;
    return status;
}

static void name_places(graze_world *world, uint32_t first)
{
    const uint32_t *order = graze_grid_order(world->sleep.grid);
    const uint32_t count = world->bodies.count - first;
    for (uint32_t place = 0; place < count; ++place) {
        world->sleep.index_of_place.data[place] = world->bodies.rows.index[first + order[place]];
    }
    world->sleep.index_of_place.count = count;
}

static bool do_indices_meet(const graze_world *world, uint32_t a, uint32_t b)
{
    return !world->bodies.filter_count ||
           grz_filters_meet(*grz_filter_of(world, a), *grz_filter_of(world, b));
}

static void count_pairs(graze_world *world)
{
    grz_sleep *sleep = &world->sleep;
    const uint32_t *index = sleep->index_of_place.data;
    graze_grid_cursor cursor = graze_grid_begin_pairs(sleep->grid);
    graze_pair pairs[PAIRS_AT_ONCE];
    sleep->pair_count = 0;
    for (uint32_t count;
         (count = graze_grid_next_pairs(sleep->grid, &cursor, pairs, PAIRS_AT_ONCE));) {
        for (uint32_t i = 0; i < count; ++i) {
            sleep->pair_count += do_indices_meet(world, index[pairs[i].a], index[pairs[i].b]);
        }
    }
}

static void fill_ends(grz_rows *rows, uint32_t first, uint32_t end)
{
    const uint32_t count = end - first;
    memcpy(rows->end + first, rows->position + first, count * sizeof *rows->end);
    memcpy(rows->end_velocity + first, rows->velocity + first, count * sizeof *rows->end_velocity);
    if (rows->rotation) {
        memcpy(rows->end_rotation + first, rows->rotation + first,
               count * sizeof *rows->end_rotation);
    }
}

static void measure_sleepers(graze_world *world, uint32_t first)
{
    grz_sleep *sleep = &world->sleep;
    sleep->sleeper_count = 0;
    sleep->sleeper_size = 0;
    for (grz_row row = first; row < world->bodies.count; ++row) {
        if (is_sleeper(world->bodies.rows.traits[row])) {
            const graze_vec2 extent = grz_extent_of(&world->bodies.rows, row);
            const float size = extent.x > extent.y ? extent.x : extent.y;
            sleep->sleeper_size = size > sleep->sleeper_size ? size : sleep->sleeper_size;
            ++sleep->sleeper_count;
        }
    }
}

// Whether a body is in a still row; one that is gone is not.
static bool is_still(const graze_world *world, grz_index index, uint32_t first)
{
    const grz_row row = world->bodies.row_of_index.data[index];
    return row >= first && row < world->bodies.count;
}

static void leave_sorted_grid(graze_world *world, uint32_t first)
{
    const uint32_t count = graze_grid_count(world->grid.cells);
    for (uint32_t place = 0; place < count; ++place) {
        if (is_still(world, grz_index_of_place(world, place), first)) {
            graze_grid_remove(world->grid.cells, place);
        }
    }
}

static bool is_of_rest(const graze_world *world, graze_body_id a, graze_body_id b, uint32_t first)
{
    return is_still(world, a.index, first) &&
           (b.generation == 0 || is_still(world, b.index, first));
}

static void find_passing(graze_world *world, uint32_t first)
{
    grz_numbers *of_contacts = &world->sleep.of_contacts.places;
    grz_numbers *of_keys = &world->sleep.of_keys.places;
    of_contacts->count = 0;
    of_keys->count = 0;
    for (uint32_t i = 0; i < world->reports.contacts.count; ++i) {
        const graze_contact *contact = &world->reports.contacts.data[i];
        of_contacts->data[of_contacts->count] = i;
        of_contacts->count += !is_of_rest(world, contact->a, contact->b, first);
    }
    for (uint32_t i = 0; i < world->reports.keys.count; ++i) {
        const graze_contact_end key = grz_key_at(world, i);
        of_keys->data[of_keys->count] = i;
        of_keys->count += !is_of_rest(world, key.a, key.b, first);
    }
    world->sleep.voided = false;
}

// First come calls that can fail: if one does, only the order of rows has changed.
static bool become_still(graze_world *world)
{
    if (!reserve(world)) {
        return false;
    }
    const uint32_t first = part_rows(world);
    const grz_rows *rows = &world->bodies.rows;
    if (rows->rotation) { // Boxes are made of turns, and rows may have moved since Predict.
        memset(rows->turn + first, 0, (world->bodies.active_count - first) * sizeof *rows->turn);
    }
    if (build_grid(world, first)) {
        return false;
    }
    name_places(world, first);
    count_pairs(world);
    fill_ends(&world->bodies.rows, first, world->bodies.active_count);
    measure_sleepers(world, first);
    leave_sorted_grid(world, first);
    find_passing(world, first);
    world->sleep.begun = true;
    world->sleep.since = 0;
    world->bodies.active_count = first;
    return true;
}

// Not where more than a share of the bodies is active: still ones have a grid of their own, to be
// searched by each active one (bench: engine/step/rest). And it is tried only now and then, so
// that bodies that the game wakes in every step do not become still in every step.
bool grz_sleep_make_still(graze_world *world)
{
    ++world->sleep.since;
    if (world->sleep.wait) {
        --world->sleep.wait;
        return false;
    }
    const uint32_t standing = world->sleep.standing.count;
    const uint32_t soon = world->sleep.patience / SLEEPER_HASTE;
    world->sleep.wait =
        world->impacts.trajectories.count ? soon : 0; // Finding sleepers costs a little, too.
    if (world->config.filter || !is_worth_while(world, world->found.totals.slow, standing)) {
        return false;
    }
    const uint32_t fixed = count_at_rest(world);
    const uint32_t active = world->bodies.active_count - fixed - standing;
    const uint32_t sleepers = world->sleep.sleeper_count + standing;
    const bool enough = worth_of(world->bodies.count - active, sleepers) / ACTIVE_SHARE >= active;
    world->sleep.wait = standing ? soon : world->sleep.patience;
    return is_worth_while(world, fixed, standing) && enough && become_still(world);
}

bool grz_sleep_void_contacts(graze_world *world)
{
    if (!world->sleep.voided) {
        return true;
    }
    if (!reserve_passing(world)) {
        return false;
    }
    find_passing(world, world->bodies.active_count);
    return true;
}

// --- Pairs of an active and a still body ---

// Finds which active bodies are near which still ones.

enum {
    CELLS_AHEAD = 8,      ///< Rows ahead that cells of the grid are prefetched,
    BOXES_AHEAD = 4,      ///< and the boxes in them,
    STILL_AHEAD = 1 << 15 ///< if this many bodies are still: a smaller grid is cached.
};

/// graze_grid_next_box() or graze_grid_next_move().
typedef uint32_t next_places_fn(const graze_grid *grid, graze_grid_cursor *cursor, uint32_t *places,
                                uint32_t capacity);

// Active rows are few and far apart: what one meets is seldom in the cache from the one before it.
static void prefetch_ahead(const graze_world *world, grz_row row)
{
    const graze_grid *grid = world->sleep.grid;
    if (graze_grid_count(grid) < STILL_AHEAD) {
        return;
    }
    if (row + CELLS_AHEAD < world->bodies.active_count) {
        graze_grid_prefetch_cells(grid, box_of_active(world, row + CELLS_AHEAD));
    }
    if (row + BOXES_AHEAD < world->bodies.active_count) {
        graze_grid_prefetch_boxes(grid, box_of_active(world, row + BOXES_AHEAD));
    }
}

// Turns places in the grid of bodies at rest into rows. Both look-ups read random memory, so those
// of all pairs are prefetched first.
static void name_rows_of_places(const graze_world *world, graze_pair *pairs, uint32_t count)
{
    const uint32_t *rows = world->bodies.row_of_index.data;
    for (uint32_t i = 0; i < count; ++i) {
        pairs[i].b = grz_sleep_index_of_place(world, pairs[i].b);
        GRZ_PREFETCH(&rows[pairs[i].b]);
    }
    for (uint32_t i = 0; i < count; ++i) {
        pairs[i].b = rows[pairs[i].b];
    }
}

static graze_grid_cursor begin_row(const graze_world *world, grz_row row, bool may_pass)
{
    const graze_aabb box = box_of_active(world, row);
    prefetch_ahead(world, row);
    if (may_pass) {
        return graze_grid_begin_move(box, world->bodies.rows.position[row],
                                     world->bodies.rows.end[row]);
    }
    graze_grid_cursor cursor = graze_grid_begin_box(world->sleep.grid, box);
    if (world->sleep.has_kinds) {
        const uint32_t kind = world->bodies.rows.traits[row] >> GRZ_TRAIT_FILTER_KIND_SHIFT;
        graze_grid_set_kinds(&cursor, world->grid.kinds.meets.rows[kind]);
    }
    return cursor;
}

// HOT. bench: engine/step/rest
//
// Data    16 bytes of each active row, and the grid's cells and boxes at its place: in a large grid
//         prefetched some rows ahead.
uint32_t grz_sleep_next_pairs(const graze_world *world, grz_sleep_cursor *cursor, graze_pair *pairs,
                              uint32_t capacity)
{
    const graze_grid *grid = world->sleep.grid;
    const uint32_t rows = grz_all_are_active(world) ? 0 : world->bodies.active_count;
    const bool may_pass = rows && graze_grid_may_be_passed(grid, world->grid.cells);
    next_places_fn *const next_places = may_pass ? graze_grid_next_move : graze_grid_next_box;
    uint32_t places[PLACES_AT_ONCE];
    uint32_t total = 0;
    while (cursor->row < rows && total < capacity) {
        if (!cursor->open) {
            cursor->places = begin_row(world, cursor->row, may_pass);
        }
        const uint32_t room = capacity - total;
        const uint32_t count = next_places(grid, &cursor->places, places,
                                           room < PLACES_AT_ONCE ? room : PLACES_AT_ONCE);
        for (uint32_t i = 0; i < count; ++i) {
            const graze_pair pair = {cursor->row, places[i]};
            pairs[total++] = pair;
            GRZ_PREFETCH(&world->sleep.index_of_place.data[places[i]]);
        }
        cursor->open = count > 0;
        cursor->row += count == 0;
    }
    name_rows_of_places(world, pairs, total);
    return total;
}

// --- Waking ---

// How bodies at rest become active again.

// Takes a body out of the grid of bodies at sleep, and its pairs out of the count.
static void leave_grid(graze_world *world, grz_index index, grz_row row)
{
    grz_sleep *sleep = &world->sleep;
    graze_grid_cursor cursor = graze_grid_begin_box(sleep->grid, box_of_still(world, row));
    uint32_t places[PLACES_AT_ONCE];
    uint32_t own = GRZ_NONE;
    for (uint32_t count;
         (count = graze_grid_next_box(sleep->grid, &cursor, places, PLACES_AT_ONCE));) {
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t other = sleep->index_of_place.data[places[i]];
            own = other == index ? places[i] : own;
            sleep->pair_count -= other != index && do_indices_meet(world, index, other);
        }
    }
    GRZ_ASSERT(own != GRZ_NONE);
    graze_grid_remove(sleep->grid, own);
}

static void wake_alone(graze_world *world, grz_index index, grz_row row)
{
    leave_grid(world, index, row);
    swap_rows(world, row, world->bodies.active_count++);
    grz_bodies_mark_unsorted(world, index);
    world->sleep.voided = true;
    world->solve.woken = true;
    world->sleep.sleeper_count -=
        is_sleeper(world->bodies.rows.traits[world->bodies.active_count - 1]);
}

// Wakes the sleepers in a box, and no others. Waking removes them from the grid, whose cursors stay
// valid.
static void wake_sleepers_in(graze_world *world, graze_aabb box)
{
    graze_grid_cursor cursor = graze_grid_begin_box(world->sleep.grid, box);
    uint32_t places[PLACES_AT_ONCE];
    for (uint32_t found;
         (found = graze_grid_next_box(world->sleep.grid, &cursor, places, PLACES_AT_ONCE));) {
        for (uint32_t i = 0; i < found; ++i) {
            const grz_index index = grz_sleep_index_of_place(world, places[i]);
            const grz_row row = world->bodies.row_of_index.data[index];
            if (is_sleeper(world->bodies.rows.traits[row])) {
                wake_alone(world, index, row);
            }
        }
    }
}

// The active rows from `first` on have just woken: wakes the sleepers that each of them may meet,
// and so on.
static void spread(graze_world *world, uint32_t first)
{
    for (grz_row row = first; row < world->bodies.active_count && world->sleep.sleeper_count;
         ++row) {
        wake_sleepers_in(world, box_of_still(world, row));
    }
}

static void make_active(graze_world *world, grz_index index)
{
    const grz_row row = world->bodies.row_of_index.data[index];
    const uint32_t first = world->bodies.active_count;
    if (row >= first) {
        wake_alone(world, index, row);
        spread(world, first);
    }
}

static void wake_from_sleep(graze_world *world, grz_index index)
{
    world->bodies.dynamics.data[index].flags &= ~(uint32_t)GRZ_ASLEEP;
    world->bodies.dynamics.data[index].quiet = 0;
}

// What rigid bodies may lie on. Where nothing is kept of contacts none lies on anything.
static bool may_bear(const graze_world *world, grz_index index)
{
    const uint32_t traits = world->bodies.rows.traits[world->bodies.row_of_index.data[index]];
    return grz_is_solid(traits) && (world->solve.cache.count || world->solve.still_cache.count);
}

void grz_sleep_wake(graze_world *world, grz_index index)
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
    for (grz_row row = world->bodies.active_count; row < world->bodies.count; ++row) {
        grz_bodies_mark_unsorted(world, world->bodies.rows.index[row]);
    }
    grz_sleep_forget(world);
}

void grz_sleep_wake_all(graze_world *world)
{
    grz_sleep_make_all_active(world);
    for (grz_row row = 0; world->bodies.dynamics.data && row < world->bodies.count; ++row) {
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
    uint32_t places[PLACES_AT_ONCE];
    for (uint32_t found;
         (found = graze_grid_next_box(world->sleep.grid, &cursor, places, PLACES_AT_ONCE));) {
        for (uint32_t i = 0; i < found; ++i) {
            make_active(world, grz_sleep_index_of_place(world, places[i]));
        }
    }
}

static void wake_sleepers(graze_world *world)
{
    for (grz_row row = world->bodies.active_count; row < world->bodies.count; ++row) {
        if (row >= world->bodies.active_count && is_sleeper(world->bodies.rows.traits[row])) {
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
    const uint32_t still = count_still(world);
    const uint32_t worth = worth_of(still, world->sleep.sleeper_count);
    world->sleep.standing.count = 0;
    if (still && (worth < world->bodies.active_count || !is_finite(gravity_step))) {
        grz_sleep_make_all_active(world);
    }
    review_course(world, gravity_step, dt);
}

bool grz_sleep_wake_met(graze_world *world)
{
    const uint32_t active = world->bodies.active_count;
    for (grz_row row = 0; row < active && world->sleep.sleeper_count; ++row) {
        const uint32_t first = world->bodies.active_count;
        wake_sleepers_in(world, box_of_active(world, row));
        spread(world, first);
    }
    return world->bodies.active_count > active;
}
