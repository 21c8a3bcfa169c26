#include "rest.h"

#include "bodies.h"
#include "box.h"
#include "contact_keys.h"
#include "meet.h"
#include "message.h"
#include "predict.h"
#include "prefetch.h"
#include "rows.h"
#include "splice.h"

#include <string.h>

enum {
    PLACES_AT_ONCE = 64,
    PAIRS_AT_ONCE = 256,
    STILL_SHARE = 8,      ///< The grid is built anew for at least so large a part of it.
    ACTIVE_SHARE = 2,     ///< Of bodies that are active, so many times as many must be still.
    SLEEPER_WORTH = 16,   ///< A sleeper counts as so many: it would cost as much,
    SLEEPER_HASTE = 8,    ///< and need wait only for such a part of the time.
    CELLS_AHEAD = 8,      ///< Rows ahead that cells of the grid are asked for,
    BOXES_AHEAD = 4,      ///< and what is in them;
    STILL_AHEAD = 1 << 15 ///< if there are so many still ones that the grid lies far away.
};

static uint32_t count_still(const graze_world *world)
{
    return world->body_count - world->active_count;
}

static bool is_sleeper(uint32_t traits)
{
    return (traits & GRZ_TRAIT_FREE) != 0;
}

// What still bodies, of which so many are sleepers, save in a step.
static uint32_t worth_of(uint32_t still, uint32_t sleepers)
{
    return still + (SLEEPER_WORTH - 1) * sleepers;
}

// As Predict would make it: a sleeper's holds whatever may have a part in what becomes of it.
static graze_aabb box_of_still(const graze_world *world, uint32_t row)
{
    const grz_rows *rows = &world->rows;
    const grz_rest *rest = &world->rest;
    const graze_vec2 position = rows->position[row];
    if (!is_sleeper(rows->traits[row])) {
        return grz_swept_box(position, position, grz_extent_of(rows, row));
    }
    const graze_vec2 velocity =
        grz_gained_velocity(rows->velocity[row], rows->traits[row], rest->gain);
    const graze_vec2 end = grz_straight_end(position, velocity, rest->dt);
    return grz_predicted_box(rows, row, end, rest->gain, rest->dt);
}

// --- Waking ---

// Takes a body out of the grid of bodies at rest, and its pairs out of the count.
static void leave_grid(graze_world *world, uint32_t index, uint32_t row)
{
    grz_rest *rest = &world->rest;
    graze_grid_cursor cursor = graze_grid_begin_box(rest->grid, box_of_still(world, row));
    uint32_t places[PLACES_AT_ONCE];
    uint32_t own = GRZ_NONE;
    for (uint32_t count;
         (count = graze_grid_next_box(rest->grid, &cursor, places, PLACES_AT_ONCE));) {
        rest->pair_count -= count;
        for (uint32_t i = 0; i < count; ++i) {
            own = rest->index_of_place.data[places[i]] == index ? places[i] : own;
        }
    }
    ++rest->pair_count; // It was found itself.
    graze_grid_remove(rest->grid, own);
}

static void swap_rows(graze_world *world, uint32_t first, uint32_t second)
{
    if (first != second) {
        grz_rows_swap(&world->rows, first, second);
        world->row_of_index.data[world->rows.index[first]] = first;
        world->row_of_index.data[world->rows.index[second]] = second;
    }
}

static void wake_alone(graze_world *world, uint32_t index, uint32_t row)
{
    leave_grid(world, index, row);
    swap_rows(world, row, world->active_count++);
    grz_bodies_loosen(world, index);
    world->rest.voided = true;
    world->rest.sleeper_count -= is_sleeper(world->rows.traits[world->active_count - 1]);
}

// Wakes the sleepers in a box, alone. A body that wakes leaves the grid: a cursor goes on all the
// same.
static void wake_sleepers_in(graze_world *world, graze_aabb box)
{
    graze_grid_cursor cursor = graze_grid_begin_box(world->rest.grid, box);
    uint32_t places[PLACES_AT_ONCE];
    for (uint32_t found;
         (found = graze_grid_next_box(world->rest.grid, &cursor, places, PLACES_AT_ONCE));) {
        for (uint32_t i = 0; i < found; ++i) {
            const uint32_t index = grz_rest_index_of_place(world, places[i]);
            const uint32_t row = world->row_of_index.data[index];
            if (is_sleeper(world->rows.traits[row])) {
                wake_alone(world, index, row);
            }
        }
    }
}

