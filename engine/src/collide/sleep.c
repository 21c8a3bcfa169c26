// How bodies at rest become still: their rows, their grid, and the reports that stay.

#include "collide/sleep.h"

#include "collide/sleep_rows.h"
#include "world/bodies.h"
#include "world/contact_keys.h"
#include "world/splice.h"

#include <string.h>

enum {
    PAIRS_AT_ONCE = 256,
    STILL_SHARE = 8,  ///< Rebuild the grid for an eighth of it or more.
    ACTIVE_SHARE = 2, ///< Still bodies must be this many times the active ones.
    SLEEPER_HASTE = 8 ///< Sleepers wait only an eighth of the patience.
};

bool grz_sleep_is_fixed(const graze_world *world, uint32_t row)
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
    for (uint32_t row = 0; row < world->bodies.active_count; ++row) {
        count += grz_sleep_is_fixed(world, row);
    }
    return count;
}

// Whether new still bodies and sleepers are enough to rebuild their grid: the sooner after the last
// time, the more must there be.
static bool is_worth_while(const graze_world *world, uint32_t fixed, uint32_t sleepers)
{
    const grz_sleep *sleep = &world->sleep;
    const uint32_t worth = grz_sleep_worth_of(fixed + sleepers, sleepers);
    const uint32_t since = sleep->since < sleep->patience ? sleep->since : sleep->patience;
    const uint64_t share = (uint64_t)(grz_sleep_count_still(world) / STILL_SHARE) * sleep->patience;
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
        const uint32_t index = standing->data[k];
        grz_sleep_swap_rows(world, world->bodies.row_of_index.data[index], --end);
        grz_index_set_remove(&world->grid.unsorted, index); // Commit pushed it in place.
    }
    while (first < end) {
        if (!grz_sleep_is_fixed(world, first)) {
            ++first;
        } else if (--end != first) {
            grz_sleep_swap_rows(world, first, end);
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
        boxes[k] = grz_sleep_box_of_still(world, first + k);
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

static bool do_places_meet(const graze_world *world, uint32_t a, uint32_t b)
{
    const uint32_t *index = world->sleep.index_of_place.data;
    return !world->bodies.filter_count ||
           grz_filters_meet(*grz_filter_of(world, index[a]), *grz_filter_of(world, index[b]));
}

static void count_pairs(graze_world *world)
{
    grz_sleep *sleep = &world->sleep;
    graze_grid_cursor cursor = graze_grid_begin_pairs(sleep->grid);
    graze_pair pairs[PAIRS_AT_ONCE];
    sleep->pair_count = 0;
    for (uint32_t count;
         (count = graze_grid_next_pairs(sleep->grid, &cursor, pairs, PAIRS_AT_ONCE));) {
        for (uint32_t i = 0; i < count; ++i) {
            sleep->pair_count += do_places_meet(world, pairs[i].a, pairs[i].b);
        }
    }
}

// Before boxes are made of them: rows may have moved since Predict filled this.
static void forget_turns(grz_rows *rows, uint32_t first, uint32_t end)
{
    if (rows->rotation) {
        memset(rows->turn + first, 0, (end - first) * sizeof *rows->turn);
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
    for (uint32_t row = first; row < world->bodies.count; ++row) {
        if (grz_sleep_is_sleeper(world->bodies.rows.traits[row])) {
            const graze_vec2 extent = grz_extent_of(&world->bodies.rows, row);
            const float size = extent.x > extent.y ? extent.x : extent.y;
            sleep->sleeper_size = size > sleep->sleeper_size ? size : sleep->sleeper_size;
            ++sleep->sleeper_count;
        }
    }
}

// Whether a body is in a still row; one that is gone is not.
static bool is_still(const graze_world *world, uint32_t index, uint32_t first)
{
    const uint32_t row = world->bodies.row_of_index.data[index];
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
    forget_turns(&world->bodies.rows, first, world->bodies.active_count);
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
// searched by each active one (bench: engine/step/sleep). And it is tried only now and then, so
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
    const bool enough =
        grz_sleep_worth_of(world->bodies.count - active, sleepers) / ACTIVE_SHARE >= active;
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

void grz_sleep_free(graze_world *world)
{
    graze_grid_destroy(world->sleep.grid);
    world->sleep.grid = NULL;
    grz_array_free(&world->sleep.index_of_place, &world->config.counting);
    grz_splice_free(&world->sleep.of_contacts, &world->config.counting);
    grz_splice_free(&world->sleep.of_keys, &world->config.counting);
    grz_array_free(&world->sleep.passed, &world->config.counting);
    grz_array_free(&world->sleep.standing, &world->config.counting);
    grz_array_free(&world->sleep.parents, &world->config.counting);
    grz_array_free(&world->sleep.kept, &world->config.counting);
}
