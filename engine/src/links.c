#include "links.h"

#include "rows.h"

static bool is_free_ray(uint32_t traits)
{
    return (traits & GRZ_TRAIT_FREE) && grz_kind_of(traits) == GRAZE_SHAPE_RAY;
}

static void put_first(graze_world *world, uint32_t row, uint32_t link)
{
    world->next_link.data[link] = world->link_of_row.data[row];
    world->link_of_row.data[row] = link;
}

static void link_meeting(graze_world *world, uint32_t place)
{
    const grz_meeting *meeting = &world->meetings.data[place];
    const uint32_t a = world->rows.traits[meeting->row_a];
    const uint32_t b = world->rows.traits[meeting->row_b];
    if ((a & GRZ_TRAIT_FREE) && !is_free_ray(b)) {
        put_first(world, meeting->row_a, 2 * place);
    }
    if ((b & GRZ_TRAIT_FREE) && !is_free_ray(a)) {
        put_first(world, meeting->row_b, 2 * place + 1);
    }
}

static bool reserve_links(graze_world *world)
{
    const graze_allocator *allocator = &world->counting;
    const uint64_t count = 2 * (uint64_t)world->meetings.count + world->ray_touches.count;
    return count < GRZ_NONE &&
           grz_array_reserve(&world->link_of_row, allocator, world->active_count) &&
           grz_array_reserve(&world->next_link, allocator, (size_t)count);
}

// HOT. bench: engine/step/bullets-bodies
//
// Data    4 bytes of a row written; 4 of a touch read and 4 written, 12 and up to 8 of a meeting,
//         and 4 of its rows each.
// Order   From the last to the first, each before those that are listed.
bool grz_links_list(graze_world *world)
{
    if (!reserve_links(world)) {
        return false;
    }
    uint32_t *of_row = world->link_of_row.data;
    for (uint32_t row = 0; row < world->active_count; ++row) {
        of_row[row] = GRZ_NONE;
    }
    world->first_touch_link = 2 * world->meetings.count;
    for (uint32_t k = world->ray_touches.count; k-- > 0;) {
        put_first(world, world->ray_touches.data[k].ray, world->first_touch_link + k);
    }
    for (uint32_t k = world->meetings.count; k-- > 0;) {
        link_meeting(world, k);
    }
    return true;
}