// Those that woke are the last active rows, from `first` on: with each wake the sleepers that it
// may meet.
static void spread(graze_world *world, uint32_t first)
{
    for (uint32_t row = first; row < world->active_count && world->rest.sleeper_count; ++row) {
        wake_sleepers_in(world, box_of_still(world, row));
    }
}

void grz_rest_wake(graze_world *world, uint32_t index)
{
    const uint32_t row = world->row_of_index.data[index];
    const uint32_t first = world->active_count;
    if (row >= first) {
        wake_alone(world, index, row);
        spread(world, first);
    }
}

void grz_rest_forget(graze_world *world)
{
    world->active_count = world->body_count;
    world->rest.pair_count = 0;
    world->rest.sleeper_count = 0;
    world->rest.standing.count = 0;
    world->rest.voided = false;
    world->rest.wait = world->rest.patience;
}

static void wake_all(graze_world *world)
{
    for (uint32_t row = world->active_count; row < world->body_count; ++row) {
        grz_bodies_loosen(world, world->rows.index[row]);
    }
    grz_rest_forget(world);
}

// A little larger than exact: what touches by rounding is in it.
static graze_aabb box_of_points(const graze_vec2 *points, uint32_t count)
{
    const graze_vec2 no_extent = {0, 0};
    graze_vec2 lower = points[0];
    graze_vec2 upper = points[0];
    for (uint32_t i = 1; i < count; ++i) {
        lower.x = points[i].x < lower.x ? points[i].x : lower.x;
        lower.y = points[i].y < lower.y ? points[i].y : lower.y;
        upper.x = points[i].x > upper.x ? points[i].x : upper.x;
        upper.y = points[i].y > upper.y ? points[i].y : upper.y;
    }
    return grz_swept_box(lower, upper, no_extent);
}

// What a sleeper finds beside it may lie outside its box, but no farther away than its own size.
static graze_aabb box_around(const graze_world *world, const graze_vec2 *points, uint32_t count)
{
    const float margin = world->rest.sleeper_count ? world->rest.sleeper_size : 0;
    graze_aabb box = box_of_points(points, count);
    box.lower.x -= margin;
    box.lower.y -= margin;
    box.upper.x += margin;
    box.upper.y += margin;
    return box;
}

// A body that wakes leaves the grid: a cursor goes on all the same.
void grz_rest_wake_near(graze_world *world, const graze_vec2 *points, uint32_t count)
{
    if (grz_rest_is_empty(world)) {
        return;
    }
    graze_grid_cursor cursor =
        graze_grid_begin_box(world->rest.grid, box_around(world, points, count));
    uint32_t places[PLACES_AT_ONCE];
    for (uint32_t found;
         (found = graze_grid_next_box(world->rest.grid, &cursor, places, PLACES_AT_ONCE));) {
        for (uint32_t i = 0; i < found; ++i) {
            grz_rest_wake(world, grz_rest_index_of_place(world, places[i]));
        }
    }
}

static void wake_sleepers(graze_world *world)
{
    for (uint32_t row = world->active_count; row < world->body_count; ++row) {
        if (row >= world->active_count && is_sleeper(world->rows.traits[row])) {
            grz_rest_wake(world, world->rows.index[row]);
        }
    }
}

// Sleepers are as they are under one gravity and one dt. A dt of 0 only sorts.
static void review_course(graze_world *world, graze_vec2 gain, float dt)
{
    grz_rest *rest = &world->rest;
    if (dt == 0) {
        return;
    }
    rest->steady = rest->dt == dt && rest->gain.x == gain.x && rest->gain.y == gain.y;
    if (!rest->steady && rest->sleeper_count) {
        wake_sleepers(world);
    }
    rest->dt = dt;
    rest->gain = gain;
}

