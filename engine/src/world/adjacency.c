#include "world/adjacency.h"

#include "prefetch.h"
#include "world/rows.h"

enum { AHEAD = 16 }; ///< How many touches ahead a row's first link is prefetched.

static void put_first(graze_world *world, grz_row row, uint32_t link)
{
    world->impacts.next_link.data[link] = world->impacts.link_of_row.data[row];
    world->impacts.link_of_row.data[row] = link;
}

// Equal times are rare: then by the other's index.
static bool is_earlier_by_index(const graze_world *world, const grz_ray_touch *touch,
                                const grz_ray_touch *other)
{
    const uint32_t *index = world->bodies.rows.index;
    return index[touch->other] < index[other->other];
}

static inline uint32_t choose(uint32_t mask, uint32_t if_set, uint32_t if_not)
{
    return (if_set & mask) | (if_not & ~mask);
}

// Keeps the earliest in front. Neither whether the ray has another touch nor which of the two is
// earlier can be predicted: so masks put them in order, not branches. A touch that is alone is
// compared with itself, and the link read for it is not used.
static inline void link_touch(graze_world *world, uint32_t place)
{
    const grz_ray_touch *touch = &world->found.ray_touches.data[place];
    uint32_t *next = world->impacts.next_link.data;
    uint32_t *of_row = &world->impacts.link_of_row.data[touch->ray];
    const uint32_t link = world->impacts.first_touch_link + place, front = *of_row;
    const uint32_t alone = 0 - (uint32_t)(front == GRZ_NONE);
    const uint32_t leader = choose(alone, link, front);
    const grz_ray_touch *other = &world->found.ray_touches.data[grz_link_touch(world, leader)];
    uint32_t leads = alone | (0 - (uint32_t)(touch->time < other->time));
    if (~alone & (0 - (uint32_t)(touch->time == other->time))) {
        leads = 0 - (uint32_t)is_earlier_by_index(world, touch, other);
    }
    const uint32_t after = choose(leads, front, next[leader]);
    next[choose(leads, link, leader)] = link;
    next[link] = after;
    *of_row = choose(leads, link, front);
}

// Rays may be anywhere: prefetches their first links.
static void link_touches(graze_world *world, const grz_range *own)
{
    const uint32_t first = own->closed;
    for (uint32_t k = first + own->count; k-- > first;) {
        const uint32_t ahead = k - first > AHEAD ? k - AHEAD : first;
        GRZ_PREFETCH(&world->impacts.link_of_row.data[world->found.ray_touches.data[ahead].ray]);
        link_touch(world, k);
    }
}

static void link_candidate(graze_world *world, uint32_t place)
{
    const grz_candidate *candidate = &world->found.candidates.data[place];
    const uint32_t a = world->bodies.rows.traits[candidate->row_a];
    const uint32_t b = world->bodies.rows.traits[candidate->row_b];
    if ((a & GRZ_TRAIT_OPEN) && !grz_is_free_ray(b)) {
        put_first(world, candidate->row_a, 2 * place);
    }
    if ((b & GRZ_TRAIT_OPEN) && !grz_is_free_ray(a)) {
        put_first(world, candidate->row_b, 2 * place + 1);
    }
}

static bool reserve_links(graze_world *world)
{
    const graze_allocator *allocator = &world->config.counting;
    const uint64_t count =
        2 * (uint64_t)world->found.candidates.count + world->found.ray_touches.count;
    return count < GRZ_NONE &&
           grz_array_reserve(&world->impacts.link_of_row, allocator, world->bodies.rows.capacity) &&
           grz_array_reserve(&world->impacts.next_link, allocator, (size_t)count);
}

// HOT. bench: engine/step/bullets-bodies
//
// Data    4 bytes of a row written; 12 of a touch read and 4 written, 12 and up to 8 of a candidate
//         pair,
//         and 4 of its rows each.
// Order   From the last to the first, each put before those listed already; but the earliest of a
//         row's touches leads.
bool grz_adjacency_list(graze_world *world)
{
    if (!reserve_links(world)) {
        return false;
    }
    uint32_t *of_row = world->impacts.link_of_row.data;
    const uint32_t rows = world->bodies.active_count;
    for (grz_row row = 0; row < rows; ++row) {
        of_row[row] = GRZ_NONE;
    }
    world->impacts.first_touch_link = 2 * world->found.candidates.count;
    for (uint32_t part = world->found.parts.count; part-- > 0;) {
        link_touches(world, grz_range_of_part(world, part, GRZ_OF_TOUCHES));
    }
    for (uint32_t k = world->found.candidates.count; k-- > 0;) {
        link_candidate(world, k);
    }
    return true;
}

// Prefetches the first link of a row that has one. Like all below into the second cache, because
// these are more lines than the first can fetch at a time.
static void prefetch_link(const graze_world *world, grz_row row)
{
    const uint32_t link = grz_link_first(world, row);
    if (grz_link_is_candidate(world, link)) {
        GRZ_PREFETCH_FAR(&world->impacts.next_link.data[link]);
        GRZ_PREFETCH_FAR(&world->found.candidates.data[grz_link_candidate(link)]);
    } else {
        const grz_ray_touch *touch = &world->found.ray_touches.data[grz_link_touch(world, link)];
        GRZ_PREFETCH_FAR(touch);
        GRZ_PREFETCH_FAR(&touch->time);
    }
}

static void prefetch_id(const grz_rows *rows, grz_row row)
{
    GRZ_PREFETCH_FAR(&rows->index[row]);
    GRZ_PREFETCH_FAR(&rows->generation[row]);
}

static void prefetch_course(const grz_rows *rows, grz_row row)
{
    GRZ_PREFETCH_FAR(&rows->position[row]);
    GRZ_PREFETCH_FAR(&rows->end[row]);
    GRZ_PREFETCH_FAR(&rows->half[row]);
    if (rows->rotation) {
        GRZ_PREFETCH_FAR(&rows->rotation[row]);
        GRZ_PREFETCH_FAR(&rows->end_rotation[row]);
    }
}

// Prefetches what is needed to decide how the two touch.
static void prefetch_both(const graze_world *world, grz_row row)
{
    const grz_rows *rows = &world->bodies.rows;
    const uint32_t link = grz_link_first(world, row);
    if (grz_link_is_candidate(world, link)) {
        const grz_candidate *candidate = &world->found.candidates.data[grz_link_candidate(link)];
        const uint32_t other = candidate->row_a == row ? candidate->row_b : candidate->row_a;
        prefetch_course(rows, row);
        prefetch_course(rows, other);
        prefetch_id(rows, other);
    } else {
        prefetch_id(rows, world->found.ray_touches.data[grz_link_touch(world, link)].other);
    }
}

// Rows with links are listed first, because they cannot be predicted.
void grz_adjacency_prefetch(const graze_world *world, const uint32_t *rows, uint32_t count)
{
    uint32_t linked[GRZ_ADJACENCY_PREFETCHED];
    uint32_t linked_count = 0;
    for (uint32_t k = 0; k < count; ++k) {
        prefetch_id(&world->bodies.rows, rows[k]);
        linked[linked_count] = rows[k];
        linked_count += grz_link_first(world, rows[k]) != GRZ_NONE;
    }
    for (uint32_t k = 0; k < linked_count; ++k) {
        prefetch_link(world, linked[k]);
    }
    for (uint32_t k = 0; k < linked_count; ++k) {
        prefetch_both(world, linked[k]);
    }
}