void grz_rest_review(graze_world *world, graze_vec2 gain, float dt)
{
    const uint32_t still = count_still(world);
    const uint32_t worth = worth_of(still, world->rest.sleeper_count);
    world->rest.standing.count = 0;
    if (still && (worth < world->active_count || !grz_is_finite_vec2(gain))) {
        wake_all(world);
    }
    review_course(world, gain, dt);
}

static graze_aabb box_of_active(const graze_world *world, uint32_t row)
{
    const size_t capacity = world->rows.capacity;
    const float *sides = world->box_memory.data;
    const graze_aabb box = {{sides[row], sides[capacity + row]},
                            {sides[2 * capacity + row], sides[3 * capacity + row]}};
    return box;
}

bool grz_rest_rouse(graze_world *world)
{
    const uint32_t active = world->active_count;
    for (uint32_t row = 0; row < active && world->rest.sleeper_count; ++row) {
        const uint32_t first = world->active_count;
        wake_sleepers_in(world, box_of_active(world, row));
        spread(world, first);
    }
    return world->active_count > active;
}

// --- Becoming still ---

bool grz_rest_is_fixed(const graze_world *world, uint32_t row)
{
    const uint32_t traits = world->rows.traits[row];
    const graze_vec2 velocity = world->rows.velocity[row];
    const bool falls =
        (world->gravity.x != 0 || world->gravity.y != 0) && !(traits & GRZ_TRAIT_WEIGHTLESS);
    return velocity.x == 0 && velocity.y == 0 && !falls &&
           !(traits & (GRZ_TRAIT_FREE | GRZ_TRAIT_SPINS | GRZ_TRAIT_MORTAL)) &&
           grz_kind_of(traits) != GRAZE_SHAPE_RAY;
}

static uint32_t count_at_rest(const graze_world *world)
{
    uint32_t count = 0;
    for (uint32_t row = 0; row < world->active_count; ++row) {
        count += grz_rest_is_fixed(world, row);
    }
    return count;
}

// Whether so many bodies that become still, and sleepers, are worth building their grid anew: the
// sooner after the last time, the more it takes.
static bool is_worth_while(const graze_world *world, uint32_t fixed, uint32_t sleepers)
{
    const grz_rest *rest = &world->rest;
    const uint32_t worth = worth_of(fixed + sleepers, sleepers);
    const uint32_t since = rest->since < rest->patience ? rest->since : rest->patience;
    const uint64_t share = (uint64_t)(count_still(world) / STILL_SHARE) * rest->patience;
    return worth >= rest->least && (uint64_t)worth * since >= share;
}

static bool reserve_passing(graze_world *world)
{
    const graze_allocator *allocator = &world->counting;
    grz_rest *rest = &world->rest;
    return grz_array_reserve(&rest->of_contacts.places, allocator,
                             (size_t)world->contacts.count + 1) &&
           grz_array_reserve(&rest->of_keys.places, allocator, (size_t)world->keys.count + 1);
}

static bool reserve(graze_world *world)
{
    const graze_allocator *allocator = &world->counting;
    grz_rest *rest = &world->rest;
    return (rest->grid || graze_grid_create(allocator, &rest->grid) == GRAZE_OK) &&
           grz_array_reserve(&rest->index_of_place, allocator, world->body_count) &&
           reserve_passing(world);
}

// Moves the active rows at rest behind the others. Returns where they begin.
static uint32_t part_rows(graze_world *world)
{
    const grz_numbers *standing = &world->rest.standing;
    uint32_t first = 0;
    uint32_t end = world->active_count;
    for (uint32_t k = 0; k < standing->count; ++k) {
        swap_rows(world, world->row_of_index.data[standing->data[k]], --end);
        grz_index_set_remove(&world->loose, standing->data[k]); // Where Commit pushed it in place.
    }
    while (first < end) {
        if (!grz_rest_is_fixed(world, first)) {
            ++first;
        } else if (--end != first) {
            swap_rows(world, first, end);
        }
    }
    return first;
}

// The boxes are put where Predict puts its own, which are not needed any more.
static graze_status build_grid(graze_world *world, uint32_t first)
{
    const size_t capacity = world->rows.capacity;
    float *sides = world->box_memory.data;
    const uint32_t count = world->body_count - first;
    for (uint32_t k = 0; k < count; ++k) {
        const graze_aabb box = box_of_still(world, first + k);
        sides[k] = box.lower.x;
        sides[capacity + k] = box.lower.y;
        sides[2 * capacity + k] = box.upper.x;
        sides[3 * capacity + k] = box.upper.y;
    }
    const graze_grid_items items = {
        sides, sides + capacity, sides + 2 * capacity, sides + 3 * capacity, NULL, count};
    return graze_grid_build(world->rest.grid, &items);
}

static void name_places(graze_world *world, uint32_t first)
{
    const uint32_t *order = graze_grid_order(world->rest.grid);
    const uint32_t count = world->body_count - first;
    for (uint32_t place = 0; place < count; ++place) {
        world->rest.index_of_place.data[place] = world->rows.index[first + order[place]];
    }
    world->rest.index_of_place.count = count;
}

static void count_pairs(grz_rest *rest)
{
    graze_grid_cursor cursor = graze_grid_begin_pairs(rest->grid);
    graze_pair pairs[PAIRS_AT_ONCE];
    rest->pair_count = 0;
    for (uint32_t count;
         (count = graze_grid_next_pairs(rest->grid, &cursor, pairs, PAIRS_AT_ONCE));) {
        rest->pair_count += count;
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
    grz_rest *rest = &world->rest;
    rest->sleeper_count = 0;
    rest->sleeper_size = 0;
    for (uint32_t row = first; row < world->body_count; ++row) {
        if (is_sleeper(world->rows.traits[row])) {
            const graze_vec2 extent = grz_extent_of(&world->rows, row);
            const float size = extent.x > extent.y ? extent.x : extent.y;
            rest->sleeper_size = size > rest->sleeper_size ? size : rest->sleeper_size;
            ++rest->sleeper_count;
        }
    }
}

// Whether a body is in a still row; one that is gone is in none.
static bool is_still(const graze_world *world, uint32_t index, uint32_t first)
{
    const uint32_t row = world->row_of_index.data[index];
    return row >= first && row < world->body_count;
}

static void leave_sorted_grid(graze_world *world, uint32_t first)
{
    const uint32_t count = graze_grid_count(world->grid);
    for (uint32_t place = 0; place < count; ++place) {
        if (is_still(world, grz_index_of_place(world, place), first)) {
            graze_grid_remove(world->grid, place);
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
    grz_numbers *of_contacts = &world->rest.of_contacts.places;
    grz_numbers *of_keys = &world->rest.of_keys.places;
    of_contacts->count = 0;
    of_keys->count = 0;
    for (uint32_t i = 0; i < world->contacts.count; ++i) {
        const graze_contact *contact = &world->contacts.data[i];
        of_contacts->data[of_contacts->count] = i;
        of_contacts->count += !is_of_rest(world, contact->a, contact->b, first);
    }
    for (uint32_t i = 0; i < world->keys.count; ++i) {
        const graze_contact_end key = grz_key_at(world, i);
        of_keys->data[of_keys->count] = i;
        of_keys->count += !is_of_rest(world, key.a, key.b, first);
    }
    world->rest.voided = false;
}

// What can fail comes first: if it does, only the order of the rows has changed.
static void become_still(graze_world *world)
{
    if (!reserve(world)) {
        return;
    }
    const uint32_t first = part_rows(world);
    if (build_grid(world, first)) {
        return;
    }
    name_places(world, first);
    count_pairs(&world->rest);
    fill_ends(&world->rows, first, world->active_count);
    measure_sleepers(world, first);
    leave_sorted_grid(world, first);
    find_passing(world, first);
    world->rest.begun = true;
    world->rest.since = 0;
    world->active_count = first;
}

// It is not worth while where many bodies are active: to find the few still ones would cost more
// than to sort them all. And it is tried only now and then, so that bodies that the game wakes in
// every step do not become still in every step.
void grz_rest_settle(graze_world *world)
{
    ++world->rest.since;
    if (world->rest.wait) {
        --world->rest.wait;
        return;
    }
    const uint32_t standing = world->rest.standing.count;
    const uint32_t soon = world->rest.patience / SLEEPER_HASTE;
    world->rest.wait = world->motions.count ? soon : 0; // To find what stands costs a little, too.
    if (world->filter || !is_worth_while(world, world->slow_count, standing)) {
        return;
    }
    const uint32_t fixed = count_at_rest(world);
    const uint32_t active = world->active_count - fixed - standing;
    const uint32_t sleepers = world->rest.sleeper_count + standing;
    const bool enough = worth_of(world->body_count - active, sleepers) / ACTIVE_SHARE >= active;
    world->rest.wait = standing ? soon : world->rest.patience;
    if (is_worth_while(world, fixed, standing) && enough) {
        become_still(world);
    }
}

// --- In the step ---

// Active rows are few and far apart: what one meets is seldom in the cache from the one before it.
static void ask_ahead(const graze_world *world, uint32_t row)
{
    const graze_grid *grid = world->rest.grid;
    if (graze_grid_count(grid) < STILL_AHEAD) {
        return;
    }
    if (row + CELLS_AHEAD < world->active_count) {
        graze_grid_prefetch_cells(grid, box_of_active(world, row + CELLS_AHEAD));
    }
    if (row + BOXES_AHEAD < world->active_count) {
        graze_grid_prefetch_boxes(grid, box_of_active(world, row + BOXES_AHEAD));
    }
}

// Turns places in the grid of bodies at rest into rows. Both look-ups go to random memory, so those
// of all pairs are asked for first.
static void name_rows_of_places(const graze_world *world, graze_pair *pairs, uint32_t count)
{
    const uint32_t *rows = world->row_of_index.data;
    for (uint32_t i = 0; i < count; ++i) {
        pairs[i].b = grz_rest_index_of_place(world, pairs[i].b);
        GRZ_PREFETCH(&rows[pairs[i].b]);
    }
    for (uint32_t i = 0; i < count; ++i) {
        pairs[i].b = rows[pairs[i].b];
    }
}

// HOT. bench: engine/step/rest
//
// Data    16 bytes of each active row, and what the grid holds where its box is: where that is
//         much, asked for some rows ahead.
uint32_t grz_rest_next_pairs(const graze_world *world, grz_rest_cursor *cursor, graze_pair *pairs,
                             uint32_t capacity)
{
    const graze_grid *grid = world->rest.grid;
    const uint32_t rows = grz_rest_is_empty(world) ? 0 : world->active_count;
    uint32_t places[PLACES_AT_ONCE];
    uint32_t total = 0;
    while (cursor->row < rows && total < capacity) {
        if (!cursor->open) {
            ask_ahead(world, cursor->row);
            cursor->in_box = graze_grid_begin_box(grid, box_of_active(world, cursor->row));
        }
        const uint32_t room = capacity - total;
        const uint32_t count = graze_grid_next_box(grid, &cursor->in_box, places,
                                                   room < PLACES_AT_ONCE ? room : PLACES_AT_ONCE);
        for (uint32_t i = 0; i < count; ++i) {
            const graze_pair pair = {cursor->row, places[i]};
            pairs[total++] = pair;
            GRZ_PREFETCH(&world->rest.index_of_place.data[places[i]]);
        }
        cursor->open = count > 0;
        cursor->row += count == 0;
    }
    name_rows_of_places(world, pairs, total);
    return total;
}

bool grz_rest_void_contacts(graze_world *world)
{
    if (!world->rest.voided) {
        return true;
    }
    if (!reserve_passing(world)) {
        return false;
    }
    find_passing(world, world->active_count);
    return true;
}

void grz_rest_free(graze_world *world)
{
    graze_grid_destroy(world->rest.grid);
    world->rest.grid = NULL;
    grz_array_free(&world->rest.index_of_place, &world->counting);
    grz_splice_free(&world->rest.of_contacts, &world->counting);
    grz_splice_free(&world->rest.of_keys, &world->counting);
    grz_array_free(&world->rest.passed, &world->counting);
    grz_array_free(&world->rest.standing, &world->counting);
    grz_array_free(&world->rest.parents, &world->counting);
}
